"""The subjects by name: whose they are, what they are asked, and what they promise."""

from __future__ import annotations

from dataclasses import dataclass

PACKAGE = "pfverify.subjects"
_NEAR = 1e-12
_MANY = 1_000_000


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
    tolerance: float = _NEAR
    most: int = _MANY

    @property
    def target(self) -> str:
        """What `crosscheck` is given.

        Example: ``SUBJECTS["pot:monotone_plan"].target`` is
        ``"pfverify.subjects.pot:monotone_plan"``.
        """
        return f"{PACKAGE}.{self.function}"


_FLOATS = "none: float64, rounded to nearest"
_EXACT = "the parameter with the given privacy guarantee"
_ADDITIVE = "the hockey-stick divergence of the mechanism; no error bound is stated"
_ROUNDED = {
    "pessimistic": (
        "upper",
        "rounded so that the divergence is an upper estimate of the real value "
        "(pessimistic_estimate)",
    ),
    "optimistic": (
        "lower",
        "losses are rounded down (pessimistic_estimate=False), which makes a lower estimate",
    ),
}
"""How dp-accounting rounds losses -> the side of its delta, and what it says of it."""
_MAP = "a privacy map: an upper bound, proved by its authors and rounded upward"
_SUMMED = 30  # the exact delta of discrete Gaussian noise is a sum over as many points as matter


def _accounted(noise: str, what: str, promise: str, *, most: int = _MANY) -> Subject:
    """A scale or a delta of dp-accounting in closed form."""
    function = f"accounting:{noise.replace('-', '_')}_{what}"
    return Subject(function, "dp-accounting", what, noise, "upper", promise, most=most)


def _distributed(noise: str, rounding: str, *, most: int = _MANY) -> Subject:
    """A delta of dp-accounting from a distribution of losses, which are rounded to one side."""
    claim, promise = _ROUNDED[rounding]
    function = f"accounting:{noise.replace('-', '_')}_delta_{rounding}"
    return Subject(function, "dp-accounting", "delta", noise, claim, promise, most=most)


_COMPOSED = {"laplace": 20, "discrete-laplace": 20, "discrete-gaussian": 13, "gaussian": 13,
             "none": 12}  # fmt: skip
"""Noise -> how many questions about many releases are asked: their truth takes seconds."""
_TAILS = "an estimate of the mechanism composed, with tails cut at 1e-15 by default; "
_FROM_RENYI = "an upper bound from Renyi divergences at a list of orders"
_PRV = "a {} bound of delta: eps_error 0.01 and delta_error 1e-10 were asked for"
_BUDGET = "the least of basic and advanced composition (Kairouz, Oh and Viswanath) is reported"


def _accountant(
    function: str, library: str, noise: str, promise: str, claim: str = "upper",
    most: int = _MANY,
) -> Subject:  # fmt: skip
    """An accountant of many releases under a noise."""
    most = min(most, _COMPOSED[noise])
    return Subject(function, library, "accountant", noise, claim, promise, most=most)


def _composed(noise: str, rounding: str) -> Subject:
    """A composed distribution of dp-accounting's losses, which are rounded to one side."""
    claim, promise = _ROUNDED[rounding]
    name = "finite" if noise == "none" else noise.replace("-", "_")
    function = f"composed_losses:{name}_{rounding}"
    return _accountant(function, "dp-accounting", noise, _TAILS + promise, claim)


def _planned(name: str, promise: str, *, tolerance: float = _NEAR) -> Subject:
    """A plan of POT."""
    return Subject(f"pot:{name}_plan", "POT", "plan", "", "coupling", promise, tolerance)


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
        f"{_FLOATS}, the upper end of a bisection",
    ),
    *(
        Subject(f"numpy_float64:{kind}", "numpy", kind, "laplace", "nearest", _FLOATS)
        for kind in ("loss", "delta", "density")
    ),
    _accounted("laplace", "scale", f"{_EXACT}: simply sensitivity / epsilon"),
    _accounted("discrete-laplace", "scale", _EXACT),
    _accounted(
        "gaussian", "scale",
        "an exact conversion, searched to an error of 1e-12 (tol); no side is promised",
    ),
    _accounted("laplace", "delta", _ADDITIVE),
    _distributed("laplace", "pessimistic"),
    _distributed("discrete-laplace", "pessimistic"),
    _distributed("gaussian", "pessimistic"),
    _distributed("gaussian", "optimistic"),
    _accounted("discrete-gaussian", "delta", _ADDITIVE, most=_SUMMED),
    _distributed("discrete-gaussian", "pessimistic", most=_SUMMED),
    _distributed("discrete-gaussian", "optimistic", most=_SUMMED),
    _planned("monotone", "solves the transport problem on the line; no error bound is stated"),
    _planned("network", "solves the transport problem; no error bound is stated"),
    _planned(
        "entropic",
        "solves the regularised problem until the marginals are off by 1e-9 (stopThr); it warns "
        "where it does not get there",
        tolerance=1e-8,
    ),
    Subject("opendp_maps:laplace_loss", "opendp", "loss", "laplace", "upper", _MAP),
    Subject(
        "opendp_maps:discrete_laplace_loss", "opendp", "loss", "discrete-laplace", "upper", _MAP
    ),
    *(_composed(noise, rounding) for noise in _COMPOSED for rounding in _ROUNDED),
    _accountant("composed_losses:laplace_renyi", "dp-accounting", "laplace", _FROM_RENYI),
    _accountant("composed_losses:gaussian_renyi", "dp-accounting", "gaussian", _FROM_RENYI),
    _accountant("accountants:prv_laplace", "prv-accountant", "laplace", _PRV.format("upper")),
    _accountant("accountants:prv_gaussian", "prv-accountant", "gaussian", _PRV.format("upper")),
    _accountant(
        "accountants:prv_gaussian_lower", "prv-accountant", "gaussian", _PRV.format("lower"),
        "lower",
    ),
    _accountant("accountants:autodp_laplace", "autodp", "laplace", _FROM_RENYI),
    _accountant(
        "accountants:autodp_laplace_fourier", "autodp", "laplace",
        "tight accounting by characteristic functions; no error bound is stated",
        most=5,  # each takes seconds
    ),
    _accountant("accountants:autodp_gaussian", "autodp", "gaussian", _FROM_RENYI),
    _accountant("accountants:diffprivlib_laplace", "diffprivlib", "laplace", _BUDGET),
    _accountant("accountants:diffprivlib_finite", "diffprivlib", "none", _BUDGET),
    _accountant(
        "accountants:diffpriv_pure_finite", "diffpriv-pure", "none",
        "advanced_composition; nothing more is said of it",
    ),
    _accountant("accountants:opendp_laplace", "opendp", "laplace", _MAP),
    _accountant("accountants:opendp_gaussian", "opendp", "gaussian", _MAP),
    _accountant(
        "accountants:fourier_gaussian", "fourier-accountant", "gaussian",
        "tight guarantees by numerical approximation, at the default nx and L; no error bound is "
        "stated",
    ),
    _accountant("accountants:accelerator_gaussian", "dp-accelerator", "gaussian", _FROM_RENYI),
    _accountant(
        "accountants:pld_accounting_gaussian", "pld-accounting", "gaussian",
        "a dominating (upper) bound of the sampled losses",
    ),
)  # fmt: skip

SUBJECTS = {subject.function: subject for subject in _ALL}
"""Every subject, by its module and name."""
