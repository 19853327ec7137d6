"""Atoms without noise: the value itself is published, and its masses are compared exactly."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.order import BareOrder, Exceeding, Weighed
from pfverify.decide.rational import excess_margin
from pfverify.decide.step import Evidence
from pfverify.decide.targets import targets_of
from pfverify.exact.refined import Refined
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target

_TIED = "the loss may equal epsilon, and the tie is outside the exact classes"


def compared(item: Question) -> Orders:
    """Return both orders of a pair of priors of atoms, released as they are."""
    first, second = item.discrete_priors("only priors of atoms have masses")
    return both_orders(Pair(first, second, item.release.noise), targets_of(item))


def both_orders(pair: Pair, targets: tuple[Target, Target]) -> Orders:
    """Return both orders of a pair without its noise."""
    first, second = targets
    return (
        AtomComparison(pair, first, reverse=False),
        AtomComparison(pair, second, reverse=True),
    )


class MassComparison(Comparison):
    """One order of two laws of rational masses, at places that a subclass names.

    Source: design, section 2 (the definition itself: nothing is released but the outputs).
    """

    no_witness = "the excess is too small to be written as a decimal"
    proved: ClassVar[Evidence]
    ratio_refuted: ClassVar[str]
    mass_refuted: ClassVar[str]
    event_refuted: ClassVar[str]

    def __init__(self, pair: Weighed, target: Target, *, reverse: bool) -> None:
        self.pair, self.target, self.reverse = pair, target, reverse

    @cached_property
    def order(self) -> BareOrder:
        """The masses of this order as integers."""
        return BareOrder(self.pair, self.target, self.reverse)

    @abstractmethod
    def _place(self, index: int) -> Place:
        """The output of this index."""

    @abstractmethod
    def _ties(self) -> tuple[Fraction, ...]:
        """The outputs, where they are numbers, at which the ratio is exactly e**epsilon."""

    @abstractmethod
    def _output(self, index: int, margin: Margin, rule: str) -> Breach:
        """One output as where the target fails."""

    @abstractmethod
    def _event(self, indices: tuple[int, ...], margin: Margin) -> Breach:
        """A set of outputs as where the target fails."""

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.pair.equal

    def settled(self) -> Settled:
        """Decide the target; equal laws meet every one."""
        if self.equal:
            return Settled(-1, self.proved)
        match self.target.bound:
            case Bound.RATIO:
                sign = self.order.pure_sign()
                return Settled(sign, self.proved, _TIED if sign is None else None)
            case Bound.DIVERGENCE if self.target.allows_everything:
                return Settled(-1, self.proved)
            case Bound.DIVERGENCE | Bound.EXCESS:
                found = self._exceeding()
                return Settled(found.sign, self.proved, found.reason)

    def decided(self) -> Decision:
        """Decide the target; it fails at an output, or an event of single atoms."""
        match self.target.bound:
            case Bound.RATIO:
                return self._ratio()
            case Bound.DIVERGENCE:
                return self._exceeded(self._exceeding(), self.order.worst)
            case Bound.EXCESS:
                found = self._exceeding()
                return self._exceeded(found, found.atoms[0])

    def _ratio(self) -> Decision:
        order, sign = self.order, self.order.pure_sign()
        return Decision(
            sign=sign,
            loss=order.loss,
            delta=None,
            worst=self._place(order.worst),
            evidence=self.proved,
            breach=self._ratio_breach() if sign == 1 else None,
            reason=_TIED if sign is None else None,
            ties=self._ties() if sign == 0 else (),
        )

    def _ratio_breach(self) -> Breach | None:
        """Return an output, or an event of one atom (where q = 0)."""
        order = self.order
        if (ratio := order.ratio) is None:
            p, _ = order.masses(order.worst)
            return self._event((order.worst,), p)
        margin = order.pure_margin(ratio)
        return None if margin is None else self._output(order.worst, margin, self.ratio_refuted)

    def _exceeded(self, found: Exceeding, worst: int) -> Decision:
        return Decision(
            sign=found.sign,
            loss=self.order.loss,
            delta=found.amount,
            worst=self._place(worst),
            evidence=self.proved,
            breach=self._excess_breach(found.atoms) if found.sign == 1 else None,
            reason=found.reason,
        )

    def _excess_breach(self, atoms: tuple[int, ...]) -> Breach | None:
        margin = excess_margin(*self.order.of(atoms), self.target)
        if margin is None:
            return None
        if self.target.bound is Bound.DIVERGENCE:
            return self._event(atoms, margin)
        return self._output(atoms[0], margin, self.mass_refuted)

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio of masses."""
        return Supremum(self.order.loss, lambda: self._place(self.order.worst))

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess of one atom, at the target's epsilon."""
        return self._exceeding().amount

    def _exceeding(self) -> Exceeding:
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return self.order.events()
            case Bound.EXCESS:
                return self.order.pointwise()

    def least_epsilon(self) -> Refined:
        """Return the largest log((P(B) - delta)/Q(B)) of finitely many events B."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return self.order.least_epsilon(self.order.by_ratio())
            case Bound.EXCESS:
                return self.order.least_epsilon(self.order.one_by_one())


class AtomComparison(MassComparison):
    """One order of a pair of priors of atoms that are released without noise."""

    proved: ClassVar[Evidence] = ByRule("no-noise")
    ratio_refuted = "pure-refuted"
    mass_refuted = "pointwise-refuted"
    event_refuted = "event-refuted"

    def __init__(self, pair: Pair, target: Target, *, reverse: bool) -> None:
        super().__init__(pair, target, reverse=reverse)
        self.atoms = pair

    def against(self, target: Target) -> AtomComparison:
        """Return the same order of the same pair, held to another target."""
        return AtomComparison(self.atoms, target, reverse=self.reverse)

    def _place(self, index: int) -> Place:
        """The output of this index."""
        return self.atoms.atom(index)

    def _ties(self) -> tuple[Fraction, ...]:
        """The outputs at which the ratio is exactly e**epsilon."""
        return tuple(self.atoms.atom(k) for k in self.order.ties())

    def _output(self, index: int, margin: Margin, rule: str) -> Breach:
        return Breach(rule, margin, y=self.atoms.atom(index))

    def _event(self, indices: tuple[int, ...], margin: Margin) -> Breach:
        places = [self.atoms.atom(k) for k in indices]
        return Breach(self.event_refuted, margin, event=[(y, y) for y in places])
