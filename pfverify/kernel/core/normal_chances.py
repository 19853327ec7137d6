"""The chance that a number with Gaussian noise lies above some others and below the rest.

The density of y times the chances of all others, f, has f(t + bi) <= e^(R b^2/2) f(t) in size, with
R the sum of 1/variance of all numbers, since Phi(x + bi) is the integral of its density along that
line.  So its sum in steps of h is off its integral by at most 2 e^(R b^2/2)/(e^(2 pi b/h) - 1) of
it; with b = 2 pi/(h R) that is 2/(e^A - e^-A), A = 2 pi^2/(R h^2).  f is log-concave: beyond two
terms of a ratio r < 1 all others sum to at most r/(1 - r) times the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm

from core.chances import Beside
from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, upper_end
from core.grammar import bounded
from core.smooth import half, scaled_erfc
from core.special import hull, pi
from core.zero import constant, exp_form

GUARD = 32  # bits of rounding
BELOW_PI_SQUARED = Fraction(98, 10)
PER_BIT = 28  # about 2 pi^2/log 2


class Balls:
    """Intervals, as numbers that sums are made of."""

    def __init__(self, ar: Arithmetic) -> None:
        self.ar = ar
        self.of, self.times, self.plus = ar.of, ar.mul, ar.add

    def total(self, terms: Iterable[tuple[Interval, Interval]]) -> Interval:
        """The sum of products."""
        found = ZERO
        for x, y in terms:
            found = self.ar.add(found, self.ar.mul(x, y))
        return found


class Law:
    """What is kept of noise of a variance, at multiples of a unit."""

    def __init__(self, variance: Fraction, unit: Fraction, ar: Arithmetic) -> None:
        self.variance, self.unit, self.ar = variance, unit, ar
        self._below, self._bells = dict[int, Interval](), dict[int, Interval]()
        self._over = dict[int, Interval]()

    def below(self, distance: int) -> Interval:
        """The chance that it is less than so many units."""
        if distance not in self._below:
            at = constant(-distance * self.unit)
            self._below[distance] = half(scaled_erfc(at, self.variance, self.ar))
        return self._below[distance]

    def bell(self, distance: int) -> Interval:
        """e^(-d^2/2 variance) of a distance d of so many units."""
        distance = abs(distance)
        if distance not in self._bells:
            square = (distance * self.unit) ** 2
            self._bells[distance] = exp_form(constant(-square / (2 * self.variance)), self.ar)
        return self._bells[distance]

    def over(self, distance: int) -> Interval:
        """That over the chance that it is less than d."""
        if distance not in self._over:
            self._over[distance] = self.ar.div(self.bell(distance), self.below(distance))
        return self._over[distance]


class Grid:
    """Steps that are fine enough for so many bits, and a unit of which they and all places are
    multiples: a power of 2 times what all places are multiples of."""

    def __init__(self, laws: Sequence[tuple[Fraction, Fraction]], bits: int) -> None:
        self.rates = sum((1 / v for _, v in laws), Fraction(0))
        shared = Fraction(1)
        for x, _ in laws:
            shared = bounded(Fraction(1, lcm(shared.denominator, x.denominator)))
        square = PER_BIT / (self.rates * bits * shared * shared)
        power = (square.numerator.bit_length() - square.denominator.bit_length() - 1) // 2
        self.unit, self.stride = shared * Fraction(2) ** min(power, 0), 1 << max(power, 0)
        self.places = [int(x / self.unit) for x, _ in laws]


class Normals:
    """Chances at one precision; what is kept of them is told by the distance alone."""

    def __init__(self, bits: int) -> None:
        self.ar = Arithmetic(bits + GUARD)
        self.bits, self.numbers = bits, Balls(self.ar)
        self._laws: dict[tuple[Fraction, Fraction], Law] = {}

    def _law(self, variance: Fraction, unit: Fraction) -> Law:
        return self._laws.setdefault((variance, unit), Law(variance, unit, self.ar))

    def below(self, distance: Fraction, variance: Fraction) -> Interval:
        """The chance that noise is less than that."""
        return half(scaled_erfc(constant(-distance), variance, self.ar))

    def of_fixed(self, at: Fraction, others: Sequence[Beside]) -> Interval:
        """The chance that all others lie where they are to, beside a y without noise."""
        found = ONE
        for other in others:
            if not other.rate:
                raise Undecided("a number without noise beside others with it")
            away = at - other.at
            found = self.ar.mul(found, self.below(away if other.below else -away, other.rate))
        return found

    def of_noisy(self, at: Fraction, variance: Fraction, others: Sequence[Beside]) -> Interval:
        """The same beside a y with noise around `at`."""
        if not any(other.rate for other in others):
            return self._between(at, variance, others)
        if not all(other.rate for other in others):
            raise Undecided("a number without noise beside others with it")
        grid = Grid([(at, variance), *((other.at, other.rate) for other in others)], self.bits)
        factors = [
            (self._law(other.rate, grid.unit), place, other.below)
            for other, place in zip(others, grid.places[1:], strict=True)
        ]

        mine, own = self._law(variance, grid.unit), grid.places[0]

        def density(k: int) -> Interval:
            found = mine.bell(k - own)
            for law, place, below in factors:
                found = self.ar.mul(found, law.below(k - place if below else place - k))
            return found

        return self._integral(grid, variance, density)

    def greatest(self, places: Sequence[Fraction], variances: Sequence[Fraction]) -> list[Interval]:
        """For each of some numbers the chance that it is the greatest: all share a product, which
        is divided by the factor of each."""
        grid = Grid([*zip(places, variances, strict=True)], self.bits)
        laws = [self._law(v, grid.unit) for v in variances]
        factors = [*zip(laws, grid.places, strict=True)]
        shared = dict[int, Interval]()

        def of_one(mine: Law, own: int) -> Callable[[int], Interval]:
            def at(k: int) -> Interval:
                if k not in shared:
                    found = ONE
                    for law, place in factors:
                        found = self.ar.mul(found, law.below(k - place))
                    shared[k] = found
                return self.ar.mul(shared[k], mine.over(k - own))

            return at

        return [self._integral(grid, law.variance, of_one(law, x)) for law, x in factors]

    def _between(self, at: Fraction, variance: Fraction, others: Sequence[Beside]) -> Interval:
        """The chance that y is above some places and not above others."""
        low = max((other.at for other in others if other.below), default=None)
        high = min((other.at for other in others if not other.below), default=None)
        if low is not None and high is not None and low >= high:
            return ZERO
        if high is None:
            return ONE if low is None else self.below(at - low, variance)
        if low is None:
            return self.below(high - at, variance)
        if low >= at:  # where both are small
            return self.ar.sub(self.below(at - low, variance), self.below(at - high, variance))
        return self.ar.sub(self.below(high - at, variance), self.below(low - at, variance))

    def _integral(
        self, grid: Grid, variance: Fraction, at: Callable[[int], Interval]
    ) -> Interval:
        """The integral of a product of such chances times a bell of that variance."""
        ar, stride = self.ar, grid.stride

        def term(n: int) -> Interval:
            return at(n * stride)

        def more(x: Interval, y: Interval) -> bool:
            return ar.sub(x, y)[0] > 0

        def size(x: Interval) -> int:
            return x[1].bit_length() + x[2]

        low, high = min(grid.places) // stride, max(grid.places) // stride
        while low < high:  # a large term, which they are summed from
            middle = (low + high) // 2
            if more(term(middle + 1), term(middle)):
                low = middle + 1
            else:
                high = middle
        found = peak = term(low)
        little = 1, 1, -self.bits
        for way in (1, -1):
            n, before, last = low, found, peak
            while True:
                n, before = n + way, last
                last = term(n)
                found = ar.add(found, last)
                if size(last) < size(found) - self.bits and more(before, last):
                    rest = upper_end(ar.div(ar.mul(last, last), ar.sub(before, last)))
                    if more(ar.mul(little, found), rest):
                        found = ar.add(found, hull(ZERO, rest))
                        break
        step = grid.unit * stride
        width = ar.sqrt(ar.mul(ar.of(2 * variance), pi(ar)))
        whole = ar.div(ar.mul(found, ar.of(step)), width)
        grown = ar.exp(ar.of(2 * BELOW_PI_SQUARED / (grid.rates * step * step)))
        off = upper_end(ar.div(ar.of(Fraction(2)), ar.sub(grown, ONE)))
        return ar.div(whole, hull(ar.sub(ONE, off), ar.add(ONE, off)))
