"""W-infinity balls at any scale of Laplace noise."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.spread.compared import both_orders
from pfverify.decide.spread.envelope import spread_of
from pfverify.decide.targets import target_of
from pfverify.exact.ball import precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import ends_of
from pfverify.exact.search import float_root
from pfverify.laws.rate import Rate
from pfverify.model.question import Question

_BITS = 60


class SpreadScaled(Scaled):
    """One pair of which one prior at least is a W-infinity ball, to be decided at any scale."""

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        self._laws = [spread_of(prior) for prior in item.priors]

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return both_orders(self.item.priors, Rate(Number.of_rational(scale)), self.target)

    def bare(self) -> Orders:
        """Return both orders at a scale where no target with this epsilon is met.

        Without noise members of a ball tell everything. The tails of both orders multiply to
        e^(4 (sum of the radii)/scale), so that one loss is at least a quarter of the logarithm.
        """
        radii = sum((radius for _, radius in self._laws), Fraction(0))
        epsilon = self.target.epsilon.at_most()
        return self.at(radii / (2 * (epsilon + 1)))

    @property
    def equal(self) -> bool:
        """False: a ball has members that differ."""
        return False

    @cached_property
    def smallest_gap(self) -> Fraction:
        """The smaller of the radii that are above 0."""
        return min(radius for _, radius in self._laws if radius)

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one, from losses at some scales."""
        del grid
        with precision(_BITS):
            goal = self.target.epsilon.ball().midpoint()

        def over(scale: float) -> float:
            orders = self.at(Fraction(scale))
            tops = (ends_of(order.loss().value, _BITS) for order in orders)
            return max(float(high) for _, high in tops) - goal

        low = high = float(self.smallest_gap)
        while over(high) > 0:
            low, high = high, 4 * high
        while over(low) <= 0:
            low, high = low / 4, low
        return Fraction(float_root(over, low, high))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Return the proposal, which is as good as floats are."""
        del grid
        return guess
