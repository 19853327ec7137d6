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
from core.smooth import half, scaled_erfc
from core.special import hull, pi
from core.zero import constant, exp_form

GUARD = 32  # bits of rounding
BELOW_PI_SQUARED = Fraction(98, 10)
PER_BIT = 28  # about 2 pi^2/log 2
COARSEST = 1 << 32  # the largest common denominator of places that are points of the sum


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


class Normals:
    """Chances at one precision; what is kept of them is told by the distance alone."""

    def __init__(self, bits: int) -> None:
        self.ar = Arithmetic(bits + GUARD)
        self.bits, self.numbers = bits, Balls(self.ar)
        self._below: dict[tuple[Fraction, Fraction], Interval] = {}
        self._bells: dict[tuple[Fraction, Fraction], Interval] = {}

    def below(self, distance: Fraction, variance: Fraction) -> Interval:
        """The chance that noise is less than that."""
        key = distance, variance
        if key not in self._below:
            self._below[key] = half(scaled_erfc(constant(-distance), variance, self.ar))
        return self._below[key]

    def _bell(self, distance: Fraction, variance: Fraction) -> Interval:
        """e^(-distance^2/2 variance)."""
        key = abs(distance), variance
        if key not in self._bells:
            found = exp_form(constant(-distance * distance / (2 * variance)), self.ar)
            self._bells[key] = found
        return self._bells[key]

    def _factor(self, other: Beside, y: Fraction) -> Interval:
        if not other.rate:
            raise Undecided("a number without noise beside others with it")
        away = y - other.at
        return self.below(away if other.below else -away, other.rate)

    def of_fixed(self, at: Fraction, others: Sequence[Beside]) -> Interval:
        """The chance that all others lie where they are to, beside a y without noise."""
        found = ONE
        for other in others:
            found = self.ar.mul(found, self._factor(other, at))
        return found

    def of_noisy(self, at: Fraction, variance: Fraction, others: Sequence[Beside]) -> Interval:
        """The same beside a y with noise around `at`."""
        if not any(other.rate for other in others):
            return self._between(at, variance, others)
        laws = [(other.at, other.rate) for other in others]
        return self._integral(at, variance, laws, lambda y: self.of_fixed(y, others))

    def greatest(self, places: Sequence[Fraction], variances: Sequence[Fraction]) -> list[Interval]:
        """For each of some numbers the chance that it is the greatest: all share a product."""
        laws = [*zip(places, variances, strict=True)]
        every = [Beside(x, v, True) for x, v in laws]
        shared = dict[Fraction, Interval]()

        def others(x: Fraction, v: Fraction) -> Callable[[Fraction], Interval]:
            def at(y: Fraction) -> Interval:
                if y not in shared:
                    shared[y] = self.of_fixed(y, every)
                return self.ar.div(shared[y], self.below(y - x, v))

            return at

        return [
            self._integral(x, v, laws[:k] + laws[k + 1 :], others(x, v))
            for k, (x, v) in enumerate(laws)
        ]

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
        self, at: Fraction, variance: Fraction, others: Sequence[tuple[Fraction, Fraction]],
        factor: Callable[[Fraction], Interval],
    ) -> Interval:  # fmt: skip
        """The integral of a product of such chances times the density of y."""
        ar, places = self.ar, [at, *(x for x, _ in others)]
        rates = sum((1 / v for _, v in others), 1 / variance)
        step = self._step(rates, places)

        def term(k: int) -> Interval:
            y = k * step
            return ar.mul(factor(y), self._bell(y - at, variance))

        def more(x: Interval, y: Interval) -> bool:
            return ar.sub(x, y)[0] > 0

        low, high = min(places) // step, max(places) // step
        while low < high:  # a large term, which they are summed from
            middle = (low + high) // 2
            if more(term(middle + 1), term(middle)):
                low = middle + 1
            else:
                high = middle
        found = peak = term(low)
        little = 1, 1, -self.bits
        for way in (1, -1):
            k, before, last = low, found, peak
            while True:
                k, before = k + way, last
                last = term(k)
                found = ar.add(found, last)
                if more(before, last):
                    rest = upper_end(ar.div(ar.mul(last, last), ar.sub(before, last)))
                    if more(ar.mul(little, found), rest):
                        found = ar.add(found, hull(ZERO, rest))
                        break
        width = ar.sqrt(ar.mul(ar.of(2 * variance), pi(ar)))
        whole = ar.div(ar.mul(found, ar.of(step)), width)
        grown = ar.exp(ar.of(2 * BELOW_PI_SQUARED / (rates * step * step)))
        off = upper_end(ar.div(ar.of(Fraction(2)), ar.sub(grown, ONE)))
        return ar.div(whole, hull(ar.sub(ONE, off), ar.add(ONE, off)))

    def _step(self, rates: Fraction, places: Sequence[Fraction]) -> Fraction:
        """A step that is fine enough: a power of 2, over what all places are multiples of."""
        whole = lcm(*(x.denominator for x in places))
        unit = Fraction(1, whole if whole <= COARSEST else 1)
        square = PER_BIT / (rates * self.bits * unit * unit)
        power = (square.numerator.bit_length() - square.denominator.bit_length() - 1) // 2
        return unit * Fraction(2) ** power
