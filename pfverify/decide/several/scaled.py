"""Many releases at any scale of the first, the others in proportion."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import inf, log10, sqrt

from pfverify.decide.comparison import Comparison, Never, Orders, Scaled
from pfverify.decide.composed.wholes import Decide
from pfverify.decide.gap import asked_gap, within
from pfverify.decide.several.compared import compared
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.ball import precision
from pfverify.exact.grid import Grid
from pfverify.exact.refined import ends_of
from pfverify.exact.search import float_root
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.releases.repeated import Budget, Repeated, Several

_ROUGH = Fraction(1, 50)  # of a divergence that only proposes


class SeveralScaled(Scaled):
    """One pair under many releases, to be decided at any scale of the first of them.

    `one` is the same pair under one release of their kind. Proposals are its own, times what the
    releases are worth; with fresh draws, or a delta that one release does not decide, they are
    looked for. Source: design facts F40, F41, F43 and F44.
    """

    def __init__(
        self, item: Question, decide: Decide, at_any_scale: Callable[[Question], Scaled]
    ) -> None:
        release = item.release
        if not isinstance(release, Several):
            raise InputError("this decision is about many releases")
        super().__init__(item, target_of(item))
        self._decide = decide
        self.one = at_any_scale(item.under(release.one))
        self._fresh = isinstance(release, Repeated) and release.fresh
        self._times = 1.0 if isinstance(release, Budget) else _times(release)

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return compared(self.item.under(self.item.release.with_scale(scale)), self._decide)

    def bare(self) -> Orders:
        """Return both orders of the priors themselves: of one draw, however often it is released.

        Of fresh draws all are published.
        """
        return self.at(Fraction(0)) if self._fresh else self.one.bare()

    def never(self) -> Never | None:
        """Return why no scale at all meets the target, or None: the reason that one release has."""
        return self.one.never()

    @cached_property
    def _decided_by_one(self) -> bool:
        """Whether one release at the collapsed scale decides every scale."""
        of_gauss = self.item.release.noise.squares
        ratio = self.target.bound is Bound.RATIO
        return not self._fresh and (of_gauss or ratio or isinstance(self.item.release, Budget))

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one; 0 where floats see no need for noise."""
        base = self.one.proposal(grid)
        if not base or self._decided_by_one:
            return base * Fraction(self._times)
        low = base
        if self._gap(float(low)) <= 0:
            return low
        high = float(base)
        while self._gap(high) > 0 and high < 1e12 * float(base):
            high *= 2
        return Fraction(float_root(self._gap, float(low), high))

    def _gap(self, scale: float) -> float:
        with within(_ROUGH):
            return max(_over(order) for order in self.at(Fraction(scale)))

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal where one release decides."""
        if not guess or not self._decided_by_one:
            return guess
        times = Fraction(self._times)
        return self.one.refined(guess / times, grid) * times

    @property
    def finest(self) -> int | None:
        """Where a divergence is known between two bounds: so many digits as these allow."""
        if self._decided_by_one or self.target.bound is Bound.RATIO:
            return None
        return max(2, round(-log10(asked_gap()))) + 1

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms."""
        return self.one.smallest_gap


def _times(release: Several) -> float:
    if not isinstance(release, Repeated):
        raise InputError("this decision is about many releases")
    with precision(64):
        worth = float(release.worth.ball().midpoint())
    return sqrt(worth) if release.noise.squares else worth


def _over(order: Comparison) -> float:
    """About how much more an order loses than its target allows; a proposal."""
    target = order.target
    with precision(64):
        epsilon, delta = target.epsilon.ball().midpoint(), target.delta.ball().midpoint()
    if target.bound is Bound.RATIO:
        low, high = ends_of(order.loss().value, 40)
        return inf if high == inf else float(low + high) / 2 - epsilon
    low, high = ends_of(order.exceeding(), 40)
    return float(high) - delta
