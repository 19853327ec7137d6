"""Bits of a code, each reported by itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.model.channels.entries import Entry, product, total

MAX_LENGTH = 12
"""Most bits of a code: there are as many outputs as bit strings of that length."""


def strings(length: int) -> tuple[str, ...]:
    """Return all texts of so many bits, in numeric order.

    Example: ``strings(2)`` is ``("00", "01", "10", "11")``.
    """
    return tuple(f"{y:0{length}b}" for y in range(1 << length))


def one_hot(names: Sequence[str]) -> tuple[str, ...]:
    """Return codes with one bit for each name, in their order.

    Example: ``one_hot(["a", "b"])`` is ``("10", "01")``.
    """
    return tuple(f"{1 << (len(names) - 1 - k):0{len(names)}b}" for k in range(len(names)))


def complement(chance: Entry) -> Entry:
    """Return 1 less a chance. Example: ``complement(Fraction(1, 3))`` is ``2/3``."""
    return total([Fraction(1), product(chance, Fraction(-1))])


def bit_rows(
    codes: Sequence[str], chances: tuple[Entry, Entry]
) -> tuple[tuple[Entry, ...], ...]:
    """Return for each code the mass of every text of bits, in numeric order.

    `chances`: that a bit is reported as 1, where it is 0, and where it is 1. The products depend on
    how many bits come out as what.
    Example: ``bit_rows(["1"], (Fraction(1, 4), Fraction(2, 3)))`` is ``((1/3, 2/3),)``.
    """
    length = len(codes[0])
    low, high = (_powers(chance, length) for chance in chances)
    low_not, high_not = (_powers(complement(chance), length) for chance in chances)
    full = (1 << length) - 1
    rows = []
    for code in codes:
        bits, ones = int(code, 2), code.count("1")
        zeros = length - ones
        high_part = [product(high[i], high_not[ones - i]) for i in range(ones + 1)]
        low_part = [product(low[i], low_not[zeros - i]) for i in range(zeros + 1)]
        known = [[product(one, other) for other in low_part] for one in high_part]
        rows.append(tuple(
            known[(y & bits).bit_count()][(y & ~bits & full).bit_count()] for y in range(full + 1)
        ))  # fmt: skip
    return tuple(rows)


def _powers(base: Entry, most: int) -> list[Entry]:
    """The powers 0 to `most`."""
    found: list[Entry] = [Fraction(1)]
    for _ in range(most):
        found.append(product(found[-1], base))
    return found
