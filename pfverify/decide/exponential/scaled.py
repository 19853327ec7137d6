"""A pair of priors of atoms at any scale of Laplace or discrete Laplace noise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from math import exp, inf, isfinite, log

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.evidence import AtAtoms
from pfverify.decide.exponential.compared import below, both_orders, exceeding_ball
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.compared import bare_orders
from pfverify.decide.targets import target_of
from pfverify.exact.ball import Ball, precision
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import float_root, polished
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.transport.line import monotone_plan

_NOISE = 4e-15  # of a logarithm in floats: nearer to 0 there is nothing to find
_MORE = 2  # digits that a proposal has beyond those asked for, so that no step improves it
_SAFE = 1e-250  # smaller sums are worked out in logarithms


class ExponentialScaled(Scaled):
    """One pair of priors of atoms, to be decided at any scale."""

    def __init__(self, item: Question) -> None:
        super().__init__(item, target_of(item))
        first, second = item.discrete_priors("this decision is about atoms", exponential=True)
        self.pair = Pair(first, second, item.release.noise.step)
        self._ratio = self.target.bound is Bound.RATIO

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return both_orders(self.pair, Rate(Number.of_rational(scale)), self.target)

    def bare(self) -> Orders:
        """Return both orders of the masses.

        For a density delta bounds nothing as the scale falls to 0: the ratio has to hold.
        Source: design fact F2.
        """
        dense = self.target.bound is Bound.EXCESS and self.pair.step is None
        return bare_orders(self.pair, self.target.of_ratio() if dense else self.target)

    @property
    def reach(self) -> Fraction:
        """W-infinity of the priors.

        Source: noise-reduction paper (4): the ratio grows by at most e^(distance/scale) along
        every edge of a coupling.
        """
        return monotone_plan(*self.pair.priors).w_infinity()

    @property
    def met(self) -> AtAtoms:
        """The rule of what is bounded: no atom ties."""
        return below(self.target.bound)

    @property
    def smallest_gap(self) -> Fraction:
        """The smallest distance between neighbouring atoms of the pair."""
        return Fraction(min(self.pair.distinct_gaps), self.pair.denominator)

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal for a bound on the ratio by secant steps at its worst atom."""
        if not guess or not self._ratio:
            return guess
        losses = self._losses.at(float(guess / self._width))
        worst = int(np.nanargmax(abs(losses)))
        reverse = bool(losses[worst] < 0)
        epsilon = self.target.epsilon

        def gap(scale: Fraction) -> Ball:
            value = self.pair.log_ratio(worst, Rate(Number.of_rational(scale)).ball().raw)
            return Ball(-value if reverse else value) - epsilon.ball()

        with precision(64 + grid.bits):
            share = gap(guess).raw / epsilon.ball().raw
            enough = bool(abs(share) * 10 ** (grid.digits + _MORE) < 1)
        return guess if enough else polished(gap, guess, grid)

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near this pair's least one; 0 where floats see no need for noise.

        Floats work in units of the width of the support, so that atoms of any size are alike;
        the grid is for `refined`.
        """
        del grid
        width, smallest = self._width, float(self.smallest_gap / self._width)
        gap = cache(self._ratio_gap() if self._ratio else self._delta_gap(width))
        high = 1.0
        while (value := gap(high)) > 0:
            high *= 16
            if high > 1e300 or not isfinite(value):
                return width * Fraction(high)
        low = high
        while (value := gap(low)) <= 0:
            low = min(low / 4, max(low / 4096, low * exp(value) / 2))  # as if loss were 1/scale
            if low < max(smallest / 1e4, 1e-300):
                return Fraction(0)
        return width * Fraction(float_root(gap, low, high))

    def _ratio_gap(self) -> Callable[[float], float]:
        with precision(64):
            epsilon = self.target.epsilon.ball().midpoint()

        def gap(scale: float) -> float:
            """The logarithm of loss over epsilon: nearly straight in that of the scale."""
            worst = self._losses.largest(scale)
            if not worst or not epsilon:
                return worst - epsilon
            found = log(worst) - log(epsilon)
            return 0.0 if abs(found) < _NOISE else found

        return gap

    @cached_property
    def _losses(self) -> FloatLoss:
        return FloatLoss(self.pair)

    @property
    def _width(self) -> Fraction:
        """How far the atoms reach: the unit of scales in floats."""
        return self.pair.atom(-1) - self.pair.atom(0)

    def _delta_gap(self, width: Fraction) -> Callable[[float], float]:
        """Log of what delta bounds over delta, by the midpoints of balls."""

        def gap(scale: float) -> float:
            rate = Rate(Number.of_rational(Fraction(scale) * width))
            logs = [-inf]
            with precision(128):
                log_delta = self.target.delta.ball().log().midpoint()
                for reverse in (False, True):
                    ball = exceeding_ball(self.pair, rate, self.target, reverse=reverse)
                    if ball.certain_sign() == 1:
                        logs.append(ball.log().midpoint() - log_delta)
            return max(logs)

        return gap


class FloatLoss:
    """Largest |log p/q| over the atoms in float64: a proposal, never a verdict.

    Scales are in units of the width of the support.
    """

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.lattice = pair.lattice

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The atoms, from 0 to 1."""
        first, *_, last = self.pair.points
        return np.array([(p - first) / (last - first) for p in self.pair.points])

    @cached_property
    def logs(self) -> list[NDArray[np.float64]]:
        """The logarithms of both priors' masses."""
        with np.errstate(divide="ignore"):
            return [
                np.log(np.array([w / total for w in weights]))
                for weights, total in zip(self.pair.weights, self.pair.totals, strict=True)
            ]

    def largest(self, scale: float) -> float:
        """Return max over atoms of |log p(a)/q(a)| at one scale."""
        ratios = self._ratios(scale)
        if ratios is not None:
            return max(log(ratios.max()), -log(ratios.min()))
        losses = abs(self.at(scale))
        worst = float(np.nanmax(losses)) if len(losses) else 0.0
        return worst if isfinite(worst) else inf

    def _ratios(self, scale: float) -> NDArray[np.float64] | None:
        """p(a)/q(a) at every atom of a lattice where no sum is too small, else None."""
        if self.lattice is None:
            return None
        rate = 1 / (scale * (self.lattice.size - 1))  # per step: a width need not be a float
        p, q = self.lattice.sums(self.lattice.float_powers(rate))
        return p / q if min(float(p.min()), float(q.min())) > _SAFE else None

    def at(self, scale: float) -> NDArray[np.float64]:
        """Return log p(a)/q(a) at every atom, nan or infinite where floats do not reach."""
        ratios = self._ratios(scale)
        if ratios is not None:
            found: NDArray[np.float64] = np.log(ratios)
            return found
        at = self.points / scale
        sums = []
        with np.errstate(all="ignore"):
            for logs in self.logs:
                left = np.logaddexp.accumulate(logs + at) - at
                after = np.logaddexp.accumulate((logs - at)[::-1])[::-1][1:]
                right = np.append(after + at[:-1], -inf)
                sums.append(np.logaddexp(left, right))
            gap: NDArray[np.float64] = sums[0] - sums[1]
        return gap
