"""The target of one ordered pair: epsilon, delta and the notion, resolved once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from pfverify.exact.ball import Raw, dyadic, float_near, precision
from pfverify.exact.number import Number
from pfverify.model.notion import EVENTS, Bound, Notion

_ZERO = Number.of_rational(0)
_BITS = 128
_LARGE = 1 << 64


@dataclass(frozen=True)
class Target:
    """What the law under one secret is held to, against the law under another.

    Example: ``Target(Number.of_rational(1), Number.of_rational(0)).bound`` is ``Bound.RATIO``.
    """

    epsilon: Number
    delta: Number
    notion: Notion = EVENTS

    @cached_property
    def bound(self) -> Bound:
        """What a decision is about."""
        return self.notion.bound(self.delta)

    @cached_property
    def sign_of_nothing(self) -> int | None:
        """The sign of 0 - delta: that of the comparison where nothing exceeds e**epsilon."""
        sign = self.delta.sign()
        return None if sign is None else -sign

    @cached_property
    def allows_everything(self) -> bool:
        """Whether delta is 1, which no probability exceeds."""
        if self.delta.fraction is not None:
            return self.delta.fraction == 1
        return (self.delta - Number.of_rational(1)).sign() == 0

    def exp_epsilon(self) -> Raw:
        """Return an enclosure of e**epsilon at the current precision."""
        return self.epsilon.ball().raw.exp()

    @cached_property
    def float_growth(self) -> float | None:
        """A float that is off e**epsilon by at most 2**-52 of it, None where there is none."""
        with precision(_BITS):
            return float_near(self.exp_epsilon())

    @cached_property
    def whole_growth(self) -> tuple[int, int, int] | None:
        """Whole numbers around 2**s e**epsilon, and s; None where e**epsilon is very large."""
        with precision(_BITS):
            growth = self.exp_epsilon()
            if not growth < _LARGE:
                return None
            (low, a), (high, b) = dyadic(growth.lower()), dyadic(growth.upper())
        shift = max(0, -a, -b)
        return low << (a + shift), high << (b + shift), shift

    @cached_property
    def float_delta(self) -> float | None:
        """A float that is off delta by at most 2**-52 of it, None where there is none."""
        with precision(_BITS):
            return float_near(self.delta.ball().raw)

    def at_epsilon(self, epsilon: Fraction) -> Target:
        """Return the target with another epsilon, which is rational."""
        return Target(Number.of_rational(epsilon), self.delta, self.notion)

    def of_events(self) -> Target:
        """Return the same epsilon and delta for every event."""
        return replace(self, notion=EVENTS)

    def of_ratio(self) -> Target:
        """Return the target with delta = 0."""
        return replace(self, delta=_ZERO)
