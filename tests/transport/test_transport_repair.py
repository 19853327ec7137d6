"""Float plans made exact: nearest on their support, or the set that says why there is none."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import transport_oracles as slow
from scipy.optimize import linprog

from pfverify import InputError
from pfverify.transport.metric import EuclideanPlane
from pfverify.transport.repair import NoPlanError, repaired
from pfverify.transport.validate import validate_plan


def moved(plan, given):
    masses = plan.masses()
    return sum(abs(masses.get(edge, 0) - Fraction(m)) for edge, m in given.items())


def test_a_forest_has_one_plan():
    rng = Random(1)
    for _ in range(4):
        p, q = slow.random_table(rng, list("abcd")), slow.random_table(rng, list("wxyz"))
        vertex = rng.choice(list(slow.vertices(list(p.values()), list(q.values()))))
        exact = {("abcd"[i], "wxyz"[j]): m for (i, j), m in vertex.items()}
        given = {edge: float(m) * (1 + rng.uniform(-1e-9, 1e-9)) for edge, m in exact.items()}
        plan = repaired(given, p, q)
        assert plan.masses() == dict(sorted(exact.items()))


def test_pot_plans_become_exact_and_optimal(ot):
    rng = Random(2)
    p = slow.random_table(rng, slow.plane(rng, 9, 8), 30)
    q = slow.random_table(rng, slow.plane(rng, 8, 8), 30)
    x, y = (np.array([[float(c) for c in point] for point in side]) for side in (p, q))
    a, b = (np.array([float(m) for m in side.values()]) for side in (p, q))
    dense = ot.emd(a, b, ot.dist(x, y, metric="euclidean"))
    given = {
        (s, t): float(dense[i, j])
        for i, s in enumerate(p)
        for j, t in enumerate(q)
        if dense[i, j] > 1e-12
    }
    report = validate_plan(repaired(given, p, q), p, q, EuclideanPlane())
    assert report.holds("marginals")
    assert report.holds("optimal") is True
    assert report.holds("forest") is True


def test_nearest_on_a_support_with_cycles():
    """Against scipy: minimise sum |x - given| with the marginals, as a float programme."""
    rng = Random(3)
    for _ in range(25):
        p, q = slow.random_table(rng, list("abc")), slow.random_table(rng, list("xyz"))
        given = {(s, t): float(p[s] * q[t]) * rng.uniform(0.5, 1.5) for s in p for t in q}
        plan = repaired(given, p, q)
        assert plan.row_sums() == p
        assert plan.column_sums() == q
        assert set(plan.masses()) <= set(given)
        edges = list(given)
        rows = [[float(e[0] == s) for e in edges] for s in p]
        rows += [[float(e[1] == t) for e in edges] for t in q]
        block = np.array(rows)
        found = linprog(
            np.ones(2 * len(edges)),
            A_eq=np.hstack([block, -block]),
            b_eq=np.array([float(m) for m in (*p.values(), *q.values())])
            - block @ np.array(list(given.values())),
            bounds=[(0, None)] * len(edges) + [(0, given[e]) for e in edges],
        )
        assert float(moved(plan, given)) == pytest.approx(found.fun, abs=1e-9)


def test_an_exact_plan_is_left_alone():
    square = {(s, t): Fraction(1, 4) for s in "ab" for t in "xy"}
    half = {"a": "1/2", "b": "1/2"}, {"x": "1/2", "y": "1/2"}
    assert repaired(square, *half).masses() == square
    assert repaired(repaired(square, *half), *half).masses() == square
    floats = [(s, t, 0.25) for s in "ab" for t in "xy"]
    assert repaired(floats, *half).masses() == square


def test_a_support_without_a_plan_gives_its_hall_set():
    p, q = {"a": "2/3", "b": "1/3"}, {"x": "1/3", "y": "2/3"}
    given = {("a", "x"): 0.34, ("b", "x"): 1e-17, ("b", "y"): 0.66}
    with pytest.raises(NoPlanError, match=r"carries no exact plan, since the rows \{a\}") as caught:
        repaired(given, p, q)
    hall = caught.value.hall
    assert (hall.event, hall.mass, hall.reachable) == (("a",), Fraction(2, 3), Fraction(1, 3))
    hall.check(p, q, lambda x, y: (x, y) in given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({("a", "x"): float("nan")}, "a -> x is nan, expected a finite number"),
        ({("a", "x"): float("inf")}, "a -> x is inf, expected a finite number"),
        ({("a", "x"): -1e-9}, "a -> x is -"),
        ({("a", "x"): "nan"}, "NaN and infinity are not numbers"),
        ({("a", "z"): 0.5}, "a -> z has mass, but z has none"),
        ([("a", "x", 1.0), ("a", "x", 1.0)], "stands there twice"),
    ],
)
def test_bad_float_plans_are_one_line(given, message):
    with pytest.raises(InputError) as caught:
        repaired(given, {"a": 1}, {"x": 1})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_zero_masses_may_stand_anywhere():
    assert repaired({("a", "x"): 1.0, ("z", "x"): 0.0}, {"a": 1}, {"x": 1}).total == 1
