"""A pair at any scale of its noise: more of it tells no more by a divergence (design fact F90)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import inf, isfinite, log

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.compared import PROVED, WorkedOut, check_decided, order_of
from pfverify.decide.renyi.highest import largest_of_orders
from pfverify.decide.renyi.line import OfAtoms, orders_of
from pfverify.decide.renyi.masses import atoms_compared
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, largest, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import float_root, polished
from pfverify.laws.masses import BareAtoms
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.transport.line import monotone_plan

_BITS = 64
_CLOSE = 1e-5  # of a logarithm to 0, that of a proposal: steps in balls do the rest
_FAR = 2.0**400


class ByDivergence(Scaled):
    """One pair whose numbers R are known at any scale: the root of the divergence is looked for."""

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        if self.target.bound is Bound.RENYI:
            check_decided(order_of(self.target))

    @abstractmethod
    def at_orders(self, scale: Fraction) -> Sequence[AtOrder]:
        """Return what has the numbers of both orders at a scale."""

    @property
    def unit(self) -> Fraction:
        """What scales are measured by."""
        return Fraction(1)

    @property
    def met(self) -> WorkedOut:
        """The rule of the divergence."""
        return PROVED

    def _divergence(self, scale: Fraction) -> Ball:
        """The larger divergence, or of all orders about the largest over its order.

        At the current precision; a ball without ends where it is infinite.
        """
        if self.target.bound is Bound.ZCDP:
            return Ball(largest(map(largest_of_orders, self.at(scale))))
        found = [at(order_of(self.target)) for at in self.at_orders(scale)]
        if any(moment.infinite is not False for moment in found):
            return Ball(raw(1) / raw(0))
        return Ball(largest(moment.divergence_ball() for moment in found))

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one, in floats; 0 where they see no need for noise."""
        del grid
        epsilon, unit = float(self.target.epsilon.at_most()), self.unit

        @cache
        def gap(scale: float) -> float:
            """The logarithm of the divergence over epsilon: nearly straight in that of the scale.
            """
            with precision(_BITS):
                found = self._divergence(Fraction(scale) * unit).midpoint()
            if not isfinite(found) or epsilon <= 0:
                return inf
            over = log(found / epsilon) if found > 0 else -inf
            return 0.0 if abs(over) < _CLOSE else over

        high = 1.0
        while gap(high) > 0:
            high *= 4
            if high > _FAR:
                return unit * Fraction(high)
        low = high
        while gap(low) <= 0:
            low /= 4
            if low * _FAR < 1 or low * unit * 10**4 < (self.smallest_gap or 0):
                return Fraction(0)
        return unit * Fraction(float_root(gap, low, high))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal by secant steps; 0 is none."""
        if not guess:
            return guess
        epsilon = self.target.epsilon
        return polished(lambda at: self._divergence(at) - epsilon.ball(), guess, grid) or guess


class RenyiScaled(ByDivergence):
    """One pair of priors of atoms, with Laplace or discrete Laplace noise."""

    def __init__(self, item: Question) -> None:
        super().__init__(item)
        self.priors = item.discrete_priors("this decision is about atoms", exponential=True)
        self.pair = Pair(*self.priors, item.release.noise.step)

    def at_orders(self, scale: Fraction) -> Sequence[AtOrder]:
        """Return what has the numbers of both orders at a scale."""
        rate = Rate(Number.of_rational(scale))
        return [
            lambda order: OfAtoms(self.pair, rate, order, turned=False),
            lambda order: OfAtoms(self.pair, rate, order, turned=True),
        ]

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return orders_of(self.pair, Rate(Number.of_rational(scale)), self.target)

    def bare(self) -> Orders:
        """Return both orders of the masses."""
        first, second = map(BareAtoms, self.priors)
        return atoms_compared(first, second, self.target)

    @property
    def unit(self) -> Fraction:
        """How far the atoms reach."""
        return self.pair.atom(-1) - self.pair.atom(0)

    @property
    def reach(self) -> Fraction | None:
        """W-infinity of the priors: over the scale it bounds the ratio, and so every divergence.

        None of all orders: there it is no rule of the kernel that says so without orders.
        """
        return None if self.target.bound is Bound.ZCDP else monotone_plan(*self.priors).w_infinity()

    @property
    def smallest_gap(self) -> Fraction:
        """The smallest distance between neighbouring atoms of the pair."""
        return Fraction(min(self.pair.distinct_gaps), self.pair.denominator)
