"""delta(epsilon) under normal and discrete Gaussian noise: pfverify beside dp-accounting, against
50-digit mpmath.

dp-accounting is the extra `benchmarks`; without it its rows say that they were skipped. Its REMOVE
is "mixture over normal" (its mixture is mirrored) and ADD the other order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from math import exp
from statistics import median
from time import perf_counter
from typing import Any

import mpmath
from benchmark_measure import seconds_text

from pfverify import Discrete, DiscreteGaussian, GaussianNoise, Problem
from pfverify.decide.routes import comparison
from pfverify.exact.written import written

EPSILON = 1.0  # an array of integers makes dp-accounting round its own results
SENSITIVITIES, WEIGHTS = (0.0, 1.0, 2.0), (0.25, 0.5, 0.25)
MISSING = "skipped: dp-accounting is not installed (extra: benchmarks)"
_SLOW = 5.0  # seconds from which one call is enough

Law = list[tuple[int, Fraction]]  # (mean, weight), variance 1
NORMAL: Law = [(0, Fraction(1))]
SHIFTED: Law = [(1, Fraction(1))]
MIXED: Law = [(m, Fraction(w)) for m, w in zip((0, 1, 2), WEIGHTS, strict=True)]
DISCRETE = "discrete"  # the noise, and the name of the problem with it
ORDERS = {
    "normal": (SHIFTED, NORMAL),
    DISCRETE: (SHIFTED, NORMAL),
    "mixture": (MIXED, NORMAL),
    "mixture, reverse": (NORMAL, MIXED),
}


@dataclass(frozen=True)
class Accuracy:
    """One way to one delta: its time, what it says, and whether that is so."""

    problem: str
    way: str
    time: str
    value: str
    gap: str
    claim: str = ""
    kept: bool | None = None


@dataclass(frozen=True)
class Way:
    """One function of dp-accounting. `claim` is what its value is said to be."""

    problem: str
    name: str
    work: Callable[[], float]
    claim: str


def truth(upper: Law, lower: Law) -> mpmath.mpf:
    """P(B) - e Q(B) on its worst event; the ratio of the two laws must cross e once."""
    growth = mpmath.exp(EPSILON)

    def real(w: Fraction) -> mpmath.mpf:
        return mpmath.mpf(w.numerator) / w.denominator

    def gap(y: mpmath.mpf) -> mpmath.mpf:
        return sum(real(w) * mpmath.npdf(y, m) for m, w in upper) - growth * sum(
            real(w) * mpmath.npdf(y, m) for m, w in lower
        )

    signs = [mpmath.sign(gap(mpmath.mpf(k) / 8)) for k in range(-80, 81)]
    changes = [k for k in range(160) if signs[k] != signs[k + 1]]
    if len(changes) != 1:
        raise RuntimeError(f"expected one zero, found {len(changes)}")
    (k,) = changes
    ends = tuple(mpmath.mpf(k - 80 + j) / 8 for j in (0, 1))
    zero = mpmath.findroot(gap, ends, solver="anderson", tol=mpmath.mpf(10) ** -95)
    side = 1 if signs[k + 1] > 0 else -1  # the event is right or left of the zero

    def mass(law: Law) -> mpmath.mpf:
        return sum(real(w) * mpmath.erfc(side * (zero - m) / mpmath.sqrt(2)) / 2 for m, w in law)

    return mass(upper) - growth * mass(lower)


def discrete_truth(upper: Law, lower: Law) -> mpmath.mpf:
    """The sum of the excesses over whole numbers; those beyond 40 are below 1e-300."""

    def mass(law: Law, y: int) -> mpmath.mpf:
        return sum(
            mpmath.mpf(w.numerator) / w.denominator * mpmath.exp(-mpmath.mpf(y - m) ** 2 / 2)
            for m, w in law
        )

    places, growth = range(-40, 41), mpmath.exp(EPSILON)
    excesses = (mass(upper, y) - growth * mass(lower, y) for y in places)
    return sum(x for x in excesses if x > 0) / sum(mass(NORMAL, y) for y in places)


def truths() -> dict[str, mpmath.mpf]:
    """The exact answers to 50 digits."""
    with mpmath.workdps(60):
        return {
            name: (discrete_truth if name == DISCRETE else truth)(*laws)
            for name, laws in ORDERS.items()
        }


def accuracy_version() -> str:
    """Which dp-accounting was measured, in words."""
    try:
        return (
            f"dp-accounting {version('dp-accounting')} works in float64; why a value misses by "
            "about 1e-14\nwas not looked into."
        )
    except PackageNotFoundError:
        return "dp-accounting is not installed."


def accuracy_rows(intervals: tuple[float, float]) -> list[Accuracy]:
    """Measure pfverify at 12 and 40 digits, and every way of dp-accounting.

    `intervals` are the discretization intervals of its distributions: one normal law, mixtures.
    """
    exact = truths()
    rows = [_ours(name, digits, exact[name]) for name in ORDERS for digits in (12, 40)]
    # a distribution of privacy losses answers for both orders at once
    exact["mixture, both orders"] = max(exact["mixture"], exact["mixture, reverse"])
    try:
        ways = _ways(intervals)
    except ImportError:
        return [*rows, Accuracy("all", "dp-accounting", "", MISSING, "")]
    return [*rows, *(_theirs(way, exact[way.problem]) for way in ways)]


def _ours(name: str, digits: int, exact: mpmath.mpf) -> Accuracy:
    upper, lower = (dict(law) for law in ORDERS[name])
    problem = Problem(
        priors={"upper": Discrete(mass=upper), "lower": Discrete(mass=lower)},
        noise=DiscreteGaussian(1) if name == DISCRETE else GaussianNoise(1),
        epsilon=int(EPSILON), delta="1/100",
    )  # fmt: skip
    question = next(problem.questions())
    seconds, found = _timed(lambda: written(comparison(question)[0].exceeding(), digits))
    with mpmath.workdps(60):
        gaps = [mpmath.mpf(str(end)) - exact for end in (found.lower, found.upper)]
    return Accuracy(
        problem=name,
        way=f"pfverify, {digits} digits",
        time=seconds_text(seconds),
        value=found.text if digits < 20 else f"{str(found.lower)[:20]}...",
        gap=f"{_short(gaps[0])}, {_short(gaps[1])}",
        claim="between two bounds",
        kept=gaps[0] <= 0 <= gaps[1],
    )


def _theirs(way: Way, exact: mpmath.mpf) -> Accuracy:
    seconds, value = _timed(way.work)
    with mpmath.workdps(60):
        gap = mpmath.mpf(value) - exact
    kept = {"upper bound": gap >= 0, "lower bound": gap <= 0}.get(way.claim)
    return Accuracy(
        way.problem, way.name, seconds_text(seconds), repr(value), _short(gap), way.claim, kept
    )


def _short(gap: mpmath.mpf) -> str:
    return f"{mpmath.nstr(gap, 3)} ({'above' if gap > 0 else 'below'})"


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Median seconds of a call (of the one call, where it is slow), and its value."""
    start = perf_counter()
    value = work()
    first = perf_counter() - start
    if first > _SLOW:
        return first, value
    loops = max(1, min(20, int(0.02 / max(first, 1e-6))))
    seconds = []
    for _ in range(7 if first < 1 else 3):
        start = perf_counter()
        for _ in range(loops):
            work()
        seconds.append((perf_counter() - start) / loops)
    return median(seconds), value


def _ways(intervals: tuple[float, float]) -> list[Way]:
    from dp_accounting import gaussian_mechanism
    from dp_accounting.pld import privacy_loss_distribution as pld
    from dp_accounting.pld import privacy_loss_mechanism as mechanism

    def closed_form() -> float:
        return exp(gaussian_mechanism._get_log_delta(1.0, EPSILON))  # behind its public names

    def normal_loss() -> float:
        return float(mechanism.GaussianPrivacyLoss(1.0, 1.0).get_delta_for_epsilon(EPSILON))

    def mixture_loss(order: Any) -> float:
        loss = mechanism.MixtureGaussianPrivacyLoss(
            1.0, SENSITIVITIES, WEIGHTS, adjacency_type=order
        )
        return float(loss.get_delta_for_epsilon([EPSILON])[0])

    def distribution(build: Callable[..., Any], interval: float, pessimistic: bool) -> float:
        found = build(
            pessimistic_estimate=pessimistic, value_discretization_interval=interval,
            use_connect_dots=pessimistic,  # it has no optimistic form
        )  # fmt: skip
        return float(found.get_delta_for_epsilon(EPSILON))

    def discrete_loss() -> float:
        return float(mechanism.DiscreteGaussianPrivacyLoss(1.0).get_delta_for_epsilon(EPSILON))

    orders = mechanism.AdjacencyType
    ways = [
        Way("normal", "closed form", closed_form, "nearest float"),
        Way("normal", "GaussianPrivacyLoss", normal_loss, "nearest float"),
        Way(DISCRETE, "DiscreteGaussianPrivacyLoss", discrete_loss, "nearest float"),
        Way("mixture", "MixtureGaussianPrivacyLoss, REMOVE", partial(mixture_loss, orders.REMOVE),
            "nearest float"),
        Way("mixture, reverse", "MixtureGaussianPrivacyLoss, ADD",
            partial(mixture_loss, orders.ADD), "nearest float"),
    ]  # fmt: skip
    builders = {
        "normal": partial(pld.from_gaussian_mechanism, 1.0, 1.0),
        DISCRETE: partial(pld.from_discrete_gaussian_mechanism, 1.0),
        "mixture, both orders": partial(
            pld.from_mixture_gaussian_mechanism, 1.0, SENSITIVITIES, WEIGHTS
        ),
    }
    for problem, build in builders.items():
        interval = intervals[problem.startswith("mixture")]
        for pessimistic, word in ((True, "pessimistic"), (False, "optimistic")):
            ways.append(
                Way(problem, f"PLD, {word}, interval {interval:g}",
                    partial(distribution, build, interval, pessimistic),
                    "upper bound" if pessimistic else "lower bound")
            )  # fmt: skip
    return ways
