"""Values around others: few digits, in order, none twice."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, InputError, Laplace, Problem
from pfverify.answers.around import around, epsilons_around, in_order, nearest_to, scales_around
from pfverify.exact.number import number
from pfverify.exact.published import Exact, extended, real

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


@settings(deadline=None)
@given(st.floats(1e-200, 1e200), st.integers(0, 60))
def test_they_are_within_four_times_and_different(middle: float, count: int) -> None:
    found = around(middle, count)
    assert len(found) <= count
    assert all(a < b for a, b in pairwise(found))
    assert all(middle / 4.3 <= float(one) <= 4.3 * middle for one in found)
    assert len(found) == count or count > 20  # of few none are lost
    assert all(len(str(one.numerator).rstrip("0")) <= 210 for one in map(Fraction, found))


@pytest.mark.parametrize("middle", [0.0, 1e-300, 1e300, float("inf"), float("nan"), -1.0])
def test_there_are_none_around_what_floats_do_not_hold(middle: float) -> None:
    assert around(middle, 5) == []


def test_equal_numbers_are_one_however_they_are_written() -> None:
    found = in_order([Exact("0.50"), real(number("log(2)")), Exact("1/2"), Exact("0.7")])
    assert [*map(str, found)] == ["0.50", "log(2)", "0.7"]


@given(st.integers(1, 30), st.sampled_from(["0", "1", "1/3", "log(3)", "1e-20", "1e9"]))
def test_the_epsilon_itself_is_among_those_around_it(count: int, text: str) -> None:
    epsilon = real(number(text))
    found = epsilons_around(epsilon, count)
    assert len(found) <= count
    assert sum(str(one) == str(epsilon) for one in found) == 1
    assert all(one >= 0 for one in found)


@given(st.integers(1, 20), st.sampled_from([("0.5", "0.6"), ("0", "0"), ("inf", "inf"), ()]))
def test_the_scale_and_the_ends_are_among_those_around(count: int, ends: tuple[str, ...]) -> None:
    problem = Problem(POINTS, noise=Laplace("3/7"), epsilon=1)
    found = [str(one) for one in scales_around(problem, [*map(extended, ends)], count)]
    wanted = ["3/7", *(end for end in ends[::-1] if end not in ("0", "inf"))][:count]
    assert len(found) <= count
    assert {*wanted} <= {*found}


def test_without_a_scale_or_an_end_there_is_nothing_around() -> None:
    with pytest.raises(InputError, match=r"noise\.scale: missing"):
        scales_around(Problem(POINTS, noise=Laplace(), epsilon=0), [extended("inf")], 3)
    assert scales_around(Problem(POINTS, noise=Laplace(0), epsilon=1), [], 2) == [0, 4]


def test_the_nearest_is_by_size() -> None:
    assert nearest_to([Exact("1"), Exact("2"), Exact("9")], Fraction(7)) == 2
