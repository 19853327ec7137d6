"""Numbers from 0 to 1 on a grid, many in one integer, with one bound of all their errors.

A number is stored as its floor in units of 2^-bits, in a slot of `width` bytes; the slots of a grid
stand in the order of its coordinates, the last changing first, and a slab is those with one value
of a coordinate.  Every operation rounds down and adds to `error`, which bounds by how many units
any of the true numbers lies above its slot.  All summands are positive, so with enough bits (which
is not relied on) the smallest number has a small relative error.  A slot has room for a product,
whose lower half is cut off: one product, shift and mask of Python's serve a whole slab.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from core.enclose import Interval, shift_ceil, shift_floor
from core.work import TooMuchWork, spend

MOST_BYTES = 1 << 27  # of the slots of one grid
WINDOW = 1 << 12  # slots that are compared at a time
Slabs = list[int]


class Unit(NamedTuple):
    """Of 2^-bits, in slots of so many bytes."""

    bits: int
    width: int

    def floor(self, x: Interval) -> int:
        """At most x, in units."""
        return max(0, shift_floor(x[0], x[2] + self.bits))

    def ceil(self, x: Interval) -> int:
        """At least x, in units."""
        return shift_ceil(x[1], x[2] + self.bits)

    def each(self, x: int, count: int) -> int:
        """The same number in so many slots."""
        return int.from_bytes(x.to_bytes(self.width, "little") * count, "little")

    def lower_bits(self, count: int, without: int) -> int:
        """The mask of all bits of slots but the uppermost ones."""
        return self.each((1 << 8 * self.width - without) - 1, count)

    def charge(self, count: int, factor: int) -> None:
        """The work of products of so many slots with a number of so many bits."""
        spend(1 + (count * self.width * (150 + factor // 4) >> 15))


class Sheet(NamedTuple):
    """A grid of such numbers: how many values each coordinate has."""

    unit: Unit
    sizes: tuple[int, ...]
    data: bytes
    error: int

    def slabs(self, axis: int) -> Slabs:
        """Those of the values of a coordinate."""
        outer, count, inner = self._around(axis)
        self.unit.charge(prod(self.sizes), 64)
        spend(outer * count)
        return [
            int.from_bytes(
                b"".join(
                    self.data[at : at + inner]
                    for at in range(k * inner, len(self.data), count * inner)
                ),
                "little",
            )
            for k in range(count)
        ]

    def _around(self, axis: int) -> tuple[int, int, int]:
        """How many values come before a coordinate, it has, and how many bytes come behind."""
        inner = prod(self.sizes[axis + 1 :]) * self.unit.width
        return prod(self.sizes[:axis]), self.sizes[axis], inner

    def with_slabs(self, axis: int, slabs: Slabs, error: int) -> Sheet:
        """The grid that has these in place of those of a coordinate."""
        sizes = (*self.sizes[:axis], len(slabs), *self.sizes[axis + 1 :])
        require_size(sizes, self.unit)
        outer, _, inner = self._around(axis)
        self.unit.charge(prod(sizes), 64)
        spend(outer * len(slabs))
        rows = [slab.to_bytes(outer * inner, "little") for slab in slabs]
        parts = (row[at : at + inner] for at in range(0, outer * inner, inner) for row in rows)
        return Sheet(self.unit, sizes, b"".join(parts), error)


def require_size(sizes: Sequence[int], unit: Unit) -> None:
    """TooMuchWork where a grid does not fit."""
    if prod(sizes) * unit.width > MOST_BYTES:
        raise TooMuchWork(f"too much work: a grid of {' x '.join(map(str, sizes))} points")


def sheet(unit: Unit, sizes: tuple[int, ...], masses: Sequence[tuple[int, Fraction]]) -> Sheet:
    """Masses at places of a grid, and nothing elsewhere."""
    require_size(sizes, unit)
    data = bytearray(prod(sizes) * unit.width)
    for place, mass in masses:
        spend(8 + (unit.bits * (64 + mass.denominator.bit_length()) >> 17))
        floor = (mass.numerator << unit.bits) // mass.denominator
        at = place * unit.width
        data[at : at + unit.width] = floor.to_bytes(unit.width, "little")
    return Sheet(unit, sizes, bytes(data), 1)


class _Product:
    """Slots times a factor of at most 1, rounded down: each by one unit, and by what the factor
    is above its lower bound."""

    def __init__(self, unit: Unit, count: int) -> None:
        self.unit, self.count = unit, count
        self.mask = unit.lower_bits(count, unit.bits)

    def __call__(self, slots: int, factor: int) -> int:
        self.unit.charge(self.count, self.unit.bits)
        return (slots * factor >> self.unit.bits) & self.mask


def _lower(unit: Unit, factors: Sequence[Interval]) -> tuple[list[int], int]:
    """Lower bounds of factors from 0 to 1, and the units that a product with one loses at most:
    (x + e) t <= x f + x (t - f) + e, where x <= 2, and what is cut off."""
    lower = [unit.floor(t) for t in factors]
    loose = max((unit.ceil(t) - f for t, f in zip(factors, lower, strict=True)), default=0)
    return lower, 2 * loose + 1


def spread(grid: Sheet, axis: int, decays: Sequence[Interval]) -> Sheet:
    """The sums over the values z of a coordinate of what is at z times the decay from z, at each of
    the values: of what comes from below and what comes from above, two recurrences."""
    slabs, (taus, more) = grid.slabs(axis), _lower(grid.unit, decays)
    times = _Product(grid.unit, prod(grid.sizes) // len(slabs))
    above, now = [0] * len(slabs), 0
    for k in range(len(slabs) - 2, -1, -1):
        now = above[k] = times(slabs[k + 1] + now, taus[k])
    now = 0
    for k, tau in enumerate([0, *taus]):
        now = slabs[k] + times(now, tau)
        above[k] += now
    # of n values each comes with its error, and each of n - 1 products loses more
    error = grid.error * len(slabs) + more * len(decays)
    return grid.with_slabs(axis, above, error)


Pieces = Sequence[tuple[int, int, Interval]]  # two places, maybe one, and the weight of their sum


def pieced(grid: Sheet, axis: int, pieces: Pieces) -> Sheet:
    """The masses of pieces of a coordinate: of each the weighted sum of what is at its ends.  The
    weights are at most 1, and 1/2 where a piece has two ends."""
    slabs, (weights, more) = grid.slabs(axis), _lower(grid.unit, [w for *_, w in pieces])
    times = _Product(grid.unit, prod(grid.sizes) // len(slabs))
    found = [
        times(slabs[a] if a == b else slabs[a] + slabs[b], weight)
        for (a, b, _), weight in zip(pieces, weights, strict=True)
    ]
    return grid.with_slabs(axis, found, grid.error + more)


# ---------------------------------------------------------------- comparisons


class Scaled(NamedTuple):
    """A positive number, mantissa * 2^exponent."""

    mantissa: int
    exponent: int

    @property
    def up(self) -> int:
        """The mantissa with the places of a positive exponent."""
        return self.mantissa << max(self.exponent, 0)

    @property
    def down(self) -> int:
        """How many places a product is to go down."""
        return max(-self.exponent, 0)


def unit_for(bits: int, factor: Scaled, points: int) -> Unit:
    """The slots that have room for what is done below with so many numbers."""
    most = max(bits, factor.up.bit_length()) + points.bit_length(), factor.down
    return Unit(bits, (bits + max(most) + 16) // 8)


def _windows(p: Sheet, q: Sheet, size: int) -> Iterator[tuple[int, int, int]]:
    """The slots of two grids, so many at a time, and how many they are."""
    step = size * p.unit.width
    for at in range(0, len(p.data), step):
        ours, theirs = (grid.data[at : at + step] for grid in (p, q))
        count = len(ours) // p.unit.width
        p.unit.charge(count, p.unit.bits + 64)
        yield int.from_bytes(ours, "little"), int.from_bytes(theirs, "little"), count


def _top(unit: Unit, count: int) -> int:
    return unit.each(1 << 8 * unit.width - 1, count)


def places_above(p: Sheet, q: Sheet, factor: Scaled) -> list[int]:
    """The places where p <= factor * q is not established, for a lower bound of the factor."""
    unit, found, start = p.unit, list[int](), 0
    for ours, theirs, count in _windows(p, q, WINDOW):
        most = ours + unit.each(p.error, count) << factor.down
        room = theirs * factor.up + _top(unit, count) - most
        signs = room.to_bytes(count * unit.width, "little")[unit.width - 1 :: unit.width]
        found += [start + k for k, sign in enumerate(signs) if sign < 128]
        start += count
    return found


def _positive(unit: Unit, count: int, more: int, less: int) -> int:
    """The positive parts of the differences of slots."""
    room = more + _top(unit, count) - less
    signs = (room >> 8 * unit.width - 1) & unit.each(1, count)
    return room & signs * ((1 << 8 * unit.width - 1) - 1)


def lower_sum(p: Sheet, q: Sheet, factor: Scaled) -> int:
    """At most the sum of the positive parts of p - factor * q, in units, for an upper bound of the
    factor."""
    unit, total = p.unit, 0
    for ours, theirs, count in _windows(p, q, WINDOW):
        product = (theirs + unit.each(q.error, count)) * factor.up >> factor.down
        most = (product & unit.lower_bits(count, factor.down)) + unit.each(1, count)
        total += _positive(unit, count, ours, most) % ((1 << 8 * unit.width) - 1)  # its digits
    return total


def upper_sum(p: Sheet, q: Sheet, factor: Scaled, weights: Sequence[Sequence[int]]) -> int:
    """At least the sum of the positive parts of p - factor * q, each times the weights of its
    coordinates, in units: of upper bounds of the weights and a lower bound of the factor."""
    unit, size = p.unit, prod(p.sizes[1:])
    total = 0
    windows = _windows(p, q, size)
    for weight, (ours, theirs, count) in zip(weights[0], windows, strict=True):
        less = (theirs * factor.up >> factor.down) & unit.lower_bits(count, factor.down)
        total += weight * _positive(unit, count, ours + unit.each(p.error, count), less)
    for column in weights[1:]:
        unit.charge(size, unit.bits)
        means = _rounded_up(unit, total, size)
        data, size = means.to_bytes(size * unit.width, "little"), size // len(column)
        step = size * unit.width
        slabs = (data[at : at + step] for at in range(0, len(data), step))
        total = sum(
            weight * int.from_bytes(slab, "little")
            for weight, slab in zip(column, slabs, strict=True)
        )
    return _rounded_up(unit, total, 1)


def _rounded_up(unit: Unit, products: int, count: int) -> int:
    return (products >> unit.bits & unit.lower_bits(count, unit.bits)) + unit.each(1, count)
