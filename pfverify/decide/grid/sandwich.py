"""Two bounds of the hockey-stick divergence of several noisy numbers, from the values on a grid.

With g = p - e**epsilon q and the weights of pieces (F42b) the divergence lies between the sum over
cells of [sum over corners of weight g]_+ and the sum over points of W [g]_+. More places bring both
together, with an error that falls as the square of their distance.

Errors. p and q are off by `error_of` of themselves, weights by 8 u each, so every term by at most
their sum and a few roundings. What values below the normal numbers lose is together below
`_LEAST` times e**epsilon, which multiplies it. A sum of n nonnegative floats is off by at most n u
of itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from pfverify.decide.grid.axes import Division, Floats, U, error_of, size_of, values_on
from pfverify.decide.grid.pair import GridPair
from pfverify.exact.ball import precision
from pfverify.model.target import Target

_LEAST = 1e-250
_LARGEST = 1e280  # of e**epsilon: a smaller one bounds from above, and 0 from below
_BITS = 128
_MOST_CELLS = 1 << 24  # beyond which nothing is bounded from below
_LONGEST = 4096  # places of an axis that are cut further: sums go along it one by one


@dataclass(frozen=True)
class Ends:
    """lower <= the divergence <= upper, in floats that bound it."""

    lower: float
    upper: float

    def sign(self, delta: tuple[Fraction, Fraction]) -> int | None:
        """Return the sign of the divergence less a delta between two numbers; None if unknown."""
        if Fraction(self.upper) < delta[0]:
            return -1
        return 1 if Fraction(self.lower) > delta[1] else None


class Sandwich:
    """Both bounds of both orders, on the grid of a pair with more places on every axis.

    Where the grid of the pair does not fit nothing is known. An axis of one place is left out: all
    of it has one ratio, and its weights sum to 1.
    """

    def __init__(self, pair: GridPair, axes: Sequence[Division]) -> None:
        self.axes, self._fits = axes, pair.fits
        self._long = [axes[k] for k in pair.long]
        if not self._fits:
            return
        self._values = [values_on(axes, law) for law in pair.laws]
        size, dimensions = size_of(axes), len(self._long)
        self._error = error_of(axes) + (8 * dimensions + 8) * U
        self._sum_error = 1.01 * (2 * (size * 3**dimensions) + 16) * U

    def ends(self, growth: tuple[float, float], *, reverse: bool) -> Ends:
        """Return the bounds where e**epsilon lies between two floats; `reverse`: of Q over P."""
        if not self._fits:
            return Ends(0.0, 1.0)
        p, q = self._values[::-1] if reverse else self._values
        few = prod(axis.weights.cells for axis in self._long) <= _MOST_CELLS
        lower = self._lower(p, q, growth[1]) if few and growth[1] < _LARGEST else 0.0
        return Ends(lower, self._upper(p, q, min(growth[0], _LARGEST)))

    def _upper(self, p: Floats, q: Floats, growth: float) -> float:
        taken = growth * q
        values = np.maximum(p - taken + self._error * (p + taken), 0.0)
        for k, axis in enumerate(self._long):
            shape = [1] * values.ndim
            shape[k] = -1
            values = values * axis.weights.point.reshape(shape)
        total: float = float(values.sum()) * (1 + self._sum_error + self._error)
        return min(1.0, total + _LEAST * max(1.0, growth))

    def _lower(self, p: Floats, q: Floats, growth: float) -> float:
        found = self._excesses(p, q, growth)
        total: float = float(found.sum()) * (1 - self._sum_error)
        return max(0.0, total - _LEAST * max(1.0, growth))

    def _excesses(self, p: Floats, q: Floats, growth: float) -> Floats:
        """The positive excesses of cells, at least in part."""
        taken = growth * q
        values, errors = p - taken, self._error * (p + taken)
        for k, axis in enumerate(self._long):
            values = axis.weights.masses(values, k)
            errors = axis.weights.masses(errors, k)
        return np.maximum(values - 4 * errors, 0.0)

    def exceeding(self, growth: tuple[float, float], *, reverse: bool) -> int:
        """Return how many cells surely exceed, which refute together."""
        p, q = self._values[::-1] if reverse else self._values
        return int(np.count_nonzero(self._excesses(p, q, growth[1])))


def growth_of(target: Target) -> tuple[float, float]:
    """Return floats around e**epsilon, the upper one infinite where no float is that large."""
    with precision(_BITS):
        ball = target.exp_epsilon()
        low, high = float(ball.lower()), float(ball.upper())
    return float(np.nextafter(low, 0.0)), float(np.nextafter(high, np.inf))


def divisions(pair: GridPair, most: int) -> list[list[Division]]:
    """Return grids of a pair, from its own to ever finer ones of at most so many points."""
    found, fineness = [pair.whole], 1.0
    while True:
        axes = [axis.divided(fineness) for axis in pair.axes]
        if size_of(axes) > most or max(axis.size for axis in axes) > _LONGEST:
            return found
        if any(new.pieces != old.pieces for new, old in zip(axes, found[-1], strict=True)):
            found.append(axes)
        elif all(axis.is_finest for axis in axes):
            return found
        fineness /= 2
