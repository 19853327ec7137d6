"""Any plan to a vertex of its polytope: cycles of the support are cancelled, sums stay."""

from __future__ import annotations

from collections.abc import Iterable

Triple = tuple[int, int, int]


def without_cycles(edges: Iterable[Triple], height: int) -> tuple[Triple, ...]:
    """Return a plan with the same row and column sums, on a forest inside the same support.

    `edges`: (row, column, mass > 0) with rows below `height`. Around a cycle mass is moved from
    every second edge to the others until one edge is empty. At most n + m - 1 edges remain.

    Example: ``without_cycles([(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)], 2)`` is
    ``((0, 0, 2), (1, 1, 2))``.
    Source: Ahuja, Magnanti and Orlin 1993, Theorem 11.2 (spanning tree property).
    """
    near: dict[int, dict[int, int]] = {}  # node -> neighbour -> mass; columns after the rows
    part: dict[int, int] = {}
    for i, j, mass in edges:
        a, b = i, height + j
        tops = root(part, a), root(part, b)
        path = _path(near, a, b) if tops[0] == tops[1] else []
        near.setdefault(a, {})[b] = near.setdefault(b, {})[a] = mass
        if tops[0] != tops[1]:
            part[tops[0]] = tops[1]
            continue
        ring = list(zip(path, [*path[1:], a], strict=True))  # a ... b a: the new edge is last
        give, take = ring[1::2], ring[0::2]
        least, x, y = min((near[x][y], x, y) for x, y in take)
        for chosen, amount in ((give, least), (take, -least)):
            for u, v in chosen:
                near[u][v] += amount
                near[v][u] += amount
        del near[x][y], near[y][x]
    return tuple(
        sorted(
            (a, b - height, mass)
            for a, others in near.items()
            if a < height
            for b, mass in others.items()
            if mass
        )
    )


def root(part: dict[int, int], node: int) -> int:
    """Return the node that stands for the part of a node; `part`: node -> one nearer to it.

    Example: ``root({0: 0, 1: 0}, 1)`` is 0.
    """
    while (above := part.setdefault(node, node)) != node:
        part[node] = part[above]
        node = above
    return node


def _path(near: dict[int, dict[int, int]], start: int, end: int) -> list[int]:
    """Return the nodes of the path in the forest, both ends included."""
    before = {end: end}
    queue = [end]
    for node in queue:
        if node == start:
            break
        for other in near[node]:
            if other not in before:
                before[other] = node
                queue.append(other)
    path = [start]
    while path[-1] != end:
        path.append(before[path[-1]])
    return path
