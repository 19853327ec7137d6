"""Tuples whose value has masses that are not rational, between two pairs of rational ones.

The divergence rises in the masses under P and falls in those under Q, so that rational bounds of
them enclose it: the value's laws need not sum to 1 for that. With delta = 0 the value alone
decides, exactly. At a tie with delta nothing is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Difference, Settled, Supremum
from pfverify.decide.excess import excess_margin, gap
from pfverify.decide.masses.finite import NO_DECIMAL, NamedOutputs
from pfverify.decide.masses.numbers import NumberMasses
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import PROVED, TuplingComparison, fractions_around
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Raw, current_precision, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, ZERO, ByBalls, End, Refined, rising_balls
from pfverify.exact.rising import rising
from pfverify.model.channels.entries import Entry, as_number, product, total
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_BITS = 96  # of the masses, at first and each time doubled: fewer than the kernel's
_SPARE_BITS = 64
_LAST_BITS = 1 << 11
_SLACK = 1 - Fraction(1, 10**5)  # of a margin, for other bounds of the same masses
_MARGIN = Grid(6)
_TIED = "the masses are not rational, and the excess is delta to 400 digits"


class TupleBounds:
    """Two laws of a value, not all rational, among dummies of a rational law."""

    def __init__(
        self,
        first: Sequence[Entry],
        second: Sequence[Entry],
        dummy: Sequence[Fraction],
        dummies: int,
    ) -> None:
        self.first, self.second = list(first), list(second)
        self.dummy, self.dummies = dummy, dummies
        self._known: dict[tuple[int, bool], TupleLaws] = {}

    def laws(self, bits: int, *, first_above: bool) -> TupleLaws:
        """Return laws with masses rounded to `bits` bits: one law upward, the other downward."""
        key = bits, first_above
        if key not in self._known:
            self._known[key] = TupleLaws(
                [_bounds(mass, bits)[first_above] for mass in self.first],
                [_bounds(mass, bits)[not first_above] for mass in self.second],
                self.dummy,
                self.dummies,
            )
        return self._known[key]


class BracketedTupling(Difference):
    """One order of two laws of tuples whose value has masses that are not rational.

    Source: distribution-privacy paper, Algorithm 1 and Theorem 3.
    """

    no_witness, proved = NO_DECIMAL, PROVED

    def __init__(
        self, pair: TupleBounds, names: Sequence[str], target: Target, *, reverse: bool
    ) -> None:
        self.pair, self.names, self.target, self.reverse = pair, names, target, reverse
        p, q = (pair.second, pair.first) if reverse else (pair.first, pair.second)
        self.value = NumberMasses(p, q, NamedOutputs(names), target)

    @property
    def equal(self) -> bool:
        """Whether the two laws of the value are written alike."""
        return self.value.equal

    def against(self, target: Target) -> BracketedTupling:
        """Return the same laws in the same order, held to another target."""
        return BracketedTupling(self.pair, self.names, target, reverse=self.reverse)

    @property
    def signs(self) -> Settled:
        """As of the value alone."""
        return self._told(self.value.settled().sign)

    @cached_property
    def area(self) -> Settled:
        """The divergence against delta, from bounds of as many bits as it takes."""
        if self._nothing_exceeds:
            return self._told(self.target.sign_of_nothing)
        for bits in rising(_BITS, _LAST_BITS):
            if self._order(bits, above=True).area.sign in (-1, 0):
                return self._told(-1)
            if self._order(bits, above=False).area.sign == 1:
                return self._told(1)
        return self._told(None)

    def _told(self, sign: int | None) -> Settled:
        return Settled(sign, PROVED, _TIED if sign is None else None, breach=self._breach)

    @property
    def _nothing_exceeds(self) -> bool:
        """Whether no ratio of the value, and so of no tuple, is above e**epsilon."""
        return self.equal or self.value.against(self.target.of_ratio()).settled().sign in (-1, 0)

    def _order(self, bits: int, *, above: bool) -> TuplingComparison:
        """Return laws with at least the divergence of the true ones, or with at most that."""
        laws = self.pair.laws(bits, first_above=above is not self.reverse)
        return TuplingComparison(laws, self.names, self.target, reverse=self.reverse)

    def _breach(self) -> Breach | None:
        """The event where the ratio is above a growth, by bounds that prove it."""
        for bits in rising(_BITS, _LAST_BITS):
            event = self._order(bits, above=False).events[0]
            with precision(bits):
                excess = gap(event.p, event.q, self.target.exp_epsilon())
                exceeds = excess > self.target.delta.ball().raw
            margin = excess_margin(event.p, event.q, self.target) if exceeds else None
            if margin is not None:
                ends = (margin,) if isinstance(margin, Fraction) else fractions_around(margin)
                return None if ends is None else event.breach(_MARGIN.below(ends[0]) * _SLACK)
        return None

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio: that of the value alone."""
        return self.value.loss()

    def exceeding(self) -> Refined:
        """Return the hockey-stick divergence at the target's epsilon."""
        return ZERO if self._nothing_exceeds else _between(self._around_divergence, Fraction(1))

    def _around_divergence(self) -> Raw:
        return self._divergence(above=False).union(self._divergence(above=True))

    def _divergence(self, *, above: bool) -> Raw:
        order = self._order(current_precision(), above=above)
        growth = self.target.exp_epsilon()
        amounts = [gap(event.p, event.q, growth) for event in order.events]
        return amounts[0] if len(amounts) == 1 else amounts[0].max(amounts[1])

    def least_epsilon(self) -> Refined:
        """Return the least epsilon at the target's delta, between those of the bounds."""
        if self.equal:
            return ZERO
        if self.target.bound is Bound.RATIO:
            return self.value.loss().value
        match (self._never() - self.target.delta).sign():
            case 1:
                return INFINITE
            case None | 0:  # a finite one, at a tie, or none: the bounds cannot tell
                return ANYTHING
            case _:
                return _between(self._around_least_epsilon, inf)

    def _around_least_epsilon(self) -> Raw:
        bits = current_precision()
        deltas = fractions_around(self.target.delta.ball().raw)
        if deltas is None:
            return Raw.nan()
        low = self._order(bits, above=False).least_growth(deltas[1])
        high = self._order(bits, above=True).least_growth(deltas[0], low or Fraction(1))
        if high == 1:
            return raw(0)
        return Raw.nan() if low is None or high is None else raw(low).log().union(raw(high).log())

    def _never(self) -> Number:
        """Return the P of all tuples that are impossible under Q, as `TupleLaws.never` does."""
        without, dummy = self.value.without, self.pair.dummy
        p = self.pair.second if self.reverse else self.pair.first
        others = sum((dummy[k] for k in without), Fraction(0)) ** self.pair.dummies
        shown = [p[k] for k in without if not dummy[k]]
        hidden = total(p[k] for k in without if dummy[k])
        return as_number(total([*shown, product(hidden, others)]))


def _between(number: Callable[[], Raw], most: End) -> ByBalls:
    """Return what balls enclose that start from bounds of as many bits."""
    return ByBalls(rising_balls(number, _BITS, _LAST_BITS), most)


def _bounds(mass: Entry, bits: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of a mass; equal masses have the same ones, however written."""
    if isinstance(mass, Fraction):
        return mass, mass
    with precision(bits + _SPARE_BITS):
        ends = fractions_around(mass.ball().raw)
    if ends is None:
        raise UndecidedError(f"a mass is not enclosed: {mass.text}")
    low, high = max(ends[0], Fraction(0)), ends[1]
    unit = _unit(high, bits)
    return (low / unit).__floor__() * unit, (high / unit).__ceil__() * unit


def _unit(value: Fraction, bits: int) -> Fraction:
    """Return the power of 2 that is about value / 2**bits."""
    size = value.numerator.bit_length() - value.denominator.bit_length()
    return Fraction(2) ** (size - bits)
