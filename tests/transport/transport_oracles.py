"""Slow, direct answers about small transport polytopes, without a line of the code under test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

Table = dict
Point = Fraction | tuple[Fraction, Fraction] | str


@cache
def spanning_trees(n: int, m: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """All spanning trees of the complete bipartite graph: n^(m-1) m^(n-1) of them."""
    found = []
    for edges in combinations([(i, j) for i in range(n) for j in range(m)], n + m - 1):
        part = list(range(n + m))
        for i, j in edges:
            a, b = part[i], part[n + j]
            if a == b:
                break
            part = [a if k == b else k for k in part]
        else:
            found.append(edges)
    assert len(found) == n ** (m - 1) * m ** (n - 1)
    return tuple(found)


def vertices(p: list[Fraction], q: list[Fraction]) -> Iterator[dict[tuple[int, int], Fraction]]:
    """Every vertex of the transport polytope, once per tree that carries it."""
    for tree in spanning_trees(len(p), len(q)):
        left = [*p, *q]
        edges = {(i, len(p) + j) for i, j in tree}
        masses = {}
        while edges:
            degree: dict[int, list[tuple[int, int]]] = {}
            for edge in edges:
                for node in edge:
                    degree.setdefault(node, []).append(edge)
            leaf, (edge,) = next((node, own) for node, own in degree.items() if len(own) == 1)
            mass = left[leaf]
            for node in edge:
                left[node] -= mass
            masses[edge[0], edge[1] - len(p)] = mass
            edges.remove(edge)
        assert not any(left)
        if all(mass >= 0 for mass in masses.values()):
            yield {edge: mass for edge, mass in masses.items() if mass}


def best_cost(p: Table, q: Table, cost: Callable[[Point, Point], Fraction]) -> Fraction:
    """W1 for a rational cost: the cheapest vertex."""
    xs, ys = list(p), list(q)
    return min(
        sum(mass * cost(xs[i], ys[j]) for (i, j), mass in vertex.items())
        for vertex in vertices(list(p.values()), list(q.values()))
    )


def best_longest(p: Table, q: Table, key: Callable[[Point, Point], Fraction]) -> Fraction:
    """W-infinity: the vertex whose longest edge is shortest (a relation cuts out a face)."""
    xs, ys = list(p), list(q)
    return min(
        max(key(xs[i], ys[j]) for i, j in vertex)
        for vertex in vertices(list(p.values()), list(q.values()))
    )


def subsets(points: list[Point]) -> Iterator[tuple[Point, ...]]:
    for size in range(len(points) + 1):
        yield from combinations(points, size)


def random_table(rng: Random, points: list[Point], largest: int = 6) -> Table:
    """Positive masses with sum 1 on the points, in a random order."""
    weights = [rng.randint(1, largest) for _ in points]
    return {x: Fraction(w, sum(weights)) for x, w in zip(points, weights, strict=True)}


def plane(rng: Random, count: int, side: int = 4) -> list[Point]:
    """Different points of a small rational grid: many equal distances."""
    pool = [(Fraction(a, 2), Fraction(b, 3)) for a in range(side) for b in range(side)]
    return rng.sample(pool, count)


def line(rng: Random, count: int) -> list[Point]:
    return rng.sample(
        [Fraction(k, d) for k in range(-6, 7) for d in (1, 2, 3) if k % d or d == 1], count
    )


def closed_table(rng: Random, names: list[str]) -> dict[tuple[str, str], Fraction]:
    """A random metric: random lengths, closed under shortest paths."""
    d = {(x, y): Fraction(rng.randint(1, 9), rng.choice([1, 2, 3])) for x in names for y in names}
    for x in names:
        d[x, x] = Fraction(0)
        for y in names:
            d[y, x] = d[x, y]
    for y in names:
        for x in names:
            for z in names:
                d[x, z] = min(d[x, z], d[x, y] + d[y, z])
    return d
