"""Searches that only propose, and the exact decimal bracket that a predicate decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from pfverify.errors import PfverifyError
from pfverify.exact.decimals import decimal_step

_DECADES = 4000  # how far from the proposal a bracket is looked for


class UndecidedError(PfverifyError):
    """A search met a point that could not be decided; the message says why."""


def least_decimal(
    holds: Callable[[Fraction], bool], guess: Fraction, digits: int
) -> tuple[Fraction, Fraction]:
    """Return neighbouring decimals (lower, upper): `holds` is False at lower, True at upper.

    `holds` must be monotone (False, then True) on the positive numbers; `guess` > 0 is only a
    proposal. The two ends differ by one unit in the `digits`-th significant digit. `lower` is 0
    (not asked) where everything positive on the grid holds.

    Raises UndecidedError when no such place is found within thousands of decades.
    Example: ``least_decimal(lambda x: x * x >= 2, Fraction(1), 3)`` is ``(141/100, 71/50)``.
    """
    step = decimal_step(guess, digits)
    at = max(1, (guess / step).__ceil__())
    size = 1
    if holds(at * step):
        high = at
        while high - size > 0 and holds((high - size) * step):
            high -= size
            size *= 2
        low = max(0, high - size)
    else:
        low = at
        while not holds((low + size) * step):
            low += size
            size *= 2
            if size.bit_length() > 3 * _DECADES:
                raise UndecidedError("no scale within thousands of decades satisfies the target")
        high = low + size
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle * step):
            high = middle
        else:
            low = middle
    lower, upper = low * step, high * step
    if decimal_step(upper, digits) < step:  # the proposal was decades too large
        if upper < Fraction(1, 10**_DECADES):
            raise UndecidedError("the least scale is below any reasonable size")
        return least_decimal(holds, upper / 2, digits)
    return lower, upper


def float_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return an approximate root of a decreasing function with f(low) > 0 >= f(high).

    Illinois variant of the secant method in the logarithm of the argument; a proposal only.
    Example: ``round(float_root(lambda x: 2 - x, 1, 3), 9)`` is ``2.0``.
    """
    from math import exp, log

    a, b = log(low), log(high)
    fa, fb = function(low), function(high)
    for _ in range(80):
        if abs(b - a) < 1e-16 * max(1.0, abs(b)):
            break
        middle = (a + b) / 2
        if isfinite(fa) and fa != fb:
            secant = b - fb * (b - a) / (fb - fa)
            if min(a, b) < secant < max(a, b):
                middle = secant
        value = function(exp(middle))
        if value == 0:
            return exp(middle)
        if (value > 0) == (fb > 0):
            fa /= 2
        else:
            a, fa = b, fb
        b, fb = middle, value
        if abs(b - a) < 1e-15 * max(1.0, abs(b)):
            break
    return exp(b)
