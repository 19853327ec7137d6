"""Numbers that have to lie in a range, read exactly; the error begins with what they are called."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, printable, rational


def positive(value: object, name: str) -> Fraction:
    """Return a rational number > 0, or raise InputError.

    Example: ``positive("1/2", "step")`` is ``1/2``.
    """
    found = rational(value, name)
    if found <= 0:
        raise InputError(f"{name}: {shorten(found)} is not > 0")
    return found


def not_negative(value: object, name: str) -> Fraction:
    """Return a rational number >= 0, or raise InputError.

    Example: ``not_negative("1/2", "radius")`` is ``1/2``.
    """
    found = rational(value, name)
    if found < 0:
        raise InputError(f"{name}: {shorten(found)} is negative, expected a number >= 0")
    return found


def within_one(value: object, name: str, *, ends: bool = True) -> Number:
    """Return an exact number in [0, 1], or raise InputError; `ends`: these may be it.

    Example: ``within_one("3/2", "truth")`` raises.
    """
    found, where = printable(value, name), "[0, 1]" if ends else "(0, 1)"
    low, high = found.sign(), (Number.of_rational(1) - found).sign()
    if low is None or high is None:
        raise InputError(f"{name}: cannot decide whether {shorten(found.text)} is in {where}")
    if min(low, high) < (0 if ends else 1):
        raise InputError(f"{name}: {shorten(found.text)} is outside {where}")
    return found
