"""One order of two laws of tuples, held to a target with any exact epsilon and delta.

For every epsilon the event {P > e**epsilon Q} is one of rational masses: e**epsilon is enclosed so
narrowly that at most one ratio of a tuple lies in the enclosure, and whether e**epsilon is below,
at or above that ratio is decided exactly. The divergence is then P(B) - e**epsilon Q(B).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.comparison import Difference, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.excess import (
    by_balls,
    excess_amount,
    excess_margin,
    excess_sign,
    largest_sign,
)
from pfverify.decide.masses.finite import NO_DECIMAL, TIED_EXCESS, NamedOutputs
from pfverify.decide.masses.rational import RationalMasses
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, PROBABILITY, ZERO, Refined
from pfverify.exact.rising import rising
from pfverify.exact.simplify import simplest_between
from pfverify.exact.tokens import is_long
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_ZERO = Number.of_rational(0)
_ONE = Fraction(1)
_SPARE_BITS = 32
_NEAR = 1 << 64  # by what share of it a growth may be larger and simpler
PROVED = ByRule("tupling")


@dataclass(frozen=True)
class Event(NoTruth, ask="read .p and .q"):
    """The tuples with P > growth Q, and their masses; growth None: those with P > 0 = Q."""

    p: Fraction
    q: Fraction
    growth: Fraction | None

    def breach(self, margin: Margin) -> Breach:
        """Return the event as where the target fails."""
        growth: Place = "inf" if self.growth is None else self.growth
        return Breach("tupling-refuted", margin, growth=growth)


class TuplingComparison(Difference):
    """One order of two laws of tuples: P against Q, with equally many dummies of one law.

    `value` is the order of the value alone. Its largest ratio is that of the tuples, whatever the
    number of dummies: a ratio of sums is at most the largest ratio of their terms, and a tuple of
    nothing but one output (with any dummies, where it is none) has the ratio of that output.
    Source: distribution-privacy paper, Algorithm 1 and Theorem 3.
    """

    no_witness, proved = NO_DECIMAL, PROVED

    def __init__(
        self, laws: TupleLaws, names: Sequence[str], target: Target, *, reverse: bool
    ) -> None:
        self.laws, self.names, self.target, self.reverse = laws, names, target, reverse
        ranking = laws.ranking.turned() if reverse else laws.ranking
        self.value = RationalMasses(ranking, NamedOutputs(names), target)

    @property
    def equal(self) -> bool:
        """Whether the value has the same law twice, and so the tuples."""
        return self.laws.equal

    def against(self, target: Target) -> TuplingComparison:
        """Return the same laws in the same order, held to another target."""
        return TuplingComparison(self.laws, self.names, target, reverse=self.reverse)

    def told(self) -> Settled:
        """Decide the target, equal laws too: they may tie."""
        return self.answered()

    @property
    def signs(self) -> Settled:
        """As of the value alone."""
        found = self.value.signs
        return Settled(found.sign, PROVED, found.reason, breach=self._at_ratio)

    @cached_property
    def area(self) -> Settled:
        """The divergence, the largest P(B) - e**epsilon Q(B), against delta."""
        target, events = self.target, self.events
        signs = [excess_sign(event.p, event.q, target, target.delta) for event in events]
        sign = largest_sign(signs)
        event, why = events[signs.index(sign)], TIED_EXCESS if sign is None else None
        return Settled(sign, PROVED, why, breach=lambda: self.breach(event))

    def exceeding(self) -> Refined:
        """Return the hockey-stick divergence at the target's epsilon."""
        if len(self.events) > 1:
            return PROBABILITY
        (event,) = self.events
        return excess_amount(event.p, event.q, self.target, self.area.sign)

    def _at_ratio(self) -> Breach | None:
        # what is impossible under Q takes no sums: any number of dummies
        return self.breach(self.impossible if self.value.unbounded else self.events[0])

    def breach(self, where: Event) -> Breach | None:
        """Return the event where the ratio is above a growth."""
        margin = excess_margin(where.p, where.q, self.target)
        return None if margin is None else self._printable(where).breach(margin)

    def _printable(self, event: Event) -> Event:
        """Return the same event by a growth that can be written down."""
        growth = event.growth
        if growth is None or not is_long(growth):
            return event
        near = simplest_between(growth, growth + growth / _NEAR)
        found = self._event(near)
        if is_long(near) or (found.p, found.q) != (event.p, event.q):
            raise UndecidedError("tupling: the ratio that the event exceeds has over 4300 digits")
        return Event(event.p, event.q, near)

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio: that of the value alone."""
        return self.value.loss()

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The event {P > e**epsilon Q}; two candidates where a tie could not be decided."""
        if self.value.signs.sign in (-1, 0):
            return (Event(Fraction(0), Fraction(0), None),)
        bracket = self._growth()
        if bracket is None:
            return (self.impossible,)
        low, high = bracket
        near = simplest_between(low, high)  # the only ratio of a tuple between them, if any
        if near.denominator > self.laws.finest(reverse=self.reverse):
            return (self._event(near),)
        match excess_sign(near, _ONE, self.target, _ZERO):
            case None:
                return self._event(near), self._event(low)
            case 1:
                return (self._event(low),)
            case _:
                return (self._event(near),)

    @property
    def impossible(self) -> Event:
        """The tuples that are impossible under Q."""
        return Event(self.laws.never(reverse=self.reverse), Fraction(0), None)

    def _event(self, growth: Fraction) -> Event:
        p, q = self.laws.event(growth, reverse=self.reverse)
        return Event(p, q, growth if q else None)

    def _growth(self) -> tuple[Fraction, Fraction] | None:
        """Enclose e**epsilon with at most one ratio of a tuple in between.

        Different ratios are at least 1 over the product of their denominators apart. None where
        e**epsilon is larger than every finite ratio.
        """
        finest = self.laws.finest(reverse=self.reverse)
        most = self.laws.most(reverse=self.reverse).bit_length()
        first = most + 2 * finest.bit_length() + _SPARE_BITS
        for bits in rising(first):
            with precision(bits):
                epsilon = self.target.epsilon.ball().raw
                if epsilon > most:
                    return None
                bracket = fractions_around(epsilon.exp()) if epsilon < most + 1 else None
            if bracket is not None and (bracket[1] - bracket[0]) * finest * finest < 1:
                return bracket
        raise UndecidedError("tupling: e**epsilon is not enclosed narrowly enough")

    def least_epsilon(self) -> Refined:
        """Return the least epsilon at the target's delta: the logarithm of a rational, found."""
        if self.target.bound is Bound.RATIO:
            return self.value.loss().value
        never = self.laws.never(reverse=self.reverse)
        delta = self.target.delta.fraction
        if delta is None:
            match (Number.of_rational(never) - self.target.delta).sign():
                case None:
                    return ANYTHING
                case 0:
                    delta = never
                case 1:
                    return INFINITE
        if delta is None:
            p, q = self.laws.event(_ONE, reverse=self.reverse)
            if (Number.of_rational(p - q) - self.target.delta).sign() in (-1, 0):
                return ZERO
            return by_balls(self._around_least_epsilon)
        growth = self.least_growth(delta)
        if growth is None:
            return INFINITE
        if growth == 1:
            return ZERO
        return by_balls(lambda: raw(growth).log())

    def least_growth(self, delta: Fraction, start: Fraction = _ONE) -> Fraction | None:
        """Return the least growth >= `start` at which the divergence is at most delta, exactly.

        None where there is none. The divergence is convex and piecewise linear in the growth, so
        that Newton's method rises to it in finitely many steps.
        """
        growth = start
        while True:
            p, q = self.laws.event(growth, reverse=self.reverse)
            if p - growth * q <= delta:
                return growth
            if not q:
                return None
            growth = (p - delta) / q

    def _around_least_epsilon(self) -> Raw:
        bounds = fractions_around(self.target.delta.ball().raw)
        low = None if bounds is None else self.least_growth(bounds[1])
        high = None if bounds is None or low is None else self.least_growth(bounds[0], low)
        if low is None or high is None:  # not yet told from what is impossible: no enclosure
            return raw(0).log()
        return raw(low).log().union(raw(high).log())


def fractions_around(value: Raw) -> tuple[Fraction, Fraction] | None:
    """Return the exact ends of a raw ball; None unless they are finite.

    Example: ``fractions_around(raw(3))`` is ``(3, 3)``.
    """
    ends = Ball(value).ends()
    if ends is None:
        return None
    (low, a), (high, b) = ends
    return low * Fraction(2) ** a, high * Fraction(2) ** b
