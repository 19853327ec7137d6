"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from pfverify.decide.comparison import Orders
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import law_orders
from pfverify.laws.masses import ChannelOutputs
from pfverify.model.target import Target


def compared(first: ChannelOutputs, second: ChannelOutputs, target: Target) -> Orders:
    """Return both orders of two laws of the outputs of one channel."""
    names = NamedOutputs(first.channel.outputs)
    return law_orders(first.released, second.released, names, target)
