"""The coordinates of a grid, and sums of exponentials along each of them in floats.

Errors. With u = 2**-53, each of the n steps of a recurrence multiplies by a factor that is off by
at most 2 u of itself, rounds the product and rounds a sum of nonnegative numbers: at most 4 u of
the value each. What comes out of d axes is thus off by at most (1 + u)**(4 sum (n_i + 1) + 4) - 1
of itself, masses included, which `error_of` bounds. Factors below 2**-1000 are taken as 0, and what
is rounded below the normal numbers loses at most 2**-1074: together less than 2**-980 of a
probability, nothing beside values above `SAFE`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from pfverify.laws.sweep.ring import sums_around

Floats = NDArray[np.float64]
Point = tuple[Fraction, ...]
Masses = Mapping[Point, Fraction]
U = 2.0**-53
SAFE = 2.0**-900
"""Values above it have the relative error bound."""
_FIRST_BITS, _NEEDED_BITS = 128, 60
_NOTHING = 2.0**-1000
_MOST = 1e9  # pieces of a gap: more than any grid has


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

    def power(self, distance: Fraction) -> Raw:
        """Return e**(-distance/scale) as a ball at the current precision."""
        return (-self.rate.ball().raw * raw(distance)).exp()

    @cached_property
    def whole(self) -> Division:
        """The axis with no more places."""
        return Division(self, tuple([1] * len(self.gaps)))

    def divided(self, fineness: float) -> Division:
        """Return the axis with every gap cut evenly into pieces of at most so many scales.

        On the lattice into no more than there are steps in it.
        """
        with precision(_FIRST_BITS):  # a gap need not be a float
            scales = [float(self.rate.ball().raw * raw(gap)) for gap in self.gaps]
        wanted = [max(1, ceil(min(one / fineness, _MOST))) for one in scales]
        if self.step is not None:
            wanted = [min(one, int(gap / self.step))
                      for one, gap in zip(wanted, self.gaps, strict=True)]  # fmt: skip
        return Division(self, tuple(wanted))


@dataclass(frozen=True, eq=False)
class Division:
    """An axis with more places: into how many pieces each gap is cut, evenly."""

    axis: GridAxis
    pieces: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many places there are."""
        return sum(self.pieces) + 1

    @property
    def is_finest(self) -> bool:
        """Whether no finer cuts are to be had: no gaps, or all points of a lattice."""
        step = self.axis.step
        return not self.pieces or (
            step is not None
            and all(int(a / step) == n for a, n in zip(self.axis.gaps, self.pieces, strict=True))
        )

    @property
    def cuts(self) -> list[Fraction]:
        """The places that are not those of the axis."""
        found: list[Fraction] = []
        for start, gap, pieces in zip(self.axis.places, self.axis.gaps, self.pieces, strict=False):
            if self.axis.step is None:
                found += [start + gap * j / pieces for j in range(1, pieces)]
            else:
                steps, step = int(gap / self.axis.step), self.axis.step
                found += [start + step * (steps * j // pieces) for j in range(1, pieces)]
        return found

    @cached_property
    def positions(self) -> NDArray[np.int64]:
        """Where each place of the axis is among all places."""
        return np.concatenate([[0], np.cumsum(self.pieces, dtype=np.int64)]).astype(np.int64)

    def _by_length(self, value: Callable[[Fraction], float]) -> Floats:
        """What depends on its length alone, for the piece before every further place."""
        known: dict[Fraction, float] = {}

        def of(length: Fraction) -> float:
            if length not in known:
                known[length] = value(length)
            return known[length]

        found = [np.empty(0)]
        for gap, pieces in zip(self.axis.gaps, self.pieces, strict=True):
            if self.axis.step is None:
                found.append(np.full(pieces, of(gap / pieces)))
                continue
            steps = int(gap / self.axis.step)
            ends = [steps * j // pieces for j in range(pieces + 1)]
            found.append(np.array([of((b - a) * self.axis.step) for a, b in pairwise(ends)]))
        return np.concatenate(found)

    @cached_property
    def factors(self) -> Floats:
        """e**(-length/scale) of every piece, each off by at most 2 u of itself, or 0."""
        return self._by_length(lambda length: _as_float(lambda: self.axis.power(length)))

    @cached_property
    def weights(self) -> Weights:
        """The weights of the pieces of this coordinate."""
        return Weights.of(self)


@dataclass(frozen=True)
class Weights:
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
    def of(cls, division: Division) -> Weights:
        """Return the weights of a divided axis."""
        axis = division.axis

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
        gaps = division._by_length(gap_weight)
        point = np.full(division.size, own)
        point[:-1] += gaps
        point[1:] += gaps
        point[0] += tail
        point[-1] += tail
        return cls(tail, own, gaps, point)

    def masses(self, values: Floats, axis: int) -> Floats:
        """Return the values at places, summed over the ends of every piece along an axis."""
        if not len(self.gap):
            return values  # in all of the line the ratio is one, and the weights sum to 1
        moved = np.moveaxis(values, axis, 0)
        shape = (-1,) + (1,) * (moved.ndim - 1)
        gaps = (moved[:-1] + moved[1:]) * self.gap.reshape(shape)
        tails = moved[:1] * self.tail, moved[-1:] * self.tail
        own = [] if not self.own else [moved * self.own]
        return np.moveaxis(np.concatenate([tails[0], gaps, tails[1], *own]), 0, axis)

    @property
    def cells(self) -> int:
        """How many pieces there are, or fewer that tell as much."""
        size = len(self.gap)
        return 1 if not size else size + 2 + (size + 1 if self.own else 0)


def _as_float(number: Callable[[], Raw]) -> float:
    """Return a positive number as a float, off by at most 2 u of itself; 0 where it is tiny."""
    for bits in rising(_FIRST_BITS):
        with precision(bits):
            ball = number()
            if ball < _NOTHING:
                return 0.0
            if ball.rel_accuracy_bits() >= _NEEDED_BITS:
                return float(ball)
    raise RuntimeError("a weight of a grid has no precision")  # of a positive number there is one


def values_on(axes: Sequence[Division], masses: Masses) -> Floats:
    """Return P or Q with its noise at every point of a grid, up to the weights of its cells.

    An axis of one place, which all atoms have, is no dimension of what is returned.
    """
    long = [k for k, one in enumerate(axes) if one.size > 1]
    found = np.zeros(tuple(axes[k].size for k in long))
    for point, mass in masses.items():
        found[tuple(axes[k].positions[axes[k].axis.index[point[k]]] for k in long)] = mass
    for place, k in enumerate(long):
        found = _along(found, axes[k].factors, place)
    return found


def error_of(axes: Sequence[Division]) -> float:
    """Return the relative error bound of `values_on` above `SAFE`; see the module."""
    steps = 4 * sum(axis.size + 1 for axis in axes) + 4
    return 1.01 * steps * U


def _along(values: Floats, factors: Floats, axis: int) -> Floats:
    """The sums over both sides of every place of one axis."""
    rows = np.ascontiguousarray(np.moveaxis(values, axis, 0))
    return np.moveaxis(np.array(sums_around(0.0, [*rows], factors.tolist())), 0, axis)


def size_of(axes: Sequence[Division]) -> int:
    """Return how many points a grid has."""
    return prod(axis.size for axis in axes)
