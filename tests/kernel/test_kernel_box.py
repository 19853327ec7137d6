"""The grid of two laws of points: its places, and about how far it decays."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import box as module
from core.box import Box, Boxed
from core.coordinates import Rows
from core.enclose import Arithmetic, Undecided
from core.packed import Unit
from core.work import checking
from core.zero import constant
from mpmath import exp, log, mpf

F = Fraction
FIRST: Rows = (((F(-1), F(0)), F(1, 4)), ((F(3), F(2)), F(3, 4)))
OTHER: Rows = (((F(0), F(0)), F(1, 3)), ((F(3), F(5)), F(2, 3)))
RATES = F(1), F(2, 3)


def box(p: Rows = FIRST, q: Rows = OTHER, cuts: Any = None, **more: Any) -> Box:
    rates = tuple(map(constant, more.get("rates", RATES)))
    return Box(Boxed(p, rates, None), Boxed(q, rates, None), cuts, [])


def test_every_place_has_its_point() -> None:
    for cuts, sizes in ((None, (3, 3)), ([["1/2"], ["-1", "7"]], (4, 5))):
        grid = box(cuts=cuts)
        assert grid.sizes == sizes
        points = [grid.point(k) for k in range(sizes[0] * sizes[1])]
        assert points == sorted({(x, y) for x in grid.axes[0] for y in grid.axes[1]})
        assert [grid.place(x) for x in points] == [*range(len(points))]


def test_a_grid_decays_by_the_distances_of_its_ends() -> None:
    """In binary places: the exponent over log 2, and at most a tenth more and one."""
    for rates in (RATES, (F(1, 7), F(40)), (F(1000), F(1, 3))):
        exponent = mpf(4) * rates[0].numerator / rates[0].denominator
        exponent += mpf(5) * rates[1].numerator / rates[1].denominator
        found = box(rates=rates).range_bits()
        assert exponent / log(2) < found <= exponent / log(2) * 1.1 + 1.5


def test_a_grid_that_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = box().range_bits()
    monkeypatch.setattr(module, "MOST_BITS", bits)
    assert box().range_bits() == bits
    monkeypatch.setattr(module, "MOST_BITS", bits - 1)
    with pytest.raises(Undecided, match="the grid is too wide for its scales"):
        box().range_bits()


def test_both_laws_are_enclosed_at_any_point() -> None:
    ar = Arithmetic(128)
    for y in ((F(0), F(0)), (F(-7, 2), F(1, 3)), (F(3), F(5))):
        for rows, (low, high, e) in zip((FIRST, OTHER), box().at(y, ar), strict=True):
            truth = mpf(0)
            for x, mass in rows:
                far = sum((r * abs(a - b) for r, a, b in zip(RATES, x, y, strict=True)), F(0))
                truth += (
                    mpf(mass.numerator)
                    / mass.denominator
                    * exp(-mpf(far.numerator) / far.denominator)
                )
            assert mpf(low) * mpf(2) ** e <= truth * (1 + mpf(2) ** -150)
            assert truth * (1 - mpf(2) ** -150) <= mpf(high) * mpf(2) ** e
            assert high - low < 1 << 16


def test_the_coordinates_of_a_grid_are_charged() -> None:
    """Each with the others of its column, which may have one hash."""
    rows: Rows = tuple(((F(k), F(k, 3)), F(1, 50)) for k in range(50))
    with checking(0) as check:
        box(rows, rows)
    assert check.spent >= 2 * (16 * 50 + 64 * 100)


def test_the_last_two_densities_are_kept() -> None:
    """For the other order of a pair, which has them anew; of another grid they are others."""
    rates, unit, kept = tuple(map(constant, RATES)), Unit(64, 20), list[Any]()
    p, q = Boxed(FIRST, rates, None), Boxed(OTHER, rates, None)
    one, other = Box(p, q, None, kept).sheets(unit)
    again, first = Box(q, p, None, kept).sheets(unit)
    assert again is other
    assert first is one
    finer, _ = Box(p, q, [["1/2"], []], kept).sheets(unit)
    assert finer.sizes == (4, 3)
    assert [rows for rows, _, _ in kept] == [FIRST, OTHER]
    assert kept[0][2] is finer
    _, longer = Box(p, q, [["1/2"], []], kept).sheets(Unit(64, 21))
    assert longer.unit.width == 21
    assert len(kept) == 2
