"""One comparison of two laws over finitely many outputs, whatever numbers their masses are.

Every quantity is about the masses p = P(y), q = Q(y) of the outputs y: epsilon* is the logarithm of
the largest p/q (infinite where q = 0 < p); the hockey-stick divergence is P(B) - e**epsilon Q(B)
with B the outputs where p > e**epsilon q. Balls decide first, ties go to an exact zero test.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.comparison import Difference, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.excess import (
    by_balls,
    clear_sign,
    excess_amount,
    excess_margin,
    excess_sign,
    gap,
    largest_sign,
    positive_margin,
)
from pfverify.decide.step import Evidence
from pfverify.exact.ball import Ball, Raw, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS
from pfverify.exact.refined import INFINITE, ZERO, Refined
from pfverify.model.channels.entries import Entry, ball_of, sign_of
from pfverify.model.notion import Bound

NO_DECIMAL = "the excess is too small to be written as a decimal"
TIED_RATIO = "the loss may equal epsilon, and the tie is outside the exact classes"
TIED_EXCESS = "the excess may equal delta, and the tie is outside the exact classes"


class Outputs(ABC):
    """What outputs are called, and the rules by which the kernel sees a target fail at them."""

    rule: ClassVar[str]
    ratio_refuted: ClassVar[str]
    mass_refuted: ClassVar[str]

    @abstractmethod
    def place(self, index: int) -> Place:
        """Return an output."""

    @abstractmethod
    def one(self, rule: str, margin: Margin, index: int) -> Breach:
        """Return one output as where the target fails."""

    @abstractmethod
    def event(self, margin: Margin, indices: Sequence[int]) -> Breach:
        """Return a set of outputs as where the target fails."""


@dataclass(frozen=True)
class NamedOutputs(Outputs):
    """Outputs that have names."""

    rule = "channel"
    ratio_refuted, mass_refuted = "output-refuted", "mass-refuted"
    names: Sequence[str]

    def place(self, index: int) -> Place:
        """Return an output."""
        return self.names[index]

    def one(self, rule: str, margin: Margin, index: int) -> Breach:
        """Return one output as where the target fails."""
        return Breach(rule, margin, output=self.names[index])

    def event(self, margin: Margin, indices: Sequence[int]) -> Breach:
        """Return a set of outputs as where the target fails."""
        return Breach("outputs-refuted", margin, outputs=[self.names[k] for k in indices])


Indices = tuple[int, ...]


class MassComparison(Difference):
    """One order of two laws of masses of one number type, which a subclass knows.

    `tied` is said where an excess may tie; `names_excess`: whether a verdict names the output that
    exceeds most, not that of the largest ratio.
    Source: design facts F3 and F11; distribution-privacy paper, Definition 8.
    """

    no_witness = NO_DECIMAL
    tied: ClassVar[str]
    names_excess: ClassVar[bool]
    outputs: Outputs

    @property
    def proved(self) -> Evidence:
        """The rule of the kernel for these outputs: it needs nothing else."""
        return ByRule(self.outputs.rule)

    # ---------------------------------------------------------------- the number type

    @abstractmethod
    def masses(self, index: int) -> tuple[Entry, Entry]:
        """Return P and Q of one output."""

    @abstractmethod
    def of(self, indices: Iterable[int]) -> tuple[Entry, Entry]:
        """Return P and Q of a set of outputs."""

    @property
    @abstractmethod
    def worst(self) -> int:
        """The output with the largest ratio p/q, or about that; only its name is told."""

    @property
    @abstractmethod
    def unbounded(self) -> bool:
        """Whether an output has q = 0 < p."""

    @property
    @abstractmethod
    def steepest(self) -> Sequence[int]:
        """The outputs of which the ratio may be the largest, where all are finite."""

    @abstractmethod
    def ratio_ball(self, index: int) -> Raw:
        """Enclose the ratio p/q of an output with q > 0."""

    @property
    @abstractmethod
    def positive(self) -> Indices:
        """The outputs with p > e**epsilon q."""

    @property
    @abstractmethod
    def unknown(self) -> Indices:
        """The outputs of which it cannot be decided whether p > e**epsilon q."""

    @property
    def above(self) -> tuple[Entry, Entry]:
        """P and Q of the outputs with p > e**epsilon q."""
        return self.of(self.positive)

    @property
    @abstractmethod
    def largest(self) -> Sequence[int]:
        """The outputs of which p - e**epsilon q may be the largest."""

    # ---------------------------------------------------------------- what follows

    @cached_property
    def area(self) -> Settled:
        """The divergence, or the largest excess of one output, against delta."""
        worst: Place | None = None
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                sign = clear_sign(*self.above, self.target) or excess_sign(
                    *self.above, self.target, self.target.delta
                )
                if self.unknown and sign != 1:  # each may add a little more
                    sign = rising_sign(self._above_delta, FIRST_BITS, CAP_BITS)
                    sign = -1 if sign == -1 else None
                where = self.positive if sign == 1 else ()
            case Bound.EXCESS:
                delta = self.target.delta
                signs = [excess_sign(*self.masses(k), self.target, delta) for k in self.largest]
                sign = largest_sign(signs)
                where = (self.largest[signs.index(sign)],)
                worst = self.outputs.place(where[0]) if self.names_excess else None
        why = self.tied if sign is None else None
        return Settled(sign, self.proved, why, (), lambda: self.breach(where), worst=worst)

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess of one output, at the target's epsilon."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                if self.unknown:
                    return by_balls(self._divergence, Fraction(1))
                p, q = self.above
                if p == q:  # there are none: p > e**epsilon q >= q of any
                    return ZERO
            case Bound.EXCESS:
                above = self.signs.sign
                if above in (-1, 0):
                    return ZERO
                if above is None or len(self.largest) > 1:
                    return by_balls(self._largest_excess, Fraction(1))
                p, q = self.of(self.largest)
        sign = None
        if isinstance(p, Fraction):  # where floats tell that it is not delta, no more is asked
            clear = self.target.notion.exceeding is Bound.DIVERGENCE and clear_sign(
                p, q, self.target
            )
            sign = clear or self.area.sign
        return excess_amount(p, q, self.target, sign)

    def _above_delta(self) -> Ball:
        return Ball(self._divergence() - self.target.delta.ball().raw)

    def _divergence(self) -> Raw:
        """Enclose the sum of the positive p - e**epsilon q."""
        growth = self.target.exp_epsilon()
        found = gap(*self.above, growth)
        for k in self.unknown:
            found += gap(*self.masses(k), growth).nonnegative_part()
        return found

    def _largest_excess(self) -> Raw:
        """Enclose the largest p - e**epsilon q of one output."""
        growth, best = self.target.exp_epsilon(), raw(0)
        for k in self.largest:
            best = best.max(gap(*self.masses(k), growth))
        return best

    def breach(self, where: Indices) -> Breach | None:
        """Return an output, or an event; of one output where q = 0."""
        p, q = self.of(where)
        match self.target.bound:
            case Bound.RATIO if sign_of(q) == 0:
                margin = p if isinstance(p, Fraction) else positive_margin(lambda: ball_of(p))
                return None if margin is None else self.outputs.event(margin, where)
            case Bound.RATIO:
                margin = positive_margin(
                    lambda: self.ratio_ball(where[0]).log() - self.target.epsilon.ball().raw
                )
                rule = self.outputs.ratio_refuted
            case Bound.DIVERGENCE:
                margin = excess_margin(p, q, self.target)
                return None if margin is None else self.outputs.event(margin, where)
            case Bound.EXCESS:
                margin, rule = excess_margin(p, q, self.target), self.outputs.mass_refuted
        return None if margin is None else self.outputs.one(rule, margin, where[0])

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio of masses."""
        return Supremum(self._loss(), lambda: self.outputs.place(self.worst))

    def _loss(self) -> Refined:
        if self.unbounded:
            return INFINITE
        return ZERO if self.equal else by_balls(self._log_ratio)

    def _log_ratio(self) -> Raw:
        first, *others = (self.ratio_ball(k) for k in self.steepest)
        for ratio in others:
            first = first.max(ratio)
        return first.log()
