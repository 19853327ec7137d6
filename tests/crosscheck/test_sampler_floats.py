"""Digits of floats against exact rationals, and floats that textbook samplers reach."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfverify.crosscheck.samplers.digits import (
    Fractions,
    LastDigits,
    LowestBit,
    Reachable,
    ScaleMultiples,
    SeenFloats,
    SizeAndLowestBit,
    kinds_of,
    number_of_kinds,
)
from pfverify.crosscheck.samplers.floats import (
    ZERO,
    fraction,
    lowest_bit,
    multiple,
    on_coarse_lattice,
    reachable,
    significand,
    size,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = nextafter(inf, 0)
EXTREME = np.array([0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, LARGEST, -LARGEST, 1.0, -0.1])


def one(y: float) -> np.ndarray:
    return np.array([y])


@given(FINITE)
def test_the_lowest_and_the_highest_bit_are_those_of_the_number(y: float) -> None:
    number = abs(Fraction(y))
    low, high = int(lowest_bit(one(y))[0]), int(size(one(y))[0])
    if not number:
        assert (low, high) == (ZERO, ZERO)
        return
    multiples = number / Fraction(2) ** low
    assert multiples.denominator == 1
    assert multiples.numerator % 2 == 1
    assert Fraction(2) ** high <= number < Fraction(2) ** (high + 1)
    digits = int(significand(one(y))[0])
    assert Fraction(digits) * Fraction(2) ** (high - 52) == number


@given(st.integers(0, 2**53 - 1), st.sampled_from([0.0, 1.0, -3.25, 0.1]),
       st.sampled_from([1.0, 0.1, 3.0, 100.0]), st.booleans())  # fmt: skip
def test_what_the_textbook_draws_is_reachable(k: int, x: float, scale: float, up: bool) -> None:
    noise = np.float64(scale) * np.log(one((k + 1) * 2.0**-53))
    y = x + noise if up else x - noise
    assert reachable(y, x, scale).all()
    assert multiple(y, x, scale).all()


def test_what_float32_draws_is_reachable() -> None:
    u = np.random.default_rng(1).integers(1, 2**24, 500).astype(np.float32) / np.float32(2**24)
    y = (np.float32(1) + np.float32(3) * np.log(u)).astype(np.float64)
    assert reachable(y, 1.0, 3.0).all()
    assert reachable(y, 0.0, 3.0).mean() < 0.9


def test_few_neighbours_of_a_reachable_float_are_reachable() -> None:
    u = np.random.default_rng(2).random(1000)
    y = 10 * np.log(u)
    assert reachable(y, 0.0, 10.0).all()
    assert reachable(np.nextafter(y, inf), 0.0, 10.0).mean() < 0.7


def test_lattices_and_parts_after_the_point() -> None:
    y = np.array([1.5, 1.1, 2.0])
    assert on_coarse_lattice(y, 1.0, 0.5).tolist() == [True, False, True]
    assert fraction(np.array([2.25, -0.75, 1e300, 0.9999999999])).tolist() == [
        250_000_000, 250_000_000, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e300])
def test_every_kind_takes_every_finite_float(scale: float) -> None:
    places = [0.0, 1.0, -LARGEST, 5e-324]
    for kind in kinds_of(EXTREME, places, scale):
        codes = kind.codes(EXTREME)
        assert codes.shape == EXTREME.shape
        assert codes.dtype == np.int64
        assert all(kind.words([code]) for code in codes.tolist())
        assert kind.codes(EXTREME[:0]).tolist() == []


def test_how_many_kinds_there_are_depends_on_no_draw() -> None:
    for places, scale, count in (([], None, 5), ([1.0], None, 5), ([], 2.0, 6), ([1.0], 2.0, 8),
                                 ([1.0], 0.0, 5)):  # fmt: skip
        assert number_of_kinds(places, scale) == count
        assert len(kinds_of(EXTREME, places, scale)) == count


def test_classes_in_words() -> None:
    assert LowestBit().words([-53, ZERO]) == "lowest bit 2^-53 or y = 0"
    code = SizeAndLowestBit().codes(one(0.75)).tolist()
    assert SizeAndLowestBit().words(code) == "2^-1 <= |y| < 2^0 with lowest bit 2^-2"
    assert SizeAndLowestBit().words(SizeAndLowestBit().codes(one(0.0)).tolist()) == "y = 0"
    assert SeenFloats().words(SeenFloats().codes(one(0.1)).tolist()) == "y = 0.1"
    assert Fractions().words([250_000_000]) == "y modulo 1 about 0.25"
    assert Reachable([0.0, 1.0], 1.0).words([1]).endswith("from 0.0 but not from 1.0")
    assert ScaleMultiples([0.0, 1.0], 1.0).words([0b0101]).endswith("on a coarse lattice from 0.0")
    assert LowestBit().words([1, 2, 3, 4, 5]).endswith("or 2 more")
    assert LowestBit().words([]) == "nothing"


def test_the_last_digits_are_those_that_there_are() -> None:
    short = np.float32(np.random.default_rng(3).normal(size=500)).astype(np.float64)
    for learned in (short, np.random.default_rng(4).normal(size=500)):
        assert len(set(LastDigits(learned).codes(learned).tolist())) > 200
    assert set(LastDigits(np.zeros(3)).codes(one(0.0)).tolist()) == {0}


def test_values_beyond_the_eighth_are_left_out() -> None:
    places = [float(k) for k in range(20)]
    codes = ScaleMultiples(places, 1.0).codes(np.array([1.5]))
    assert codes.tolist()[0] < 2**16
