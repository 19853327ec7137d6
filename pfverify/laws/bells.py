"""Sums of e**(-k**2 / (2 variance)) over whole numbers k, the weights of discrete Gaussian noise.

Neighbouring weights have the quotient e**(-(2k + 1) / (2 variance)), and neighbouring quotients the
quotient e**(-1 / variance): one product for each, and no power. By Poisson's formula the sum over
all k is also sqrt(2 pi v) times the sum of e**(-2 pi**2 v k**2): of the two the one that falls fast
is summed. Source: design fact F48.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import accumulate, repeat
from math import ceil, isqrt
from operator import mul

from pfverify.exact.ball import Raw, current_precision, precision, raw

_LOG_2 = Fraction(7, 10)  # a little more than log 2
_SPARE = 8  # bits beyond those that products of powers may lose


class Bells:
    """The sums at the precision at which they are made: each to about all its bits, far out too.

    Example: ``Bells(Fraction(1)).above(0) > 1`` is True.
    """

    def __init__(self, variance: Fraction) -> None:
        self.bits, self.unit = current_precision(), -1 / (2 * variance)
        self.whole = whole_sum(variance)
        self._weights: dict[int, Raw] = {}
        self._far: dict[int, Raw] = {}

    @cached_property
    def reach(self) -> int:
        """How far the tails are summed in one go: beyond it all bits of the whole are lost."""
        return self._end(0)

    def _end(self, start: int) -> int:
        """Where what is left of the sum from `start` on is less than its bits."""
        return isqrt(start * start + ceil(self.bits * _LOG_2 / -self.unit)) + 2

    @cached_property
    def _tails(self) -> list[Raw]:
        """The sums from 0, 1, ... on; their weights are kept too."""
        weights, sums = self._falling(0, self._end(self.reach))
        self._weights.update(enumerate(weights))
        return sums

    def _falling(self, start: int, end: int) -> tuple[list[Raw], list[Raw]]:
        """The weights of start .. end, and the sums from each on, in units of the first weight."""
        with precision(self.bits + 2 * end.bit_length() + _SPARE):
            unit = raw(self.unit)
            first, turn = ((2 * start + 1) * unit).exp(), (2 * unit).exp()
            quotients = accumulate(repeat(turn, end - start), mul, initial=first)
            *weights, after = accumulate(quotients, mul, initial=raw(1))
            # the quotients fall: what is left is below a geometric sum
            rest = (after / (1 - (unit * (2 * end + 3)).exp())).union(raw(0))
            sums = list(accumulate(reversed(weights), initial=rest))
        return weights, sums[:0:-1]

    def weight(self, k: int) -> Raw:
        """Return the weight of k."""
        k = abs(k)
        if k not in self._weights:
            self._weights[k] = raw(self.unit * k * k).exp()
        return self._weights[k]

    def above(self, start: int) -> Raw:
        """Return the sum over all k >= start."""
        if start <= 0:  # what is below is as much as above the same distance
            return self.whole - self.above(1 - start)
        if start <= self.reach:
            return self._tails[start]
        if start not in self._far:
            _, sums = self._falling(start, self._end(start))
            with precision(self.bits + 2 * start.bit_length() + _SPARE):
                self._far[start] = raw(self.unit * start * start).exp() * sums[0]
        return self._far[start]

    def between(self, low: int | None, high: int | None) -> Raw:
        """Return the sum over low .. high; None: no end."""
        if low is None:
            return self.whole if high is None else self.above(-high)
        if high is None:
            return self.above(low)
        if high < low:
            return raw(0)
        if low + high < 0:  # from the side where less is lost
            low, high = -high, -low
        return self.above(low) - self.above(high + 1)


def whole_sum(variance: Fraction) -> Raw:
    """Enclose S, the sum of e**(-k**2/(2 variance)) over all whole numbers."""
    if variance * 6 < 1:
        fall, front = raw(1 / (2 * variance)), raw(1)
    else:
        fall = 2 * Raw.pi() ** 2 * raw(variance)
        front = (2 * Raw.pi() * raw(variance)).sqrt()
    last, total = isqrt(current_precision()), raw(1)  # e**-3 per square at least
    for k in range(1, last + 1):
        total += 2 * (-fall * k * k).exp()
    rest = 2 * (-fall * (last + 1) ** 2).exp() / (1 - (-fall * (2 * last + 3)).exp())
    return front * (total + rest.union(raw(0)))
