"""Atoms with Gaussian noise: R by the trapezoidal rule, whose error is known (design fact F98).

In units of the standard deviation, with the atoms of the second law within a range (where the
order is not whole those of both, as p^a needs a p that is nowhere 0), h = p^a q^(1-a) is analytic
for |Im y| < pi/range, and its integral along Im y = b is at most e^(b^2/2) cos(b range/2)^(1-a) of
that on the line. So a sum in steps of s is off by at most 2/(e^(2 pi b/s)
- 1) times that. Beyond a place behind all atoms h is at most a Gaussian, whose terms fall faster
than a geometric series.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, log, pi, sqrt

from pfverify.decide.renyi.moment import RenyiMoment, power
from pfverify.exact.ball import Ball, Raw, current_precision, raw, upper_end
from pfverify.model.priors.prior import Component

_GUARD = 16  # bits that the error is smaller than what is asked for
_SHARE = 0.8  # of the strip that is used
_USUAL = 128  # bits for which work is measured
_MOST = 1 << 20  # exponentials that are worked out for one number
_LONG = "the trapezoidal rule needs too many steps for atoms so far apart, or this order"


class OfBells(RenyiMoment):
    """Of two mixtures of normal laws, all of one variance."""

    most_bits = 1 << 11

    def __init__(
        self, p: Sequence[Component], q: Sequence[Component], variance: Fraction, order: Fraction
    ) -> None:
        self.p, self.q, self.variance, self.order = p, q, variance, order

    @property
    def why(self) -> str:
        """Why it may stay unknown."""
        return _LONG if self._too_long else super().why

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The lowest and highest place that counts, but for the reach, in standard deviations."""
        sd, a = sqrt(self.variance), float(self.order)
        found = []
        for pick in (min, max):
            m, n = (float(pick(part.mean for part in law)) / sd for law in (self.p, self.q))
            found += [m, n, a * m + (1 - a) * n]
        return min(found), max(found)

    @cached_property
    def _width(self) -> Fraction:
        """How far the atoms reach of what must not be 0 in the strip."""
        laws = [self.q] if self.order.denominator == 1 else [self.p, self.q]
        means = [[part.mean for part in law] for law in laws]
        return max(max(of) - min(of) for of in means)

    @property
    def size(self) -> int:  # type: ignore[override]
        """About how much work it is."""
        _, _, first, last = self._plan(_USUAL)
        return 1 + (last - first) * (len(self.p) + len(self.q)) // 32

    def _plan(self, bits: int | None = None) -> tuple[Fraction, Fraction, int, int]:
        """The height b of the strip, the step, and the first and last place in steps."""
        need = ((current_precision() if bits is None else bits) + _GUARD) * log(2)
        height = sqrt(2 * need)
        if self._width:
            height = min(height, _SHARE * pi * sqrt(self.variance) / float(self._width))
        extra = height**2 / 2 + (float(self.order) - 1) * 2
        step = 2 * pi * height / (need + extra + 2)
        reach, (low, high) = sqrt(2 * (need + extra)) + 2, self._ends
        finest = Fraction(1, 1 << 20)
        b, s = (max(finest, Fraction(x).limit_denominator(1 << 20)) for x in (height, step))
        return b, s, -ceil((reach - low) / s), ceil((high + reach) / s)

    @property
    def _too_long(self) -> bool:
        _, _, first, last = self._plan()
        return (last - first) * (len(self.p) + len(self.q)) > _MOST

    def ball(self) -> Raw:
        """Return the sum, the tails, and the error."""
        if self._too_long:
            return raw(1) / raw(0)
        b, s, first, last = self._plan()
        sd = raw(self.variance).sqrt()
        p, q = ([(raw(x.weight), raw(x.mean) / sd) for x in law] for law in (self.p, self.q))
        total = raw(0)
        for k in range(first, last + 1):
            y = raw(k * s)
            below = _density(q, y)
            total += below * power(_density(p, y) / below, self.order)
        for end, way in ((last + 1, 1), (first - 1, -1)):
            total += raw(0).union(upper_end(self._tail(p, q, raw(end * s), way, raw(s))))
        # 1/sqrt(2 pi) is left out of both densities
        total *= raw(s) / (2 * Raw.pi()).sqrt()
        error = self._error(raw(b), raw(s), sd)
        return total * (1 / (1 + error)).union(1 / (1 - error))

    def _error(self, b: Raw, s: Raw, sd: Raw) -> Raw:
        """The relative error, or a ball without ends where that is not below 1."""
        half = b * raw(self._width) / sd / 2
        cosine = half.cos()
        if not (half < Raw.pi() / 2 and cosine > 0):
            return raw(1) / raw(0)
        bound = 2 * (b * b / 2).exp() / power(cosine, self.order - 1)
        error = upper_end(bound / ((2 * Raw.pi() * b / s).exp() - 1))
        return error if error < 1 else raw(1) / raw(0)

    def _tail(
        self, p: Sequence[tuple[Raw, Raw]], q: Sequence[tuple[Raw, Raw]], y: Raw, way: int, s: Raw
    ) -> Raw:
        """At most the sum of h at y and beyond; a ball without ends unless y is behind all."""
        last = [max(law, key=lambda x: way * Ball(x[1]).midpoint()) for law in (p, q)]
        (_, m), (weight, n) = last
        a = raw(self.order)
        middle = a * m + (1 - a) * n
        beyond = (y - middle) * way
        if not (beyond > 0 and all((y - x) * way > 0 for law in (p, q) for _, x in law)):
            return raw(1) / raw(0)
        least = _bell(y - n) * weight
        here = least * power(_density(p, y) / least, self.order)
        return here / (1 - (-s * beyond).exp())


def _bell(x: Raw) -> Raw:
    return (-(x * x) / 2).exp()


def _density(law: Sequence[tuple[Raw, Raw]], y: Raw) -> Raw:
    return sum((weight * _bell(y - x) for weight, x in law), raw(0))
