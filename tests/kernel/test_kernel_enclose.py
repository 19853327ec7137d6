"""The kernel's enclosures against Arb (python-flint), on random and extreme points."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import flint
import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from enclose import Arithmetic, Interval, Undecided, log_of_2, shift_ceil, shift_floor


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


def wide(count: int, seed: int) -> None:
    """Interval arguments: the images of both ends are contained; so are sums and quotients."""
    rng = random.Random(seed)
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
                for a in (x[0], x[1]):
                    for b in (y[0], y[1]):
                        value = exactly(ball(a, x[2]), ball(b, y[2]))
                        assert not (value < ball(low, e)), (name, x, y)
                        assert not (value > ball(high, e)), (name, x, y)
            low, high, e = ar.exp(x)
            assert not (ball(x[0], x[2]).exp() < ball(low, e))
            assert not (ball(x[1], x[2]).exp() > ball(high, e))


def test_exp_log_sqrt_against_arb() -> None:
    print("points tried:", run(6_000, 1))


@pytest.mark.long
def test_exp_log_sqrt_against_arb_long() -> None:
    tried = run(300_000, 2)
    print("points tried:", tried)
    assert tried >= 100_000


def test_interval_operations_against_arb() -> None:
    wide(1500, 3)


@pytest.mark.long
def test_interval_operations_against_arb_long() -> None:
    wide(50_000, 4)


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
