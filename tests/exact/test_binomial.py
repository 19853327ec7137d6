"""Binomial tails and Clopper-Pearson bounds against sums in fractions, and against scipy."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb

import pytest
from scipy.stats import beta

from pfverify.exact.ball import precision, raw
from pfverify.exact.binomial import (
    at_least,
    chance_above,
    chance_below,
    interval,
    rare_count,
    rarely_at_least,
    rarely_at_most,
)

LEVELS = [Fraction(1, 20), Fraction(1, 10**3), Fraction(1, 10**8)]


def tail(draws: int, count: int, chance: Fraction) -> Fraction:
    """P(K >= count), summed term by term."""
    return sum(
        (comb(draws, k) * chance**k * (1 - chance) ** (draws - k)
         for k in range(max(count, 0), draws + 1)),
        Fraction(0),
    )  # fmt: skip


def cases(number: int, most: int) -> list[tuple[int, int, Fraction, Fraction]]:
    source = random.Random(29)
    found = []
    for _ in range(number):
        draws = source.randint(1, most)
        count = source.choice([0, 1, draws, draws - 1, source.randint(0, draws)])
        chance = Fraction(source.randint(0, 64), 64)
        found.append((draws, count, chance, source.choice(LEVELS)))
    return found


def test_a_tail_is_its_sum() -> None:
    for draws, count, chance, _ in cases(400, 40):
        with precision(128):
            exact = raw(tail(draws, count, chance))
            assert exact in at_least(draws, count, chance) or exact.overlaps(
                at_least(draws, count, chance)
            )
            assert at_least(draws, count, chance).rad() < 1e-25


def test_a_tail_of_many_draws_is_the_incomplete_beta_function() -> None:
    """Far above the mean, where terms are left out, and below it, where the other tail is meant."""
    source, above = random.Random(31), 0
    for draws in (500, 5_000) * 20:
        count = source.randint(1, draws)
        near = count / (draws + 1) * source.choice([0.5, 0.9, 1, 1.05])
        chance = Fraction(min(near, 0.9999))
        found = at_least(draws, count, chance)
        with precision(320):
            exact = raw(chance).beta_lower(raw(count), raw(draws - count + 1), regularized=1)
            assert found.contains(exact)
            assert found.rad() <= found.mid() * raw(2) ** -96
        above += count > draws * chance
    assert 20 < above < 38


def test_rare_is_at_most_the_level_by_the_sum() -> None:
    seen = set()
    for draws, count, chance, level in cases(400, 40):
        found = rarely_at_least(draws, count, chance, level)
        assert found is (tail(draws, count, chance) <= level)
        other = rarely_at_most(draws, count, chance, level)
        assert other is (1 - tail(draws, count + 1, chance) <= level)
        seen |= {found, other}
    assert seen == {True, False}


def test_bounds_are_on_their_side_and_next_to_the_root() -> None:
    for draws, count, _, level in cases(150, 30):
        low, high = chance_above(draws, count, level), chance_below(draws, count, level)
        assert 0 <= low <= Fraction(count, draws) <= high <= 1
        assert tail(draws, count, low) <= level or count == 0
        assert 1 - tail(draws, count + 1, high) <= level or count == draws
        if count:
            assert tail(draws, count, low * (1 + Fraction(1, 10**9))) > level
        if count < draws:
            less = 1 - (1 - high) * (1 + Fraction(1, 10**9))
            assert 1 - tail(draws, count + 1, less) > level


@pytest.mark.parametrize("most", [10**3, 10**6])
def test_bounds_are_those_of_the_beta_law_in_floats(most: int) -> None:
    for draws, count, _, level in cases(40, most):
        low, high = chance_above(draws, count, level), chance_below(draws, count, level)
        if count:
            floated = beta.ppf(float(level), count, draws - count + 1)
            assert float(low) == pytest.approx(floated, rel=1e-8)
        if count < draws:
            floated = beta.isf(float(level), count + 1, draws - count)
            assert float(high) == pytest.approx(floated, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("unit", [10, 1000, 10**9])
def test_an_interval_ends_at_the_outermost_multiples_by_the_sum(unit: int) -> None:
    """One step further in, either end would miss a chance of its own too often."""
    inner = 0
    for draws, count, _, share in cases(120, 25):
        low, high = interval(draws, count, share, unit)
        assert 0 <= low * draws <= count * unit <= high * draws <= unit * draws
        assert (low == 0) >= (count == 0)
        assert (high == unit) >= (count == draws)
        for end, k in ((low, count), (unit - high, draws - count)):
            if k:
                assert tail(draws, k, Fraction(end, unit)) <= share / 2
                assert tail(draws, k, Fraction(end + 1, unit)) > share / 2
                inner += end > 0
    assert inner > 20


def test_intervals_cover_every_chance_as_often_as_they_say() -> None:
    """For every chance, exactly: the counts whose interval misses it are rare together."""
    least = Fraction(1)
    for draws, share in ((1, Fraction(1, 20)), (7, Fraction(1, 5)), (19, Fraction(1, 20))):
        spans = [interval(draws, k, share, 1000) for k in range(draws + 1)]
        for n in range(101):
            chance = Fraction(n, 100)
            missed = sum(
                (tail(draws, k, chance) - tail(draws, k + 1, chance)
                 for k, (low, high) in enumerate(spans) if not low <= 1000 * chance <= high),
                Fraction(0),
            )  # fmt: skip
            assert missed <= share
            least = min(least, 1 - missed)
    assert least < Fraction(9, 10)  # it is not only that they are wide


@pytest.mark.parametrize("most", [300, 10**6])
def test_intervals_are_those_of_the_beta_law_in_floats(most: int) -> None:
    for draws, count, _, share in cases(60, most):
        low, high = interval(draws, count, share, 10**9)
        if count:
            floated = beta.ppf(float(share) / 2, count, draws - count + 1)
            assert -1e-7 < floated * 10**9 - low < 1 + 1e-2
        if count < draws:
            floated = beta.isf(float(share) / 2, count + 1, draws - count)
            assert -1e-7 < high - floated * 10**9 < 1 + 1e-2


def test_a_tie_of_a_tail_and_what_may_fail_is_within() -> None:
    """P(K >= 1 | 1/10) of one draw is 1/10: the end is there, and not a step before."""
    assert interval(1, 1, Fraction(1, 5), 10) == (1, 10)
    assert interval(1, 0, Fraction(1, 5), 10) == (0, 9)
    assert interval(2, 2, Fraction(1, 8), 4) == (1, 4)  # (1/4)^2


def test_the_least_rare_count_is_the_first() -> None:
    for draws, _, chance, level in cases(100, 30):
        found = rare_count(draws, chance, level)
        first = next(k for k in range(draws + 2) if tail(draws, k, chance) <= level)
        assert found == first


def test_large_numbers_of_draws() -> None:
    """Of a hundred million draws, five standard deviations are told from the level."""
    half = Fraction(1, 2)
    assert rarely_at_least(10**8, 50_000_000 + 30_000, half, Fraction(1, 10**8))
    assert not rarely_at_least(10**8, 50_000_000 + 20_000, half, Fraction(1, 10**8))
    assert chance_below(10**8, 0, Fraction(1, 10**6)) < Fraction(14, 10**8)
