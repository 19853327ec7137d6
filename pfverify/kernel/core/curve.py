"""Functions that are known at some places, and how far apart their bounds are between these.

H(E) = sup over events B of P(B) - E Q(B), E >= 0, is convex and falls, and H(0) = 1 (F99).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from core.grammar import Malformed
from core.work import spend

ZERO, ONE = Fraction(0), Fraction(1)
Line = tuple[Fraction, Fraction]  # its height at 0, and its slope
LONGEST = 512  # bits of a number of a curve
PER_PLACE = 2_000  # units


class Known(NamedTuple):
    """lower <= H(at) <= upper."""

    at: Fraction
    lower: Fraction
    upper: Fraction


def short(x: Fraction, what: str) -> Fraction:
    """A number that is no longer than one of a curve may be."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > LONGEST:
        raise Malformed(f"{what} is longer than {LONGEST} bits")
    return x


def both(own: Iterable[Known], reverse: Iterable[Known]) -> list[Known]:
    """H of P and Q, in order: what is known of it, and of that of Q and P (F100).

    H(0) = 1     H(E) = 1 - E + E H'(1/E) for E > 0, H' that of Q and P
    """
    found = {ZERO: Known(ZERO, ONE, ONE)}
    turned = (
        Known(e := 1 / at, 1 - e + e * lower, 1 - e + e * upper) for at, lower, upper in reverse
    )
    for one in (*own, *turned):
        spend(PER_PLACE)
        same = found.get(one.at, one)
        found[one.at] = Known(one.at, max(one.lower, same.lower), min(one.upper, same.upper))
    return [found[at] for at in sorted(found)]


def _line(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> Line:
    slope = (b[1] - a[1]) / (b[0] - a[0])
    return a[1] - slope * a[0], slope


def _height(line: Line, x: Fraction) -> Fraction:
    return line[0] + line[1] * x


def _below(known: Sequence[Known], k: int) -> list[Line]:
    """Lines that H is above from place k - 1 to place k (F99).

    lines through places on one side go on below H     H falls     H(E) >= 1 - E
    """
    a, b = known[k - 1], known[k]
    found = [(b.lower, ZERO), (ONE, -ONE)]
    if k >= 2:
        found.append(_line((known[k - 2].at, known[k - 2].upper), (a.at, a.lower)))
    if k + 1 < len(known):
        found.append(_line((b.at, b.lower), (known[k + 1].at, known[k + 1].upper)))
    return found


def below_orders(known: Sequence[Known], k: int) -> list[Line]:
    """Lines that (a - 1) D_a is above from place k - 1 to place k, a the order (F104).

    lines through places on one side go on below     D does not fall     D >= 0
    """
    a, b = known[k - 1], known[k]
    found = [(ZERO, ZERO)]
    if k >= 2:
        least = a.lower / (a.at - 1)
        found += [(-least, least), _line((known[k - 2].at, known[k - 2].upper), (a.at, a.lower))]
    if k + 1 < len(known):
        found.append(_line((b.at, b.lower), (known[k + 1].at, known[k + 1].upper)))
    return found


def _corners(lines: Sequence[Line], low: Fraction, high: Fraction) -> list[Fraction]:
    """Both ends, and where two lines cross between them."""
    found = [low, high]
    for (c, m), (d, n) in combinations(lines, 2):
        if m != n and low < (x := (d - c) / (m - n)) < high:
            found.append(x)
    return found


def apart(
    known: Sequence[Known], low: Fraction, high: Fraction, weight: Callable[[Fraction], Fraction],
    below: Callable[[Sequence[Known], int], list[Line]] = _below,
) -> Fraction:  # fmt: skip
    """The largest weight(E) times the difference of bounds of H at E, low <= E <= high; Malformed
    where H is not known beyond both.

    H is below the line between two places (F99), or what is like it (F104).  Each weight is 1 over
    a line, 1 among them, so that the largest is where two lines cross.
    """
    if low < known[0].at or high > known[-1].at:
        raise Malformed("the curve is not known from one end to the other")
    most = ZERO
    for k in range(1, len(known)):
        spend(PER_PLACE)
        a, b = known[k - 1], known[k]
        left, right = max(low, a.at), min(high, b.at)
        if left > right:
            continue
        lines, above = below(known, k), _line((a.at, a.upper), (b.at, b.upper))
        for x in _corners(lines, left, right):
            least = max(_height(line, x) for line in lines)
            most = max(most, weight(x) * (_height(above, x) - least))
    return most


class Highest(NamedTuple):
    """The highest of some lines: those that are it somewhere, the steepest first, and between
    which places."""

    lines: list[Line]
    kinks: list[Fraction]

    def at(self, x: Fraction) -> Fraction:
        """The height at x."""
        return _height(self.lines[bisect_left(self.kinks, x)], x)


def _cross(one: Line, other: Line) -> Fraction:
    return (other[0] - one[0]) / (one[1] - other[1])


def _highest(lines: Iterable[Line]) -> Highest:
    """The highest of falling lines, and of 0."""
    top: list[Line] = []
    for one in sorted({*lines, (ZERO, ZERO)}, key=lambda line: (line[1], line[0])):
        spend(PER_PLACE)
        if top and top[-1][1] == one[1]:
            top.pop()
        while len(top) > 1 and _cross(top[-2], one) <= _cross(top[-2], top[-1]):
            top.pop()
        top.append(one)
    return Highest(top, [_cross(one, other) for one, other in pairwise(top)])


def apart_of_tests(known: Sequence[Known], low: Fraction, high: Fraction) -> Fraction:
    """The largest difference of bounds of f(a), low <= a <= high.

    f(a) is the largest 1 - H(E) - E a (F101, F102): above the lines of an H that is larger, and
    below the highest line of an H that is smaller, which is that of a corner of it.  Beyond the
    last place H is above the line through the last two, and 0.
    """
    bottom = _highest((1 - one.upper, -one.at) for one in known)
    corners: list[tuple[Fraction, Fraction]] = []
    for k in range(1, len(known)):
        spend(PER_PLACE)
        lines = _below(known, k)
        for x in _corners(lines, known[k - 1].at, known[k].at):
            corners.append((x, max(_height(line, x) for line in lines)))
    before, last = known[-2], known[-1]
    slope = (last.lower - before.upper) / (last.at - before.at)
    end = last.at - last.lower / slope if slope < 0 else last.at
    corners += [(last.at, last.lower), (end, ZERO)]
    top = _highest((1 - least, -x) for x, least in corners)
    places = [low, high, *(x for x in bottom.kinks if low < x < high)]
    return max(top.at(x) - bottom.at(x) for x in places)
