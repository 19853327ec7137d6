"""The number R of a few outputs of one X with (discrete) Laplace noise: from both sides, by cells.

The values of each output are those of the points and places between them. In a cell p and q are
combinations of what they are at its corners, with the same weights >= 0, whose integrals are known
(design fact F42b). R of what is joined is at most the sum of R (F90): so the masses of cells bound
it from below, and what the integrand is at the corners, weighted, from above.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import floor, prod

from pfverify.decide.renyi.moment import RenyiMoment, power
from pfverify.decide.renyi.outputs import LaplaceOutput, OneOutput
from pfverify.exact.ball import Raw, raw
from pfverify.model.priors.joint import Point

_MOST = 1 << 11  # cells
_MOST_AXES = 3
_FINEST = 64  # parts of a gap
_BITS = 1 << 8
Law = Mapping[Point, Fraction]
Piece = tuple[int, int, Raw]
"""The places of both ends of a part of a line, which may be one, and its weight."""


class CellGrid:
    """The values of every output, as finely cut as there may be cells."""

    def __init__(self, p: Law, q: Law, outputs: Sequence[LaplaceOutput], parts: int) -> None:
        self.laws, self.outputs = (p, q), outputs
        self.values = [self._cut(of, parts) for of in outputs]

    def _cut(self, of: LaplaceOutput, parts: int) -> list[Fraction]:
        places = sorted({x[of.place] for law in self.laws for x in law})
        found = {*places}
        for low, high in pairwise(places):
            for k in range(1, parts):
                at = (high - low) * k / parts
                found.add(low + (at if of.step is None else floor(at / of.step) * of.step))
        return sorted(found)

    @property
    def size(self) -> int:
        """How many cells there are, at most."""
        both = zip(self.values, self.outputs, strict=True)
        return prod(len(axis) * (1 if of.step is None else 2) + 1 for axis, of in both)

    def pieces(self) -> list[list[Piece]]:
        """Return the parts of the line, or lattice, of every output."""
        return [
            _pieces(of, axis) for of, axis in zip(self.outputs, self.values, strict=True)
        ]

    def density(self, law: Law) -> list[Raw]:
        """Return p up to a constant at every place of the grid; the last output changes first."""
        decays = []
        for of, axis in zip(self.outputs, self.values, strict=True):
            rate = of.rate.ball().raw
            far = {abs(x[of.place] - y) for x in law for y in axis}
            decays.append({d: (-rate * raw(d)).exp() for d in far})
        masses = [(x, raw(mass)) for x, mass in law.items()]
        found = []
        for place in product(*self.values):
            total = raw(0)
            for x, mass in masses:
                one = mass
                for y, of, known in zip(place, self.outputs, decays, strict=True):
                    one = one * known[abs(x[of.place] - y)]
                total += one
            found.append(total)
        return found


def grid_of(p: Law, q: Law, outputs: Sequence[OneOutput]) -> CellGrid | None:
    """Return the grid of some outputs; None where they are too many, or have other noise."""
    each = [
        of for of in outputs if isinstance(of, LaplaceOutput)
        for _ in range(min(of.times, _MOST_AXES + 1))
    ]  # fmt: skip
    if len(each) > _MOST_AXES or not all(isinstance(of, LaplaceOutput) for of in outputs):
        return None
    found = None
    for parts in range(1, _FINEST + 1):
        grid = CellGrid(p, q, each, parts)
        if grid.size > _MOST:
            return found
        found = grid
    return found


class OfCells(RenyiMoment):
    """What the cells bound: from below, or (`above`) from above, of the second law turned round."""

    most_bits = _BITS

    def __init__(self, grid: CellGrid, order: Fraction, *, turned: bool, above: bool) -> None:
        self.grid, self.order, self.turned, self.above = grid, order, turned, above

    def ball(self) -> Raw:
        """Return the sum over the grid, or over the cells."""
        grid = self.grid
        laws = grid.laws[::-1] if self.turned else grid.laws
        p, q = (grid.density(law) for law in laws)
        sizes, pieces = [len(axis) for axis in grid.values], grid.pieces()
        total = raw(0)
        if self.above:
            for x, y, weights in zip(p, q, product(*_around(pieces, sizes)), strict=True):
                total += prod(weights, start=raw(1)) * y * power(x / y, self.order)
            return total
        p, q = (_joined(law, sizes, pieces) for law in (p, q))
        return sum((y * power(x / y, self.order) for x, y in zip(p, q, strict=True)), total)


def _pieces(of: LaplaceOutput, axis: Sequence[Fraction]) -> list[Piece]:
    if len(axis) == 1:
        return [(0, 0, raw(1))]
    rate, last = of.rate.ball().raw, len(axis) - 1
    t = raw(1) if of.step is None else (-rate * raw(of.step)).exp()
    found = [(k, k, t / (1 + t)) for k in (0, last)]
    if of.step is not None:
        found += [(k, k, (1 - t) / (1 + t)) for k in range(last + 1)]
    for k, (low, high) in enumerate(pairwise(axis)):
        if high - low != of.step:
            tau = (-rate * raw(high - low)).exp()
            found.append((k, k + 1, (t - tau) / ((1 + t) * (1 + tau))))
    return found


def _around(pieces: Sequence[Sequence[Piece]], sizes: Sequence[int]) -> list[list[Raw]]:
    """The weight of all pieces around every value of an output."""
    found = []
    for parts, size in zip(pieces, sizes, strict=True):
        total = [raw(0)] * size
        for a, b, weight in parts:
            for k in {a, b}:
                total[k] = total[k] + weight
        found.append(total)
    return found


def _joined(
    found: list[Raw], sizes: Sequence[int], pieces: Sequence[Sequence[Piece]]
) -> list[Raw]:
    """The masses of all cells, one output after the other."""
    for k, parts in enumerate(pieces):
        inner = prod(sizes[k + 1 :])
        made = []
        for n in range(len(found) // (sizes[k] * inner)):
            slabs = [found[(n * sizes[k] + j) * inner :][:inner] for j in range(sizes[k])]
            for a, b, weight in parts:
                both = zip(slabs[a], slabs[b], strict=True)
                made += [weight * (x if a == b else x + y) for x, y in both]
        found = made
    return found
