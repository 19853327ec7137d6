"""The extreme points of the laws on finitely many places that meet linear constraints, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Row = tuple[Sequence[Fraction], Fraction]
"""Coefficients of the masses, and what their sum is at most."""
MOST = 256
"""Extreme points, at every stage."""
_Point = tuple[tuple[Fraction, ...], frozenset[int]]  # with the constraints that it meets exactly


class NoLawError(ValueError):
    """There is no such law; `row` is the first constraint that none meets with those before it."""

    def __init__(self, row: int) -> None:
        super().__init__(f"constraint {row + 1} and those before it hold for no law")
        self.row = row


def extreme_points(size: int, rows: Sequence[Row]) -> tuple[int, list[tuple[int, ...]]]:
    """Return a common denominator, and the extreme points as integers over it, sorted.

    The simplex is cut by one constraint after the other: what is beyond it goes, and every edge
    that it crosses leaves a new point (the double description method, Motzkin and others 1953).
    Raises NoLawError, and ValueError for more than MOST points.
    Example: ``extreme_points(2, [([Fraction(1), Fraction(0)], Fraction(1, 2))])`` is
    ``(2, [(0, 2), (1, 1)])``.
    """
    if size > MOST:
        raise ValueError(f"more than {MOST} extreme laws")
    points: list[_Point] = []
    for k in range(size):
        law = tuple(Fraction(j == k) for j in range(size))
        points.append((law, frozenset(j for j in range(size) if j != k)))
    for number, (coefficients, most) in enumerate(rows):
        slack = [
            most - sum((c * x for c, x in zip(coefficients, law, strict=True)), Fraction(0))
            for law, _ in points
        ]
        kept = [
            (law, tight | {size + number} if not left else tight)
            for (law, tight), left in zip(points, slack, strict=True) if left >= 0
        ]  # fmt: skip
        inside = [k for k, left in enumerate(slack) if left > 0]
        beyond = [k for k, left in enumerate(slack) if left < 0]
        for one, other in ((a, b) for a in inside for b in beyond):
            common = points[one][1] & points[other][1]
            if any(common <= tight for k, (_, tight) in enumerate(points) if k not in (one, other)):
                continue  # no edge
            share = slack[one] / (slack[one] - slack[other])
            law = tuple(
                x + share * (y - x)
                for x, y in zip(points[one][0], points[other][0], strict=True)
            )
            kept.append((law, common | {size + number}))
        if not kept:
            raise NoLawError(number)
        if len(kept) > MOST:
            raise ValueError(f"more than {MOST} extreme laws")
        points = kept
    whole = lcm(*(x.denominator for law, _ in points for x in law))
    return whole, sorted({tuple(int(x * whole) for x in law) for law, _ in points})
