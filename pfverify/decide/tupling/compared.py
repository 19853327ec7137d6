"""The tupling mechanism as a route: the released tuples have exact laws, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.comparison import Orders
from pfverify.decide.targets import target_of
from pfverify.decide.tupling.irrational import BracketedTupling, TupleBounds
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import TuplingComparison
from pfverify.errors import InputError
from pfverify.model.channels.entries import Entry, rational
from pfverify.model.channels.released import law_of
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target


def compared(item: Question) -> Orders:
    """Return both orders of two priors, released through a tupling mechanism.

    Raises InputError for another channel, and for dummies whose law is not rational.
    """
    channel = item.release
    if not isinstance(channel, Tupling):
        raise InputError("channel.kind: this decision is about tupling")
    pair = TuplingPair.of(channel, item, target_of(item))
    return pair.orders(channel.dummies)


@dataclass(frozen=True)
class TuplingPair:
    """Two laws of the value over `names`, the law of a dummy, and what both orders are held to."""

    names: Sequence[str]
    first: Sequence[Entry]
    second: Sequence[Entry]
    dummy: Sequence[Fraction]
    target: Target

    @classmethod
    def of(cls, channel: Tupling, item: Question, target: Target) -> TuplingPair:
        """Return what the base releases under both priors.

        Raises InputError where the dummies' law is not rational.
        """
        first, second = (law_of(channel.base, prior).entries for prior in item.priors)
        dummy = rational(channel.dummy)
        if dummy is None:
            raise InputError(
                "channel.dummy: a mass is not rational, which tupling is not decided for; "
                "expected rational masses"
            )
        return cls(channel.base.outputs, first, second, dummy, target)

    def orders(self, dummies: int) -> Orders:
        """Return both orders with so many dummies.

        Raises InputError for the pointwise form.
        """
        if self.target.notion.exceeding is not Bound.DIVERGENCE:
            raise InputError(
                "form: the pointwise form is not decided for tupling; expected 'events'"
            )
        first, second = rational(self.first), rational(self.second)
        if first is None or second is None:
            pair = TupleBounds(self.first, self.second, self.dummy, dummies)
            return (
                BracketedTupling(pair, self.names, self.target, reverse=False),
                BracketedTupling(pair, self.names, self.target, reverse=True),
            )
        laws = TupleLaws(first, second, self.dummy, dummies)
        return (
            TuplingComparison(laws, self.names, self.target, reverse=False),
            TuplingComparison(laws, self.names, self.target, reverse=True),
        )
