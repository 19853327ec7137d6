"""The section of ``pfverify crosscheck --shipped`` about draws: OpenDP's samplers and releases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import planned, priors_of
from pfverify.crosscheck.samplers.result import SamplerResult
from pfverify.decide.excess import by_balls
from pfverify.edge.thresholded import reported, reported_gaussian
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.written import written
from pfverify.laws.kinds import law_of
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.subjects import opendp_samplers as opendp

DRAWS = 100_000
SAMPLERS: dict[str, tuple[Callable[..., Any], Noise]] = {
    "make_laplace, integers": (opendp.discrete_laplace, DiscreteLaplace(2)),
    "make_gaussian, integers": (opendp.discrete_gaussian, DiscreteGaussian(2)),
    "make_laplace, float64": (opendp.laplace, Laplace(2)),
    "make_gaussian, float64": (opendp.gaussian, GaussianNoise(2)),
}
"""OpenDP's samplers, each with the law that it is held to."""
_SCALES = (1, 2)


def rows(draws: int = DRAWS) -> dict[str, str]:
    """Return the rows of the three tables of the section.

    Raises InputError where OpenDP is not installed.
    """
    return {
        "samplers": "\n".join(_sampler_row(name, draws) for name in SAMPLERS),
        "claims": "\n".join(_claim_rows(draws)),
        "gaussian": "\n".join(map(_gaussian_row, _SCALES)),
    }


def _drawn(sampler: Callable[..., Any], problem: Problem, kind: str, draws: int) -> SamplerResult:
    """What draws of a sampler, at the one value of each secret, say of a problem."""
    size = problem.release.noise.stated_scale().ball().midpoint()
    priors = priors_of(problem)
    plan = planned(problem, kind, dict.fromkeys(priors, draws))
    found = {key: _read(sampler(_value(prior), draws, size)) for key, prior in priors.items()}
    return plan.result(found, sampler.__name__, called=True, seed=None)


def _read(found: Any) -> Draws:
    """Numbers, or texts where some are words."""
    return list(map(str, found)) if isinstance(found, list) else found


def _value(prior: Prior) -> int | None:
    """The one value of a prior; None for no row."""
    return int(prior.atoms[0]) if isinstance(prior, Discrete) else None


def _sampler_row(name: str, draws: int) -> str:
    sampler, noise = SAMPLERS[name]
    points = {str(x): Discrete({x: 1}) for x in (0, 1)}
    found = _drawn(sampler, Problem(points, noise=noise, epsilon=1, delta=1), "sampler", draws)
    return f"| {name} | {noise.kind} | {found.tests} | {found.found} | {found.seen} |"


def _claim_rows(draws: int) -> list[str]:
    epsilon, delta = reported(1, opendp.THRESHOLD)
    found = []
    for whose, claimed in (("OpenDP's", Fraction(delta)), ("exact", "exp(-4)/(1+exp(-1))")):
        problem = Problem(
            {"one row": Discrete({1: 1}), "no row": Nothing()}, noise=DiscreteLaplace(1),
            post=[{"threshold": {"at": opendp.THRESHOLD}}], epsilon=Fraction(epsilon),
            delta=claimed,
        )  # fmt: skip
        held = _drawn(opendp.laplace_threshold, problem, "release", draws)
        low, high = (
            max(float(getattr(one.delta, end)) for one in held.claims) for end in ("lower", "upper")
        )
        found.append(f"| {whose} | {held.found} | {low:.4f} to {high:.4f} |")
    return found


def _gaussian_row(scale: int) -> str:
    delta, exact = reported_gaussian(scale, opendp.THRESHOLD), reached(scale)
    said = "below it: too small" if exact.lower > Fraction(delta) else "not proved too small"
    return f"| {scale} | {opendp.THRESHOLD} | {delta} | {float(exact.lower):.6g} | {said} |"


def reached(scale: int) -> Enclosure:
    """Enclose the chance that a count of 1 with discrete Gaussian noise reaches the threshold.

    Example: ``reached(1) < 1`` is ``True``.
    """
    law = law_of(Discrete({1: 1}), DiscreteGaussian(scale))
    below = Fraction(opendp.THRESHOLD - 1)
    return written(by_balls(lambda: 1 - law.at_precision().below(below), Fraction(1)), 12)
