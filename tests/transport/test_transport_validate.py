"""Planted defects in plans, each caught and named; verdicts against every vertex."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest
import transport_oracles as slow

from pfverify import Discrete, InputError
from pfverify.transport.cost import w_1
from pfverify.transport.line import monotone_plan
from pfverify.transport.metric import (
    AbsoluteDifference,
    Distance,
    EuclideanPlane,
    GraphMetric,
    TableMetric,
)
from pfverify.transport.optimality import optimality
from pfverify.transport.plan import Plan, plan_of_line, plan_of_masses
from pfverify.transport.validate import PROPERTIES, validate_plan

LINE = AbsoluteDifference()
P = {0: "1/4", 1: "1/4", 2: "1/2"}
Q = {1: "1/2", 2: "1/4", 4: "1/4"}
GOOD = {(0, 1): "1/4", (1, 1): "1/4", (2, 2): "1/4", (2, 4): "1/4"}


def names(edges):
    return [(edge.row, edge.column) for edge in edges]


def test_a_good_plan_has_every_property_but_connection():
    report = validate_plan(plan_of_masses(GOOD), P, Q, LINE, within=2)
    verdicts = {name: report.holds(name) for name in PROPERTIES}
    assert verdicts == dict.fromkeys(PROPERTIES, True) | {"connected": False}
    assert report.components == (((0, 1), (1,)), ((2,), (2, 4)))
    assert (report.longest.row, report.longest.column) == (2, 4)
    assert report.longest.distance == 2
    assert report.heaviest.mass == Fraction(1, 4)
    bare = validate_plan(plan_of_masses(GOOD), P, Q)
    assert [bare.holds(name) for name in ("support", "optimal")] == [None, None]
    assert bare.longest is None


def test_planted_wrong_mass_is_named_with_its_residual():
    wrong = plan_of_masses(GOOD | {(2, 4): "1/5", (2, 7): "1/100"})
    report = validate_plan(wrong, P, Q, LINE)
    assert report.holds("marginals") is False
    assert [(r.point, r.excess) for r in report.rows] == [(2, Fraction(-1, 25))]
    assert [(r.point, r.found, r.expected) for r in report.columns] == [
        (4, Fraction(1, 5), Fraction(1, 4)),
        (7, Fraction(1, 100), 0),
    ]
    assert (report.heaviest.row, report.heaviest.column) == (0, 1)
    heavy = validate_plan(plan_of_masses(GOOD | {(2, 2): "1/3"}), P, Q)
    assert (heavy.heaviest.row, heavy.heaviest.column, heavy.heaviest.mass) == (
        2,
        2,
        Fraction(1, 3),
    )
    missing = plan_of_masses({edge: m for edge, m in GOOD.items() if edge[0] != 0})
    assert [(r.point, r.found) for r in validate_plan(missing, P, Q).rows] == [(0, 0)]


def test_planted_wrong_edge_is_named():
    plan = plan_of_masses(GOOD)
    relation = [edge for edge in GOOD if edge != (2, 4)]
    outside = validate_plan(plan, P, Q, LINE, relation=relation)
    assert outside.holds("support") is False
    assert names(outside.outside) == [(2, 4)]
    short = validate_plan(plan, P, Q, LINE, within=Fraction(1))
    assert names(short.outside) == [(2, 4)]
    both = validate_plan(plan, P, Q, LINE, relation=[*GOOD][1:], within=1)
    assert names(both.outside) == [(0, 1), (2, 4)]
    root = plan_of_masses({((0, 0), (1, 1)): 1})
    laws = {(0, 0): 1}, {(1, 1): 1}
    plane = EuclideanPlane()
    close = Fraction(665857, 470832)
    assert validate_plan(root, *laws, plane, within=close).holds("support") is True
    assert validate_plan(root, *laws, plane, within=2 / close).holds("support") is False
    limit = Distance(Fraction(2))
    assert validate_plan(root, *laws, plane, within=limit).holds("support") is True


def test_planted_crossing_is_named():
    crossed = plan_of_masses({(0, 4): "1/4", (1, 1): "1/4", (2, 1): "1/4", (2, 2): "1/4"})
    report = validate_plan(crossed, P, Q, LINE)
    assert report.holds("marginals") is True
    assert report.holds("monotone") is False
    (x, y), (u, v) = names(report.crossing)
    assert x < u
    assert y > v
    names_only = validate_plan(plan_of_masses({("a", "b"): 1}), {"a": 1}, {"b": 1})
    assert names_only.holds("monotone") is None


def test_crossings_against_all_pairs():
    rng = Random(2)
    seen = set()
    for _ in range(300):
        edges = {
            (Fraction(rng.randint(0, 3)), Fraction(rng.randint(0, 3))): Fraction(rng.randint(1, 3))
            for _ in range(rng.randint(1, 5))
        }
        plan = plan_of_masses(edges)
        order = list(range(len(plan.rows)))  # the order of the rows of a plan is free
        rng.shuffle(order)
        plan = Plan(
            tuple(plan.rows[k] for k in order),
            plan.columns,
            tuple(sorted((order.index(i), j, m) for i, j, m in plan.edges)),
            plan.total,
        )
        report = validate_plan(plan, plan.row_sums(), plan.column_sums())
        crossing = any((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(edges, 2))
        assert report.holds("monotone") == (not crossing)
        seen.add(crossing)
        if crossing:
            (x, y), (u, v) = names(report.crossing)
            assert {(x, y), (u, v)} <= set(edges)
            assert x < u
            assert y > v
    assert seen == {True, False}


def test_planted_cycle_in_the_support_is_named():
    square = plan_of_masses({(x, y): "1/4" for x in (0, 1) for y in (0, 1)})
    half = {0: "1/2", 1: "1/2"}
    report = validate_plan(square, half, half, LINE)
    assert report.holds("forest") is False
    assert sorted(names(report.cycle)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    rng = Random(4)
    for _ in range(3):
        p, q = slow.random_table(rng, list("abcd")), slow.random_table(rng, list("wxyz"))
        tree = next(iter(slow.vertices(list(p.values()), list(q.values()))))
        plan = plan_of_masses({("abcd"[i], "wxyz"[j]): m for (i, j), m in tree.items()})
        assert validate_plan(plan, p, q).holds("forest") is True
        other = list(slow.vertices(list(p.values()), list(q.values())))[-1]
        mixed = {edge: (tree.get(edge, 0) + other.get(edge, 0)) / 2 for edge in tree | other}
        between = plan_of_masses({("abcd"[i], "wxyz"[j]): m for (i, j), m in mixed.items()})
        report = validate_plan(between, p, q)
        assert report.holds("forest") is False  # a midpoint of two vertices is none
        edges = names(report.cycle)
        assert len(edges) == len(set(edges)) >= 4
        assert set(edges) <= set(between.masses())
        for one, two in zip(edges, edges[1:] + edges[:1], strict=True):
            assert (one[0] == two[0]) != (one[1] == two[1])


def check_negative_cycle(plan, metric, cycle):
    masses = plan.masses()
    assert all(edge in masses for edge in cycle.removed)
    assert cycle.saving > 0
    for side in (0, 1):
        assert sorted(e[side] for e in cycle.removed) == sorted(e[side] for e in cycle.added)
    bits = 300
    saved = sum(metric.distance(*e).lower(bits) for e in cycle.removed)
    saved -= sum(metric.distance(*e).upper(bits) for e in cycle.added)
    assert saved >= cycle.saving - Fraction(1, 2**50)
    assert saved > 0


@pytest.mark.parametrize("kind", ["line", "plane", "table", "graph"])
def test_optimality_against_the_cheapest_vertex(kind):
    rng = Random(f"optimal {kind}")
    answers = []
    for _ in range(25):
        n, m = rng.randint(2, 3), rng.randint(2, 4)
        if kind == "line":
            xs, ys, metric = slow.line(rng, n), slow.line(rng, m), LINE
        elif kind == "plane":
            xs, ys, metric = slow.plane(rng, n, 3), slow.plane(rng, m, 3), EuclideanPlane()
        else:
            table = slow.closed_table(rng, list("abcdefg"))
            xs, ys = rng.sample("abcdefg", n), rng.sample("abcdefg", m)
            metric = TableMetric(table)
            if kind == "graph":
                metric = GraphMetric([(x, y, d) for (x, y), d in table.items() if x < y])
        p, q = slow.random_table(rng, xs), slow.random_table(rng, ys)
        cost = (
            (lambda x, y, d=metric.distance: d(x, y).lower(300)) if kind == "plane" else metric.key
        )
        best = slow.best_cost(p, q, cost)
        for vertex in rng.sample(list(slow.vertices(list(p.values()), list(q.values()))), 2):
            plan = plan_of_masses({(xs[i], ys[j]): mass for (i, j), mass in vertex.items()})
            value = sum(mass * cost(*edge) for edge, mass in plan.masses().items())
            found = optimality(plan, metric)
            optimal = value - best < Fraction(1, 2**200)
            answers.append(optimal)
            assert found.optimal is optimal
            if optimal:
                check_dual(plan, metric, found, exact=kind != "plane")
                assert found.gap == 0
            else:
                check_negative_cycle(plan, metric, found.cycle)
    assert set(answers) == {True, False}


def check_dual(plan, metric, found, *, exact):
    u = dict(zip(plan.rows, found.potential.rows, strict=True))
    v = dict(zip(plan.columns, found.potential.columns, strict=True))
    assert all(metric.distance(x, y) >= u[x] + v[y] for x in u for y in v)
    if exact:
        assert all(metric.key(x, y) == u[x] + v[y] for x, y in plan.masses())


def test_planted_negative_cycle_of_three_edges():
    """Rotations by one step are cheap, so only the cycle through all three edges saves."""
    ring = {}
    for k in range(3):
        ring[f"x{k}", f"y{k}"] = 3
        ring[f"x{k}", f"y{(k + 1) % 3}"] = 2
        ring[f"x{k}", f"y{(k + 2) % 3}"] = 4
    same = {pair: 3 for side in "xy" for pair in combinations([f"{side}{k}" for k in range(3)], 2)}
    metric = TableMetric(ring | same)
    plan = plan_of_masses({(f"x{k}", f"y{k}"): "1/3" for k in range(3)})
    laws = plan.row_sums(), plan.column_sums()
    report = validate_plan(plan, *laws, metric)
    assert report.holds("optimal") is False
    cycle = report.optimality.cycle
    assert set(cycle.removed) == {(f"x{k}", f"y{k}") for k in range(3)}
    assert set(cycle.added) == {(f"x{k}", f"y{(k + 1) % 3}") for k in range(3)}
    assert cycle.saving == 3
    assert w_1(*laws, metric).value == 2


def test_ties_of_square_roots_are_decided():
    """Both diagonals of lattice squares cost the same: optimal, proved by exact zero sums."""
    plane = EuclideanPlane()
    sides = {(0, 0): "1/2", (1, 1): "1/2"}, {(1, 0): "1/2", (0, 1): "1/2"}
    for pairs in permutations([(1, 0), (0, 1)]):
        plan = plan_of_masses(dict.fromkeys(zip([(0, 0), (1, 1)], pairs, strict=True), "1/2"))
        assert validate_plan(plan, *sides, plane).holds("optimal") is True
    # a sqrt(k) + 3a sqrt(k) = 2 * 2a sqrt(k): equal sums with different radicands, on one line
    for a, b in product(range(1, 6), repeat=2):
        at = [(k * a, k * b) for k in range(4)]
        for ends in permutations(at[2:]):
            plan = plan_of_masses(dict.fromkeys(zip(at[:2], ends, strict=True), "1/2"))
            found = optimality(plan, plane)
            assert found.optimal is True
            assert found.gap == 0
    # all of a 4 x 4 lattice to itself moved by (1, 0): thousands of ties, optimal
    grid = [(a, b) for a in range(4) for b in range(4)]
    plan = plan_of_masses({((a, b), (a + 1, b)): "1/16" for a, b in grid})
    assert optimality(plan, plane).optimal is True
    swap = {((0, 0), (2, 0)): "1/16", ((1, 0), (1, 0)): "1/16"}
    rest = {((a, b), (a + 1, b)): "1/16" for a, b in grid if (a, b) not in [(0, 0), (1, 0)]}
    assert optimality(plan_of_masses(swap | rest), plane).optimal is True
    worse = {((0, 0), (2, 0)): "1/16", ((1, 0), (1, 1)): "1/16", ((0, 1), (1, 0)): "1/16"}
    rest = {edge: m for edge, m in rest.items() if edge[0] != (0, 1)}
    bad = optimality(plan_of_masses(worse | rest), plane)
    assert bad.optimal is False
    check_negative_cycle(plan_of_masses(worse | rest), plane, bad.cycle)


@pytest.mark.parametrize("offset", range(16))
def test_costs_that_differ_in_the_23rd_digit_are_told_apart(offset):
    """Far away, swapping the ends saves about 1 / (2 s**2): 64 bits cannot see it."""
    s = 10**11 + 977 * offset
    x, z, near, far = (0, 0), (0, 1), (s, offset), (s + 1, offset)
    plane = EuclideanPlane()
    plans = [plan_of_masses({(x, a): "1/2", (z, b): "1/2"}) for a, b in permutations([near, far])]
    costs = [sum(plane.distance(*e).lower(400) for e in plan.masses()) for plan in plans]
    good, bad = sorted(plans, key=lambda plan: costs[plans.index(plan)])
    assert optimality(good, plane).optimal is True
    found = optimality(bad, plane)
    assert found.optimal is False
    assert set(found.cycle.added) == set(good.masses())
    assert 0 < found.cycle.saving < Fraction(20, s**2)


def test_two_crossed_unit_moves_are_the_smallest_negative_cycle():
    found = optimality(Plan((0, 1), (0, 1), ((0, 1, 1), (1, 0, 1)), 2), LINE)
    assert (found.optimal, found.gap, found.potential) == (False, None, None)
    assert set(found.cycle.removed) == {(0, 1), (1, 0)}
    assert set(found.cycle.added) == {(0, 0), (1, 1)}
    assert found.cycle.saving == 2


def test_optimality_is_for_the_plans_own_marginals():
    plan = plan_of_masses({(0, 1): 5})
    report = validate_plan(plan, {0: 1}, {1: 1}, LINE)
    assert report.holds("marginals") is False
    assert report.holds("optimal") is True


def test_large_plans_of_the_line_stay_quick():
    rng = Random(9)
    p, q = (
        Discrete(counts={rng.randrange(10**6): rng.randint(1, 99) for _ in range(2000)})
        for _ in range(2)
    )
    plan = plan_of_line(monotone_plan(p, q))
    report = validate_plan(plan, p, q, LINE)
    assert [report.holds(k) for k in ("marginals", "forest", "monotone", "optimal")] == [True] * 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda plan: validate_plan(plan, P, {1: "1/2"}), "difference 1/2, expected 0"),
        (lambda plan: validate_plan(plan, P, Q, within=1), "needs a metric"),
        (lambda plan: validate_plan(plan, P, Q, LINE, within=-1), "within: -1, expected"),
        (lambda plan: validate_plan(plan, P, Q, relation=[(0, 9)]), "unknown point 9"),
        (lambda plan: validate_plan(plan, P, Q, EuclideanPlane()), "is not a pair"),
        (lambda plan: validate_plan(plan, P, Q).holds("tree"), "property tree, expected one of"),
        (lambda plan: validate_plan(Plan((), (), (), 1), P, Q), "no edges"),
    ],
)
def test_bad_input_is_one_line(call, message):
    with pytest.raises(InputError) as caught:
        call(plan_of_masses(GOOD))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
