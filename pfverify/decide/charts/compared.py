"""Normal laws, their mixtures with atoms, and normal noise: compared by sign charts."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.breach import Breach, Place
from pfverify.decide.charts.bare import needs_event, singular_mass
from pfverify.decide.charts.delta import divergence_of
from pfverify.decide.charts.order import OneOrder, PureSign, SmoothEvents, SmoothQuestion
from pfverify.decide.charts.proposed_epsilon import proposed_epsilon
from pfverify.decide.charts.supremum import largest_excess, largest_loss
from pfverify.decide.charts.witness import event_breach, point_breach
from pfverify.decide.comparison import Comparison, Decision, Orders, Settled, Supremum
from pfverify.decide.least_epsilon import searched
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ANYTHING, INFINITE, Refined
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target

_READABLE = Grid(12)  # of a place
# the rule by which one output refutes a bound on every output
_REFUTED = {Bound.RATIO: "pure-refuted", Bound.EXCESS: "pointwise-refuted"}


def compared(item: Question) -> Orders:
    """Return both orders of a pair under its noise, or none where its scale is 0."""
    return both_orders(SmoothQuestion.of(item))


def both_orders(question: SmoothQuestion) -> Orders:
    """Return both orders of a question."""
    return ChartComparison(question.order(False)), ChartComparison(question.order(True))


class ChartComparison(Comparison):
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

    def settled(self) -> Settled:
        """Decide the target, with the chart or the coupling that proves it."""
        found = self._found()
        return Settled(found.sign, found.proof, found.reason)

    def _found(self) -> PureSign | SmoothEvents:
        match self.target.bound:
            case Bound.RATIO | Bound.EXCESS:
                return self.order.pure_sign(self.target)
            case Bound.DIVERGENCE:
                return self.order.events()

    def decided(self) -> Decision:
        """Decide the target; it fails at an output with a density, or an event."""
        loss, found = self.largest(), self._found()
        return Decision(
            sign=found.sign,
            loss=loss.value,
            delta=self._delta(found),
            worst=_shortened(loss.where),
            evidence=found.proof,
            breach=self.breach(found, loss) if found.sign == 1 else None,
            reason=found.reason,
        )

    def _delta(self, found: PureSign | SmoothEvents) -> Refined | None:
        """What delta bounds, where the target has one."""
        if isinstance(found, SmoothEvents):
            return found.delta
        return largest_excess(self.order).value if self.target.bound is Bound.EXCESS else None

    def breach(self, found: PureSign | SmoothEvents, loss: Supremum) -> Breach | None:
        """Return where a refuted target fails: an event, or an output."""
        chart = found.proof.chart
        if chart is None:
            return None
        if isinstance(found, SmoothEvents) or needs_event(self.order):
            return event_breach(self.order, chart, found.proof.bits)
        starts = [start for start in (loss.where, found.y) if isinstance(start, Fraction)]
        rule = _REFUTED[self.target.bound]
        breaches = (point_breach(self.order, start, rule) for start in starts)
        return next((breach for breach in breaches if breach is not None), None)

    def loss(self) -> Supremum:
        """Return epsilon*; infinite where normal noise, or none, leaves the ratio unbounded."""
        top = self.largest()
        return Supremum(top.value, lambda: _shortened(top.where))

    def largest(self) -> Supremum:
        """Return epsilon*, with where it is in full."""
        return largest_loss(self.order)

    def exceeding(self) -> Refined:
        """Return the divergence, or the largest excess, at the target's epsilon."""
        match self.target.notion.exceeding:
            case Bound.DIVERGENCE:
                return divergence_of(self.order)
            case Bound.EXCESS:
                return largest_excess(self.order).value

    def least_epsilon(self) -> Refined:
        """Search for it; there is none where P has more than delta outside the support of Q.

        Only without noise.
        """
        if mass := singular_mass(self.order):
            sign = (Number.of_rational(mass) - self.target.delta).sign()
            if sign != -1:
                return INFINITE if sign == 1 else ANYTHING
        return searched(self, lambda grid: proposed_epsilon(self.order, grid))


def _shortened(where: Place) -> Place:
    """Return a place rounded to a decimal that people can read; ends stay "-inf" and "inf"."""
    if isinstance(where, str) or where == 0:
        return where
    return _READABLE.nearest(where)
