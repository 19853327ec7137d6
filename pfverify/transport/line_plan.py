"""A coupling of two priors of atoms on the line, as three columns of exact integers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[Any]

_LIMIT = 1 << 62  # below it differences, and sums that a total bounds, fit in 64 bits


@dataclass(frozen=True, eq=False)
class LinePlan:
    """A coupling of two discrete priors as sparse exact integers.

    Attributes: `x`, `y`, `mass`, arrays of one length, a place for each edge: integer points of the
    first and of the second prior in units of 1/`denominator`, and integer masses > 0 over `total`.
    Points, or masses, are int64, or integers of Python where one has more than 62 bits.

    Example: ``LinePlan.of_edges([(0, 3, 1)], 1, 1).w_infinity()`` is ``3``.
    """

    x: Column
    y: Column
    mass: Column
    denominator: int
    total: int

    @classmethod
    def of_edges(
        cls, edges: Iterable[tuple[int, int, int]], denominator: int, total: int
    ) -> Self:
        """Return the plan of triples (x, y, mass)."""
        import numpy as np

        x, y, mass = zip(*edges, strict=True)
        points = np.int64 if max(map(abs, (*x, *y))) < _LIMIT else object
        masses = np.int64 if total < _LIMIT else object
        columns = np.array(x, points), np.array(y, points), np.array(mass, masses)
        return cls(*columns, denominator, total)

    @cached_property
    def edges(self) -> tuple[tuple[int, int, int], ...]:
        """The triples (x, y, mass), integers of Python, in the order of the columns."""
        return tuple(zip(self.x.tolist(), self.y.tolist(), self.mass.tolist(), strict=True))

    @cached_property
    def distance(self) -> Column:
        """How far each edge goes, in units of 1/`denominator`."""
        found: Column = abs(self.x - self.y)
        return found

    def w_infinity(self) -> Fraction:
        """Return the largest distance that carries mass, in the unit of the atoms."""
        return Fraction(int(self.distance.max()), self.denominator)

    def w_1(self) -> Fraction:
        """Return the mean distance, in the unit of the atoms."""
        cost = sum(abs(x - y) * mass for x, y, mass in self.edges)
        return Fraction(cost, self.denominator * self.total)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LinePlan) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.edges, self.denominator, self.total
