"""Finitely many orders that bound the Renyi divergences of all orders by rho times the order.

g(a) = (a - 1) D_a is convex and g(1) = 0 (design fact F104), so that between two orders it is below
the chord of two upper bounds, and a chord is compared with the parabola rho a (a - 1) exactly
(F106). What lies beyond the last order is bounded by what `Beyond` says (F107, F108).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, log2

from pfverify.decide.renyi.moment import RenyiMoment
from pfverify.decide.step import Step
from pfverify.exact.ball import Ball, fraction_of, precision
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.rising import rising

Point = tuple[Fraction, Fraction]
"""An order a, and a bound of g(a)."""
AtOrder = Callable[[Fraction], RenyiMoment]
"""The number of one ordered pair, by the order of the divergence."""
START: Point = (Fraction(1), Fraction(0))
_CLOSEST = 64  # bits of the closest order to 1 that is tried
_SPARE = 32  # bits that a number is first worked out with beyond those asked for
_LARGEST = 12  # the logarithm of the largest order that is tried for a witness alone


@dataclass(frozen=True)
class Beyond(NoTruth, ask="read .loss and .rise"):
    """A bound of the divergences of all orders a, loss + rise a; `step` is what proves it."""

    loss: Fraction
    rise: Fraction
    step: Callable[[int], Step]

    def first(self, rho: Fraction) -> Fraction | None:
        """Return an order from which on that is at most rho a; None where there is none."""
        room = rho - self.rise
        if room < 0 or (not room and self.loss):
            return None
        return max(Fraction(1), self.loss / room) if self.loss else Fraction(1)


class Far:
    """What is known of the divergences of all large orders.

    `limit`: what D_a/a comes to as a grows, at least (design fact F109); `known`: bounds that cost
    nothing, beside `more` of them.
    """

    def __init__(
        self,
        more: Callable[[], Sequence[Beyond]],
        known: Sequence[Beyond] = (),
        limit: Fraction = Fraction(0),
    ) -> None:
        self.known, self.limit, self._more = known, limit, more

    @cached_property
    def bounds(self) -> list[Beyond]:
        """All bounds."""
        return [*self.known, *self._more()]

    @cached_property
    def exact(self) -> Fraction | None:
        """The largest D_a/a, where a bound of all orders is the limit; None: it is not known."""
        met = any(not one.loss and one.rise == self.limit for one in self.known)
        return self.limit if met else None


FarOf = Callable[[bool], Far]
"""The same of one order of a pair, which may be turned round."""


@dataclass(frozen=True)
class KeptByOrders(NoTruth, ask="use isinstance"):
    """All divergences are bounded: by what these orders, and what lies beyond them, say."""

    points: tuple[Point, ...]
    beyond: Beyond

    @property
    def orders(self) -> list[Fraction]:
        """The orders."""
        return [order for order, _ in self.points]

    def thinned(self, rho: Fraction) -> KeptByOrders:
        """Return the same with fewer orders, which are enough for this rho."""
        return KeptByOrders(tuple(_thinned([START, *self.points], rho)[1:]), self.beyond)


@dataclass(frozen=True)
class Exceeded(NoTruth, ask="use isinstance"):
    """The divergence of this order is above rho times it; None: so is what D_a/a comes to."""

    order: Fraction | None


@dataclass(frozen=True)
class StaysOpen(NoTruth, ask="use isinstance"):
    """Nothing is decided, for this reason."""

    why: str


Found = KeptByOrders | Exceeded | StaysOpen
_AT_ONE = (
    "rho may be what the divergences over their orders come to as the order goes to 1, the "
    "Kullback-Leibler divergence: such a tie is decided in no closed form"
)
_AT_INFINITY = (
    "rho may be what the divergences over their orders come to as the order grows, and only a law "
    "that is moved as a whole is decided there"
)
_BETWEEN = "rho is too close to the largest divergence over its order for so few orders"


class KnownOrders:
    """The divergences of one ordered pair, by their orders; what was worked out is kept."""

    def __init__(self, at: AtOrder) -> None:
        self._at = at
        self.known: dict[Fraction, tuple[int, Fraction, Fraction]] = {}  # with their bits
        self.infinite: Fraction | None = None  # an order of which the divergence is infinite
        self.why: str | None = None  # a divergence is not known

    @property
    def tried(self) -> list[Fraction]:
        """The orders that were worked out, increasing."""
        return sorted(self.known)

    def size(self, order: Fraction) -> int:
        """Return about how much work an order is that is not known, else 0."""
        return 0 if order in self.known else self._at(order).size

    def ends(self, order: Fraction, bits: int) -> tuple[Fraction, Fraction] | None:
        """Return lower and upper bounds of g, so many bits apart; None where that is not known."""
        if order in self.known and self.known[order][0] >= bits:
            return self.known[order][1:]
        moment = self._at(order)
        if moment.infinite is not False:
            if moment.infinite:
                self.infinite = order
            else:
                self.why = moment.why
            return None
        small = max(0, -floor(log2(order - 1)))
        for working in rising(bits + 2 * small + _SPARE, max(moment.most_bits, bits + 2 * small)):
            with precision(working):
                found = Ball(moment.ball().log()).ends()
            if found is None:
                continue
            low, high = map(fraction_of, found)
            if (high - low) * (1 << bits) <= high:
                self.known[order] = bits, max(low, Fraction(0)), high
                return self.known[order][1:]
        self.why = moment.why
        return None


def is_below(x: Point, y: Point, rho: Fraction) -> bool:
    """Whether the chord of two points is at most rho a (a - 1) between them.

    Example: ``is_below((Fraction(1), Fraction(0)), (Fraction(2), Fraction(1)), Fraction(1))`` is
    ``True``.
    Source: design fact F106.
    """
    (low, at_low), (high, at_high) = x, y
    width, rise = high - low, at_high - at_low
    # the parabola less the chord, times the width
    square, linear = rho * width, -rho * width - rise
    constant = rise * low - at_low * width
    if rho * low * (low - 1) < at_low or rho * high * (high - 1) < at_high:
        return False
    inside = 2 * square * low < -linear < 2 * square * high
    return not inside or linear * linear <= 4 * square * constant


def _lowest(x: Point, y: Point, rho: Fraction) -> Fraction:
    """Where the chord has least room, if that is between both orders; else between them."""
    rise = (y[1] - x[1]) / (y[0] - x[0])
    least = (rho + rise) / (2 * rho) if rho > 0 else x[0]
    return least if x[0] < least < y[0] else (x[0] + y[0]) / 2


def _thinned(points: Sequence[Point], rho: Fraction) -> list[Point]:
    """Return fewer points, whose chords are all below the parabola as those of all points are."""
    found, k = [points[0]], 0
    while k < len(points) - 1:
        last = k + 1
        while last + 1 < len(points) and is_below(points[k], points[last + 1], rho):
            last += 1
        k = last
        found.append(points[k])
    return found


class OrderSearch:
    """Whether all divergences of a pair are at most rho times their order, for one rho."""

    def __init__(
        self, orders: KnownOrders, low: Fraction, high: Fraction, *, bits: int, work: int
    ) -> None:
        self.orders, self.bits, self.left = orders, bits, work
        self.low, self.high = low, high  # around rho

    def found(self, far: Far) -> Found:
        """Return the orders that bound all divergences, or one that does not keep rho."""
        if far.limit > self.high:
            return Exceeded(None)
        last, best = None, None
        for one in far.known if far.exact is not None else far.bounds:
            first = one.first(self.low)
            if first is not None and (last is None or first < last):
                last, best = first, one
        if last is None or best is None:
            found = self._large()
            return StaysOpen(_AT_INFINITY) if found is None else found
        if last == 1:
            return KeptByOrders((), best)
        points = self._chords(_round(last))
        if isinstance(points, Exceeded | StaysOpen):
            return points
        return KeptByOrders(tuple(points[1:]), best)

    def _point(self, order: Fraction) -> Point | Exceeded | StaysOpen:
        """An upper bound at one order, or what it decides by itself."""
        self.left -= self.orders.size(order)
        if self.left < 0:
            return StaysOpen(_BETWEEN)
        ends = self.orders.ends(order, self.bits)
        if ends is None:
            if self.orders.infinite is not None:
                return Exceeded(self.orders.infinite)
            return StaysOpen(self.orders.why or _BETWEEN)
        if ends[0] > self.high * order * (order - 1):
            return Exceeded(order)
        return order, ends[1]

    def _large(self) -> Exceeded | None:
        """A large order that does not keep rho, if one is found."""
        for k in range(1, _LARGEST + 1):
            found = self._point(Fraction(1 << k))
            if isinstance(found, Exceeded):
                return found
            if isinstance(found, StaysOpen):
                return None
        return None

    def _chords(self, last: Fraction) -> list[Point] | Exceeded | StaysOpen:
        """Points whose chords are below the parabola, up to the last order."""
        points = [START]
        for order in [*(x for x in self.orders.tried if x < last), last]:
            found = self._point(order)
            if not isinstance(found, tuple):
                return found
            points.append(found)
        k = 0
        while k < len(points) - 1:
            x, y = points[k], points[k + 1]
            if is_below(x, y, self.low):
                k += 1
                continue
            order = closer(points, self.low) if not k else between(x, y, self.low)
            if order - 1 < Fraction(1, 1 << _CLOSEST):
                return StaysOpen(_AT_ONE)
            found = self._point(order)
            if not isinstance(found, tuple):
                return found
            points.insert(k + 1, found)
        return points


def closer(points: Sequence[Point], rho: Fraction) -> Fraction:
    """Return an order between 1 and the first one, of which the divergence may be below rho.

    Example: ``closer([START, (Fraction(2), Fraction(1))], Fraction(1))`` is ``Fraction(3, 2)``.
    """
    (a, g), x = points[1], points[1][0] - 1
    share = Fraction(1, 2)
    if len(points) > 2:
        b, h = points[2]
        slope = (h / (b - 1) - g / x) / (b - a)
        limit = g / x - slope * x  # about what it comes to at 1
        share = Fraction(1, 64)
        if limit < rho:
            share = (rho - limit) / (g / x - limit) * Fraction(3, 4)
    share = min(max(share, Fraction(1, 1 << 20)), Fraction(1, 2))
    return 1 + _round(x * share)


def between(x: Point, y: Point, rho: Fraction) -> Fraction:
    """Return an order between two, where the chord has least room, or near that.

    Example: ``between((Fraction(2), Fraction(0)), (Fraction(4), Fraction(1)), Fraction(1))`` is
    ``Fraction(3)``.
    """
    width = y[0] - x[0]
    place = min(max(_lowest(x, y, rho), x[0] + width / 4), y[0] - width / 4)
    step = _power(width / 16)
    return round(place / step) * step


def _round(value: Fraction) -> Fraction:
    """A number that is a little larger, of few digits."""
    step = _power(value / 16)
    return ceil(value / step) * step


def _power(value: Fraction) -> Fraction:
    """A power of two, at most a number > 0."""
    return Fraction(2) ** floor(log2(value))
