"""Searches that only propose, and the exact decimal bracket that a predicate decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from pfverify.errors import PfverifyError
from pfverify.exact.ball import Ball, precision
from pfverify.exact.decimals import decimal_step

_NEAR = 1 << 10  # steps around a proposal that are searched before decades are
_SECANTS = 24
_EXPONENTS = 10_000  # of 2: what lies beyond is no useful slope
_DECADES = 6000  # how far from the proposal a bracket is looked for


class UndecidedError(PfverifyError):
    """A search met a point that could not be decided; the message says why."""


def least_decimal(
    holds: Callable[[Fraction], bool], guess: Fraction, digits: int
) -> tuple[Fraction, Fraction]:
    """Return neighbouring decimals (lower, upper): `holds` is False at lower, True at upper.

    `holds` must be monotone (False, then True) on the positive numbers; `guess` > 0 is only a
    proposal. The two ends differ by one unit in the `digits`-th significant digit.

    Raises UndecidedError when no such place is found within thousands of decades.
    Example: ``least_decimal(lambda x: x * x >= 2, Fraction(1), 3)`` is ``(141/100, 71/50)``.
    """
    step = decimal_step(guess, digits)
    found = _gallop(holds, max(1, (guess / step).__ceil__()), step)
    if found is None:  # the proposal was poor: find the right decade first
        low, high = _decade(holds, guess)
        step = decimal_step(low, digits)
        found = (low / step).__floor__(), (high / step).__ceil__()
    below, above = found
    while above - below > 1:
        middle = (below + above) // 2
        if holds(middle * step):
            above = middle
        else:
            below = middle
    lower, upper = below * step, above * step
    if step not in (decimal_step(lower, digits), decimal_step(upper, digits)):
        return least_decimal(holds, upper, digits)  # in another decade another grid is due
    return lower, upper


def _gallop(
    holds: Callable[[Fraction], bool], at: int, step: Fraction
) -> tuple[int, int] | None:
    """Bracket the change near `at` (in steps), or None if it is not near."""
    size = 1
    if holds(at * step):
        while size <= _NEAR and at - size > 0:
            if not holds((at - size) * step):
                return at - size, at
            at -= size
            size *= 2
    else:
        while size <= _NEAR:
            if holds((at + size) * step):
                return at, at + size
            at += size
            size *= 2
    return None


def _decade(
    holds: Callable[[Fraction], bool], start: Fraction
) -> tuple[Fraction, Fraction]:
    """Return (low, high), high = 10 low, False at low and True at high; by doubling exponents."""
    jump = 1
    if holds(start):
        high, low = 0, -1
        while holds(start * Fraction(10) ** low):
            high, jump = low, 2 * jump
            low -= jump
            _limit(low)
    else:
        low, high = 0, 1
        while not holds(start * Fraction(10) ** high):
            low, jump = high, 2 * jump
            high += jump
            _limit(high)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(start * Fraction(10) ** middle):
            high = middle
        else:
            low = middle
    return start * Fraction(10) ** low, start * Fraction(10) ** high


def _limit(decade: int) -> None:
    if abs(decade) > _DECADES:
        raise UndecidedError(f"nothing within {_DECADES} decades of the proposal can be decided")


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


def polished(function: Callable[[Fraction], Ball], guess: Fraction, digits: int) -> Fraction:
    """Improve a guess of a root to `digits` digits by secant steps; still only a proposal.

    `function` is evaluated in balls at the precision that the digits need. Returns the guess
    itself where the steps lead nowhere.
    """
    bits = 64 + 4 * digits

    def value(at: Fraction) -> Fraction | None:
        with precision(bits):
            ends = function(at).ends()
        if ends is None or abs(ends[0][1]) > 4 * bits + _EXPONENTS:
            return None
        mantissa, exponent = ends[0]
        return mantissa * Fraction(2) ** exponent

    a, b = guess, guess * (1 + Fraction(1, 10**9))
    fa, fb = value(a), value(b)
    for _ in range(_SECANTS):
        if fa is None or fb is None or fa == fb:
            return guess
        new = b - fb * (b - a) / (fb - fa)
        if not guess / 2 < new < guess * 2:
            return guess
        new = _short(new, digits + 20)
        if abs(new - b) * 10 ** (digits + 3) < new:
            return new
        a, fa, b, fb = b, fb, new, value(new)
    return b


def _short(value: Fraction, digits: int) -> Fraction:
    """Round a positive number to some significant digits."""
    step = decimal_step(value, digits)
    return (value / step).__round__() * step
