"""One order of two laws whose Renyi divergence is held to epsilon, whatever normal form they have.

What is said beside it, of the largest ratio and of events, is what the form events says.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import inf

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Settled, Supremum
from pfverify.decide.excess import positive_margin
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.moment import RenyiMoment
from pfverify.decide.step import Evidence, Step
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, raw, rising_sign
from pfverify.exact.expsum import FIRST_BITS, ZERO_TEST_BITS, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, ZERO, ByBalls, Refined, exactly, rising_balls
from pfverify.model.notion import Bound, Renyi
from pfverify.model.target import Target

_PASS_BITS = 8
_SPARED = 1 - Fraction(1, 1 << 40)  # of a margin


class WorkedOut(Evidence):
    """The rule of the kernel, which works the divergence out: a first look needs fewer bits."""

    rule = "renyi"

    def step(self, bits: int) -> Step:
        """Return the rule and its precision."""
        return {"rule": self.rule, "bits": bits // 2}


PROVED = WorkedOut()


class Diverging(Comparison):
    """One order whose divergences are bounded: `at` has their numbers, by the order.

    `pure` is the same order held to the same epsilon in the form events.
    """

    def __init__(self, pure: Comparison, at: AtOrder, target: Target) -> None:
        self.pure, self.at, self.target = pure, at, target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pure.equal

    def loss(self) -> Supremum:
        """Return the divergence of infinite order, the supremum of log p/q."""
        return self.pure.loss()

    def exceeding(self) -> Refined:
        """Return the hockey-stick divergence at the target's epsilon, which nothing bounds."""
        return self.pure.exceeding()


class RenyiComparison(Diverging):
    """One order held to a bound of the divergence of one order.

    Source: design fact F90.
    """

    no_witness = "the divergence is above epsilon, but no margin > 0 is proved"

    @cached_property
    def moment(self) -> RenyiMoment:
        """The number of the divergence that is bounded."""
        return self.at(order_of(self.target))

    def against(self, target: Target) -> Comparison:
        """Return the same laws, held to another epsilon, or in the form events."""
        if target.bound is not Bound.RENYI:
            return self.pure.against(target)
        if target.notion != self.target.notion:
            raise RuntimeError("a divergence of another order is another number")
        return RenyiComparison(self.pure.against(of_events(target)), self.at, target)

    def settled(self) -> Settled:
        """Decide the target; InputError of order 1."""
        check_decided(self.moment.order)
        why = None if self.sign is not None else self.why
        return Settled(self.sign, PROVED, why, breach=self._breach)

    @property
    def why(self) -> str:
        """Why it may be undecided."""
        return self.moment.why

    @cached_property
    def sign(self) -> int | None:
        """The sign of the divergence less epsilon."""
        if self.equal:
            sign = self.target.epsilon.sign()
            return None if sign is None else -sign
        if self.moment.infinite is not False:
            return 1 if self.moment.infinite else None
        sign = rising_sign(self._over, FIRST_BITS, ZERO_TEST_BITS)
        if sign is not None:
            return sign
        formal, exact = self._grown.formal, self.moment.exact()
        if formal is not None and exact is not None:
            top, bottom = exact
            return (top - bottom * ExpSum.power(formal)).sign()
        return rising_sign(self._over, 2 * ZERO_TEST_BITS, self.moment.most_bits)

    @property
    def _grown(self) -> Number:
        """(order - 1) epsilon."""
        return self.target.epsilon * Number.of_rational(self.moment.order - 1)

    def _over(self) -> Ball:
        return Ball(self.moment.divergence_ball() - self.target.epsilon.ball().raw)

    def _breach(self) -> Breach | None:
        if self.moment.infinite:
            return Breach("renyi-refuted", inf)
        margin = positive_margin(lambda: self._over().raw, last=self.moment.most_bits)
        # strictly less, as no enclosure proves a margin that is met exactly
        return None if margin is None else Breach("renyi-refuted", margin * raw(_SPARED))

    def divergence(self) -> Refined:
        """Return the divergence."""
        if self.equal:
            return ZERO
        if self.moment.infinite is not False:
            return INFINITE if self.moment.infinite else ANYTHING
        measured = self.moment.order == 1  # nothing is compared
        if not measured and self.sign == 0 and self.target.epsilon.fraction is not None:
            return exactly(self.target.epsilon.fraction)
        balls = rising_balls(self.moment.divergence_ball, _PASS_BITS, self.moment.most_bits)
        return ByBalls(balls)

    def least_epsilon(self) -> Refined:
        """Return the divergence."""
        return self.divergence()


def check_decided(order: Fraction) -> None:
    """Raise InputError of order 1, which is measured and not compared with epsilon."""
    if order == 1:
        raise InputError("order: 1 in loss only, expected a rational number above 1")


def order_of(target: Target) -> Fraction:
    """Return the order of the divergence that a target bounds; RuntimeError for another form."""
    if not isinstance(target.notion, Renyi):
        raise RuntimeError(f"the form {target.notion.text} has no order")
    return target.notion.order


def of_events(target: Target) -> Target:
    """Return the same epsilon in the form events, with delta = 0."""
    return target.of_events().of_ratio()
