"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from pfverify.decide.comparison import Orders
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import NumberMasses
from pfverify.decide.masses.rational import both_orders
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.released import law_of
from pfverify.model.question import Question


def compared(item: Question) -> Orders:
    """Return both orders of two priors, released through a channel.

    Raises InputError for another release, and for priors that are not over its inputs.
    """
    channel = item.release
    if not isinstance(channel, Channel):
        raise InputError("channel: missing, this decision is about a finite channel")
    first, second = (law_of(channel, prior) for prior in item.priors)
    names, target = NamedOutputs(channel.outputs), target_of(item)
    if first.weighted is not None and second.weighted is not None:
        return both_orders(first.weighted, second.weighted, names, target)
    return (
        NumberMasses(first.entries, second.entries, names, target),
        NumberMasses(second.entries, first.entries, names, target),
    )
