"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from pfverify.decide.channels.steepest import SteepestOutput
from pfverify.decide.comparison import Orders
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import law_orders
from pfverify.laws.masses import ChannelOutputs
from pfverify.model.notion import Bound
from pfverify.model.target import Target


def compared(first: ChannelOutputs, second: ChannelOutputs, target: Target) -> Orders:
    """Return both orders of two laws of the outputs of one channel."""

    def of_all(held: Target) -> Orders:
        names = NamedOutputs(first.channel.outputs)
        return law_orders(first.released, second.released, names, held)

    inputs = [name for law in (first, second) for name in law.prior.support]
    if target.bound is Bound.RATIO and len(inputs) == 2:
        there, back = (first.channel.largest_ratio(*pair) for pair in (inputs, inputs[::-1]))
        if there is not None and back is not None:
            return (
                SteepestOutput(there, target, lambda held: of_all(held)[0]),
                SteepestOutput(back, target, lambda held: of_all(held)[1]),
            )
    return of_all(target)
