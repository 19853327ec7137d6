"""Sums over the atoms in float64, with a proved error bound, for atoms on a lattice.

All terms are nonnegative, so rounding errors stay relative. With u = 2**-53, blocks of m points
and B blocks, whose sums are carried from block to block in K = ceil(log2 B) doublings:

- a power of t rounded from a ball (checked): relative error <= 2u; a mass, its weight and total
  rounded and divided: <= 3u;
- a sum inside a block, in any order, with or without fused operations: <= (m + 5) u. At its first
  and last point it is what the block hands on to the right and to the left;
- a doubling adds to every carry the one 2**k blocks away, times a power: each adds 2u + u + u, so a
  carry has <= (m + 5 + 4 K) u;
- both carries, each moved by one more power and added: <= (m + 10 + 4 K) u; a quotient of two such
  sums: twice that and u.

Second-order terms, also those of a logarithm, are covered by one per cent that is added. Products
that underflow are off by at most 2**-1022 each, even where results are flushed to zero, and powers
below 1e-300 are taken as 0. Values below 1e-250 must not be used: above that all this is below
1e-40 relative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, repeat
from math import exp, gcd
from operator import mul

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Raw, proved_floats, raw
from pfverify.laws.sweep.merged import Integers, Merged, as_list

_BLOCK = 32
_ROWS = 128  # blocks of one matrix product: it stays in the cache, and in one thread
_FILL = 4  # lattice points per atom at most
_U = 2.0**-53
_TINY = 1e-250  # above it a sum has the bound of its error
_DISTANCES = np.abs(np.subtract.outer(np.arange(_BLOCK), np.arange(_BLOCK)))

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Powers:
    """t**0 ... t**m for the points of a block, and t**m, t**2m, t**4m, ... to carry over blocks."""

    near: Array
    far: list[float]


@dataclass(frozen=True)
class Ratios:
    """p/q at every atom in floats, each with a relative error of at most `error`."""

    ratio: Array
    error: float


class LatticeMasses:
    """Both priors as float masses on the points of one lattice.

    Attributes: `step` in integer points of the pair, `size`, how many points there are, and
    `places`, where the atoms are.
    """

    def __init__(self, atoms: Merged, totals: tuple[int, int], step: int, size: int) -> None:
        self.step, self.size = step, size
        self.places: slice | Integers = slice(0, size)
        first = atoms.points[0]
        if len(atoms.points) < size:
            self.places = np.array([(point - first) // step for point in as_list(atoms.points)])
        self._blocks = -(-size // _BLOCK)
        rows = min(self._blocks, _ROWS)
        self._masses = np.zeros((2, -(-self._blocks // rows), rows, _BLOCK))
        lines = self._lines(self._masses)
        for line, weights, total in zip(lines, atoms.weights, totals, strict=True):
            line[self.places] = np.array(weights, dtype=float) / float(total)

    @classmethod
    def of(cls, atoms: Merged, totals: tuple[int, int]) -> LatticeMasses | None:
        """Return the lattice of two priors; None where it is far larger than their support."""
        step = gcd(*atoms.distinct_gaps)
        size = int(atoms.points[-1] - atoms.points[0]) // step + 1
        return cls(atoms, totals, step, size) if size <= _FILL * len(atoms.points) else None

    @staticmethod
    def _lines(blocks: Array) -> Array:
        """The same numbers in one line for either prior."""
        return blocks.reshape(2, -1)

    @property
    def error_bound(self) -> float:
        """The relative error of a quotient of two sums, and the error of its logarithm.

        See the module; it does not depend on t.
        """
        return 1.01 * (2 * (_BLOCK + 10 + 4 * len(self._doublings())) + 1) * _U

    def float_powers(self, rate: float) -> Powers:
        """Return powers of t = e**-rate, a step of the lattice, for sums without an error bound."""
        near = np.exp(-rate * np.arange(_BLOCK + 1))
        far = [exp(-rate * steps) for steps in self._doublings()]
        return Powers(near, far)

    def powers(self, rate: Raw) -> Powers | None:
        """Return powers of t = e**(-rate step), each proved (see the module), or else None."""
        unit = -rate * self.step
        near = accumulate(repeat(unit.exp(), _BLOCK), mul, initial=raw(1))
        found = proved_floats([*near, *((unit * steps).exp() for steps in self._doublings())])
        return None if found is None else Powers(np.array(found[: _BLOCK + 1]), found[_BLOCK + 1 :])

    def _doublings(self) -> list[int]:
        """How many points the blocks are apart from which a carry comes, in each doubling."""
        return [_BLOCK << k for k in range((self._blocks - 1).bit_length())]

    def sums(self, powers: Powers) -> Array:
        """Return sum of mass * t**distance at every atom, a row for each prior."""
        inside = self._masses @ powers.near[_DISTANCES]
        blocks = inside.reshape(2, -1, _BLOCK)
        before = self._carried(blocks[:, :, -1], blocks[:, :, 0], powers)
        steps_from_there = np.array([powers.near[1:], powers.near[:0:-1]])
        inside += before.reshape(*inside.shape[:3], 2) @ steps_from_there
        return self._lines(inside)[:, self.places]

    def ratios(self, powers: Powers) -> Ratios | None:
        """Return p/q at every atom, None where a sum is too small for the bound of its error."""
        sums = self.sums(powers)
        return Ratios(sums[0] / sums[1], self.error_bound) if sums.min() >= _TINY else None

    def one_sided(self, powers: Powers) -> tuple[Array, Array]:
        """Return the sums over the atoms up to every atom, and over those from it on, as `sums`.

        Their relative errors are at most those of a sum over both sides.
        """
        near = powers.near[_DISTANCES]
        left, right = self._masses @ np.triu(near), self._masses @ np.tril(near)
        ends = (side.reshape(2, -1, _BLOCK) for side in (left, right))
        lasts, firsts = next(ends)[:, :, -1], next(ends)[:, :, 0]
        before = self._carried(lasts, firsts, powers).reshape(*left.shape[:3], 2)
        left += before[..., :1] * powers.near[1:]
        right += before[..., 1:] * powers.near[:0:-1]
        return self._lines(left)[:, self.places], self._lines(right)[:, self.places]

    def _carried(self, lasts: Array, firsts: Array, powers: Powers) -> Array:
        """Return what comes into every block from the left and from the right."""
        # of both priors, what comes from the left and, mirrored, from the right
        carried = np.array([lasts, firsts[:, ::-1]])
        for k, power in enumerate(powers.far):
            if not power:
                break
            carried[:, :, 1 << k :] += power * carried[:, :, : -(1 << k)]
        before = np.zeros((*lasts.shape, 2))
        before[:, 1:, 0] = carried[0, :, :-1]
        before[:, :-1, 1] = carried[1, :, -2::-1]
        return before
