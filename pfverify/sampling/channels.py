"""Outputs of finite channels, drawn exactly from the row of an input."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import CHANNELS, Channel
from pfverify.model.channels.entries import Entry, as_number, over_one_denominator
from pfverify.model.channels.tupling import Tupling
from pfverify.model.releases.merged import MergedOutputs
from pfverify.sampling.bits import Bits
from pfverify.sampling.coins import interval, scaled

Output = str | tuple[str, ...]
"""The name of an output; of tuples with dummies the names in their places."""
Draw = Callable[[Bits], Output]


def sampler(channel: Channel, name: str) -> Draw:
    """Return what draws from the law of the outputs given an input.

    Raises InputError for a kind of channel without a sampler, and for a name that is no input,
    which the message does not repeat: it may be secret.
    Example: ``sampler(channel, "a")(Bits()) in channel.outputs`` is True.
    """
    if type(channel) not in SAMPLERS:
        raise InputError(f"channel.kind: {channel.kind} has no exact sampler here")
    if name not in channel.inputs:
        known = shorten(", ".join(channel.inputs), 60)
        raise InputError(f"value: it is no input of the channel, expected one of {known}")
    return SAMPLERS[type(channel)](channel, name)


def _from_row(channel: Channel, name: str) -> Draw:
    """Draws from the row that is written out for an input: the one that was decided."""
    row = channel.row(name)
    return lambda bits: channel.outputs[place(row, bits)]


def _among_dummies(channel: Channel, name: str) -> Draw:
    """Draws the base's output at a random place among independent dummies."""
    if not isinstance(channel, Tupling):
        raise TypeError(f"{channel.kind} has no dummies")
    base, dummy, count = channel.base, channel.dummy, channel.dummies
    row = base.row(name)

    def draw(bits: Bits) -> Output:
        found = [base.outputs[place(dummy, bits)] for _ in range(count)]
        found.insert(bits.below(count + 1), base.outputs[place(row, bits)])
        return tuple(found)

    return draw


SAMPLERS: dict[type[Channel], Callable[[Channel, str], Draw]] = {
    **{kind: _from_row for kind in CHANNELS.values() if kind.written_out},
    MergedOutputs: _from_row,
    Tupling: _among_dummies,
}
"""Kind -> what makes the sampler of an input; a kind without a row is refused by name."""


def place(masses: Sequence[Entry], bits: Bits) -> int:
    """Return k with chance masses[k], exactly; they are >= 0 and sum to exactly 1.

    Fractions become whole numbers over one denominator; of other numbers the enclosures at rising
    precision are compared with random bits.
    Example: ``place([Fraction(0), Fraction(1)], Bits())`` is 1.
    """
    whole = over_one_denominator(masses)
    if whole is not None:
        weights, total = whole
        return bisect_right(list(accumulate(weights)), bits.below(total))
    numbers = [as_number(mass) for mass in masses[:-1]]  # the last threshold is 1: U is below it

    def bounds(count: int) -> tuple[list[int], list[int]]:
        extra = len(numbers).bit_length()
        ends = [scaled(number.ball, count + extra) for number in numbers]
        lows, highs = accumulate(low for low, _ in ends), accumulate(high for _, high in ends)
        return [low >> extra for low in lows], [-(-high >> extra) for high in highs]

    return interval(bounds, bits)
