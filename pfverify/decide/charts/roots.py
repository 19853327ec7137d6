"""Tight brackets of the place where p - q changes its sign."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from pfverify.decide.charts.signed import coarsened, size_bits
from pfverify.exact.ball import Raw

Evaluate = Callable[[Fraction], tuple[Raw, Raw]]
_ROUNDS = 200
_ASIDE = 2.0**-12
_GRAIN = 64  # bits to which a proposal is rounded, relative to the bracket


def sign_of(p: Raw, q: Raw) -> int | None:
    """Return the proved sign of p - q (1 or -1), else None."""
    gap = p - q
    if gap > 0:
        return 1
    return -1 if gap < 0 else None


def guide(p: Raw, q: Raw) -> float:
    """Return a float near log(p/q): how far from a change of sign (a proposal)."""
    if not p > 0:
        return -float("inf")
    if not q > 0:
        return float("inf")
    ratio = p / q
    if not ratio > 0:
        return 0.0
    if abs(ratio - 1) < 1e-3:
        return float((ratio - 1).mid())
    value = ratio.log().mid()
    return float(value)


def bracket(
    evaluate: Evaluate, low: Fraction, high: Fraction, tolerance: float
) -> tuple[Fraction, Fraction]:
    """Return (a, b) within [low, high]: p - q has proved opposite signs at a and b.

    It must have them at `low` and `high` already. Ends are moved until |log(p/q)| is at most
    `tolerance` at both, or until no more progress is proved. p and q are positive.
    """
    ends = evaluate(low), evaluate(high)
    first, second = guide(*ends[0]), guide(*ends[1])
    rising = ends[0][0] < ends[0][1]
    slow, width = 0, high - low
    # what the secant uses: the value of an end that stays is made smaller (Anderson-Bjorck)
    below, above = first, second
    for _ in range(_ROUNDS):
        if abs(first) <= tolerance and abs(second) <= tolerance:
            break
        weight = 0.5 if slow >= 3 else _aim(below, above, first, second, tolerance)
        x = _rounded(low, high, weight)
        if not low < x < high:
            break
        p, q = evaluate(x)
        sign = sign_of(p, q)
        if sign is None:  # too near the root for this precision: step aside, to the far end
            toward = low if abs(first) > abs(second) else high
            share = _ASIDE if toward > x else 1 - _ASIDE
            x = _rounded(min(x, toward), max(x, toward), share)
            p, q = evaluate(x)
            sign = sign_of(p, q)
            if sign is None or not low < x < high:
                break
        value = guide(p, q)
        if (sign < 0) == rising:
            above = _damped(above, value, first)
            low, first, below = x, value, value
        else:
            below = _damped(below, value, second)
            high, second, above = x, value, value
        slow = slow + 1 if high - low > width / 2 else 0
        width = high - low
    return low, high


def _damped(kept: float, new: float, old: float) -> float:
    """Return a smaller value for the end that stays, after the other end went from old to new."""
    share = 1 - new / old if old and isfinite(old) else 0.5
    return kept * (share if 0 < share < 1 else 0.5)


def _aim(below: float, above: float, first: float, second: float, tolerance: float) -> float:
    """Return where in the bracket to look next: a secant towards a value just off the root."""
    if not (isfinite(below) and isfinite(above)) or below == above:
        return 0.5
    small = tolerance / 2
    if abs(first) <= tolerance:  # that end is done: aim beyond the root
        target, below, above = (small if second > 0 else -small), first, second
    elif abs(second) <= tolerance:
        target, below, above = (small if first > 0 else -small), first, second
    else:
        other = second if abs(first) < abs(second) else first
        target = small if other > 0 else -small
    if below == above:
        return 0.5
    weight = (target - below) / (above - below)
    return min(max(weight, 2.0**-30), 1 - 2.0**-30)


def _rounded(low: Fraction, high: Fraction, weight: float) -> Fraction:
    width = high - low
    return coarsened(low + width * Fraction(weight), size_bits(width) - _GRAIN)
