"""The float sums of a cover, whose error is bounded: against balls, and where there is no bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_series, ctx
from hypothesis import example, given
from hypothesis import strategies as st
from support import tally

from pfverify.decide.charts import float_cover
from pfverify.decide.charts.float_cover import ERROR, FloatNormals, near
from pfverify.exact.ball import erfc, precision

FIT = arb(2) ** -22
TERMS = 8  # of Taylor's formula

# ---------------------------------------------------------------- the fit of erfc, everywhere


def polynomial(t: arb_series) -> arb_series:
    total = arb_series([0])
    for coefficient in float_cover._ERFC:
        total = total * t + arb(coefficient)
    return total


def to_ten(t: arb_series) -> arb_series:
    """log of the fit over e**(x**2) erfc x, x = 2/t - 2."""
    x = 2 / t - 2
    return polynomial(t) + t.log() - x * x - x.erfc().log()


def from_ten(s: arb_series) -> arb_series:
    """The same for x = 1/s >= 10, by the asymptotic series, whose terms alternate and shrink."""
    t = 2 * s / (1 + 2 * s)
    total, term = arb_series([1]), arb_series([1])
    for k in range(1, 8):
        term = term * s * s * (2 * k - 1) / -2
        total += term
    return polynomial(t) + (2 / (1 + 2 * s)).log() + (arb.pi().sqrt() / total).log()


REST = arb(135135) / 2**7 / 10**14  # the last term that was added, at x = 10: more than the rest


@pytest.mark.parametrize(
    ("log_ratio", "low", "high", "rest"),
    [(to_ten, Fraction(1, 6), Fraction(1), arb(0)), (from_ten, Fraction(0), Fraction(1, 10), REST)],
)
def test_the_fit_is_proved_for_every_argument(
    log_ratio: Callable[[arb_series], arb_series], low: Fraction, high: Fraction, rest: arb
) -> None:
    """Taylor's formula on pieces that are halved until it proves the bound, in balls."""
    before = ctx.cap
    ctx.cap = TERMS
    stack, seen, length = [(low, high)], [], Fraction(0)
    try:
        with precision(128):
            while stack:
                a, b = stack.pop()
                middle, half = (a + b) / 2, (b - a) / 2
                at, w = (arb(x.numerator) / x.denominator for x in (middle, half))
                here = log_ratio(arb_series([at, 1])).coeffs()[:-1]
                last = log_ratio(arb_series([arb(at, w), 1])).coeffs()[-1]
                assert len(here) == TERMS - 1
                bound = sum((abs(c) * w**k for k, c in enumerate([*here, last])), 2 * rest)
                if bound < FIT:
                    seen.append(abs(float(here[0].mid())))
                    length += b - a
                    continue
                assert half > Fraction(1, 10**6), middle
                stack += [(a, middle), (middle, b)]
    finally:
        ctx.cap = before
    assert length == high - low
    assert len(seen) > 3
    assert float(FIT) / 100 < max(seen), "the fit is no better than it should be"


@given(st.floats(-690, 2))
def test_the_exponential_is_off_by_little(x: float) -> None:
    with precision(128):
        off = arb(float(float_cover._exp(np.array([x]))[0])) / arb(x).exp() - 1
        assert abs(off) < arb(2) ** -31


@given(st.floats(max_value=-690))
def test_lower_arguments_are_raised(x: float) -> None:
    assert 0 < float_cover._exp(np.array([x]))[0] < 2.0**-995


# ---------------------------------------------------------------- the sums

REACHED: Counter[str] = Counter()
SIZES = st.one_of(st.floats(0.5, 2), st.floats(1e-3, 1e3))


@given(
    laws=st.lists(
        st.tuples(st.floats(-1, 1), st.floats(-4, 4), SIZES, st.sampled_from([1, 1, 1e6, 1e-300])),
        min_size=1, max_size=5,
    ),
    x=st.one_of(st.floats(-9, 9), st.floats(-90, 90)), rate=SIZES,
    moved=st.sampled_from([0, 0, 100, 300]),
)  # fmt: skip
@example(laws=[(1.0, 0.0, 1.0, 1.0)], x=60.0, rate=1.0, moved=0)
@example(laws=[(1.0, 0.0, 1.0, 1.0)], x=-60.0, rate=1.0, moved=0)
def test_the_sums_are_off_by_what_is_said(
    laws: list[tuple[float, float, float, float]], x: float, rate: float, moved: float
) -> None:
    weights, means, sds, scales = map(np.array, zip(*laws, strict=True))
    line = FloatNormals(weights * scales, means + moved, sds, rate)
    found = near(line, np.array([x + moved]))
    assert found is not None
    sides, missing = found
    rho = arb(rate)
    with precision(300):
        for side, pair in ((-1, sides.left), (1, sides.right)):
            for sign, value in zip((1, -1), pair, strict=True):
                total = arb(0)
                for weight, mean, sd in zip(*line[:3], strict=True):
                    if weight * sign <= 0:
                        continue
                    z, t = (arb(x + moved) - arb(mean)) / arb(sd) * side, arb(sd) * rho
                    tail = erfc((t + z) / arb(2).sqrt())
                    total += abs(arb(weight)) * (t * (t / 2 + z)).exp() * tail / 2
                    REACHED["behind the mean" if t + z < 0 else "before it"] += 1
                    REACHED["too small for a float"] += bool((-z * z / 2).exp() < arb(10) ** -308)
                assert abs(arb(float(value[0])) - total) <= arb(float(value[0])) * ERROR + missing


def test_every_sort_of_sums_was_tried() -> None:
    if REACHED:
        tally.reached(REACHED, "behind the mean", "before it", least=5)
        tally.reached(REACHED, "too small for a float", least=2)  # that the examples are


@pytest.mark.parametrize(
    ("means", "sds", "rate"),
    [([0, 1e7], [1, 1], 1), ([0, 1], [1, 1e-7], 1), ([0, 1], [1, 1], 1e7),
     ([0, 1e308], [1, 1], 1)],
)  # fmt: skip
def test_sizes_too_different_have_no_bound(
    means: list[float], sds: list[float], rate: float
) -> None:
    line = FloatNormals(np.array([1.0, -1.0]), np.array(means), np.array(sds), rate)
    assert near(line, np.array([0.5])) is None
