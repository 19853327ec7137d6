"""How far apart the bounds of a convex function are between the places where it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pfverify.answers.profile import Known
from pfverify.exact.no_truth import NoTruth

_ZERO = Fraction(0)
Line = tuple[Fraction, Fraction]
"""Its height at 0, and its slope."""
Range = tuple[Fraction, Fraction]
Weight = Callable[[Fraction], Fraction]
Below = Callable[[Sequence[Known], int], list[Line]]


@dataclass(frozen=True)
class Open(NoTruth, ask="read .gap"):
    """Between two places the bounds are `gap` apart, most at `at`; `width`: where they are known.

    `low` and `high` are the two places.
    """

    gap: Fraction
    at: Fraction
    low: Fraction
    high: Fraction
    width: Fraction


def line(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> Line:
    """Return the line through two points.

    Example: ``line((Fraction(0), Fraction(1)), (Fraction(2), Fraction(0)))`` is ``(1, -1/2)``.
    """
    slope = (b[1] - a[1]) / (b[0] - a[0])
    return a[1] - slope * a[0], slope


def lines_below(known: Sequence[Known], right: int) -> list[Line]:
    """Return lines that a convex falling function is above, between a known place and the last.

    They go on from two places on either side: the farther one from above, the nearer from below.
    Before the first place, which is 0, that is 1 - E: nothing falls faster.
    """
    a, b = known[right - 1], known[right]
    found = [(b.lower, Fraction(0))]
    if right >= 2:
        before = known[right - 2]
        found.append(line((before.gamma, before.upper), (a.gamma, a.lower)))
    else:
        found.append((Fraction(1), Fraction(-1)))
    if right + 1 < len(known):
        after = known[right + 1]
        found.append(line((b.gamma, b.lower), (after.gamma, after.upper)))
    return found


def crossings(lines: Sequence[Line], low: Fraction, high: Fraction) -> list[Fraction]:
    """Return both ends and where two lines cross between them.

    Example: ``crossings([(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))], Fraction(0),
    Fraction(2))`` is ``[0, 2, 1]``.
    """
    found = [low, high]
    for (c, m), (d, n) in combinations(lines, 2):
        if m != n and low < (at := (d - c) / (m - n)) < high:
            found.append(at)
    return found


def opens(
    known: Sequence[Known], within: Range, weight: Weight, below: Below = lines_below
) -> list[Open]:
    """Return how far apart the bounds are between each two neighbours, in a range that is known.

    What is between is multiplied by a weight, so that it is farthest apart where lines cross.
    Source: design facts F99 and F100.
    """
    found = []
    for right in range(1, len(known)):
        a, b = known[right - 1], known[right]
        low, high = max(a.gamma, within[0]), min(b.gamma, within[1])
        if low > high:
            continue
        lines = below(known, right)
        above = line((a.gamma, a.upper), (b.gamma, b.upper))
        gap, at = max(
            (weight(x) * (_height(above, x) - max(_height(one, x) for one in lines)), x)
            for x in crossings(lines, low, high)
        )
        near = known[max(0, right - 2) : right + 2]
        unknown = (one for one in near if one.upper > one.lower)
        width = max((weight(one.gamma) * (one.upper - one.lower) for one in unknown), default=_ZERO)
        found.append(Open(gap, at, a.gamma, b.gamma, width))
    return found


def _height(one: Line, x: Fraction) -> Fraction:
    return one[0] + one[1] * x
