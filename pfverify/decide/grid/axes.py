"""The coordinates of a grid, and sums of exponentials along each of them in floats.

Errors. With u = 2**-53, each of the n steps of a recurrence multiplies by a factor that is off by
at most 2 u of itself, rounds the product and rounds a sum of nonnegative numbers: at most 4 u of
the value each. What comes out of d axes is thus off by at most (1 + u)**(4 sum (n_i + 1) + 4) - 1
of itself, masses included, which `error_of` bounds. Factors below 2**-1000 are taken as 0, and what
is rounded below the normal numbers loses at most 2**-1074: together less than 2**-980 of a
probability, nothing beside values above `SAFE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, prod

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.rising import rising
from pfverify.laws.rate import Rate

Floats = NDArray[np.float64]
Point = tuple[Fraction, ...]
Masses = Mapping[Point, Fraction]
U = 2.0**-53
SAFE = 2.0**-900
"""Values above it have the relative error bound."""
_FIRST_BITS, _NEEDED_BITS = 128, 60
_NOTHING = 2.0**-1000


@dataclass(frozen=True, eq=False)
class GridAxis:
    """One coordinate: its places, sorted, and the noise on it; `step` of its lattice, if any."""

    places: tuple[Fraction, ...]
    rate: Rate
    step: Fraction | None

    @cached_property
    def gaps(self) -> list[Fraction]:
        """The distances of neighbouring places."""
        return [b - a for a, b in pairwise(self.places)]

    @cached_property
    def index(self) -> dict[Fraction, int]:
        """Place -> its number."""
        return {place: k for k, place in enumerate(self.places)}

    @cached_property
    def factors(self) -> Floats:
        """e**(-gap/scale) of every gap, each off by at most 2 u of itself, or 0."""
        known = {gap: _as_float(lambda gap=gap: self.power(gap)) for gap in set(self.gaps)}
        return np.array([known[gap] for gap in self.gaps])

    def power(self, distance: Fraction) -> Raw:
        """Return e**(-distance/scale) as a ball at the current precision."""
        return (-self.rate.ball().raw * raw(distance)).exp()

    @cached_property
    def pieces(self) -> Pieces:
        """The weights of the pieces of this coordinate."""
        return Pieces.of(self)

    def divided(self, fineness: Fraction) -> list[Fraction]:
        """Return places that cut every gap into pieces of at most so many scales, evenly.

        On the lattice they are points of it; all of them where the pieces would be shorter.
        """
        found: list[Fraction] = []
        with precision(_FIRST_BITS):
            inverse = float(self.rate.ball().raw)
        for start, gap in zip(self.places, self.gaps, strict=False):
            wanted = max(1, ceil(min(float(gap) * inverse / float(fineness), 1e9)))
            if self.step is None:
                found += [start + gap * j / wanted for j in range(1, wanted)]
                continue
            steps = int(gap / self.step)
            wanted = min(wanted, steps)
            inner = dict.fromkeys(steps * j // wanted for j in range(1, wanted))
            found += [start + self.step * j for j in inner]
        return found

    def cut(self, cuts: Iterable[Fraction]) -> GridAxis:
        """Return the axis with more places."""
        return GridAxis(tuple(sorted({*self.places, *cuts})), self.rate, self.step)


@dataclass(frozen=True)
class Pieces:
    """The weights of an axis' pieces: tails, the places themselves (lattice), gaps (F42b).

    The mass of a piece is a sum of the values at its ends times these weights: `tail` for the end
    places, `own` for every place (0 on the line), `gap` for both ends of each gap. `point` is what
    a place has in all, its weight in the upper sum. All are off by at most 8 u of themselves.
    """

    tail: float
    own: float
    gap: Floats
    point: Floats

    @classmethod
    def of(cls, axis: GridAxis) -> Pieces:
        """Return the weights of an axis."""

        def unit() -> Raw:
            return raw(1) if axis.step is None else axis.power(axis.step)

        def gap_weight(gap: Fraction) -> float:
            if gap == axis.step:
                return 0.0
            return _as_float(
                lambda: (unit() - axis.power(gap)) / (1 + axis.power(gap)) / (1 + unit())
            )

        tail = _as_float(lambda: unit() / (1 + unit()))
        own = 0.0 if axis.step is None else _as_float(lambda: (1 - unit()) / (1 + unit()))
        known = {gap: gap_weight(gap) for gap in set(axis.gaps)}
        gaps = np.array([known[gap] for gap in axis.gaps])
        point = np.full(len(axis.places), own)
        point[:-1] += gaps
        point[1:] += gaps
        point[0] += tail
        point[-1] += tail
        return cls(tail, own, gaps, point)

    def masses(self, values: Floats, axis: int) -> Floats:
        """Return the values at places, summed over the ends of every piece along an axis."""
        moved = np.moveaxis(values, axis, 0)
        shape = (-1,) + (1,) * (moved.ndim - 1)
        gaps = (moved[:-1] + moved[1:]) * self.gap.reshape(shape)
        tails = moved[:1] * self.tail, moved[-1:] * self.tail
        own = [] if not self.own else [moved * self.own]
        return np.moveaxis(np.concatenate([tails[0], gaps, tails[1], *own]), 0, axis)


def _as_float(number: object) -> float:
    """Return a positive number as a float, off by at most 2 u of itself; 0 where it is tiny."""
    for bits in rising(_FIRST_BITS):
        with precision(bits):
            ball: Raw = number()  # type: ignore[operator]
            if ball < _NOTHING:
                return 0.0
            if ball.rel_accuracy_bits() >= _NEEDED_BITS:
                return float(ball)
    raise RuntimeError("a weight of a grid has no precision")  # of a positive number there is one


class Values:
    """P or Q with its noise at every point of a grid, as probabilities of the grid's cells are."""

    def __init__(self, axes: Sequence[GridAxis], masses: Masses) -> None:
        found = np.zeros(tuple(len(axis.places) for axis in axes))
        for point, mass in masses.items():
            found[tuple(axis.index[x] for axis, x in zip(axes, point, strict=True))] = mass
        for k, axis in enumerate(axes):
            found = _along(found, axis.factors, k)
        self.floats = found


def error_of(axes: Sequence[GridAxis]) -> float:
    """Return the relative error bound of `Values` above `SAFE`; see the module."""
    steps = 4 * sum(len(axis.places) + 1 for axis in axes) + 4
    return 1.01 * steps * U


def _along(values: Floats, factors: Floats, axis: int) -> Floats:
    """The sums over both sides of every place of one axis."""
    moved = np.ascontiguousarray(np.moveaxis(values, axis, 0))
    found = np.empty_like(moved)
    found[0] = moved[0]
    for k, factor in enumerate(factors, 1):
        np.multiply(found[k - 1], factor, out=found[k])
        found[k] += moved[k]
    beyond = moved[-1].copy()
    for k in range(len(factors) - 1, -1, -1):
        beyond *= factors[k]
        found[k] += beyond
        beyond += moved[k]
    return np.moveaxis(found, 0, axis)


def size_of(axes: Sequence[GridAxis]) -> int:
    """Return how many points a grid has."""
    return prod(len(axis.places) for axis in axes)
