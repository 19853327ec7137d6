"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from pfverify.decide.comparison import Orders
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import NumberMasses
from pfverify.decide.masses.rational import both_orders
from pfverify.laws.masses import ChannelOutputs
from pfverify.model.target import Target


def compared(first: ChannelOutputs, second: ChannelOutputs, target: Target) -> Orders:
    """Return both orders of two laws of the outputs of one channel."""
    one, two, names = first.released, second.released, NamedOutputs(first.channel.outputs)
    if one.weighted is not None and two.weighted is not None:
        return both_orders(one.weighted, two.weighted, names, target)
    return (
        NumberMasses(one.entries, two.entries, names, target),
        NumberMasses(two.entries, one.entries, names, target),
    )
