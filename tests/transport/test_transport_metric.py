"""Exact comparisons of distances, and tables that are no metric."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
import transport_oracles as slow

from pfverify import InputError
from pfverify.transport.metric import (
    AbsoluteDifference,
    Distance,
    EuclideanPlane,
    GraphMetric,
    TableMetric,
)


def test_distances_compare_without_rounding():
    root = Distance(Fraction(2))
    close = Fraction(665857, 470832)  # a convergent above sqrt(2), nearer than 1e-11
    assert root < close
    assert not root >= close
    assert root > Fraction(470832 * 2, 665857)
    assert root > -5
    assert not root < -5
    assert Distance(Fraction(9, 4)) == Fraction(3, 2)
    assert Distance(Fraction(9, 4)) != Fraction(-3, 2)
    assert hash(Distance(Fraction(9, 4))) == hash(Fraction(3, 2))
    assert (str(root), str(Distance(Fraction(9, 4)))) == ("sqrt(2)", "3/2")
    assert root.value is None
    for bits in (1, 10, 70):
        low, high = root.lower(bits), root.upper(bits)
        assert low**2 < 2 < high**2
        assert high - low == Fraction(1, 2**bits)
    assert Distance(Fraction(4)).lower(3) == Distance(Fraction(4)).upper(3) == 2
    assert Distance(Fraction(1, 9)).lower(3) < Fraction(1, 3) < Distance(Fraction(1, 9)).upper(3)


def test_grids_agree_with_keys():
    rng = Random(7)
    table = slow.closed_table(rng, list("abcd"))
    for metric, xs, ys in [
        (AbsoluteDifference(), slow.line(rng, 4), slow.line(rng, 3)),
        (EuclideanPlane(), slow.plane(rng, 4), slow.plane(rng, 5)),
        (TableMetric(table), list("abc"), list("bd")),
        (
            GraphMetric([(x, y, d) for (x, y), d in table.items() if x != y]),
            list("ab"),
            list("cda"),
        ),
    ]:
        grid = metric.grid(xs, ys)
        assert (grid.height, grid.width) == (len(xs), len(ys))
        for (i, x), (j, y) in product(enumerate(xs), enumerate(ys)):
            key = grid.row(i)[j]
            assert type(key) is int
            assert Fraction(key, grid.scale) == metric.key(x, y)
            assert grid.distance(key) == metric.distance(x, y)
            low = grid.cost_lower(i, 30)[j] * grid.unit(30)
            assert metric.distance(x, y) >= low
            assert metric.distance(x, y) < low + Fraction(1, 2**30)


def test_a_graph_metric_is_the_closure_of_its_lengths():
    table = slow.closed_table(Random(3), list("abcde"))
    metric = GraphMetric([(x, y, d) for (x, y), d in table.items() if x < y])
    assert all(metric.key(x, y) == d for (x, y), d in table.items())
    ring = GraphMetric(
        [("a", "b", 1), ("b", "c", "1/2"), ("c", "d", 1), ("d", "a", 9), ("a", "d", 2)]
    )
    assert ring.key("a", "d") == 2
    assert ring.key("a", "c") == Fraction(3, 2)


def test_planted_triple_is_named():
    table = slow.closed_table(Random(5), list("abcd"))
    TableMetric(table)
    longest = table["a", "b"] + table["b", "c"]
    broken = table | {("a", "c"): longest + Fraction(1, 7), ("c", "a"): longest + Fraction(1, 7)}
    with pytest.raises(InputError) as caught:
        TableMetric(broken)
    text = str(caught.value)
    assert "not a metric" in text
    assert "d(a, c)" in text or "d(c, a)" in text
    near = [y for y in "bd" if table["a", y] + table[y, "c"] < broken["a", "c"]]
    assert any(f"d(a, {y})" in text or f"d(c, {y})" in text for y in near)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({("a", "b"): -1}, "d(a, b) is -1, expected a number > 0"),
        ({("a", "b"): 0}, "d(a, b) is 0, expected a number > 0"),
        ({("a", "a"): 1, ("a", "b"): 1}, "d(a, a) is 1, expected 0"),
        ({("a", "b"): 1, ("b", "a"): 2}, "d(b, a) is 2 but d(a, b) is 1"),
        ({("a", "b"): 1, ("b", "c"): 1}, "d(a, c) is missing"),
        ({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 3}, "d(a, c) = 3 > d(a, b) + d(b, c) = 2"),
        ({("a", "b"): 0.5}, "0.5 is a float"),
        ({"ab": 1}, "expected a pair"),
    ],
)
def test_tables_that_are_no_metric(table, message):
    with pytest.raises(InputError) as caught:
        TableMetric(table)
    assert message in str(caught.value)


def test_graphs_and_points_that_cannot_be_used():
    with pytest.raises(InputError, match="a - b is 0, expected a number > 0"):
        GraphMetric([("a", "b", 0)])
    with pytest.raises(InputError, match="no edges"):
        GraphMetric([])
    two = GraphMetric([("a", "b", 1), ("c", "d", 1)])
    with pytest.raises(InputError, match="no path from a to c"):
        two.key("a", "c")
    with pytest.raises(InputError, match="z is not one of its points"):
        two.key("a", "z")
    with pytest.raises(InputError, match="a is not a number"):
        AbsoluteDifference().key("a", Fraction(1))
    with pytest.raises(InputError, match="1 is not a pair"):
        EuclideanPlane().key(Fraction(1), (Fraction(1), Fraction(1)))
