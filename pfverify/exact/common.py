"""What rational numbers have in common: the step of the lattice that holds them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm


def common_step(gaps: Iterable[Fraction]) -> Fraction:
    """Return the largest number of which all are whole multiples; 0 where all are 0.

    Example: ``common_step([Fraction(1, 2), Fraction(3, 4)])`` is ``1/4``.
    """
    known = list(gaps)
    below = lcm(*(gap.denominator for gap in known))
    return Fraction(gcd(*(int(gap * below) for gap in known)), below)
