"""The hockey-stick divergence of two mixtures under Laplace noise, from sums at few outputs.

With u = e**(2 rho y), e**(rho y) 2b g = L + u R =: G of the signed measure, and dG/du = R, since
what L gains in passing a place is what u R loses. R is a difference of two falling sums, so their
values at both ends of an interval bound R inside, and G at both ends and that slope bound G
inside: often that it has no zero there, or is monotone. Floats propose the outputs; nothing
depends on them but how tight the enclosure is. What is not proved to have the sign that floats
see adds a bound of |g| to the enclosure. No certificate is made from it: a chart is a second
route to the same number, and the tests hold one against the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log1p, sqrt
from typing import NamedTuple

import numpy as np

from pfverify.decide.charts.float_cover import ERROR, FloatNormals, Points, near, points_of
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.charts.signed import Signed
from pfverify.exact.ball import (
    Ball,
    Raw,
    current_precision,
    float_near,
    raw,
    raw_float,
    upper_end,
)

_MOST_CUTS = 100
_POLISHING = 6
_CLOSE = 1e-10  # of a zero, in the logarithm: what it leaves unknown counts squared


class _Term(NamedTuple):
    """A normal law times a coefficient of proved sign, in units of the line."""

    positive: bool
    size: Raw
    mean: Raw
    slope: Raw  # 1/sqrt(2 v)
    left: Raw  # (v rho + mean)/sqrt(2 v)
    right: Raw  # (v rho - mean)/sqrt(2 v)
    rising: Raw  # size/2 e**(mean rho + v rho**2/2)
    falling: Raw  # size/2 e**(-mean rho + v rho**2/2)


class _Sums(NamedTuple):
    """L and R of the positive and of the negative terms at x, u, and G."""

    x: float
    left: tuple[Raw, Raw]
    right: tuple[Raw, Raw]
    u: Raw
    gap: Raw


class _UnprovedError(Exception):
    """The proposed points do not lead to a proof."""


def divergence_of_mixtures(order: OneOrder) -> Ball | None:
    """Enclose sup over B of P(Y in B) - e**epsilon Q(Y in B) at the current precision.

    None where the release is not that of normal laws under Laplace noise, without steps, or where
    this route does not settle it.
    Example: ``divergence_of_mixtures(order)``.
    Source: design fact F6.
    """
    rate = order.release.rate
    if rate is None or not order.plain:
        return None
    signed = order.signed(order.target.of_events())
    if signed.places or not signed.terms:
        return None
    try:
        cover = _Cover(signed, rate.ball().raw)
        points = points_of(line := cover.line())
        return None if points is None else Ball(cover.divergence(points, line))
    except (OverflowError, ZeroDivisionError, ValueError, _UnprovedError):  # sizes beyond floats
        return None


class _Cover:
    """The signed measure in units around one of its means, ready for evaluation in balls."""

    def __init__(self, signed: Signed, rho: Raw) -> None:
        origin, unit = signed.terms[0].mean, signed.unit
        square = unit * unit
        self.rho = rho * raw(unit)
        factor = signed.target.exp_epsilon()
        self.laws = [((term.mean - origin) / unit, term.variance / square) for term in signed.terms]
        self.terms = []
        for term, law in zip(signed.terms, self.laws, strict=True):
            coefficient = term.coefficient(factor)
            if not (coefficient > 0 or coefficient < 0):
                raise _UnprovedError
            mean, v = map(raw, law)
            size, slope, bend = abs(coefficient), 1 / (2 * v).sqrt(), v * self.rho
            self.terms.append(
                _Term(
                    coefficient > 0,
                    size,
                    mean,
                    slope,
                    (bend + mean) * slope,
                    (bend - mean) * slope,
                    size * (mean * self.rho + bend * self.rho / 2).exp() / 2,
                    size * (bend * self.rho / 2 - mean * self.rho).exp() / 2,
                )
            )
        self.cuts = 0
        # where coefficients cancel, floats of their middles may be far from them
        self.near_floats = all(
            float_near(x) is not None for x in (self.rho, *(term.size for term in self.terms))
        )
        # what is left out so far from a law, 0 < erfc(x) <= e**(-x**2), counts for nothing in g
        widest = sqrt(max(variance for _, variance in self.laws))
        self.far = raw_float(sqrt(0.7 * current_precision())) + self.rho * raw_float(widest)
        self.none = raw(0).union((-self.far * self.far).exp())
        self.both = 2 - self.none

    def line(self) -> FloatNormals:
        """Return the same in floats."""
        return FloatNormals(
            np.array([(1 if t.positive else -1) * float(t.size.mid()) for t in self.terms]),
            np.array([float(mean) for mean, _ in self.laws]),
            np.array([sqrt(variance) for _, variance in self.laws]),
            float(self.rho.mid()),
        )

    def sums(self, x: float) -> _Sums:
        """Return what is known at x."""
        at = raw_float(x)
        left, right = [raw(0), raw(0)], [raw(0), raw(0)]
        for term in self.terms:
            side, moved = 0 if term.positive else 1, at * term.slope
            left[side] += term.rising * self._erfc(term.left - moved)
            right[side] += term.falling * self._erfc(term.right + moved)
        u = (2 * self.rho * at).exp()
        gap = left[0] - left[1] + (right[0] - right[1]) * u
        return _Sums(x, (left[0], left[1]), (right[0], right[1]), u, gap)

    def _at(self, points: Points, line: FloatNormals) -> list[_Sums]:
        """Return the sums at all points: closely at zeros, else as closely as floats know them."""
        found = [self._polished(x) if zero else None
                 for x, zero in zip(points.places, points.zeros, strict=True)]  # fmt: skip
        known = near(line, np.array(points.places)) if self.near_floats else None
        if known is not None:
            ends = np.array([*known[0].left, *known[0].right]).T.tolist()
            found = [self._about(x, four, known[1]) if one is None else one
                     for one, x, four in zip(found, points.places, ends, strict=True)]  # fmt: skip
        return [self.sums(x) if one is None else one
                for one, x in zip(found, points.places, strict=True)]  # fmt: skip

    def _about(self, x: float, sides: Sequence[float], missing: float) -> _Sums | None:
        """Return the sums at x from floats of L e**(-rho x) and R e**(rho x); None near a zero."""
        p, q, r, s = (raw_float(v, v * ERROR + missing) for v in sides)
        grown = (self.rho * raw_float(x)).exp()
        gap = p - q + r - s
        if not (gap > 0 or gap < 0):
            return None
        return _Sums(x, (p * grown, q * grown), (r / grown, s / grown), grown * grown, gap * grown)

    def divergence(self, points: Points, line: FloatNormals) -> Raw:
        """Sum P - e**epsilon Q where floats see g > 0, and enclose what that misses."""
        found = self._at(points, line)
        if points.zeros[-1]:  # the sign beyond it would not be the one of the sum below
            raise _UnprovedError
        self._check_tails(found[0], found[-1], points)
        sign, total, missed = points.sign, raw(0), raw(0)
        start = raw(0)
        for k, (a, b) in enumerate(pairwise(found)):
            if points.zeros[k]:
                mass = self._mass(a)
                if sign > 0:
                    total += mass - start
                start, sign = mass, -sign
            missed += self._missed(a, b, sign)
        if sign > 0:
            total += self._whole() - start
        return total.union(total + missed)

    def _polished(self, x: float) -> _Sums:
        """Return the sums at a float near a zero of G, by Newton's steps in u."""
        found = self.sums(x)
        for _ in range(_POLISHING):
            off = float((found.gap / ((found.right[0] - found.right[1]) * found.u)).mid())
            if abs(off) < _CLOSE:
                break
            found = self.sums(found.x + log1p(-off) / (2 * float(self.rho.mid())))
        return found

    def _missed(self, a: _Sums, b: _Sums, sign: int) -> Raw:
        """Bound the mass of |g| between a and b where g has not the sign that floats see."""
        total, stack = raw(0), [(a, b)]
        while stack:
            a, b = stack.pop()
            found = _missed_at_once(a, b, sign)
            if found is not None:
                total += found
                continue
            self.cuts += 1
            middle = self.sums((a.x + b.x) / 2)
            if self.cuts > _MOST_CUTS or sign * middle.gap <= 0:
                raise _UnprovedError
            stack += [(a, middle), (middle, b)]
        return total

    def _check_tails(self, first: _Sums, last: _Sums, points: Points) -> None:
        """Prove the sign of g outside: there G/u, or G, starts from 0 with a slope of one sign."""
        sign = points.sign
        before = first.right[0 if sign > 0 else 1]
        sign *= (-1) ** sum(points.zeros)
        after = last.left[0 if sign > 0 else 1]
        if not (
            before > self._transform(points.sign < 0, -1) and after > self._transform(sign < 0, 1)
        ):
            raise _UnprovedError

    def _erfc(self, value: Raw) -> Raw:
        """Return erfc; beyond the reach of the precision an enclosure of 0 or 2, which is cheap."""
        if value > self.far:
            return self.none
        if value < -self.far:
            return self.both
        return value.erfc()

    def _transform(self, positive: bool, side: int) -> Raw:
        """Return L at infinity, or R at minus infinity."""
        parts = [term for term in self.terms if term.positive is positive]
        return sum((2 * (t.rising if side > 0 else t.falling) for t in parts), raw(0))

    def _mass(self, at: _Sums) -> Raw:
        """Return P - e**epsilon Q of all outputs up to x."""
        x, total = raw_float(at.x), raw(0)
        for term in self.terms:
            value = term.size * self._erfc((term.mean - x) * term.slope)
            total += value if term.positive else -value
        grown = (self.rho * x).exp()
        left, right = at.left[0] - at.left[1], at.right[0] - at.right[1]
        return (total - left / grown + right * grown) / 2

    def _whole(self) -> Raw:
        return sum((t.size if t.positive else -t.size for t in self.terms), raw(0))


def _missed_at_once(a: _Sums, b: _Sums, sign: int) -> Raw | None:
    """Bound the mass of |g| where g has the other sign, from the ends; None: cut the interval."""
    if not a.x < b.x:
        raise _UnprovedError
    (p, q), (r, s) = a.right[::sign], b.right[::sign]
    here, there = sign * a.gap, sign * b.gap
    least, most = r - q, p - s  # of dG/du
    if least > 0:
        return _short(here, least, a.u)
    if most < 0:
        return _short(there, -most, a.u)
    # from a, G falls no steeper than by `least`; towards b it rises no steeper than by `most`:
    # the two lines together give (most - least) G >= this
    bound = here * most - there * least + least * most * (b.u - a.u)
    return raw(0) if least <= 0 <= most and bound > 0 else None


def _short(end: Raw, slope: Raw, u: Raw) -> Raw:
    """Bound the mass of g < 0 beside an end where G is `end` and from where it rises by `slope`.

    g dy = G u**(-3/2)/4 du; `u` is the least one.
    """
    if end >= 0:
        return raw(0)
    return upper_end(end * end / (8 * slope * u * u.sqrt()))
