"""Exact sums of many rationals, and what is said of those that are none of a law, or too large."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pfverify.errors import InputError, shorten

MAX_BITS = 1 << 30
"""Of all masses of one law together (128 MiB); a larger one is refused."""


def check_bits(what: str, masses: int, bits: int, remedy: str) -> None:
    """Raise InputError where so many masses of so many bits take too much memory.

    Example: ``check_bits("the sum", 100, 64, "")`` is None.
    """
    if masses * bits > MAX_BITS:
        raise InputError(
            f"{what} has up to {masses} values whose exact masses take {bits} bits each: more "
            f"than {MAX_BITS >> 23} MiB together{remedy}"
        )


def check_law(masses: Iterable[Fraction], where: str) -> None:
    """Raise InputError that begins with `where` unless masses are >= 0 and sum to exactly 1.

    Example: ``check_law([Fraction(1)], "start")`` is None.
    """
    found = list(masses)
    if any(mass < 0 for mass in found):
        raise InputError(f"{where}: a mass below 0")
    if (total := sum(found)) != 1:
        raise InputError(f"{where}: the masses sum to {shorten(total)}, expected exactly 1")


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
