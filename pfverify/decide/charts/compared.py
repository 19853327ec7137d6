"""Normal laws, their mixtures with atoms, and normal noise: compared by sign charts.

So are steps after Gaussian noise, or after Laplace noise on normal laws.
Source: design facts F5 to F8, F45 and F46.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach, Place
from pfverify.decide.charts.delta import divergence_of
from pfverify.decide.charts.order import OneOrder, Proof, orders_of
from pfverify.decide.charts.proposed_epsilon import proposed_epsilon
from pfverify.decide.charts.supremum import largest_excess, largest_loss
from pfverify.decide.charts.witness import event_breach, point_breach
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.step import Evidence
from pfverify.exact.ball import Ball, precision, rising_sign
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import Refined
from pfverify.laws.law import NormalForm
from pfverify.model.notion import Bound
from pfverify.model.target import Target

_FIRST_BITS = 128
_READABLE = Grid(12)  # of a place
# the rule by which one output refutes a bound on every output
_REFUTED = {Bound.RATIO: "pure-refuted", Bound.EXCESS: "pointwise-refuted"}


def compared(first: NormalForm, second: NormalForm, target: Target) -> Orders:
    """Return both orders of two laws; TypeError as `orders_of`."""
    return both(*orders_of(first, second, target))


def both(first: OneOrder, second: OneOrder) -> Orders:
    """Return two orders as comparisons."""
    return ChartComparison(first), ChartComparison(second)


class ChartComparison(Difference):
    """One order of a pair of mixtures of normal laws and atoms.

    Source: design facts F5 to F8; definition: Gaussian-priors paper, Definition 1.
    """

    no_witness = "no witness with a positive margin was found"

    def __init__(self, order: OneOrder) -> None:
        self.order, self.target = order, order.target

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.order.equal

    def against(self, target: Target) -> ChartComparison:
        """Return the same order of the same pair, held to another target."""
        return ChartComparison(self.order.against(target))

    always_met = False  # equal laws are decided as others are: they may tie
    proved = Proof("equal")

    @property
    def signs(self) -> Settled:
        """The sign by the chart, or the coupling, that proves it."""
        return self._failing(self.order.pure_sign(self.target))

    @property
    def area(self) -> Settled:
        """The sign of the divergence, less delta; of densities that of the largest excess."""
        if self.target.bound is Bound.EXCESS:
            return self.signs
        return self._failing(self.order.events())

    def _failing(self, found: Settled) -> Settled:
        return replace(found, breach=lambda: self.breach(found.evidence))

    def breach(self, proof: Evidence | None) -> Breach | None:
        """Return where a refuted target fails: an event, or an output."""
        if not isinstance(proof, Proof) or proof.chart is None:
            return None
        if self._needs_event:
            return event_breach(self.order, proof.chart, proof.bits)
        starts = [start for start in (self.largest.where, proof.y) if isinstance(start, Fraction)]
        rule = _REFUTED[self.target.bound]
        breaches = (point_breach(self.order, start, rule) for start in starts)
        return next((breach for breach in breaches if breach is not None), None)

    @property
    def _needs_event(self) -> bool:
        """Whether no density at an output shows what fails.

        That is so of atoms that no noise smooths, and where Q has no density.
        """
        order = self.order
        if self.target.bound is Bound.DIVERGENCE or not order.plain:
            return True
        if not order.release.bare:
            return False
        with precision(_FIRST_BITS):
            atom = order.measured(order.target).worst_atom()
        return atom is not None or not any(part.variance for part in order.q)

    def loss(self) -> Supremum:
        """Return epsilon*; infinite where normal noise, or none, leaves the ratio unbounded."""
        top = self.largest
        return Supremum(top.value, lambda: _shortened(top.where))

    @cached_property
    def largest(self) -> Supremum:
        """epsilon*, with where it is in full."""
        return largest_loss(self.order)

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess, at the target's epsilon."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return divergence_of(self.order)
            case Bound.EXCESS:
                return largest_excess(self.order).value

    def alone_sign(self) -> int | None:
        """Return the sign of what P has and Q has not, less delta.

        That is what lies outside the support of Q without noise, or the published number where
        there is no row under Q.
        """
        if self.order.p and not self.order.q:
            return rising_sign(self._shown, _FIRST_BITS, CAP_BITS)
        mass = sum(part.weight for part in self.order.alone)
        return (Number.of_rational(mass) - self.target.delta).sign() if mass else -1

    def _shown(self) -> Ball:
        return Ball(self.order.shown() - self.target.delta.ball().raw)

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon, by Newton's iteration."""
        return proposed_epsilon(self.order, grid)


def _shortened(where: Place) -> Place:
    """Return a place rounded to a decimal that people can read; names of outputs stay."""
    if isinstance(where, str) or where == 0:
        return where
    return _READABLE.nearest(where)
