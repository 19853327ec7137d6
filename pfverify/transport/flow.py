"""The infinity-Wasserstein distance, with a plan that attains it and a set that proves it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from pfverify.errors import require
from pfverify.exact.corner import corner
from pfverify.transport.forest import without_cycles
from pfverify.transport.hall import HallSet
from pfverify.transport.law import Masses, Sides, numbers, sides
from pfverify.transport.maxflow import Flow
from pfverify.transport.metric import AbsoluteDifference, Distance, DistanceKeys, Metric
from pfverify.transport.plan import Plan


@dataclass(frozen=True)
class WInfinity:
    """The least t for which some coupling has no edge longer than t.

    Attributes: `distance`, exact; `plan`, a coupling on a forest whose longest
    edge is `distance`; `hall`,
    for the relation d(x, y) < `distance`, an event that no coupling inside it can serve (None
    only if the distance is 0, where there is nothing to prove).
    """

    distance: Distance
    plan: Plan
    hall: HallSet | None


def w_infinity(first: Masses, second: Masses, metric: Metric) -> WInfinity:
    """Return the infinity-Wasserstein distance of two laws, with both certificates.

    Shapes: n and m points; time about that of a few maximum flows on the edges no longer than
    the first feasible guess; the line takes O(n + m) after sorting. No n x m table is kept,
    except by metrics that are tables.
    Raises InputError for unequal totals (exact difference), negative masses, unknown points.
    Example: ``w_infinity({0: 1}, {3: 1}, AbsoluteDifference()).distance.value`` is 3.
    Source: distribution-privacy paper, Definition 6; multi-user paper (5); design fact F10.
    """
    require(metric, Metric, "the metric")
    both = sides(first, second)
    if isinstance(metric, AbsoluteDifference):
        return _on_the_line(both)
    grid = metric.grid(both.rows, both.columns)
    top, flow, blocked = _threshold(both, grid)
    edges = without_cycles(flow.edges(), grid.height)
    plan = Plan(both.rows, both.columns, edges, both.total)
    hall = None if top == 0 else hall_set(both, blocked)
    return WInfinity(grid.distance(top), plan, hall)


def hall_set(
    both: Sides, flow: Flow, factor: Fraction = Fraction(1), slack: Fraction = Fraction(0)
) -> HallSet:
    """Return the minimum cut of a maximum flow that left supply unsent, as a Hall set.

    `both.demand` may already be multiplied by `factor`.
    """
    rows, columns = flow.reached
    reachable = Fraction(sum(both.demand[j] for j in columns), both.total)
    return HallSet(
        tuple(both.rows[i] for i in rows),
        tuple(both.columns[j] for j in columns),
        Fraction(sum(both.supply[i] for i in rows), both.total),
        reachable / factor if factor else reachable,
        factor,
        slack,
    )


def allowed_within(grid: DistanceKeys, limit: int) -> list[list[int]]:
    """Return for each row the columns whose integer key is at most `limit`."""
    return [[j for j, key in enumerate(grid.row(i)) if key <= limit] for i in range(grid.height)]


def _threshold(both: Sides, grid: DistanceKeys) -> tuple[int, Flow, Flow]:
    """Return the least feasible key, a full flow at it, and a maximum flow just below it."""
    bottom, smallest = _bounds(grid)
    low = bottom - 1  # infeasible: some point has no neighbour
    below = Flow(both.supply, both.demand)
    below.fill(allowed_within(grid, low))
    high = bottom
    while True:
        full = below.copy()
        full.fill(allowed_within(grid, high))
        if not full.unsent:
            break
        low, below = high, full
        high = max(4 * high if grid.squared else 2 * high, smallest)
    edges = _between(grid, low, high)
    keys = sorted({key for row in edges for key, _ in row})
    start, end = -1, len(keys) - 1  # keys[start] infeasible, keys[end] feasible
    near = allowed_within(grid, low)
    while end - start > 1:
        middle = (start + end) // 2
        trial = below.copy()
        trial.fill(_with(near, edges, keys[middle]))
        if trial.unsent:
            start, below = middle, trial
        else:
            end, full = middle, trial
    return keys[end], full, below


def _bounds(grid: DistanceKeys) -> tuple[int, int]:
    """Return the largest of all row and column minima, and the smallest positive key."""
    columns = grid.row(0)
    rows, smallest = 0, 0
    for i in range(grid.height):
        keys = grid.row(i)
        rows = max(rows, min(keys))
        columns = list(map(min, columns, keys))
        least = min((key for key in keys if key), default=0)
        smallest = min(smallest, least) if smallest and least else smallest or least
    return max(rows, max(columns)), smallest


def _between(grid: DistanceKeys, low: int, high: int) -> list[list[tuple[int, int]]]:
    """Return per row (key, column) with low < key <= high, sorted."""
    return [
        sorted((key, j) for j, key in enumerate(grid.row(i)) if low < key <= high)
        for i in range(grid.height)
    ]


def _with(
    near: Sequence[Sequence[int]], edges: Sequence[Sequence[tuple[int, int]]], limit: int
) -> list[list[int]]:
    return [
        [*close, *(j for _, j in row[: bisect_right(row, limit, key=itemgetter(0))])]
        for close, row in zip(near, edges, strict=True)
    ]


def _on_the_line(both: Sides) -> WInfinity:
    """Take the monotone plan; a half-line before or after its longest edge is the Hall set."""
    edges = corner(both.supply, both.demand)
    plan = Plan(both.rows, both.columns, tuple(edges), both.total)
    xs, ys = numbers(both.rows), numbers(both.columns)
    moves = [(ys[j] - xs[i], i) for i, j, _ in edges]
    longest, i = max(moves, key=lambda move: abs(move[0]))
    if longest == 0:
        return WInfinity(Distance(Fraction(0)), plan, None)
    event = range(i + 1) if longest > 0 else range(i, len(xs))
    near = _near_on_the_line(xs, ys, event, abs(longest))
    hall = HallSet(
        both.rows[event.start : event.stop],
        tuple(both.columns[k] for k in near),
        Fraction(sum(both.supply[k] for k in event), both.total),
        Fraction(sum(both.demand[k] for k in near), both.total),
    )
    return WInfinity(Distance(longest * longest), plan, hall)


def _near_on_the_line(
    xs: Sequence[Fraction], ys: Sequence[Fraction], event: range, limit: Fraction
) -> list[int]:
    """Return the columns nearer than `limit` to one of the rows, by one sweep."""
    near: list[int] = []
    k = event.start
    for j, y in enumerate(ys):
        while k + 1 < event.stop and xs[k + 1] <= y:
            k += 1
        if any(abs(x - y) < limit for x in xs[k : min(k + 2, event.stop)]):
            near.append(j)
    return near
