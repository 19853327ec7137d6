"""Confidence intervals of a chance: tails against exact sums, and ends against halving by them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.enclose import Arithmetic, Undecided
from core.work import checking
from reader import coverage
from reader.coverage import UNIT, interval

SHARES = Fraction(1, 20), Fraction(1, 3), Fraction(1, 10**12)


@cache
def tail(n: int, k: int, j: int) -> Fraction:
    """P(K >= k | j/UNIT), by the shorter of the two sums."""
    upper = 2 * k > n
    counts = range(k, n + 1) if upper else range(k)
    found = sum(comb(n, i) * j**i * (UNIT - j) ** (n - i) for i in counts)
    return Fraction(found if upper else UNIT**n - found, UNIT**n)


def end(n: int, k: int, level: Fraction) -> int:
    """The largest j with P(K >= k | j/UNIT) <= level < 1, k > 0."""
    low, high = 0, UNIT
    while high - low > 1:
        j = (low + high) // 2
        low, high = (j, high) if tail(n, k, j) <= level else (low, j)
    return low


def test_ends_are_billionths() -> None:
    assert interval(1, 1, Fraction(1, 10)) == (50_000_000, 10**9)
    assert interval(1, 0, Fraction(1, 10)) == (0, 950_000_000)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_ends_of_few_records(n: int) -> None:
    for count, share in product(range(n + 1), SHARES):
        low = end(n, count, share / 2) if count else 0
        high = UNIT - end(n, n - count, share / 2) if count < n else UNIT
        assert interval(n, count, share) == (low, high)


@pytest.mark.parametrize(
    ("n", "k"), [(60, 1), (60, 30), (60, 60), (400, 3), (400, 396), (4100, 1), (4100, 4099)]
)
def test_an_end_is_the_last_multiple_that_is_rare(n: int, k: int) -> None:
    for share in SHARES:
        found = coverage._end(n, k, share / 2, {})
        assert 0 <= found < UNIT
        assert tail(n, k, found) <= share / 2 < tail(n, k, found + 1)


def test_a_tie_is_rare_and_ends_the_search_there() -> None:
    for n, k, j in product((1, 2, 3), (1, 2, 3), (1, 2, 3, UNIT // 3, UNIT // 2, UNIT - 1)):
        if k > n:
            continue
        level = tail(n, k, j)
        assert coverage._tail(n, k, j, level, {})[0]
        assert not coverage._tail(n, k, j, level - Fraction(1, 10**200), {})[0]
        assert coverage._tail(n, k, j, level + Fraction(1, 10**200), {})[0]
        assert coverage._end(n, k, level, {}) == j


def test_what_an_enclosure_just_misses_is_decided() -> None:
    for j in (UNIT // 512, UNIT // 128):  # the enclosure of a tie reaches one unit below 0
        level = tail(2, 1, j)
        assert coverage._tail(2, 1, j, level, {}) == (True, 0)
    below = Fraction(1, 2) - Fraction(1, 2**129)  # one unit below, exactly
    assert coverage._tail(1, 1, UNIT // 2, below, {}) == (False, -1)
    assert coverage._end(10**10, 1, Fraction(1, 40), {}) == 0


@pytest.mark.parametrize("n", [1, 2, 5, 60])
def test_how_far_is_a_step_of_newton(n: int) -> None:
    """(level - tail) / slope, with the slope k/p times the first term, in multiples of 1/UNIT."""
    places = (UNIT // 10, UNIT // 2 + 1, UNIT - 7)
    for k, j, share in product({1, (n + 1) // 2, n}, places, SHARES):
        first = Fraction(comb(n, k) * j**k * (UNIT - j) ** (n - k), UNIT**n)
        far = (share - tail(n, k, j)) / (first * k / j)
        rare, found = coverage._tail(n, k, j, share, {})
        assert rare == (far >= 0)
        assert abs(found - far) <= 1 + abs(far) / 10**9


def test_a_tie_that_no_enclosure_decides_is_an_exact_sum_up_to_a_limit() -> None:
    j = 3 * UNIT // 10
    for n in (2, 60, 4_000):
        assert coverage._tail(n, n, j, Fraction(3, 10) ** n, {}) == (True, 0)
    for n, k in ((2, 1), (9, 4), (60, 30)):
        assert coverage._tail(n, k, j, tail(n, k, j), {}) == (True, 0)
    assert coverage._tail(4_001, 4_001, UNIT // 2, Fraction(1, 2**4_001), {})[0]
    with pytest.raises(Undecided, match="a tail of records is too near to what it is"):
        coverage._tail(4_001, 4_001, j, Fraction(3, 10) ** 4_001, {})


def test_exact_sums_alone_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "BITS", ())
    for n, k, j in product((1, 2, 5), (1, 2, 5), (1, UNIT // 3, UNIT - 1)):
        if k <= n:
            level = tail(n, k, j)
            for less in (level, level - Fraction(1, 10**99), level + Fraction(1, 10**99)):
                assert coverage._tail(n, k, j, less, {}) == (level <= less, 0)


def test_a_search_asks_for_few_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    decided = coverage._tail

    def counted(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        return decided(*given)

    monkeypatch.setattr(coverage, "_tail", counted)
    cases = ((1, 4, 2), (2, 8, 24), (7, 9, 31), (60, 10, 33), (10**6, 8, 32))
    for n, most, most_of_tiny in cases:
        for k in {1, (n + 1) // 2, n}:
            for level, limit in (Fraction(1, 40), most), (Fraction(1, 10**12), most_of_tiny):
                asked = 0
                coverage._end(n, k, level, {})
                assert asked <= limit, (n, k, asked)


def test_terms_over_the_first_sum_to_the_tail() -> None:
    for n, k, j in ((1, 1, 5), (60, 1, UNIT // 2), (60, 45, UNIT // 2), (400, 350, UNIT // 2)):
        low, high, e = coverage._from_first(n, k, j, 64)
        first = Fraction(comb(n, k) * j**k * (UNIT - j) ** (n - k), UNIT**n)
        assert e == -64
        assert low <= tail(n, k, j) / first * 2**64 <= high
        assert high - low <= (high >> 30) + 2 * n
    low, high, _ = coverage._from_first(201, 100, UNIT // 5, 2)  # 4 + 1 + 1/4 + ..., left out: 1/3
    assert low <= tail(201, 100, UNIT // 5) / Fraction(comb(201, 100) * 4**101, 5**201) * 4 <= high


def test_numbers_of_ways_are_enclosed() -> None:
    ar = Arithmetic(128)
    for n, k in ((1, 1), (60, 30), (60, 59), (400, 3), (400, 150), (400, 397)):
        low, high, e = coverage._ways(n, k, ar)
        assert low * Fraction(2) ** e <= comb(n, k) <= high * Fraction(2) ** e
        assert high - low <= 1000


def test_work_is_charged_by_the_smaller_number_of_factors() -> None:
    spent = []
    for k in (3, 397):
        with checking(0) as check:
            coverage._ways(400, k, Arithmetic(128))
        spent.append(check.spent)
    assert spent[0] == spent[1]
