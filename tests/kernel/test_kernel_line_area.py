"""The positive part of the difference of two laws on a line, bounded from above: against sums."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core import line_area
from core.enclose import ZERO, Arithmetic, Interval
from core.sweep import Piece, Swept, unit
from mpmath import e as euler
from mpmath import mpf, sqrt, workdps
from reader.noise import Noise

F = Fraction
LATTICE, LINE = ("discrete-laplace", F(2), F(1)), ("laplace", F(2), None)


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with workdps(40):
        yield


def high(x: Interval) -> mpf:
    """The upper end."""
    return mpf(x[1]) * mpf(2) ** x[2]


def point(k: int, e: int = 0) -> Interval:
    return k, k, e


def piece(a: Interval, b: Interval, tau: Interval) -> Piece:
    return Piece(a, ZERO, ZERO, b, tau)


def on_line(a: Any, b: Any, tau: mpf) -> mpf:
    """Twice the integral of [a e^-u + b e^-(w - u)]_+ over 0 < u < w, for tau = e^-w."""
    a, b = max(a, b), min(a, b)
    if a * tau + b >= 0:
        return (a + b) * (1 - tau)
    return (sqrt(a) - sqrt(-b * tau)) ** 2 if a + b * tau > 0 else mpf(0)


def on_lattice(a: Any, b: Any, m: int, t: mpf) -> mpf:
    """1 - t times the sum of the positive parts inside a piece of m steps."""
    inside = (a * t**j + b * t ** (m - j) for j in range(1, m))
    return (1 - t) * sum((g for g in inside if g > 0), mpf(0))


SIGNED = [*product(range(-3, 4), repeat=2), (40, -39), (-90, 100), (100, -1), (7, -5), (-50, 51)]


@pytest.mark.parametrize("e", [0, 1, -3, 70])
def test_pieces_of_a_line(e: int) -> None:
    """Whatever the signs are; ends that are known up to a factor have the bound of all."""
    ar, noise = Arithmetic(64), Noise(*LINE)
    unit_of = mpf(2) ** e
    for a, b in SIGNED:
        for tau in ((0, 0, 0), (1, 1, -1), (1, 3, -2), (1, 4, -3), (15, 16, -4)):
            found = line_area.piece_upper(
                noise, F(1), piece(point(a, e), point(b, e), tau), point(1), ar
            )
            between = ((tau[0] + (tau[1] - tau[0]) * mpf(k) / 8) * mpf(2) ** tau[2]
                       for k in range(9))  # fmt: skip
            exact = max(on_line(a * unit_of, b * unit_of, x) for x in between)
            assert high(found) >= exact * (1 - mpf(10) ** -30), (a, b, tau)
            if tau[0] == tau[1]:
                assert high(found) <= exact + unit_of * mpf(10) ** -15, (a, b, tau)
            if max(a, b) <= 0:
                assert found == ZERO


@pytest.mark.parametrize(("bits", "close"), [(64, 10.0**-15), (12, 0.1), (5, 2.0)])
def test_pieces_of_a_lattice(bits: int, close: float) -> None:
    """With few bits an end that is off by one of its units would be seen."""
    ar, noise = Arithmetic(bits), Noise(*LATTICE)
    t = euler ** mpf(-0.5)
    for a, b in SIGNED:
        for m in (1, 2, 3, 4, 7):
            tau = unit(Noise("discrete-laplace", F(2), F(m)), ar)
            found = line_area.piece_upper(
                noise, F(m), piece(point(a), point(b), tau), unit(noise, ar), ar
            )
            exact = on_lattice(a, b, m, t)
            assert high(found) >= exact - mpf(10) ** -30, (a, b, m)
            scale = max(abs(a), abs(b), 1)
            assert high(found) <= exact + scale * close, (a, b, m)
            if m == 1 or max(a, b) <= 0:
                assert found == ZERO, (a, b, m)
        tail = line_area.piece_upper(noise, None, piece(point(a), ZERO, ZERO), unit(noise, ar), ar)
        assert high(tail) >= max(a, 0) * t - mpf(10) ** -30
        assert high(tail) <= max(a, 0) * (t + close)


def test_where_the_sign_changes_may_be_known_roughly() -> None:
    """The sums up to all indices that it may be at are compared; few are tried."""
    ar, noise = Arithmetic(64), Noise(*LATTICE)
    t = euler ** mpf(-0.5)
    tried = 0
    for m in (2, 3, 5, 8):
        for a, b in product(range(1, 60, 9), range(-59, 0, 8)):
            if not (a * t**m + b < 0 < a + b * t**m):
                continue
            for less, more in ((97, 103), (70, 140), (50, 200), (10, 1000), (0, 200)):
                tau = t**m * 2**64 / 100
                wide = int(tau * less), int(tau * more) + 1, -64
                parts = point(a), point(b), wide
                found = line_area._lattice_upper(noise, F(1), F(m), *parts, ar)
                exact = on_lattice(a, b, m, t)
                if found is not None:
                    tried += 1
                    assert exact <= high(found) + mpf(10) ** -30, (a, b, m, wide)
                    assert high(found) <= exact + mpf(10) ** -15, (a, b, m, wide)
                else:
                    assert less in (0, 10, 50), (a, b, m)
                assert less or found is None  # no bound of the index
                whole = line_area.piece_upper(noise, F(m), piece(*parts), unit(noise, ar), ar)
                assert exact <= high(whole) + mpf(10) ** -30, (a, b, m, wide)
    assert tried > 60


def test_points_and_gaps_of_a_lattice_add() -> None:
    """Gaps are those between neighbours, wherever the places are; the points have 1 - t."""
    ar, noise = Arithmetic(64), Noise(*LATTICE)
    t = euler ** mpf(-0.5)
    for places in ([-1, 2], [0, 1], [-3, 4, 5], [2, 3, 8], [-2, 3, -2 + 6]):
        ends = [F(x) for x in places]
        for a, b, near in ((3, -2, 1), (-2, 3, -1), (2, 1, 0), (-1, 2, 1), (1, -1, 5)):
            pieces = [Piece(ZERO, ZERO, ZERO, point(b), ZERO)]
            exact = max(b, 0) * t
            for low, up in zip(ends, [*ends[1:], None], strict=True):
                gap = None if up is None else up - low
                tau = ZERO if gap is None else unit(Noise("discrete-laplace", F(2), gap), ar)
                right = ZERO if gap is None else point(b)
                pieces.append(Piece(point(a), ZERO, point(near - a), right, tau))
                exact += (1 - t) * max(near, 0)
                exact += max(a, 0) * t if gap is None else on_lattice(a, b, int(gap), t)
            found = line_area.positive_part_upper(noise, Swept(ends, pieces), ar)
            assert found[0] == found[1]
            assert exact - mpf(10) ** -30 <= high(found) <= exact + mpf(10) ** -14


def test_sums_of_few_bits_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """With t = 1/2 as it is, where all numbers are one bit: (1 - 1/2) (1/2 - 1/4) = 1/8."""
    ar, noise = Arithmetic(64), Noise("discrete-laplace", F(2), F(1))
    half = ar.log(point(1, -1))
    monkeypatch.setattr(Noise, "decay", lambda _, distance: -distance)  # of log 2
    monkeypatch.setattr(line_area, "times", lambda form, factor: form * factor)
    monkeypatch.setattr(line_area, "exp_form", lambda form, _: point(1, int(form)))
    monkeypatch.setattr(line_area, "enclose_form", lambda form, _: ar.mul(half, ar.of(-form)))
    monkeypatch.setattr(line_area, "unit", lambda *_: point(1, -1))
    found = line_area._lattice_upper(noise, F(1), F(3), point(1), point(-1), point(1, -3), ar)
    assert found is not None
    assert high(found) == mpf(1) / 8
