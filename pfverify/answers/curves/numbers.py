"""Growths e**epsilon as short fractions, and the numbers of curves as they are published."""

from __future__ import annotations

from fractions import Fraction

from pfverify.exact.ball import Ball, fraction_of, precision
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.published import Real, real

_BITS = 128
_DIGITS = 12  # of what is published
_SHORT = 8  # digits of a growth that is rounded


def growth_of(epsilon: Number, *, up: bool) -> Fraction:
    """Return e**epsilon where a short fraction is that, else rounded: up, or down.

    Example: ``growth_of(Number.parse("log(3/2)"), up=True)`` is ``3/2``.
    """
    with precision(_BITS):
        ends = Ball(epsilon.ball().raw.exp()).ends()
    if ends is None:
        raise RuntimeError("e**epsilon has no enclosure")
    low, high = map(fraction_of, ends)
    near = ((low + high) / 2).limit_denominator(10**_SHORT)
    if low <= near <= high and (Number.of_rational(near).log() - epsilon).sign() == 0:
        return near
    return Fraction(decimal_upper(high, _SHORT) if up else decimal_lower(low, _SHORT))


def between(lower: Fraction, upper: Fraction) -> Enclosure:
    """Return two exact numbers as they are published: decimals outward.

    Example: ``between(Fraction(1, 3), Fraction(1, 2)).text`` is ``"[0.333333333333, 0.5]"``.
    """
    return Enclosure(decimal_lower(lower, _DIGITS), decimal_upper(upper, _DIGITS))


def around(number: Number) -> Enclosure:
    """Return decimals around an exact number.

    Example: ``around(Number.parse("log(2)")).text`` is ``"[0.693147180559, 0.69314718056]"``.
    """
    if number.fraction is not None:
        return between(number.fraction, number.fraction)
    with precision(_BITS):
        ends = number.ball().ends()
    if ends is None:
        raise RuntimeError("a number has no enclosure")
    return between(*map(fraction_of, ends))


def exactly(value: Fraction) -> Real:
    """Return an exact number as results have it: a decimal where it is one."""
    return real(Number.parse(decimal_text(value)))
