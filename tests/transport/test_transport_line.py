"""The monotone plan: marginals, order, and optimal costs against distribution functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from line_forms import mixed_difference_plan
from support import oracles

from pfverify import Discrete
from pfverify.transport.arrays import monotone_arrays
from pfverify.transport.line import monotone_plan


def w_1_by_distribution_functions(p: oracles.Table, q: oracles.Table) -> Fraction:
    atoms = oracles.support(p, q)
    total = Fraction(0)
    for low, high in pairwise(atoms):
        f, g = (sum((m for a, m in t.items() if a <= low), Fraction(0)) for t in (p, q))
        total += abs(f - g) * (high - low)
    return total


def w_infinity_by_thresholds(p: oracles.Table, q: oracles.Table) -> Fraction:
    """The least t with F(x) <= G(x + t) and G(x) <= F(x + t) for all x (Strassen)."""

    def below(table: oracles.Table, x: Fraction) -> Fraction:
        return sum((m for a, m in table.items() if a <= x), Fraction(0))

    for t in sorted({abs(a - b) for a in p for b in q}):
        if all(below(p, x) <= below(q, x + t) for x in p) and all(
            below(q, x) <= below(p, x + t) for x in q
        ):
            return t
    raise AssertionError("unreachable")


@pytest.mark.parametrize("kind", oracles.KINDS)
def test_plan_is_a_monotone_optimal_coupling(kind: str) -> None:
    rng = Random(f"plan {kind}")
    for _ in range(60):
        p, q = oracles.random_pair(rng, kind)
        plan = monotone_plan(Discrete(p), Discrete(q))
        sides: tuple[oracles.Table, oracles.Table] = ({}, {})
        for x, y, mass in plan.edges:
            assert mass > 0
            for side, atom in zip(sides, (x, y), strict=True):
                key = Fraction(atom, plan.denominator)
                side[key] = side.get(key, Fraction(0)) + Fraction(mass, plan.total)
        assert sides == (p, q)
        for (x, y, _), (u, v, _) in pairwise(plan.edges):
            assert x <= u
            assert y <= v
            assert (x, y) != (u, v)
        assert len(plan.edges) <= len(p) + len(q) - 1
        assert plan.w_1() == w_1_by_distribution_functions(p, q)
        assert plan.w_infinity() == w_infinity_by_thresholds(p, q)


def test_equal_priors_do_not_move() -> None:
    p = Discrete({"1/3": "1/7", 5: "6/7"})
    plan = monotone_plan(p, p)
    assert plan.w_1() == plan.w_infinity() == 0
    assert all(x == y for x, y, _ in plan.edges)


@pytest.mark.parametrize("size", [300, 2000])
@pytest.mark.parametrize("shape", ["plain", "fractions", "heavy", "beyond 62 bits", "far"])
def test_many_atoms_give_the_same_plan_as_the_mixed_difference(size: int, shape: str) -> None:
    """The sorted route (numpy, 62 bits) and the loop (any size) against the second route."""
    rng = Random(f"{size} {shape}")
    pair = []
    for k in range(2):
        atoms = [Fraction(x) for x in rng.sample(range(-(10**6), 10**6), size)]
        weights = [rng.randint(1, 3) for _ in atoms]  # many equal ends
        if shape == "fractions":
            atoms = [a / (6, 35)[k] for a in atoms]
        elif shape == "heavy":
            weights[size // 2] = 10**9
        elif shape == "beyond 62 bits":
            weights[0] = 2**62 + 1
        elif shape == "far":
            atoms[0] = Fraction(2**62)
        pair.append(Discrete(counts=dict(zip(atoms, weights, strict=True))))
    plan = monotone_plan(*pair)
    assert plan == mixed_difference_plan(*pair)
    assert all(type(number) is int for edge in plan.edges for number in edge)
    arrays = monotone_arrays(*pair)
    assert (arrays is None) == (shape in ("beyond 62 bits", "far"))
    if arrays is not None:
        assert arrays.edges == plan.edges


def test_integers_of_62_bits_do_not_overflow() -> None:
    """The largest weights that the sorted route may take, and one more."""
    rng = Random(62)
    for top in (2**62 - 1, 2**62, 2**62 + 1):
        pair = []
        for _ in range(2):
            counts = dict.fromkeys(rng.sample(range(10**6), 400), 1)
            counts[-top] = top - 400
            pair.append(Discrete(counts=counts))
        assert (monotone_arrays(*pair) is None) == (top >= 2**62)
        plan = monotone_plan(*pair)
        assert plan == mixed_difference_plan(*pair)
        assert sum(mass for _, _, mass in plan.edges) == plan.total == top
