"""Is a plan optimal for its own marginals? A potential says yes, a negative cycle says no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.errors import require
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.no_truth import NoTruth
from pfverify.transport.cost import Potential, line_dual
from pfverify.transport.law import Point, Sides, numbers
from pfverify.transport.metric import AbsoluteDifference, DistanceKeys, Metric
from pfverify.transport.plan import Plan

_PRECISIONS = (64, 256, 1024)  # bits tried for irrational distances


@dataclass(frozen=True)
class NegativeCycle:
    """Edges to take mass from and edges to put it on, at a strictly lower cost.

    Attributes: `removed`, pairs (row, column) that carry mass; `added`, as many pairs with the
    same rows and columns; `saving`, a lower bound > 0 of the cost saved per unit of mass
    (exact where the distances are rational).
    """

    removed: tuple[tuple[Point, Point], ...]
    added: tuple[tuple[Point, Point], ...]
    saving: Fraction


@dataclass(frozen=True)
class Optimality(NoTruth, ask="compare .optimal, as in `is True`"):
    """Whether a plan has the least mean distance among the plans with its marginals.

    Attributes: `optimal`, True, False, or None where `gap` is all that is known; `cycle`, the
    proof of False; `potential`, rational and feasible: its dual value is a lower bound; `gap`,
    an upper bound of cost minus optimum (0 for True; None for False).
    """

    optimal: bool | None
    cycle: NegativeCycle | None
    potential: Potential | None
    gap: Fraction | None


def optimality(plan: Plan, metric: Metric) -> Optimality:
    """Decide whether no negative cycle exists in the residual graph of a plan.

    Shapes: n rows, m columns, k edges. On the line one sweep, O(k log k); otherwise Bellman and
    Ford over all n m pairs, made row by row. For irrational distances the sums of square roots
    are compared exactly.
    Example: ``optimality(Plan((0, 1), (0, 1), ((0, 1, 1), (1, 0, 1)), 2), AbsoluteDifference())
    .cycle.removed`` is ``((0, 1), (1, 0))``: it adds (0, 0) and (1, 1), and saves 2.
    Source: Ahuja, Magnanti and Orlin 1993, Theorem 9.1; Villani 2009, chapter 5.
    """
    require(plan, Plan, "the plan")
    require(metric, Metric, "the metric")
    if isinstance(metric, AbsoluteDifference):
        return _on_the_line(plan)
    grid = metric.grid(plan.rows, plan.columns)
    gap: Fraction | None = None
    potential = None
    for bits in _PRECISIONS:
        search = _Search(plan, grid, bits)
        if (found := search.run()) is not None:
            return Optimality(False, found, None, None)
        potential, gap = search.dual()
        if not grid.squared or search.proved():
            return Optimality(True, None, potential, Fraction(0))
    return Optimality(None, None, potential, gap)


def _on_the_line(plan: Plan) -> Optimality:
    """Two edges that cross one gap in opposite directions are the negative cycle."""
    xs, ys = numbers(plan.rows), numbers(plan.columns)
    moves = [(xs[i], ys[j]) for i, j, _ in plan.edges if xs[i] != ys[j]]
    last: dict[bool, tuple[Fraction, Fraction]] = {}  # the edge of each direction that ends last
    for x, y in sorted(moves, key=min):
        right = x < y
        other = last.get(not right)
        if other and max(other) > min(x, y):
            u, v = other
            saving = abs(x - y) + abs(u - v) - abs(x - v) - abs(u - y)
            cycle = NegativeCycle(((u, v), (x, y)), ((u, y), (x, v)), saving)
            return Optimality(False, cycle, None, None)
        if right not in last or max(last[right]) < max(x, y):
            last[right] = (x, y)
    weights = [[0] * len(plan.rows), [0] * len(plan.columns)]
    for i, j, mass in plan.edges:
        weights[0][i] += mass
        weights[1][j] += mass
    supply, demand = map(tuple, weights)
    both = Sides(plan.rows, supply, plan.columns, demand, plan.total, frozenset())
    return Optimality(True, None, line_dual(both)[1], Fraction(0))


class _Search:
    """Bellman and Ford on the residual graph; costs rounded against finding a cycle.

    A new edge costs at least its distance, a removed one saves at most its distance: so a
    negative cycle here is one in truth.
    """

    def __init__(self, plan: Plan, grid: DistanceKeys, bits: int) -> None:
        self.plan, self.grid, self.bits = plan, grid, bits
        self.unit = grid.unit(bits)
        height, width = len(plan.rows), len(plan.columns)
        self.rows, self.columns = [0] * height, [0] * width
        self.row_from, self.column_from = [-1] * height, [-1] * width
        self.back: list[list[tuple[int, int]]] = [[] for _ in range(width)]
        self.arcs: tuple[list[int], list[int]] = ([], [])  # keys of the tree's arcs
        lows: list[int] = []
        at = -1
        for i, j, _ in plan.edges:
            if i != at:
                at, lows = i, grid.cost_lower(i, bits)
            self.back[j].append((i, lows[j]))

    def run(self) -> NegativeCycle | None:
        """Lower the labels until they are shortest distances, or return a negative cycle."""
        changed = list(range(len(self.rows)))
        first = True
        while changed:
            lowered = set()
            for i in changed:
                base = self.rows[i]
                for j, cost in enumerate(self.cost_upper(i)):
                    if base + cost < self.columns[j] or (first and self.column_from[j] < 0):
                        self.columns[j] = base + cost
                        self.column_from[j] = i
                        lowered.add(j)
            first = False
            again = set()
            for j in lowered:
                for i, cost in self.back[j]:
                    if self.columns[j] - cost < self.rows[i]:
                        self.rows[i] = self.columns[j] - cost
                        self.row_from[i] = j
                        again.add(i)
            changed = list(again)
            if changed and (cycle := self._parent_cycle()):
                return self._named(cycle)
        return None

    def cost_upper(self, i: int) -> list[int]:
        """Return the distances of row i, rounded up."""
        lows = self.grid.cost_lower(i, self.bits)
        if not self.grid.squared:
            return lows
        scale = self.grid.scale
        return [
            low + (low * low * scale != key << 2 * self.bits)
            for low, key in zip(lows, self.grid.row(i), strict=True)
        ]

    def _parent_cycle(self) -> list[tuple[int, int]]:
        """Return the (row, column it came from) pairs of a cycle of parents, or an empty list."""
        state = [0] * len(self.rows)
        for start in range(len(self.rows)):
            i, path = start, list[int]()
            while i >= 0 and state[i] == 0:
                state[i] = start + 1
                path.append(i)
                j = self.row_from[i]
                i = self.column_from[j] if j >= 0 else -1
            if i >= 0 and state[i] == start + 1:
                return [(k, self.row_from[k]) for k in path[path.index(i) :]]
        return []

    def _named(self, cycle: Sequence[tuple[int, int]]) -> NegativeCycle:
        rows, columns = self.plan.rows, self.plan.columns
        removed = tuple((rows[i], columns[j]) for i, j in cycle)
        added = tuple((rows[self.column_from[j]], columns[j]) for _, j in cycle)
        saving = sum(dict(self.back[j])[i] for i, j in cycle)
        saving -= sum(self.cost_upper(self.column_from[j])[j] for _, j in cycle)
        return NegativeCycle(removed, added, saving * self.unit)

    def dual(self) -> tuple[Potential, Fraction]:
        """Return a feasible rational potential, and the cost of the plan minus its value."""
        u, v = [-row for row in self.rows], list(self.columns)
        if self.grid.squared:  # lower the columns until u + v <= the distances rounded down
            for i, label in enumerate(self.rows):
                lows = self.grid.cost_lower(i, self.bits)
                v = [min(w, label + low) for w, low in zip(v, lows, strict=True)]
        gap, at, uppers = 0, -1, list[int]()
        for i, j, mass in self.plan.edges:
            if i != at:
                at, uppers = i, self.cost_upper(i)
            gap += mass * (uppers[j] - u[i] - v[j])
        potential = Potential(tuple(a * self.unit for a in u), tuple(b * self.unit for b in v))
        return potential, gap * self.unit / self.plan.total

    def proved(self) -> bool:
        """Check with exact square roots that the labels' tree is a potential with equality."""
        self.arcs = (
            [self.grid.row(i)[j] if j >= 0 else 0 for i, j in enumerate(self.row_from)],
            [self.grid.row(i)[j] for j, i in enumerate(self.column_from)],
        )
        rows = [self._path(i, -1) for i in range(len(self.rows))]
        columns = [self._path(-1, j) for j in range(len(self.columns))]
        on = {(i, j) for i, j, _ in self.plan.edges}
        for i, row in enumerate(rows):
            keys, lows = self.grid.row(i), self.grid.cost_lower(i, self.bits)
            for j, column in enumerate(columns):
                slack = lows[j] + self.rows[i] - self.columns[j]
                error = len(row) + len(column) + 2
                if slack > error and (i, j) not in on:
                    continue
                sign = _root_sign(self.grid, row, column, keys[j])
                if sign is None or sign < 0 or (sign > 0 and (i, j) in on):
                    return False
        return True

    def _path(self, i: int, j: int) -> list[tuple[int, int]]:
        """Return the (key, +1 or -1) of the tree path from a root to row i or column j."""
        path = []
        while True:
            if j >= 0:
                path.append((self.arcs[1][j], 1))
                i, j = self.column_from[j], -1
            elif self.row_from[i] >= 0:
                path.append((self.arcs[0][i], -1))
                i, j = -1, self.row_from[i]
            else:
                return path


def _root_sign(
    grid: DistanceKeys, row: Sequence[tuple[int, int]], column: Sequence[tuple[int, int]], key: int
) -> int | None:
    """Return the sign of label(row) + distance - label(column), sums of square roots."""
    terms: dict[int, int] = {key: 1}
    for path, sign in ((row, 1), (column, -1)):
        for square, step in path:
            terms[square] = terms.get(square, 0) + sign * step
    kept = {square: times for square, times in terms.items() if times and square}
    if not kept:
        return 0
    half = Fraction(1, 2)
    total = ExpSum({})
    for square, times in kept.items():
        root = ExpSum.power(Exponent.log(Fraction(square)).times(half))
        total = total + root * ExpSum.constant(times)
    return total.sign()
