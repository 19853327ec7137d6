"""The tupling mechanism as a route: the released tuples have exact laws, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.outcome import Enclosure, Witness
from pfverify.decide.rational import excess_margin
from pfverify.decide.targets import targets_of
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import Event, TuplingOrder
from pfverify.errors import InputError, shorten
from pfverify.model.channels.entries import Entry
from pfverify.model.channels.released import released
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import PairOfPriors, Problem
from pfverify.model.target import Target

_PROVED = ByRule("tupling")
_TIED = "the loss may equal epsilon, and the tie is outside the exact classes"


def compared(problem: Problem, item: PairOfPriors) -> Orders:
    """Return both orders of two priors, released through the tupling mechanism of the problem.

    Raises InputError for another channel, for laws that are not rational, and for the pointwise
    form.
    """
    channel = problem.channel
    if not isinstance(channel, Tupling):
        raise InputError("channel.kind: this decision is about tupling")
    laws = TupleLaws(*rational_laws(channel, item), channel.dummies)
    return both_orders(laws, channel.base.outputs, targets_of(problem, item))


def rational_laws(
    channel: Tupling, item: PairOfPriors
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Return what the base releases under both priors, and the law of a dummy.

    Raises InputError where a mass is not rational: sums over tuples are compared as integers.
    """
    laws = []
    for secret, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
        if not isinstance(prior, Finite):
            raise InputError("a channel takes priors over its named inputs, of kind finite")
        where = f"base: what it releases under {shorten(secret, 30)!r}"
        laws.append(_rational(released(channel.base, prior.support), where))
    return laws[0], laws[1], _rational(channel.dummy, "dummy: its law")


def _rational(law: Sequence[Entry], where: str) -> list[Fraction]:
    found = [mass for mass in law if isinstance(mass, Fraction)]
    if len(found) < len(law):
        raise InputError(
            f"channel.{where} has masses that are not rational, which tupling is not decided for; "
            "expected rational entries, or epsilon as the logarithm of a rational"
        )
    return found


def both_orders(
    laws: TupleLaws, names: Sequence[str], targets: tuple[Target, Target]
) -> tuple[TuplingComparison, TuplingComparison]:
    """Return both orders of two laws of tuples, whose value is one of the outputs `names`.

    Raises InputError for the pointwise form.
    """
    first, second = targets
    return (
        TuplingComparison(laws, names, first, reverse=False),
        TuplingComparison(laws, names, second, reverse=True),
    )


class TuplingComparison(Comparison):
    """One order of two laws of tuples: P against Q, with equally many dummies of one law.

    The worst place is an output of the value: the tuple of nothing else (with any dummies, where
    it is none) has the largest ratio.
    Source: distribution-privacy paper, Algorithm 1 and Theorem 3.
    """

    no_witness = "the excess is too small to be written as a decimal"
    refuted = "tupling-refuted"

    def __init__(
        self, laws: TupleLaws, names: Sequence[str], target: Target, *, reverse: bool
    ) -> None:
        if target.notion.exceeding is not Bound.DIVERGENCE:
            raise InputError(
                "form: the pointwise form is not decided for tupling; expected 'events'"
            )
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
        found = self.order.exceeding(None)
        return Settled(found.sign, _PROVED, found.reason)

    def decided(self, digits: int) -> Decision:
        """Decide the target; a witness is the event where the ratio is above a growth."""
        if self.target.bound is Bound.RATIO:
            sign = self.order.value.pure_sign()
            witness = self._ratio_witness() if sign == 1 else None
            delta, reason = None, _TIED if sign is None else None
        else:
            found = self.order.exceeding(digits)
            sign, delta, reason = found.sign, found.amount, found.reason
            witness = None if found.margin is None else _witness(found.event, found.margin)
        return Decision(
            sign=sign,
            loss=self.order.value.loss(digits),
            delta=delta,
            worst=self.worst,
            evidence=_PROVED,
            refuting=self.refuted,
            witness=witness,
            reason=reason,
        )

    def _ratio_witness(self) -> Witness | None:
        """Return the event of all tuples above e**epsilon, or those that are impossible under Q.

        The latter take no sums over tuples, and so any number of dummies.
        """
        order = self.order
        event = order.impossible if order.value.ratio is None else order.events[0]
        margin = excess_margin(event.p, event.q, self.target)
        return None if margin is None else _witness(event, margin)

    def loss(self, digits: int) -> Supremum:
        """Enclose epsilon*, the logarithm of the largest ratio: that of the value alone."""
        return Supremum(self.order.value.loss(digits), self.worst)

    def exceeding(self, digits: int) -> Enclosure:
        """Enclose the hockey-stick divergence at the target's epsilon."""
        return self.order.exceeding(digits).amount

    def known_epsilon(self, digits: int) -> Enclosure:
        """Enclose the least epsilon at the target's delta: the logarithm of a rational, found."""
        if self.target.bound is Bound.RATIO:
            return self.order.value.loss(digits)
        return self.order.least_epsilon(digits)

    def proposed_epsilon(self, loss: Enclosure, digits: int) -> Fraction:
        """Return the upper end of what is known exactly."""
        del loss
        return Fraction(self.known_epsilon(digits).upper)


def _witness(event: Event, margin: str) -> Witness:
    return Witness(margin=margin, growth=event.growth_text)
