"""The columns programme at one scale in floats: HiGHS proposes a plan and its multipliers.

scipy is imported where it is used: only these solves need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import InputError
from pfverify.exact.ball import fraction_of, precision
from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.model.priors.discrete import Discrete
from pfverify.scales.coupling.solver import Floats, Minimiser, Pattern, bindings
from pfverify.transport.line import over_common

NEGLIGIBLE = 1e-13  # shares of an atom's mass below the finest tolerance of HiGHS: left out
_TINY_EPSILON = 1e-290  # e**epsilon - 1 nears the least normal float: its limit epsilon serves
_LARGE_EPSILON = 1e9  # only the longest edges count from here on: as good a proposal as any larger
_CLEARLY = 1 + 1e-6  # far beyond what HiGHS allows itself
_MANY = 2000  # edges from which only some are solved at first
_CHEAP = 2.0  # log c of those
_GAIN = 1e-10  # of an edge that is left out: as the finest tolerance of HiGHS
_UNEVEN = Fraction(1, 10**12)  # of a component's mass: what negligible edges may carry
_STRETCH = 1e3  # of every constraint: HiGHS drops coefficients below 1e-9, so 1e-12 is kept


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


class _Edges(NamedTuple):
    """The edges of a programme, by number and by row and column, and its pattern.

    `balanced`: whether the rows and the columns that they connect have the same mass.
    """

    number: NDArray[np.intp]
    at: NDArray[np.intp]
    to: NDArray[np.intp]
    pattern: Pattern
    balanced: bool


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
        self._edges: _Edges | None = None

    def scale(self, rate: float) -> Fraction:
        """Return theta of a float rate."""
        return Fraction(self.width, self.denominator) / (self.about * Fraction(rate))

    def rate(self, scale: Fraction) -> float:
        """Return the float rate of theta."""
        return float(Fraction(self.width, self.denominator) / (self.about * scale))

    def log_costs(self, rate: float, distances: Floats | None = None) -> Floats:
        """Return log c of all edges, or at some distances; -inf on the diagonal."""
        distances = self.distances if distances is None else distances
        epsilon = self.float_epsilon
        with np.errstate(divide="ignore"):
            if epsilon < _TINY_EPSILON:
                return np.asarray(np.log(rate * distances))
            return _log_expm1(epsilon * rate * distances) - _log_expm1(np.array(epsilon))

    def solution(self, rate: float) -> Solution | None:
        """Minimise s with column costs <= s Q at one rate; None where HiGHS gives nothing.

        s is inf where the edges that carry more than a negligible mass at s = 1 are no coupling.

        A variable is the mass of an edge over the largest mass that it could carry, so that no
        coefficient exceeds 1. Of many edges the cheap ones come first, then those that would make
        s smaller.
        """
        log_c = self.log_costs(rate)
        log_cap = np.minimum(self.log_p, self.log_q - np.maximum(log_c, 0))
        row, column = np.exp(log_cap - self.log_p), np.exp(log_cap - self.log_q)
        # at most 1, but for what cancels where costs are beyond floats
        shares = _Shares(row, column, np.exp(np.minimum(log_cap + log_c - self.log_q, 0)))
        allowed = np.maximum(row, column) > NEGLIGIBLE
        edges = self._edges
        if edges is None or not allowed[edges.at, edges.to].all():
            edges = self._begin(allowed, log_c)
        while True:
            missing = allowed.copy()
            missing[edges.at, edges.to] = False
            found = self._solved(edges, shares)
            if found is not None:
                value, filled, y, weights = found
                n = len(y) - len(weights)
                gains = y[:n, None] * row + y[n:] * column - weights * shares.cost
                missing &= gains > _GAIN
            if not missing.any():
                break
            edges = self._of(np.append(edges.number, np.flatnonzero(missing)))
        self._edges = edges
        if not edges.balanced:
            n, m = self.distances.shape
            return Solution(inf, np.zeros((n, m)), np.zeros((n, m)), *map(np.zeros, (n, m, m)))
        if found is None:
            return None
        with np.errstate(all="ignore"):  # what is not finite is no multiplier
            u = y[:n] * np.exp(-self.log_p[:, 0])
            w = weights * np.exp(-self.log_q[0])
            v = y[n:] * np.exp(-self.log_q[0]) - w
        return Solution(value, filled * row, filled * column, u, v, w)

    def _begin(self, allowed: NDArray[np.bool_], log_c: Floats) -> _Edges:
        """Return the edges of a first programme, and begin with the basis of the monotone plan."""
        chosen = allowed
        if allowed.sum() > _MANY:
            chosen = allowed & (self._monotone | (log_c <= _CHEAP))
        edges = self._of(np.flatnonzero(chosen))
        sums = self._monotone_sums(log_c)
        columns = np.append(True, self._monotone[edges.at, edges.to])
        follow = np.isinf(edges.pattern.upper[: -len(sums)])
        rows = np.append(follow, np.arange(len(sums)) != sums.argmax())
        self._minimiser = Minimiser(bindings(), np.flatnonzero(columns), np.flatnonzero(rows))
        return edges

    def _solved(
        self, edges: _Edges, shares: _Shares
    ) -> tuple[float, Floats, Floats, Floats] | None:
        """The optimum over some edges: s, their variables, the multipliers of the marginals
        and those of the costs, which are >= 0; None where HiGHS gives nothing, or none is there."""
        if not edges.balanced:
            return None
        at, to = edges.at, edges.to
        n, m = self.distances.shape
        values = np.stack([part[at, to] for part in shares], axis=1).ravel()
        found = self._minimiser.optimum(
            edges.pattern, _STRETCH * np.concatenate([np.full(m, -1.0), values])
        )
        if found is None:
            return None
        filled = np.zeros((n, m))
        filled[at, to] = found.variables[1:]
        y, weights = np.split(_STRETCH * found.duals, [n + m])
        return float(found.variables[0]), filled, y, np.maximum(-weights, 0)

    @cached_property
    def feasible_rate(self) -> float:
        """A rate at which the monotone plan fits: no cost of its edges exceeds 1."""
        return float(1 / self.distances[self._monotone].max())

    @cached_property
    def _monotone(self) -> NDArray[np.bool_]:
        """The edges of the monotone plan: with them some coupling is left."""
        return np.isfinite(self._monotone_logs)

    @cached_property
    def _monotone_logs(self) -> Floats:
        """The logarithms of what part of its column each edge of the monotone plan is."""
        found = np.full(self.distances.shape, -inf)
        for i, j, mass in corner(self.p, self.q):
            found[i, j] = log(mass) - log(self.q[j])
        return found

    def monotone_may_fit(self, scale: Fraction) -> bool:
        """Say whether floats do not see that the monotone plan's columns do not fit at a scale."""
        sums = self._monotone_sums(self.log_costs(self.rate(scale)))
        return not sums.max() > _CLEARLY

    def _monotone_sums(self, log_c: Floats) -> Floats:
        """Return the costs of the monotone plan's columns over Q."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self._monotone_logs + log_c).sum(axis=0))

    def exceeds(self, scale: Fraction) -> bool:
        """Say whether floats see that no coupling's columns fit at a scale, by a clear margin."""
        found = self.solution(self.rate(scale))
        return found is not None and found.value > _CLEARLY

    def _of(self, number: NDArray[np.intp]) -> _Edges:
        """Return the rows and columns of some edges, one column of the programme each.

        Before them comes s; the rows are those of P, of Q, and the costs of the columns.
        """
        n, m = self.distances.shape
        at, to = np.divmod(number, m)
        start = np.concatenate([[0], m + 3 * np.arange(len(number) + 1)])
        row = np.concatenate([n + m + np.arange(m), np.stack([at, n + to, n + m + to], 1).ravel()])
        lower, upper = np.full(n + 2 * m, _STRETCH), np.full(n + 2 * m, _STRETCH)
        lower[n + m :], upper[n + m :] = -inf, 0
        labels = self._components(at, to)
        sums = [[0, 0] for _ in range(labels.max() + 1)]
        for k, (label, mass) in enumerate(zip(labels.tolist(), self.p + self.q, strict=True)):
            sums[label][k >= n] += mass
        balanced = all(abs(a - b) <= _UNEVEN * max(a, b) for a, b in sums)
        # a marginal (the heaviest) of each component follows from the others
        by_weight = np.argsort(-np.append(self.log_p[:, 0], self.log_q[0]), kind="stable")
        follows = by_weight[np.unique(labels[by_weight], return_index=True)[1]]
        lower[follows], upper[follows] = -inf, inf
        pattern = Pattern(start.astype(np.int32), row.astype(np.int32), lower, upper)
        return _Edges(number, at, to, pattern, balanced)

    def _components(self, at: NDArray[np.intp], to: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return for each row and column which component of the edges it is in."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n, size = len(self.p), len(self.p) + len(self.q)
        if len(at) == self.distances.size:
            return np.zeros(size, np.int32)
        graph = csr_array((np.ones(len(at)), (at, n + to)), shape=(size, size))
        found: NDArray[np.int32] = connected_components(graph, directed=False)[1]
        return found


def _log_expm1(values: Floats) -> Floats:
    return np.asarray(values + np.log(-np.expm1(-values)))


def _about(value: Number) -> Fraction:
    """Return a rational near a positive number: a proposal."""
    with precision(128):
        ends = value.ball().ends()
    if ends is None or ends[0][0] <= 0:
        raise InputError("epsilon is too close to 0 for the linear programme's floats")
    return fraction_of(ends[0])
