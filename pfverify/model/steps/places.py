"""Cuts of the line as integers, and maps of them, of one cut or of many in an array.

A cut is the integer 2 p + after, where p is its place times a common denominator, the unit. Between
two neighbouring multiples of 1/unit a step has no cut: numbers there share the odd integer between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Integers: TypeAlias = "NDArray[np.int64]"
Place = int | float
"""A cut as an integer; an infinite float before, or behind, all numbers."""
HIDDEN = -inf
"""The place of what is suppressed: it lies below all numbers."""
LARGEST = 1 << 60
"""Cuts in arrays are smaller, so that they and their differences fit in 64 bits."""
FAR = 2 * LARGEST
"""What stands in arrays for infinite places: -FAR is what is suppressed."""


class Cut(NamedTuple):
    """A cut of the line: before a number, or `after` it. Cuts compare by their place."""

    at: Fraction
    after: bool = False


End = Cut | None
"""A cut, or None: the end of the line."""


def place_of(cut: Cut, unit: int | Fraction) -> int:
    """Return a cut as an integer over a unit.

    Example: ``place_of(Cut(Fraction(1, 2)), 2), place_of(Cut(Fraction(1, 2)), 1)`` is ``(2, 1)``.
    """
    whole, rest = divmod(
        cut.at.numerator * unit.numerator, cut.at.denominator * unit.denominator
    )
    return 2 * whole + (cut.after or rest > 0)


@dataclass(frozen=True)
class PiecewiseClamp:
    """A map of the line that, between neighbouring marks, is a clamp to two ends."""

    marks: Sequence[Place]
    lows: Sequence[Place]
    highs: Sequence[Place]

    def __call__(self, cuts: Any) -> Any:
        """Return the image of a place, or of many in a sorted array."""
        if isinstance(cuts, int | float):
            k = bisect_right(self.marks, cuts)
            return min(max(cuts, self.lows[k]), self.highs[k])
        import numpy as np

        marks, lows, highs = self.arrays
        many = np.diff(cuts.searchsorted(marks), prepend=0, append=len(cuts))
        return cuts.clip(lows.repeat(many), highs.repeat(many))

    @cached_property
    def arrays(self) -> list[Integers]:
        """The same numbers in arrays."""
        import numpy as np

        return [
            np.array([int(min(max(x, -FAR), FAR)) for x in row], np.int64)
            for row in (self.marks, self.lows, self.highs)
        ]
