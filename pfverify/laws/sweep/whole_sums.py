"""p/q at every atom by whole numbers: where floats cannot take them, a pass that drops most atoms.

The weights of a prior, n in all, are whole numbers with a sum below 2**88, and t = e**(-gap rate)
is a whole number f over 2**90 with 0 <= t 2**90 - f < 2. In a step s t + w of a recurrence the
product is rounded down, by less than 1; f puts it off by less than 2**88 * 2/2**90 < 1, and a
weight that is cut by less than 1. What was lost before shrinks, as t <= 1. So the sum over the
atoms on both sides of one is too small by less than 3 n, and a quotient a/b of two such sums is off
by a factor between 1/(1 + 3 n/b) and 1 + 3 n/a.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import Raw, lower_end, precision
from pfverify.laws.sweep.decays import Decays
from pfverify.laws.sweep.lattice import Ratios

_TOTAL, _POWER = 88, 90  # bits of all weights, and of a power
_APART = _TOTAL + _POWER + 2
_MASK = ((1 << _POWER) - 1) * (1 + (1 << _APART))
_GUARD = 16  # bits of the balls beyond those
_MOST = 2.0**-40  # of 3 n/a and 3 n/b
_U = 2.0**-53

Sums = NDArray[np.float64]


def whole_ratios(
    weights: Sequence[list[int]], totals: tuple[int, int], gaps: list[int], unit: Callable[[], Raw]
) -> Ratios | None:
    """Return p/q at every atom, by two products of integers for each; None: some sum is too small.

    `unit` gives -rate for a gap of 1 at any precision.
    Example: ``whole_ratios(([1, 1], [1, 1]), (2, 2), [3], lambda: raw(-1)).error < 1e-14`` is
    ``True``.
    """
    with precision(_POWER + _GUARD):
        decays = Decays(unit())
        table = {gap: _power(decays[gap]) for gap in set(gaps)}
    if None in table.values():
        return None
    shifts = [_TOTAL - total.bit_length() for total in totals]
    p, q = _sums(_both(weights, shifts), [table[gap] or 0 for gap in gaps])
    least, size = float(min(p.min(), q.min())), len(gaps) + 1
    if not 3 * size <= _MOST * least:
        return None
    units = Fraction(totals[1], totals[0]) * Fraction(2) ** (shifts[1] - shifts[0])
    # p, q, their quotient, the units and the product are each rounded once
    return Ratios(p / q * float(units), 1.01 * (3 * size / least + 5 * _U))


def _power(t: Raw) -> int | None:
    """Return f with 0 <= t 2**90 - f < 2, None where the ball is too wide for that."""
    value = t * (1 << _POWER)
    found = lower_end(value).floor().unique_fmpz() if value.is_finite() else None
    return int(found) if found is not None and found >= 0 and value - found < 2 else None


def _both(weights: Sequence[list[int]], shifts: Sequence[int]) -> list[int]:
    """Return the shifted weights of both priors in one integer, so far apart that products fit."""
    first, second = (
        column if by >= 0 else [weight >> -by for weight in column]
        for column, by in zip(weights, shifts, strict=True)
    )
    one, two = 1 << max(shifts[0], 0), 1 << _APART + max(shifts[1], 0)
    return [a * one + b * two for a, b in zip(first, second, strict=True)]


def _sums(both: list[int], factors: list[int]) -> tuple[Sums, Sums]:
    """Return the sums over both sides of every atom, for both priors, rounded to floats.

    What a shift moves from the numbers of one prior below those of the other is masked out.
    """
    left: list[int] = []
    total = 0
    append = left.append
    for weight, factor in zip(both, [0, *factors], strict=True):
        total = (total * factor >> _POWER & _MASK) + weight
        append(total)
    whole: list[int] = []
    total = 0
    append = whole.append
    for ahead, weight, factor in zip(
        reversed(left), reversed(both), [*reversed(factors), 0], strict=True
    ):
        append(ahead + total)
        total = (total + weight) * factor >> _POWER & _MASK
    whole.reverse()
    low, size = (1 << _APART) - 1, len(whole)
    return (
        np.fromiter([value & low for value in whole], float, size),
        np.fromiter([value >> _APART for value in whole], float, size),
    )
