"""A layout of a graph in layers: what is used lies below what uses it."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter

_SWEEPS = 8
_WIDEST = 12  # nodes in a row


def layered(count: int, arrows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (column, row) for nodes 0..count-1, so that every arrow goes to a lower row.

    In a row the nodes are sorted by the mean column of their neighbours, sweep by sweep; nodes
    that lie in one row and column there are none. A layer that is wider than a page fills several
    rows. Raises CycleError for a circle.
    Example: ``layered(2, [(1, 0)])`` is ``[(0, 1), (0, 0)]``.
    """
    below: dict[int, list[int]] = {node: [] for node in range(count)}
    above: dict[int, list[int]] = {node: [] for node in range(count)}
    for start, end in arrows:
        below[start].append(end)
        above[end].append(start)
    row: dict[int, int] = {}
    for node in TopologicalSorter(above).static_order():
        row[node] = 1 + max((row[n] for n in above[node]), default=-1)
    rows: list[list[int]] = [[] for _ in range(max(row.values(), default=-1) + 1)]
    for node in range(count):
        rows[row[node]].append(node)
    column = {node: k for nodes in rows for k, node in enumerate(nodes)}
    for sweep in range(_SWEEPS):
        for nodes in rows if sweep % 2 else reversed(rows):
            near = above if sweep % 2 else below
            nodes.sort(key=lambda n: _mean([column[m] for m in near[n]], column[n]))
            column |= {node: k for k, node in enumerate(nodes)}
    lines = [nodes[k : k + _WIDEST] for nodes in rows for k in range(0, len(nodes), _WIDEST)]
    spots = {node: (k, line) for line, nodes in enumerate(lines) for k, node in enumerate(nodes)}
    return [spots[node] for node in range(count)]


def _mean(values: Sequence[int], alone: int) -> float:
    return sum(values) / len(values) if values else float(alone)
