"""The kernel's pi and erfc against Arb (python-flint): they contain, and they are tight."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any
from unittest.mock import patch

import flint
import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core import special
from core.enclose import Arithmetic, Interval, Undecided
from core.special import _arctan_of_inverse, erfc, hull, pi, pi_bounds

Record = Callable[[str, Any], None]


def ball(m: int, e: int) -> flint.arb:
    return flint.arb(flint.fmpz(m)) * flint.arb(2) ** flint.fmpz(e)


def contains(x: Interval, value: flint.arb) -> bool:
    """Whether all of Arb's ball (far smaller than x) is inside, or at least touches."""
    return not (value < ball(x[0], x[2])) and not (value > ball(x[1], x[2]))


def relative_bits(x: Interval) -> int:
    """How many bits of the upper end the width leaves."""
    low, high, _ = x
    if low == high:
        return 10**9
    return max(low.bit_length(), high.bit_length()) - (high - low).bit_length()


def argument(rng: random.Random) -> tuple[int, int]:
    """1e-30 .. 1e9 in size on a logarithmic scale, of few and of many bits, or near a root of the
    precision where the series change."""
    length = rng.choice([1, 3, 24, 53, 200])
    m = rng.getrandbits(length) | 1 << (length - 1)
    return m, rng.randint(-100, 30) - length


def precise(m: int, e: int, bits: int) -> flint.arb:
    """erfc by Arb with bits to spare."""
    with flint.ctx.workprec(bits + 300):
        return ball(m, e).erfc()


def run(count: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    arithmetics = {bits: Arithmetic(bits) for bits in (64, 65, 100, 128, 256, 512)}
    series: list[str] = []
    near, far = special._erfc_near, special._erfc_far

    def noted(name: str, f: Callable[..., Interval]) -> Callable[..., Interval]:
        return lambda *a: series.append(name) or f(*a)

    with (
        patch.object(special, "_erfc_near", noted("near", near)),
        patch.object(special, "_erfc_far", noted("far", far)),
    ):
        for k in range(count):
            bits, ar = rng.choice(list(arithmetics.items()))
            m, e = argument(rng)
            if k % 4 == 0:  # next to the change of series, x^2 about bits
                root = floor(Fraction(bits) ** Fraction(1, 2) * 2**40)
                m, e = max(1, root + rng.choice([-1, 0, 1]) * rng.getrandbits(36)), -40
            m *= rng.choice([1, 1, -1])
            x = erfc((m, m, e), ar)
            assert contains(x, precise(m, e, bits)), (m, e, bits)
            assert 0 <= x[0] <= x[1]
            assert relative_bits(x) >= bits - 3, (m, e, bits)
            assert x[1].bit_length() <= bits + 1
            tally[series[-1]] += 1
            tally["negative" if m < 0 else "positive"] += 1
            tally["checked"] += 1
    return tally


def test_erfc_against_arb(record_property: Record) -> None:
    tally = run(2_500, 1)
    print(dict(tally))
    record_property("kernel enclosures", tally["checked"])
    assert tally["checked"] == 2_500
    assert min(tally["near"], tally["far"], tally["negative"]) > 300


@pytest.mark.long
def test_erfc_against_arb_long(record_property: Record) -> None:
    tally = run(200_000, 2)
    record_property("kernel enclosures", tally["checked"])
    assert tally["checked"] >= 100_000


EXTREMES = [0, 1e-30, 1e-9, 0.1, 0.5, 1, 2, 5, 5.6, 5.7, 8, 11.3, 16, 22.6, 27, 100, 1e3, 1e6, 1e9]


@pytest.mark.parametrize("bits", [32, 64, 128, 512])
def test_extreme_arguments(bits: int) -> None:
    ar = Arithmetic(bits)
    for size in EXTREMES:
        for sign in (1, -1):
            z = sign * Fraction(size)
            p = (z * 2**200).__floor__()
            x = erfc((p, p, -200), ar)
            value = precise(p, -200, bits)
            assert contains(x, value), (z, bits)
            assert relative_bits(x) >= bits - 3, (z, bits)
    low, high, e = erfc((10**9, 10**9, 0), ar)
    assert -1.4427 * 10**18 < e + bits < -1.4426 * 10**18
    assert 0 < low <= high


def test_enormous_and_tiny_arguments() -> None:
    ar = Arithmetic(64)
    for e in (-(10**6), -(10**20), 0, 10**20):
        assert erfc((0, 0, e), ar) == (1, 1, 0)
    low, high, e = erfc((1, 1, -(10**9)), ar)
    assert low < 1 << -e <= high
    low, high, e = erfc((-1, -1, 60_000), ar)  # 2 - erfc of 2^60000
    assert Fraction(low) * Fraction(2) ** e < 2 <= Fraction(high) * Fraction(2) ** e
    with pytest.raises(Undecided):
        erfc((1, 1, 10**7), ar)


def test_wide_arguments() -> None:
    """A decreasing function: the images of both ends, and of what is between, are inside."""
    rng = random.Random(3)
    checked = 0
    for _ in range(600):
        ar = Arithmetic(rng.choice([32, 64, 100]))
        m, e = argument(rng)
        n = m + rng.choice([0, 1, m, 7 * m])
        x = rng.choice([(m, n, e), (-n, -m, e), (-m, n, e)])
        answer = erfc(x, ar)
        for p in (x[0], x[1], (x[0] + x[1]) // 2):
            assert contains(answer, precise(p, e, 200)), x
            checked += 1
    assert checked == 1800


def test_hull() -> None:
    rng = random.Random(4)
    for _ in range(500):
        a, c = sorted(rng.randint(-99, 99) for _ in range(2))
        b, d = a + rng.randint(0, 9), c + rng.randint(0, 9)
        e, f = rng.choice([(0, 0), (-9, -3), (-3, -9), (-400, 0), (-9000, 0), (7, -9000)])
        x, y = Fraction(a) * Fraction(2) ** e, Fraction(d) * Fraction(2) ** f
        low, high, g = hull((a, b, e), (c, d, f))
        assert Fraction(low) * Fraction(2) ** g <= x
        assert y <= Fraction(high) * Fraction(2) ** g
        assert min(e, f) <= g <= max(e, f)
        if max(e, f) - min(e, f) < 4096:
            assert (Fraction(low) * Fraction(2) ** g, Fraction(high) * Fraction(2) ** g) == (x, y)


# ---------------------------------------------------------------- every rounding as it is stated


def test_pi() -> None:
    for w in [*range(1, 200), 1000, 5000]:
        low, high = pi_bounds(w)
        with flint.ctx.workprec(w + 128):
            value = flint.arb.pi() * ball(1, w)
            nearest = int(value.floor().unique_fmpz())
        assert (low, high) == (nearest, nearest + 1)  # the guard bits leave no other rounding
    for bits in (32, 64, 500):
        with flint.ctx.workprec(800):
            assert contains(pi(Arithmetic(bits)), flint.arb.pi())


def test_series_of_arctan() -> None:
    for n in (2, 3, 5, 239):
        for w in (0, 1, 2, 3, 9, 30, 64, 200):
            low, high = _arctan_of_inverse(n, w)
            total, terms, k = 0, 0, 1
            while 2**w // n**k:
                total += (-1) ** terms * (2**w // (k * n**k))
                terms, k = terms + 1, k + 2
            assert (low, high) == (total - terms - 1, total + terms + 1)
            with flint.ctx.workprec(400):
                value = (flint.arb(1) / n).atan() * ball(1, w)
                assert low < value < high


def test_near_series() -> None:
    """sum of (2 q)^n / (1*3*...*(2n+1)): floors below, ceilings and a rest above."""
    rng = random.Random(5)
    for _ in range(300):
        v = rng.choice([4, 9, 20, 64])
        q = rng.choice([0, 1, 2**v // 2, 2**v, rng.randint(0, 2**v), rng.randint(0, 40 * 2**v)])
        least, most, low, high, k = Fraction(2**v), Fraction(2**v), 2**v, 2**v, 1
        while most > 1 or Fraction(2 * q, k * 2**v) > Fraction(1, 2):
            k += 2
            least = Fraction(floor(2 * least * q / (k * 2**v)))
            most = Fraction(ceil(2 * most * q / (k * 2**v)))
            low, high = low + int(least), high + int(most)
        high += int(most)
        assert special._series(q, q, v) == (low, high)
        with flint.ctx.workprec(400):
            x = ball(q, -v)
            if q:
                value = flint.arb.pi().sqrt() * x.exp() * x.sqrt().erf() / (2 * x.sqrt())
                value *= ball(1, v)
                assert not (value < low), (q, v)
                assert not (value > high), (q, v)


def test_far_series_stops_at_its_least_term() -> None:
    """Far below its domain the asymptotic series still encloses: it ends where its terms grow."""
    checked = 0
    for bits in (16, 32, 64):
        for m in (1, 2, 3, 5, 9, 17, 40):
            for e in (-2, -1, 0):
                x = special._erfc_far(m, e, Arithmetic(bits))
                assert contains(x, precise(m, e, 200)), (m, e, bits)
                checked += 1
    assert checked == 63
