"""The extreme points of the laws on finitely many places that meet linear constraints.

The simplex is cut by one constraint after the other.  A point beyond it goes; an edge from a point
inside to one beyond leaves the point where it is cut.  Two points have an edge in common just if no
third one meets all the constraints with equality that both of them do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.grammar import Malformed
from core.work import price, spend

MOST = 256
Row = tuple[Sequence[Fraction], Fraction]  # coefficients, and what their sum is at most


def extreme_points(size: int, rows: Sequence[Row]) -> list[list[Fraction]]:
    """In order of their coordinates."""
    if size > MOST:
        raise Malformed("too many extreme laws")
    found: dict[tuple[Fraction, ...], set[int]] = {}
    for k in range(size):
        found[tuple(Fraction(j == k) for j in range(size))] = {*range(size)} - {k}
    for number, (row, most) in enumerate(rows, size):
        left = {x: most - _dot(row, x) for x in found}
        after = {x: met | {number} if left[x] == 0 else met
                 for x, met in found.items() if left[x] >= 0}  # fmt: skip
        out = [x for x in found if left[x] < 0]
        for x in (x for x in found if left[x] > 0):
            for y in out:
                both = found[x] & found[y]
                spend(len(found))
                if any(both <= met for z, met in found.items() if z not in (x, y)):
                    continue
                share = left[x] / (left[x] - left[y])
                cut = tuple(a + share * (b - a) for a, b in zip(x, y, strict=True))
                after[cut] = both | {number}
        if not after or len(after) > MOST:
            raise Malformed("a polytope without a law" if not after else "too many extreme laws")
        found = after
    return [[*x] for x in sorted(found)]


def _dot(row: Sequence[Fraction], x: Sequence[Fraction]) -> Fraction:
    spend(sum(8 + price(a.denominator.bit_length() + b.denominator.bit_length())
              for a, b in zip(row, x, strict=True)))  # fmt: skip
    return sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0))
