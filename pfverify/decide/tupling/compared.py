"""The tupling mechanism as a route: the released tuples have exact laws, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.comparison import Orders
from pfverify.decide.tupling.irrational import BracketedTupling, TupleBounds
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import TuplingComparison
from pfverify.errors import InputError
from pfverify.laws.masses import Tuples
from pfverify.model.channels.entries import Entry, rational
from pfverify.model.notion import Bound
from pfverify.model.target import Target


def compared(first: Tuples, second: Tuples, target: Target) -> Orders:
    """Return both orders of two laws of tuples, of one channel.

    Raises InputError for dummies whose law is not rational.
    """
    return TuplingPair.of(first, second, target).orders(first.channel.dummies)


@dataclass(frozen=True)
class TuplingPair:
    """Two laws of the value over `names`, the law of a dummy, and what both orders are held to."""

    names: Sequence[str]
    first: Sequence[Entry]
    second: Sequence[Entry]
    dummy: Sequence[Fraction]
    target: Target

    @classmethod
    def of(cls, first: Tuples, second: Tuples, target: Target) -> TuplingPair:
        """Return what the base releases under both priors.

        Raises InputError where the dummies' law is not rational.
        """
        channel = first.channel
        dummy = rational(channel.dummy)
        if dummy is None:
            raise InputError(
                "channel.dummy: a mass is not rational, which tupling is not decided for; "
                "expected rational masses"
            )
        return cls(channel.base.outputs, first.released, second.released, dummy, target)

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
