"""Balls and answers without truth values, decimals rounded outward, exact decimal brackets."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import flint
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, float_near, precision, raw, raw_float, rounded
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper, enclosure_text
from pfverify.exact.grid import Grid
from pfverify.exact.search import UndecidedError, float_root, least_decimal


def test_an_answer_has_no_truth_value() -> None:
    for answer in Answer:
        with pytest.raises(TypeError):
            bool(answer)
        with pytest.raises(TypeError):
            _ = not answer


@pytest.mark.parametrize("bits", [64, 1024, 1100, 2048, 8192])
def test_rounded_integers_are_enclosed_with_few_bits(bits: int) -> None:
    """Their error is a ball: as a float it would be 0 from some 1,070 bits on."""
    rng, cut, most = Random(5), 0, bits + 2
    values = [0, 1, 2**most - 1, 2**most, 2**most + 1, 2**50_000 - 1, 2**50_000 + 1]
    lengths = [10, bits, most, most + 1, 3 * bits, 20_000]
    values += [rng.getrandbits(rng.choice(lengths)) for _ in range(200)]
    with precision(bits):
        balls = rounded(values)
    for value, ball in zip(values, balls, strict=True):
        with precision(60_000):
            assert ball.contains(raw(value))
        mantissa = ball.mid().man_exp()[0]
        assert mantissa.bit_length() <= most
        cut += mantissa != raw(value).man_exp()[0] if value else 0
        assert not value or ball.rel_accuracy_bits() >= bits - 2
    assert cut > 50


def test_a_float_near_a_number_is_proved_or_none() -> None:
    with precision(128):
        third = raw(Fraction(1, 3))
        for value in (third, -third, third * raw(10) ** 300, raw(0), raw(2) ** -1074):
            found = float_near(value)
            assert found is not None
            assert abs(raw_float(found) - value) <= abs(value) / 2**52
        for value in (raw(10) ** 400, raw(10) ** -320, third.union(raw(1)), raw(0).log()):
            assert float_near(value) is None


def test_a_comparison_that_is_not_proved_is_unknown() -> None:
    third = Ball(Fraction(1, 3))
    assert (third - third).is_positive() is Answer.UNKNOWN
    assert third.is_less(third) is Answer.UNKNOWN
    assert Ball(2).is_positive() is Answer.YES
    assert Ball(-2).is_positive() is Answer.NO
    assert Ball(0).is_positive() is Answer.NO
    assert Ball(0).is_negative() is Answer.NO
    with pytest.raises(TypeError):
        _ = third < third  # type: ignore[operator]


def test_nan_decides_nothing() -> None:
    nan = Ball(raw(0)) / Ball(raw(0))
    assert nan.is_positive() is Answer.UNKNOWN
    assert nan.is_negative() is Answer.UNKNOWN
    assert nan.is_less(Ball(1)) is Answer.UNKNOWN
    assert nan.ends() is None
    assert enclosure_text(nan, 12) is None
    assert Ball(-1).log().is_positive() is Answer.UNKNOWN
    assert Ball(-1).sqrt().is_negative() is Answer.UNKNOWN


def test_precision_is_restored_also_after_errors() -> None:
    before = flint.ctx.prec
    with precision(500):
        with precision(90):
            assert flint.ctx.prec == 90
        assert flint.ctx.prec == 500
    with pytest.raises(ValueError, match="stop"), precision(77):
        raise ValueError("stop")
    assert flint.ctx.prec == before


def test_exp_of_a_tiny_number_is_enclosed() -> None:
    """The case in which a well-known interval library ends below the true value."""
    x = Fraction(1, 2**42)
    with precision(53):
        low, high = Ball(x).exp().ends() or ((0, 0), (0, 0))
    series = 1 + x + x**2 / 2 + x**3 / 6
    assert low[0] * Fraction(2) ** low[1] <= series
    assert high[0] * Fraction(2) ** high[1] >= series


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.fractions(max_denominator=10**9).filter(bool), st.integers(-40, 40), st.integers(1, 30)
)
def test_decimals_round_outward(value: Fraction, shift: int, digits: int) -> None:
    value *= Fraction(10) ** shift
    low, high = Fraction(decimal_lower(value, digits)), Fraction(decimal_upper(value, digits))
    assert low <= value <= high
    position = 0
    while Fraction(10) ** (position + 1) <= abs(value):
        position += 1
    while Fraction(10) ** position > abs(value):
        position -= 1
    unit = Fraction(10) ** (position - digits + 1)
    assert high - low == (0 if (value / unit).denominator == 1 else unit)
    assert Fraction(decimal_text(value)) == value


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(max_denominator=10**6).filter(bool), st.integers(1, 30))
def test_enclosures_contain_and_are_narrow(value: Fraction, digits: int) -> None:
    with precision(200):
        found = enclosure_text(Ball(value), digits)
    assert found is not None
    low, high = map(Fraction, found)
    assert low <= value <= high
    top = max(abs(low), abs(high))
    assert high - low <= 2 * Fraction(10) ** (1 - digits) * top


def test_too_wide_a_ball_gives_no_text() -> None:
    with precision(20):
        assert enclosure_text(Ball(Fraction(1, 3)), 30) is None
        assert enclosure_text(Ball(Fraction(1, 3)) - Ball(Fraction(1, 3)), 3) is None


def test_enclosures_of_numbers_beyond_any_float() -> None:
    for power in (10**5, 10**7):
        with precision(128):
            for sign in (1, -1):
                found = enclosure_text(Ball(sign * power).exp(), 6)
                assert found is not None
                exponent = int(found[0].split("e")[1])
                assert abs(exponent - sign * power * 0.4342944819) < 2


@pytest.mark.parametrize("guess", ["1", "1.4142", "1e-9", "1e12", "1.42", "1.41", "7/3"])
@pytest.mark.parametrize("digits", [1, 3, 12, 30])
def test_least_decimal_brackets_the_square_root(guess: str, digits: int) -> None:
    asked: list[Fraction] = []

    def holds(x: Fraction) -> bool:
        asked.append(x)
        return x * x >= 2

    low, high = least_decimal(holds, Fraction(guess), Grid(digits))
    assert low * low < 2 <= high * high
    assert high - low <= Fraction(10) ** (1 - digits)
    if Fraction(1, 10) < Fraction(guess) < 10:  # a proposal decades away only adds digits
        assert high - low == Fraction(10) ** (1 - digits)
    assert high in asked
    assert low in asked or low == 0
    assert len(asked) < 400


def test_least_decimal_at_an_exact_decimal_and_without_end() -> None:
    assert least_decimal(lambda x: x >= Fraction(3, 2), Fraction(1), Grid(3))[1] == Fraction(3, 2)
    with pytest.raises(UndecidedError):
        least_decimal(lambda x: False, Fraction(1), Grid(3))
    rng = Random(4)
    for _ in range(100):
        root = Fraction(rng.randint(1, 10**9), rng.randint(1, 10**9))
        low, high = least_decimal(lambda x, r=root: x >= r, root * rng.randint(1, 9), Grid(6))
        assert low < root <= high


@pytest.mark.parametrize("guess", ["2", "3/2", "8/3", "5", "1/100", "1e6"])
def test_both_ends_of_a_wide_band_that_is_undecided_are_found(guess: str) -> None:
    """Wherever the proposal is, inside too: to the last digit asked for."""
    first, last, asked = Fraction(3, 2), Fraction(8, 3), 0

    def holds(x: Fraction) -> bool:
        nonlocal asked
        asked += 1
        if first < x < last:
            raise UndecidedError("between")
        return x >= last

    assert least_decimal(holds, Fraction(guess), Grid(4)) == (first, Fraction(2667, 1000))
    assert asked < 120


def test_float_root_proposes() -> None:
    assert abs(float_root(lambda x: 2 - x, 0.5, 9) - 2) < 1e-9
    assert abs(float_root(lambda x: 1e-20 / x - 1, 1e-22, 1e-18) / 1e-20 - 1) < 1e-6


@settings(deadline=None, max_examples=200)
@given(
    root=st.fractions(Fraction(1, 10**4), 10**6, max_denominator=10**4),
    guess=st.fractions(Fraction(1, 10**8), 10**8, max_denominator=10**8),
    digits=st.integers(1, 12),
    wide=st.integers(0, 4),
)
@example(root=Fraction(99000001, 10**4), guess=Fraction(99000001, 10**8), digits=1, wide=0)
def test_least_decimal_steps_around_what_is_undecided(root, guess, digits, wide):
    """A cloud of undecided numbers about the root: both ends are decided, and just outside it."""
    step = Fraction(10) ** -digits * root / 2
    asked = []

    def holds(x: Fraction) -> bool:
        asked.append(x)
        if abs(x - root) <= wide * step:
            raise UndecidedError("so near")
        return x >= root

    low, high = least_decimal(holds, guess, Grid(digits))
    assert low < root <= high or (not wide and low < root == high)
    assert abs(low - root) > wide * step or not wide
    assert high - low <= (2 * wide + 22) * 10 * step
    assert len(asked) < 200


def test_least_decimal_gives_up_where_nothing_is_decided():
    asked = []

    def holds(x: Fraction) -> bool:
        asked.append(x)
        raise UndecidedError("nothing is known")

    with pytest.raises(UndecidedError, match="nothing is known"):
        least_decimal(holds, Fraction(1), Grid(12))
    assert len(asked) < 50
