"""How likely one number with Gaussian noise lies above or below others: sums with a known error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm

from pfverify.exact.ball import Raw, current_precision, erfc, raw
from pfverify.model.choices.integrals import ChoiceChances, Noisy, Side
from pfverify.model.choices.rings import BallRing

_PER_BIT = 28  # about 2 pi**2 / log 2


class NormalChances(ChoiceChances[Raw]):
    """Gaussian noise, at the current precision.

    With R the sum of 1/variance of all numbers, the integrand is at most e**(R b**2 / 2) times as
    large at t + bi as at t, so that its sum in steps of h is off its integral by at most 1/sinh(A)
    of it, A = 2 pi**2 / (R h**2). It is log-concave: what follows two terms of a ratio r < 1 is at
    most r/(1 - r) times the last of them. Source: design fact F82.
    """

    def __init__(self, ring: BallRing) -> None:
        self.ring = ring
        self._bits = current_precision() + 2
        self._laws: dict[tuple[Fraction, Fraction], _Law] = {}

    def _law(self, variance: Fraction, unit: Fraction) -> _Law:
        """What is kept of noise of a variance, at multiples of a unit: all rows share it."""
        return self._laws.setdefault((variance, unit), _Law(variance, unit))

    def beside(self, y: Fraction, sides: Sequence[Side]) -> Raw:
        """Return the chance that all sides hold at a number y without noise."""
        return reduce(self.product, (_side(side, y) for side in sides), raw(1))

    def chance(self, given: Noisy, sides: Sequence[Side]) -> Raw:
        """Return the chance that all sides hold at y, for a noisy number y.

        Raises ValueError for a number y without noise. Source: design fact F82.
        """
        if all(side.of.bare for side in sides):
            return _between(given, sides)
        grid = _Grid([given, *(side.of for side in sides)], self._bits)
        factors = [
            (self._law(_variance(side.of), grid.unit), grid.place(side.of), side.below)
            for side in sides
        ]

        mine, own = self._law(_variance(given), grid.unit), grid.place(given)

        def at(k: int) -> Raw:
            found = mine.bell(k - own)
            for law, place, below in factors:
                found *= law.below(k - place if below else place - k)
            return found

        return self._integral(grid, mine.variance, at)

    def each_greatest(self, numbers: Sequence[Noisy]) -> list[Raw]:
        """Return for each of some noisy numbers the chance that it is above all others.

        All share a product, which is divided by the factor of each.
        """
        grid = _Grid(numbers, self._bits)
        factors = [(self._law(_variance(of), grid.unit), grid.place(of)) for of in numbers]
        shared: dict[int, Raw] = {}

        def of_one(law: _Law, place: int) -> Callable[[int], Raw]:
            def at(k: int) -> Raw:
                if k not in shared:
                    found = raw(1)
                    for each, mine in factors:
                        found *= each.below(k - mine)
                    shared[k] = found
                return shared[k] * law.over(k - place)

            return at

        return [self._integral(grid, law.variance, of_one(law, place)) for law, place in factors]

    def _integral(self, grid: _Grid, variance: Fraction, at: Callable[[int], Raw]) -> Raw:
        """The integral of a product of chances times a bell of a variance."""
        stride = grid.stride

        def term(n: int) -> Raw:
            return at(n * stride)

        low, high = grid.ends
        while low < high:  # towards the largest term, which they are summed from
            middle = (low + high) // 2
            if term(middle + 1) > term(middle):
                low = middle + 1
            else:
                high = middle
        found = peak = term(low)
        small = raw(Fraction(1, 1 << self._bits))
        for way in (1, -1):
            n, before, last = low, found, peak
            while True:
                n, before = n + way, last
                last = term(n)
                found += last
                little = small * found
                if not (last < little and last < before):
                    continue
                rest = last * last / (before - last)
                if rest < little:
                    found += rest.union(raw(0))
                    break
        step = grid.unit * stride
        found *= raw(step) / (2 * Raw.pi() * raw(variance)).sqrt()
        off = 1 / (Raw.pi() ** 2 * raw(2 / (grid.rates * step**2))).sinh()
        return found / (1 + off).union(1 - off)


class _Law:
    """Noise of a variance at multiples of a unit, which are integers."""

    def __init__(self, variance: Fraction, unit: Fraction) -> None:
        self.variance, self.unit = variance, unit
        self._below: dict[int, Raw] = {}
        self._bells: dict[int, Raw] = {}
        self._over: dict[int, Raw] = {}

    def below(self, distance: int) -> Raw:
        """The chance that the noise is less than that."""
        if distance not in self._below:
            self._below[distance] = _below(distance * self.unit, self.variance)
        return self._below[distance]

    def bell(self, distance: int) -> Raw:
        """e**(-distance**2 / 2 variance)."""
        distance = abs(distance)
        if distance not in self._bells:
            square = (distance * self.unit) ** 2
            self._bells[distance] = (-raw(square / (2 * self.variance))).exp()
        return self._bells[distance]

    def over(self, distance: int) -> Raw:
        """That over the chance that the noise is less."""
        if distance not in self._over:
            self._over[distance] = self.bell(distance) / self.below(distance)
        return self._over[distance]


class _Grid:
    """Steps that are fine enough, and a unit of which they and all places are multiples."""

    def __init__(self, numbers: Sequence[Noisy], bits: int) -> None:
        self.rates = sum((1 / _variance(of) for of in numbers), Fraction(0))
        shared = Fraction(1, lcm(*(of.at.denominator for of in numbers)))
        square = _PER_BIT / (self.rates * bits * shared**2)
        power = (square.numerator.bit_length() - square.denominator.bit_length() - 1) // 2
        self.unit, self.stride = shared * Fraction(2) ** min(power, 0), 1 << max(power, 0)
        places = [self.place(of) // self.stride for of in numbers]
        self.ends = min(places), max(places)

    def place(self, of: Noisy) -> int:
        """How many units a number is."""
        return int(of.at / self.unit)


def _below(distance: Fraction, variance: Fraction) -> Raw:
    return erfc(raw(-distance) / (2 * raw(variance)).sqrt()) / 2


def _side(side: Side, y: Fraction) -> Raw:
    away = y - side.of.at  # the noise is symmetric, and 1 less the chance would lose what is small
    return _below(away if side.below else -away, _variance(side.of))


def _between(given: Noisy, sides: Sequence[Side]) -> Raw:
    """The chance that y lies among numbers without noise."""
    low = max((side.of.at for side in sides if side.below), default=None)
    high = min((side.of.at for side in sides if not side.below), default=None)
    if low is None or high is None:
        end = low if high is None else high
        return raw(1) if end is None else _side(Side(given, low is None), end)
    if low >= high:
        return raw(0)
    above = low >= given.at  # where both are small
    ends = [_side(Side(given, not above), y) for y in (low, high)]
    return ends[0] - ends[1] if above else ends[1] - ends[0]


def _variance(of: Noisy) -> Fraction:
    if of.variance is None:
        raise ValueError("a number without noise has no density")
    return of.variance
