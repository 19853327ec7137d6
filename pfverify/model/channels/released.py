"""What a channel releases, given a prior over its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, OutputLaw, Products, over_one_denominator, total
from pfverify.model.channels.weighted import WeightedLaw
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior


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
    whole = [over_one_denominator(row) for _, row in parts]
    rational = [row for row in whole if row is not None]
    if len(rational) == len(parts):
        return _rational_law([mass for mass, _ in parts], rational)
    products = Products()
    columns = zip(*(row for _, row in parts), strict=True)
    return tuple(
        total(products.of(mass, entry) for (mass, _), entry in zip(parts, column, strict=True))
        for column in columns
    )


def output_law(entries: tuple[Entry, ...]) -> OutputLaw:
    """Return masses as a law, with whole weights where all are rational.

    Example: ``output_law((Fraction(1, 2), Fraction(1, 2))).weighted.total`` is ``2``.
    """
    whole = over_one_denominator(entries)
    return OutputLaw(entries, None if whole is None else WeightedLaw.of(*whole))


def law_of(channel: Channel, prior: Prior) -> OutputLaw:
    """Return what a channel releases under a prior, and keep it; InputError for another prior.

    Example: ``law_of(channel, Finite({"a": 1, "b": 0})).entries == channel.row("a")`` is True.
    """
    if not isinstance(prior, Finite):
        raise InputError("a channel takes priors over its named inputs, of kind finite")
    if prior not in channel.laws:
        channel.laws[prior] = output_law(released(channel, prior.support))
    return channel.laws[prior]


def _rational_law(
    masses: Sequence[Fraction], rows: Sequence[tuple[list[int], int]]
) -> tuple[Fraction, ...]:
    """The weighted sum of rows of whole numbers, each over its denominator."""
    weights = [mass / bottom for mass, (_, bottom) in zip(masses, rows, strict=True)]
    whole = lcm(*(weight.denominator for weight in weights))
    tops = [weight.numerator * (whole // weight.denominator) for weight in weights]
    law = [0] * len(rows[0][0])
    for top, (row, _) in zip(tops, rows, strict=True):
        law = [known + top * entry for known, entry in zip(law, row, strict=True)]
    return tuple(Fraction(top, whole) for top in law)
