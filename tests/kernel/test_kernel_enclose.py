"""The kernel's enclosures against Arb (python-flint), on random and extreme points."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from itertools import product
from math import ceil, floor, isqrt
from typing import Any
from unittest.mock import patch

import flint
import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core import enclose
from core.enclose import (
    MAX_MAGNITUDE,
    ONE,
    Arithmetic,
    Interval,
    Undecided,
    exp_point,
    log_of_2,
    log_point,
    shift_ceil,
    shift_floor,
    upper_end,
)


def ball(m: int, e: int) -> flint.arb:
    return flint.arb(flint.fmpz(m)) * flint.arb(2) ** flint.fmpz(e)


def point(rng: random.Random) -> tuple[int, int]:
    """A mantissa and an exponent: ordinary, tiny, huge, near powers of 2, near 0."""
    bits = rng.choice([1, 2, 8, 53, 64, 200])
    m = rng.getrandbits(bits) | 1
    if rng.random() < 0.2:
        m = (1 << bits) + rng.choice([-1, 1])
    e = rng.choice([0, -bits, -bits + 1, -60, -1000, 3, 20, 60, rng.randint(-300, 70)])
    return abs(m) or 1, e


def overlaps_tightly(x: Interval, reference: flint.arb, slack: int, bits: int) -> None:
    """The enclosure contains the ball's whole line of possible values, and is not useless."""
    low, high, e = x
    assert low <= high
    # Arb's ball is far smaller than ours; containment of its midpoint up to its radius
    assert not (reference < ball(low, e)), (x, reference)
    assert not (reference > ball(high, e)), (x, reference)
    assert (high - low).bit_length() <= slack + max(0, high.bit_length() - bits)


def run(count: int, seed: int) -> int:
    rng = random.Random(seed)
    tried = 0
    with flint.ctx.workprec(1200):
        while tried < count:
            bits = rng.choice([32, 33, 53, 64, 128, 300])
            ar = Arithmetic(bits)
            m, e = point(rng)
            sign = rng.choice([1, -1])
            x, reference = (sign * m, sign * m, e), ball(sign * m, e)
            overlaps_tightly(ar.exp(x), reference.exp(), 6, bits)
            positive, reference = (m, m, e), ball(m, e)
            low, high, f = ar.log(positive)
            assert not (reference.log() < ball(low, f))
            assert not (reference.log() > ball(high, f))
            width = ball(high, f) - ball(low, f)
            assert width <= flint.arb(2) ** (-bits + 2) * (abs(reference.log()) + 1)
            overlaps_tightly(ar.sqrt(positive), reference.sqrt(), 3, bits)
            tried += 3
    return tried


def wide(count: int, seed: int) -> int:
    """Interval arguments: the images of both ends are contained; so are sums and quotients.
    Returns the number of enclosures checked."""
    rng = random.Random(seed)
    checked = 0
    operations: list[tuple[str, Callable[[flint.arb, flint.arb], flint.arb]]] = [
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("mul", lambda a, b: a * b),
        ("div", lambda a, b: a / b),
    ]
    with flint.ctx.workprec(1500):
        for _ in range(count):
            ar = Arithmetic(rng.choice([32, 64, 100]))
            ends = []
            for _ in range(2):
                m, e = point(rng)
                n = m + rng.choice([0, 1, m, 100 * m])
                ends.append(rng.choice([(m, n, e), (-n, -m, e), (-m, n, e)]))
            x, y = ends
            for name, exactly in operations:
                try:
                    low, high, e = getattr(ar, name)(x, y)
                except Undecided:
                    assert name == "div"
                    assert y[0] <= 0 <= y[1]
                    continue
                checked += 1
                for a in (x[0], x[1]):
                    for b in (y[0], y[1]):
                        value = exactly(ball(a, x[2]), ball(b, y[2]))
                        assert not (value < ball(low, e)), (name, x, y)
                        assert not (value > ball(high, e)), (name, x, y)
            low, high, e = ar.exp(x)
            assert not (ball(x[0], x[2]).exp() < ball(low, e))
            assert not (ball(x[1], x[2]).exp() > ball(high, e))
            checked += 1
    return checked


Record = Callable[[str, Any], None]


def test_exp_log_sqrt_against_arb(record_property: Record) -> None:
    record_property("kernel enclosures", run(6_000, 1))


@pytest.mark.long
def test_exp_log_sqrt_against_arb_long(record_property: Record) -> None:
    tried = run(300_000, 2)
    record_property("kernel enclosures", tried)
    assert tried >= 100_000


def test_interval_operations_against_arb(record_property: Record) -> None:
    record_property("kernel enclosures", wide(1500, 3))


@pytest.mark.long
def test_interval_operations_against_arb_long(record_property: Record) -> None:
    record_property("kernel enclosures", wide(50_000, 4))


def test_high_precision() -> None:
    with flint.ctx.workprec(21_000):
        ar = Arithmetic(20_000)
        for m, e in ((3, -1), (12345, 3), (1, -90), (-7, 2)):
            overlaps_tightly(ar.exp((m, m, e)), ball(m, e).exp(), 6, 20_000)
            if m > 0:
                low, high, f = ar.log((m, m, e))
                assert not (ball(m, e).log() < ball(low, f))
                assert not (ball(m, e).log() > ball(high, f))


def test_log_of_2() -> None:
    for w in [*range(1, 200), 1000, 5000]:
        low, high = log_of_2(w)
        assert high - low <= 2
        with flint.ctx.workprec(w + 64):
            value = flint.arb.const_log2() * ball(1, w)
            assert flint.arb(flint.fmpz(low)) < value < flint.arb(flint.fmpz(high))


def test_enormous_exponents() -> None:
    ar = Arithmetic(64)
    far = -(10**30)
    low, high, e = ar.exp((far, far, 0))
    assert 0 < low <= high
    assert -1.4427 * 10**30 < e < -1.4426 * 10**30
    one = ar.add((1, 1, 0), (low, high, e))
    assert one[0] * 2 ** -one[2] if one[2] > 0 else one[0] >= 1 << -one[2]
    with pytest.raises(Undecided):
        ar.exp((1, 1, 10**9))
    tiny = ar.exp((1, 1, -(10**30)))
    assert tiny[0] <= 1 << -tiny[2] < tiny[1]


def test_shifts() -> None:
    for m in range(-9, 10):
        for s in range(-6, 7):
            assert shift_floor(m, s) == (Fraction(m) * Fraction(2) ** s).__floor__()
            assert shift_ceil(m, s) == (Fraction(m) * Fraction(2) ** s).__ceil__()
        assert shift_floor(m, -(10**40)) == (-1 if m < 0 else 0)


def test_undecided_arguments() -> None:
    ar = Arithmetic(64)
    for x in ((0, 1, 0), (-1, 5, 3), (0, 0, 0), (-2, -1, 0)):
        with pytest.raises(Undecided):
            ar.log(x)
    for y in ((0, 1, 0), (-1, 0, 0), (-1, 1, 0), (0, 0, 0)):
        with pytest.raises(Undecided):
            ar.div((1, 1, 0), y)
    assert ar.sqrt((-1, 0, 0))[0] == 0


def test_sums_and_products_keep_every_pair_of_members() -> None:
    """Small intervals of every sign pattern, ends at zero included: exact containment."""
    rng = random.Random(5)
    ends = [(low, high) for low in range(-3, 4) for high in range(low, 4)]
    touching = 0
    for _ in range(4000):
        (a, b), (c, d) = rng.choice(ends), rng.choice(ends)
        e, f = rng.choice([-40, -3, 0, 1, 40]), rng.choice([-40, 0, 2])
        touching += 0 in (a, b, c, d)
        ar = Arithmetic(rng.choice([4, 16, 64]))
        x, y = (a, b, e), (c, d, f)
        values = [
            (Fraction(m) * Fraction(2) ** e, Fraction(n) * Fraction(2) ** f)
            for m in {a, b, (a + b) // 2}
            for n in {c, d, (c + d) // 2}
        ]
        for operation, exact in (
            (ar.add, [u + v for u, v in values]),
            (ar.sub, [u - v for u, v in values]),
            (ar.mul, [u * v for u, v in values]),
        ):
            low, high, g = operation(x, y)
            unit = Fraction(2) ** g
            assert low * unit <= min(exact)
            assert max(exact) <= high * unit
    assert touching > 1000


# ---------------------------------------------------------------- every rounding as it is stated
#
# The series once more, term by term in fractions with floor and ceil: the integer shortcuts of the
# kernel (shifts, nested floors, negated floors for ceilings) must give these very integers.


def scaled(e: int) -> Fraction:
    return Fraction(2) ** e


def floored_atanh_of_inverse(n: int, w: int) -> tuple[int, int]:
    """Every term of the series floored; (the sum, the number of terms that are not 0)."""
    total, terms, k = 0, 0, 1
    while 2**w // n**k:
        total, terms, k = total + 2**w // (k * n**k), terms + 1, k + 2
    return total, terms


def lower_exp(r: int, v: int, halvings: int) -> int:
    s = floor(Fraction(r) / 2**halvings)
    term, total, k = 2**v, 2**v, 1
    while term:
        term = floor(Fraction(term * s, 2**v * k))
        total, k = total + term, k + 1
    for _ in range(halvings):
        total = floor(Fraction(total * total, 2**v))
    return total


def upper_exp(r: int, v: int, halvings: int) -> int:
    s = ceil(Fraction(r) / 2**halvings)
    term, total, k = 2**v, 2**v, 1
    while term > 1:
        term = ceil(Fraction(term * s, 2**v * k))
        total, k = total + term, k + 1
    total += term  # the remainder
    for _ in range(halvings):
        total = ceil(Fraction(total * total, 2**v))
    return total


def lower_atanh(y: int, v: int) -> int:
    square, power, total, k = floor(Fraction(y * y, 2**v)), y, 0, 1
    while power:
        total, k = total + floor(Fraction(power, k)), k + 2
        power = floor(Fraction(power * square, 2**v))
    return total


def upper_atanh(y: int, v: int) -> int:
    square, power, total, k = ceil(Fraction(y * y, 2**v)), y, 0, 1
    while power > 1:
        total, k = total + ceil(Fraction(power, k)), k + 2
        power = ceil(Fraction(power * square, 2**v))
    return total + 2 * power


def test_series_for_log_of_2() -> None:
    """Each floor costs less than one unit and the remainder less than two."""
    for n in (3, 5, 26, 4801, 8749):
        for w in (0, 1, 2, 3, 9, 30, 31, 64, 200):
            low, high = enclose._atanh_of_inverse(n, w)
            total, terms = floored_atanh_of_inverse(n, w)
            assert (low, high) == (total, total + terms + 2)
    for w in [*range(120), 1000]:
        with flint.ctx.workprec(w + 128):
            value = flint.arb.const_log2() * ball(1, w)
            nearest = int(value.floor().unique_fmpz())
        assert log_of_2(w) == (nearest, nearest + 1)  # the guard bits leave no other rounding


def test_series_of_exp_and_atanh() -> None:
    rng = random.Random(8)
    for _ in range(400):
        v, halvings = rng.choice([4, 9, 20, 64]), rng.randint(1, 5)
        r = rng.choice([0, 1, 2**v // 2, 2**v - 1, 2**v, rng.randint(0, 2**v)])
        low, high = enclose._exp_lower(r, v, halvings), enclose._exp_upper(r, v, halvings)
        assert low == lower_exp(r, v, halvings)
        assert high == upper_exp(r, v, halvings)
        with flint.ctx.workprec(200):
            value = (ball(r, -v)).exp() * ball(1, v)
            assert not (value < low), (r, v)
            assert not (value > high), (r, v)
        y = rng.choice([0, 1, 2, 2**v // 4, 2**v // 2, rng.randint(0, 2**v // 2)])
        low, high = enclose._atanh_lower(y, v), enclose._atanh_upper(y, v)
        assert low == lower_atanh(y, v)
        assert high == upper_atanh(y, v)
        with flint.ctx.workprec(200):
            value = ball(y, -v).atanh() * ball(1, v)
            assert not (value < low), (y, v)
            assert not (value > high), (y, v)
    # beyond 1/2 only the lower bound is promised
    for y in (9, 12, 15):
        assert enclose._atanh_lower(y, 4) == lower_atanh(y, 4)


def reduced(
    name: str, call: Callable[[], Interval]
) -> tuple[tuple[int, ...], tuple[int, ...], Interval]:
    """What the lower and the upper series of a function are given, and its answer."""
    names = [f"_{name}_lower", f"_{name}_upper"]
    with ExitStack() as patches:
        series = [
            patches.enter_context(patch.object(enclose, n, wraps=getattr(enclose, n)))
            for n in names
        ]
        answer = call()
    return series[0].call_args.args, series[1].call_args.args, answer


def test_reduction_of_exp() -> None:
    """x = k log 2 + r: the series are given bounds of r, within the range that they demand."""
    rng = random.Random(9)
    bits = 32
    for i in range(600):
        if i % 3:
            m, e = rng.choice([1, -1]) * rng.getrandbits(rng.choice([1, 8, 60])), rng.randint(-9, 9)
        else:  # next to a multiple of log 2, from below and above, at the kernel's own precision
            magnitude = rng.choice([2, 3, 7, 20])
            w = bits + 2 * (isqrt(bits) // 2 + 1) + 8 + magnitude
            k = rng.choice([1, -1]) * floor(rng.randint(2 ** (magnitude - 1), 2**magnitude) / 0.7)
            m, e = k * rng.choice(log_of_2(w)) + rng.choice([-1, 0, 1]), -w
        (low, v, halvings), (high, *same), answer = reduced(
            "exp", lambda m=m, e=e: exp_point(m, e, bits)
        )
        assert same == [v, halvings]
        k = answer[2] + v
        with flint.ctx.workprec(400):
            r = (ball(m, e) - k * flint.arb.const_log2()) * ball(1, v)
            assert not (r < low), (m, e)
            assert not (r > high), (m, e)
        assert 0 <= low <= high <= 1 << v
        assert high - low <= 3


def test_reduction_of_log() -> None:
    """The series are given bounds of (g - 1)/(g + 1), g the 2**halvings-th root of f in [1, 2)."""
    rng = random.Random(10)
    bits = 32
    for _ in range(300):
        m, e = rng.getrandbits(rng.choice([1, 8, 60, 200])) | 1, rng.randint(-9, 9)
        if rng.random() < 0.2:
            m = 1 << rng.randint(0, 70)
        (low, v), (high, same), answer = reduced("atanh", lambda m=m, e=e: log_point(m, e, bits))
        halvings = isqrt(bits) // 2 + 1
        assert same == v
        with flint.ctx.workprec(600):
            g = ball(m, 1 - m.bit_length()).root(2**halvings)
            y = (g - 1) / (g + 1) * ball(1, v)
            assert not (y < low), (m, e)
            assert not (y > high), (m, e)
            value = ball(m, e).log()
            assert not (value < ball(answer[0], answer[2])), (m, e)
            assert not (value > ball(answer[1], answer[2])), (m, e)
        assert 0 <= low <= high <= 1 << (v - 1)
        assert high - low <= 2


def test_any_enclosure_of_log_2_will_do() -> None:
    """exp and log take the unfavourable end of log 2: with far wider bounds they still hold."""
    rng = random.Random(11)

    def wide_log_of_2(w: int) -> tuple[int, int]:
        low, high = log_of_2(w)
        return low - (1 << w - 10), high + (1 << w - 10)

    with patch.object(enclose, "log_of_2", wide_log_of_2), flint.ctx.workprec(400):
        for _ in range(300):
            m = rng.choice([1, 1, 1 << 9, rng.getrandbits(40) | 1])
            x, f = ball(m, e := rng.randint(-40, 40) - m.bit_length()), 5 - m.bit_length()
            low, high, g = log_point(m, e, 32)
            assert not (x.log() < ball(low, g)), (m, e)
            assert not (x.log() > ball(high, g)), (m, e)
            f -= rng.randint(0, 9)
            for n in (m, -m):
                low, high, g = exp_point(n, f, 32)
                assert not (ball(n, f).exp() < ball(low, g)), (n, f)
                assert not (ball(n, f).exp() > ball(high, g)), (n, f)


def test_promised_widths() -> None:
    """exp_point: relative width below 2**-bits; log_point: absolute width below 2**-bits."""
    rng = random.Random(12)
    for bits in (32, 33, 64, 100, 500):
        for _ in range(60):
            m, e = point(rng)
            low, high, _ = exp_point(rng.choice([m, -m]), min(e, 20), bits)
            assert (high - low) << bits < low
            low, high, f = log_point(m, e, bits)
            assert (high - low) * scaled(f + bits) < 1


# ---------------------------------------------------------------- interval arithmetic


def optimal(x: Interval, low: Fraction, high: Fraction, bits: int) -> None:
    """The ends are the exact ones, rounded at the interval's own exponent, which is what `bits`
    bits demand (a carry may add one), unless nothing had to be rounded."""
    unit = scaled(x[2])
    assert x[:2] == (floor(low / unit), ceil(high / unit))
    length = max(x[0].bit_length(), x[1].bit_length())
    assert length <= bits or 1 << bits in (x[1], -x[0])
    assert length >= bits or (low == x[0] * unit and high == x[1] * unit)


def operands(rng: random.Random) -> Interval:
    length = rng.choice([1, 3, 8, 40])
    ends = sorted(rng.randint(-(1 << length), 1 << length) for _ in range(2))
    if rng.random() < 0.4:
        ends = sorted(rng.choice([0, ends[0], ends[1]]) for _ in range(2))
    return ends[0], ends[1], rng.choice([-100, -41, -13, -9, -8, -3, 0, 1, 2, 8, 9, 12, 13, 41])


def test_operations_round_once() -> None:
    """Sums, products and quotients are the exact ones, rounded outward once to the precision."""
    rng = random.Random(13)
    for _ in range(5000):
        bits = rng.choice([4, 8, 16])
        ar, x, y = Arithmetic(bits), operands(rng), operands(rng)
        (a, b), (c, d) = ([m * scaled(z[2]) for m in z[:2]] for z in (x, y))
        if any(x[:2]) and any(y[:2]):  # 0 + y is y as it stands
            optimal(ar.add(x, y), a + c, b + d, bits)
            optimal(ar.sub(x, y), a - d, b - c, bits)
        products = [u * v for u in (a, b) for v in (c, d)]
        optimal(ar.mul(x, y), min(products), max(products), bits)
        if not c <= 0 <= d:
            quotients = [u / v for u in (a, b) for v in (c, d)]
            optimal(ar.div(x, y), min(quotients), max(quotients), bits)
        assert ar.neg(x) == (-x[1], -x[0], x[2])
        assert upper_end(x) == (x[1], x[1], x[2])
        fitted = ar.fit(*x)
        excess = max(0, max(x[0].bit_length(), x[1].bit_length()) - bits)
        unit = scaled(excess)
        assert fitted == (floor(x[0] / unit), ceil(x[1] / unit), x[2] + excess)
        q = Fraction(rng.randint(-5000, 5000), rng.choice([1, 1, 2, 3, 7, 64, 999]))
        optimal(ar.of(q), q, q, bits)


def test_roots_round_once() -> None:
    """The floor of the root, and at most one unit more than its floor above."""
    rng = random.Random(14)
    for _ in range(3000):
        bits = rng.choice([4, 8, 16])
        ar = Arithmetic(bits)
        a, b, e = operands(rng)
        low, high, f = ar.sqrt((a, b, e))
        below, above = (max(end, 0) * scaled(e - 2 * f) for end in (a, b))
        assert low == isqrt(floor(below))
        assert high - 1 <= isqrt(floor(above)) < high
        if b > 0:
            assert bits <= high.bit_length() <= bits + 1


def test_images_of_intervals_are_images_of_their_ends() -> None:
    """exp and log of an interval lose nothing beyond the enclosures of the two ends."""
    rng = random.Random(15)
    bits = 40
    ar = Arithmetic(bits)
    for _ in range(300):
        length = rng.choice([2, 10, 60])
        a, b = sorted(rng.randint(1, 1 << length) for _ in range(2))
        e = rng.choice([-80, -length, -length + 2])
        for function, more in ((ar.exp, [(-b, -a, e), (-a, b, e)]), (ar.log, [])):
            for x in [(a, b, e), (a, a, e), *more]:
                ends = [function((m, m, e)) for m in x[:2]]
                low, high, f = function(x)
                unit = scaled(f)
                under, over = ends[0][0] * scaled(ends[0][2]), ends[1][1] * scaled(ends[1][2])
                assert under - unit <= low * unit <= under
                assert over <= high * unit <= over + unit
                assert max(low.bit_length(), high.bit_length()) <= bits + 1


def test_far_summands_only_move_an_end_outward() -> None:
    """A summand far below the last bit is rounded away; one of known sign leaves the other end."""
    ar = Arithmetic(16)
    far = -(10**30)
    for x in (ONE, (-3, 5, 7), (-8, -8, 0), (0, 4, 0)):
        low, high = x[0] * scaled(x[2]), x[1] * scaled(x[2])
        unit = max(-x[0], x[1]) * scaled(x[2] - 15)
        for y in ((0, 1, far), (0, 0, far), (-1, 0, far), (1, 1, far), (-1, 1, far), (-1, -1, far)):
            for answer in (ar.add(x, y), ar.add(y, x)):
                ends = [m * scaled(answer[2]) for m in answer[:2]]
                assert ends[0] == low if y[0] >= 0 else low - unit <= ends[0] < low
                assert ends[1] == high if y[1] <= 0 else high < ends[1] <= high + unit
    # zero is neutral, whatever the exponents are
    assert ar.add((0, 0, 0), (3, 4, far)) == ar.add((3, 4, far), (0, 0, 0)) == (3, 4, far)
    assert ar.add((0, 0, far), (3, 4, 0)) == ar.add((3, 4, 0), (0, 0, far)) == (3, 4, 0)


def test_the_largest_exponent() -> None:
    """Arguments of exp of 2**17 integer bits are taken, longer ones are refused."""
    assert MAX_MAGNITUDE == 2**17
    low, high, e = exp_point(-1, MAX_MAGNITUDE - 1, 32)
    assert 0 < low < high
    assert e < -(1 << (MAX_MAGNITUDE - 1))
    for m in (1, -1):
        with pytest.raises(Undecided, match="an exponent is too large"):
            exp_point(m, MAX_MAGNITUDE, 32)


def test_finer_arithmetic() -> None:
    ar = Arithmetic(100)
    assert ar.of(Fraction(5)) == (5, 5, 0)  # integers stay as they are
    for extra, bits in ((0, 128), (28, 128), (29, 192), (-36, 64), (92, 192)):
        assert ar.finer(extra).bits == bits
        assert ar.finer(extra) is ar.finer(extra)


def test_the_exponential_of_close_ends_holds_both() -> None:
    """Ends at distances around the one where the second series is saved, against finer ends."""
    rng = random.Random(9)
    saved = 0
    for _ in range(400):
        bits = rng.choice([32, 64, 100])
        ar, fine = Arithmetic(bits), Arithmetic(3 * bits)
        a, e = rng.getrandbits(2 * bits) - (1 << 2 * bits - 1), -2 * bits + 3
        b = a + (1 << rng.randrange(1, 2 * bits))
        low, high, f = ar.exp((a, b, e))
        lowest, highest = fine.exp((a, a, e)), fine.exp((b, b, e))
        assert fine.sub(lowest, (low, low, f))[1] >= 0
        assert fine.sub((high, high, f), highest)[0] >= 0
        saved += b - a < 1 << bits // 2
    assert saved > 50


def test_the_upper_end_of_the_exponential_of_close_ends_is_as_it_is_stated() -> None:
    """high + ceil(high d) + 1 where the lengths show high d^2 <= 1, else of the second series."""
    seen = set()
    for ar, a, bits in product(
        map(Arithmetic, (32, 33)), (-(2**70) // 3, 2**70 // 7), range(2, 60)
    ):
        d = (1 << bits) - 1  # in units of 2**-70
        low, high, e = exp_point(a, -70, ar.bits + 4)
        length = high.bit_length() + 2 * (bits - 70)
        seen.add(length)
        if length <= 0:
            high += ceil(high * d * scaled(-70)) + 1
        else:
            _, high, f = exp_point(a + d, -70, ar.bits + 4)
            top = max(e, f)
            low, high, e = floor(low * scaled(e - top)), ceil(high * scaled(f - top)), top
        with patch.object(Arithmetic, "fit", lambda _, *ends: ends):  # what is rounded last
            assert ar.exp((a, a + d, -70)) == (low, high, e)
            assert ar.exp((a, a, -70)) == exp_point(a, -70, ar.bits + 4)
    assert seen >= {-2, -1, 0, 1, 2}
