"""Transport plans between the components of two Gaussian mixtures, exact.

An edge (i, l, weight) sends `weight` of component i of the first mixture to component l of the
second. Components are given sorted by mean, as a prior keeps them; their weights sum to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

from pfverify.errors import InputError
from pfverify.exact.coprime import coprime_base, exponents_over
from pfverify.exact.corner import corner
from pfverify.exact.rising import rising
from pfverify.exact.search import UndecidedError
from pfverify.model.priors.prior import Component
from pfverify.transport.forest import without_cycles
from pfverify.transport.maxflow import Flow
from pfverify.transport.mincost import CheapestFlow, cheapest

MAX_EDGES = 10_000
_FIRST_BITS, _LAST_BITS = 128, 1 << 15
_TIE_BITS = 256  # of the costs that choose among optimal plans

Components = Sequence[Component]
Edge = tuple[int, int, Fraction]
Surd = dict[int, int]
"""Coefficients of linearly independent square roots; key 0: of 1. A sum of them is 0 iff empty."""


@dataclass(frozen=True)
class W2Plan:
    """A component plan of least mean squared distance of the normal laws that it joins.

    Attributes: `edges`, (i, l, weight > 0), sorted; `unique`, True where it is proved that no
    other plan is as cheap.
    """

    edges: tuple[Edge, ...]
    unique: bool


def w2_plan(
    first: Components, second: Components, preferred: Callable[[int, int], Fraction]
) -> W2Plan:
    """Return weights that minimise sum of weight ((mu_i - mu_l)**2 + (sd_i - sd_l)**2), exactly.

    Where several plans do, one with the least sum of weight * `preferred(i, l)` among them is
    taken (`preferred` is read to about 256 bits). Standard deviations may be irrational: the
    costs are sums of independent square roots, so that equal costs are recognised as equal.
    Raises InputError beyond 10,000 pairs of components, except where all variances are equal;
    UndecidedError where 32768 bits do not tell two different costs apart.

    Source: Gaussian-priors paper, (12) and its footnote 5; Besicovitch 1940 (independence).
    """
    if len({part.variance for part in (*first, *second)}) == 1 or 1 in (len(first), len(second)):
        return W2Plan(monotone_components(first, second), True)
    _check_size(first, second)
    supply, demand, total = _integer_weights(first, second)
    costs = _SquaredDistances(first, second)
    for bits in rising(_FIRST_BITS, _LAST_BITS):
        best = _solved(supply, demand, costs.at(bits).__getitem__)
        ties = costs.ties(best, bits)
        if ties is not None:
            break
    else:
        raise UndecidedError(f"two costs of component plans agree to {bits} bits")
    if _is_forest(ties, len(first)):  # at most one plan stays on a forest
        return W2Plan(_named(best.edges, total), True)
    chosen = _cheapest_inside(ties, supply, demand, preferred)
    return W2Plan(_named(chosen, total), False)


def bottleneck_plan(
    first: Components, second: Components, levels: Sequence[Sequence[int]]
) -> tuple[int, tuple[Edge, ...]]:
    """Return the least level t for which a plan uses only pairs with levels[i][l] <= t, and it.

    `levels` are ranks of the pairs, integers >= 0. Every plan has an edge at level >= t.
    Raises InputError beyond 10,000 pairs of components.
    Source: design fact F10 (threshold search with exact maximum flows).
    """
    _check_size(first, second)
    supply, demand, total = _integer_weights(first, second)
    ranks = sorted({level for row in levels for level in row})
    low, high = -1, len(ranks) - 1  # no plan at ranks[low], some plan at ranks[high]
    best: Flow | None = None
    while high - low > 1 or best is None:
        middle = (low + high) // 2 if high - low > 1 else high
        flow = Flow(supply, demand)
        flow.fill([[j for j, at in enumerate(row) if at <= ranks[middle]] for row in levels])
        if flow.unsent:
            low = middle
        else:
            high, best = middle, flow
    return ranks[high], _named(best.edges(), total)


def monotone_components(first: Components, second: Components) -> tuple[Edge, ...]:
    """Return the plan that joins the components in the order of their means.

    Where all variances are equal it is the cheapest plan for every convex cost of the distance
    of means, and has the shortest longest edge. Source: design fact F10.
    """
    supply, demand, total = _integer_weights(first, second)
    return _named(corner(supply, demand), total)


def _check_size(first: Components, second: Components) -> None:
    if len(first) * len(second) > MAX_EDGES:
        raise InputError(
            f"{len(first)} and {len(second)} components, expected at most {MAX_EDGES} pairs of them"
        )


def _integer_weights(first: Components, second: Components) -> tuple[list[int], list[int], int]:
    total = lcm(*(part.weight.denominator for part in (*first, *second)))
    supply, demand = (
        [int(part.weight * total) for part in components] for components in (first, second)
    )
    return supply, demand, total


def _named(edges: Sequence[tuple[int, int, int]], total: int) -> tuple[Edge, ...]:
    return tuple((i, j, Fraction(amount, total)) for i, j, amount in edges)


def _is_forest(pairs: set[tuple[int, int]], height: int) -> bool:
    edges = [(i, j, 1) for i, j in pairs]
    return without_cycles(edges, height) == tuple(sorted(edges))


def _solved(
    supply: Sequence[int], demand: Sequence[int], costs: Callable[[int], Sequence[int]]
) -> CheapestFlow:
    best = cheapest(supply, demand, costs, corner(supply, demand))
    if not best.check(supply, demand, costs):
        raise ArithmeticError("the cheapest component plan fails its own check")
    return best


def _cheapest_inside(
    allowed: set[tuple[int, int]],
    supply: Sequence[int],
    demand: Sequence[int],
    preferred: Callable[[int, int], Fraction],
) -> tuple[tuple[int, int, int], ...]:
    """Return a plan on the allowed pairs of the least preferred cost (all of them optimal)."""
    wanted = {pair: int(preferred(*pair) * 2**_TIE_BITS) for pair in allowed}
    # one unit outside costs more than everything inside
    forbidden = (max(wanted.values()) + 1) * (sum(supply) + 1)
    rows = [
        [wanted.get((i, j), forbidden) for j in range(len(demand))] for i in range(len(supply))
    ]
    best = _solved(supply, demand, rows.__getitem__)
    if any((i, j) not in allowed for i, j, _ in best.edges):
        raise ArithmeticError("no plan on the pairs of a plan")
    return best.edges


class _SquaredDistances:
    """The costs (mu_i - mu_l)**2 + v_i + v_l - 2 sqrt(v_i v_l), over one common denominator."""

    def __init__(self, first: Components, second: Components) -> None:
        roots = _Roots([part.variance for part in (*first, *second)])
        left, right = ([roots.of(part.variance) for part in side] for side in (first, second))
        table = []
        for a, root_a in zip(first, left, strict=True):
            row = []
            for b, root_b in zip(second, right, strict=True):
                times, mask = roots.product(root_a, root_b)
                cost = {0: (a.mean - b.mean) ** 2 + a.variance + b.variance}
                cost[mask] = cost.get(mask, Fraction(0)) - 2 * times
                row.append(cost)
            table.append(row)
        unit = lcm(*(c.denominator for row in table for cost in row for c in cost.values()))
        self.roots = roots
        self.costs: list[list[Surd]] = [
            [{mask: int(c * unit) for mask, c in cost.items() if c} for cost in row]
            for row in table
        ]

    def at(self, bits: int) -> list[list[int]]:
        """Return the costs with every root replaced by a rational, so that ties stay ties."""
        return [[self._value(cost, bits) for cost in row] for row in self.costs]

    def ties(self, best: CheapestFlow, bits: int) -> set[tuple[int, int]] | None:
        """Prove that a plan is optimal for the true costs; None where `bits` do not show it.

        Returns the pairs whose reduced cost is exactly 0: a plan is optimal if and only if it
        stays on them.
        """
        at = self.at(bits)
        u, v = self._potentials(best, at)
        tight = set()
        for i, row in enumerate(self.costs):
            for j, cost in enumerate(row):
                reduced = _minus(_minus(cost, u[i]), v[j])
                if not reduced:
                    tight.add((i, j))
                    continue
                gap = at[i][j] - best.rows[i] - best.columns[j]
                # each root is less than one unit above its replacement
                if gap <= sum(abs(c) for mask, c in reduced.items() if mask):
                    return None
        return tight

    def _potentials(
        self, best: CheapestFlow, at: Sequence[Sequence[int]]
    ) -> tuple[list[Surd], list[Surd]]:
        """Follow the pairs that are tight at `at`, from one row of potential 0 per component."""
        height, width = len(best.rows), len(best.columns)
        u: list[Surd | None] = [None] * height
        v: list[Surd | None] = [None] * width
        for root, potential in enumerate(best.rows):
            if potential or u[root] is not None:
                continue
            u[root] = {}
            rows = [root]
            while rows:
                i = rows.pop()
                for j in range(width):
                    if v[j] is None and at[i][j] == best.rows[i] + best.columns[j]:
                        v[j] = near = _minus(self.costs[i][j], u[i] or {})
                        for k in range(height):
                            if u[k] is None and at[k][j] == best.rows[k] + best.columns[j]:
                                u[k] = _minus(self.costs[k][j], near)
                                rows.append(k)
        if None in u or None in v:
            raise ArithmeticError("a component of the tight pairs has no row of potential 0")
        return [part or {} for part in u], [part or {} for part in v]

    def _value(self, cost: Surd, bits: int) -> int:
        return sum(c * self.roots.near(mask, bits) for mask, c in cost.items())


class _Roots:
    """Square roots of rationals as multiples of square roots of products of a coprime base.

    The base holds no squares, so the roots of its 2**k products are linearly independent over
    the rationals. A root is (coefficient, mask): bit b of the mask says that base[b] is inside.
    """

    def __init__(self, squares: Sequence[Fraction]) -> None:
        self.base = coprime_base(s.numerator * s.denominator for s in squares if s)
        self._near: dict[tuple[int, int], int] = {}

    def of(self, square: Fraction) -> tuple[Fraction, int]:
        """Return sqrt(n/d) = sqrt(n d)/d."""
        if square == 0:
            return Fraction(0), 0
        times, mask = Fraction(1, square.denominator), 0
        counts = exponents_over(self.base, square.numerator * square.denominator)
        for bit, (factor, count) in enumerate(zip(self.base, counts, strict=True)):
            times *= factor ** (count // 2)
            mask |= (count & 1) << bit
        return times, mask

    def product(
        self, left: tuple[Fraction, int], right: tuple[Fraction, int]
    ) -> tuple[Fraction, int]:
        """Return the product of two roots."""
        (a, s), (b, t) = left, right
        return a * b * self._inside(s & t), s ^ t

    def near(self, mask: int, bits: int) -> int:
        """Return floor(2**bits sqrt(product of the mask))."""
        key = mask, bits
        if key not in self._near:
            self._near[key] = isqrt(self._inside(mask) << 2 * bits)
        return self._near[key]

    def _inside(self, mask: int) -> int:
        product = 1
        for bit, factor in enumerate(self.base):
            if mask >> bit & 1:
                product *= factor
        return product


def _minus(left: Surd, right: Surd) -> Surd:
    total = dict(left)
    for mask, c in right.items():
        total[mask] = total.get(mask, 0) - c
    return {mask: c for mask, c in total.items() if c}
