"""Many releases, or Gaussian noise on several numbers, at any scale: the others in proportion."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import inf, log, log10, sqrt

from pfverify.decide.comparison import Comparison, Never, Orders, Scaled
from pfverify.decide.composed.wholes import Decide
from pfverify.decide.gap import asked_gap, roughly
from pfverify.decide.several.compared import compared
from pfverify.decide.several.vectors import OPEN, line_weights, outward, seen
from pfverify.decide.several.vectors import compared as compared_vectors
from pfverify.decide.targets import target_of
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.grid import Grid
from pfverify.exact.refined import ends_of
from pfverify.exact.search import float_root
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.releases.repeated import Budget, Repeated, Several

_ROUGH = Fraction(1, 50)  # of a divergence that only proposes
_NOTHING = -1e6  # the logarithm of no divergence at all
_LEAST = Fraction(1, 1 << 40)  # where floats see no need for noise


class _Searched(Scaled):
    """What one number decides at every scale, or what is looked for from there on."""

    @property
    @abstractmethod
    def _decided_by_one(self) -> bool:
        """Whether one number decides every scale."""

    @abstractmethod
    def _base(self, grid: Grid) -> Fraction:
        """The proposal of one number, which may be too small where it does not decide."""

    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one; 0 where floats see no need for noise."""
        base, gap = self._base(grid), cache(self._gap)
        if not base or self._decided_by_one or gap(float(base)) <= 0:
            return base
        high = float(base)
        while gap(high) > 0 and high < 1e12 * float(base):
            high *= 2
        near = 0 if self.target.bound is Bound.RATIO else float(_ROUGH)
        return Fraction(float_root(gap, float(base), high, near))

    def _gap(self, scale: float) -> float:
        with roughly(_ROUGH):
            return max(over(order) for order in self.at(Fraction(scale)))

    @property
    def finest(self) -> int | None:
        """Where a divergence is known between two bounds: so many digits as these allow."""
        if self._decided_by_one or self.target.bound is Bound.RATIO:
            return None
        return max(2, round(-log10(asked_gap()))) + 1


class SeveralScaled(_Searched):
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

    @property
    def _decided_by_one(self) -> bool:
        """Whether one release at the collapsed scale decides every scale."""
        of_gauss = self.item.release.noise.squares
        ratio = self.target.bound is Bound.RATIO
        return not self._fresh and (of_gauss or ratio or isinstance(self.item.release, Budget))

    def _base(self, grid: Grid) -> Fraction:
        return self.one.proposal(grid) * (Fraction(self._times) if self._decided_by_one else 1)

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal where one release decides."""
        if not guess or not self._decided_by_one:
            return guess
        times = Fraction(self._times)
        return self.one.refined(guess / times, grid) * times

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms."""
        return self.one.smallest_gap


class VectorScaled(_Searched):
    """One pair of several numbers with Gaussian noise, at any scale of the first coordinate.

    Where points are on one line one sum of the outputs says all; else a scale is proposed that the
    coupling meets.
    Source: design facts F74 and F75.
    """

    def __init__(
        self, item: Question, decide: Decide, at_any_scale: Callable[[Question], Scaled]
    ) -> None:
        super().__init__(item, target_of(item))
        self._decide = decide
        self._at_one = item.under(item.release.with_scale(1))
        weights = line_weights(self._at_one)
        self._one = None if weights is None else at_any_scale(seen(self._at_one, weights))
        self._at_any_scale = at_any_scale

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return compared_vectors(self.item.under(self.item.release.with_scale(scale)), self._decide)

    def bare(self) -> Orders:
        """Return both orders of the priors themselves."""
        return self._decide(self.item.under(self.item.release.with_scale(0)))

    def never(self) -> Never | None:
        """Return why no scale at all meets the target, or None: a reason that a sum has."""
        if self._one is not None:
            return self._one.never()
        if self.equal or self.target.bound is not Bound.RATIO:
            return None
        asked = (
            self._at_any_scale(seen(self._at_one, weights)) for weights in outward(self._at_one)
        )
        return next((why for one in asked if (why := one.never()) is not None), None)

    @property
    def _decided_by_one(self) -> bool:
        return self._one is not None

    @property
    def _times(self) -> Fraction:
        """How many times the scale of the one number that of the first coordinate is."""
        if self._one is None:
            raise InputError("these points are on no line")
        with precision(64):
            worth = self._one.item.release.noise.stated_scale().ball().midpoint()
        return Fraction(1 / worth)

    def _base(self, grid: Grid) -> Fraction:
        if self._one is not None:
            return self._one.proposal(grid) * self._times
        if self.target.bound is Bound.RATIO:
            raise UndecidedError(OPEN)
        scale = Fraction(1)
        while scale > _LEAST and self._gap(float(scale)) <= 0:
            scale /= 2
        return scale if scale > _LEAST else Fraction(0)

    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a proposal as one number does, where it decides."""
        if self._one is None:
            return guess
        return self._one.refined(guess / self._times, grid) * self._times


def _times(release: Several) -> float:
    if not isinstance(release, Repeated):
        raise InputError("this decision is about many releases")
    with precision(64):
        worth = float(release.worth.ball().midpoint())
    return sqrt(worth) if release.noise.squares else worth


def over(order: Comparison) -> float:
    """Return about how much more an order loses than its target allows; of a delta its logarithm.

    In floats, for proposals; infinite where nothing is known from above.
    Example: ``over(comparison(pair)[0]) <= 0`` is True, as about enough noise is added.
    """
    target = order.target
    if target.bound is Bound.RATIO:
        low, high = ends_of(order.loss().value, 40)
        with precision(64):
            return inf if high == inf else float(low + high) / 2 - target.epsilon.ball().midpoint()
    low, high = ends_of(order.exceeding(), 40)
    if high == inf:
        return inf
    about = Fraction(low + high) / 2
    if not about:
        return _NOTHING
    with precision(64):  # either may be beyond what a float holds
        delta = float(target.delta.ball().raw.log().mid())
    return log(about.numerator) - log(about.denominator) - delta
