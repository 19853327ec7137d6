"""The chance that a number with (discrete) Laplace noise lies above some others and below the rest.

Between neighbouring places F(y - x) is t e^(-d) before x and 1 - t e^(-d) behind it, at a distance
d in units of the scale; t is 1/2, on a lattice 1/(1 + s) for what may be equal and s/(1 + s) for
what may not, the other way round behind.  So a product of such factors and of the weight of y is a
polynomial in e^(-distance) from the left end of a gap, times one from its right end, and what it
sums to is told term by term.  All rates are whole multiples of one, in which powers are counted.

The same sums are made of masses, exactly, or of numbers that are near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from core.enclose import ZERO, Arithmetic, Interval, Undecided, shift_ceil, shift_floor
from core.kinds import Chance, Mass
from core.masses import total_of
from core.quotients import UNDIVIDED, enclose_mass, parts_of, quotient
from core.work import price, product, spend
from core.zero import NIL, Form, enclose_form, exp_form, rational_value, times

NOTHING, ONE = Fraction(0), Fraction(1)
MOST = 4096  # powers of a polynomial


class Numbers(Protocol):
    """What sums are made of."""

    def of(self, x: Fraction) -> Any:
        """A rational."""

    def fall(self, distance: Fraction) -> Any:
        """e^-distance, in units of the rate."""

    def long(self, distance: Fraction) -> Any:
        """The distance times the rate."""

    def times(self, x: Any, y: Any) -> Any:
        """Their product."""

    def plus(self, x: Any, y: Any) -> Any:
        """Their sum."""

    def total(self, terms: Sequence[tuple[Any, Any]]) -> Any:
        """The sum of products."""

    def over(self, x: Any, y: Any) -> Any:
        """x/y, for a y that is not 0."""


class Exactly:
    """Masses; Undecided where a length is no rational multiple of the scale."""

    def __init__(self, rate: Form) -> None:
        self.rate = rate
        self._falls: dict[Fraction, Mass] = {}

    def of(self, x: Fraction) -> Mass:
        """As in `Numbers`."""
        return x

    def fall(self, distance: Fraction) -> Mass:
        """As in `Numbers`."""
        if distance not in self._falls:
            sums = {times(self.rate, -distance): ONE}
            self._falls[distance] = quotient(sums, {NIL: ONE}) if distance else ONE
        return self._falls[distance]

    def long(self, distance: Fraction) -> Mass:
        """As in `Numbers`."""
        rate = rational_value(self.rate)
        if rate is None:
            raise Undecided("a length over an irrational scale")
        return rate * distance

    def times(self, x: Mass, y: Mass) -> Mass:
        """As in `Numbers`."""
        return total_of([(x, y)])

    def plus(self, x: Mass, y: Mass) -> Mass:
        """As in `Numbers`."""
        return total_of([(x, ONE), (y, ONE)])

    def total(self, terms: Sequence[tuple[Mass, Mass]]) -> Mass:
        """As in `Numbers`."""
        return total_of(terms)

    def over(self, x: Mass, y: Mass) -> Mass:
        """As in `Numbers`."""
        if isinstance(y, Fraction):
            return total_of([(x, 1 / y)])
        parts = parts_of(y)
        if parts.keys() != {UNDIVIDED}:
            raise Undecided("a quotient of quotients")
        return total_of([(x, quotient({NIL: ONE}, parts[UNDIVIDED]))])


Near = tuple[int, int]  # c and e: a number that is off c/2^bits by at most e/2^bits


class Nearly:
    """Numbers near so many binary places, with what they are off by at most."""

    def __init__(self, rate: Form, bits: int) -> None:
        self.rate, self.bits = rate, bits
        self.ar, self._work = Arithmetic(bits + 8), 3 + product(bits)
        self._falls: dict[Fraction, Near] = {}

    def _near(self, x: Interval) -> Near:
        low, high, e = x
        shift = e + self.bits
        first, last = shift_floor(low, shift), shift_ceil(high, shift)
        return first, last - first

    def of(self, x: Fraction) -> Near:
        """As in `Numbers`."""
        return (x.numerator << self.bits) // x.denominator, 1 if x.denominator > 1 else 0

    def fall(self, distance: Fraction) -> Near:
        """As in `Numbers`."""
        if distance not in self._falls:
            self._falls[distance] = self._near(exp_form(times(self.rate, -distance), self.ar))
        return self._falls[distance] if distance else self.of(ONE)

    def long(self, distance: Fraction) -> Near:
        """As in `Numbers`."""
        return self._near(enclose_form(times(self.rate, distance), self.ar))

    def times(self, x: Near, y: Near) -> Near:
        """As in `Numbers`: |x y - c d| <= |c| f + |d| e + e f, and 2 for the places that are cut.
        """
        (c, e), (d, f) = x, y
        spend(self._work)
        if not (c or e) or not (d or f):  # times nothing at all
            return 0, 0
        if not (e or f or c * d & (1 << self.bits) - 1):  # of exact ones, without a place cut
            return c * d >> self.bits, 0
        return c * d >> self.bits, (abs(c) * f + (abs(d) + f) * e >> self.bits) + 2

    def plus(self, x: Near, y: Near) -> Near:
        """As in `Numbers`."""
        return x[0] + y[0], x[1] + y[1]

    def total(self, terms: Sequence[tuple[Near, Near]]) -> Near:
        """As in `Numbers`."""
        found = 0, 0
        for x, y in terms:
            c, e = self.times(x, y)
            found = found[0] + c, found[1] + e
        return found

    def over(self, x: Near, y: Near) -> Near:
        """As in `Numbers`, of a y > 0: |x/y - c/d| <= (e + |c/d| f)/(d - f)."""
        (c, e), (d, f) = x, y
        if d <= f:
            raise Undecided("a divisor is not separated from 0")
        spend(8 + 4 * price(2 * self.bits))
        found = (c << self.bits) // d
        off = ((e << self.bits) + (abs(found) + 1) * f) // (d - f) + 2
        return found, off


def interval_of(x: Near, bits: int) -> Interval:
    """The interval of all numbers that near."""
    return x[0] - x[1], x[0] + x[1], -bits


# a mass, and what encloses the other factor at an `Arithmetic`
Terms = list[tuple[Mass, Callable[[Arithmetic], Interval]]]


def chance_of(terms: Terms) -> Chance:
    """The mass that such products sum to, of which no exact form is known."""

    def enclosed(ar: Arithmetic) -> Interval:
        total = ZERO
        for weight, enclose in terms:
            total = ar.add(total, ar.mul(enclose_mass(weight, ar), enclose(ar)))
        return total

    return Chance(terms, enclosed, total_with)


def total_with(rational: Fraction, terms: Sequence[tuple[Mass, Mass]]) -> Chance:
    """As `quotients.total_of` where some masses are enclosed; of a product at most one is."""
    known, found = list[tuple[Mass, Mass]](), Terms()
    for one, other in terms:
        x, y = (other, one) if isinstance(other, Chance) else (one, other)
        if not isinstance(x, Chance):
            known.append((x, y))
            continue
        if isinstance(y, Chance):
            raise Undecided("a product of masses without an exact form")
        spend(16 * len(x.terms))
        found += [(total_of([(weight, y)]), enclose) for weight, enclose in x.terms]
    rest = total_of([(rational, ONE), *known])
    return chance_of([*found, (rest, lambda ar: ar.of(ONE))])


class Beside(NamedTuple):
    """A number that is to lie below y, or else from y on; of equal ones a share is below.  Its rate
    is so many times the one, of gaussian noise its variance; 0: it has no noise."""

    at: Fraction
    rate: Any
    below: bool
    share: Fraction = NOTHING


Powers = dict[int, Any]


class Gap:
    """What is kept of a gap between places: e^-(k length), and sums."""

    def __init__(self, of: Chances, length: Fraction) -> None:
        self.of, self.length = of, length
        self._falls, self._sums = [of.one], dict[tuple[int, int], Any]()

    def fall(self, k: int) -> Any:
        """e^-(k length)."""
        while len(self._falls) <= k:
            self._falls.append(self.of.numbers.fall(len(self._falls) * self.length))
        return self._falls[k]

    def sums(self, k: int, m: int) -> Any:
        """The sum of e^(-k from the left - m from the right) over it, without its right end."""
        if (k, m) not in self._sums:
            self._sums[k, m] = self._sum(k, m)
        return self._sums[k, m]

    def _sum(self, k: int, m: int) -> Any:
        numbers, step, length = self.of.numbers, self.of.step, self.length
        if k == m:
            size = numbers.long(length) if step is None else numbers.of(length / step)
            return numbers.times(size, self.fall(k))
        low, high = min(k, m), max(k, m)
        fallen = numbers.plus(self.fall(low), numbers.times(self.of.less, self.fall(high)))
        if step is None:
            return numbers.times(numbers.of(Fraction(1, high - low)), fallen)
        rest = self.of.missing(numbers.fall((high - low) * step))
        found = numbers.over(fallen, rest)
        return numbers.times(numbers.fall((m - k) * step), found) if k < m else found


def each_greatest(of: Any, places: Sequence[Fraction], rates: Sequence[int]) -> list[Any]:
    """For each of some numbers the chance that all others are below it, one after the other."""
    every = [Beside(x, r, True) for x, r in zip(places, rates, strict=True)]
    return [
        of.of_noisy(one.at, one.rate, every[:k] + every[k + 1 :]) for k, one in enumerate(every)
    ]


class Chances:
    """Sums at one rate, on the line or on the multiples of a step; `late`: of exponential noise,
    which no number has before its place, so that F is 0 there and 1 - e^-d behind it."""

    def __init__(self, numbers: Numbers, step: Fraction | None, *, late: bool = False) -> None:
        self.numbers, self.step, self.late = numbers, step, late
        self.one, self.less = numbers.of(ONE), numbers.of(-ONE)
        self._gaps: dict[Fraction, Gap] = {}

    def missing(self, x: Any) -> Any:
        """1 - x."""
        return self.numbers.plus(self.one, self.numbers.times(self.less, x))

    def _gap(self, length: Fraction) -> Gap:
        return self._gaps.setdefault(length, Gap(self, length))

    def _first(self, other: Beside) -> Fraction:
        """From where on another one is behind."""
        late = self.step is not None and other.rate == 0
        return other.at + (self.step or NOTHING) if late else other.at

    def _tail(self, other: Beside, behind: bool) -> Any:
        """t, before its place or behind it."""
        numbers, step = self.numbers, self.step
        if self.late:
            return numbers.of(ONE if behind else NOTHING)
        if step is None:
            return numbers.of(Fraction(1, 2))
        s = numbers.fall(other.rate * step)
        equal = (1 - other.share) if behind else other.share
        above = numbers.plus(numbers.of(equal), numbers.times(numbers.of(1 - equal), s))
        return numbers.over(above, numbers.plus(self.one, s))

    def _peak(self, rate: int) -> Any:
        """The density of y at its place, over the rate; on a lattice the mass."""
        numbers = self.numbers
        if self.step is None:
            return numbers.of(Fraction(rate, 1 if self.late else 2))
        s = numbers.fall(rate * self.step)
        return numbers.over(self.missing(s), numbers.plus(self.one, s))

    def _end(self, k: int, left: bool) -> Any:
        """What e^(-k distance) sums to without end, from a place on, or before it."""
        numbers = self.numbers
        if self.step is None:
            return numbers.of(Fraction(1, k))
        s = numbers.fall(k * self.step)
        return numbers.over(s if left else self.one, self.missing(s))

    def _with(self, powers: Powers, other: Beside, behind: bool) -> Powers:
        """Times the factor of another one."""
        if other.rate == 0 or (self.late and not behind):
            return powers if behind == other.below else {}
        tail, times = self._tail(other, behind), self.numbers.times
        if behind != other.below:  # t e^-d
            return {k + other.rate: times(x, tail) for k, x in powers.items()}
        found, minus = dict(powers), times(self.less, tail)
        for k, x in powers.items():
            at, more = k + other.rate, times(x, minus)
            found[at] = self.numbers.plus(found[at], more) if at in found else more
        return found

    def _swept(
        self, stand: Sequence[Sequence[Beside]], gaps: Sequence[Gap], own: int, rate: int,
        behind: bool,
    ) -> list[Powers]:  # fmt: skip
        """The product of the factors of all whose place was passed, from each place on."""
        found: list[Powers] = [{0: self.one}]
        times = self.numbers.times
        for m, others in enumerate(stand):
            powers = found[-1]
            if m:
                fall = gaps[m - 1].fall
                powers = {k: times(x, fall(k)) if k else x for k, x in powers.items()}
            for other in others:
                powers = self._with(powers, other, behind)
            if m == own:
                mine = behind or not self.late
                powers = {k + rate: x for k, x in powers.items()} if mine else {}
            if len(powers) > MOST:
                raise Undecided("a polynomial with too many powers")
            spend(16 + 8 * len(powers) * (1 + len(others)))
            found.append(powers)
        return found

    def of_noisy(self, at: Fraction, rate: int, others: Sequence[Beside]) -> Any:
        """The chance that all others lie where they are to, beside a y with noise around `at`."""
        stand: dict[Fraction, list[Beside]] = {at: []}
        for other in others:
            stand.setdefault(self._first(other), []).append(other)
        places, numbers = sorted(stand), self.numbers
        groups = [stand[place] for place in places]
        gaps = [self._gap(b - a) for a, b in pairwise(places)]
        own, last = places.index(at), len(places)
        left = self._swept(groups, gaps, own, rate, behind=True)
        right = self._swept(groups[::-1], gaps[::-1], last - 1 - own, rate, behind=False)[::-1]
        terms = []
        for m, (ours, theirs) in enumerate(zip(left, right, strict=True)):
            spend(16 * (len(ours) * len(theirs) + 1))
            for k, x in ours.items():
                for n, y in theirs.items():
                    if m in (0, last):
                        size = self._end(k or n, left=m == 0)
                    else:
                        size = gaps[m - 1].sums(k, n)
                    terms.append((numbers.times(x, y), size))
        return numbers.times(self._peak(rate), numbers.total(terms))

    def greatest(self, places: Sequence[Fraction], rates: Sequence[int]) -> list[Any]:
        """On the line, for each of some numbers with noise the chance that it is the greatest.

        Let y be the greatest.  In a gap the factors 1 - t e^-d of all numbers that y is behind have
        one product A, and those before a product b e^(-m d) from the right.  If y is one of those
        before, with a rate r, its weight is r times the factor t e^-d that it lacks: A b counts r
        times.  If it is behind, A is divided by its own factor, 1 - w z^r with w = t e^-d at the
        left end: q(k) = a(k) + w q(k - r), and the weight is r w z^r.
        """
        numbers, times = self.numbers, self.numbers.times
        if self.late:
            return each_greatest(self, places, rates)
        at, size = sorted({*places}), len(places)
        groups = [[Beside(x, r, True) for x, r in zip(places, rates, strict=True) if x == place]
                  for place in at]  # fmt: skip
        gaps = [self._gap(b - a) for a, b in pairwise(at)]
        left = self._swept(groups, gaps, -1, 0, behind=True)
        right = self._swept(groups[::-1], gaps[::-1], -1, 0, behind=False)[::-1]
        half, lying = numbers.of(Fraction(1, 2)), [self.less] * size
        terms: list[list[tuple[Any, Any]]] = [[] for _ in range(size)]
        for m, (ours, theirs) in enumerate(zip(left, right, strict=True)):
            ((n, b),) = theirs.items()
            top = max(ours) + 1 + max(rates)
            sums = [
                self._end(n, left=True) if m == 0
                else (self._end(k, left=False) if k else self.one) if m == len(at)
                else gaps[m - 1].sums(k, n)
                for k in range(top)
            ]  # fmt: skip
            spend(32 * top)
            if m < len(at):
                both = times(b, numbers.total([(x, sums[k]) for k, x in ours.items()]))
            for i, r in enumerate(rates):
                if m == 0 or places[i] > at[m - 1]:
                    terms[i].append((both, numbers.of(Fraction(r))))
                    continue
                lying[i] = half if places[i] == at[m - 1] else times(lying[i], gaps[m - 2].fall(r))
                terms[i].append((
                    times(b, times(lying[i], numbers.of(Fraction(r)))),
                    self._divided(ours, lying[i], r, sums),
                ))
        return [numbers.total(found) for found in terms]

    def _divided(self, powers: Powers, w: Any, rate: int, sums: Sequence[Any]) -> Any:
        """The sum of a polynomial over 1 - w z^rate, times z^rate, with these sums of powers."""
        numbers, quotient, terms = self.numbers, dict[int, Any](), list[tuple[Any, Any]]()
        spend(8 * len(powers))
        for k in range(max(powers) - rate + 1):
            x, before = powers.get(k), quotient.get(k - rate)
            if before is not None:
                more = numbers.times(w, before)
                x = more if x is None else numbers.plus(x, more)
            if x is not None:
                quotient[k] = x
                terms.append((x, sums[k + rate]))
        return numbers.total(terms)

    def of_fixed(self, at: Fraction, others: Sequence[Beside]) -> Any:
        """The same beside a y without noise."""
        found, times = self.one, self.numbers.times
        for other in others:
            behind = at >= other.at
            if other.rate == 0:
                raise Undecided("nothing is drawn")
            fall = self.numbers.fall(other.rate * abs(at - other.at))
            tail = times(self._tail(other, behind), fall)
            found = times(found, tail if behind != other.below else self.missing(tail))
        return found
