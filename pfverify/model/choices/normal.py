"""How likely one number with Gaussian noise lies above or below others: sums with a known error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import isqrt

from pfverify.exact.ball import Raw, current_precision, erfc, raw
from pfverify.model.choices.integrals import Chances, Noisy, Side
from pfverify.model.choices.rings import BallRing

_PER_BIT = Fraction(28)  # about 2 pi**2 / log 2


class NormalChances(Chances[Raw]):
    """Gaussian noise, at the current precision.

    With R the sum of 1/variance of all numbers, the integrand is at most e**(R b**2 / 2) times as
    large at t + bi as at t, so that its sum in steps of h is off its integral by at most 1/sinh(A)
    of it, A = 2 pi**2 / (R h**2). It is log-concave: what follows two terms of a ratio r < 1 is at
    most r/(1 - r) times the last of them. Source: design fact F82.
    """

    def __init__(self, ring: BallRing) -> None:
        self.ring = ring
        self._bits = current_precision() + 2
        self._known: dict[tuple[Noisy, Fraction], Raw] = {}

    def _below(self, of: Noisy, y: Fraction) -> Raw:
        """The chance that a number is below y."""
        if (of, y) not in self._known:
            root = (2 * raw(_variance(of))).sqrt()
            self._known[of, y] = erfc(raw(of.at - y) / root) / 2
        return self._known[of, y]

    def _side(self, side: Side, y: Fraction) -> Raw:
        of = side.of
        if of.bare:
            return raw(int((of.at < y) == side.below))
        # the noise is symmetric, and 1 less the chance would lose what is small
        return self._below(of, y) if side.below else self._below(of._replace(at=-of.at), -y)

    def beside(self, y: Fraction, sides: Sequence[Side]) -> Raw:
        """Return the chance that all sides hold at a number y without noise."""
        return reduce(self.product, (self._side(side, y) for side in sides), raw(1))

    def chance(self, given: Noisy, sides: Sequence[Side]) -> Raw:
        """Return the chance that all sides hold at y, for a noisy number y.

        Raises ValueError for a number y without noise. Source: design fact F82.
        """
        if all(side.of.bare for side in sides):
            return self._between(given, sides)
        return self._integral(given, [side.of for side in sides], lambda y: self.beside(y, sides))

    def each_greatest(self, numbers: Sequence[Noisy]) -> list[Raw]:
        """Return for each of some noisy numbers the chance that it is above all others.

        All share a product, which is divided by the factor of each.
        """
        sides, shared = [Side(of, True) for of in numbers], dict[Fraction, Raw]()

        def others(given: Noisy) -> Callable[[Fraction], Raw]:
            def at(y: Fraction) -> Raw:
                if y not in shared:
                    shared[y] = self.beside(y, sides)
                return shared[y] / self._below(given, y)

            return at

        return [
            self._integral(given, [*numbers[:k], *numbers[k + 1 :]], others(given))
            for k, given in enumerate(numbers)
        ]

    def _integral(
        self, given: Noisy, others: Sequence[Noisy], at: Callable[[Fraction], Raw]
    ) -> Raw:
        """The integral of a product of chances times the density of y."""
        variance, places = _variance(given), [given.at, *(of.at for of in others)]
        rates = sum((1 / _variance(of) for of in others), 1 / variance)
        step = _near_root(_PER_BIT / (rates * self._bits))

        def term(k: int) -> Raw:
            y = k * step
            return at(y) * (-raw((y - given.at) ** 2 / (2 * variance))).exp()

        low, high = int(min(places) // step), int(max(places) // step)
        while low < high:  # towards the largest term, which they are summed from
            middle = (low + high) // 2
            if term(middle + 1) > term(middle):
                low = middle + 1
            else:
                high = middle
        found, small = term(low), raw(Fraction(2) ** -self._bits)
        for way in (1, -1):
            k, before, last = low, found, term(low)
            while True:
                k, before = k + way, last
                last = term(k)
                found += last
                if last < before and (rest := last * last / (before - last)) < small * found:
                    found += rest.union(raw(0))
                    break
        found *= raw(step) / (2 * Raw.pi() * raw(variance)).sqrt()
        off = 1 / (Raw.pi() ** 2 * raw(2 / (rates * step**2))).sinh()
        return found / (1 + off).union(1 - off)

    def _between(self, given: Noisy, sides: Sequence[Side]) -> Raw:
        """The chance that y lies among numbers without noise."""
        low = max((side.of.at for side in sides if side.below), default=None)
        high = min((side.of.at for side in sides if not side.below), default=None)
        if low is None or high is None:
            end = low if high is None else high
            return raw(1) if end is None else self._side(Side(given, low is None), end)
        if low >= high:
            return raw(0)
        above = low >= given.at  # where both are small
        ends = [self._side(Side(given, not above), y) for y in (low, high)]
        return ends[0] - ends[1] if above else ends[1] - ends[0]


def _variance(of: Noisy) -> Fraction:
    if of.variance is None:
        raise ValueError("a number without noise has no density")
    return of.variance


def _near_root(square: Fraction) -> Fraction:
    """A number of few digits, near a root and above it."""
    bits = (square.denominator.bit_length() - square.numerator.bit_length()) // 2 + 5
    unit = Fraction(2) ** -bits
    return (isqrt(int(square / unit**2)) + 1) * unit
