"""The columns programme at one scale in floats: HiGHS proposes a plan and its multipliers.

scipy is imported where it is used: only these solves need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import InputError
from pfverify.exact.ball import fraction_of, precision
from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.model.priors.discrete import Discrete
from pfverify.transport.line import over_common

NEGLIGIBLE = 1e-13  # shares of an atom's mass below the finest tolerance of HiGHS: left out
_TINY_EPSILON = 1e-290  # e**epsilon - 1 nears the least normal float: its limit epsilon serves
_LARGE_EPSILON = 1e9  # only the longest edges count from here on: as good a proposal as any larger
_CLEARLY = 1 + 1e-6  # far beyond what HiGHS allows itself
_MANY = 2000  # edges from which only some are solved at first
_CHEAP = 2.0  # log c of those
_GAIN = 1e-10  # of an edge that is left out: as the finest tolerance of HiGHS
_SMALL = 1 << 15  # entries of a matrix that need not be sparse
_STRETCH = 1e3  # of every constraint: HiGHS drops coefficients below 1e-9, so 1e-12 is kept
_TRIES = (  # feasibility tolerance, presolve: HiGHS takes none finer; where it gives up, laxer
    (1e-10, True),
    (1e-10, False),
    (1e-9, True),
    (1e-8, True),
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The float optimum at one rate: s, shares of rows and columns per edge, the dual values."""

    value: float
    row_shares: Floats
    column_shares: Floats
    u: Floats
    v: Floats
    w: Floats


class _Shares(NamedTuple):
    """What a variable of 1 is of its row, of its column, and of what the column's costs may be."""

    row: Floats
    column: Floats
    cost: Floats


class Programme:
    """The columns programme of a pair; distances in units of the width of the support.

    With c = (e**(d/theta) - 1) / (e**epsilon - 1) a column fits when sum pi c <= Q, which is
    well scaled for every epsilon. The rate of floats is tau = width / (epsilon theta).
    Raises InputError for an epsilon that is too close to 0 for floats.
    """

    def __init__(self, source: Discrete, target: Discrete, epsilon: Number) -> None:
        self.epsilon = epsilon
        self.denominator = lcm(source.denominator, target.denominator)
        self.total = lcm(source.total, target.total)
        self.xs, self.p = over_common(source, self.denominator, self.total)
        self.zs, self.q = over_common(target, self.denominator, self.total)
        self.width = max(self.xs[-1], self.zs[-1]) - min(self.xs[0], self.zs[0])
        self.distances = np.array([[abs(x - z) / self.width for z in self.zs] for x in self.xs])
        whole = log(self.total)
        self.log_p = np.array([[log(weight) - whole] for weight in self.p])
        self.log_q = np.array([[log(weight) - whole for weight in self.q]])
        self.about = _about(epsilon)
        self.float_epsilon = float(min(self.about, Fraction(_LARGE_EPSILON)))

    def scale(self, rate: float) -> Fraction:
        """Return theta of a float rate."""
        return Fraction(self.width, self.denominator) / (self.about * Fraction(rate))

    def rate(self, scale: Fraction) -> float:
        """Return the float rate of theta."""
        return float(Fraction(self.width, self.denominator) / (self.about * scale))

    def log_costs(self, rate: float) -> Floats:
        """Return log c, -inf on the diagonal."""
        epsilon = self.float_epsilon
        with np.errstate(divide="ignore"):
            if epsilon < _TINY_EPSILON:
                return np.asarray(np.log(rate * self.distances))
            return _log_expm1(epsilon * rate * self.distances) - _log_expm1(np.array(epsilon))

    def solution(self, rate: float) -> Solution | None:
        """Minimise s with column costs <= s Q at one rate; None where HiGHS gives nothing.

        A variable is the mass of an edge over the largest mass that it could carry, so that no
        coefficient exceeds 1. Of many edges the cheap ones come first, then those that would make
        s smaller.
        """
        log_c = self.log_costs(rate)
        log_cap = np.minimum(self.log_p, self.log_q - np.maximum(log_c, 0))
        row, column = np.exp(log_cap - self.log_p), np.exp(log_cap - self.log_q)
        shares = _Shares(row, column, np.exp(log_cap + log_c - self.log_q))
        allowed = np.maximum(row, column) > NEGLIGIBLE
        chosen = allowed
        if allowed.sum() > _MANY:
            chosen = allowed & (self._monotone | (log_c <= _CHEAP))
        while True:
            found = self._solved(shares, chosen)
            if found is None and chosen is allowed:
                return None
            if found is None:
                chosen = allowed
                continue
            value, filled, y, weights = found
            n = len(y) - len(weights)
            gains = y[:n, None] * row + y[n:] * column - weights * shares.cost
            missing = allowed & ~chosen & (gains > _GAIN)
            if not missing.any():
                break
            chosen = chosen | missing
        with np.errstate(all="ignore"):  # what is not finite is no multiplier
            u = y[:n] * np.exp(-self.log_p[:, 0])
            w = weights * np.exp(-self.log_q[0])
            v = y[n:] * np.exp(-self.log_q[0]) - w
        return Solution(value, filled * row, filled * column, u, v, w)

    @cached_property
    def _monotone(self) -> NDArray[np.bool_]:
        """The edges of the monotone plan: with them some coupling is left."""
        found = np.zeros(self.distances.shape, bool)
        for i, j, _ in corner(self.p, self.q):
            found[i, j] = True
        return found

    def _solved(
        self, shares: _Shares, chosen: NDArray[np.bool_]
    ) -> tuple[float, Floats, Floats, Floats] | None:
        """The optimum over the chosen edges: s, their variables, the multipliers of the marginals
        and those of the costs, which are >= 0; None where HiGHS gives nothing."""
        from scipy.optimize import linprog

        n, m = chosen.shape
        at, to = np.nonzero(chosen)
        variables = np.arange(len(at))
        equal = _matrix(
            _STRETCH * np.concatenate([shares.row[at, to], shares.column[at, to]]),
            (np.concatenate([at, n + to]), np.concatenate([variables, variables])),
            (n + m, len(at) + 1),
        )
        bound = _matrix(
            _STRETCH * np.concatenate([shares.cost[at, to], -np.ones(m)]),
            (np.concatenate([to, np.arange(m)]), np.concatenate([variables, np.full(m, len(at))])),
            (m, len(at) + 1),
        )
        kept = self._independent(at, to)
        goal = np.zeros(len(at) + 1)
        goal[-1] = 1
        for tolerance, presolve in _TRIES:
            found: Any = linprog(
                goal,
                A_ub=bound,
                b_ub=np.zeros(m),
                A_eq=equal[kept],
                b_eq=np.full(len(kept), _STRETCH),
                bounds=(0, None),
                method="highs",
                options={
                    "presolve": presolve,
                    "primal_feasibility_tolerance": tolerance,
                    "dual_feasibility_tolerance": tolerance,
                },
            )
            if found.status == 0:
                break
        else:
            return None
        filled = np.zeros((n, m))
        filled[at, to] = found.x[:-1]
        y = np.zeros(n + m)
        y[kept] = _STRETCH * found.eqlin.marginals
        return float(found.x[-1]), filled, y, np.maximum(-_STRETCH * found.ineqlin.marginals, 0)

    def exceeds(self, scale: Fraction) -> bool:
        """Say whether floats see that no coupling's columns fit at a scale, by a clear margin."""
        found = self.solution(self.rate(scale))
        return found is not None and found.value > _CLEARLY

    def _independent(self, at: NDArray[np.intp], to: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the marginals less one (the heaviest) in each component: it follows."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        weights = np.concatenate([self.log_p[:, 0], self.log_q[0]])
        n, size = len(self.log_p), len(weights)
        if len(at) == self.distances.size:  # one component
            return np.delete(np.arange(size), weights.argmax())
        graph = csr_array((np.ones(len(at)), (at, n + to)), shape=(size, size))
        labels = connected_components(graph, directed=False)[1]
        by_weight = np.argsort(-weights, kind="stable")
        heaviest = by_weight[np.unique(labels[by_weight], return_index=True)[1]]
        return np.setdiff1d(np.arange(size), heaviest)


def _matrix(
    values: Floats, places: tuple[NDArray[np.intp], NDArray[np.intp]], shape: tuple[int, int]
) -> Any:
    """Return a matrix of these entries: a sparse one takes scipy longer where few are 0."""
    from scipy.sparse import csr_array

    if shape[0] * shape[1] > _SMALL:
        return csr_array((values, places), shape=shape)
    matrix = np.zeros(shape)
    matrix[places] = values
    return matrix


def _log_expm1(values: Floats) -> Floats:
    return np.asarray(values + np.log(-np.expm1(-values)))


def _about(value: Number) -> Fraction:
    """Return a rational near a positive number: a proposal."""
    with precision(128):
        ends = value.ball().ends()
    if ends is None or ends[0][0] <= 0:
        raise InputError("epsilon is too close to 0 for the linear programme's floats")
    return fraction_of(ends[0])
