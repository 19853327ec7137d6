"""Sums of users: each law against pairs of places one by one, and what a sum costs and refuses."""

from __future__ import annotations

import re
import tracemalloc
from collections import Counter
from functools import partial
from itertools import product
from math import comb

import pytest
from core.work import TooMuchWork, checking
from reader import crowd
from reader.crowd import Group
from reader.places import Points

COIN = [(0, 1), (1, 2)]
FAR = [(0, 1), (3, 2), (1 << 5000, 1 << 1999)]  # places and weights of many bits, in no lattice
DENSE = [(6 * k, (1 << 1999) + k) for k in range(60)]
SHORT = [(6 * k - 60, (1 << 1999) + k) for k in range(20)]


def by_pairs(one: Points, other: Points) -> Points:
    """The sum of two laws, without any shorter way."""
    found: Counter[int] = Counter()
    for (a, v), (b, w) in product(one, other):
        found[a + b] += v * w
    return sorted(found.items())


def room(monkeypatch: pytest.MonkeyPatch, points: int, bits: int) -> None:
    """Lets no sum have more points, nor more bits in all."""
    monkeypatch.setattr(crowd, "MAX_POINTS", points)
    monkeypatch.setattr(crowd, "MAX_BITS", bits)


SUMS = {
    "nothing": ([(0, 1)], COIN),
    "one below": ([(-1, 1)], COIN),
    "a weight": ([(0, 2)], COIN),
    "a place": (FAR, [(7, 3)]),
    "two coins": (COIN, COIN),
    "far apart": (FAR, FAR),
    "dense": (DENSE, SHORT),
    "gaps": ([(0, 1), (4, 1), (10, 5)], [(-3, 2), (1, 1)]),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_sum_is_the_sum_of_all_pairs(name: str) -> None:
    one, other = SUMS[name]
    assert crowd.added(one, other) == by_pairs(one, other)
    assert crowd.added(other, one) == by_pairs(one, other)


@pytest.mark.parametrize(("one", "other", "units"), [
    ([(0, 1)], DENSE, 0),  # nothing is added
    # 60 places: each moved and copied, and its 2,010 bits times 10 (one word)
    ([(0, 1 << 9)], [(k, (1 << 1999) + k) for k in range(60)], 4 + 60 * 2),
    ([(k, (1 << 1999) + k) for k in range(60)], [(0, 1 << 9)], 4 + 60 * 2),
    # 60 places of 5,000 bits and weights of 4,000 bits, one of them of 67 words
    ([(5, 1 << 1999)], [(k + (1 << 4999), (1 << 1999) + k) for k in range(60)],
     4 + 60 * (2 + (4000 * 67 >> 11) + 2)),
    # the steps of both, and four pairs
    (COIN, COIN, 2 * 2 * 2 + 4 * 4),
    # places of 5,001 bits: their step, and nine pairs with products of 2,000 by 2,000 bits
    (FAR, FAR, 2 * 3 * (2 + 191 // 4) + 9 * (4 + (4000 * 67 >> 11) + (5002 >> 7) + 2)),
    # as digits: 79 of 4,009 bits, as three products of 20 digits by 20
    (DENSE, SHORT, 80 * 2 + 8 * 79 + 2 * 3 * (1 + (20 * 4009 * 283 >> 12))),
])  # fmt: skip
def test_what_a_sum_costs(one: Points, other: Points, units: int) -> None:
    with checking(0) as check:
        crowd.added(one, other)
    assert check.spent == units


def test_what_the_recurrence_costs() -> None:
    """40 weights of 36,000 bits, each of them from the one before by 900 bits, or 31 words."""
    law = [(0, 1 << 896), (1, 1 << 896)]
    with checking(0) as check:
        found = crowd._by_recurrence([Group(law, 40)])
    bits = 40 * 897 + 1
    assert check.spent == 2 * 2 + 40 * (4 + (2 + (bits * 31 >> 13)) + (bits * 31 >> 12))
    assert found == [(k, comb(40, k) << 40 * 896) for k in range(41)]


COINS = [Group([(0, 1), (1, 2)], 9), Group([(0, 2), (3, 5)], 4)]
TALL = [(k, 1 + (k == 16 and 1 << 40)) for k in range(20)]
ROOMS = {
    "moved": (partial(crowd.added, [(5, 7)], TALL), 20, 3 + 41),
    "pairs": (partial(crowd.added, FAR, FAR), 9 // 4, 2000 + 2000 + 5001),
    "from far below": (partial(crowd.added, [(-(1 << 50), 1), (3, 1)], COIN), 1, 2 + 2 + 51),
    "digits": (partial(crowd.added, DENSE, SHORT), 79, 2005 + 2004 + 9),
    # 3^9 has 15 bits, 7^4 has 12, and the places of one user of each end at 4
    "recurrence": (partial(crowd._by_recurrence, COINS), 9 + 3 * 4 + 1, 15 + 12 + 3),
}


@pytest.mark.parametrize("name", ROOMS)
def test_what_sum_is_too_long(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, points, bits = ROOMS[name]
    room(monkeypatch, points, points * bits)
    found()
    said = f"too much work: a sum of users with {points} values of {bits} bits"
    for most, of_all in ((points - 1, points * bits), (points, points * bits - 1)):
        room(monkeypatch, most, of_all)
        with pytest.raises(TooMuchWork, match=re.escape(said)):
            found()


def spent(groups: list[Group]) -> int:
    """The units of a sum of users."""
    with checking(0) as check:
        crowd.crowd(groups)
    return check.spent


@pytest.mark.parametrize(("users", "last", "points", "bits", "step"), [
    (3, 1, 2, 1, 1), (10, 1, 2, 30, 1), (40, 1, 2, 300, 10**9), (10, 4, 5, 30, 1),
    (10, 64, 65, 1, 1), (3, 64, 65, 30, 1), (10, 16, 17, 300, 7), (3, 16, 17, 3000, 1),
    (10, 200, 30, 30, 1), (6, 9999, 3, 2, 1),
])  # fmt: skip
def test_the_way_taken_is_not_much_dearer_than_the_other(
    users: int, last: int, points: int, bits: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = [(step * k, (1 << bits) + k) for k in (*range(points - 1), last)]
    taken = spent([Group(law, users)])
    both = []
    for recurs in (True, False):
        monkeypatch.setattr(crowd, "_recurs", lambda groups, so=recurs: so and bool(groups))
        both.append(spent([Group(law, users)]))
    assert taken <= 3 * min(both)


def test_a_product_of_digits_needs_memory_of_its_length() -> None:
    length = 79 * 502  # bytes of what is found
    tracemalloc.start()
    crowd.added(DENSE, SHORT)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * length


def test_how_long_a_sum_may_be() -> None:
    for points, bits in ((1 << 17, 1 << 11), (1, 1 << 28), (2, 1 << 27)):
        crowd._require_room(points, bits)
        with pytest.raises(TooMuchWork, match=f"with {points} values of {bits + 1} bits"):
            crowd._require_room(points, bits + 1)
    with pytest.raises(TooMuchWork, match="with 131073 values of 1 bits"):
        crowd._require_room((1 << 17) + 1, 1)
