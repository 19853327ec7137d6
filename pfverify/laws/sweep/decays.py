"""Decays e**(-distance rate) by distance, in balls and exactly; sums of which nothing underflows.

`unit` is -rate for a distance of 1, a ball < 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pfverify.exact.ball import Raw, current_precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.sweep.merged import Integers, as_list, gaps_between
from pfverify.laws.sweep.ring import running_sums

Distance = int | Fraction


class Decays(dict[Distance, Raw]):
    """e**(distance * unit) by distance, at one precision, worked out when first asked for."""

    def __init__(self, unit: Raw) -> None:
        self.unit = unit

    def __missing__(self, distance: Distance) -> Raw:
        self[distance] = found = (self.unit * raw(distance)).exp()
        return found

    def over(self, gaps: Iterable[Distance]) -> list[Raw]:
        """Return the decay over each gap."""
        return list(map(self.__getitem__, gaps))

    def along(
        self,
        points: Integers | list[int],
        weights: Integers | list[int],
        order: range,
        whole: int,
    ) -> tuple[int, Raw] | None:
        """Sum the weights along `order`, relative to the first point that has weight.

        Returns its index and the sum; None where no point has weight. Points so far that all of
        them together, `whole` at most, are negligible are enclosed by one ball.
        """
        start = next((k for k in order if weights[k]), None)
        if start is None:
            return None
        last, rest = self._reach(points, start, order.step, whole)
        near = slice(min(start, last), max(start, last) + 1)  # no more of arrays than that
        column, terms = as_list(points[near]), as_list(weights[near])
        taus = self.over(gaps_between(column))
        if order.step > 0:
            terms, taus = terms[::-1], taus[::-1]
        total = running_sums(raw(0), terms, taus)[-1]
        return start, total if rest is None else total + rest

    def _reach(
        self, points: Integers | list[int], start: int, step: int, whole: int
    ) -> tuple[int, Raw | None]:
        """The last point worth summing, and a ball for everything beyond it.

        The choice is by floats; the ball is right for any choice: what lies beyond a distance d
        is at most whole * e**(d * unit).
        """
        end = len(points) - 1 if step > 0 else 0
        try:
            bits = current_precision() + 8 + whole.bit_length()
            distance = bits * 0.6931471805599453 / -float(self.unit.mid())
            far = int(points[start]) + step * int(distance)
        except (OverflowError, ValueError, ZeroDivisionError):
            return end, None
        last = min(bisect_left(points, far), end) if step > 0 else max(bisect_left(points, far), 0)
        if last == end:
            return end, None
        beyond = abs(int(points[last + step]) - int(points[start]))
        return last, ((self.unit * beyond).exp() * whole).union(raw(0))


class Apart(NamedTuple):
    """The number e**(distance * unit) * rest, of which nothing underflows."""

    distance: Distance
    rest: Raw

    @classmethod
    def of(cls, parts: Sequence[tuple[Distance, Raw]], unit: Raw) -> Apart:
        """Return the sum of masses with their decays, the least distance taken out; 0 of none.

        Example: ``Apart.of([(7, raw(1)), (7, raw(2))], raw(-1))`` is ``(7, 3)``.
        """
        least = min((distance for distance, _ in parts), default=0)
        total = raw(0)
        for distance, mass in parts:
            total += mass * (unit * raw(distance - least)).exp()
        return cls(least, total)

    def log_over(self, other: Apart, unit: Raw) -> Raw:
        """Return the logarithm of this number over another."""
        distance = self.distance - other.distance
        return unit * raw(distance) + self.rest.log() - other.rest.log()


def decayed(rate: Exponent, parts: Iterable[tuple[Fraction, Fraction]]) -> ExpSum:
    """Return the sum of mass * e**(-distance * rate), exactly, from distances and masses.

    Example: ``decayed(Exponent.rational(1), [(Fraction(0), Fraction(2))])`` is
    ``ExpSum.constant(2)``.
    """
    return ExpSum.collect((rate.times(-distance), mass) for distance, mass in parts)
