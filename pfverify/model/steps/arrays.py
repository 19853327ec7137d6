"""Steps that take many cuts of the line at once, as arrays of integers.

A cut is the integer 2 p + after, where p is its place times a common denominator, the unit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pfverify.model.steps.step import PostStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

LARGEST = 1 << 60
"""Cuts are smaller, so that they and their differences fit in 64 bits."""
HIDDEN = -2 * LARGEST
"""What is suppressed: it lies below all numbers."""


class InArrays(PostStep):
    """A step whose cuts can be worked out many at a time."""

    @property
    @abstractmethod
    def numbers(self) -> Sequence[Fraction]:
        """Numbers whose common denominator is one of all its cuts and images."""

    @abstractmethod
    def most(self, width: Fraction) -> int | None:
        """Return a bound of the number of outputs that numbers of such a width have, None: none."""

    @abstractmethod
    def images(self, cuts: Integers, unit: int) -> Integers:
        """Return what becomes of the numbers behind cuts, as the cuts before it."""

    @abstractmethod
    def before(self, cuts: Integers, unit: int) -> Integers:
        """Return the cuts before which numbers become something before these.

        Below -`LARGEST`: none do; above it: all. As `PostStep.pulled`.
        """

    @abstractmethod
    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return its cuts from the begin of the run behind `first` to the end of that of `last`.

        There may be more.
        """


def outputs_at_most(
    steps: Sequence[PostStep], width: Fraction, lattice: Fraction | None
) -> int | None:
    """Return a bound of the number of outputs that atoms so far apart have; None: none is known.

    Example: ``outputs_at_most([], Fraction(5), Fraction(1))`` is ``9``.
    """
    if not all(isinstance(step, InArrays) for step in steps):
        return None
    bounds = [step.most(width) for step in steps if isinstance(step, InArrays)]
    known = [bound for bound in bounds if bound is not None]
    if lattice is not None:
        known.append(int(width / lattice) + 1)
    return min(known) + 3 if known else None
