"""Where to look next, until bounds are as near each other as is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pfverify.answers.curves.between import Open

MOST = 2000
"""Places of one curve, at most."""
_ROOM = 8  # of an interval, the part at its ends in which no place is looked at
_NARROW = Fraction(1, 1 << 50)  # of a place: intervals that are not divided
_FARTHEST = 1 << 40  # a growth beyond which nothing is looked for
_WIDE = 3  # times what is unknown at places themselves: nearer are no bounds


def refine(
    opens: Callable[[], Sequence[Open]], find: Callable[[Fraction], None], gap: Fraction, most: int
) -> None:
    """Look between places until no bounds are more than `gap` apart, or it helps no more.

    At most so many places are looked at.
    """
    while True:
        wide = sorted(
            (one for one in opens() if one.gap > max(gap, _WIDE * one.width) and divisible(one)),
            key=lambda one: -one.gap,
        )
        places = list(dict.fromkeys(short_between(one) for one in wide))
        if not places or most <= 0:
            return
        for place in places[:most]:
            find(place)
        most -= len(places)


def divisible(one: Open) -> bool:
    """Return whether an interval is not too narrow, or too far away, to be looked at."""
    return one.low < _FARTHEST and one.high - one.low > one.high * _NARROW


def short_between(one: Open) -> Fraction:
    """Return a short number in an interval, about where its bounds are farthest apart.

    Below 1 it is the inverse of one.
    Example: ``short_between(Open(Fraction(0), Fraction(4, 3), Fraction(1), Fraction(2),
    Fraction(0)))`` is ``13/10``.
    """
    low, high, at = one.low, one.high, one.at
    if high > 1:  # of an interval around 1 the part above it
        low = max(low, Fraction(1))
        return _decimal(low, high, at if low < at < high else (low + high) / 2)
    at = at if low < at < high else (low + high) / 2
    end = 1 / low if low else 4 / at
    return 1 / _decimal(1 / high, end, 1 / at)


def _decimal(low: Fraction, high: Fraction, at: Fraction) -> Fraction:
    room = (high - low) / _ROOM
    at = min(max(at, low + room), high - room)
    digits = 0
    while True:
        found = Fraction(round(at * 10**digits), 10**digits)
        if abs(found - at) < room:
            return found
        digits += 1
