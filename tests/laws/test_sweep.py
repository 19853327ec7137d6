"""The sweep over sorted places: one recurrence, and the same sums in every arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from pfverify import Discrete
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import number
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.decays import Apart, Decays, decayed
from pfverify.laws.sweep.fixed_point import FixedSums
from pfverify.laws.sweep.positive import before_zero, run
from pfverify.laws.sweep.ring import BothSides, running_sums, sums_around
from pfverify.laws.sweep.sides import BallSides


def whole(values: list[Raw]) -> list[int]:
    return [int(value.unique_fmpz()) for value in values]


def test_sums_from_both_sides_count_every_place_decayed() -> None:
    with precision(64):
        sums = BothSides.of([1, 2, 3], [raw(2), raw(5)])
        around = sums_around(raw(0), [1, 2, 3], [raw(2), raw(5)])
    assert whole(sums.left) == [1, 4, 23]
    assert whole(sums.right) == [35, 17, 3]
    assert whole(sums.around()) == whole(around) == [35, 19, 23]
    assert [whole(list(gap)) for gap in sums.gaps()] == [[1, 17, 2], [4, 3, 5]]


def test_every_arithmetic_takes_the_same_recurrence() -> None:
    weights, factors = [1, 2, 3], [2, 5]
    rows = [np.array([w, 10 * w], float) for w in weights]
    assert np.array_equal(sums_around(0.0, rows, factors), [[35, 350], [19, 190], [23, 230]])
    exact = sums_around(
        ExpSum({}), [*map(ExpSum.constant, weights)], [*map(ExpSum.constant, factors)]
    )
    assert exact == [ExpSum.constant(value) for value in (35, 19, 23)]
    assert running_sums(0, [4], []) == sums_around(0, [4], []) == [4]


def test_exact_sums_are_those_of_decays() -> None:
    rate, places = Exponent.log(Fraction(2)), [Fraction(0), Fraction(1), Fraction(5, 2)]
    masses = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    taus = [ExpSum.power(rate.times(a - b)) for a, b in pairwise(places)]
    swept = sums_around(ExpSum({}), [*map(ExpSum.constant, masses)], taus)
    for y, one in zip(places, swept, strict=True):
        written = decayed(rate, ((abs(x - y), m) for x, m in zip(places, masses, strict=True)))
        assert (one - written).is_zero() is Answer.YES


def test_what_is_far_from_all_places_does_not_underflow() -> None:
    far = Fraction(10**30)
    with precision(128):
        near, farther = (
            Apart.of([(far, raw(weight)), (far + 1, raw(1))], raw(-1)) for weight in (1, 3)
        )
        ratio = farther.log_over(near, raw(-1))
        expected = ((3 + raw(-1).exp()) / (1 + raw(-1).exp())).log()
    assert near.distance == far
    assert abs(ratio - expected) < 1e-30
    assert Apart.of([], raw(-1)).distance == 0


def test_few_points_along_an_order_enclose_all_of_them() -> None:
    """What is beyond reach is one ball, which the sum over all of them meets."""
    points, weights = [*range(0, 40_000, 7)], [0, 0, *[3] * 5713]
    with precision(64):
        decays = Decays(raw(Fraction(-1, 10)))
        found = decays.along(points, weights, range(len(points)), sum(weights))
        assert found is not None
        start, total = found
        every = 3 * sum((decays[7 * k] for k in range(5713)), raw(0))
    assert start == 2
    assert total.overlaps(every)
    assert total.rad() > 0
    assert decays.along(points, [0] * len(points), range(len(points)), 1) is None


@pytest.mark.parametrize("seed", range(5))
def test_balls_and_limbs_are_two_ways_to_the_same_sums(seed: int) -> None:
    rng = Random(seed)
    laws = [
        Discrete(counts={k: rng.randint(1, 99) for k in rng.sample(range(150), 100)})
        for _ in range(2)
    ]
    pair, rate = Pair(laws[0], laws[1]), Rate(number("log(2)"))
    with precision(128):
        fixed, balls = pair.fixed_sums(rate), pair.ball_sides(rate.ball().raw)
        assert isinstance(fixed, FixedSums)
        assert isinstance(balls, BallSides)
        atoms, factors = [-1, 0, 5, len(pair) - 1], (raw(1), raw(-2))
        both = [sides.around(atoms, factors) for sides in (fixed, balls)]
        for one, two in zip(*both, strict=True):
            assert all(a.overlaps(b) for a, b in zip(one, two, strict=True))
        assert [len(weights) for weights in balls.cumulative] == [len(pair)] * 2


@pytest.mark.parametrize(("a", "b", "m"), [(3, -1, 4), (-1, 7, 6), (5, -4, 1), (30, -100, 6)])
def test_the_positive_points_of_a_gap_are_a_run(a: int, b: int, m: int) -> None:
    with precision(128):
        log_s = raw(Fraction(-1, 3))
        ends = before_zero(raw(a), raw(b), log_s, m)
        values = [a * (log_s * j).exp() + b * (log_s * (m - j)).exp() for j in range(m)]
        same = [bool(value > 0) == (a > 0) for value in values]
        assert ends is not None
        assert ends[0] == ends[1]
        assert same == [True] * (ends[0] + 1) + [False] * (m - 1 - ends[0])
        s = log_s.exp()
        for count in range(m):
            total = run(1, lambda j: (log_s * j).exp(), raw(a), raw(b), count, m) / (1 - s)
            terms = (a * (log_s * j).exp() + b * (log_s * (m - j)).exp()
                     for j in range(1, count + 1))  # fmt: skip
            assert total.overlaps(sum(terms, raw(0)))
