"""How fine a grid of losses has to be, and how wide: in floats, which only propose.

The losses of all releases add up, so their transform K(t) = log E e**(tL) does: tails are bounded
by e**(K(t) - tx), and what a grid does to the spread of the losses shows by a factor of about
e**(t (1 + t) V / 2) in a divergence, V the variance that is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, floor, inf, log, log1p, log10

import numpy as np
import numpy.typing as npt

from pfverify.decide.composed.measures import LossGrid

Floats = npt.NDArray[np.float64]
_SPARE_DIGITS = 8
_SPARE = 5.0  # of logarithms: what a window leaves out is that much less than the gap
_FEWEST, _MOST_DIGITS = 20, 400
_SURE = 1e3  # -log of no mass at all
_SLOPES = np.concatenate([np.geomspace(1e-4, 1e4, 400)])
_WORTH = 0.01  # the share of single losses from which a step is made for them
_WIDEST = 64  # times the step between levels that little mass needs
MOST_PLACES = 1 << 18
"""The most places of a grid."""
MOST_LEVELS = 1 << 18
"""The most levels of a part, if none is left out."""


@dataclass(frozen=True)
class Losses:
    """The losses of one part, about: their masses under P, and whether each is one number alone.

    `infinite`: the mass under P of what Q never gives.
    """

    losses: Floats
    masses: Floats
    alone: npt.NDArray[np.bool_]
    exact: Sequence[Fraction]  # some losses that are one number, the heaviest first
    infinite: float
    count: int

    def transform(self, slopes: Floats) -> Floats:
        """Return log E e**(tL) of one release, for each t."""
        exponents = slopes[:, None] * self.losses[None, :] + np.log(self.masses)[None, :]
        top = exponents.max(axis=1)
        found: Floats = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
        return found

    def tilted(self, slope: float) -> Floats:
        """Return the share of each loss in E e**(tL)."""
        exponents = slope * self.losses + np.log(self.masses)
        share: Floats = np.exp(exponents - exponents.max())
        share /= share.sum()
        return share


@dataclass(frozen=True)
class Proposal:
    """A grid, of each part the levels as spans (first, last, stride), and the tilt t they are for.
    """

    grid: LossGrid
    spans: Sequence[Sequence[tuple[int, int, int]]]
    slope: float


class Outlook:
    """What the losses of all parts together are like."""

    def __init__(self, parts: Sequence[Losses]) -> None:
        self.parts = parts

    @cached_property
    def _up(self) -> Floats:
        return np.asarray(sum(part.count * part.transform(_SLOPES) for part in self.parts))

    @cached_property
    def _down(self) -> Floats:
        return np.asarray(sum(part.count * part.transform(-_SLOPES) for part in self.parts))

    @property
    def count(self) -> int:
        """How many releases there are."""
        return sum(part.count for part in self.parts)

    def slope(self, epsilon: float) -> float:
        """Return the t at which K(t) - t epsilon is least."""
        return float(_SLOPES[np.argmin(self._up - _SLOPES * epsilon)])

    def log_divergence(self, epsilon: float) -> float:
        """Return about the logarithm of the divergence, or more."""
        return min(0.0, float(np.min(self._up - _SLOPES * epsilon)))

    def epsilon_at(self, log_delta: float) -> float:
        """Return about the epsilon at which the divergence is delta, or more."""
        return max(0.0, float(np.min((self._up - log_delta) / _SLOPES)))

    def proposal(self, epsilon: float, gap: float, floor_: float) -> Proposal:
        """Return a grid on which the divergence at epsilon is known to about a relative `gap`.

        What is below e**floor_ need not be known so well, nor what is little beside the mass that Q
        never gives.
        """
        floor_ = max(floor_, self._log_infinite() + log(gap))
        stated, epsilon = epsilon, min(epsilon, self.epsilon_at(floor_))
        above = self._up - _SLOPES * epsilon
        enough = np.flatnonzero(above <= floor_)
        slope = float(_SLOPES[enough[0]]) if enough.size else self.slope(epsilon)
        depth = -max(self.log_divergence(epsilon), floor_)
        digits = max(
            _FEWEST, ceil(depth / log(10) + _SPARE_DIGITS + log10(self.count) - log10(gap))
        )
        digits = min(digits, _MOST_DIGITS)
        effective = max(slope, 0.5)
        step = self._step(effective, gap)
        low, high = self._window(epsilon, slope, depth, gap)
        high = max(high, min(stated, self._most(1)))
        spread = max(float(np.ptp(part.losses)) for part in self.parts)
        size = max((high - low) / MOST_PLACES, spread / MOST_LEVELS) / float(step)
        if size > 1:
            step *= ceil(size)
        spare = gap / (200 * self.count)
        little = int(Fraction(10) ** digits * Fraction(exp(-depth) * spare))
        grid = LossGrid(step, digits, floor(low / step) - 1, ceil(high / step) + 1, little)
        plain = self.plain_step(effective, gap)
        spans = [self.spans(part, grid, effective, plain) for part in self.parts]
        return Proposal(grid, spans, effective)

    def _log_infinite(self) -> float:
        """About the logarithm of the mass that Q never gives of all parts."""
        missed = 0.0
        for part in self.parts:
            missed += part.count * (log1p(-part.infinite) if part.infinite < 1 else -_SURE)
        return log(-expm1(missed)) if missed else -inf

    def plain_step(self, slope: float, gap: float) -> float:
        """Return a step that would do if no loss were a single number."""
        return float((4 * gap / (slope * (1 + slope)) / self.count) ** 0.5)

    def _window(
        self, epsilon: float, slope: float, depth: float, gap: float
    ) -> tuple[float, float]:
        """Where partial sums of losses matter.

        Above, what leaves it counts as infinite, beside a divergence that is small. Below, moved
        up, it counts as much as e**(t low) of what has not begun, in the law that is tilted by t.
        """
        spare = -log(gap) + _SPARE
        depth += spare
        high = float(np.min((np.maximum(self._up, 0) + depth) / _SLOPES))
        base = float(np.interp(slope, _SLOPES, self._up))
        # K(t - s) - K(t), of s > 0: both sides of 0
        less = np.concatenate([self._down[::-1], [0.0], self._up])
        at = np.concatenate([-_SLOPES[::-1], [0.0], _SLOPES])
        tilted = np.interp(slope - _SLOPES, at, less) - base
        low = -max(float(np.min((np.maximum(tilted, 0) + spare) / _SLOPES)), spare / slope)
        if any(part.infinite for part in self.parts):
            # an infinite loss, the highest label, stays above all others whatever is beside it
            low = max(-float(np.min((np.maximum(self._down, 0) + depth) / _SLOPES)), self._most(-1))
            return low, max(min(high, self._most(1)), epsilon) - low
        low, high = max(low, self._most(-1)), max(min(high, self._most(1)), epsilon)
        return low, high

    def _most(self, side: int) -> float:
        """The largest sum of losses (side 1), or the smallest."""
        ends = [
            part.count * float(part.losses.max() if side > 0 else part.losses.min())
            for part in self.parts
        ]
        return sum(ends)

    def _step(self, slope: float, gap: float) -> Fraction:
        """A step of which some losses that are single numbers are multiples, where there are such.
        """
        allowed = gap / (slope * (1 + slope))
        spread, shares = 0.0, list[tuple[Losses, Floats]]()
        for part in self.parts:
            share = part.tilted(slope)
            shares.append((part, share))
            spread += part.count * float(share[~part.alone].sum())
        largest = max(float(np.abs(part.losses).max()) for part in self.parts) or 1.0
        first = min((4 * allowed / max(spread, 1e-12)) ** 0.5, largest)
        anchors = [
            loss for part, share in shares if float(share[part.alone].sum()) > _WORTH
            for loss in part.exact if loss
        ]  # fmt: skip
        step = Fraction(first).limit_denominator(1 << 40) or Fraction(1, 1 << 40)
        for _ in range(60):
            choices = [abs(loss) / ceil(abs(loss) / step) for loss in anchors] or [_short(step)]
            found = min(choices, key=lambda one: self._added(float(one), shares))
            if self._added(float(found), shares) <= allowed:
                return found
            step = step * 3 / 4
        return found

    @staticmethod
    def _added(step: float, shares: Sequence[tuple[Losses, Floats]]) -> float:
        """About how much a grid of this step adds to the variance of all losses."""
        total = 0.0
        for part, share in shares:
            places = part.losses[part.alone] / step
            off = np.abs(places - np.round(places)) * step
            single = float((share[part.alone] * off * (step - off)).sum())
            between = float(share[~part.alone].sum()) * step * step / 4
            total += part.count * (single + between)
        return total

    @staticmethod
    def spans(
        part: Losses, grid: LossGrid, slope: float, plain: float
    ) -> list[tuple[int, int, int]]:
        """Levels over the losses of a part, the wider apart the less mass is further out.

        `plain`: how far apart they may be where all the mass is.
        """
        step = float(grid.step)
        low = max(grid.low, floor(float(part.losses.min()) / step + 1e-9))
        high = min(grid.high, ceil(float(part.losses.max()) / step - 1e-9))
        high = max(high, low + 1)
        order = np.argsort(part.losses)
        losses, share = part.losses[order], part.tilted(slope)[order]
        before = np.concatenate([[0.0], np.cumsum(share)])

        def up_to(level: int) -> float:
            return float(before[np.searchsorted(losses, level * step, side="right")])

        spans, at = list[tuple[int, int, int]](), low
        while at <= high:
            stride, beyond = 1, 1 - up_to(at)
            while 2 * stride <= _WIDEST:
                little = max(1e-12, min(beyond, up_to(at + 2 * stride)))
                if 3 * (2 * stride * step / plain) ** 2 * little ** (2 / 3) > 1:
                    break
                stride *= 2
            if spans and spans[-1][2] == stride and spans[-1][1] + stride == at:
                spans[-1] = (spans[-1][0], at, stride)
            else:
                spans.append((at, at, stride))
            if at < high < at + stride:
                at = high
            else:
                at += stride
        return spans


def _short(step: Fraction) -> Fraction:
    """A power of 2 times a few bits, at most this."""
    scale = Fraction(1)
    while step * scale < 16:
        scale *= 2
    while step * scale >= 32:
        scale /= 2
    return Fraction(floor(step * scale)) / scale

