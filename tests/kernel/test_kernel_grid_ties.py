"""Differences at the points of a grid, exactly, against their values in 60 digits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import kernel_builder as kb
from core.coordinates import Rows
from core.enclose import Arithmetic
from core.grid_ties import Differences
from core.shapes import parse
from core.value import rate_form
from core.work import product as product_of
from core.zero import Form, enclose_sum
from mpmath import exp, mpf

F = Fraction
P: Rows = (((F(0), F(0)), F(1, 4)), ((F(1), F(1, 2)), F(3, 4)))
Q: Rows = (((F(0), F(1)), F(1, 3)), ((F(2, 3), F(0)), F(2, 3)))
SCALES, EPSILON = ("3", "7/2"), "log(2) + 1/5"


def value(y: tuple[Fraction, ...]) -> mpf:
    total = mpf(0)
    for rows, factor in ((P, mpf(1)), (Q, -exp(kb.real(EPSILON)))):
        for x, mass in rows:
            far = sum(
                (
                    kb.real(str(abs(a - b))) / kb.real(s)
                    for a, b, s in zip(x, y, SCALES, strict=True)
                ),
                mpf(0),
            )
            total += factor * kb.real(str(mass)) * exp(-far)
    return total


def test_a_difference_is_that_of_the_laws() -> None:
    """Times the common denominator of the masses."""
    found = Differences((P, Q), [rate_form(parse(s)) for s in SCALES], parse(EPSILON))
    for y in product((F(0), F(1), F(5, 3)), (F(0), F(-1, 2), F(1))):
        low, high, e = enclose_sum(found.at(y), Arithmetic(128))
        assert abs(mpf(low) * mpf(2) ** e - 12 * value(y)) < mpf(2) ** -110
        assert mpf(high - low) * mpf(2) ** e < mpf(2) ** -110


def test_a_difference_is_charged_by_what_it_takes() -> None:
    """All rows, each with all rates in all generators; and the length of the numbers."""
    rates: list[Form] = [frozenset({(("x", k), F(1))}) for k in range(5)]
    rows: Rows = tuple((tuple(F(k) for _ in range(5)), F(1, 100)) for k in range(100))
    assert Differences((rows, rows), rates, F(1)).cost >= 2 * 200 * 5 * 6
    long: Rows = (((F(0),) * 5, F(1, 3**12000)),)
    assert Differences((long, long), rates, F(1)).cost >= 2 * product_of(19000)
