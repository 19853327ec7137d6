"""The one search: both ends are decided, and what is undecided between them is told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict
from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.scales.search import Search, settled_verdict, verdict_of_orders

C, R, U = Verdict.CERTIFIED, Verdict.REFUTED, Verdict.UNDECIDED


def turning(at: Any, later: Verdict = C, window: Any = None) -> Search:
    """A parameter whose verdict is `later` from a value on, undecided strictly within a window."""
    before = {C: R, R: C}[later]
    low, high = window or (0, 0)

    def decide(x: Fraction) -> Verdict:
        if low < x < high:
            return U
        return later if x >= Fraction(at) else before

    return Search("at number {}", decide, later=later)


@pytest.mark.parametrize("later", [C, R])
@settings(max_examples=60, deadline=None)
@given(at=st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6), near=st.booleans())
def test_decimals_on_both_sides(later: Verdict, at: Fraction, near: bool) -> None:
    search, grid = turning(at, later), Grid(5)
    lower, upper, between = search.decimals(at * 2 if near else None, grid)
    assert lower < at <= upper
    assert upper - lower == grid.step(lower)
    assert between is None
    assert lower <= search.ends()[0] < at <= search.ends()[1] <= upper


def test_what_is_undecided_between_is_told() -> None:
    search = turning(3, window=(Fraction("2.995"), Fraction("3.005")))
    lower, upper, between = search.decimals(Fraction(3), Grid(4))
    assert lower <= Fraction("2.995") < Fraction("3.005") <= upper
    assert between is not None
    assert between.startswith("the verdict at number ")
    assert between.endswith(" is undecided")
    assert search.answer(Fraction(3)) is None
    with pytest.raises(UndecidedError, match=r"^the verdict at number 3 is undecided$"):
        search.holds(Fraction(3))


def test_integers_on_a_lattice_pass_what_is_undecided() -> None:
    """Multiples of 1/2 from 1/4 on: 11/4 is number 5."""
    unit, origin = Fraction(1, 2), Fraction(1, 4)
    assert turning(Fraction(5, 2)).integers(0, 100, origin, unit) == (4, 5)
    search = turning(Fraction(5, 2), window=(2, 4))
    assert search.integers(0, 100, origin, unit) == (3, 8)
    assert turning(10**6).integers(0, 100)[1] is None


def test_integers_until_one_is_undecided() -> None:
    search = turning(13)
    search.integers_until_undecided(1, first=1)
    assert search.ends() == (12, 13)
    for window, ends in (((3, 6), (2, None)), ((11, 13), (8, 16)), ((0, 99), (None, None))):
        search = turning(13, window=window)
        with pytest.raises(UndecidedError, match="is undecided"):
            search.integers_until_undecided(1, first=1)
        assert search.ends() == ends, window


def test_each_value_is_decided_once() -> None:
    asked: list[Fraction] = []

    def decide(x: Fraction) -> Verdict:
        asked.append(x)
        return C if x > 2 else R

    search = Search("at {}", decide)
    search.decimals(Fraction(1), Grid(6))
    search.decimals(Fraction(2), Grid(6))
    assert len(asked) == len(set(asked))


def test_a_verdict_that_is_none_of_the_three_is_no_answer() -> None:
    with pytest.raises(KeyError):
        Search("at {}", lambda x: Verdict.OBSERVED).answer(Fraction(1))
    with pytest.raises(KeyError):
        Search("at {}", lambda x: C, later=U)


@pytest.mark.parametrize(("scale", "verdict"), [(1, R), (2, C), (3, C)])
def test_the_verdict_of_all_pairs(scale: int, verdict: Verdict) -> None:
    """Points 1 apart lose 1/scale: at scale 2 exactly epsilon."""
    laws = {"a": Discrete({0: 1}), "b": Discrete({1: 1}), "c": Discrete({1: 1})}
    problem = Problem(laws, noise=Laplace(scale), epsilon="1/2")
    assert settled_verdict(problem) is verdict
    assert certify(problem).verdict is verdict
    found = [verdict_of_orders(comparison(item)) for item in problem.questions()]
    assert found.count(verdict) == (2 if verdict is R else 3)
