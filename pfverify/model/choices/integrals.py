"""How likely one noisy number lies above or below others: an integral, in exact numbers or balls.

Between neighbouring places the chance that a number with Laplace noise lies below y is e**(-d) / 2
at a distance d before it, and 1 - e**(-d)/2 behind it: a product of such factors is a polynomial in
e**(-distance) from either end, whose integral is a finite sum. On a lattice sums are geometric, and
of exponential noise no factor is there before a place.
Source: design fact F77.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Generic, NamedTuple, Protocol, TypeVar

C = TypeVar("C")
_ONE = Fraction(1)
_ORDERED = 2
Powers = Mapping[int, C]
"""Power of e**(-rate * distance) -> coefficient."""


class ChanceRing(Protocol[C]):
    """The numbers that sums are made of."""

    def number(self, value: Fraction) -> C:
        """Return a rational number."""

    def power(self, distance: Fraction) -> C:
        """Return e**(-rate * distance)."""

    def length(self, distance: Fraction) -> C:
        """Return rate * distance."""

    def product(self, first: C, second: C) -> C:
        """Return the product of two."""

    def plus(self, first: C, second: C) -> C:
        """Return the sum of two."""

    def total(self, terms: Sequence[tuple[C, C]]) -> C:
        """Return the sum of products of two."""

    def quotient(self, first: C, second: C) -> C:
        """Return the quotient, by what is not 0."""


class Noisy(NamedTuple):
    """A number with noise, whose rate is so many times the one of the ring; None: without noise.

    Of Gaussian noise the variance is stated in its place.
    """

    at: Fraction
    times: int | None
    variance: Fraction | None = None

    @property
    def bare(self) -> bool:
        """Whether there is no noise."""
        return self.times is None and self.variance is None


class Side(NamedTuple):
    """A noisy number that lies below y, or from y on; `ties`: the share of ties that is below."""

    of: Noisy
    below: bool
    ties: Fraction = Fraction(0)


class ChoiceChances(ABC, Generic[C]):
    """What is told of noisy numbers of one kind.

    `ties`: whether two may be equal; `ring`: the numbers that chances are.
    """

    ties = False
    ring: ChanceRing[C]

    @abstractmethod
    def chance(self, given: Noisy, sides: Sequence[Side]) -> C:
        """Return the chance that all sides hold at y, for a noisy number y.

        Raises ValueError for a number y without noise.
        """

    @abstractmethod
    def beside(self, y: Fraction, sides: Sequence[Side]) -> C:
        """Return the chance that all sides hold at a number y without noise."""

    def each_greatest(self, numbers: Sequence[Noisy]) -> list[C]:
        """Return for each of some noisy numbers the chance that it is above all others."""
        found = []
        for k, given in enumerate(numbers):
            others = [Side(of, True) for m, of in enumerate(numbers) if m != k]
            found.append(self.chance(given, others))
        return found

    def ordered(self, order: Sequence[Noisy], rest: Sequence[Side]) -> C:
        """Return the chance that some numbers are above all others, in this order.

        `rest`: all others, as sides of the last. Raises ValueError for more than two.
        """
        if len(order) > _ORDERED:
            raise ValueError(f"the order of {len(order)} numbers is not told")
        return self.chance(order[-1], rest)

    def product(self, first: C, second: C) -> C:
        """Return the product of two."""
        return self.ring.product(first, second)


class LineChances(ChoiceChances[C]):
    """Noise on the line, as `LatticeChances` on one: factors around a place, and integrals.

    A factor is constant + coefficient * e**(-times * rate * distance) to either side.
    """

    def __init__(self, ring: ChanceRing[C]) -> None:
        self.ring = ring
        self._powers: dict[Fraction, C] = {}
        self._gaps: dict[Fraction, _Gap[C]] = {}
        self.zero, self.one = ring.number(Fraction(0)), ring.number(_ONE)

    def tails(self, side: Side) -> tuple[C | None, C]:
        """Return what a number is below y by chance before its place, and misses it by behind.

        None: it is not below y before its place at all.
        """
        del side
        half = self.ring.number(Fraction(1, 2))
        return half, half

    def weight(self, of: Noisy) -> C:
        """Return the density over the rate at its place, or the mass."""
        return self.ring.number(Fraction(_rate(of), 2))

    def place(self, of: Noisy) -> Fraction:
        """Return the place from which on a number is behind."""
        return of.at

    def between(self, k: int, s: int, length: Fraction) -> C:
        """Return the integral of e**(-k from the left) e**(-s from the right), times the rate."""
        ring = self.ring
        if k == s:
            return ring.product(ring.length(length), self.power(k * length))
        return ring.total([
            (ring.number(Fraction(1, k - s)), self.power(s * length)),
            (ring.number(Fraction(1, s - k)), self.power(k * length)),
        ])  # fmt: skip

    def beyond(self, k: int, *, left: bool) -> C:
        """Return the integral of e**(-k distance) without end, times the rate."""
        del left
        return self.ring.number(Fraction(1, k))

    def own(self, powers: Powers[C], times: int, *, before: bool) -> Powers[C]:
        """Return the powers with those of the weight of y, before its place or behind it."""
        del before
        return {k + times: c for k, c in powers.items()}

    def power(self, distance: Fraction) -> C:
        """Return e**(-rate * distance), which is kept."""
        if distance not in self._powers:
            self._powers[distance] = self.ring.power(distance)
        return self._powers[distance]

    def gap(self, length: Fraction) -> _Gap[C]:
        """Return what is kept of a gap: numbers share those of their places."""
        if length not in self._gaps:
            self._gaps[length] = _Gap(self, length)
        return self._gaps[length]

    def chance(self, given: Noisy, sides: Sequence[Side]) -> C:
        """Return the chance that all sides hold at y, for a noisy number y.

        Raises ValueError for a number y without noise.
        Source: design fact F77.
        """
        stand: dict[Fraction, list[Side]] = {given.at: []}
        for side in sides:
            stand.setdefault(self.place(side.of), []).append(side)
        places = sorted(stand)
        gaps = [self.gap(b - a) for a, b in pairwise(places)]
        own = places.index(given.at)
        at_places = [stand[place] for place in places]
        rate, late = _rate(given), len(places) - 1 - own
        left = _swept(self, at_places, gaps, (own, rate), before=False)
        right = _swept(self, at_places[::-1], gaps[::-1], (late, rate), before=True)[::-1]
        terms, product = list[tuple[C, C]](), self.ring.product
        for m, (behind, before) in enumerate(zip(left, right, strict=True)):
            for k, a in behind.items():
                for s, b in before.items():
                    if m == 0:
                        value = self.beyond(s, left=True)
                    elif m == len(places):
                        value = self.beyond(k, left=False)
                    else:
                        value = gaps[m - 1].between(k, s)
                    terms.append((product(a, b), value))
        return product(self.weight(given), self.ring.total(terms))

    def each_greatest(self, numbers: Sequence[Noisy]) -> list[C]:
        """Return for each of some noisy numbers the chance that it is the greatest.

        The numbers that y is behind share a polynomial, which is divided by the factor of one;
        those before share all: their weight is a multiple of their factor.
        Raises ValueError for a number without noise.
        """
        rates = [_rate(of) for of in numbers]
        ring, half = self.ring, self.weight(Noisy(Fraction(0), 1))
        product, plus = ring.product, ring.plus
        places = sorted({of.at for of in numbers})
        stand = [[Side(of, True) for of in numbers if of.at == place] for place in places]
        gaps = [self.gap(b - a) for a, b in pairwise(places)]
        left = _swept(self, stand, gaps, (-1, 0), before=False)
        right = _swept(self, stand[::-1], gaps[::-1], (-1, 0), before=True)[::-1]
        tails = [self.zero] * len(numbers)  # half e**(-distance) of each that y is behind
        found: list[list[tuple[C, C]]] = [[] for _ in numbers]
        for m, (behind, before) in enumerate(zip(left, right, strict=True)):
            if m:
                gap = None if m == 1 else gaps[m - 2]
                for i, of in enumerate(numbers):
                    if of.at == places[m - 1]:
                        tails[i] = half
                    elif of.at < places[m - 1] and gap is not None:
                        tails[i] = product(tails[i], gap.fall(rates[i]))
            ((s, b),) = before.items()
            sums = _sums(self, gaps, m, len(places), s)
            shared = product(b, ring.total([(c, sums(k)) for k, c in behind.items()])) if s else b
            for i, n in enumerate(rates):
                if m == 0 or numbers[i].at > places[m - 1]:
                    found[i].append((shared, ring.number(Fraction(n))))
                    continue
                terms, quotient = list[tuple[C, C]](), dict[int, C]()
                for k in range(max(behind) - n + 1):
                    c = behind.get(k)
                    earlier = quotient.get(k - n)
                    if earlier is not None:
                        earlier = product(earlier, tails[i])
                        c = earlier if c is None else plus(c, earlier)
                    if c is not None:
                        quotient[k] = c
                        terms.append((c, sums(k + n)))
                whole = product(product(b, tails[i]), ring.total(terms))
                found[i].append((whole, ring.number(Fraction(n))))
        return [ring.total(terms) for terms in found]

    def beside(self, y: Fraction, sides: Sequence[Side]) -> C:
        """Return the chance that all sides hold at a number y without noise."""
        found = self.one
        for side in sides:
            place = self.place(side.of)
            if side.of.times is None:
                if (y >= place) != side.below:
                    return self.zero
                continue
            tail = self.tails(side)[0 if y < place else 1]
            if tail is None:
                if side.below:
                    return self.zero
                continue
            tail = self.product(tail, self.power(side.of.times * abs(y - place)))
            if (y < place) != side.below:
                tail = self.ring.total([(self.one, self.one), (self.ring.number(-_ONE), tail)])
            found = self.product(found, tail)
        return found


class _Gap(Generic[C]):
    """A gap between neighbouring places: powers over its length, and integrals."""

    def __init__(self, line: LineChances[C], length: Fraction) -> None:
        self.line, self.length = line, length
        self._falls: list[C] = [line.one]
        self._sums: dict[tuple[int, int], C] = {}

    def fall(self, k: int) -> C:
        """Return e**(-k * rate * length)."""
        while len(self._falls) <= k:
            self._falls.append(self.line.power(len(self._falls) * self.length))
        return self._falls[k]

    def between(self, k: int, s: int) -> C:
        """Return `LineChances.between`."""
        if (k, s) not in self._sums:
            self._sums[k, s] = self.line.between(k, s, self.length)
        return self._sums[k, s]


class LatticeChances(LineChances[C]):
    """Discrete Laplace noise on the multiples of a step from a place."""

    ties = True

    def __init__(self, ring: ChanceRing[C], step: Fraction) -> None:
        super().__init__(ring)
        self.step = step

    each_greatest = ChoiceChances.each_greatest  # where equal ones are above no other

    def _ratio(self, of: Noisy) -> C:
        return self.power((of.times or 0) * self.step)

    def _over(self, top: C, of: Noisy) -> C:
        """A number over 1 + s."""
        ring = self.ring
        return ring.quotient(top, ring.total([(self.one, self.one), (self.one, self._ratio(of))]))

    def tails(self, side: Side) -> tuple[C, C]:
        """Return the chance before its place, with its share of ties, and what is missed behind."""
        ring, ratio, ties = self.ring, self._ratio(side.of), side.ties
        share, rest = ring.number(ties), ring.number(1 - ties)
        before = ring.total([(share, self.one), (rest, ratio)])
        behind = ring.total([(rest, self.one), (share, ratio)])
        return self._over(before, side.of), self._over(behind, side.of)

    def weight(self, of: Noisy) -> C:
        """Return the mass at its place."""
        ring, ratio = self.ring, self._ratio(of)
        less = ring.total([(self.one, self.one), (ring.number(-_ONE), ratio)])
        return self._over(less, of)

    def place(self, of: Noisy) -> Fraction:
        """Return the place from which on a number is behind; without noise, the one after it."""
        return of.at if of.times is not None else of.at + self.step

    def _less(self, k: int) -> C:
        """1 - e**(-k step)."""
        ring = self.ring
        power = self.power(k * self.step)
        return ring.total([(self.one, self.one), (ring.number(-_ONE), power)])

    def between(self, k: int, s: int, length: Fraction) -> C:
        """Return the sum over the points from the left end to before the right one."""
        ring, count = self.ring, length / self.step
        if k == s:
            return ring.product(ring.number(count), self.power(k * length))
        more, less = (s, k) if k > s else (k, s)
        top = ring.total([
            (self.one, self.power(more * length)),
            (ring.number(-_ONE), self.power(less * length)),
        ])  # fmt: skip
        if k < s:
            top = ring.product(self.power((s - k) * self.step), top)
        return ring.quotient(top, self._less(abs(k - s)))

    def beyond(self, k: int, *, left: bool) -> C:
        """Return the sum from a place on to the right, or of all before it."""
        return self.ring.quotient(self.power(k * self.step) if left else self.one, self._less(k))


class OneSidedChances(LineChances[C]):
    """Exponential noise, which is never below 0: a number is behind from its place on alone."""

    each_greatest = ChoiceChances.each_greatest

    def tails(self, side: Side) -> tuple[C | None, C]:
        """Return None: before its place it is not below y; and one, what it misses behind."""
        del side
        return None, self.one

    def weight(self, of: Noisy) -> C:
        """Return the density over the rate from its place on."""
        return super().weight(of._replace(times=2 * _rate(of)))

    def own(self, powers: Powers[C], times: int, *, before: bool) -> Powers[C]:
        """Return nothing before the place of y."""
        return {} if before else super().own(powers, times, before=before)


def _rate(of: Noisy) -> int:
    """How many times the rate of the ring."""
    if of.times is None:
        raise ValueError("a number without noise has no density")
    return of.times


def _swept(
    line: LineChances[C], stand: Sequence[Sequence[Side]], gaps: Sequence[_Gap[C]],
    own: tuple[int, int], *, before: bool,
) -> list[Powers[C]]:  # fmt: skip
    """The product of all factors that were passed, before each place on the way and after the last.

    Powers are counted from the last place; `own`: where y is, and the power of its weight.
    """
    found: list[Powers[C]] = [{0: line.one}]
    product = line.ring.product
    for m, sides in enumerate(stand):
        powers = found[-1]
        if m:
            gap = gaps[m - 1]
            powers = {k: product(c, gap.fall(k)) if k else c for k, c in powers.items()}
        for side in sides:
            powers = _times(line, powers, side, before=before)
        if m == own[0]:
            powers = line.own(powers, own[1], before=before)
        found.append(powers)
    return found


def _times(line: LineChances[C], powers: Powers[C], side: Side, *, before: bool) -> Powers[C]:
    """With the factor of a side, at its place: t e**(-d), or 1 - t e**(-d)."""
    product, plus, more = line.ring.product, line.ring.plus, side.of.times
    if more is None:
        return powers if before != side.below else {}
    tail, grows = line.tails(side)[0 if before else 1], before == side.below
    if tail is None:
        return {} if grows else powers
    if grows:
        return {k + more: product(c, tail) for k, c in powers.items()}
    less = product(line.ring.number(-_ONE), tail)
    found = dict(powers)
    for k, c in powers.items():
        added = product(c, less)
        at = k + more
        found[at] = plus(found[at], added) if at in found else added
    return found


def _sums(
    line: LineChances[C], gaps: Sequence[_Gap[C]], m: int, size: int, s: int
) -> Callable[[int], C]:
    """What e**(-k from the left) e**(-s from the right) sums to in a gap, or without end."""
    if m == 0:
        return lambda k: line.beyond(s, left=True)
    if m == size:
        return lambda k: line.beyond(k, left=False)
    return lambda k: gaps[m - 1].between(k, s)
