"""The largest Renyi divergence over its order, between two bounds: best first.

Each order that is tried is a lower bound of it, and each chord between two orders needs some rho to
be below rho a (a - 1) (`chords`); so does what lies beyond the last order. Where most is needed
another order is tried, until no more is needed than an order shows.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import inf, isqrt
from operator import itemgetter

from pfverify.decide.renyi.chords import (
    START,
    Far,
    KnownOrders,
    Point,
    between,
    closer,
    is_below,
)

_CLOSEST = Fraction(1, 1 << 64)  # that an order comes to 1, and to another one in units of it
_FIRST = Fraction(2)
_SPARE = 16  # bits that numbers are known better than bounds are to be close


def rho_of(x: Point, y: Point, bits: int) -> Fraction:
    """Return about the least rho with which a chord is below rho a (a - 1), rounded up.

    Example: ``rho_of((Fraction(1), Fraction(0)), (Fraction(2), Fraction(1)), 64)`` is
    ``Fraction(1, 1)``.
    Source: design fact F106.
    """
    (low, at_low), (high, at_high) = x, y
    if low == 1:
        return at_high / (high - 1)
    ends = max(at_low / (low * (low - 1)), at_high / (high * (high - 1)))
    if is_below(x, y, ends):
        return ends
    rise = (at_high - at_low) / (high - low)
    below = rise * low - at_low  # the chord at 0, with another sign
    # they touch where rho**2 + 2 (rise - 2 below) rho + rise**2 = 0, first at the smaller root
    larger = 2 * below - rise + 2 * _root(below * (below - rise), bits)
    found = rise**2 / larger if larger > 0 else ends
    while not is_below(x, y, found):
        found *= 2
    return found


def _root(value: Fraction, bits: int) -> Fraction:
    """A square root, rounded down in so many bits; 0 of what is below 0."""
    if value <= 0:
        return Fraction(0)
    shift = max(0, bits + (value.denominator.bit_length() - value.numerator.bit_length()) // 2 + 1)
    whole = (value.numerator << (2 * shift)) // value.denominator
    return Fraction(isqrt(whole), 1 << shift)


class Bracketed:
    """Both bounds, which get closer as orders are tried."""

    def __init__(self, orders: KnownOrders, far: Far, bits: int, work: int) -> None:
        self.orders, self.far, self.bits, self.left = orders, far, bits, work
        self.low = far.limit
        self._points: list[Point] = [START]
        self._after: dict[Fraction, Point] = {}  # what comes next in these
        self._needed: list[tuple[Fraction, Point, Point]] = []  # of chords, some of no use any more

    def found(self) -> tuple[Fraction, Fraction | float]:
        """Return bounds that are at most `low` in 2**bits apart, if so much work is enough."""
        for order in (_FIRST, *self.orders.tried):
            if not self._add(order):
                return self.low, self._beyond(Fraction(1))
        while True:
            need, x, y = self._most()
            beyond = self._beyond(self._points[-1][0])
            high = max(need, beyond)
            if high - self.low <= self.low / (1 << self.bits):
                return self.low, high
            if need < beyond:
                order = 2 * self._points[-1][0]
            else:
                room = self.low * (1 + Fraction(1, 2 << self.bits))
                order = closer(self._points, room) if x == START else between(x, y, need)
            close = order - 1 < _CLOSEST or (need >= beyond and y[0] - x[0] < _CLOSEST * y[0])
            if close or not self._add(order):
                return self.low, high

    def _most(self) -> tuple[Fraction, Point, Point]:
        """The chord that needs most, and how much that is."""
        while True:
            need, x, y = self._needed[0]
            if self._after.get(x[0]) == y:
                return -need, x, y
            heappop(self._needed)

    def _beyond(self, last: Fraction) -> Fraction | float:
        """What orders beyond one need."""
        return min((one.rise + one.loss / last for one in self.far.bounds), default=inf)

    def _add(self, order: Fraction) -> bool:
        """Work an order out; whether that was possible."""
        k = bisect_left(self._points, order, key=itemgetter(0))
        if k < len(self._points) and self._points[k][0] == order:
            return True
        self.left -= self.orders.size(order)
        ends = None if self.left < 0 else self.orders.ends(order, self.bits + _SPARE)
        if ends is None:
            return False
        self.low = max(self.low, ends[0] / (order * (order - 1)))
        self._points.insert(k, (order, ends[1]))
        for x, y in pairwise(self._points[k - 1 : k + 2]):
            self._after[x[0]] = y
            heappush(self._needed, (-rho_of(x, y, self.bits + _SPARE), x, y))
        return True
