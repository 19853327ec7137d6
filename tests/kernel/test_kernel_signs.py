"""The sign of an exponential sum, at rising precision."""

from __future__ import annotations

from fractions import Fraction

import pytest
from core import zero
from core.rules import Rejected
from core.signs import decided_sign
from mpmath import exp, mpf, workdps


def gap(digits: int, way: int) -> zero.Sum:
    """e less a rational that is so near, below it (1) or above (-1)."""
    with workdps(digits + 20):
        near = int(exp(mpf(1)) * mpf(10) ** (digits + 5))
    return {
        zero.constant(Fraction(1)): Fraction(1),
        zero.NIL: Fraction(way, 10**digits) - Fraction(near, 10 ** (digits + 5)),
    }


@pytest.mark.parametrize("digits", [3, 30, 100, 1000])
def test_as_many_digits_as_it_takes(digits: int) -> None:
    assert decided_sign(gap(digits, 1)) == 1
    assert decided_sign(gap(digits, -1)) == -1


def test_what_is_nothing_and_what_is_too_near() -> None:
    assert decided_sign({}) == 0
    with pytest.raises(Rejected, match="a sign is not decided"):
        decided_sign(gap(6000, 1))
