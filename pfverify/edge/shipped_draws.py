"""The section of ``pfverify crosscheck --shipped`` about draws: OpenDP's samplers and releases."""

from __future__ import annotations

from fractions import Fraction

from pfverify.answers.loss import loss
from pfverify.crosscheck.samplers.called import DRAWS, called
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.edge.thresholded import claimed, one_row, reported_gaussian
from pfverify.exact.enclosure import Enclosure
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.subjects import opendp_samplers as opendp
from pfverify.workers.function import Limits

SAMPLERS: dict[str, tuple[str, Noise]] = {
    "make_laplace, integers": ("discrete_laplace", DiscreteLaplace(2)),
    "make_gaussian, integers": ("discrete_gaussian", DiscreteGaussian(2)),
    "make_laplace, float64": ("laplace", Laplace(2)),
    "make_gaussian, float64": ("gaussian", GaussianNoise(2)),
}
"""OpenDP's samplers, each with the law that it is held to."""
_SCALES = (1, 2)
_LIMITS = Limits(timeout=600)  # no draw is given up early


def rows(draws: int = DRAWS) -> dict[str, str]:
    """Return the rows of the three tables of the section.

    Raises InputError where OpenDP is not installed.
    """
    return {
        "samplers": "\n".join(_sampler_row(name, draws) for name in SAMPLERS),
        "claims": "\n".join(_claim_rows(draws)),
        "gaussian": "\n".join(map(_gaussian_row, _SCALES)),
    }


def row(*cells: object) -> str:
    """Return a row of a table in Markdown.

    Example: ``row("a", 1)`` is ``"| a | 1 |"``.
    """
    return f"| {' | '.join(map(str, cells))} |"


def _called(name: str, problem: Problem, kind: str, draws: int) -> SamplerResult:
    """What draws of one of OpenDP's say of a problem."""
    return called(f"{opendp.__name__}:{name}", kind, problem, draws=draws, limits=_LIMITS)


def _sampler_row(name: str, draws: int) -> str:
    sampler, noise = SAMPLERS[name]
    points = {str(x): Discrete({x: 1}) for x in (0, 1)}
    found = _called(sampler, Problem(points, noise=noise, epsilon=1, delta=1), "sampler", draws)
    return row(name, noise.kind, found.tests, found.found, found.seen)


def _claim_rows(draws: int) -> list[str]:
    found = []
    for whose, problem in zip(("OpenDP's", "exact"), claimed(1, opendp.THRESHOLD), strict=True):
        held = _called("laplace_threshold", problem, "release", draws)
        low, high = (
            max(float(getattr(one.delta, end)) for one in held.claims) for end in ("lower", "upper")
        )
        found.append(row(whose, held.found, f"{low:.4f} to {high:.4f}"))
    return found


def _gaussian_row(scale: int) -> str:
    delta, exact = reported_gaussian(scale, opendp.THRESHOLD), reached(scale)
    said = "below it: too small" if exact.lower > Fraction(delta) else "not proved too small"
    return row(scale, opendp.THRESHOLD, delta, f"{float(exact.lower):.6g}", said)


def reached(scale: int) -> Enclosure:
    """Enclose the chance that a count of 1 with discrete Gaussian noise reaches the threshold.

    Example: ``reached(1) < 1`` is ``True``.
    """
    return loss(one_row(DiscreteGaussian(scale), opendp.THRESHOLD, 1, "1/2")).delta
