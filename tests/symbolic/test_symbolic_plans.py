"""Plans as matrices: marginals, the printed formula, distances, swapping, and refusals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracles
from support.examples import small_examples
from support.latex_grammar import assert_latex

from pfverify.edge.packaged import load_example
from pfverify.model.priors.discrete import Discrete
from pfverify.symbolic.plans import PlanMatrix, plan_matrix
from pfverify.transport.line import monotone_plan


def below(prior: Discrete, x: Fraction) -> Fraction:
    return sum((mass for atom, mass in prior.mass.items() if atom <= x), Fraction(0))


def printed_mass(first: Discrete, second: Discrete, i: int, j: int) -> Fraction:
    """Noise-reduction paper (20)-(22): the mixed difference of min(F, F'), signs as in row N39."""

    def joint(k: int, m: int) -> Fraction:
        if k < 0 or m < 0:
            return Fraction(0)
        return min(below(first, first.atoms[k]), below(second, second.atoms[m]))

    return joint(i, j) - joint(i - 1, j) - joint(i, j - 1) + joint(i - 1, j - 1)


def check(first: Discrete, second: Discrete) -> PlanMatrix:
    plan = plan_matrix(first, second)
    assert plan.matrix.shape == (len(first.atoms), len(second.atoms))
    assert plan.rows == first.atoms
    assert plan.columns == second.atoms
    assert all(mass > 0 for _, _, mass in plan.edges())
    assert plan.row_sums() == first.mass
    assert plan.column_sums() == second.mass
    for i, x in enumerate(plan.rows):
        for j, other in enumerate(plan.columns):
            entry = plan.matrix[i, j]
            assert entry.is_Rational
            expected = printed_mass(first, second, i, j)
            assert entry == sympy.Rational(expected.numerator, expected.denominator)
            assert plan.mass(x, other) == expected
    assert len(plan.edges()) < len(plan.rows) + len(plan.columns)
    line = monotone_plan(first, second)
    assert sum(mass * abs(x - other) for x, other, mass in plan.edges()) == line.w_1()
    assert max(abs(x - other) for x, other, _ in plan.edges()) == line.w_infinity()
    # rows belong to the first prior: the other way round it is the transpose
    assert plan_matrix(second, first).matrix == plan.matrix.T
    assert_latex(plan.latex)
    return plan


@pytest.mark.parametrize("name", small_examples())
def test_packaged_plans(name: str) -> None:
    """All but one of hundreds of atoms, of which no one reads the matrix."""
    for pair in load_example(name).questions():
        check(pair.first_prior, pair.second_prior)


def test_random_plans() -> None:
    rng = Random("symbolic plans")
    for kind in oracles.KINDS * 5:
        p, q = oracles.random_pair(rng, kind, 7)
        check(Discrete(p), Discrete(q))


tables = st.dictionaries(st.fractions(-5, 5, max_denominator=4), st.integers(1, 30), min_size=1,
                         max_size=5)  # fmt: skip


@settings(max_examples=30, deadline=None, derandomize=True)
@given(tables, tables)
def test_plans_of_counts(p: dict[Fraction, int], q: dict[Fraction, int]) -> None:
    check(Discrete(counts=p), Discrete(counts=q))


def test_the_plans_of_both_printed_tables() -> None:
    first, second = (
        next(load_example(name).questions()) for name in ("simulation-1", "simulation-2")
    )
    one = check(first.first_prior, first.second_prior)
    assert one.matrix == sympy.Matrix([[50, 2], [0, 48]]) / 100
    two = check(second.first_prior, second.second_prior)
    assert two.rows == (0, 2, 3)
    assert two.columns == (0, 1, 3)
    assert two.matrix == sympy.Matrix([[49996, 1, 4], [0, 0, 1], [0, 0, 49998]]) / 100000


def test_a_plan_cannot_be_changed() -> None:
    plan = plan_matrix(Discrete({0: 1}), Discrete({0: "1/2", 3: "1/2"}))
    with pytest.raises(TypeError):
        plan.matrix[0, 0] = 1
    with pytest.raises(AttributeError):
        plan.rows = ()  # type: ignore[misc]
    assert plan.mass(Fraction(1), Fraction(0)) == 0
    assert hash(plan.matrix) == hash(
        plan_matrix(Discrete({0: 1}), Discrete({0: "1/2", 3: "1/2"})).matrix
    )
