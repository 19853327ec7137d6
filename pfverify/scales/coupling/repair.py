"""Float shares of a programme turned into an exact coupling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pfverify.exact.corner import corner
from pfverify.scales.coupling.programme import NEGLIGIBLE, Programme, Solution
from pfverify.transport.line_plan import LinePlan

_GRID = 60  # bits of a share of an atom's mass: more than the 53 of a float, so none is lost

Masses = dict[tuple[int, int], int]
"""(row, column) -> integer mass."""


def repaired(programme: Programme, solution: Solution) -> LinePlan:
    """Return an exact coupling on (nearly) the support of the shares.

    Masses go to a grid; those on a spanning forest of the support then follow exactly from
    the marginals. What still does not fit is cut, and the rest coupled monotonically.
    """
    rows, columns = ([w << _GRID for w in side] for side in (programme.p, programme.q))
    masses = _on_the_grid(programme, solution)
    _solve_forest(masses, rows, columns)
    _cut(masses, rows, 0)
    _cut(masses, columns, 1)
    for i, j, mass in corner(_lacking(masses, rows, 0), _lacking(masses, columns, 1)):
        masses[i, j] = masses.get((i, j), 0) + mass
    edges = sorted(
        (programme.xs[i], programme.zs[j], mass) for (i, j), mass in masses.items() if mass
    )
    return LinePlan.of_edges(edges, programme.denominator, programme.total << _GRID)


def _on_the_grid(programme: Programme, solution: Solution) -> Masses:
    """Return the masses, each from the larger of its two shares: a share of the smaller atom."""
    masses: Masses = {}
    shares = np.maximum(solution.row_shares, solution.column_shares)
    for i, j in zip(*(a.tolist() for a in np.nonzero(shares > NEGLIGIBLE)), strict=True):
        of_row = solution.row_shares[i, j] >= solution.column_shares[i, j]
        whole = programme.p[i] if of_row else programme.q[j]
        mass = round(float(shares[i, j]) * 2.0**_GRID) * whole
        if mass > 0:
            masses[i, j] = mass
    return masses


def _solve_forest(masses: Masses, rows: list[int], columns: list[int]) -> None:
    """Set the masses on a heaviest spanning forest to what the marginals leave for them."""
    n = len(rows)
    parent = list(range(n + len(columns)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    need = rows + columns
    tree: list[set[int]] = [set() for _ in parent]
    for (i, j), mass in sorted(masses.items(), key=lambda item: -item[1]):
        a, b = root(i), root(n + j)
        if a != b:
            parent[a] = b
            tree[i].add(n + j)
            tree[n + j].add(i)
        else:
            need[i] -= mass
            need[n + j] -= mass
    leaves = [node for node, near in enumerate(tree) if len(near) == 1]
    while leaves:
        leaf = leaves.pop()
        if len(tree[leaf]) != 1:
            continue
        other = tree[leaf].pop()
        tree[other].remove(leaf)
        key = (leaf, other - n) if leaf < n else (other, leaf - n)
        masses[key] = max(need[leaf], 0)
        need[other] -= masses[key]
        if len(tree[other]) == 1:
            leaves.append(other)


def _cut(masses: Masses, targets: Sequence[int], side: int) -> None:
    """Lower the heaviest masses of every line that sums to more than its target."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for key in masses:
        lines.setdefault(key[side], []).append(key)
    for index, keys in lines.items():
        over = sum(masses[key] for key in keys) - targets[index]
        for key in sorted(keys, key=lambda k: -masses[k]):
            if over <= 0:
                break
            cut = min(over, masses[key])
            masses[key] -= cut
            over -= cut


def _lacking(masses: Masses, targets: Sequence[int], side: int) -> list[int]:
    """Return what every line still lacks of its target."""
    lacking = list(targets)
    for key, mass in masses.items():
        lacking[key[side]] -= mass
    return lacking
