"""A float64 pass with a proved error bound: it only clears atoms that cannot be the worst.

For atoms on a lattice all sums have nonnegative terms, so rounding errors stay relative. With
u = 2**-53, blocks of m points and B blocks:

- a power of t rounded from a ball (checked): relative error <= 2u; a mass, its weight and total
  rounded and divided: <= 3u;
- a sum inside a block, in any order, with or without fused operations: <= (m + 5) u;
- the carry from block to block, a product with t**m and a sum each: <= (m + 5 + 4 B) u;
- a left or right sum, one more product and sum: <= (m + 9 + 4 B) u; both sides added, the right
  one moved by one step: <= (m + 13 + 4 B) u; a quotient of two of them: twice that and u.

Second-order terms are covered by the factor 2. Products that underflow are off by at most
2**-1022 each even where results are flushed to zero; values below 1e-250 end the pass, so that is
below 1e-45 relative. An atom whose computed ratio is smaller than the largest by more than three
bounds is not the largest. The rest go to balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import gcd

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Raw, raw

_BLOCK = 32
_FROM = 200  # atoms from which the pass pays
_FILL = 4  # lattice points per atom at most
_TINY = 1e-250
_LARGEST = 1 << 1000  # totals that a float can hold
_U = 2.0**-53
_MOST = 64  # more candidates than this and the ball pass over all atoms is cheaper

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Candidates:
    """Indices of the atoms that may carry the largest (`high`) and smallest (`low`) p/q."""

    high: list[int]
    low: list[int]


class Lattice:
    """Both priors as float masses on the points of one lattice, in blocks.

    Attributes: `step` in integer points of the pair, `blocks`, and where the atoms are.
    """

    def __init__(self, pair: Pair, step: int, size: int) -> None:
        self.step = step
        self.blocks = -(-size // _BLOCK)
        self.places: slice | list[int] = slice(0, size)
        if len(pair) < size:
            self.places = [(point - pair.points[0]) // step for point in pair.points]
        self.lines = []
        for weights, total in zip(pair.float_weights, pair.totals, strict=True):
            line = np.zeros(self.blocks * _BLOCK)
            line[self.places] = weights
            self.lines.append(line / total)

    @classmethod
    def of(cls, pair: Pair) -> Lattice | None:
        """Return the lattice of a pair, or None where it is small, or much larger than it."""
        if len(pair) < _FROM or max(pair.totals) > _LARGEST:
            return None
        step = reduce(gcd, pair.distinct_gaps)
        size = (pair.points[-1] - pair.points[0]) // step + 1
        return cls(pair, step, size) if size <= _FILL * len(pair) else None

    def sums(self, powers: Array) -> tuple[Array, Array]:
        """Return sum of mass * t**distance at every atom, for both priors.

        `powers` are t**0 ... t**m for a block of m points.
        """
        p, q = (_both_sides(line, powers)[self.places] for line in self.lines)
        return p, q

    def float_powers(self, rate: float) -> Array:
        """Return the powers for sums that need no error bound; `rate` is per integer point."""
        powers: Array = np.exp(-rate * self.step * np.arange(_BLOCK + 1))
        return powers


def error_bound(blocks: int) -> float:
    """Return the relative error bound of a ratio (see the module), with a factor 2 to spare."""
    return 2 * (2 * (_BLOCK + 13 + 4 * blocks) + 1) * _U


def surviving_atoms(pair: Pair, rate: Raw) -> Candidates | None:
    """Return the atoms that may be worst in either order, or None where the pass does not apply.

    It applies to at least a few hundred atoms on a lattice that is not much larger, whose sums
    stay far from underflow.
    """
    lattice = Lattice.of(pair)
    if lattice is None:
        return None
    powers = _powers(rate * lattice.step / pair.denominator)
    if powers is None:
        return None
    p, q = lattice.sums(powers)
    bound = error_bound(lattice.blocks)
    if min(float(p.min()), float(q.min())) < _TINY or bound > 1e-6:
        return None
    ratio = p / q
    high = np.flatnonzero(ratio >= ratio.max() * (1 - 3 * bound))
    low = np.flatnonzero(ratio <= ratio.min() * (1 + 3 * bound))
    if max(len(high), len(low)) > _MOST:
        return None
    return Candidates([int(k) for k in high], [int(k) for k in low])


def _powers(step: Raw) -> Array | None:
    """t**0 ... t**m as floats, each proved within 2u of t = e**(-step); None if it is not."""
    powers = np.empty(_BLOCK + 1)
    for j in range(_BLOCK + 1):
        exact = (-step * j).exp()
        powers[j] = float(exact.mid())
        if not abs(_raw_float(powers[j]) - exact) <= exact * _raw_float(2 * _U):
            return None
    return powers


def _raw_float(value: float) -> Raw:
    """Return a float as an exact raw ball."""
    numerator, denominator = value.as_integer_ratio()
    return raw(numerator) / denominator


def _both_sides(line: Array, powers: Array) -> Array:
    """Sum of weights times t**distance at every lattice point, from both sides."""
    left = _left(line, powers)
    right = _left(line[::-1], powers)[::-1]
    # the right sum without the point itself: one step further
    without = np.append(right[1:], 0.0) * powers[1]
    total: Array = left + without
    return total


def _left(line: Array, powers: Array) -> Array:
    """Sums over points at or below each point: blocks by one matrix product, then carries."""
    offsets = np.subtract.outer(np.arange(_BLOCK), np.arange(_BLOCK))
    matrix = np.where(offsets >= 0, powers[np.abs(offsets)], 0.0)
    inside = line.reshape(-1, _BLOCK) @ matrix.T
    ends = inside[:, -1].tolist()
    carries = [0.0]
    whole = float(powers[_BLOCK])
    for end in ends[:-1]:
        carries.append(carries[-1] * whole + end)
    total: Array = (inside + np.outer(carries, powers[1:])).ravel()
    return total
