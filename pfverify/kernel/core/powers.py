"""Whole powers of rationals in exponents, worked out."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from core.work import price, spend
from core.zero import Form

FOLDED_BITS = 1 << 12  # of a power that is worked out


def power(f: Form, most: int = FOLDED_BITS) -> tuple[Form, Fraction]:
    """(h, c) with e^f = c e^h: whole powers of rationals are worked out, those of up to so many
    bits."""
    rest, c = dict(f), Fraction(1)
    for g, v in f:
        whole = floor(v) if g[0] == "log" else 0
        bits = abs(whole) * max(g[1].numerator, g[1].denominator).bit_length() if whole else 0
        if whole and bits <= most:
            spend(64 + price(bits))
            c, rest[g] = c * g[1] ** whole, v - whole
    return frozenset((g, v) for g, v in rest.items() if v), c
