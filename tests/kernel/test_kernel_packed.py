"""Many numbers in one integer: each operation against fractions, number by number.

With few bits an error of one unit shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from random import Random

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import packed
from core.enclose import Interval
from core.packed import Scaled, Sheet, Unit
from core.work import TooMuchWork

F = Fraction
BITS = 10
ONE = 1 << BITS
Place = tuple[int, ...]
Grid = dict[Place, Fraction]


def places(sizes: Sequence[int]) -> list[Place]:
    """In the order of a sheet."""
    return [*product(*map(range, sizes))]


def slots(data: int | bytes, unit: Unit, count: int) -> list[int]:
    text = data if isinstance(data, bytes) else data.to_bytes(count * unit.width + 8, "little")
    return [
        int.from_bytes(text[k * unit.width : (k + 1) * unit.width], "little") for k in range(count)
    ]


def packed_of(unit: Unit, numbers: Sequence[int]) -> int:
    return sum(x << 8 * unit.width * k for k, x in enumerate(numbers))


def sheet_of(unit: Unit, sizes: tuple[int, ...], numbers: Sequence[int], error: int = 0) -> Sheet:
    data = packed_of(unit, numbers).to_bytes(prod(sizes) * unit.width, "little")
    return Sheet(unit, sizes, data, error)


def unit_of(points: int, factor: Scaled | None = None) -> Unit:
    return packed.unit_for(BITS, factor or Scaled(1, 0), points)


@pytest.mark.parametrize("bits", [0, 3, 20])
def test_whole_units_of_an_interval(bits: int) -> None:
    unit = Unit(bits, 8)
    for low, high, e in ((0, 0, 0), (1, 3, -2), (5, 7, -4), (3, 4, 1), (-3, -1, -1), (-1, 5, -3)):
        assert unit.floor((low, high, e)) == max(0, floor(low * F(2) ** (e + bits)))
        assert unit.ceil((low, high, e)) == ceil(high * F(2) ** (e + bits))


def test_masks_of_slots() -> None:
    unit = Unit(10, 3)
    for count, without in product((1, 2, 5), (0, 1, 9)):
        found = slots(unit.lower_bits(count, without), unit, count)
        assert found == [2 ** (24 - without) - 1] * count
    for scaled, up, down in (
        (Scaled(5, 2), 20, 0), (Scaled(5, 1), 10, 0), (Scaled(5, 0), 5, 0), (Scaled(5, -3), 5, 3)
    ):  # fmt: skip
        assert (scaled.up, scaled.down) == (up, down)


def test_a_grid_is_bounded_in_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_BYTES", 60)
    packed.require_size((3, 4), Unit(10, 5))
    with pytest.raises(TooMuchWork, match="a grid of 3 x 4 points"):
        packed.require_size((3, 4), Unit(10, 6))
    with pytest.raises(TooMuchWork, match="a grid of 61 points"):
        packed.require_size((61,), Unit(10, 1))


def test_masses_are_stored_from_below() -> None:
    masses = [(1, F(1, 3)), (4, F(1, 2)), (5, F(1, 2**12))]
    unit = unit_of(6)
    found = packed.sheet(unit, (2, 3), masses)
    assert slots(found.data, unit, 6) == [0, ONE // 3, 0, 0, ONE // 2, 0]
    assert found.error == 1  # 341/1024 is less than a unit below 1/3


def is_between(found: Sheet, least: Grid, most: Grid) -> bool:
    """Whether the true numbers, which are between two grids, are so between slot and error."""
    where = places(found.sizes)
    stored = slots(found.data, found.unit, len(where))
    return all(
        x <= least[at] * ONE and most[at] * ONE <= x + found.error
        for x, at in zip(stored, where, strict=True)
    )


def spread_of(grid: Grid, axis: int, decays: Sequence[Fraction]) -> Grid:
    """The sums over the values of a coordinate, each with all its decays."""
    return {
        at: sum(
            (x * prod(decays[slice(*sorted((at[axis], z[axis])))], start=F(1))
             for z, x in grid.items()
             if z[:axis] + z[axis + 1 :] == at[:axis] + at[axis + 1 :]),
            F(0),
        )
        for at in grid
    }  # fmt: skip


def ends_of(intervals: Sequence[Interval]) -> tuple[list[Fraction], list[Fraction]]:
    least = [low * F(2) ** e for low, _, e in intervals]
    return least, [high * F(2) ** e for _, high, e in intervals]


def numbers(sizes: Sequence[int], of: Callable[[], int]) -> list[int]:
    return [of() for _ in places(sizes)]


DECAYS: list[list[Interval]] = [
    [(1, 1, -1), (1, 1, -1)],  # whole units: only what is cut off is lost
    [(1, 1, 0), (1, 1, 0)],
    [(850, 950, -10), (850, 950, -10)],  # a tenth is lost of what is nearly 2
    [(1, 2, -12), (3, 3, -2)],
    [(0, 1, -3), (1, 1, -1)],
]


@pytest.mark.parametrize("error", [0, 5])
@pytest.mark.parametrize("decays", DECAYS)
def test_decays_lose_no_more_than_is_said(decays: list[Interval], error: int) -> None:
    rng, least, most = Random(1), *ends_of(decays)
    for axis, sizes in ((0, (3, 2)), (1, (2, 3)), (0, (3,))):
        unit = unit_of(prod(sizes))
        for stored in (
            numbers(sizes, lambda: rng.randint(0, ONE // 4)), [ONE] * prod(sizes),
            [1] * prod(sizes), [ONE - 1] * prod(sizes),
        ):  # fmt: skip
            found = packed.spread(sheet_of(unit, sizes, stored, error), axis, decays)
            low = {at: F(x, ONE) for at, x in zip(places(sizes), stored, strict=True)}
            high = {at: x + F(error, ONE) for at, x in low.items()}
            assert is_between(found, spread_of(low, axis, least), spread_of(high, axis, most))
            loose = max(b - a for a, b in zip(least, most, strict=True))
            assert found.error <= 3 * error + 2 * (2 * ceil(loose * ONE) + 3)


def test_pieces_lose_no_more_than_is_said() -> None:
    rng = Random(2)
    pieces: list[tuple[int, int, Interval]] = [
        (0, 0, (1, 1, -1)), (2, 2, (1, 3, -11)), (0, 1, (400, 500, -10)), (1, 2, (1, 1, -1)),
    ]  # fmt: skip
    for error, part in product((0, 5), (1, ONE)):
        unit = unit_of(6)
        stored = [rng.randint(0, part) if part > 1 else 1 for _ in range(6)]
        found = packed.pieced(sheet_of(unit, (2, 3), stored, error), 1, pieces)
        assert found.sizes == (2, 4)
        got = slots(found.data, unit, 8)
        for row, (k, (a, b, (low, high, e))) in product(range(2), enumerate(pieces)):
            ends = [stored[3 * row + c] for c in sorted({a, b})]
            assert got[4 * row + k] <= sum(ends) * low * F(2) ** e
            assert sum(x + error for x in ends) * high * F(2) ** e <= got[4 * row + k] + found.error


def test_positive_parts_of_slots() -> None:
    unit = Unit(10, 3)
    pairs = [(5, 3), (3, 5), (7, 7), (8, 7), (2**23 - 1, 0), (0, 2**23 - 1), (2**22, 1), (1, 0)]
    for turn in range(len(pairs)):
        more, less = zip(*(pairs[turn:] + pairs[:turn]), strict=True)
        found = packed._positive(unit, 8, packed_of(unit, more), packed_of(unit, less))
        assert slots(found, unit, 8) == [max(a - b, 0) for a, b in zip(more, less, strict=True)]


def test_products_are_rounded_up() -> None:
    unit = Unit(4, 3)
    for products in ([0, 1, 15, 16], [17, 160, 161, 1]):
        found = slots(packed._rounded_up(unit, packed_of(unit, products), 4), unit, 4)
        for x, up in zip(products, found, strict=True):
            assert x <= 16 * up <= x + 16


FACTORS = [Scaled(1, 0), Scaled(3, 1), Scaled(5, -2), Scaled(1025, -10), Scaled(7, -6)]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("errors", [(0, 0), (3, 0), (0, 3), (40, 7)])
def test_sums_of_positive_parts_from_both_sides(factor: Scaled, errors: tuple[int, int]) -> None:
    rng, sizes, count = Random(3), (2, 3), 6
    unit, exact = unit_of(count, factor), factor.mantissa * F(2) ** factor.exponent
    for part in range(12):
        top = ONE // 4 if part else 1
        p, q = ([rng.randint(0, top) for _ in range(count)] for _ in "pq")
        if part == 1:
            q = [ONE] * count
        if part == 2:
            p, q = [ONE // 2 - 3] * count, [0] * count
        ours, theirs = (sheet_of(unit, sizes, x, e) for x, e in zip((p, q), errors, strict=True))
        least = sum(max(F(0), a - exact * (b + errors[1])) for a, b in zip(p, q, strict=True))
        found = packed.lower_sum(ours, theirs, factor)
        assert max(F(0), least - count) <= found <= least
        weights = [[rng.randint(0, ONE) for _ in range(size)] for size in sizes]
        most = F(0)
        for a, b, (i, k) in zip(p, q, places(sizes), strict=True):
            weight = F(weights[0][i] * weights[1][k], ONE**2)
            most += max(F(0), a + errors[0] - exact * b) * weight
        bound = packed.upper_sum(ours, theirs, factor, weights)
        assert most <= bound <= most + 8
        above = packed.places_above(ours, theirs, factor)
        assert above == [
            k for k, (a, b) in enumerate(zip(p, q, strict=True)) if a + errors[0] > exact * b
        ]
