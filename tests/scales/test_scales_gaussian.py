"""Scales for normal priors and mixtures: against mpmath, scipy, and the numbers of the audit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import erfc, erfcx
from support import oracles
from support.problems import limited
from support.users import User, as_text, users_problem, users_scale

from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number, number
from pfverify.exact.refined import ByBalls, rising_balls
from pfverify.exact.written import written
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.prior import Component
from pfverify.model.protection import PUFFERFISH
from pfverify.model.question import Question
from pfverify.model.requirement import Requirement
from pfverify.scales.closed_form import Value, largest_upper
from pfverify.scales.component_plan import bottleneck_plan, w2_plan
from pfverify.scales.normal_tail import (
    LAST_BITS,
    lambert_w0,
    tau_lambert,
    tau_lambert_implicit,
    tau_star,
)
from pfverify.scales.pure_pair import expected_decay
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.table import RECIPES

NAMES = [
    "gaussian_tau", "gaussian_lambert", "translation", "gaussian_pure", "mixture_published",
    "mixture_translation_published", "mixture_safe",
]  # fmt: skip
DELTAS = [
    "1/2", "1/10", "3/10", "1/100", "0.999", "1-1e-40", "1e-9", "1e-300", "exp(-2)", "1/log(10)",
]  # fmt: skip


@pytest.fixture(autouse=True)
def fifty_digits() -> Any:
    with mpmath.workdps(50):
        yield


def mp(value: Number | Fraction | str) -> Any:
    """An exact number as mpmath sees it, with room for cancellation."""
    if isinstance(value, str):
        value = number(value)
    if isinstance(value, Number):
        with precision(2000):
            return mpmath.mpf(value.ball().raw.mid().str(500, radius=False))
    return mpmath.mpf(value.numerator) / value.denominator


@cache
def mp_tau(delta: str) -> Any:
    """tau* by mpmath: sqrt(2) erfinv(1 - delta), with room for a delta of 1e-300 next to 1."""
    with mpmath.workdps(400):
        return mpmath.sqrt(2) * mpmath.erfinv(1 - mp(delta))


def ends(function: Callable[[Number], Ball], delta: Any, digits: int) -> tuple[str, str]:
    """The decimals around a bound of a quantile."""
    balls = rising_balls(lambda: function(number(delta)).raw, 64, LAST_BITS)
    found = written(ByBalls(balls), digits)
    return str(found.lower), str(found.upper)


def mixture(*parts: tuple[Any, Any, Any]) -> Mixture:
    return Mixture([{"weight": w, "mean": m, "variance": v} for w, m, v in parts])


def scales(
    *pairs: tuple[Any, Any],
    epsilon: Any = 1,
    delta: Any = "1/10",
    digits: int = 12,
    noise: Any = None,
) -> dict[str, tuple[str, str | None] | str]:
    """Every method's answer, or the text of its refusal."""
    added = noise or Laplace()
    held = Requirement(epsilon, delta, "events", PUFFERFISH)
    items = [Question("x", f"a{k}", f"b{k}", p, q, added, held) for k, (p, q) in enumerate(pairs)]
    found: dict[str, tuple[str, str | None] | str] = {}
    with limited(60):
        asked = RecipeProblem(items, added, number(epsilon), number(delta), Grid(digits))
        for recipe in RECIPES:
            if recipe.name in NAMES:
                try:
                    found[recipe.name] = as_text(recipe.scale(asked), asked.grid)
                except InputError as error:
                    found[recipe.name] = str(error)
    return found


def assert_rounded_up(text: str, value: Any, digits: int) -> None:
    """text is a decimal of `digits` digits at or above the value, by less than two units."""
    exact = Fraction(text)
    units = len(text.split("e")[0].replace(".", "").lstrip("0"))
    assert units <= digits
    assert mp(exact) >= value * (1 - mpmath.mpf(10) ** -40)
    assert mp(exact) <= value * (1 + 2 * mpmath.mpf(10) ** (1 - digits))


def random_mixture(rng: Random, size: int) -> Mixture:
    weights = oracles.random_masses(rng, size)
    return mixture(
        *(
            (w, Fraction(rng.randint(-12, 12), rng.randint(1, 3)), rng.randint(0, 12))
            for w in weights
        )
    )


# -- the quantile and its bounds ------------------------------------------------------------------


@pytest.mark.parametrize("delta", DELTAS)
def test_the_quantile_lies_between_its_decimals(delta: str) -> None:
    value = mp_tau(delta)
    for digits in (3, 12, 30):
        lower, upper = ends(tau_star, delta, digits)
        assert mp(Fraction(lower)) < value < mp(Fraction(upper))
        assert oracles.units_wide(lower, upper, digits) <= 2


@pytest.mark.parametrize("delta", DELTAS)
def test_the_lambert_bound_is_the_formula_and_strictly_above(delta: str) -> None:
    d = mp(delta)
    value = mpmath.sqrt(mpmath.lambertw(2 / (mpmath.pi * d * d)).real)
    lower, upper = ends(tau_lambert, delta, 12)
    assert mp(Fraction(lower)) < value < mp(Fraction(upper))
    # row G35: strict, at every delta
    with precision(800):
        assert tau_star(number(delta)).raw < tau_lambert(number(delta)).raw
    # (22) with tau > 0 is the same number
    with precision(200):
        gap = tau_lambert(number(delta)).raw - tau_lambert_implicit(number(delta)).raw
        assert gap.contains(0)
        assert abs(gap) < 1e-40


def test_numbers_of_the_audit() -> None:
    """Rows G07 and G09."""
    rounded = {"1/100": "2.5759", "1/10": "1.6449", "3/10": "1.0365", "999/1000": "0.0012534"}
    for delta, expected in rounded.items():
        assert ends(tau_star, delta, 5)[1] == expected
    assert ends(tau_star, "1/2", 8)[0] == "0.67448975"
    assert ends(tau_lambert, "1/2", 8) == ("0.98367864", "0.98367865")
    assert ends(tau_lambert, "999/1000", 4)[1] == "0.6476"


def test_the_ends_of_delta() -> None:
    assert ends(tau_star, 1, 12) == ends(tau_star, "log(3)/log(3)", 12) == ("0", "0")
    for function in (tau_star, tau_lambert):
        with pytest.raises(InputError, match="delta is 0, where tau\\* is not defined"):
            ends(function, 0, 12)
        for outside in ("-1/10", "1+1e-60", "log(3)"):
            with pytest.raises(InputError, match=r"not proved to lie in \(0, 1\]"):
                ends(function, outside, 12)


@given(st.fractions(Fraction(1, 10**6), 1, max_denominator=10**7), st.integers(1, 1000))
@settings(max_examples=60, deadline=None)
def test_the_quantile_decreases(delta: Fraction, percent: int) -> None:
    smaller = delta * percent / 1001
    with precision(256):
        assert tau_star(number(smaller)).raw > tau_star(number(delta)).raw
        assert tau_lambert(number(smaller)).raw > tau_lambert(number(delta)).raw


def test_enclosures_are_enclosures_at_every_precision() -> None:
    for bits, delta in product((30, 53, 64, 200), ("1/2", "1e-20", "0.9")):
        true = mp_tau(delta)
        with precision(bits):
            ends = tau_star(number(delta)).ends()
            assert ends is not None
            low, high = (Fraction(m) * Fraction(2) ** e for m, e in ends)
        with mpmath.workdps(110):
            assert mp(low) < true < mp(high)
        with precision(bits):
            w = lambert_w0(raw(Fraction(delta)))
            assert (w * w.exp()).overlaps(raw(Fraction(delta)))
    with precision(64):
        assert lambert_w0(raw(-1)).is_nan()
        assert tau_star(number("1-1e-40")).ends() is None  # too little precision: no claim


@pytest.mark.parametrize("t", ["1e5/3", "1e9/3", "1e15/3"])
def test_far_tails_stay_narrow(t: str) -> None:
    """Arb's erfc of an inexact large ball is wide, from 1e8 on at any precision."""
    with precision(256):
        x = number(t).ball().raw
        scaled = (x * x / 2).exp() * Ball(-x).normal_cdf().raw * x * (2 * Raw.pi()).sqrt()
        assert scaled < 1  # Mills: below the printed bound (21)
        assert scaled > 1 - 2 / (x * x)
        assert Ball(Raw("nan")).normal_cdf().ends() is None


# -- one pair of normal laws ----------------------------------------------------------------------


def test_scales_of_the_audit_row_g07() -> None:
    wide, narrow = Gaussian(0, sd=2), Gaussian(0, sd=1)
    for delta, expected in (("1/100", "2.5759"), ("1/10", "1.6449"), ("3/10", "1.0365")):
        found = scales((wide, narrow), delta=delta, digits=5)
        assert found["gaussian_tau"] == (expected, None)
        assert found["mixture_published"] == found["mixture_safe"] == (expected, None)
        moved = scales((Gaussian(1, sd=2), narrow), delta=delta, digits=5)["gaussian_tau"]
        assert Fraction(moved[0]) == 1 + Fraction(expected)
    # delta = 0 holds at 5/4 and fails at 6/5: the closed scale lies between
    pure, exact = scales((wide, narrow), delta=0)["gaussian_pure"]
    assert Fraction(6, 5) < Fraction(pure) < Fraction(5, 4)
    assert (number(exact).log() - number("log(3/2)/2")).sign() == 0
    pure, exact = scales((Gaussian(0, 1), Gaussian(1, 4)), delta=0)["gaussian_pure"]
    assert pure == "1.82287565554"
    assert exact == "(1+sqrt(7))/2"
    with precision(200):
        assert abs(number(exact).ball().raw - (1 + raw(7).sqrt()) / 2) < 1e-50


@pytest.mark.parametrize("rounds", [10, pytest.param(24, marks=pytest.mark.long)])
def test_random_pairs_of_normal_laws(rounds: int) -> None:
    rng = Random("normal pairs")
    tails = interiors = 0
    for _ in range(rounds):
        means = [Fraction(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(2)]
        variances = [Fraction(rng.randint(0, 9), rng.randint(1, 4)) for _ in range(2)]
        epsilon, delta = rng.choice(["1/20", "1/2", "1", "log(3)", "4"]), rng.choice(DELTAS)
        p, q = (Gaussian(m, v) for m, v in zip(means, variances, strict=True))
        if p == q:
            continue
        digits = rng.choice([6, 12, 25])
        found = scales((p, q), epsilon=epsilon, delta=delta, digits=digits)
        assert found == scales((q, p), epsilon=epsilon, delta=delta, digits=digits)
        m = mp(abs(means[0] - means[1]))
        spread = abs(mpmath.sqrt(mp(variances[0])) - mpmath.sqrt(mp(variances[1])))
        d = mp(delta)
        lambert = mpmath.sqrt(mpmath.lambertw(2 / (mpmath.pi * d * d)).real)
        for name, tau in (("gaussian_tau", mp_tau(delta)), ("gaussian_lambert", lambert)):
            assert_rounded_up(found[name][0], (m + spread * tau) / mp(epsilon), digits)
            if not spread:
                assert (number(found[name][1]) * number(epsilon)).ball().raw.contains(
                    raw(abs(means[0] - means[1]))
                )
        for name in ("mixture_published", "mixture_safe"):
            assert found[name] == found["gaussian_tau"]
        # delta = 0: both conditions hold at the scale, and one of them fails just below it
        v = mp(abs(variances[0] - variances[1]))
        b = mp(Fraction(found["gaussian_pure"][0]))
        below = b * (1 - 3 * mpmath.mpf(10) ** (1 - digits))
        assert tail_excess(m, v, b) <= mp(epsilon) * (1 + mpmath.mpf(10) ** -40)
        assert decay(m, v, b) >= mpmath.exp(-mp(epsilon)) * (1 - mpmath.mpf(10) ** -40)
        tail = tail_excess(m, v, below) > mp(epsilon)
        assert tail or decay(m, v, below) < mpmath.exp(-mp(epsilon))
        assert tail == (found["gaussian_pure"][1] is not None)
        tails, interiors = tails + tail, interiors + (not tail)
    assert tails > rounds / 5
    assert interiors > rounds / 5


def tail_excess(m: Any, v: Any, b: Any) -> Any:
    return m / b + v / (2 * b * b)


def decay(m: Any, v: Any, b: Any) -> Any:
    """E e**(-|G|/b), G ~ N(m, v), by quadrature."""
    if not v:
        return mpmath.exp(-m / b)
    s = mpmath.sqrt(v)
    ends = sorted({mpmath.mpf(0), *(m + k * s for k in range(-16, 17, 4))})
    total = mpmath.quad(lambda g: mpmath.exp(-abs(g) / b - ((g - m) / s) ** 2 / 2), ends)
    return total / (s * mpmath.sqrt(2 * mpmath.pi))


@pytest.mark.parametrize(
    ("m", "v", "b"), [(0, 3, "1/7"), (2, 3, 5), (1, "1/50", "1/3"), (4, 1, "1/90"), (3, 0, 2)]
)
def test_the_expected_decay_by_quadrature(m: Any, v: Any, b: Any) -> None:
    with precision(256):
        ball = expected_decay(Fraction(m), Fraction(v), raw(Fraction(b)))
        found = mpmath.mpf(ball.mid().str(60, radius=False))
    expected = decay(mp(Fraction(m)), mp(Fraction(v)), mp(Fraction(b)))
    assert abs(found / expected - 1) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize(
    ("m", "v", "epsilon"),
    [(0, 3, "1e-30"), (0, 3, 1000), (5, "1e-28", 1), ("1e40", 1, "1/2"), (1, "1e40", 3)],
)
def test_extreme_pairs(m: Any, v: Any, epsilon: Any) -> None:
    """Small epsilon: E|G|/epsilon. Otherwise the root of the tails."""
    scale, exact = scales((Gaussian(0, 1), Gaussian(m, 1 + Fraction(v))), epsilon=epsilon, delta=0)[
        "gaussian_pure"
    ]
    e, shift, square = mp(number(epsilon)), mp(Fraction(m)), mp(Fraction(v))
    with mpmath.workdps(120):
        tail = (shift + mpmath.sqrt(shift**2 + 2 * e * square)) / (2 * e)
        mean_abs = mpmath.sqrt(2 * square / mpmath.pi) / e
    assert_rounded_up(scale, +tail if exact else +mean_abs, 12)
    assert (exact is None) == (epsilon == "1e-30")


@given(
    st.integers(0, 5), st.integers(0, 8), st.integers(0, 8),
    st.fractions(Fraction(1, 50), 5, max_denominator=50), st.integers(1, 99),
    st.sampled_from(["0", "1/1000", "1/2"]),
)  # fmt: skip
@settings(max_examples=12, deadline=None)
def test_scales_decrease_in_epsilon_and_delta(
    m: int, v: int, w: int, epsilon: Fraction, percent: int, delta: str
) -> None:
    p = mixture(("1/3", 0, v), ("2/3", 4, 1))
    q = mixture(("1/2", m, w), ("1/2", 5, 2))
    moved = mixture(("1/3", m, v), ("2/3", m + 4, 1))
    pairs = [(Gaussian(0, v), Gaussian(m, w)), (p, q), (p, moved)]
    for pair in pairs:
        at, before = (
            scales(pair, epsilon=e, delta=delta) for e in (epsilon, epsilon * percent / 100)
        )
        more = scales(pair, epsilon=epsilon, delta=Fraction(delta) + Fraction(percent, 400))
        compared = 0
        for name in NAMES:
            if isinstance(at[name], tuple):
                assert Fraction(at[name][0]) <= Fraction(before[name][0])
                if delta != "0" or name not in ("mixture_safe",):
                    assert Fraction(at[name][0]) >= Fraction(more[name][0])
                compared += 1
        assert compared


def test_translation_of_any_prior() -> None:
    first = mixture(("1/3", 0, 2), ("1/6", 1, 0), ("1/2", 1, 5))
    moved = mixture(("1/3", -7, 2), ("1/6", -6, 0), ("1/2", -6, 5))
    found = scales((first, moved), epsilon="log(3)", delta=0)
    assert found["translation"] == ("6.37167458639", "7/log(3)")
    assert found["mixture_safe"] == found["mixture_translation_published"] == found["translation"]
    steps = (Discrete({0: "1/3", 2: "2/3"}), Discrete({5: "1/3", 7: "2/3"}))
    assert scales(steps, epsilon=2, delta=0)["translation"] == ("2.5", "2.5")
    assert scales((Gaussian(1, 3), Gaussian(4, 3)), delta=0)["translation"] == ("3", "3")
    for other in (
        mixture(("1/3", -7, 2), ("1/6", -6, 0), ("1/2", -6, 6)),
        mixture(("1/3", -7, 2), ("1/6", -6, 0), ("1/2", -5, 5)),
        mixture(("1/6", -7, 2), ("1/3", -6, 0), ("1/2", -6, 5)),
        mixture(("1/3", -7, 2), ("2/3", -6, 5)),
    ):
        assert "not translates" in scales((first, other))["translation"]


# -- mixtures -------------------------------------------------------------------------------------


def table(first: Mixture, second: Mixture, cost: Any) -> Any:
    return np.array(
        [[cost(a, b) for b in second.components] for a in first.components], dtype=float
    )


def squared(a: Component, b: Component) -> float:
    return float(a.mean - b.mean) ** 2 + (float(a.variance) ** 0.5 - float(b.variance) ** 0.5) ** 2


def programme(first: Mixture, second: Mixture, costs: Any, extra: Any = None) -> Any:
    """Least mean cost over plans; `extra` = (table, bound) is one more row."""
    n, m = costs.shape
    rows = [np.repeat(np.eye(n)[i], m) for i in range(n)] + [
        np.tile(np.eye(m)[j], n) for j in range(m)
    ]
    sums = [float(c.weight) for c in (*first.components, *second.components)]
    upper = {} if extra is None else {"A_ub": [extra[0].ravel()], "b_ub": [extra[1]]}
    return linprog(costs.ravel(), A_eq=np.array(rows), b_eq=sums, **upper)


def test_the_published_weights_are_optimal() -> None:
    rng = Random("w2 plans")
    for _ in range(60):
        first, second = (random_mixture(rng, rng.randint(1, 6)) for _ in range(2))
        plan = w2_plan(first.components, second.components, lambda i, j: Fraction(i * j))
        rows = [sum((w for i, _, w in plan.edges if i == k), Fraction(0))
                for k in range(len(first.components))]  # fmt: skip
        columns = [sum((w for _, j, w in plan.edges if j == k), Fraction(0))
                   for k in range(len(second.components))]  # fmt: skip
        assert rows == [c.weight for c in first.components]
        assert columns == [c.weight for c in second.components]
        assert all(w > 0 for *_, w in plan.edges)
        costs = table(first, second, squared)
        mine = sum(float(w) * costs[i, j] for i, j, w in plan.edges)
        assert mine == pytest.approx(programme(first, second, costs).fun, rel=1e-8, abs=1e-9)


TIES = [
    # (first, second, delta, scale at epsilon 1, closed form): two optimal plans, the smaller scale
    ([("1/2", 0, 1), ("1/2", 1, 4)], [("1/2", 0, 4), ("1/2", 1, 1)], "1/10", "1", "1"),
    ([("1/2", 0, 1), ("1/2", 1, 4)], [("1/2", 0, 4), ("1/2", 1, 1)], "1/2", "0.67449", None),
    # irrational costs that are equal: two sd sqrt(2), against sd sqrt(3) and sqrt(5) half way
    ([("1/2", 0, 2), ("1/2", 2, 2)], [("1/2", 1, 3), ("1/2", 1, 5)], "1/10", "1.9373", None),
    # equal costs 2 + 2 and 2 sqrt(2) sqrt(2), in different radicals: sd sqrt(8) = 2 sqrt(2)
    ([("1/2", 0, 2), ("1/2", 4, 8)], [("1/2", 2, 2), ("1/2", 2, 8)], "1/10", "2", "2"),
]


@pytest.mark.parametrize(("first", "second", "delta", "scale", "exact"), TIES)
def test_ties_between_published_weights(
    first: Any, second: Any, delta: str, scale: str, exact: str | None
) -> None:
    p, q = mixture(*first), mixture(*second)
    for pair in ((p, q), (q, p)):
        upper, form = scales(pair, delta=delta, digits=5)["mixture_published"]
        assert Fraction(upper) - Fraction(scale) in (0, Fraction(1, 10**4))
        assert form == exact


def on_diagonal(i: int, j: int) -> Fraction:
    return Fraction(i == j)


def off_diagonal(i: int, j: int) -> Fraction:
    return Fraction(i != j)


def test_the_plan_of_a_tie_follows_the_preference() -> None:
    p = mixture(("1/2", 0, 1), ("1/2", 1, 4)).components
    q = mixture(("1/2", 0, 4), ("1/2", 1, 1)).components
    straight, crossed = w2_plan(p, q, off_diagonal), w2_plan(p, q, on_diagonal)
    assert [edge[:2] for edge in straight.edges] == [(0, 0), (1, 1)]
    assert [edge[:2] for edge in crossed.edges] == [(0, 1), (1, 0)]
    assert not straight.unique
    # a hair off the tie there is one plan, whatever is preferred
    for hair, expected in (("1e-30", [(0, 0), (1, 1)]), ("-1e-30", [(0, 1), (1, 0)])):
        q = mixture(("1/2", Fraction(0), 4), ("1/2", 1 + Fraction(hair), 1)).components
        found = w2_plan(p, q, on_diagonal), w2_plan(p, q, off_diagonal)
        assert all(plan.unique for plan in found)
        assert all([edge[:2] for edge in plan.edges] == expected for plan in found)


def test_the_published_scale_is_the_least_over_optimal_weights() -> None:
    """A second linear programme on the optimal face. Squares of means and deviations tie."""
    rng = Random("optimal face")
    ties = 0
    for _ in range(40):
        low, step = rng.randint(0, 3), rng.randint(1, 3)
        high = low + step
        weights = [rng.choice(["1/4", "1/3", "1/6"]) for _ in range(2)]
        left, right = (Fraction(w) for w in weights)
        rest = (1 - left - right, rng.randint(-3, 3), rng.randint(0, 4))
        first = mixture((left, 0, low**2), (right, step, high**2), rest)
        second = mixture((right, 0, high**2), (left, step, low**2), rest)
        delta = rng.choice(["1/100", "1/2", "9/10"])
        tau = float(mp_tau(delta))
        costs = table(first, second, squared)
        sizes = table(
            first, second,
            lambda a, b, tau=tau: abs(float(a.mean - b.mean))
            + tau * abs(float(a.variance) ** 0.5 - float(b.variance) ** 0.5),
        )  # fmt: skip
        best = programme(first, second, costs).fun
        expected = programme(first, second, sizes, (costs, best + 1e-9)).fun
        worst = -programme(first, second, -sizes, (costs, best + 1e-9)).fun
        ties += worst > expected + 1e-6
        scale = scales((first, second), delta=delta)["mixture_published"][0]
        assert float(Fraction(scale)) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert ties > 5


@pytest.mark.parametrize("rounds", [10, pytest.param(30, marks=pytest.mark.long)])
def test_the_safe_scale_is_the_least_bottleneck(rounds: int) -> None:
    """Thresholds by linear programmes, and never above the largest edge of w*."""
    rng = Random("bottleneck")
    strict = 0
    for _ in range(rounds):
        first, second = (random_mixture(rng, rng.randint(2, 4)) for _ in range(2))
        delta = rng.choice(["0", "1/100", "1/2"])
        found = scales((first, second), delta=delta)
        safe = float(Fraction(found["mixture_safe"][0]))
        sizes = table(first, second, lambda a, b, delta=delta: edge_scale(a, b, delta))
        levels = sorted({*sizes.ravel()})
        least = next(
            t for t in levels if programme(first, second, (sizes > t + 1e-9) * 1.0).fun < 1e-9
        )
        assert safe == pytest.approx(least, rel=1e-9)
        plan = w2_plan(first.components, second.components, lambda i, j: Fraction(0))
        largest = max(sizes[i, j] for i, j, _ in plan.edges)
        assert safe <= largest * (1 + 1e-9)
        strict += safe < largest * (1 - 1e-9)
    assert strict > 0


def edge_scale(a: Component, b: Component, delta: str) -> float:
    """The scale of one pair of normal laws, from the pair alone."""
    if (a.mean, a.variance) == (b.mean, b.variance):
        return 0.0
    pair = Gaussian(a.mean, a.variance), Gaussian(b.mean, b.variance)
    name = "gaussian_pure" if delta == "0" else "gaussian_tau"
    return float(Fraction(scales(pair, delta=delta, digits=15)[name][0]))


def float_density(prior: Mixture, b: float, y: Any) -> Any:
    """Density of the release in floats, without overflow: by scaled erfc on both sides."""
    total = np.zeros_like(y)
    for weight, mean, variance in prior.components:
        d = y - float(mean)
        if not variance:
            total += float(weight) * np.exp(-abs(d) / b) / (2 * b)
            continue
        s = float(variance) ** 0.5
        sides = 0.0
        for u in (d, -d):
            x = (s / b - u / s) / 2**0.5
            near = erfcx(np.maximum(x, 0)) * np.exp(-((u / s) ** 2) / 2)
            far = erfc(np.minimum(x, 0)) * np.exp(np.minimum(s * s / (2 * b * b) - u / b, 700))
            sides = sides + np.where(x > 0, near, far)
        total += float(weight) * sides / (4 * b)
    return total


@pytest.mark.parametrize("rounds", [6, pytest.param(30, marks=pytest.mark.long)])
def test_safe_and_pure_scales_hold_on_a_grid(rounds: int) -> None:
    """An observation in floats: no grid proves it, but a wrong scale would show."""
    rng = Random("observed")
    refuted = tight = 0
    for _ in range(rounds):
        size = rng.randint(1, 3)
        first, second = (random_mixture(rng, size) for _ in range(2))
        if first == second:
            continue
        epsilon, delta = rng.choice([0.25, 1.0, 2.0]), rng.choice([0.0, 0.01, 0.1])
        exact = Fraction(epsilon), Fraction(str(delta))
        found = scales((first, second), epsilon=exact[0], delta=exact[1])
        y = np.linspace(-150, 150, 300_001)
        for name in ("mixture_safe", "gaussian_pure"):
            if isinstance(found[name], str):
                continue
            least = float(Fraction(found[name][0]))
            for factor in (1.0, 0.4):
                p, q = (float_density(prior, least * factor, y) for prior in (first, second))
                worst = max(
                    np.maximum(a - np.exp(epsilon) * c, 0).sum() * (y[1] - y[0])
                    for a, c in ((p, q), (q, p))
                )
                if factor == 1.0:
                    assert worst <= delta + 1e-5
                else:
                    refuted += worst > delta + 1e-5
                    tight += 1
    assert tight >= rounds
    assert refuted > rounds / 3


def test_bottleneck_plans() -> None:
    halves = [Component(Fraction(1, 2), Fraction(k), Fraction(1)) for k in range(2)]
    for levels, least in (
        ([[0, 5], [5, 0]], 0), ([[5, 0], [0, 5]], 0), ([[0, 0], [5, 5]], 5), ([[7, 3], [2, 9]], 3),
        ([[1, 1], [1, 1]], 1), ([[2, 1], [1, 4]], 1), ([[4, 2], [3, 1]], 3),
    ):  # fmt: skip
        top, edges = bottleneck_plan(halves, halves, levels)
        assert top == least
        assert max(levels[i][j] for i, j, _ in edges) == least
        assert sum(w for *_, w in edges) == 1


def test_the_published_mixture_scale_is_below_the_safe_one_in_the_counterexamples() -> None:
    """Rows G25 and G26: the printed scales, and what replaces them."""
    first, second = Gaussian(0, 1), mixture(("1/2", 0, 1), ("1/2", 10, 1))
    found = scales((first, second), delta="1/100")
    assert found["mixture_published"] == ("5", "5")
    assert found["mixture_safe"] == ("10", "10")
    big = scales(
        (mixture(("5/8", 0, 1), ("3/8", 1000, 1)), mixture(("5/8", 0, 1), ("3/8", 1100, 1)))
    )
    assert big["mixture_published"] == ("37.5", "37.5")
    assert big["mixture_safe"] == ("100", "100")
    # means (0, 0) -> (1, 3): equal components of one prior are one component
    ubm = scales((first, mixture(("1/2", 1, 1), ("1/2", 3, 1))), epsilon="log(4)", delta=0)
    assert ubm["mixture_translation_published"] == ("1.44269504089", "2/log(4)")
    assert ubm["mixture_safe"] == ("2.16404256134", "3/log(4)")


MATCHED = [
    # first, second, sum of alpha |dmu|
    ([("1/2", 0, 1), ("1/2", 10, 1)], [("1/2", 1, 1), ("1/2", 13, 1)], "2"),
    # by weight: the lighter one overtakes the heavier one
    ([("1/3", 0, 1), ("2/3", 10, 1)], [("1/3", 11, 1), ("2/3", 9, 1)], "13/3"),
    # by variance: the components cross
    ([("1/2", 0, 1), ("1/2", 1, 2)], [("1/2", 5, 1), ("1/2", 0, 2)], "3"),
    # merged components: only the weights of each variance agree
    ([("1/4", 0, 1), ("3/4", 3, 2)], [("1/8", 1, 1), ("1/8", 2, 1), ("3/4", 3, 2)], "3/8"),
    ([("1/2", 0, 1), ("1/2", 1, 1)], [("1", 2, 1)], "3/2"),
    # atoms
    ([("1/2", 0, 0), ("1/2", 1, 0)], [("1/2", 4, 0), ("1/2", 3, 0)], "3"),
]


@pytest.mark.parametrize(("first", "second", "total"), MATCHED)
def test_the_published_scale_of_moved_means(first: Any, second: Any, total: str) -> None:
    for epsilon in (1, Fraction(1, 7)):
        for pair in ((first, second), (second, first)):
            found = scales(tuple(mixture(*x) for x in pair), epsilon=epsilon, delta=0)
            scale, exact = found["mixture_translation_published"]
            assert exact is not None
            assert Fraction(exact) == Fraction(total) / epsilon
            assert 0 <= Fraction(scale) - Fraction(exact) < Fraction(1, 10**9)


def test_moved_means_need_common_weights_and_variances() -> None:
    for second in ([("1/2", 1, 1), ("1/2", 1, 3)], [("1/3", 1, 1), ("2/3", 1, 2)], [("1", 0, 1)]):
        first = mixture(("1/2", 0, 1), ("1/2", 1, 2))
        refused = scales((first, mixture(*second)))["mixture_translation_published"]
        assert "no common weights and variances" in refused


# -- several pairs, shapes, refusals --------------------------------------------------------------


def test_several_pairs_take_the_largest() -> None:
    pairs = [
        (Gaussian(0, 1), Gaussian(1, 4)), (Gaussian(0, 9), Gaussian(0, 9)),
        (Gaussian(0, 2), Gaussian(0, 3)), (Discrete({0: 1}), Discrete({3: 1})),
    ]  # fmt: skip
    for delta in ("0", "1/100", "9/10"):
        whole = scales(*pairs, delta=delta)
        apart = [scales(pair, delta=delta) for pair in pairs]
        for name in NAMES:
            if isinstance(whole[name], tuple):
                assert whole[name] == max((a[name] for a in apart), key=lambda f: Fraction(f[0]))
        compared = [name for name in NAMES if isinstance(whole[name], tuple)]
        assert compared == (["gaussian_pure", "mixture_safe"] if delta == "0" else
                            [n for n in NAMES if "translation" not in n])  # fmt: skip


def test_refusals_name_the_reason() -> None:
    pair = Gaussian(0, 1), Gaussian(1, 4)
    several = mixture(("1/2", 0, 1), ("1/2", 3, 1))
    assert list(scales(pair)) == NAMES
    for found in scales(pair, epsilon=0).values():
        assert "epsilon is 0" in found
    for name, found in scales(pair, delta=0).items():
        needs = name in ("gaussian_tau", "gaussian_lambert", "mixture_published")
        assert ("delta is 0" in found) == needs
    # also where the standard deviations agree: at delta = 0 the theorem offers nothing
    assert "delta is 0" in scales((Gaussian(0, 1), Gaussian(1, 1)), delta=0)["gaussian_tau"]
    for name in ("gaussian_tau", "gaussian_lambert", "gaussian_pure"):
        assert "'a0' and 'b0' are mixtures" in scales((Gaussian(0, 1), several))[name]
    for found in scales(pair, noise=GaussianNoise()).values():
        assert found == "the noise is gaussian: this recipe is for Laplace noise"
    many = [
        mixture(*((Fraction(1, 101), k, 1 + (k + s) % 2) for k in range(101))) for s in range(2)
    ]
    for name in ("mixture_published", "mixture_safe"):
        assert "at most 10000 pairs" in scales(tuple(many))[name]


def test_equal_priors_need_no_noise() -> None:
    several = mixture(("1/2", 0, 1), ("1/2", 3, 1))
    pairs = [(Gaussian(0, 1), Gaussian(0, 1)), (several, several)]
    for epsilon, delta in product((0, 1), (0, "1/10")):
        found = scales(*pairs, epsilon=epsilon, delta=delta)
        assert found == dict.fromkeys(NAMES, ("0", "0"))


def test_delta_one_asks_for_the_means_only() -> None:
    found = scales((Gaussian(0, 1), Gaussian(3, 4)), epsilon=2, delta=1)
    assert found["gaussian_tau"] == found["mixture_safe"] == ("1.5", "1.5")
    assert Fraction(found["gaussian_lambert"][0]) > Fraction(3, 2)


def test_atoms_of_large_priors_have_their_own_way() -> None:
    first, second = (Discrete({k * step: Fraction(1, 400) for k in range(400)}) for step in (1, 3))
    found = scales((first, second))
    assert found["mixture_published"] == found["mixture_translation_published"] == ("399", "399")
    assert found["mixture_safe"] == ("798", "798")


def test_the_largest_of_closed_forms() -> None:
    six = Grid(6)

    def of(*forms: str) -> tuple[str, str | None]:
        return as_text(largest_upper([Value.of(number(form)) for form in forms], six), six)

    assert of("1/3", "1/4") == ("0.333334", "1/3")
    assert of("2", "log(9)/log(3)") == ("2", "2")
    assert of("2", "exp(1)") == ("2.71829", "exp(1)")
    assert of("2", "2", "exp(1/1000)") == ("2", "2")
    # the same number written twice, which its class tells; and in no class that tells
    assert of("exp(log(2)/2)*exp(log(3)/2)", "exp(log(6)/2)")[0] == "2.44949"
    assert of("exp(log(2)/2)*exp(log(3)/2)", "exp(log(6)/2)")[1] is not None
    assert of("log(2)*log(3)", "log(4)*log(3)/2") == ("0.761501", None)
    bare = Value(lambda: raw(2).sqrt())
    found = largest_upper([bare, Value(lambda: raw(2).sqrt())], six)
    assert as_text(found, six) == ("1.41422", None)
    assert as_text(largest_upper([], six), six) == ("0", "0")


# -- users ----------------------------------------------------------------------------------------


def test_presence_of_independent_users() -> None:
    problem = users_problem([(1, 1), (-3, "1/2"), (0, 0)], 1, 0)
    whole = Gaussian(-2, "3/2")
    assert problem.beliefs["default"] == {
        "user 1 present": whole, "user 1 absent": Gaussian(-3, "1/2"),
        "user 2 present": whole, "user 2 absent": Gaussian(1, 1),
        "user 3 present": whole, "user 3 absent": whole,
    }  # fmt: skip
    assert {name for pair in problem.pairs for name in pair} == {*problem.beliefs["default"]}


def test_corollary_1_is_theorem_1_of_its_priors() -> None:
    rng = Random("users")
    for _ in range(20):
        users: list[User] = [
            (Fraction(rng.randint(-9, 9), 2), Fraction(rng.randint(0, 9), 2))
            for _ in range(rng.randint(1, 5))
        ]
        epsilon, delta = rng.choice(["1/2", "log(3)"]), rng.choice(DELTAS)
        found = users_scale(users, epsilon, delta)
        total = sum(Fraction(str(v)) for _, v in users)
        value = max(
            mp(abs(m)) + (mpmath.sqrt(mp(total)) - mpmath.sqrt(mp(total - v))) * mp_tau(delta)
            for m, v in users
        )
        if value:
            assert_rounded_up(found[0], value / mp(epsilon), 12)


def test_identical_users() -> None:
    """(11), figure 2 of the paper (rows G20 and G22): decreasing to |mu|/epsilon."""
    epsilon, delta = number(1), number("3/10")
    curve = []
    for count in (1, 2, 5, 10, 100, 10**6):
        found = users_scale([(-1, 25)], epsilon, delta, count=count)
        value = 1 + (mpmath.sqrt(count) - mpmath.sqrt(count - 1)) * 5 * mp_tau("3/10")
        assert_rounded_up(found[0], value, 12)
        if count <= 10:
            assert found == users_scale([(-1, 25)] * count, epsilon, delta)
        curve.append(Fraction(found[0]))
    assert all(a > b for a, b in pairwise([*curve, Fraction(1)]))


def test_many_identical_users_never_reach_the_limit_at_delta_zero() -> None:
    """Row G21: mu = sigma = epsilon = 1. The tails ask for (1 + sqrt(3))/2 at every K."""
    for count in (2, 10, 1000):
        (pair,) = users_problem([(1, 1)], 1, 0, count).questions()
        scale, exact = scales((pair.first_prior, pair.second_prior), delta=0)["gaussian_pure"]
        assert scale == "1.36602540379"
        with precision(200):
            assert abs(number(exact).ball().raw - (1 + raw(3).sqrt()) / 2) < 1e-50
    assert Fraction(users_scale([(1, 1)], 1, "1/100", count=10**6)[0]) < Fraction("1.0013")
