"""Left and right sums at chosen atoms, to any precision, for whole weights on a lattice.

The points of the lattice stand in blocks. The powers t**j inside a block are integers f_j over
2**F, |t**j 2**F - f_j| < 2, cut into limbs of so few bits that float64 adds products of limbs and
weights without rounding: a product of matrices of them is exact. Balls carry the sums from block to
block. The f_j put a sum off by less than twice the sum of all weights, in units of 2**-F.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Raw, around, current_precision, precision, raw
from pfverify.laws.sweep.sides import Atoms, Factors, SideSums

_BLOCK = 64
_EXACT = 53 - 6  # bits of a product of two integers: 64 of them are added
_PIECE = 26  # bits of a piece of a weight at most
_GUARD = 12  # bits of the f_j beyond the working precision
_AT_ONCE = 1 << 13  # atoms whose neighbours are in memory together

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Blocks:
    """The weights of two priors on the points of a lattice.

    Attributes: `places`, where the atoms are, in steps from the first; `step`, its length;
    `cumulative`, the weights of both priors added up; `totals`, all of them; `points`, how many the
    blocks have; `pieces`, the weights themselves in pieces of few bits, by their shift.
    """

    def __init__(self, places: Integers, step: int, weights: Sequence[Integers]) -> None:
        self.places, self.step = places, step
        self.cumulative = [np.cumsum(column) for column in weights]
        self.totals = [int(column[-1]) for column in self.cumulative]
        self.points = (int(places[-1]) // _BLOCK + 2) * _BLOCK  # the last block has no weight
        bits = max(int(column.max()) for column in weights).bit_length()
        self.limb = _EXACT - min(bits, _PIECE)
        self.pieces: dict[int, Floats] = {}
        for shift in range(0, bits, _PIECE):
            lines = np.zeros((2, self.points))
            for line, column in zip(lines, weights, strict=True):
                line[places] = (column >> shift) & ((1 << _PIECE) - 1)
            self.pieces[shift] = lines


class _Powers:
    """Powers of t = e**(-step), as balls and, over a block, as integers f_j over 2**`bits`."""

    def __init__(self, step: Raw, balls: list[Raw], fixed: list[int], bits: int) -> None:
        self._step, self._balls, self._fixed = step, dict(enumerate(balls)), fixed
        self.bits = bits

    @classmethod
    def of(cls, step: Raw, bits: int) -> _Powers | None:
        """Return the powers, None where the current precision is not enough."""
        balls = list(accumulate([(-step).exp()] * _BLOCK, mul, initial=raw(1)))
        fixed = [_whole(ball * (1 << bits)) for ball in balls[:_BLOCK]]
        known = [f for f in fixed if f is not None]
        return cls(step, balls, known, bits) if len(known) == len(fixed) else None

    def power(self, steps: int) -> Raw:
        """Return t**steps."""
        if steps not in self._balls:
            self._balls[steps] = (-self._step * steps).exp()
        return self._balls[steps]

    def limbs(self, width: int) -> Floats:
        """Return the integers f_j in pieces of `width` bits, a row for each."""
        shifts = range(0, self.bits + 1, width)
        return np.array(
            [[(f >> shift) % (1 << width) for shift in shifts] for f in self._fixed], float
        )


class FixedSums(SideSums):
    """Sums of weight * t**distance over the points on one side of an atom, that one included.

    Each is that of both priors together, with a factor for either.
    """

    def __init__(self, blocks: Blocks, powers: _Powers) -> None:
        """Prepare the sums at the current precision."""
        self.blocks, self._powers = blocks, powers
        self._limbs = powers.limbs(blocks.limb)
        self._before = self._carried(1)
        self._behind = self._carried(-1)

    @classmethod
    def of(cls, blocks: Blocks, unit: Callable[[], Raw]) -> FixedSums | None:
        """Return the sums for t = e**(-unit * step) at the current precision.

        `unit` gives its number at any precision. None where a power is not known well enough.
        """
        bits = current_precision() + _GUARD
        with precision(bits + _GUARD):
            powers = _Powers.of(unit() * blocks.step, bits)
        return None if powers is None else cls(blocks, powers)

    def power(self, steps: int) -> Raw:
        """Return t**steps."""
        return self._powers.power(steps)

    @property
    def cumulative(self) -> Sequence[Integers]:
        """The weights of either prior, added up to every atom."""
        return self.blocks.cumulative

    def beside(self, atoms: Atoms, factors: Factors, side: int) -> list[Raw]:
        """Return the sums over the points before atoms (`side` -1) or behind (1), and there."""
        carries = self._before if side < 0 else self._behind
        return list(self._sums(np.asarray(atoms, np.int64), factors, side, carries))

    def _carried(self, side: int) -> list[list[Raw]]:
        """The sum at the last point before every block (`side` 1), or at the first behind it.

        In units of 2**-F, and without the error of the f_j.
        """
        points = np.arange(self.blocks.points).reshape(-1, _BLOCK)
        near, far = points[::side, ::-side], self.power(_BLOCK)
        return [
            [*accumulate(sums[:-1], lambda carry, own: carry * far + own, initial=raw(0))][::side]
            for sums in self._exact(near)
        ]

    def _sums(
        self, atoms: Integers, factors: Factors, side: int, carries: list[list[Raw]]
    ) -> Iterator[Raw]:
        unit = raw(1) / (1 << self._powers.bits)
        up, down = (factor * unit for factor in factors)
        slack = raw(0)
        for factor, total in zip((up, down), self.blocks.totals, strict=True):
            slack += abs(factor) * around(0, 2 * total)
        first, second = carries
        for start in range(0, len(atoms), _AT_ONCE):
            places = self.blocks.places[atoms[start : start + _AT_ONCE]]
            block, inside = np.divmod(places, _BLOCK)
            reach = inside if side < 0 else _BLOCK - 1 - inside
            near = places[:, None] + side * np.arange(_BLOCK)
            near[np.arange(_BLOCK) > reach[:, None]] = -1  # a point without weight
            own = self._exact(near)
            for b, steps, p, q in zip(block.tolist(), (reach + 1).tolist(), *own, strict=True):
                power = self.power(steps)
                yield (first[b] * power + p) * up + (second[b] * power + q) * down + slack

    def _exact(self, near: Integers) -> list[list[Raw]]:
        """Sums of f_j times the weight of the j-th point of each row, for both priors."""
        whole: Any = 0
        for shift, lines in self.blocks.pieces.items():
            products = (lines[:, near] @ self._limbs).astype(np.int64).astype(object)
            for k in range(products.shape[-1]):
                whole = whole + (products[..., k] << (shift + k * self.blocks.limb))
        return [list(map(raw, row)) for row in whole]


def _whole(value: Raw) -> int | None:
    """Return an integer less than 2 away from a ball, or None."""
    near = value.mid().floor().unique_fmpz() if value.is_finite() else None
    return int(near) if near is not None and abs(value - int(near)) < 2 else None
