"""One order of two laws of tuples, held to a target with any exact epsilon and delta.

For every epsilon the event {P > e**epsilon Q} is one of rational masses: e**epsilon is enclosed so
narrowly that at most one ratio of a tuple lies in the enclosure, and whether e**epsilon is below,
at or above that ratio is decided exactly. The divergence is then P(B) - e**epsilon Q(B).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.masses.order import BareOrder
from pfverify.decide.rational import by_balls, excess_amount, excess_sign
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, PROBABILITY, ZERO, Refined
from pfverify.exact.rising import rising
from pfverify.exact.simplify import simplest_between
from pfverify.model.target import Target

_ZERO = Number.of_rational(0)
_ONE = Fraction(1)
_SPARE_BITS = 32
TIED = "the excess may equal delta, and the tie is outside the exact classes"


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


@dataclass(frozen=True)
class Exceeding(NoTruth, ask="read .sign, which may be None"):
    """What exceeds e**epsilon: its sign against delta, its amount, the event that has it."""

    sign: int | None
    amount: Refined
    event: Event
    reason: str | None = None


class TuplingOrder:
    """One order of two laws of tuples (`reverse`: second over first), and its target.

    `value` is the order of the value alone. Its largest ratio is that of the tuples, whatever the
    number of dummies: a ratio of sums is at most the largest ratio of their terms, and a tuple of
    nothing but one output (with any dummies, where it is none) has the ratio of that output.
    """

    def __init__(self, laws: TupleLaws, target: Target, *, reverse: bool) -> None:
        self.laws, self.target, self.reverse = laws, target, reverse
        self.value = BareOrder(laws, target, reverse)

    def exceeding(self) -> Exceeding:
        """Decide the divergence, the largest P(B) - e**epsilon Q(B)."""
        target, events = self.target, self.events
        signs = [excess_sign(event.p, event.q, target, target.delta) for event in events]
        sign = next((s for s in (1, None, 0, -1) if s in signs), None)
        event = events[signs.index(sign)]
        amount: Refined = PROBABILITY
        if len(events) == 1:
            amount = excess_amount(event.p, event.q, target, sign)
        return Exceeding(sign, amount, event, TIED if sign is None else None)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The event {P > e**epsilon Q}; two candidates where a tie could not be decided."""
        if self.value.pure_sign() in (-1, 0):
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
        """Return the least epsilon >= 0 at which the divergence is at most delta."""
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
