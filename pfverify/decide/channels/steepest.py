"""Two inputs of a channel that says at which output their ratio is the largest: it decides alone.

With delta = 0 the bound holds at all outputs if it holds there, and the loss is the logarithm of
that ratio. What a delta bounds is of all outputs. Source: design fact F87.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Comparison, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.excess import by_balls, excess_sign, positive_margin
from pfverify.decide.masses.finite import NO_DECIMAL, TIED_RATIO, NamedOutputs
from pfverify.exact.ball import Ball, Raw, current_precision, precision, rising_sign
from pfverify.exact.expsum import FIRST_BITS, ZERO_TEST_BITS
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, Refined
from pfverify.model.channels.channel import LargestRatio
from pfverify.model.channels.entries import as_number
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_ZERO = Number.of_rational(0)


class SteepestOutput(Comparison):
    """One order of two inputs, by the output at which their ratio is the largest.

    `whole`: the same order by all outputs, held to a target.
    """

    no_witness = NO_DECIMAL

    def __init__(
        self, ratio: LargestRatio, target: Target, whole: Callable[[Target], Comparison]
    ) -> None:
        self.ratio, self.target, self.whole = ratio, target, whole
        self._logs: dict[int, Raw] = {}

    @cached_property
    def equal(self) -> bool:
        """Whether the largest ratio is 1, and so every one: both laws sum to 1."""
        with precision(FIRST_BITS):
            if Ball(self._log()).certain_sign():
                return False
        p, q = map(as_number, self.ratio.masses())
        return p == q or (p - q).sign() == 0

    def settled(self) -> Settled:
        """Decide the target at the one output."""
        return self._settled

    @cached_property
    def _settled(self) -> Settled:
        sign = rising_sign(self._beyond, FIRST_BITS, ZERO_TEST_BITS)
        if sign is None:
            sign = excess_sign(*self.ratio.masses(), self.target, _ZERO)
        if sign == 0 and self.equal:  # which is told as no tie
            sign = -1
        why = TIED_RATIO if sign is None else None
        return Settled(sign, ByRule(NamedOutputs.rule), why, (), self._breach)

    def _log(self) -> Raw:
        """Enclose the logarithm of the ratio, once at each precision."""
        bits = current_precision()
        if bits not in self._logs:
            self._logs[bits] = self.ratio.log()
        return self._logs[bits]

    def _beyond(self) -> Ball:
        return Ball(self._log() - self.target.epsilon.ball().raw)

    def _breach(self) -> Breach | None:
        margin = positive_margin(lambda: self._beyond().raw)
        if margin is None:
            return None
        return Breach(NamedOutputs.ratio_refuted, margin, output=self.ratio.output)

    def loss(self) -> Supremum:
        """Return the logarithm of the ratio."""
        return Supremum(self._loss, lambda: self.ratio.output)

    @cached_property
    def _loss(self) -> Refined:
        return ZERO if self.equal else by_balls(self._log)

    def exceeding(self) -> Refined:
        """Return the divergence, which is of all outputs."""
        return self.whole(self.target).exceeding()

    def against(self, target: Target) -> Comparison:
        """Return the same order held to another target: with a delta by all outputs."""
        if target.bound is Bound.RATIO:
            found = SteepestOutput(self.ratio, target, self.whole)
            if "equal" in vars(self):
                vars(found)["equal"] = self.equal
            return found
        return self.whole(target)

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon, the loss."""
        with precision(FIRST_BITS + grid.bits):
            return Fraction(max(0.0, Ball(self._log()).midpoint()))
