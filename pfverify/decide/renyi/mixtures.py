"""Mixtures of normal laws of several variances: R by Taylor cells on the line (design fact F115).

Here q may vanish near the line, so that no strip bounds the error of a sum in equal steps. In each
cell log p is that of the component which is largest there, a square, and the logarithm of 1 + what
the others add to it; the Taylor series of h = p^a q^(1-a) at the middle of a cell ends with its
coefficient over the whole cell, in balls. A cell whose rest is too wide is halved. Behind a place p
is at most what its widest component makes of it there, and q at least its own widest one: h falls
at least as e to a line. Of order 1 the integrand is p log(p/q), which is at least -q and at most
p (p/q)^d / d.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import exp, inf, isfinite, log, sqrt
from typing import NamedTuple

from pfverify.decide.renyi.moment import OfMasses, RenyiMoment, power
from pfverify.decide.renyi.series import bell, exp_of, log_of, product_of
from pfverify.exact.ball import Raw, current_precision, raw, upper_end
from pfverify.model.priors.prior import Component

_GUARD = 12  # bits that a cell is known better than what is asked for
_STEPS = 60  # halvings of a cell, and doublings of a tail
_CELLS = 1 << 12  # on which a series is worked out, for one number
_PARTS = 1 << 16  # of both laws together times cells
_SAMPLES = 256  # places at which floats look how large h is
_LONG = "the normal laws are too far apart, or too different in width, for this order"

Law = Sequence[Component]


class Tail(NamedTuple):
    """A place, exactly, and which components are the widest beyond it (`way` 1: to the right)."""

    at: Fraction
    way: int


class OfMixtures(RenyiMoment):
    """Of two mixtures of normal laws; components of variance 0 are atoms."""

    most_bits = 1 << 10

    def __init__(self, p: Law, q: Law, order: Fraction) -> None:
        self.order = order
        self.p, self.q = ([x for x in law if x.variance] for law in (p, q))
        one, two = ({x.mean: x.weight for x in law if not x.variance} for law in (p, q))
        places = sorted(one)
        masses = [[law.get(x, Fraction(0)) for x in places] for law in (one, two)]
        self.atoms = OfMasses(masses[0], masses[1], order)
        bare = bool(self.p) and not self.q
        self.infinite = bare or bool(self.atoms.infinite) or not all(map(self._falls, (1, -1)))

    @property
    def why(self) -> str:
        """Why it may stay unknown."""
        return _LONG if self._plan is None else super().why

    # ---------------------------------------------------------------- far out

    def _falls(self, way: int) -> bool:
        """Whether h falls in a tail: as a bell, or as e to a line. It is exact."""
        if not self.p or self.order == 1:
            return True
        bend, start = self._slope(self.p, self.q, self.order, way)
        return bend > 0 or (bend == 0 and start > 0)

    def _slope(self, p: Law, q: Law, order: Fraction, way: int) -> tuple[Fraction, Fraction]:
        """How fast -log of the widest bells' h grows, at y: (first * y + second), outwards."""
        m, n = _widest(p, way), _widest(q, way)
        bend = order / m.variance + (1 - order) / n.variance
        centre = order * m.mean / m.variance + (1 - order) * n.mean / n.variance
        return bend, -way * centre

    def _begins(self, p: Law, q: Law, order: Fraction, tail: Tail) -> Fraction | None:
        """The slope of the line at a place, outwards; None where a tail does not begin there."""
        m, way = _widest(p, tail.way), tail.way
        for x in p:  # its share beside the widest one falls from here on
            if way * ((tail.at - m.mean) / m.variance - (tail.at - x.mean) / x.variance) > 0:
                return None
        bend, start = self._slope(p, q, order, way)
        slope = bend * way * tail.at + start
        return slope if slope > 0 else None

    def _tail(self, p: Law, q: Law, order: Fraction, tail: Tail) -> Raw:
        """At most the integral of h beyond a place; a ball without ends unless a tail begins."""
        slope = self._begins(p, q, order, tail)
        if slope is None:
            return raw(1) / raw(0)
        y, n = raw(tail.at), _widest(q, tail.way)
        least = _bell(n, y)
        return upper_end(least * power(_density(p, y) / least, order) / raw(slope))

    @cached_property
    def _near(self) -> Fraction:
        """An order above 1 at which the number is finite, for the tails of order 1."""
        wide, narrow = (max(x.variance for x in law) for law in (self.p, self.q))
        return Fraction(2) if 2 * narrow > wide else 1 + narrow / (2 * (wide - narrow))

    def _beyond(self, tail: Tail) -> Raw:
        """What the integral beyond a place is within."""
        if self.order > 1:
            return raw(0).union(self._tail(self.p, self.q, self.order, tail))
        most = self._tail(self.p, self.q, self._near, tail) / raw(self._near - 1)
        return (-self._tail(self.q, self.q, Fraction(1), tail)).union(most)

    # ---------------------------------------------------------------- in floats, what to do

    @cached_property
    def _plan(self) -> tuple[Fraction, Fraction, Fraction, float] | None:
        """A centre, a unit, their reach, and log h where it is largest; None: too far."""
        both = [*self.p, *self.q]
        centre = (min(x.mean for x in both) + max(x.mean for x in both)) / 2
        try:
            unit = Fraction(sqrt(max(x.variance for x in both))).limit_denominator(1 << 20)
            reach = max(abs(x.mean - centre) for x in both) + unit
            top = max(self._log(x) for x in self._looked(centre, reach))
        except (OverflowError, ValueError, ZeroDivisionError):
            return None
        return (centre, unit, reach, top) if unit and isfinite(top) else None

    def _looked(self, centre: Fraction, reach: Fraction) -> Iterator[float]:
        """Places at which h may be largest."""
        for x in self.p[:_SAMPLES]:
            yield float(x.mean)
        low, each = float(centre - 2 * reach), float(4 * reach) / _SAMPLES
        for k in range(_SAMPLES + 1):
            yield low + k * each
        if self.order > 1:
            for way in (1, -1):
                bend, start = self._slope(self.p, self.q, self.order, way)
                if bend > 0:
                    yield float(-way * start / bend)

    def _log(self, y: float) -> float:
        """The logarithm of h, or of p for order 1."""
        p = _log_density(self.p, y)
        if self.order == 1:
            return p
        a = float(self.order)
        return a * p + (1 - a) * _log_density(self.q, y)

    def _end(self, way: int, least: Raw) -> Tail | None:
        """A place behind which the integral is within `least`, about the first such one."""
        if self._plan is None:
            return None
        centre, unit, reach, _ = self._plan

        def small(at: Tail) -> bool:
            return bool(self._beyond(at).abs_upper() < least)

        far = reach
        for _ in range(_STEPS):
            if small(Tail(centre + way * far, way)):
                break
            far *= 2
        else:
            return None
        near = far / 2
        while far - near > unit / 2 and (far - near) * 16 > far:
            middle = (near + far) / 2
            if small(Tail(centre + way * middle, way)):
                far = middle
            else:
                near = middle
        return Tail(centre + way * far, way)

    # ---------------------------------------------------------------- in balls

    def ball(self) -> Raw:
        """Return the sum of the atoms, the cells and the tails."""
        total = self.atoms.ball()
        if not self.p:
            return total
        bits = current_precision() + _GUARD
        scale = 1.0 if self._plan is None or self.order == 1 else max(1.0, _exp(self._plan[3]))
        least = raw(Fraction(scale)) / (1 << bits) if isfinite(scale) else raw(0)
        ends = [self._end(way, least) for way in (-1, 1)]
        if ends[0] is None or ends[1] is None:
            return raw(1) / raw(0)
        for tail in ends:
            if tail is not None:
                total += self._beyond(tail)
        return total + self._between(ends[0].at, ends[1].at, least)

    def _between(self, low: Fraction, high: Fraction, least: Raw) -> Raw:
        """The integral over an interval, cell by cell."""
        length = 2 * (current_precision() // 8) + 10
        total, seen = raw(0), 0
        most = min(_CELLS, _PARTS // (len(self.p) + len(self.q)) + 64)
        waiting = [((low + high) / 2, (high - low) / 2)]
        while waiting:
            middle, half = waiting.pop()
            seen += 1
            if seen > most:
                return raw(1) / raw(0)
            found = self._cell(middle, half, length, least)
            if found is None:
                waiting += [(middle - half / 2, half / 2), (middle + half / 2, half / 2)]
            else:
                total += found
        return total

    def _cell(self, middle: Fraction, half: Fraction, length: int, least: Raw) -> Raw | None:
        """The integral over a cell; None where the rest of the series is too wide."""
        r = raw(half)
        over = self._series(middle, half, length)
        if over[0].abs_upper() * 2 * r < least:  # hardly anything
            return 2 * r * over[0]
        rest = 2 * r ** (length + 1) * over[length] / (length + 1)
        if not rest.rad() < least:
            return None
        at = self._series(middle, Fraction(0), length - 1)
        total, weight, square = rest, 2 * r, r * r
        for k in range(0, length, 2):
            total += weight * at[k] / (k + 1)
            weight *= square
        return total

    def _series(self, middle: Fraction, half: Fraction, length: int) -> list[Raw]:
        """The Taylor coefficients of h anywhere within a half width of a place."""
        p, q = (_log_series(law, middle, half, length) for law in (self.p, self.q))
        if self.order == 1:
            return product_of(exp_of(p), [x - y for x, y in zip(p, q, strict=True)])
        a, b = raw(self.order), raw(1 - self.order)
        return exp_of([a * x + b * y for x, y in zip(p, q, strict=True)])


def _exp(x: float) -> float:
    return exp(x) if x < 700 else inf


def _widest(law: Law, way: int) -> Component:
    """What is largest far out to one side."""
    return max(law, key=lambda x: (x.variance, way * x.mean))


def _bell(x: Component, y: Raw) -> Raw:
    apart = y - raw(x.mean)
    root = (2 * Raw.pi() * raw(x.variance)).sqrt()
    return raw(x.weight) * (-(apart * apart) / (2 * raw(x.variance))).exp() / root


def _density(law: Law, y: Raw) -> Raw:
    return sum((_bell(x, y) for x in law), raw(0))


def _log_of(x: Component, y: float) -> float:
    v = float(x.variance)
    return log(float(x.weight)) - (y - float(x.mean)) ** 2 / (2 * v) - log(v * 6.283) / 2


def _log_density(law: Law, y: float) -> float:
    each = [_log_of(x, y) for x in law]
    top = max(each)
    return top + log(sum(exp(x - top) for x in each))


def _square(x: Component, middle: Fraction) -> tuple[Raw, Raw, Raw]:
    """log of a component: its Taylor coefficients at a place, but for log sqrt(2 pi)."""
    v, apart = raw(x.variance), raw(middle - x.mean)
    slope, bend = -apart / v, -1 / (2 * v)
    level = raw(x.weight).log() - v.log() / 2 - apart * apart / (2 * v)
    return level, slope, bend


def _moved(square: tuple[Raw, Raw, Raw], half: Raw) -> tuple[Raw, Raw, Raw]:
    """The coefficients of a square anywhere within a half width of where they are stated."""
    level, slope, bend = square
    z = (-half).union(half)
    up = raw(0).union(half * half)
    return level + slope * z + bend * up, slope + 2 * bend * z, bend


def _log_series(law: Law, middle: Fraction, half: Fraction, length: int) -> list[Raw]:
    """The coefficients of the logarithm of a density: of the largest component, and of the rest."""
    y, width = float(middle), raw(half)
    squares = [_square(x, middle) for x in law]
    top = max(range(len(law)), key=lambda k: _log_of(law[k], y))
    found = [*_moved(squares[top], width)] + [raw(0)] * (length - 2)
    found[0] -= (2 * Raw.pi()).log() / 2
    if len(law) == 1:
        return found
    others = [raw(1)] + [raw(0)] * length
    for k, square in enumerate(squares):
        if k != top:
            level, slope, bend = (x - y for x, y in zip(square, squares[top], strict=True))
            for n, value in enumerate(bell(*_moved((level, slope, bend), width), length)):
                others[n] += value
    return [x + y for x, y in zip(found, log_of(others), strict=True)]
