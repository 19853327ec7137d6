"""The one corner rule keeps both marginals, never crosses, and takes any amounts >= 0."""

from fractions import Fraction
from random import Random

import pytest

from pfverify.exact.corner import corner


def random_sides(rng, unit):
    cuts = [sorted(rng.randint(0, 12) for _ in range(rng.randint(0, 6))) for _ in range(2)]
    return [
        [(high - low) * unit for low, high in zip([0, *cut], [*cut, 12], strict=True)]
        for cut in cuts
    ]


@pytest.mark.parametrize("unit", [1, Fraction(1, 12)], ids=["int", "Fraction"])
def test_marginals_order_and_positive_amounts(unit):
    rng = Random("corner")
    for _ in range(500):
        supply, demand = random_sides(rng, unit)  # zeros among them
        edges = corner(supply, demand)
        for axis, side in ((0, supply), (1, demand)):
            assert side == [sum(e[2] for e in edges if e[axis] == k) for k in range(len(side))]
        places = [edge[:2] for edge in edges]
        assert places == sorted(set(places))
        columns = [j for _, j in places]
        assert columns == sorted(columns)
        assert all(amount > 0 for *_, amount in edges)


def test_rows_with_more_than_the_columns_take_are_an_error():
    with pytest.raises(IndexError):
        corner([2], [1])
