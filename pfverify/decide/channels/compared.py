"""Finite channels that are written out: the released laws have masses, which are compared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import ClassVar

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.channels.irrational import IrrationalComparison
from pfverify.decide.comparison import Orders
from pfverify.decide.evidence import ByRule
from pfverify.decide.masses.compared import MassComparison
from pfverify.decide.step import Evidence
from pfverify.decide.targets import targets_of
from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry
from pfverify.model.channels.released import released
from pfverify.model.priors.finite import Finite
from pfverify.model.question import Question
from pfverify.model.target import Target


class Outputs:
    """Two laws of rational masses over named outputs, as integers over one total each."""

    def __init__(
        self, names: Sequence[str], first: Sequence[Fraction], second: Sequence[Fraction]
    ) -> None:
        self.names = names
        self.totals = lcm(*(p.denominator for p in first)), lcm(*(q.denominator for q in second))
        self.weights = tuple(
            [mass.numerator * (total // mass.denominator) for mass in law]
            for law, total in zip((first, second), self.totals, strict=True)
        )
        self.equal = list(first) == list(second)


class OutputComparison(MassComparison):
    """One order of two laws of rational masses over named outputs.

    Source: distribution-privacy paper, Definition 8; design fact F11.
    """

    proved: ClassVar[Evidence] = ByRule("channel")
    ratio_refuted = "output-refuted"
    mass_refuted = "mass-refuted"
    event_refuted = "outputs-refuted"

    def __init__(self, pair: Outputs, target: Target, *, reverse: bool) -> None:
        super().__init__(pair, target, reverse=reverse)
        self.names = pair.names
        self._laws = pair

    def against(self, target: Target) -> OutputComparison:
        """Return the same laws in the same order, held to another target."""
        return OutputComparison(self._laws, target, reverse=self.reverse)

    def _place(self, index: int) -> Place:
        return self.names[index]

    def _ties(self) -> tuple[Fraction, ...]:
        return ()  # outputs have names: they are no numbers

    def _output(self, index: int, margin: Margin, rule: str) -> Breach:
        return Breach(rule, margin, output=self.names[index])

    def _event(self, indices: tuple[int, ...], margin: Margin) -> Breach:
        return Breach(self.event_refuted, margin, outputs=[self.names[k] for k in indices])


def compared(item: Question) -> Orders:
    """Return both orders of two priors, released through a channel.

    Raises InputError for another release, and for priors that are not over its inputs.
    """
    channel = item.release
    if not isinstance(channel, Channel):
        raise InputError("channel: missing, this decision is about a finite channel")
    laws = [_law(channel, prior) for prior in (item.first_prior, item.second_prior)]
    first, second = targets_of(item)
    rational = [_rational(law) for law in laws]
    if rational[0] is not None and rational[1] is not None:
        pair = Outputs(channel.outputs, rational[0], rational[1])
        return (
            OutputComparison(pair, first, reverse=False),
            OutputComparison(pair, second, reverse=True),
        )
    return (
        IrrationalComparison(channel.outputs, laws[0], laws[1], first),
        IrrationalComparison(channel.outputs, laws[1], laws[0], second),
    )


def _law(channel: Channel, prior: object) -> tuple[Entry, ...]:
    if not isinstance(prior, Finite):
        raise InputError("a channel takes priors over its named inputs, of kind finite")
    return released(channel, prior.support)


def _rational(law: Sequence[Entry]) -> list[Fraction] | None:
    found = [mass for mass in law if isinstance(mass, Fraction)]
    return found if len(found) == len(law) else None
