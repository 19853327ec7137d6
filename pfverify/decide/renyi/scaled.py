"""A pair of priors of atoms at any scale of Laplace or discrete Laplace noise, and a divergence."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import inf, isfinite, log

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.renyi.compared import PROVED, WorkedOut, atoms_compared, order_of
from pfverify.decide.renyi.line import OfAtoms, orders_of
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import float_root, polished
from pfverify.laws.masses import BareAtoms
from pfverify.laws.rate import Rate
from pfverify.model.question import Question
from pfverify.transport.line import monotone_plan

_BITS = 64
_CLOSE = 1e-15  # of a logarithm to 0, that of a proposal
_FAR = 1e300


class RenyiScaled(Scaled):
    """One pair of priors of atoms, to be decided at any scale: more noise tells no more (F90)."""

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        self.priors = item.discrete_priors("this decision is about atoms", exponential=True)
        self.pair = Pair(*self.priors, item.release.noise.step)

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return orders_of(self.pair, Rate(Number.of_rational(scale)), self.target)

    def bare(self) -> Orders:
        """Return both orders of the masses."""
        first, second = map(BareAtoms, self.priors)
        return atoms_compared(first, second, self.target)

    @property
    def reach(self) -> Fraction:
        """W-infinity of the priors: over the scale it bounds the ratio, and so every divergence."""
        return monotone_plan(*self.priors).w_infinity()

    @property
    def met(self) -> WorkedOut:
        """The rule of the divergence."""
        return PROVED

    @property
    def smallest_gap(self) -> Fraction:
        """The smallest distance between neighbouring atoms of the pair."""
        return Fraction(min(self.pair.distinct_gaps), self.pair.denominator)

    def _divergence(self, scale: Fraction) -> Ball:
        """The larger divergence of both orders, at the current precision."""
        rate, order = Rate(Number.of_rational(scale)), order_of(self.target)
        one, two = (
            OfAtoms(self.pair, rate, order, turned=turned).divergence_ball()
            for turned in (False, True)
        )
        return Ball(one.max(two))

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one, in floats; 0 where they see no need for noise."""
        del grid
        width = self.pair.atom(-1) - self.pair.atom(0)
        epsilon = float(self.target.epsilon.at_most())

        @cache
        def gap(scale: float) -> float:
            """The logarithm of the divergence over epsilon: nearly straight in that of the scale.
            """
            with precision(_BITS):
                found = self._divergence(Fraction(scale) * width).midpoint()
            if not isfinite(found) or epsilon <= 0:
                return inf
            over = log(found / epsilon) if found > 0 else -inf
            return 0.0 if abs(over) < _CLOSE else over

        high, least = 1.0, float(self.smallest_gap / width) / 1e4
        while gap(high) > 0:
            high *= 4
            if high > _FAR:
                return width * Fraction(high)
        low = high
        while gap(low) <= 0:
            low /= 4
            if low < least:
                return Fraction(0)
        return width * Fraction(float_root(gap, low, high))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a positive proposal by secant steps."""
        epsilon = self.target.epsilon
        return polished(lambda at: self._divergence(at) - epsilon.ball(), guess, grid) or guess
