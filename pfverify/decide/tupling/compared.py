"""The tupling mechanism as a route: the released tuples have exact laws, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.rational import excess_margin
from pfverify.decide.targets import targets_of
from pfverify.decide.tupling.irrational import IrrationalTupling, TupleBounds
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import Event, TuplingOrder
from pfverify.errors import InputError
from pfverify.exact.refined import Refined
from pfverify.model.channels.entries import Entry
from pfverify.model.channels.released import released
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.question import Question
from pfverify.model.target import Target

_PROVED = ByRule("tupling")
_TIED = "the loss may equal epsilon, and the tie is outside the exact classes"


def compared(item: Question) -> Orders:
    """Return both orders of two priors, released through a tupling mechanism.

    Raises InputError for another channel, and for dummies whose law is not rational.
    """
    channel = item.release
    if not isinstance(channel, Tupling):
        raise InputError("channel.kind: this decision is about tupling")
    pair = TuplingPair.of(channel, item, targets_of(item))
    return pair.orders(channel.dummies)


@dataclass(frozen=True)
class TuplingPair:
    """Two laws of the value over `names`, the law of a dummy, and what both orders are held to."""

    names: Sequence[str]
    first: Sequence[Entry]
    second: Sequence[Entry]
    dummy: Sequence[Fraction]
    targets: tuple[Target, Target]

    @classmethod
    def of(
        cls, channel: Tupling, item: Question, targets: tuple[Target, Target]
    ) -> TuplingPair:
        """Return what the base releases under both priors.

        Raises InputError where the dummies' law is not rational.
        """
        laws = []
        for prior in (item.first_prior, item.second_prior):
            if not isinstance(prior, Finite):
                raise InputError("a channel takes priors over its named inputs, of kind finite")
            laws.append(released(channel.base, prior.support))
        dummy = _rational(channel.dummy)
        if dummy is None:
            raise InputError(
                "channel.dummy: a mass is not rational, which tupling is not decided for; "
                "expected rational masses"
            )
        return cls(channel.base.outputs, laws[0], laws[1], dummy, targets)

    def orders(self, dummies: int) -> Orders:
        """Return both orders with so many dummies.

        Raises InputError for the pointwise form.
        """
        if any(target.notion.exceeding is not Bound.DIVERGENCE for target in self.targets):
            raise InputError(
                "form: the pointwise form is not decided for tupling; expected 'events'"
            )
        one, two = self.targets
        first, second = _rational(self.first), _rational(self.second)
        if first is None or second is None:
            pair = TupleBounds(self.first, self.second, self.dummy, dummies)
            return (
                IrrationalTupling(pair, self.names, one, reverse=False),
                IrrationalTupling(pair, self.names, two, reverse=True),
            )
        laws = TupleLaws(first, second, self.dummy, dummies)
        return (
            TuplingComparison(laws, self.names, one, reverse=False),
            TuplingComparison(laws, self.names, two, reverse=True),
        )


def _rational(law: Sequence[Entry]) -> list[Fraction] | None:
    found = [mass for mass in law if isinstance(mass, Fraction)]
    return found if len(found) == len(law) else None


class TuplingComparison(Comparison):
    """One order of two laws of tuples: P against Q, with equally many dummies of one law.

    The worst place is an output of the value: the tuple of nothing else (with any dummies, where
    it is none) has the largest ratio.
    Source: distribution-privacy paper, Algorithm 1 and Theorem 3.
    """

    no_witness = "the excess is too small to be written as a decimal"

    def __init__(
        self, laws: TupleLaws, names: Sequence[str], target: Target, *, reverse: bool
    ) -> None:
        self.laws, self.names, self.target, self.reverse = laws, names, target, reverse
        self.order = TuplingOrder(laws, target, reverse=reverse)

    @property
    def equal(self) -> bool:
        """Whether the value has the same law twice, and so the tuples."""
        return self.laws.equal

    @property
    def worst(self) -> str:
        """The output of which the tuple of nothing else has the largest ratio."""
        return self.names[self.order.value.worst]

    def against(self, target: Target) -> TuplingComparison:
        """Return the same laws in the same order, held to another target."""
        return TuplingComparison(self.laws, self.names, target, reverse=self.reverse)

    def settled(self) -> Settled:
        """Decide the target; equal laws meet every one."""
        if self.equal or self.target.allows_everything:
            return Settled(-1, _PROVED)
        if self.target.bound is Bound.RATIO:
            sign = self.order.value.pure_sign()
            return Settled(sign, _PROVED, _TIED if sign is None else None)
        found = self.order.exceeding()
        return Settled(found.sign, _PROVED, found.reason)

    def decided(self) -> Decision:
        """Decide the target; it fails in the event where the ratio is above a growth."""
        order, delta, event = self.order, None, None
        if self.target.bound is Bound.RATIO:
            sign = order.value.pure_sign()
            reason = _TIED if sign is None else None
            if sign == 1:  # what is impossible under Q takes no sums: any number of dummies
                event = order.impossible if order.value.ratio is None else order.events[0]
        else:
            found = order.exceeding()
            sign, delta, reason, event = found.sign, found.amount, found.reason, found.event
        return Decision(
            sign=sign,
            loss=order.value.loss,
            delta=delta,
            worst=self.worst,
            evidence=_PROVED,
            breach=self._breach(event) if sign == 1 and event is not None else None,
            reason=reason,
        )

    def _breach(self, event: Event) -> Breach | None:
        margin = excess_margin(event.p, event.q, self.target)
        return None if margin is None else event.breach(margin)

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio: that of the value alone."""
        return Supremum(self.order.value.loss, lambda: self.worst)

    def exceeding(self) -> Refined:
        """Return the hockey-stick divergence at the target's epsilon."""
        return self.order.exceeding().amount

    def least_epsilon(self) -> Refined:
        """Return the least epsilon at the target's delta: the logarithm of a rational, found."""
        if self.target.bound is Bound.RATIO:
            return self.order.value.loss
        return self.order.least_epsilon()
