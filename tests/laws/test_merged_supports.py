"""Supports merged in arrays are those merged in lists."""

from fractions import Fraction
from math import lcm
from random import Random

import pytest

from pfverify import Discrete
from pfverify.decide.exponential.pair import Pair
from pfverify.laws.sweep.merged import (
    _by_arrays,
    _by_lists,
    as_list,
    gaps_between,
    merged,
)


def priors(kind: str) -> tuple[Discrete, Discrete]:
    rng = Random(kind)
    places = [
        sorted(rng.sample(range(-900, 900), rng.choice([500, 800]))) for _ in range(2)
    ]
    if kind == "same":
        places[1] = places[0]
    units = {"thirds": (1, 3), "halves and thirds": (2, 3)}.get(kind, (1, 1))
    first, second = (
        Discrete(counts={Fraction(x, unit): rng.randint(1, 50) for x in table})
        for table, unit in zip(places, units, strict=True)
    )
    return first, second


@pytest.mark.parametrize("kind", ["same", "others", "thirds", "halves and thirds"])
def test_arrays_hold_what_lists_hold(kind):
    first, second = priors(kind)
    denominator = lcm(first.denominator, second.denominator)
    factors = denominator // first.denominator, denominator // second.denominator
    arrays, lists = _by_arrays(first, second, factors), _by_lists(first, second, factors)
    assert as_list(arrays.points) == lists.points
    assert [as_list(weights) for weights in arrays.weights] == list(lists.weights)
    assert arrays.distinct_gaps == lists.distinct_gaps
    pair = Pair(first, second)
    assert (pair.points, pair.weights) == (lists.points, lists.weights)
    assert pair.gaps == gaps_between(lists.points)
    assert {type(number) for number in (*pair.points, *pair.weights[0], *pair.gaps)} == {int}
    assert pair.atom(3) == Fraction(lists.points[3], denominator)


@pytest.mark.parametrize("far", [2**62, 2**61, 10**30])
def test_points_beyond_64_bits_are_merged_in_lists(far):
    near = dict.fromkeys(range(600), 1)
    first = Discrete(counts=near | {far: 1})
    second = Discrete(counts={Fraction(x, 4): 1 for x in range(600)})
    found = merged(first, second, 4)
    assert isinstance(found.points, list)
    assert found.points[-1] == 4 * far
