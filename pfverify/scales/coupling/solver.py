"""Linear programmes in floats by HiGHS, one after another: each starts from the basis of the last.

scipy's linprog takes twice as long around HiGHS as in it, and forgets every basis. So its bindings
of HiGHS are called directly. They are not public: where they do not solve three small programmes as
they should, linprog is called. Whatever either says is a proposal: proofs are made elsewhere.
scipy is imported where it is used: only these solves need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int32]

_DUAL, _PRIMAL = 1, 4  # HiGHS's numbers of the simplex methods
_STEPS = 5_000  # of the simplex method: some ten times what 10,000 columns take
_TRIES = (  # feasibility tolerance, presolve: HiGHS takes none finer; where it gives up, laxer
    (1e-10, True),
    (1e-10, False),
    (1e-9, True),
    (1e-8, True),
)


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where the coefficients of a programme stand, column by column, and the bounds of its rows.

    Those of column k are at `start[k]` up to `start[k + 1]`, in the rows `row`; a row lies between
    `lower` and `upper`.
    """

    start: Places
    row: Places
    lower: Floats
    upper: Floats

    @property
    def columns(self) -> int:
        """How many variables there are."""
        return len(self.start) - 1


@dataclass(frozen=True)
class Optimum:
    """The variables at the optimum, and what a unit of each row's bound is worth."""

    variables: Floats
    duals: Floats


class Minimiser:
    """Minimises the first variable of programmes in variables >= 0, one after another.

    A programme has the rows of the one before it, and its columns, or more behind them. The first
    one starts from the basis of these columns and rows, which should be feasible. `core`: the
    bindings of HiGHS, or None for linprog.
    """

    def __init__(self, core: Any, columns: Iterable[int], rows: Iterable[int]) -> None:
        self._core, self._basic = core, (set(columns), set(rows))
        self._pattern: Pattern | None = None
        self._programme: Any = None
        self._basis: Any = None
        self._highs: Any = None if core is None else core._Highs()

    def optimum(self, pattern: Pattern, values: Floats) -> Optimum | None:
        """Return the optimum for these coefficients; None where HiGHS finds none."""
        if self._core is None:
            return _by_linprog(pattern, values)
        if pattern is not self._pattern:
            self._basis = self._basis_of(pattern)
            self._pattern, self._programme = pattern, _programme(self._core, pattern)
        self._programme.a_matrix_.value_ = values
        for tolerance, presolve in _TRIES:
            if self._run(tolerance, presolve):
                self._basis, found = self._highs.getBasis(), self._highs.getSolution()
                return Optimum(np.array(found.col_value), np.array(found.row_dual))
            self._basis = None
        return None

    def _run(self, tolerance: float, presolve: bool) -> bool:
        """Solve the programme, from a basis by the primal simplex method; say whether it is."""
        core, highs, warm = self._core, self._highs, self._basis is not None
        for name, value in (
            ("output_flag", False),
            ("presolve", "on" if presolve and not warm else "off"),
            ("simplex_strategy", _PRIMAL if warm else _DUAL),
            ("simplex_iteration_limit", _STEPS),
            ("primal_feasibility_tolerance", tolerance),
            ("dual_feasibility_tolerance", tolerance),
        ):
            highs.setOptionValue(name, value)
        if highs.passModel(self._programme) == core.HighsStatus.kError:
            return False
        if warm:
            highs.setBasis(self._basis)
        highs.run()
        return bool(highs.getModelStatus() == core.HighsModelStatus.kOptimal)

    def _basis_of(self, pattern: Pattern) -> Any:
        """Return the basis of the last programme, or the first one, for a pattern's columns."""
        status, basis = self._core.HighsBasisStatus, self._basis
        if self._pattern is None:
            basis = self._core.HighsBasis()
            basis.valid = True
            sizes = pattern.columns, len(pattern.lower)
            basis.col_status, basis.row_status = (
                [status.kBasic if k in basic else status.kLower for k in range(size)]
                for basic, size in zip(self._basic, sizes, strict=True)
            )
        elif basis is not None:
            more = pattern.columns - self._pattern.columns
            basis.col_status = list(basis.col_status) + [status.kLower] * more
        return basis


@cache
def bindings() -> Any:
    """Return scipy's bindings of HiGHS; None where they are not as they are known here."""
    try:
        from scipy.optimize._highspy import _core

        small = Minimiser(_core, (0, 1), ())
        found = [small.optimum(pattern, np.array(values)) for pattern, values in _SMALL]
    except (ImportError, AttributeError, TypeError):
        return None
    right = all(
        one is not None and np.allclose([one.variables[0], *one.duals], [least, least, -1])
        for one, least in zip(found, _LEAST, strict=True)
    )
    return _core if right else None


def _programme(core: Any, pattern: Pattern) -> Any:
    """Return a programme for HiGHS, without its coefficients."""
    found = core.HighsLp()
    found.num_col_ = found.a_matrix_.num_col_ = pattern.columns
    found.num_row_ = found.a_matrix_.num_row_ = len(pattern.lower)
    found.col_cost_ = _first(pattern.columns)
    found.col_lower_, found.col_upper_ = np.zeros(pattern.columns), np.full(pattern.columns, inf)
    found.row_lower_, found.row_upper_ = pattern.lower, pattern.upper
    found.a_matrix_.format_ = core.MatrixFormat.kColwise
    found.a_matrix_.start_, found.a_matrix_.index_ = pattern.start, pattern.row
    return found


def _by_linprog(pattern: Pattern, values: Floats) -> Optimum | None:
    """The optimum by scipy's public function."""
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    size = len(pattern.lower), pattern.columns
    matrix = csc_array((values, pattern.row, pattern.start), shape=size).tocsr()
    equal = pattern.lower == pattern.upper
    bound = ~equal & (pattern.upper < inf)
    for tolerance, presolve in _TRIES:
        found: Any = linprog(
            _first(pattern.columns),
            A_ub=matrix[bound],
            b_ub=pattern.upper[bound],
            A_eq=matrix[equal],
            b_eq=pattern.upper[equal],
            method="highs",
            options={
                "presolve": presolve,
                "primal_feasibility_tolerance": tolerance,
                "dual_feasibility_tolerance": tolerance,
            },
        )
        if found.status == 0:
            duals = np.zeros(len(pattern.lower))
            duals[equal], duals[bound] = found.eqlin.marginals, found.ineqlin.marginals
            return Optimum(found.x, duals)
    return None


def _first(columns: int) -> Floats:
    goal = np.zeros(columns)
    goal[0] = 1
    return goal


def _pattern(columns: int) -> Pattern:
    """s >= sum of c x, where the sum of x is 1."""
    start = np.array([0, *range(1, 2 * columns, 2)], np.int32)
    row = np.array([1, *[0, 1] * (columns - 1)], np.int32)
    return Pattern(start, row, np.array([1, -inf]), np.array([1.0, 0]))


_ONE, _TWO = _pattern(2), _pattern(3)
_SMALL = ((_ONE, [-1.0, 1, 2]), (_ONE, [-1.0, 1, 3]), (_TWO, [-1.0, 1, 3, 1, 1]))
_LEAST = (2, 3, 1)
