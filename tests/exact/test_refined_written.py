"""Numbers that are known better and better, and the decimals around them."""

from fractions import Fraction
from math import inf

import pytest
from support.oracles import units_wide

from pfverify.errors import UndecidedError
from pfverify.exact.ball import Ball, current_precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.refined import (
    ANYTHING,
    INFINITE,
    PROBABILITY,
    ZERO,
    Between,
    ByBalls,
    OnGrid,
    Refined,
    at_most,
    exactly,
    rising_balls,
)
from pfverify.exact.written import written

HALF = Fraction(1, 2)


def half_by_balls(**more):
    """1/2 as a logarithm of an exponential: no ball tells on which side of it the number is."""
    return ByBalls(rising_balls(lambda: raw(HALF).exp().log(), 64, 1 << 12), **more)


@pytest.mark.parametrize("number", [ZERO, INFINITE, PROBABILITY, ANYTHING, exactly(HALF)])
def test_ends_that_are_known_are_written_as_they_are(number):
    found = written(number, 5)
    assert (float(found.lower), float(found.upper)) == (float(number.lower), float(number.upper))


@pytest.mark.parametrize("digits", [1, 3, 12, 100, 1000])
def test_balls_get_as_narrow_as_the_digits_ask(digits):
    found = written(ByBalls(rising_balls(lambda: raw(2).log(), 64, 1 << 15)), digits)
    assert units_wide(found.lower, found.upper, digits) == 1
    assert found > "69/100" if digits > 1 else found >= "6/10"


def test_a_round_value_is_asked_for_only_where_the_number_offers_a_test():
    asked = []

    def is_exactly(value):
        asked.append(value)
        return value == HALF

    assert written(half_by_balls(), 12).text == "[0.499999999999, 0.500000000001]"
    assert written(half_by_balls(is_exactly=is_exactly), 12).text == "0.5"
    assert written(half_by_balls(is_exactly=lambda value: False), 3).text == "[0.499, 0.501]"
    third = ByBalls(rising_balls(lambda: raw(1) / 3, 64, 128), is_exactly=is_exactly)
    assert units_wide(written(third, 12).lower, written(third, 12).upper, 12) == 1
    assert asked == [HALF]


def test_no_more_is_written_than_is_known():
    wide = ByBalls(rising_balls(lambda: raw(0).union(raw(1)), 64, 256), Fraction(1))
    assert written(wide, 6).text == "[0, 1]"
    between = ByBalls(rising_balls(lambda: raw(Fraction(1, 4)).union(raw(HALF)), 64, 256))
    low, high = (float(end) for end in (written(between, 6).lower, written(between, 6).upper))
    assert (low, high) == pytest.approx((0.25, 0.5), abs=1e-5)
    assert low <= 0.25 < 0.5 <= high
    far = raw(-(10**12)).exp()  # whose ends are too long to be written out
    small = ByBalls(rising_balls(lambda: far.union(far / 2), 64, 256), Fraction(1))
    assert written(small, 6).text == "[0, 1]"
    unknown = ByBalls(rising_balls(lambda: raw(0) / 0, 64, 256))
    assert written(unknown, 6).text == "[0, inf]"
    above = ByBalls(rising_balls(lambda: raw(Fraction(999_999, 10**6)), 64, 256), Fraction(1))
    assert written(above, 3).text == "[0.999, 1]"
    tiny = ByBalls(
        rising_balls(lambda: raw(Fraction(1, 10**30)), 64, 256), least=Fraction(1, 10**20)
    )
    assert written(tiny, 6).text == "[0, 1e-20]"


def test_a_ball_that_is_known_is_taken_where_it_is_narrow_enough():
    tried = []

    def number():
        tried.append(current_precision())
        return raw(2).log()

    found = ByBalls(rising_balls(number, 64, 1024, Ball(Fraction(1, 3)), 200))
    assert written(found, 12).text == "[0.333333333333, 0.333333333334]"
    assert tried == []
    wide = ByBalls(rising_balls(number, 64, 1024, Ball(raw(0).union(raw(1))), 200))
    assert written(wide, 12) > "69/100"
    assert tried == [224]  # 112 bits were tried before


def test_candidates_are_decided_on_the_grid_that_is_written():
    root = OnGrid(lambda grid: (grid.below(Fraction(2, 3)), grid.above(Fraction(2, 3))))
    assert written(root, 3).text == "[0.666, 0.667]"
    assert written(root, 5).text == "[0.66666, 0.66667]"

    def undecided(grid):
        raise UndecidedError("so near")

    assert written(OnGrid(undecided, exactly(Fraction(3))), 4).text == "[0, 3]"
    assert written(OnGrid(undecided), 4).text == "[0, inf]"
    around = (Fraction("0.49"), Fraction("0.51"))
    assert written(OnGrid(lambda grid: around, is_exactly=lambda v: v == HALF), 2).text != "0.5"
    long = (Fraction("0.499999"), Fraction("0.500001"))
    assert written(OnGrid(lambda grid: long, is_exactly=lambda v: v == HALF), 6).text == "0.5"


def test_an_unknown_kind_of_number_is_not_written():
    class Other(Refined):
        """Another one."""

    with pytest.raises(TypeError, match="Other: no such number can be written"):
        written(Other(), 3)


def test_a_number_has_an_end_that_it_does_not_exceed():
    assert at_most(exactly(HALF)) == HALF
    assert HALF <= at_most(half_by_balls()) < HALF + Fraction(1, 10**9)
    assert at_most(ByBalls(rising_balls(lambda: raw(0) / 0, 64, 128))) == inf
    assert Between(Fraction(0), HALF).upper == HALF


@pytest.mark.parametrize("value", ["2/3", "0.1", "999.95", "1e-30", "123456789"])
def test_the_grid_has_the_candidates_around_a_number(value):
    exact = Fraction(value)
    for digits in (1, 3, 12):
        grid = Grid(digits)
        low, high = grid.below(exact), grid.above(exact)
        assert low <= exact <= high
        assert high - low in (0, grid.step(exact))
        assert grid.nearest(exact) in (low, high)
        assert abs(grid.nearest(exact) - exact) <= grid.step(exact) / 2
