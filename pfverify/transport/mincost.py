"""Exact minimum-cost plans on integers: few edges at a time, priced against all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import count

from pfverify.transport.graphs import library

_NEAREST = 6  # edges per row and per column to begin with
_ADDED = 4  # violated edges per row taken up in one round


@dataclass(frozen=True)
class CheapestFlow:
    """A cheapest flow with its dual.

    Attributes: `edges`, (row, column, amount > 0) sorted; `rows` and `columns`, integers u, v
    with u[i] + v[j] <= cost(i, j) for every pair, and equality on the edges.
    """

    edges: tuple[tuple[int, int, int], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def check(
        self,
        supply: Sequence[int],
        demand: Sequence[int],
        costs: Callable[[int], Sequence[int]],
    ) -> bool:
        """Return whether marginals, dual feasibility and complementary slackness hold exactly."""
        left, open_ = list(supply), list(demand)
        used: dict[int, set[int]] = {}
        for i, j, amount in self.edges:
            left[i] -= amount
            open_[j] -= amount
            used.setdefault(i, set()).add(j)
            if amount <= 0:
                return False
        if any(left) or any(open_):
            return False
        for i, u in enumerate(self.rows):
            slack = [c - u - v for c, v in zip(costs(i), self.columns, strict=True)]
            if min(slack) < 0 or any(slack[j] for j in used.get(i, ())):
                return False
        return True


def cheapest(
    supply: Sequence[int],
    demand: Sequence[int],
    costs: Callable[[int], Sequence[int]],
    feasible: Sequence[tuple[int, int, int]],
) -> CheapestFlow:
    """Return a cheapest plan and its potentials; `costs(i)` are the integer costs of row i.

    `feasible` is any plan, so that the small problem always has one. Column generation: the
    network simplex solves the problem on few edges, its potentials price all n m edges row by
    row, the most violated ones join, until none is left. Integers only.

    Source: Ahuja, Magnanti and Orlin 1993, chapter 11; design fact F10.
    """
    height, width = len(supply), len(demand)
    chosen: list[dict[int, int]] = [{} for _ in range(height)]
    nearest: list[list[tuple[int, int]]] = [[] for _ in range(width)]
    for i in range(height):
        row = costs(i)
        for j in nsmallest(_NEAREST, range(width), key=row.__getitem__):
            chosen[i][j] = row[j]
        for j, cost in enumerate(row):
            best = nearest[j]
            if len(best) < _NEAREST:
                best.append((cost, i))
            elif (worst := max(best)) > (cost, i):
                best[best.index(worst)] = (cost, i)
    for j, best in enumerate(nearest):
        for cost, i in best:
            chosen[i][j] = cost
    for i, j, _ in feasible:
        if j not in chosen[i]:
            chosen[i][j] = costs(i)[j]
    while True:
        edges = _solved(supply, demand, chosen)
        rows, columns = _potentials(height, width, chosen, edges)
        added = 0
        for i, u in enumerate(rows):
            row = costs(i)
            bad = [(c - u - v, j) for j, (c, v) in enumerate(zip(row, columns, strict=True))]
            for slack, j in nsmallest(_ADDED, (entry for entry in bad if entry[0] < 0)):
                chosen[i][j] = row[j]
                added += slack < 0
        if not added:
            return CheapestFlow(edges, rows, columns)


def _solved(
    supply: Sequence[int], demand: Sequence[int], chosen: Sequence[dict[int, int]]
) -> tuple[tuple[int, int, int], ...]:
    networkx = library()
    height = len(supply)
    graph = networkx.DiGraph()
    for i, amount in enumerate(supply):
        graph.add_node(i, demand=-amount)
    for j, amount in enumerate(demand):
        graph.add_node(height + j, demand=amount)
    for i, row in enumerate(chosen):
        for j, cost in row.items():
            graph.add_edge(i, height + j, weight=cost)
    _, flow = networkx.network_simplex(graph)
    return tuple(
        sorted((i, j - height, sent) for i in range(height) for j, sent in flow[i].items() if sent)
    )


def _potentials(
    height: int,
    width: int,
    chosen: Sequence[dict[int, int]],
    edges: Sequence[tuple[int, int, int]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shortest distances in the residual graph (Bellman and Ford; no negative cycle exists)."""
    back: list[list[int]] = [[] for _ in range(width)]
    for i, j, _ in edges:
        back[j].append(i)
    rows = [0] * height
    columns: list[int | None] = [None] * width
    changed = list(range(height))
    for turn in count():
        if turn > height + width:
            raise ArithmeticError("network_simplex returned a plan that is not optimal")
        lowered: set[int] = set()
        for i in changed:
            u = rows[i]
            for j, cost in chosen[i].items():
                v = columns[j]
                if v is None or u + cost < v:
                    columns[j] = u + cost
                    lowered.add(j)
        again: set[int] = set()
        for j in lowered:
            v = columns[j]
            for i in back[j]:
                value = (v or 0) - chosen[i][j]
                if value < rows[i]:
                    rows[i] = value
                    again.add(i)
        changed = list(again)
        if not changed:
            break
    return tuple(-u for u in rows), tuple(v or 0 for v in columns)
