"""Exact numbers as values of terms: their signs and powers, or no meaning."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import PfverifyError
from pfverify.exact.number import Number

MAX_POWER = 4096  # a larger whole power is not multiplied out
ZERO, ONE = Number.of_rational(0), Number.of_rational(1)


class NoMeaning(PfverifyError):  # noqa: N818
    """A term has no value in an instance (or none that could be decided)."""


def known_sign(x: Number) -> int:
    """Return the sign of a number. Raises NoMeaning where it is undecided."""
    sign = x.sign()
    if sign is None:
        raise NoMeaning("a sign is undecided")
    return sign


def known_fraction(x: Number) -> Fraction:
    """Return a number as a fraction. Raises NoMeaning where it is not rational."""
    if x.fraction is None:
        raise NoMeaning("a table is looked up at a number that is not rational")
    return x.fraction


def power(base: Number, exponent: Number) -> Number:
    """Return base^exponent. Raises NoMeaning where it is too large or a sign is undecided."""
    k = exponent.fraction
    if k is not None and k.denominator == 1:
        if abs(k) > MAX_POWER:
            raise NoMeaning("a power is too large")
        result = ONE
        for _ in range(abs(int(k))):
            result = result * base
        return ONE / result if k < 0 else result
    if k is not None and k > 0 and known_sign(base) == 0:
        return ZERO
    return (exponent * base.log()).exp()
