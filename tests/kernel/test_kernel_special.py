"""Every rounding of the series of pi and of erfc as it is stated, at few bits; to be quick."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import ceil, floor, isqrt

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import mpmath
import pytest
from core import special
from core.enclose import Arithmetic, Interval
from core.special import erfc, hull, pi_bounds

F = Fraction
MAX_LIFT = 4096  # bits


def two(e: int) -> Fraction:
    return F(2) ** e


def test_pi_is_floored_and_ceiled() -> None:
    with mpmath.workprec(600):
        for w in (1, 2, 3, 5, 17, 64, 65, 255, 256, 511):
            nearest = int(mpmath.floor(mpmath.ldexp(mpmath.pi, w)))
            assert pi_bounds(w) == (nearest, nearest + 1)


def test_arctan_of_inverses() -> None:
    for n in (2, 3, 5, 239):
        for w in (0, 1, 2, 3, 9, 30, 64):
            terms = []
            for k in count(1, 2):
                if not 2**w // n**k:
                    break
                terms.append(2**w // (k * n**k))
            total, error = sum(terms[::2]) - sum(terms[1::2]), len(terms) + 1
            assert special._arctan_of_inverse(n, w) == (total - error, total + error)


def near(q: int, r: int, v: int) -> tuple[int, int]:
    """The bounds of the near series between q and r: terms floored and ceiled, until the last one
    is at most a unit and all further ones at most half of the one before."""
    low = high = least = most = 2**v
    for k in count(3, 2):
        if most <= 1 and F(2 * r, (k - 2) * 2**v) <= F(1, 2):
            return low, high + most
        least = floor(F(least * 2 * q, k * 2**v))
        most = ceil(F(most * 2 * r, k * 2**v))
        low, high = low + least, high + most
    raise AssertionError


def test_the_near_series() -> None:
    for v in (4, 5, 9, 20):
        one = 2**v
        odd = [k * one // 4 + more for k in (1, 3, 5, 7) for more in (-1, 0, 1)]
        for q in (0, 1, 2, 3, one // 2, one - 1, one, 3 * one, *odd, 40 * one + 1):
            for r in (q, q + 1):
                assert special._series(q, r, v) == near(q, r, v)


class Seen(Arithmetic):
    """What is fitted first."""

    first: Interval | None = None

    def fit(self, low: int, high: int, e: int) -> Interval:
        self.first = self.first or (low, high, e)
        return super().fit(low, high, e)


def far(m: int, e: int, v: int) -> tuple[int, int]:
    """The bounds of the far series of m * 2**e in units of 2**-v: all terms before the first that
    is at most a unit or no smaller than the one before, which bounds the error."""
    t = two(v - 1 - 2 * e) / m**2
    least, most, sums = [2**v], [2**v], [0, 0]
    for n, k in enumerate(count(1, 2)):
        minus = n % 2
        sums[0] += -most[-1] if minus else least[-1]
        sums[1] += -least[-1] if minus else most[-1]
        least.append(floor(F(least[-1] * k * floor(t), 2**v)))
        most.append(ceil(F(most[-1] * k * ceil(t), 2**v)))
        if most[-1] <= 1 or most[-1] >= most[-2]:
            break
    return sums[0] - most[-1], sums[1] + most[-1]


def places(bits: int) -> Iterator[tuple[int, int]]:
    """Near to 0, about the root of the bits, far out, and where the terms stop being smaller."""
    v = bits + 16
    yield from [(1, -1), (1, 0), (3, -1), (2, 0), (3, 0), (5, 0), (9, 0), (37, -2), (101, -3)]
    yield from [(1, 3), (5, 3), (3, 9), (1, (v - 1) // 2), (1, v // 2), (1, v // 2 + 1), (3, v)]
    for k in (1, 3, 5, 7, 9):
        m = isqrt(2 ** (v + 59) // (2**v // k)) + 1
        yield from [(m - 1, -30), (m, -30)]


@pytest.mark.parametrize("bits", [16, 17, 33, 34, 64])
def test_the_far_series(bits: int) -> None:
    for m, e in places(bits):
        ar = Seen(bits)
        low, high, f = special._erfc_far(m, e, ar)
        assert ar.first == (*far(m, e, bits + 16), -bits - 16), (m, e)
        if e < 8:  # and what it is for
            with mpmath.workprec(300):
                value = mpmath.erfc(mpmath.ldexp(m, e))
                assert mpmath.ldexp(low, f) <= value <= mpmath.ldexp(high, f)


@pytest.mark.parametrize("bits", [32, 64])
def test_both_series_at_every_size(bits: int) -> None:
    """Of a point the value, nearly to all bits; of an interval one from the higher end's value up
    to the lower end's."""
    ar = Arithmetic(bits)
    for m in (1, 3, 5, 17, 45, 46, 64, 90, 91, 128, 200):
        for n in (m, -m):
            with mpmath.workprec(1200):  # of which erfc(25) leaves some
                value, wide = (mpmath.erfc(mpmath.ldexp(k, -3)) for k in (n, n - 1))
                low, high, e = erfc((n, n, -3), ar)
                assert mpmath.ldexp(low, e) <= value <= mpmath.ldexp(high, e)
                assert (high - low) << bits - 3 <= high
                low, high, e = erfc((n - 1, n, -3), ar)
                assert mpmath.ldexp(low, e) <= value < wide <= mpmath.ldexp(high, e)
                more = mpmath.ldexp(high - low, e) - (wide - value)
                assert more <= mpmath.ldexp(high, e + 3 - bits)


def test_each_series_has_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The far one those whose square is at least the bits."""
    monkeypatch.setattr(special, "_erfc_near", lambda m, e, ar: (0, 0, 0))
    monkeypatch.setattr(special, "_erfc_far", lambda m, e, ar: (1, 1, 0))
    for bits in (36, 64, 65):
        ar = Arithmetic(bits)
        root = isqrt(bits)
        near = [(root, 0), (root << 20, -20), (isqrt((bits << 40) - 1), -20), (1, -99), (1, 2)]
        beyond = [(root + 1, 0), (root + 1 << 20, -20), (isqrt((bits << 40) - 1) + 1, -20)]
        for m, e in (*near, *beyond, (1, 3), (1, 9), (1, 10**6), (1 << 80, -80), (1 << 80, -76)):
            assert special._erfc_point(m, e, ar)[0] == (m**2 * two(2 * min(e, 99)) >= bits)


def test_a_hull_is_exact_or_on_a_grid_that_is_not_far_finer() -> None:
    for e, f, unit in (
        (0, 0, 0), (-9, -3, -9), (-3, -9, -9), (0, -MAX_LIFT, -MAX_LIFT),
        (-MAX_LIFT - 1, 0, -MAX_LIFT), (7, -9 * MAX_LIFT, 7 - MAX_LIFT),
    ):  # fmt: skip
        low, high, g = hull((-5, 9, e), (-8, 3, f))
        assert g == unit
        assert (low, high) == (floor(-5 * two(e - g)), ceil(3 * two(f - g)))
