"""Outputs of a finite channel that is written out: masses by name."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, as_number, folded
from pfverify.model.channels.released import released
from pfverify.model.names import unknown_name
from pfverify.model.priors.finite import Finite
from pfverify.oracle.law import AtPrecision, Law, Weight

_NO_ORDER = "y: the outputs of a channel have names and no order; ask for oracle.mass"


class ChannelOutputs(Law[str]):
    """The law of the output of a channel."""

    no_density = "y: a channel puts out names, which have masses; ask for oracle.mass"
    no_mass = None
    no_order = _NO_ORDER

    def __init__(self, prior: Finite, channel: Channel) -> None:
        self.channel = channel
        law = released(channel, prior.support)
        self.masses: dict[str, Entry] = dict(zip(channel.outputs, map(folded, law), strict=True))

    def entry(self, y: str) -> Entry:
        """Return the exact mass of an output; InputError for a name that is none."""
        if y not in self.masses:
            raise InputError(f"y: {unknown_name(y, self.channel.outputs, 'output')}")
        return self.masses[y]

    def at_precision(self) -> _OutputsAtPrecision:
        """Return the masses as balls."""
        return _OutputsAtPrecision(self)

    def known_weight(self, y: str) -> Fraction | None:
        """Return a mass that is rational."""
        found = self.entry(y)
        return found if isinstance(found, Fraction) else None

    def shape(self, y: str) -> ExpSum | None:
        """Return the mass where it is a sum of exponentials."""
        ratio = as_number(self.entry(y)).ratio
        return ratio[0] if ratio is not None and ratio[1] == ExpSum.constant(1) else None

    def weighs(self, y: str, value: Fraction) -> Answer:
        """Say whether the mass is the value."""
        ratio = as_number(self.entry(y)).ratio
        return Answer.UNKNOWN if ratio is None else (ratio[0] - ratio[1].times(value)).is_zero()


class _OutputsAtPrecision(AtPrecision[str]):
    def __init__(self, law: ChannelOutputs) -> None:
        self.law = law

    def weight(self, y: str) -> Weight:
        """Return the mass."""
        return Weight(raw(0), as_number(self.law.entry(y)).ball().raw)

    def below(self, y: str) -> Raw:
        """Refuse: there is no order."""
        raise InputError(_NO_ORDER)
