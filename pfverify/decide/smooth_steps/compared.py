"""Steps after Gaussian noise, or after Laplace noise on normal laws: what is published, compared.

Source: design facts F5, F45 and F46.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Breach
from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.charts.order import TINY, PureSign, SmoothEvents
from pfverify.decide.charts.release import release_of
from pfverify.decide.comparison import Orders, Supremum
from pfverify.decide.smooth_steps.loss import largest_loss
from pfverify.decide.smooth_steps.order import RowLaw, StepsOrder
from pfverify.decide.smooth_steps.witness import breach_of
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, rising_sign
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.refined import ZERO, ByBalls, Refined
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.question import Question
from pfverify.model.releases.stepped import SmoothSteps
from pfverify.model.target import Target

_FIRST_BITS = 128


def compared(item: Question) -> Orders:
    """Return both orders of a pair behind steps after noise with a density.

    Raises InputError for another release.
    """
    if not isinstance(item.release, SmoothSteps):
        raise InputError("post: expected steps after noise with a density")
    outputs, release = item.release.chain, release_of(item.release.noise)
    first, second = (_law(prior) for prior in item.priors)
    target = target_of(item)
    return (
        StepsComparison(StepsOrder(first, second, target, release, outputs)),
        StepsComparison(StepsOrder(second, first, target, release, outputs)),
    )


def _law(prior: Prior) -> RowLaw:
    if isinstance(prior, Nothing):
        parts = (Component(mass, atom, Fraction(0)) for atom, mass in prior.atoms())
        return RowLaw(tuple(parts), 1 - prior.chance)
    return RowLaw(prior.components, Fraction(0))


class StepsComparison(ChartComparison):
    """One order of a pair behind steps."""

    order: StepsOrder

    def __init__(self, order: StepsOrder) -> None:
        super().__init__(order)

    def against(self, target: Target) -> StepsComparison:
        """Return the same order of the same pair, held to another target."""
        return StepsComparison(self.order.against(target))

    @cached_property
    def largest(self) -> Supremum:
        """epsilon*, with where it is in full."""
        return largest_loss(self.order)

    def breach(self, found: PureSign | SmoothEvents) -> Breach | None:
        """Return where a refuted target fails: an event."""
        chart = found.proof.chart
        return None if chart is None else breach_of(self.order, chart, found.proof.bits)

    def exceeding(self) -> Refined:
        """Return the divergence at the target's epsilon."""
        if self.equal or self.order.plan is not None:
            return ZERO
        return ByBalls(self.order.charted, Fraction(1), least=TINY)

    def alone_sign(self) -> int | None:
        """Return the sign of what is published that Q never is, less delta."""
        if not self.order.p or self.order.q:
            return -1

        def excess() -> Ball:
            return Ball(self.order.shown() - self.target.delta.ball().raw)

        return rising_sign(excess, _FIRST_BITS, CAP_BITS)
