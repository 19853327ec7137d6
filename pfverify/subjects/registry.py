"""The subjects by name: whose they are, what they are asked, and what they promise."""

from __future__ import annotations

from dataclasses import dataclass

PACKAGE = "pfverify.subjects"


@dataclass(frozen=True)
class Subject:
    """One function that is held against the truth.

    Attributes: `function`, its module in this package and its name, as in "pot:monotone_plan";
    `library`, the distribution that computes the answer; `kind`, `noise` and `claim` as
    `crosscheck` takes them (noise "" for a plan); `promise`, what the library or the paper says of
    the number; `tolerance`, of a plan's marginals; `most`, how many questions at most the page of
    implementations asks, where the exact answers to later ones take minutes.
    """

    function: str
    library: str
    kind: str
    noise: str
    claim: str
    promise: str
    tolerance: float = 1e-12
    most: int = 1_000_000

    @property
    def target(self) -> str:
        """What `crosscheck` is given.

        Example: ``SUBJECTS["pot:monotone_plan"].target`` is
        ``"pfverify.subjects.pot:monotone_plan"``.
        """
        return f"{PACKAGE}.{self.function}"


_PESSIMISTIC = (
    "rounded so that the divergence is an upper estimate of the real value (pessimistic_estimate)"
)
_OPTIMISTIC = "losses are rounded down (pessimistic_estimate=False), which makes a lower estimate"
_ADDITIVE = "the hockey-stick divergence of the mechanism; no error bound is stated"
_SUMMED = 30  # the exact delta of discrete Gaussian noise is a sum over as many points as matter

_ALL = (
    Subject(
        "algorithm_1:scale", "numpy", "scale", "laplace", "upper",
        "Proposition 3.3 of the paper: the scale that Algorithm 1 returns attains privacy",
    ),
    Subject(
        "relaxed_brentq:scale", "scipy", "scale", "laplace", "upper",
        "Proposition 3.2 of the paper, of the exact root; brentq is right to its tolerance only",
    ),
    Subject(
        "numpy_float64:scale", "numpy", "scale", "laplace", "upper",
        "none: float64, rounded to nearest, the upper end of a bisection",
    ),
    Subject(
        "numpy_float64:loss", "numpy", "loss", "laplace", "nearest",
        "none: float64, rounded to nearest",
    ),
    Subject(
        "numpy_float64:delta", "numpy", "delta", "laplace", "nearest",
        "none: float64, rounded to nearest",
    ),
    Subject(
        "numpy_float64:density", "numpy", "density", "laplace", "nearest",
        "none: float64, rounded to nearest",
    ),
    Subject(
        "accounting:laplace_scale", "dp-accounting", "scale", "laplace", "upper",
        "the parameter with the given privacy guarantee: simply sensitivity / epsilon",
    ),
    Subject(
        "accounting:discrete_laplace_scale", "dp-accounting", "scale", "discrete-laplace", "upper",
        "the parameter with the given privacy guarantee",
    ),
    Subject(
        "accounting:gaussian_scale", "dp-accounting", "scale", "gaussian", "upper",
        "an exact conversion, searched to an error of 1e-12 (tol); no side is promised",
    ),
    Subject(
        "accounting:laplace_delta", "dp-accounting", "delta", "laplace", "upper", _ADDITIVE
    ),
    Subject(
        "accounting:laplace_delta_pessimistic", "dp-accounting", "delta", "laplace", "upper",
        _PESSIMISTIC,
    ),
    Subject(
        "accounting:discrete_laplace_delta_pessimistic", "dp-accounting", "delta",
        "discrete-laplace", "upper", _PESSIMISTIC,
    ),
    Subject(
        "accounting:gaussian_delta_pessimistic", "dp-accounting", "delta", "gaussian", "upper",
        _PESSIMISTIC,
    ),
    Subject(
        "accounting:gaussian_delta_optimistic", "dp-accounting", "delta", "gaussian", "lower",
        _OPTIMISTIC,
    ),
    Subject(
        "accounting:discrete_gaussian_delta", "dp-accounting", "delta", "discrete-gaussian",
        "upper", _ADDITIVE, most=_SUMMED,
    ),
    Subject(
        "accounting:discrete_gaussian_delta_pessimistic", "dp-accounting", "delta",
        "discrete-gaussian", "upper", _PESSIMISTIC, most=_SUMMED,
    ),
    Subject(
        "accounting:discrete_gaussian_delta_optimistic", "dp-accounting", "delta",
        "discrete-gaussian", "lower", _OPTIMISTIC, most=_SUMMED,
    ),
    Subject(
        "pot:monotone_plan", "POT", "plan", "", "coupling",
        "solves the transport problem on the line; no error bound is stated",
    ),
    Subject(
        "pot:network_plan", "POT", "plan", "", "coupling",
        "solves the transport problem; no error bound is stated",
    ),
    Subject(
        "pot:entropic_plan", "POT", "plan", "", "coupling",
        "solves the regularised problem until the marginals are off by 1e-9 (stopThr); it warns "
        "where it does not get there",
        tolerance=1e-8,
    ),
    Subject(
        "opendp_maps:laplace_loss", "opendp", "loss", "laplace", "upper",
        "a privacy map: an upper bound, proved by its authors and rounded upward",
    ),
    Subject(
        "opendp_maps:discrete_laplace_loss", "opendp", "loss", "discrete-laplace", "upper",
        "a privacy map: an upper bound, proved by its authors and rounded upward",
    ),
)  # fmt: skip

SUBJECTS = {subject.function: subject for subject in _ALL}
"""Every subject, by its module and name."""
