"""Cancelling cycles keeps the sums and the relation, and ends on a forest."""

from __future__ import annotations

from random import Random

from pfverify.transport.forest import without_cycles
from pfverify.transport.plan import Plan
from pfverify.transport.validate import validate_plan


def test_cycles_are_cancelled_inside_the_support():
    rng = Random(11)
    shorter = 0
    for _ in range(200):
        n, m = rng.randint(1, 7), rng.randint(1, 7)
        pairs = [(i, j) for i in range(n) for j in range(m)]
        chosen = sorted(rng.sample(pairs, rng.randint(1, len(pairs))))
        edges = [(i, j, rng.randint(1, 5)) for i, j in chosen]
        rng.shuffle(edges)
        found = without_cycles(edges, n)
        rows, columns = tuple(f"x{i}" for i in range(n)), tuple(f"y{j}" for j in range(m))
        before, after = (Plan(rows, columns, tuple(sorted(e)), 1) for e in (edges, found))
        assert after.row_sums() == before.row_sums()
        assert after.column_sums() == before.column_sums()
        assert set(after.masses()) <= set(before.masses())
        assert validate_plan(after, before.row_sums(), before.column_sums()).holds("forest")
        assert len(found) <= n + m - 1
        shorter += len(found) < len(edges)
    assert 50 < shorter < 200
