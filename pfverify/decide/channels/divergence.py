"""Two laws of rational masses over the same outputs: how far apart they are, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import rational
from pfverify.model.channels.released import released
from pfverify.model.names import unknown_name

Law = Sequence[Fraction]


def rational_release(channel: Channel, masses: Mapping[str, Fraction]) -> list[Fraction]:
    """Return the law of the outputs as fractions.

    Raises InputError for a channel with other entries, or none that are written out, and for an
    input that the channel does not have.
    """
    for name in masses:
        if name not in channel.inputs:
            raise InputError(unknown_name(name, channel.inputs, "input"))
    found = rational(released(channel, masses))
    if found is None:
        raise InputError(f"channel: the entries of {channel!r} are not all rational")
    return found


def excess(p: Law, q: Law, growth: Fraction | None) -> tuple[Fraction, tuple[int, ...]]:
    """Return the largest P(B) - growth Q(B) over all events B, and the B that has it.

    `growth` stands for e**epsilon >= 0; None for a ratio above every finite one.
    Example: ``excess([Fraction(1), Fraction(0)], [Fraction(1, 2)] * 2, Fraction(1))`` is
    ``(1/2, (0,))``.
    Source: hockey-stick divergence; distribution-privacy paper, Definition 8.
    """
    if growth is None:
        worst = tuple(k for k, (a, b) in enumerate(zip(p, q, strict=True)) if a and not b)
        return sum((p[k] for k in worst), Fraction(0)), worst
    if growth < 0:
        raise InputError(f"growth: {shorten(growth)}, expected a number >= 0")
    gaps = [a - growth * b for a, b in zip(p, q, strict=True)]
    worst = tuple(k for k, gap in enumerate(gaps) if gap > 0)
    return sum((gaps[k] for k in worst), Fraction(0)), worst


def largest_ratio(p: Law, q: Law) -> Fraction | None:
    """Return the largest p/q of one output, which is e**epsilon*; None where it is infinite.

    Example: ``largest_ratio([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)])`` is 2.
    """
    if any(a and not b for a, b in zip(p, q, strict=True)):
        return None
    return max(a / b for a, b in zip(p, q, strict=True) if b)
