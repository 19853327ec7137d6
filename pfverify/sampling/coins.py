"""Coins whose chance is e to minus a rational, and choices at thresholds that are only enclosed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from pfverify.exact.ball import Ball, precision
from pfverify.exact.rising import rising
from pfverify.sampling.bits import Bits, tries

Bounds = Callable[[int], tuple[Sequence[int], Sequence[int]]]
"""n -> whole numbers below and above 2**n times each threshold; thresholds do not fall."""

_GUARD = 16  # bits beyond those that are compared


def survives(top: int, bottom: int, bits: Bits) -> bool:
    """Return True with chance e**-(top/bottom), top >= 0.

    A rate above 1 is taken apart into wholes and a rest: all of them must survive, and the first
    that does not ends it, so that the time does not grow with the rate.
    Example: ``survives(0, 1, Bits())`` is True.
    Source: Canonne, Kamath and Steinke 2020, Algorithm 1; for e**-1 von Neumann 1951.
    """
    wholes, rest = divmod(top, bottom)
    for _ in zip(range(wholes), tries(), strict=False):
        if not _survives_fraction(1, 1, bits):
            return False
    return _survives_fraction(rest, bottom, bits)


def _survives_fraction(top: int, bottom: int, bits: Bits) -> bool:
    """The same for a rate g = top/bottom <= 1.

    The first k coins, of chances g/1, g/2, ..., g/k, all come up with chance g**k/k!, so that the
    first that does not is an odd one with chance 1 - g + g**2/2! - ... = e**-g.
    """
    first = next(k for k in tries() if not bits.coin(top, bottom * (k + 1)))
    return first % 2 == 0  # k counts from 0


def interval(bounds: Bounds, bits: Bits, begun: tuple[int, int] = (0, 0)) -> int:
    """Return how many thresholds a uniform real number U of [0, 1] is at or above.

    `begun`: bits of U that are drawn already, and how many, at most `bits.first`. More are drawn
    until the enclosures of the thresholds at that precision leave one answer.
    What is returned is therefore the answer for U itself, whatever its further bits are: with
    thresholds 0 <= c_1 <= ... <= c_m <= 1 it is k with chance exactly c_(k+1) - c_k. Only a U that
    equals a threshold needs all its bits, which has chance 0: no tie is ever decided.

    Raises UndecidedError where a million bits leave it open: the chance of that is some 2**-1000000
    for each threshold, unless the enclosures do not shrink.
    Example: ``interval(lambda n: ([0], [0]), Bits())`` is 1: U is above 0.
    """
    drawn, known = begun
    for count in rising(bits.first, why="a random number cannot be told from a threshold"):
        drawn = drawn << (count - known) | bits.take(count - known)
        known = count
        lows, highs = bounds(count)
        above = bisect_right(highs, drawn)
        if above == len(lows) or drawn < lows[above]:
            break
    return above


def scaled(chance: Callable[[], Ball], count: int, extra: int = 0) -> tuple[int, int]:
    """Return whole numbers low <= 2**count * chance <= high, within 0 and 2**count.

    `chance` encloses a number of [0, 1] at the current precision, which is `count` bits and a few,
    and `extra` more.
    Example: ``scaled(lambda: Ball(1) / Ball(3), 4)`` is ``(5, 6)``.
    """
    with precision(count + _GUARD + extra):
        ends = chance().ends()
    if ends is None:  # nothing is known at this precision
        return 0, 1 << count
    (low, low_power), (high, high_power) = ends
    below = _shifted(low, low_power + count)
    above = -_shifted(-high, high_power + count)
    return max(0, below), min(above, 1 << count)


def _shifted(mantissa: int, power: int) -> int:
    """The largest whole number <= mantissa * 2**power."""
    return mantissa << power if power >= 0 else mantissa >> -power
