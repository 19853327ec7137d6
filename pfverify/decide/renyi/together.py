"""One pair under several outputs, at any scale of the first of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from pfverify.decide.comparison import Never, Orders, Scaled
from pfverify.decide.renyi.chords import AtOrder
from pfverify.decide.renyi.fresh import compared
from pfverify.decide.renyi.scaled import ByDivergence
from pfverify.decide.renyi.shared import Decide, bounds_of, law_of_points
from pfverify.model.question import Question
from pfverify.model.releases.repeated import Repeated, Several


class OutputsScaled(ByDivergence):
    """One pair: what bounds its divergence from above proposes a scale."""

    def __init__(
        self, item: Question, decide: Decide, at_any_scale: Callable[[Question], Scaled]
    ) -> None:
        super().__init__(item)
        release = item.release
        self._decide, self._release = decide, release
        self._one: Scaled | None = None
        if isinstance(release, Several):
            self._one = at_any_scale(item.under(release.one))
        self._fresh = isinstance(release, Repeated) and release.fresh
        _ = self.at(Fraction(1))  # refused at once, if it is

    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a rational scale."""
        return compared(self.item.under(self._release.with_scale(scale)), self._decide)

    def bare(self) -> Orders:
        """Return both orders of all draws, or of X, without noise."""
        if self._one is not None and not self._fresh:
            return self._one.bare()
        return self._decide(self.item.under(self._release.with_scale(0)))

    def at_orders(self, scale: Fraction) -> Sequence[AtOrder]:
        """Return what has the numbers of both orders at a scale."""
        return [bounds_of(order)[1] for order in self.at(scale)]

    def never(self) -> Never | None:
        """Return the reason that one release has, if there are several."""
        return super().never() if self._one is None else self._one.never()

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms, or values of a coordinate."""
        if self._one is not None:
            return self._one.smallest_gap
        points = {x for prior in self.item.priors for x in law_of_points(prior)}
        axes = (sorted(set(axis)) for axis in zip(*points, strict=True))
        return min((b - a for axis in axes for a, b in pairwise(axis)), default=None)
