"""Priors of several numbers at any scale of the noise, those of all coordinates in proportion."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import inf, log

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.grid.compared import AtPoints, GridComparison, compared
from pfverify.decide.grid.sandwich import growth_of
from pfverify.decide.masses.compared import points_compared
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, precision
from pfverify.exact.grid import Grid
from pfverify.exact.search import float_root, polished
from pfverify.laws.forms import BarePoints, NoisyPoints
from pfverify.laws.kinds import forms_of
from pfverify.model.notion import Bound
from pfverify.model.question import Question

_CLOSE = 4e-13  # of a logarithm in floats: nearer to 0 there is nothing to find
_PROPOSED_POINTS = 1 << 14


class GridScaled(Scaled):
    """One pair of priors of several numbers, to be decided at any scale.

    Source: design facts F42 to F44.
    """

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        first, second = self._laws(Fraction(1))
        self.priors, self._rates = (first.prior, second.prior), first.rates
        self._ratio = self.target.bound is Bound.RATIO

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale (of the first coordinate)."""
        return compared(*self._laws(scale), self.target)

    def _laws(self, scale: Fraction) -> tuple[NoisyPoints, NoisyPoints]:
        first, second = forms_of(self.item.under(self.item.release.with_scale(scale)))
        if not (isinstance(first, NoisyPoints) and isinstance(second, NoisyPoints)):
            raise TypeError("expected noise on several numbers")
        return first, second

    def bare(self) -> Orders:
        """Return both orders of the masses of the points."""
        first, second = self.priors
        return points_compared(BarePoints(first), BarePoints(second), self.target)

    @property
    def reach(self) -> Fraction | None:
        """The sum of what every coordinate spans over what its scale is of the first.

        Source: design fact F43.
        """
        total = Fraction(0)
        for k, rate in enumerate(self._rates):
            if rate.scale.fraction is None:
                return None
            values = [x for prior in self.priors for x in prior.axis(k)]
            total += (max(values) - min(values)) / rate.scale.fraction
        return total

    @property
    def met(self) -> AtPoints:
        """The rule of the grid: no point ties."""
        return AtPoints(())

    @property
    def smallest_gap(self) -> Fraction:
        """The smallest distance between neighbouring values of a coordinate; 1 without any."""
        gaps = [Fraction(1)]
        for k in range(len(self.priors[0].names)):
            values = sorted({x for prior in self.priors for x in prior.axis(k)})
            gaps += [b - a for a, b in pairwise(values)]
        return min(gaps)

    def _orders(self, scale: float) -> tuple[GridComparison, GridComparison]:
        first, second = self.at(Fraction(scale))
        if not (isinstance(first, GridComparison) and isinstance(second, GridComparison)):
            raise TypeError("expected the orders of a grid")
        return first, second

    def _gap(self, scale: float) -> float:
        """Log of loss over epsilon, or of what delta bounds over delta: the larger of both orders.

        In floats, and by the middle of both bounds: a proposal.
        """
        found = [-inf]
        for order in self._orders(scale):
            with precision(128):
                epsilon = order.target.epsilon.ball().midpoint()
                delta = order.target.delta.ball().midpoint()
            if self._ratio or not order.pair.fits:  # else the loss is all that is known
                value = order.pair.about(reverse=order.reverse)
                found.append(log(value / epsilon) if value > 0 and epsilon > 0 else value - epsilon)
            else:
                sandwich = order.sandwich(_PROPOSED_POINTS)
                ends = sandwich.ends(growth_of(order.target), reverse=order.reverse)
                middle = (ends.lower + ends.upper) / 2
                found.append(log(middle / delta) if middle > 0 else -inf)
        worst = max(found)
        return 0.0 if abs(worst) < _CLOSE else worst

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one, by floats; 0 where they see no need for noise.

        Of two points the sufficient one is the least.
        """
        del grid
        if self.sufficient is not None and all(len(prior.mass) == 1 for prior in self.priors):
            return self.sufficient
        high = 1.0 if self.sufficient is None else float(self.sufficient)
        while self._gap(high) > 0:
            high *= 4
            if high > 1e300:
                return Fraction(high)
        low = high
        while self._gap(low) <= 0:
            low /= 4
            if low < 1e-6 * float(self.smallest_gap):
                return Fraction(0)
        return Fraction(float_root(self._gap, low, high))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal for a bound on the ratio by secant steps at its worst point."""
        if not guess or not self._ratio:
            return guess
        orders = self._orders(float(guess))
        worst = max(orders, key=lambda one: one.supremum.ball(64).midpoint() / max(
            one.target.epsilon.ball().midpoint(), 1e-300))  # fmt: skip
        point = worst.supremum.worst

        def gap(scale: Fraction) -> Ball:
            first, second = self.at(scale)
            order = second if worst.reverse else first
            if not isinstance(order, GridComparison):
                raise TypeError("expected an order of a grid")
            value = order.pair.log_ratios([point])[0]
            return Ball(-value if worst.reverse else value) - worst.target.epsilon.ball()

        return polished(gap, guess, grid)
