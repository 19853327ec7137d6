"""The published scales by their definitions: quantiles, sums in mpmath, a linear programme."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, inf
from typing import Any

import kernel_builder as kb
from coupling_truth import Prior, distances, prior_of
from mpmath import mpf
from scipy.optimize import linprog

Json = dict[str, Any]
CLOSE = mpf(10) ** -45
Edges = dict[tuple[Fraction, Fraction], Fraction]


def pairs_of(value: Json) -> list[tuple[Prior, Prior]]:
    """Every pair of priors once, in the order of the file."""
    goals = kb.ordered_goals(value)[::2]
    return [(prior_of(value, a, belief), prior_of(value, b, belief)) for belief, a, b in goals]


def monotone(p: Prior, q: Prior) -> Edges:
    """The plan without crossings: both quantile functions on their common steps."""
    edges: Edges = {}
    rows, columns = sorted(p.items()), sorted(q.items())
    i = j = 0
    left, right = rows[0][1], columns[0][1]
    while True:
        moved = min(left, right)
        key = rows[i][0], columns[j][0]
        edges[key] = edges.get(key, Fraction(0)) + moved
        left, right = left - moved, right - moved
        if left == 0:
            i += 1
            if i == len(rows):
                return edges
            left = rows[i][1]
        if right == 0:
            j += 1
            right = columns[j][1]


def lines_gap(edges: Edges, side: int, epsilon: mpf, scale: mpf) -> mpf:
    """Largest over columns (side 1) or rows (0) of log(mean of e^(distance/scale)) - epsilon.

    Lines from which nothing moves do not count; -inf where nothing moves at all.
    """
    totals: dict[Fraction, Fraction] = {}
    sums: dict[Fraction, mpf] = {}
    moves = {key[side] for key in edges if key[0] != key[1]}
    for key, mass in edges.items():
        line = key[side]
        grown = mpf(mass.numerator) / mass.denominator
        grown *= kb.mpmath.exp(kb.Release.mp(abs(key[0] - key[1])) / scale)
        sums[line] = sums.get(line, mpf(0)) + grown
        totals[line] = totals.get(line, Fraction(0)) + mass
    gaps = [kb.mpmath.log(sums[k] / kb.Release.mp(totals[k])) - epsilon for k in moves]
    return max(gaps, default=-kb.mpmath.inf)


class Recipes:
    """How far each recipe is from its own condition at a scale: <= 0 iff the condition holds."""

    def __init__(self, value: Json) -> None:
        self.epsilon = kb.real(value["epsilon"])
        self.pairs = pairs_of(value)
        self.plans = [monotone(p, q) for p, q in self.pairs]
        self.moved = any(p != q for p, q in self.pairs)

    def gap(self, name: str, scale: mpf) -> mpf:
        """The condition of a recipe at a scale."""
        recipes: dict[str, Callable[[mpf], mpf]] = {
            "l1": lambda s: self._reach([max(abs(x - y) for x in p for y in q) for p, q in
                                         self.pairs], s),
            "wasserstein": lambda s: self._reach([distances(p, q)[1] for p, q in self.pairs], s),
            "relaxed_columns": lambda s: max(self._lines(s, 1)),
            "relaxed_rows": lambda s: max(self._lines(s, 0)),
            "relaxed": lambda s: max(map(min, self._lines(s, 0), self._lines(s, 1))),
            "relaxed_published": lambda s: max(*self._lines(s, 0), *self._lines(s, 1)),
            "bernoulli": self._bernoulli,
        }  # fmt: skip
        return recipes[name](scale)

    def _reach(self, found: list[Fraction], scale: mpf) -> mpf:
        return kb.Release.mp(max(found)) / scale - self.epsilon

    def _lines(self, scale: mpf, side: int) -> list[mpf]:
        return [lines_gap(edges, side, self.epsilon, scale) for edges in self.plans]

    def _bernoulli(self, scale: mpf) -> mpf:
        """Largest log ratio at either of two points, in both orders, minus epsilon."""
        worst = -kb.mpmath.inf
        for p, q in self.pairs:
            if p == q:
                continue
            (x, z) = sorted({*p, *q})
            t = kb.mpmath.exp(-kb.Release.mp(z - x) / scale)
            a, b = (kb.Release.mp(law.get(z, Fraction(0))) for law in (p, q))
            for one, two in ((a, b), (b, a), (1 - a, 1 - b), (1 - b, 1 - a)):
                ratio = (one + (1 - one) * t) / (two + (1 - two) * t)
                worst = max(worst, kb.mpmath.log(ratio) - self.epsilon)
        return worst

    def best_line(self, scale: float) -> float:
        """The least over couplings of the largest line, over e^epsilon: the better side, the worst
        pair. Floats, from a dense linear programme."""
        sides = [
            min(self._best_line(p, q, scale), self._best_line(q, p, scale))
            for p, q in self.pairs
            if p != q
        ]
        return max(sides, default=0.0)

    def _best_line(self, p: Prior, q: Prior, scale: float) -> float:
        """The columns' side. Edges that would cost more than e^20 lines are left out: they could
        carry less than any mass here, so where they are needed the answer is far above 1."""
        rows, columns, epsilon = sorted(p), sorted(q), float(self.epsilon)
        costs = {(x, z): float(abs(x - z)) / scale - epsilon for x in rows for z in columns}
        edges = [key for key, cost in costs.items() if cost < 20]
        equal = [[float(x == line) for x, _ in edges] + [0.0] for line in rows]
        equal += [[float(z == line) for _, z in edges] + [0.0] for line in columns]
        upper = [
            [exp(costs[x, z]) / float(q[z]) if z == line else 0.0 for x, z in edges] + [-1.0]
            for line in columns
        ]
        masses = [float(p[x]) for x in rows] + [float(q[z]) for z in columns]
        found = linprog(
            [0.0] * len(edges) + [1.0], A_ub=upper, b_ub=[0.0] * len(columns), A_eq=equal,
            b_eq=masses,
        )  # fmt: skip
        return float(found.fun) if found.status == 0 else inf


def last_place(text: str, digits: int) -> Fraction:
    """One unit in the last of so many significant digits of a positive decimal."""
    value, place = Fraction(text), 0
    while Fraction(10) ** (place + 1) <= value:
        place += 1
    while Fraction(10) ** place > value:
        place -= 1
    return Fraction(10) ** (place - digits + 1)
