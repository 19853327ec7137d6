"""The hockey-stick divergence on a line: the bound against sums over the lattice, and integrals."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core.enclose import ZERO, Arithmetic, Interval
from core.line_area import piece_upper, positive_part_upper
from core.sweep import Piece, sweep, unit
from core.zero import exp_form
from mpmath import exp, log, mp, mpf
from reader.noise import Noise

AR = Arithmetic(160)
STEP = Fraction(1, 2)
LATTICE = Noise("discrete-laplace", Fraction(3, 2), STEP)
LINE = Noise("laplace", Fraction(3, 2), None)
NEAR = mpf(2) ** -120
mp.dps = 60


def real(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def number(x: Interval) -> mpf:
    """The upper end."""
    return mpf(x[1]) * mpf(2) ** x[2]


def point(x: int, e: int = 0) -> Interval:
    """x, written with some exponent."""
    return (x >> e, x >> e, e) if e > 0 else (x << -e, x << -e, e)


def on_lattice(a: int, b: int, m: int, t: mpf) -> mpf:
    """(1-t) times the sum of the positive a t^j + b t^(m-j), 0 < j < m."""
    return (1 - t) * sum((max(a * t**j + b * t ** (m - j), 0) for j in range(1, m)), mpf(0))


def on_line(a: int, b: int, w: mpf) -> mpf:
    """The integral of the positive a e^-u + b e^-(w-u), 0 < u < w."""
    cuts = [mpf(0), w]
    if a * b < 0:
        cuts.insert(1, min(max((w - log(mpf(-b) / a)) / 2, 0), w))
    parts = [a * (exp(-u) - exp(-v)) + b * (exp(v - w) - exp(u - w)) for u, v in pairwise(cuts)]
    return sum((max(x, 0) for x in parts), mpf(0))


def piece(a: Interval, b: Interval, tau: Interval) -> Piece:
    return Piece(a, AR.mul(a, tau), AR.mul(b, tau), b, tau)


VALUES = [-40, -12, -4, -1, 0, 1, 2, 4, 12, 40]


@pytest.mark.parametrize("noise", [LATTICE, LINE])
def test_the_positive_part_inside_a_piece(noise: Noise) -> None:
    """Of one gap, whatever the signs at its ends, and however the numbers are written."""
    rho, t = mpf(2) / 3, unit(noise, AR)
    for a, b, m in product(VALUES, VALUES, range(1, 9)):
        gap = m * STEP
        tau = exp_form(noise.decay(gap), AR)
        expected = on_line(a, b, real(gap) * rho)
        if noise.step is not None:
            expected = on_lattice(a, b, m, exp(-rho / 2))
        for e in (0, -3):
            found = piece_upper(noise, gap, piece(point(a, e), point(b, e), tau), t, AR)
            if noise.step is not None and m == 1:
                assert found == ZERO
            assert -(mpf(10) ** -55) <= number(found) - expected < NEAR, (a, b, m, e)


@pytest.mark.parametrize("noise", [LATTICE, LINE])
def test_the_positive_part_of_a_tail(noise: Noise) -> None:
    t = unit(noise, AR)
    for b, e, swap in product(VALUES, (0, -3), (False, True)):
        left, right = (point(b, e), ZERO) if swap else (ZERO, point(b, e))
        tail = piece(left, right, ZERO)
        found = piece_upper(noise, None, tail, t, AR)
        assert abs(number(found) - max(b, 0) * number(t)) < NEAR


def test_a_lattice_s_points_count_where_they_are_positive() -> None:
    """Atoms of whole masses, near and far from 0: (1-t) times the sum over all points."""
    rho, rng = mpf(2) / 3, random.Random(5)
    t = exp(-rho / 2)
    cases = [{0: 1}, {0: -1}, {0: 2}, {6: 1, 7: -1}, {6: 1, 8: -1}, {-9: 1, -4: -1}, {4: -1, 9: 1}]
    for _ in range(12):
        first = rng.randint(-30, 30)
        cases.append({first + k: rng.choice([-9, -3, -1, 1, 3, 9]) for k in (0, 2, 3, 9)})
    for masses in cases:
        atoms = {x * STEP: point(mass) for x, mass in masses.items()}
        swept = sweep(LATTICE, sorted(atoms), dict(sorted(atoms.items())), AR)
        found = positive_part_upper(LATTICE, swept, AR)
        low, high = min(masses), max(masses)
        expected = mpf(0)
        for y in range(low, high + 1):
            expected += max(sum(mass * t ** abs(y - x) for x, mass in masses.items()), 0)
        for end in (low, high):  # beyond it the values are t, t^2, ... times the one there
            value = sum(mass * t ** abs(end - x) for x, mass in masses.items())
            expected += max(value, 0) * t / (1 - t)
        expected *= 1 - t
        assert -(mpf(10) ** -50) <= number(found) - expected < NEAR, masses


@pytest.mark.parametrize("noise", [LATTICE, LINE])
def test_at_no_precision_is_the_bound_too_low(noise: Noise) -> None:
    """Where the sign at an end, and the last positive point, are not separated from 0."""
    rho = mpf(2) / 3
    for m, a, b in product((2, 3), range(1, 14), range(1, 14)):
        gap = m * STEP
        expected = on_line(a, -b, real(gap) * rho)
        if noise.step is not None:
            expected = on_lattice(a, -b, m, exp(-rho / 2))
        for ar in map(Arithmetic, (1, 2, 3, 5)):
            t, tau = unit(noise, ar), exp_form(noise.decay(gap), ar)
            one = Piece(point(a), ZERO, ZERO, point(-b), tau)
            assert number(piece_upper(noise, gap, one, t, ar)) >= expected * (1 - NEAR)
