"""The outputs of two rational laws by falling ratio p/q, by float64 with a proved error bound.

A mass is a whole number, its weight, over the total of its law. With u = 2**-53, terms of second
order left to the slack at the end:

- A float mass is off by at most 3u of itself (weight and total are rounded, and divided; whole
  numbers of Python are divided with one rounding). 0 is exact, and no other mass is below `_TINY`,
  else there are no floats. So a quotient of two lies between 1e-290 and 1e290, and is off by at
  most 7u of itself, its reciprocal by 8u; where q = 0 < p it is infinite, rightly so.
- A bound that ratios are held against is off by at most 4u of itself, and by u more once it is
  moved by `ERROR` = 32u. A ratio that floats find beyond the moved bound is therefore beyond the
  bound itself: 8 + 5 < 32.
- Sums of weights are exact, and as floats of probabilities off by 3u of themselves. So
  (P - d)/Q, with d off by 2u of itself, is off by at most 3u P/Q + 2u d/Q for its parts and by 5u
  of itself, in all by 8u (P + d)/Q. Likewise p - g q, with g off by 2u, is off by 8u (p + g q).
  `ERROR` is four times that, so that these bounds may be worked out in floats too.

What floats leave in doubt is for whole numbers to decide.

Source: filtered predicates, as in computational geometry.
"""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfverify.model.channels.weighted import WeightedLaw

ERROR = 2.0**-48  # 32u
_HUGE = 1e290

Column = NDArray[Any]
"""Weights of a `WeightedLaw`, or sums of them."""
Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Output = tuple[int, int, int]
"""An output with its p and q, whole numbers over the product of both totals."""


class Ranking:
    """Two laws over the same outputs in one order, p over q.

    Attributes: `laws`, of p and of q; `order`, the outputs that one of them can give, by falling
    ratio as floats know it. Without floats those with q = 0 come first, and those with p = 0 last.
    """

    def __init__(
        self, laws: tuple[WeightedLaw, WeightedLaw], order: Places, ratio: Floats | None
    ) -> None:
        self.laws, self.order, self._ratio = laws, order, ratio

    @classmethod
    def of(cls, first: WeightedLaw, second: WeightedLaw) -> Ranking:
        """Rank the outputs of two laws, the first one over the second."""
        p, q = first.floats, second.floats
        if p is None or q is None:
            over, under = (law.weights != 0 for law in (first, second))
            parts = over & ~under, over & under, under & ~over
            return cls((first, second), np.concatenate([*map(np.flatnonzero, parts)]), None)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = p / q
        order = (-ratio).argsort()
        ratio = ratio.take(order)
        if ratio[-1] != ratio[-1]:  # where both are 0: they come last
            possible = len(order) - int(np.isnan(ratio).sum())
            order, ratio = order[:possible], ratio[:possible]
        return cls((first, second), order, ratio)

    def turned(self) -> Ranking:
        """Return the same laws in the other order."""
        ratio = self._ratio
        if ratio is not None:
            with np.errstate(divide="ignore"):
                ratio = 1 / ratio[::-1]
        return Ranking((self.laws[1], self.laws[0]), self.order[::-1], ratio)

    # ---------------------------------------------------------------- exactly

    @property
    def totals(self) -> tuple[int, int]:
        """What the weights of p and of q sum to."""
        return self.laws[0].total, self.laws[1].total

    def output(self, index: int) -> Output:
        """Return an output."""
        p, q = self.laws
        return index, int(p.weights[index]) * q.total, int(q.weights[index]) * p.total

    def outputs(self, start: int, stop: int) -> list[Output]:
        """Return the outputs from one place of the order to another, in their own order."""
        if stop <= start:
            return []
        return [self.output(k) for k in sorted(self.order[start:stop].tolist())]

    def sums(self, count: int) -> tuple[int, int]:
        """Return P and Q of the first outputs, over the product of the totals."""
        if not count:
            return 0, 0
        (p, q), (one, other) = self._sums, self.totals
        return int(p[count - 1]) * other, int(q[count - 1]) * one

    @cached_property
    def _sums(self) -> tuple[Column, Column]:
        p, q = (law.weights.take(self.order).cumsum() for law in self.laws)
        return p, q

    @cached_property
    def bare(self) -> int:
        """How many of the first outputs have q = 0: all that have."""
        if self._ratio is None:
            return int((self.laws[1].weights[self.order] == 0).sum())
        return self.split(inf)[1] if self._ratio[0] == inf else 0

    # ---------------------------------------------------------------- by floats

    def split(self, low: float | None, high: float | None = None) -> tuple[int, int]:
        """Return how many of the first outputs have a ratio > high for sure, and how many >= low.

        The second number counts those in doubt too: no output behind them has a ratio >= low.
        `high` is `low` unless it is given; of a number that no float is near, None, nothing is
        told but that it is finite.
        """
        if self._ratio is None or low is None:
            return self.bare, len(self.order)
        rising = self._ratio[::-1]
        below = rising.searchsorted(low * (1 - ERROR), "left")
        above = rising.searchsorted((low if high is None else high) * (1 + ERROR), "right")
        return len(rising) - int(above), len(rising) - int(below)

    @property
    def steepest(self) -> int:
        """How many of the first outputs may have the largest ratio; no output behind them has."""
        if self._ratio is None:
            return self.bare or len(self.order)
        if len(self._ratio) > 1 and self._ratio[1] < self._ratio[0] * (1 - ERROR):
            return 1
        return self.split(float(self._ratio[0]))[1]

    @property
    def differs(self) -> bool:
        """Whether floats tell that the first output has a ratio > 1."""
        return self._ratio is not None and bool(self._ratio[0] > 1 + ERROR)

    def hardest(self, delta: float | None) -> tuple[int, int]:
        """Return between which places the event ends that has the largest R = (P - delta)/Q.

        It has all outputs of a ratio > R and none of one < R, where delta is at least the P of all
        outputs with q = 0.
        R is at least the quotient of any event, such as the first outputs by floats. It is hardly
        more than the largest of those quotients: the outputs of a float ratio >= (1 - 8u) R hold
        that event, and what else they hold has a ratio >= (1 - 17u) R, so that their quotient is
        at least (1 - 17u) R too.
        """
        if self._ratio is None or delta is None:
            return self.bare, len(self.order)
        middle, slack = self._quotients(self._sums, delta)
        best = int(middle.argmax())
        low = float(middle[best] - slack[best])  # of one event, and so of the best one
        middle += slack
        high = float(middle.max())
        return self.split(low, max(high, 0.0) * (1 + ERROR))

    def hardest_alone(self, delta: float | None) -> list[Output]:
        """Return the outputs with q > 0 of which (p - delta)/q may be the largest."""
        chosen = self.order[self.bare :]
        if self._ratio is not None and delta is not None:
            p, q = (law.weights.take(self.order) for law in self.laws)
            middle, slack = self._quotients((p, q), delta)
            chosen = chosen[middle + slack >= (middle - slack).max()]
        return [self.output(k) for k in chosen.tolist()]

    def _quotients(self, sums: tuple[Column, Column], delta: float) -> tuple[Floats, Floats]:
        """Return (P - delta)/Q from where on Q > 0, and by how much it may be off."""
        (p, q), bare = self.laws, self.bare
        above, below = p.probabilities(sums[0][bare:]), q.probabilities(sums[1][bare:])
        middle, slack = above - delta, above + delta
        middle /= below
        slack *= ERROR
        slack /= below
        return middle, slack

    def largest_excesses(self, growth: float | None) -> list[Output]:
        """Return the outputs of which p - growth q may be the largest."""
        p, q = self.laws[0].floats, self.laws[1].floats
        if p is None or q is None or growth is None or growth > _HUGE:
            return self.outputs(0, len(self.order))
        middle, slack = p - growth * q, (p + growth * q) * ERROR
        may = middle + slack >= (middle - slack).max()
        return [self.output(k) for k in np.flatnonzero(may).tolist()]
