"""The monotone plan of two laws on the line, exactly; what subjects are given besides the laws.

The masses are those of the floats, each law divided by its exact sum, so that a failure of a
subject is not one of its input.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Edge = tuple[int, int, Fraction]


def monotone_plan(p: Array, q: Array) -> Iterator[Edge]:
    """Yield (i, j, mass): what goes from atom i under `p` to atom j under `q`; masses sum to 1.

    Example: ``list(monotone_plan(np.array([1.0, 1]), np.array([1.0, 0])))`` is
    ``[(0, 0, Fraction(1, 2)), (1, 0, Fraction(1, 2))]``.
    """
    first, second = _whole(p), _whole(q)
    p_sum, q_sum = sum(first), sum(second)
    unit = p_sum * q_sum
    first, second = [mass * q_sum for mass in first], [mass * p_sum for mass in second]
    i = j = 0
    while i < len(first) and j < len(second):
        mass = min(first[i], second[j])
        if mass:
            yield i, j, Fraction(mass, unit)
        first[i] -= mass
        second[j] -= mass
        if not first[i]:
            i += 1
        elif not second[j]:
            j += 1


def largest_move(atoms: Array, p: Array, q: Array) -> float:
    """Return W-infinity of two laws, rounded upward: how far the monotone plan moves any mass.

    What holds for every two points so far apart holds for the laws: it is a sensitivity.
    Example: ``largest_move(np.array([0.0, 2]), np.array([1.0, 1]), np.array([1.0, 0]))`` is
    ``2.0``.
    """
    places = [Fraction(atom) for atom in atoms.tolist()]
    return upward(max(abs(places[i] - places[j]) for i, j, _ in monotone_plan(p, q)))


def upward(number: Fraction) -> float:
    """Return the least float >= a number.

    Example: ``upward(Fraction(1, 3))`` is ``0.33333333333333337``.
    """
    found = float(number)
    return found if found == inf or Fraction(found) >= number else nextafter(found, inf)


def _whole(masses: Array) -> list[int]:
    """Floats as integers, in one unit that is a power of 2."""
    ratios = [mass.as_integer_ratio() for mass in masses.tolist()]
    unit = max(bottom for _, bottom in ratios)
    return [top * (unit // bottom) for top, bottom in ratios]
