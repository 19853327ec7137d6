"""Exact sums of many rationals, and their text in messages."""

from __future__ import annotations

from fractions import Fraction


def exact_sum(values: list[Fraction]) -> Fraction:
    """Sum by halves: the running denominator stays small on large tables."""
    if len(values) < 3:
        return sum(values, Fraction(0))
    half = len(values) // 2
    return exact_sum(values[:half]) + exact_sum(values[half:])


def sum_text(total: Fraction) -> str:
    """Return a sum that should be 1, or its size and distance from 1 where it is too long."""
    size = max(total.numerator.bit_length(), total.denominator.bit_length())
    if size < 200:
        return str(total)
    gap = total - 1
    sign = "more" if gap > 0 else "less"
    power = (abs(gap).numerator.bit_length() - abs(gap).denominator.bit_length()) * 30103 // 100000
    return f"a fraction of {size} bits, about 1e{power} {sign} than 1"
