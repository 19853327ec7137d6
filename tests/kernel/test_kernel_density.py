"""Signs of a density on cells: ranges, expansions and tails, each premise by itself."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import mpmath
import pytest
import smooth_cases as sc
from core import density
from core.density import Wave, cell_sign, waves
from core.enclose import Arithmetic, Interval
from core.grammar import canonical, shown
from core.rules import Rejected
from core.smooth import Split
from core.value import form_of
from mpmath import mpf

AR = Arithmetic(128)
HALF = Fraction(1, 2)


def wave(size: int, *exponent: int | Fraction) -> Wave:
    return Wave((size, size, 0), *map(Fraction, exponent))


def inside(x: Interval, value: mpf, slack: str = "1e-30") -> bool:
    low, high = (mpmath.ldexp(end, x[2]) for end in x[:2])
    room = abs(value) * mpf(slack) + mpf("1e-40")
    return bool(low - room <= value <= high + room)


def test_signs_of_intervals() -> None:
    ends = [(low, high) for low, high in product(range(-3, 4), repeat=2) if low <= high]
    for low, high in ends:
        sign = (low > 0) - (high < 0)
        assert density._sign((low, high, 0)) == sign
        for rest in range(4):
            dominates = sign and min(abs(low), abs(high)) > rest
            found = density._dominant_sign((low, high, 0), (rest, rest, 0), AR)
            assert found == (sign if dominates else 0)


def test_an_interval_in_a_message_is_cut_to_thirty_characters() -> None:
    for digits in (28, 29, 30, 31, 40):
        x = Fraction(10**digits)
        low, high = shown(canonical(-x), 30)[1:-1], shown(canonical(x), 30)[1:-1]
        assert density.interval_text(-x, x) == f"[{low}, {high}]"
    assert density.interval_text(None, None) == "[-inf, inf]"


def test_the_terms_are_the_bells_and_the_flat_part() -> None:
    value = sc.problem(sc.normal("3/2", "2/3"), sc.normal(-2, 5), 1, 0, 1)
    goal = next(iter(sc.goals(value)))
    found = waves(Split(goal, form_of(goal.epsilon), AR, AR.of(Fraction(1, 9))))
    laws = sorted([(Fraction(3, 2), Fraction(2, 3), 1), (Fraction(-2), Fraction(5), -1)])
    for (mean, variance, sign), w in zip(laws, found[:2], strict=True):
        assert density._sign(w.coefficient) == sign
        for x in map(Fraction, ("-3", "0", "1/3", "7")):
            assert w.at(x) == -((x - mean) ** 2) / (2 * variance)
            assert w.slope(x) == -(x - mean) / variance
    assert [density._sign(w.coefficient) for w in found[2:]] == [-1]
    assert found[2][1:] == (0, 0, 0)


def test_the_range_of_a_bell_is_that_of_its_exponent() -> None:
    """Its ends, and its vertex where that is inside: before, on, and behind either end."""
    inner = 0
    for q1, q2, low in product(range(-6, 7), range(-2, 3), range(-2, 3)):
        w, high = wave(1, 1, q1, q2), Fraction(low + 2)
        points = [Fraction(low), high]
        if q2 and low < Fraction(-q1, 2 * q2) < high:
            points.append(Fraction(-q1, 2 * q2))
            inner += 1
        found = density._spread(w, Fraction(low), high, AR)
        values = [mpmath.exp(sc.mp_of(w.at(x))) for x in points]
        assert all(inside(found, x) for x in values)
        narrow = [mpmath.ldexp(end, found[2]) for end in found[:2]]
        assert narrow[0] >= min(values) * (1 - mpf("1e-25"))
        assert narrow[1] <= max(values) * (1 + mpf("1e-25"))
    assert inner > 50


@pytest.mark.parametrize(
    ("other", "right", "left"),
    [
        (wave(4, 0, 0, 0), 1, 1),
        (wave(5, 0, 0, 0), 0, 0),  # as large as the reference
        (wave(-4, 0, -HALF, 0), 1, 0),
        (wave(-4, 0, HALF, 0), 0, 1),
        (wave(4, 0, -3, HALF), 0, 0),  # it grows again
        (wave(4, 0, -3, 2), 0, 0),
        (wave(4, 0, -3, -1), 1, 0),
        (wave(4, HALF, -1, 0), 0, 0),  # 4 sqrt(e) > 5
    ],
)
def test_premises_of_tails(other: Wave, right: int, left: int) -> None:
    """The reference with 5, from 0 on and up to 0, whatever the exponent of the reference is."""
    for sign, shift in product((1, -1), (0, 3, -3)):
        terms = [Wave(w.coefficient, w.q0 + shift, w.q1 + 1, w.q2 - 7)
                 for w in (wave(5 * sign, 0, 0, 0), other)]  # fmt: skip
        for ends, expected in (((Fraction(0), None), right), ((None, Fraction(0)), left)):
            if expected:
                assert cell_sign(terms, *ends, 0, 0, AR) == expected * sign
                with pytest.raises(Rejected, match="not proved"):  # an expansion is for a cell
                    cell_sign(terms, *ends, 1, 0, AR)
            else:
                with pytest.raises(Rejected, match="not proved"):
                    cell_sign(terms, *ends, 0, 0, AR)
    with pytest.raises(Rejected, match=r"\[-inf, inf\]"):
        cell_sign([wave(5, 0, 0, 0), other], None, None, 0, 0, AR)
    assert cell_sign([wave(-5, 0, 0, 0)], None, None, 0, 0, AR) == -1


def test_expansions_contain_the_coefficients() -> None:
    """At the centre those of every order below N, anywhere on the cell the N-th, and e^q itself."""
    rng = random.Random(6)
    checked = 0
    for _ in range(30):
        curve = [
            Wave((k, k, 0), *(Fraction(rng.randint(-9, 9), 4) for _ in range(3)))
            for k in rng.sample(range(-5, 6), 2)
        ]
        low = Fraction(rng.randint(-8, 8), 4)
        high = low + Fraction(rng.randint(1, 8), 4)
        order = rng.randint(1, 7)
        found = density._expansion(curve, low, high, order, Arithmetic(128))
        centre, half_width = sc.mp_of((low + high) / 2), sc.mp_of((high - low) / 2)

        def h(s: mpf, c: mpf = centre, w: mpf = half_width, curve: Any = curve) -> mpf:
            x = c + w * s
            return mpmath.fsum(
                t.coefficient[0]
                * mpmath.exp(sc.mp_of(t.q0) + x * (sc.mp_of(t.q1) + x * sc.mp_of(t.q2)))
                for t in curve
            )

        for n, value in enumerate(mpmath.taylor(h, 0, order)[:order]):
            assert inside(found[n], value, "1e-20"), (curve, low, high, n)
        for k in range(-8, 9):
            s = mpf(k) / 8
            assert inside(found[order], mpmath.taylor(h, s, order)[order], "1e-20")
            x = centre + half_width * s
            bell = density._spread(curve[0], low, high, Arithmetic(128))
            q0, q1, q2 = (sc.mp_of(part) for part in curve[0][1:])
            assert inside(bell, mpmath.exp(q0 + x * (q1 + x * q2)))
            checked += 2
    assert checked > 1000


def coefficient(q0: Fraction, q1: Fraction, q2: Fraction, n: int) -> mpf:
    """That of s^n in e^(q0 + q1 s + q2 s^2), by the product of the two series."""
    parts = (q1 ** (n - 2 * k) * q2**k / (factorial(n - 2 * k) * factorial(k))
             for k in range(n // 2 + 1))  # fmt: skip
    return mpmath.exp(sc.mp_of(q0)) * sc.mp_of(sum(parts, Fraction(0)))


def test_expansions_contain_the_coefficients_of_one_bell() -> None:
    eighths = [Fraction(k, 8) for k in range(-8, 9)]
    slopes, bends = (list(map(Fraction, x)) for x in (("0", "-5/2", "1"), ("-1", "0", "1/3")))
    cases = product(slopes, bends, ((-1, 1), (1, 2), (-3, 0)))
    for (q1, q2, (low, high)), order in product(cases, (0, 1, 2, 4)):
        w = wave(3, Fraction(1, 5), q1, q2)
        found = density._expansion([w], Fraction(low), Fraction(high), order, AR)
        centre, half = Fraction(low + high, 2), Fraction(high - low, 2)

        def at(s: Fraction, n: int, w: Wave = w, c: Fraction = centre, h: Fraction = half) -> mpf:
            """The n-th Taylor coefficient of s -> e^(q(c + h s)) there."""
            x = c + h * s
            return 3 * coefficient(w.at(x), h * w.slope(x), h * h * w.q2, n)

        assert len(found) == order + 1
        for n in range(order):
            assert inside(found[n], at(Fraction(0), n), "1e-25")
            assert found[n][1] - found[n][0] <= 1 << 20  # a number, not a range
        assert all(inside(found[order], at(s, order), "1e-25") for s in eighths)


@pytest.mark.parametrize(
    ("total", "ends", "expected"),
    [
        ([(9, 9), (-4, 4), (-4, 4)], 0, 1),
        ([(9, 9), (-4, 4), (-4, 5)], 0, 0),  # the rest counts
        ([(9, 9), (-5, 4), (-4, 4)], 0, 0),
        ([(-9, -9), (4, 4), (-4, 4)], 0, -1),
        ([(-1, 1), (9, 9), (-4, 4)], 1, 1),  # monotone, and positive at both ends
        ([(-1, 1), (9, 9), (-4, 4)], -1, -1),
        ([(-1, 1), (9, 9), (-4, 4)], 0, 0),  # of two signs at the ends
        ([(-1, 1), (9, 9), (-5, 4)], 1, 0),  # twice the rest
        ([(-1, 1), (9, 9), (-1, 2), (-1, 1)], 1, 1),
        ([(-1, 1), (9, 9), (-1, 2), (-1, 2)], 1, 0),  # three times the rest
        ([(-1, 1), (9, 9), (-3, 2), (-1, 1)], 1, 0),
        ([(-1, 1), (-9, 9), (0, 0)], 1, 0),
        ([(-1, 1), (9, 9)], 1, 0),  # of order 1: the slope is all rest
        ([(9, 9), (-9, 8)], 1, 0),
        ([(9, 9), (-8, 8)], 1, 1),
    ],
)
def test_premises_of_expansions(
    total: list[tuple[int, int]], ends: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ends`: the sign of H at both ends, 0 for two signs."""
    found = [(low, high, 0) for low, high in total]
    monkeypatch.setattr(density, "_expansion", lambda *_: found)
    values = iter([(1, 1, 0), (-1, -1, 0)] if not ends else [(ends, ends, 0)] * 2)
    monkeypatch.setattr(density, "_value", lambda *_: next(values))
    sign = density._taylor_sign([], Fraction(0), Fraction(1), len(total) - 1, Arithmetic(64))
    assert sign == expected
