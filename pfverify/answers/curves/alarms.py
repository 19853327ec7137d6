"""How far apart the bounds of a trade-off function are: highest lines, above and below.

f(a) is the largest 1 - H(gamma) - gamma a. What H is at most gives lines below f; what it is at
least is least at corners, which give lines whose largest is above f.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pfverify.answers.curves.between import Line, Open, Range, crossings, lines_below
from pfverify.answers.profile import Known
from pfverify.exact.no_truth import NoTruth

_ZERO = Fraction(0)


@dataclass(frozen=True)
class Highest(NoTruth, ask="read .lines"):
    """The highest of some lines: those that are it somewhere, the steepest first, and the kinks."""

    lines: Sequence[Line]
    kinks: Sequence[Fraction]

    def line(self, alarm: Fraction) -> Line:
        """Return the line that is highest at a place."""
        return self.lines[bisect_left(self.kinks, alarm)]

    def at(self, alarm: Fraction) -> Fraction:
        """Return the height there."""
        start, slope = self.line(alarm)
        return start + slope * alarm


def highest(lines: Iterable[Line]) -> Highest:
    """Return the highest of falling lines, and of 0.

    Example: ``highest([(Fraction(1), Fraction(-1))]).kinks`` is ``[1]``.
    """
    top: list[Line] = []
    for one in sorted({*lines, (_ZERO, _ZERO)}, key=lambda one: (one[1], one[0])):
        if top and top[-1][1] == one[1]:
            top.pop()  # of two that are as steep the higher one comes last
        while len(top) > 1 and _cross(top[-2], one) <= _cross(top[-2], top[-1]):
            top.pop()
        top.append(one)
    return Highest(top, [_cross(one, other) for one, other in pairwise(top)])


def _cross(one: Line, other: Line) -> Fraction:
    return (other[0] - one[0]) / (one[1] - other[1])


def below(known: Sequence[Known]) -> Highest:
    """Return lines that f is above: one for each growth. Source: design fact F101."""
    return highest((1 - one.upper, -one.gamma) for one in known)


def above(known: Sequence[Known]) -> Highest:
    """Return lines of which the highest is above f: one for each corner of what H is above.

    Beyond the last growth H is above the line that goes on from the last two, and 0.
    Source: design fact F102.
    """
    found = []
    for right in range(1, len(known)):
        low, high = known[right - 1].gamma, known[right].gamma
        lines = lines_below(known, right)
        for at in crossings(lines, low, high):
            found.append((at, max(start + slope * at for start, slope in lines)))
    last, before = known[-1], known[-2]
    slope = (last.lower - before.upper) / (last.gamma - before.gamma)
    found.append((last.gamma, last.lower))
    if slope < 0:
        found.append((last.gamma - last.lower / slope, _ZERO))
    elif last.lower:
        found.append((last.gamma, _ZERO))
    return highest((1 - least, -at) for at, least in found)


def opens(known: Sequence[Known], within: Range) -> list[Open]:
    """Return how far apart the bounds of f are at each kink of the lower one, in a range.

    Between two of them the bounds are nowhere farther apart than at both. `at` is the growth at
    which a further line helps.
    """
    bottom, top = below(known), above(known)
    gammas = [one.gamma for one in known]
    low, high = within
    found = []
    for alarm in (low, high, *(kink for kink in bottom.kinks if low < kink < high)):
        at = -top.line(alarm)[1]
        right = bisect_left(gammas, at)
        a = gammas[max(right - 1, 0)]
        b = gammas[right] if right < len(gammas) else 2 * at
        near = known[max(right - 2, 0) : right + 2]
        width = max((one.upper - one.lower for one in near), default=_ZERO)
        found.append(Open(top.at(alarm) - bottom.at(alarm), at, a, b, width))
    return found
