"""W1 and W-infinity against every vertex of small polytopes, and against POT in floats."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
import transport_oracles as slow

from pfverify import Discrete, InputError
from pfverify.transport.cost import w_1
from pfverify.transport.flow import w_infinity
from pfverify.transport.line import monotone_plan
from pfverify.transport.metric import AbsoluteDifference, EuclideanPlane, GraphMetric, TableMetric
from pfverify.transport.mincost import CheapestFlow, cheapest
from pfverify.transport.validate import validate_plan

NAMES = list("abcdefgh")
SHAPES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4)]


def instance(kind, rng, n, m):
    if kind == "line":
        p, q = slow.line(rng, n), slow.line(rng, m)
        metric = AbsoluteDifference()
    elif kind == "plane":
        p, q = slow.plane(rng, n), slow.plane(rng, m)
        metric = EuclideanPlane()
    else:
        p, q = rng.sample(NAMES, n), rng.sample(NAMES, m)
        table = slow.closed_table(rng, NAMES)
        metric = TableMetric(table)
        if kind == "graph":
            metric = GraphMetric([(x, y, d) for (x, y), d in table.items() if x < y])
    return slow.random_table(rng, p), slow.random_table(rng, q), metric


def check_w_infinity(p, q, metric, found):
    report = validate_plan(found.plan, p, q, metric, within=found.distance)
    assert report.holds("marginals")
    assert report.holds("support")
    assert report.longest.distance == found.distance
    assert report.holds("forest")
    if found.distance == 0:
        assert found.hall is None
        return
    event = set(found.hall.event)
    near = {y for y in q if any(metric.distance(x, y) < found.distance for x in event)}
    assert near == set(found.hall.neighbours)
    assert sum(p[x] for x in event) == found.hall.mass
    assert sum(q[y] for y in near) == found.hall.reachable
    assert found.hall.mass > found.hall.reachable
    found.hall.check(p, q, lambda x, y: metric.distance(x, y) < found.distance)


@pytest.mark.parametrize("kind", ["line", "plane", "table", "graph"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_w_infinity_against_all_vertices(kind, shape):
    rng = Random(f"infinity {kind} {shape}")
    for _ in range(2 if shape == (4, 4) else 5):
        p, q, metric = instance(kind, rng, *shape)
        found = w_infinity(p, q, metric)
        expected = slow.best_longest(p, q, metric.key)
        assert found.distance.square == (expected if metric.squared else expected**2)
        check_w_infinity(p, q, metric, found)


@pytest.mark.parametrize("kind", ["line", "plane", "table", "graph"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_w_1_against_all_vertices(kind, shape):
    rng = Random(f"one {kind} {shape}")
    for _ in range(2 if shape == (4, 4) else 5):
        p, q, metric = instance(kind, rng, *shape)
        found = w_1(p, q, metric)
        if kind == "plane":
            low = slow.best_cost(p, q, lambda x, y, d=metric.distance: d(x, y).lower(200))
            high = slow.best_cost(p, q, lambda x, y, d=metric.distance: d(x, y).upper(200))
            assert found.lower <= high
            assert found.upper >= low
            assert found.upper - found.lower <= Fraction(1, 2**64)
        else:
            assert found.value == slow.best_cost(p, q, metric.key)
        check_potential(p, q, metric, found)
        assert validate_plan(found.plan, p, q, metric).holds("marginals")
        assert validate_plan(found.plan, p, q, metric).holds("optimal") is True


def check_potential(p, q, metric, found):
    u = dict(zip(found.plan.rows, found.potential.rows, strict=True))
    v = dict(zip(found.plan.columns, found.potential.columns, strict=True))
    for x, y in product(p, q):
        assert metric.distance(x, y) >= u[x] + v[y]
    assert sum(m * u[x] for x, m in p.items()) + sum(m * v[y] for y, m in q.items()) == found.lower
    if found.value is not None and not metric.squared:
        assert all(metric.key(x, y) == u[x] + v[y] for x, y in found.plan.masses())


def test_w_1_of_the_plane_is_exact_for_rational_distances():
    p = {(0, 0): "1/2", (3, 0): "1/2"}
    q = {(3, 4): "1/4", (0, 0): "3/4"}
    found = w_1(p, q, EuclideanPlane())
    assert found.value == Fraction(1, 4) * 4 + Fraction(1, 4) * 3
    rounded = w_1({(0, 0): 1}, {(1, 1): 1}, EuclideanPlane(), bits=20)
    assert rounded.value is None
    assert rounded.lower**2 < 2 < rounded.upper**2
    assert rounded.upper - rounded.lower == Fraction(1, 2**20)


@pytest.mark.parametrize("seed", range(4))
def test_line_against_pot(seed, ot):
    rng = Random(seed)
    size = 200
    p, q = (
        {rng.randrange(-(10**6), 10**6): rng.randint(1, 1000) for _ in range(size)} for _ in "pq"
    )
    first, second = Discrete(counts=p), Discrete(counts=q)
    found = w_1(first, second, AbsoluteDifference())
    arrays = [
        np.array([float(v) for v in side])
        for prior in (first, second)
        for side in (prior.atoms, prior.mass.values())
    ]
    x, a, y, b = arrays
    assert float(found.value) == pytest.approx(ot.emd2_1d(x, y, a, b, metric="cityblock"))
    plan = monotone_plan(first, second)
    sparse = ot.emd_1d(x, y, a, b, metric="cityblock", dense=False).tocoo()
    entries = zip(sparse.row, sparse.col, sparse.data, strict=True)
    theirs = {(i, j): m for i, j, m in entries if m > 1e-12}
    ours = {(i, j): m / found.plan.total for i, j, m in found.plan.edges}
    for edge in theirs.keys() | ours.keys():
        assert theirs.get(edge, 0.0) == pytest.approx(ours.get(edge, 0.0), abs=1e-12)
    general = w_infinity(first, second, AbsoluteDifference())
    assert general.distance == plan.w_infinity()
    assert found.value == plan.w_1()
    check_w_infinity(first.mass, second.mass, AbsoluteDifference(), general)


@pytest.mark.parametrize("seed", range(3))
def test_plane_against_pot(seed, ot):
    rng = Random(seed)
    points = [
        [(Fraction(rng.randrange(1000)), Fraction(rng.randrange(1000))) for _ in range(n)]
        for n in (40, 50)
    ]
    p, q = (slow.random_table(rng, sorted(set(side)), 50) for side in points)
    found = w_1(p, q, EuclideanPlane())
    x, y = (np.array([[float(c) for c in point] for point in side]) for side in (p, q))
    a, b = (np.array([float(m) for m in side.values()]) for side in (p, q))
    cost = ot.dist(x, y, metric="euclidean")
    assert float(found.lower) == pytest.approx(ot.emd2(a, b, cost), rel=1e-9)
    check_potential(p, q, EuclideanPlane(), found)
    # W-infinity as a limit of thresholds: a float plan exists at it, and not just below it
    t = w_infinity(p, q, EuclideanPlane())
    check_w_infinity(p, q, EuclideanPlane(), t)
    limit = float(t.distance.lower())
    for factor, carried in ((1 + 1e-9, True), (1 - 1e-9, False)):
        outside = ot.emd2(a, b, (cost > limit * factor).astype(float))
        assert (outside < 1e-12) == carried


def test_threshold_search_meets_zero_one_point_and_far_points():
    zero = w_infinity({(0, 0): 2}, {(0, 0): 2}, EuclideanPlane())
    assert (zero.distance, zero.hall) == (0, None)
    far = {(0, 0): "1/3", (10**9, 1): "2/3"}
    near = {(0, 0): "2/3", (10**9, 1): "1/3"}
    found = w_infinity(far, near, EuclideanPlane())
    assert found.distance.square == 10**18 + 1
    assert found.hall.event == ((Fraction(10**9), Fraction(1)),)
    assert found.hall.excess == Fraction(1, 3)


def test_column_generation_prices_every_pair(ot):
    """Costs for which the cheapest edges of each row are useless: the rest must join."""
    n = 24
    costs = [[(j - i - 12) % n for j in range(n)] for i in range(n)]
    flat = [[0 if j < 12 else 1000 - i * j % 7 for j in range(n)] for i in range(n)]
    start = [(i, i, 1) for i in range(n)]
    for table in (costs, flat):
        found = cheapest([1] * n, [1] * n, table.__getitem__, start)
        assert found.check([1] * n, [1] * n, table.__getitem__)
        value = sum(found.rows) + sum(found.columns)
        expected = ot.emd2(np.ones(n), np.ones(n), np.array(table, dtype=float))
        assert value == pytest.approx(expected)


def test_reduced_costs_of_minus_one_are_taken_up(ot):
    """i + j + (0 or 1): the edges to begin with are useless, and every gain is a single unit."""
    rng = np.random.default_rng(5)
    n = 20
    for _ in range(5):
        table = np.add.outer(np.arange(n), np.arange(n)) + rng.integers(0, 2, size=(n, n))
        np.fill_diagonal(table, 2 * np.arange(n) + 1)
        costs = table.tolist()
        found = cheapest([1] * n, [1] * n, costs.__getitem__, [(i, i, 1) for i in range(n)])
        assert found.check([1] * n, [1] * n, costs.__getitem__)
        value = sum(found.rows) + sum(found.columns)
        assert value == pytest.approx(ot.emd2(np.ones(n), np.ones(n), table.astype(float)))


def test_optimum_check_sees_each_defect():
    cost = [[0, 3], [3, 0]]
    good = CheapestFlow(((0, 0, 1), (1, 1, 1)), (0, 0), (0, 0))
    assert good.check([1, 1], [1, 1], cost.__getitem__)
    assert not good.check([1, 2], [1, 2], cost.__getitem__)
    assert not good.check([1, 1], [1, 1], [[0, 3], [3, 1]].__getitem__)
    assert not good.check([1, 1], [1, 1], [[0, -1], [3, 0]].__getitem__)
    lent = CheapestFlow(((0, 0, 2), (0, 1, -1), (1, 1, 2)), (0, 0), (0, 0))
    assert not lent.check([1, 2], [2, 1], [[0, 0], [0, 0]].__getitem__)


@pytest.mark.parametrize("function", [w_1, w_infinity])
def test_bad_laws_are_one_line(function):
    metric = TableMetric({("a", "b"): 1})
    for p, q, message in [
        ({"a": 1}, {"b": "1/2"}, "difference 1/2, expected 0"),
        ({"a": 1, "b": "-1/2"}, {"b": "1/2"}, "first law: mass of b is -1/2, expected"),
        ({"a": 1}, {"b": "nan"}, "second law: mass of b: cannot read 'nan'"),
        ({"a": 1}, {"b": float("nan")}, "nan is a float"),
        ({"a": 1}, {"c": 1}, "c is not one of its points"),
        ({"a": 0}, {"b": 0}, "no point has positive mass"),
        ({"a": 1}, {"a": 1, Fraction(1): 0}, "all numbers, all pairs or all names"),
        ({"a": 1}, [("a", 1)], "expected a table"),
    ]:
        with pytest.raises(InputError) as caught:
            function(p, q, metric)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
