"""Two laws told apart: delta at every epsilon, and the trade-off of tests, between proved bounds.

For gamma >= 0 let H(gamma) be the largest P(B) - gamma Q(B) over events B: the hockey-stick
divergence of P from Q, delta at gamma = e**epsilon. It is convex and falls, H(0) = 1, and
H(gamma) of P from Q is 1 - gamma + gamma H(1/gamma) of Q from P, so that both orders give one
curve over all gamma. A test that answers "P" on B gives a false alarm with chance a = Q(B) and
misses with chance b = 1 - P(B); the least b at a is f(a), the largest 1 - H(gamma) - gamma a.

Everything here is exact arithmetic on the ends of proved enclosures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm


@dataclass(frozen=True)
class Known:
    """What is proved at one gamma: `lower` <= H(gamma) <= `upper`."""

    gamma: Fraction
    lower: Fraction
    upper: Fraction


Corner = tuple[Fraction, Fraction]
"""A chance of false alarm and one of a miss."""


def turned(known: Known) -> Known:
    """Return what a value of Q from P at gamma > 0 says about P from Q at 1/gamma.

    Example: ``turned(Known(Fraction(2), Fraction(0), Fraction(0))).lower`` is ``1/2``.
    """
    gamma = 1 / known.gamma
    return Known(gamma, 1 - gamma + gamma * known.lower, 1 - gamma + gamma * known.upper)


def merged(*parts: Sequence[Known]) -> list[Known]:
    """Return all that is known, by gamma; of two values at one gamma the tighter ends.

    H(0) = 1 is always known.
    """
    found = {Fraction(0): Known(Fraction(0), Fraction(1), Fraction(1))}
    for one in (known for part in parts for known in part):
        other = found.get(one.gamma, one)
        lower, upper = max(one.lower, other.lower), min(one.upper, other.upper)
        found[one.gamma] = Known(one.gamma, lower, upper)
    return [found[gamma] for gamma in sorted(found)]


def larger(first: Sequence[Known], second: Sequence[Known]) -> list[Known]:
    """Return what is known of the larger of two such functions, at the gammas of both."""
    return [
        Known(one.gamma, max(one.lower, other.lower), max(one.upper, other.upper))
        for one, other in zip(first, second, strict=True)
    ]


def band(known: Sequence[Known], gamma: Fraction) -> tuple[Fraction, Fraction]:
    """Return proved bounds of a convex falling function >= 0 between (or at) the known gammas.

    Above by the chord of the two neighbours; below by the larger of the right neighbour and of
    the lines through two known points on either side, carried on: a convex function is above them.
    Example: ``band([Known(Fraction(0), Fraction(1), Fraction(1)), Known(Fraction(2), Fraction(0),
    Fraction(0))], Fraction(1))`` is ``(0, 1/2)``.
    """
    right = next(k for k, one in enumerate(known) if one.gamma >= gamma)
    if known[right].gamma == gamma:
        return known[right].lower, known[right].upper
    a, b = known[right - 1], known[right]
    part = (gamma - a.gamma) / (b.gamma - a.gamma)
    upper = a.upper + part * (b.upper - a.upper)
    lower = max(b.lower, Fraction(0))
    if right >= 2:
        before = known[right - 2]
        slope = (a.lower - before.upper) / (a.gamma - before.gamma)
        lower = max(lower, a.lower + slope * (gamma - a.gamma))
    if right + 1 < len(known):
        after = known[right + 1]
        slope = (after.upper - b.lower) / (after.gamma - b.gamma)
        lower = max(lower, b.lower - slope * (b.gamma - gamma))
    return min(lower, upper), upper


def least_misses(known: Sequence[Known], alarms: Iterable[Fraction]) -> list[Fraction]:
    """Return numbers that f is proved to be at least at these chances of a false alarm.

    Example: ``least_misses([Known(Fraction(1), Fraction(0), Fraction(0))], [Fraction(1, 4)])`` is
    ``[3/4]``.
    """
    # the lines 1 - upper - gamma a in integers
    whole = lcm(*(end.denominator for one in known for end in (one.upper, one.gamma)))
    lines = [(int((1 - one.upper) * whole), int(one.gamma * whole)) for one in known]
    found = []
    for alarm in alarms:
        top, bottom = alarm.as_integer_ratio()
        best = max(0, *(bottom * at_zero - top * slope for at_zero, slope in lines))
        found.append(Fraction(best, bottom * whole))
    return found


def reached(known: Sequence[Known]) -> list[Corner]:
    """Return corners (a, b) that are proved: f(a) <= b, and f is below the lines between them.

    At each known gamma some test is best: its b is 1 - H(gamma) - gamma a, and its a is minus a
    slope of H there, which lies between the slopes to both neighbours. The larger a and the larger
    b are taken. First and last are the tests that look at nothing.
    """
    found: list[Corner] = [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))]
    for k, (before, one) in enumerate(pairwise(known), 1):
        most = (before.upper - one.lower) / (one.gamma - before.gamma)
        least = Fraction(0)
        if k + 1 < len(known):
            after = known[k + 1]
            least = max(least, (one.lower - after.upper) / (after.gamma - one.gamma))
        miss = 1 - one.lower - one.gamma * least
        found.append((min(most, Fraction(1)), min(miss, Fraction(1))))
    return _below(sorted(found))


def _below(corners: Sequence[Corner]) -> list[Corner]:
    """The lower border of the convex hull, from left to right."""
    border: list[Corner] = []
    for corner in corners:
        while len(border) > 1 and _turn(border[-2], border[-1], corner) <= 0:
            border.pop()
        if not border or corner[0] > border[-1][0]:
            border.append(corner)
    return border


def _turn(a: Corner, b: Corner, c: Corner) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def line_between(corners: Sequence[Corner], alarm: Fraction) -> Fraction:
    """Return the height at a chance of false alarm of the lines between corners.

    Example: ``line_between([(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))],
    Fraction(1, 4))`` is 3/4.
    """
    for (a, b), (c, d) in pairwise(corners):
        if a <= alarm <= c:
            return b + (d - b) * (alarm - a) / (c - a)
    raise ValueError("a chance is between 0 and 1")
