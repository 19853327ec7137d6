"""The monotone plan on the line: optimal for every convex cost, by one merge (fact F10)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pfverify.model.priors import Discrete


@dataclass(frozen=True)
class LinePlan:
    """A coupling of two discrete priors as sparse exact integers.

    Attributes: `edges`, triples (x, x', mass) sorted, with integer points x (of the first
    prior) and x' (of the second) in units of 1/`denominator`, and integer masses > 0 over
    `total`.
    """

    edges: tuple[tuple[int, int, int], ...]
    denominator: int
    total: int

    def w_infinity(self) -> Fraction:
        """Return the largest distance that carries mass, in the unit of the atoms."""
        return Fraction(max(abs(x - y) for x, y, _ in self.edges), self.denominator)

    def w_1(self) -> Fraction:
        """Return the mean distance, in the unit of the atoms."""
        cost = sum(abs(x - y) * mass for x, y, mass in self.edges)
        return Fraction(cost, self.denominator * self.total)


def monotone_plan(first: Discrete, second: Discrete) -> LinePlan:
    """Return the comonotone coupling of two discrete priors, with O(n + m) edges.

    On the line it minimises every convex cost, and the largest distance too.

    Example: ``monotone_plan(Discrete({0: 1}), Discrete({0: "1/2", 3: "1/2"})).w_infinity()``
    is ``3``.
    Source: multi-user paper (6); Santambrogio 2015, Theorem 2.9.
    """
    denominator = lcm(first.denominator, second.denominator)
    total = lcm(first.total, second.total)
    sides = []
    for prior in (first, second):
        stretch, scale = denominator // prior.denominator, total // prior.total
        sides.append(
            [(p * stretch, w * scale) for p, w in zip(prior.points, prior.weights, strict=True)]
        )
    edges: list[tuple[int, int, int]] = []
    left, right = sides
    i = j = 0
    (x, a), (y, b) = left[0], right[0]
    while True:
        mass = min(a, b)
        edges.append((x, y, mass))
        a, b = a - mass, b - mass
        if a == 0:
            i += 1
            if i == len(left):
                break
            x, a = left[i]
        if b == 0:
            j += 1
            y, b = right[j]
    return LinePlan(tuple(edges), denominator, total)
