"""Transport plans as rational matrices, with the atoms of their rows and columns."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy

from pfverify.model.priors.discrete import Discrete
from pfverify.symbolic.translate import Expr, from_fraction
from pfverify.transport.line import monotone_plan


@dataclass(frozen=True)
class PlanMatrix:
    """A coupling of two discrete priors as an immutable matrix of exact masses.

    Attributes: `matrix`, an n x m immutable sympy matrix of Rationals; `rows`, the n atoms x of
    the first-named secret; `columns`, the m atoms x' of the second; both sorted, in the unit of
    the released quantity; `source`.

    Example: ``plan_matrix(Discrete({0: 1}), Discrete({0: "1/2", 3: "1/2"})).matrix`` is
    ``Matrix([[1/2, 1/2]])``.
    """

    matrix: Expr
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    source: str = "noise-reduction paper, (20) and (21); multi-user paper, (6)"

    @property
    def latex(self) -> str:
        """The plan as LaTeX for math mode: pi*(x, x') = matrix, with the atoms of both sides."""
        x, other = (
            ", ".join(sympy.latex(from_fraction(atom)) for atom in side)
            for side in (self.rows, self.columns)
        )
        return (
            f"\\left(\\pi^{{*}}(x, x')\\right)_{{x \\in ({x}),\\, x' \\in ({other})}} = "
            f"{sympy.latex(self.matrix)}"
        )

    def mass(self, x: Fraction, other: Fraction) -> Fraction:
        """Return pi(x, x'), exact; 0 where x or x' is no atom."""
        if x not in self.rows or other not in self.columns:
            return Fraction(0)
        return _fraction(self.matrix[self.rows.index(x), self.columns.index(other)])

    def edges(self) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
        """Return (x, x', mass) for every positive mass, sorted."""
        return tuple(
            (self.rows[i], self.columns[j], _fraction(mass))
            for (i, j), mass in sorted(self.matrix.todok().items())
        )

    def row_sums(self) -> dict[Fraction, Fraction]:
        """Return atom x -> mass of its row: the first marginal."""
        return self._sums(0, self.rows)

    def column_sums(self) -> dict[Fraction, Fraction]:
        """Return atom x' -> mass of its column: the second marginal."""
        return self._sums(1, self.columns)

    def _sums(self, side: int, atoms: tuple[Fraction, ...]) -> dict[Fraction, Fraction]:
        sums = dict.fromkeys(atoms, Fraction(0))
        for edge in self.edges():
            sums[edge[side]] += edge[2]
        return sums


def plan_matrix(first: Discrete, second: Discrete) -> PlanMatrix:
    """Return the monotone plan of two priors as a matrix: rows of `first`, columns of `second`.

    Shape: (number of atoms of `first`) x (number of atoms of `second`). On the line it minimises
    every convex cost, and the largest distance.
    Example: ``plan_matrix(Discrete({0: 1}), Discrete({1: 1})).matrix`` is ``Matrix([[1]])``.
    Source: noise-reduction paper, (20) and (21); multi-user paper, (6); design fact F10.
    """
    plan = monotone_plan(first, second)
    rows, columns = first.atoms, second.atoms
    row_at = {atom: k for k, atom in enumerate(rows)}
    column_at = {atom: k for k, atom in enumerate(columns)}
    entries = {
        (
            row_at[Fraction(x, plan.denominator)],
            column_at[Fraction(other, plan.denominator)],
        ): sympy.Rational(mass, plan.total)
        for x, other, mass in plan.edges
    }
    matrix = sympy.ImmutableSparseMatrix(len(rows), len(columns), entries)
    return PlanMatrix(matrix, rows, columns)


def _fraction(value: Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q))

