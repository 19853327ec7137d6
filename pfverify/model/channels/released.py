"""What a channel releases, given a prior over its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, product, total


def released(channel: Channel, masses: Mapping[str, Fraction]) -> tuple[Entry, ...]:
    """Return the law A#lambda of the outputs, exact: the mass of each, in the channel's order.

    `masses`: input -> mass, summing to 1; rational masses are Fractions.
    Raises InputError for a channel that is not written out; KeyError for an unknown input.
    Example: ``released(channel, {"a": Fraction(1)}) == channel.row("a")`` is True.
    Source: distribution-privacy paper, section 2.1 (lifting).
    """
    parts = [(mass, channel.row(name)) for name, mass in masses.items() if mass]
    if len(parts) == 1 and parts[0][0] == 1:
        return parts[0][1]
    return tuple(
        total(product(mass, row[k]) for mass, row in parts) for k in range(len(channel.outputs))
    )
