"""Bounds from above of normal densities with a monotone ratio: all beyond one place is the event.

The oracle is the divergence that sign charts enclose, which know nothing of monotone ratios.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, GaussianNoise, Problem
from pfverify.decide.composed.measures import LossGrid
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.routes import comparison
from pfverify.exact.refined import ends_of

GRID = LossGrid(Fraction(1, 8), 30, -24, 24)
LEVELS = range(-24, 25, 4)
SEEN: Counter[str] = Counter()


def part_of(first: Discrete, second: Discrete, variance: str = "1") -> ComparedPart:
    problem = Problem(
        {"a": first, "b": second}, noise=GaussianNoise(variance=variance), epsilon=1, delta="1/2"
    )
    (item,) = problem.questions()
    return ComparedPart(item, comparison(item), 1)


def laws() -> st.SearchStrategy[tuple[list[int], list[int]]]:
    weights = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)
    return st.tuples(weights, weights)


def law_of(weights: list[int]) -> Discrete:
    return Discrete({x: Fraction(w, sum(weights)) for x, w in enumerate(weights)})


def turns(p: list[int], q: list[int]) -> set[int]:
    """The signs of the steps of p/q from one atom to the next, of those that either has."""
    there = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    crossed = (c * b - a * d for (a, b), (c, d) in pairwise(there))
    return {(x > 0) - (x < 0) for x in crossed} - {0}


@pytest.fixture(scope="module", autouse=True)
def every_case_is_reached() -> Iterator[None]:
    SEEN.clear()
    yield
    if SEEN["drawn"]:
        assert min(SEEN[kind] for kind in ("rises", "falls", "turns")) >= 3, SEEN


@given(laws(), st.sampled_from(["1/4", "1", "3"]))
@settings(max_examples=40, deadline=None)
def test_what_lies_beyond_a_place_is_the_divergence(
    weights: tuple[list[int], list[int]], variance: str
) -> None:
    part, signs = part_of(*map(law_of, weights), variance), turns(*weights)
    SEEN["drawn"] += 1
    if len(signs) == 2:
        SEEN["turns"] += 1
        assert part.rising is None
        assert part._beyond(0, GRID, LEVELS) == [None] * len(LEVELS)
        return
    SEEN.update("rises" if sign == 1 else "falls" for sign in signs)
    assert part.rising == (-1 if -1 in signs else 1)
    held = 0
    for side in (0, 1):
        for level, most in zip(LEVELS, part._beyond(side, GRID, LEVELS), strict=True):
            if most is None or level < 0:
                continue
            order = part.orders[side]
            truth = order.against(order.target.at_epsilon(level * GRID.step)).exceeding()
            low, high = ends_of(truth, 100)
            assert low <= most <= high * (1 + Fraction(1, 10**9)) + Fraction(1, 10**40)
            held += 1
    assert held >= 2 or not signs


@pytest.mark.parametrize("side", [0, 1])
def test_both_ways_to_the_measure_from_above_agree(side: int) -> None:
    """With what lies beyond places, and with the divergences of the charts, below 0 as well."""
    near = part_of(Discrete({0: "9/10", 1: "1/10"}), Discrete({0: 1}))
    charted = part_of(Discrete({0: "9/10", 1: "1/10"}), Discrete({0: 1}))
    charted.__dict__["rising"] = None
    assert near.rising == 1
    told = near._beyond(side, GRID, LEVELS)
    assert sum(one is not None for one in told) >= 6
    found, expected = (part.above(side, GRID, LEVELS) for part in (near, charted))
    assert found.first == expected.first
    for one, other in zip(
        found.masses.coefficients(), expected.masses.coefficients(), strict=True
    ):
        assert abs(one - other) <= GRID.unit // 10**9


@pytest.mark.parametrize("side", [0, 1])
def test_a_place_is_at_the_loss_wherever_that_is(side: int) -> None:
    """That of equal densities is 0 here, by halving (it is the first) and by secants."""
    part = part_of(Discrete({-1: 1}), Discrete({1: 1}))
    for levels in (range(0, 9, 4), LEVELS):
        found = part.level_cuts(side, levels, GRID.step)
        assert found is not None
        places = dict(zip(levels, found, strict=True))
        for level, y in places.items():  # log p/q = -2y of the first side
            assert y is not None
            assert 0 <= level * GRID.step - (-2, 2)[side] * y < Fraction(1, 10**12)


def test_a_place_whose_loss_is_not_proved_to_be_below_the_level_is_not_taken() -> None:
    part = part_of(Discrete({0: "9/10", 1: "1/10"}), Discrete({0: 1}))
    cuts = part.level_cuts(0, LEVELS, GRID.step)
    assert cuts is not None
    beside = [None if y is None else y + Fraction(1, 1000) for y in cuts]
    part._known["cuts", 0, GRID.step, tuple(LEVELS)] = beside
    assert part._beyond(0, GRID, LEVELS) == [None] * len(LEVELS)


def test_next_to_nothing_is_beyond_a_place_far_out() -> None:
    part = part_of(Discrete({0: "9/10", 1: "1/10"}), Discrete({0: 1}), "1/100000")
    levels = range(10_000, 10**6, 10_000)
    found = part._beyond(0, LossGrid(Fraction(1), 30, 0, 10**6), levels)
    told = [one for one in found if one is not None]
    assert len(told) == len(levels)
    assert told == sorted(told, reverse=True)
    assert Fraction("0.0999") < told[0] < Fraction("0.1001")
    assert 0 < told[-1] < Fraction(1, 10**1000)
