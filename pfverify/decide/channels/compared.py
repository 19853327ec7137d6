"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from pfverify.decide.comparison import Orders
from pfverify.decide.masses.finite import Named
from pfverify.decide.masses.numbers import NumberMasses
from pfverify.decide.masses.rational import RationalMasses
from pfverify.decide.targets import targets_of
from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry
from pfverify.model.channels.released import released
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question


class Weights:
    """Two laws of rational masses over named outputs, as integers over one total each."""

    def __init__(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> None:
        self.totals = lcm(*(p.denominator for p in first)), lcm(*(q.denominator for q in second))
        self.weights = tuple(
            [mass.numerator * (total // mass.denominator) for mass in law]
            for law, total in zip((first, second), self.totals, strict=True)
        )
        self.equal = list(first) == list(second)


def compared(item: Question) -> Orders:
    """Return both orders of two priors, released through a channel.

    Raises InputError for another release, and for priors that are not over its inputs.
    """
    channel = item.release
    if not isinstance(channel, Channel):
        raise InputError("channel: missing, this decision is about a finite channel")
    laws = [law_of(channel, prior) for prior in item.priors]
    first, second = targets_of(item)
    names, (one, other) = Named(channel.outputs), map(rational, laws)
    if one is not None and other is not None:
        pair = Weights(one, other)
        return (
            RationalMasses(pair, names, first, reverse=False),
            RationalMasses(pair, names, second, reverse=True),
        )
    return (
        NumberMasses(laws[0], laws[1], names, first),
        NumberMasses(laws[1], laws[0], names, second),
    )


def law_of(channel: Channel, prior: Prior) -> tuple[Entry, ...]:
    """Return what a channel releases under a prior over its inputs; InputError for another prior.

    Example: ``law_of(channel, Finite({"a": 1, "b": 0})) == channel.row("a")`` is True.
    """
    if not isinstance(prior, Finite):
        raise InputError("a channel takes priors over its named inputs, of kind finite")
    return released(channel, prior.support)


def rational(law: Sequence[Entry]) -> list[Fraction] | None:
    """Return masses that are all rational; None where one is not.

    Example: ``rational([Fraction(1)])`` is ``[Fraction(1, 1)]``.
    """
    found = [mass for mass in law if isinstance(mass, Fraction)]
    return found if len(found) == len(law) else None
