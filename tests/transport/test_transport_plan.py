"""Sparse exact plans: sums, views, the way from the line, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from line_forms import delta_star, mixed_difference_plan
from support import oracles

from pfverify import Discrete, InputError
from pfverify.transport.line import monotone_plan
from pfverify.transport.plan import Plan, plan_of_line, plan_of_masses

counts = st.dictionaries(
    st.fractions(min_value=-9, max_value=9, max_denominator=6),
    st.integers(1, 9),
    min_size=1,
    max_size=9,
)


@given(counts, counts)
@settings(max_examples=40, deadline=None)
def test_mixed_difference_is_the_monotone_plan(first, second):
    p, q = Discrete(counts=first), Discrete(counts=second)
    assert mixed_difference_plan(p, q) == monotone_plan(p, q)


@given(counts, counts)
@settings(max_examples=25, deadline=None)
def test_mixed_difference_by_the_dense_formula(first, second):
    p, q = Discrete(counts=first), Discrete(counts=second)

    def below(prior, x):
        return sum((m for a, m in prior.mass.items() if a <= x), Fraction(0))

    dense = {}
    for (i, x), (j, y) in product(enumerate(p.atoms), enumerate(q.atoms)):
        f0 = below(p, p.atoms[i - 1]) if i else Fraction(0)
        g0 = below(q, q.atoms[j - 1]) if j else Fraction(0)
        f1, g1 = below(p, x), below(q, y)
        if mass := min(f1, g1) - min(f0, g1) - min(f1, g0) + min(f0, g0):
            dense[x, y] = mass
    plan = plan_of_line(mixed_difference_plan(p, q))
    assert plan.masses() == dense
    moves = {x: max(abs(x - y) for z, y in dense if z == x) for x in p.atoms}
    assert delta_star(p, q) == moves


def test_plan_of_the_line_keeps_everything():
    rng = Random(1)
    for kind in oracles.KINDS:
        p, q = (Discrete(t) for t in oracles.random_pair(rng, kind))
        line = monotone_plan(p, q)
        plan = plan_of_line(line)
        assert plan.row_sums() == p.mass
        assert plan.column_sums() == q.mass
        assert len(plan.edges) == len(line.edges)
        assert plan.total == line.total
        assert plan_of_masses(plan.masses()).masses() == plan.masses()


def test_graph_has_integer_capacities_and_both_sides():
    plan = Plan(("a", "b"), ("b", "c"), ((0, 0, 1), (0, 1, 3), (1, 1, 4)), 8)
    graph = plan.graph()
    assert graph.graph["total"] == 8
    assert graph.nodes["row", 1] == {"point": "b", "bipartite": 0}
    assert graph.nodes["column", 0] == {"point": "b", "bipartite": 1}
    capacities = {frozenset(edge[:2]): edge[2]["capacity"] for edge in graph.edges(data=True)}
    assert capacities == {
        frozenset([("row", 0), ("column", 0)]): 1,
        frozenset([("row", 0), ("column", 1)]): 3,
        frozenset([("row", 1), ("column", 1)]): 4,
    }
    assert all(type(c) is int for c in capacities.values())
    assert plan.row_sums() == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert plan.column_sums() == {"b": Fraction(1, 8), "c": Fraction(7, 8)}
    empty = Plan(("a",), ("b", "c"), ((0, 1, 1),), 1)
    assert empty.column_sums() == {"b": 0, "c": 1}


def test_numbers_become_fractions_at_the_door():
    plan = Plan((0, 1), ((0, "1/2"),), ((0, 0, 1),), 1)
    assert [type(x) for x in plan.rows] == [Fraction, Fraction]
    assert plan.columns == ((Fraction(0), Fraction(1, 2)),)
    assert plan == Plan((Fraction(0), Fraction(1)), plan.columns, ((0, 0, 1),), 1)
    with pytest.raises(InputError, match=r"plan: row: 0\.5 is a float"):
        Plan((0.5,), (1,), ((0, 0, 1),), 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((("a", "a"), ("b",), ((0, 0, 1),), 1), "a row stands there twice"),
        ((("a",), ("b",), ((0, 0, 1),), 0), "total 0"),
        ((("a",), ("b",), ((0, 0, 1),), 1.0), "total 1.0"),
        ((("a",), ("b",), ((0, 0, 0),), 1), "mass 0"),
        ((("a",), ("b",), ((0, 0, 0.5),), 1), "mass 0.5"),
        ((("a",), ("b",), ((0, 1, 1),), 1), "leaves the table"),
        ((("a",), ("b",), ((0, 0, 1), (0, 0, 1)), 2), "repeated or out of order"),
        ((("a",), ("b", "c"), ((0, 1, 1), (0, 0, 1)), 2), "repeated or out of order"),
    ],
)
def test_broken_plans_are_refused(arguments, message):
    with pytest.raises(InputError) as caught:
        Plan(*arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("masses", "message"),
    [
        ({("a", "b"): "-1/3"}, "mass of edge a -> b is -1/3, expected"),
        ({("a", "b"): "nan"}, "NaN and infinity are not numbers"),
        ({("a", "b"): 0.25}, "0.25 is a float"),
        ([("a", "b", 1), ("a", "b", 1)], "a -> b stands there twice"),
        ({}, "no edges"),
        ({((1, 2, 3), "b"): 1}, "expected a pair of coordinates"),
        ([("a", "b", 1), (1, "b", 1)], "all numbers, all pairs or all names"),
    ],
)
def test_bad_tables_of_masses_are_one_line(masses, message):
    with pytest.raises(InputError) as caught:
        plan_of_masses(masses)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
