"""Distances between points, compared exactly: no square root is ever rounded in a comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import floor, isqrt, lcm
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.transport.graphs import library
from pfverify.transport.law import Point, numbers, point, show


@total_ordering
@dataclass(frozen=True)
class Distance:
    """A distance >= 0, known exactly by its square.

    Attributes: `square`, a Fraction. Compares exactly with distances and rational numbers.
    Example: ``Distance(Fraction(2)) > Fraction(7, 5)`` is True; ``str(Distance(Fraction(2)))``
    is ``"sqrt(2)"``.
    """

    square: Fraction

    @property
    def value(self) -> Fraction | None:
        """The distance if it is rational, else None."""
        p, q = self.square.numerator, self.square.denominator
        root = Fraction(isqrt(p), isqrt(q))
        return root if root * root == self.square else None

    def lower(self, bits: int = 64) -> Fraction:
        """Return the largest multiple of 2**-bits at or below the distance."""
        return Fraction(isqrt(floor(self.square * 4**bits)), 2**bits)

    def upper(self, bits: int = 64) -> Fraction:
        """Return the smallest multiple of 2**-bits at or above the distance."""
        low = self.lower(bits)
        return low if low * low == self.square else low + Fraction(1, 2**bits)

    def __str__(self) -> str:
        value = self.value
        return f"sqrt({self.square})" if value is None else str(value)

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Distance):
            return self.square < other.square
        if isinstance(other, int | Fraction):
            return other > 0 and self.square < other * other
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Distance):
            return self.square == other.square
        if isinstance(other, int | Fraction):
            return other >= 0 and self.square == other * other
        return NotImplemented

    def __hash__(self) -> int:
        value = self.value
        return hash(self.square) if value is None else hash(value)


class DistanceKeys(ABC):
    """Integer keys of the distances between rows and columns, one row at a time.

    Attributes: `scale`, so that the exact key is integer/scale; `squared`, whether keys are
    squared distances; `height` and `width`, the numbers of rows and columns.
    """

    scale: int
    squared: bool
    height: int
    width: int

    @abstractmethod
    def row(self, i: int) -> list[int]:
        """Return the integer keys of row i against every column."""

    def cost_lower(self, i: int, bits: int) -> list[int]:
        """Return the distances of row i, rounded down to integers in units of `unit(bits)`."""
        if not self.squared:
            return self.row(i)
        return [isqrt((key << 2 * bits) // self.scale) for key in self.row(i)]

    def unit(self, bits: int) -> Fraction:
        """Return the unit of `cost_lower`; costs of metrics with rational values are exact."""
        return Fraction(1, 2**bits) if self.squared else Fraction(1, self.scale)

    def distance(self, key: int) -> Distance:
        """Return the distance of an integer key."""
        exact = Fraction(key, self.scale)
        return Distance(exact if self.squared else exact * exact)


class Metric(ABC):
    """A distance between points; subclasses say which points they know."""

    squared = False

    @abstractmethod
    def key(self, x: Point, y: Point) -> Fraction:
        """Return an exact number that sorts as the distance does (it, or its square)."""

    @abstractmethod
    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer keys between rows and columns; InputError names an unknown point."""

    def distance(self, x: Point, y: Point) -> Distance:
        """Return the exact distance of two points."""
        key = self.key(x, y)
        return Distance(key if self.squared else key * key)


class AbsoluteDifference(Metric):
    """|x - y| on the line, in the unit of the atoms.

    Example: ``AbsoluteDifference().key(Fraction(1), Fraction(-1, 2))`` is ``Fraction(3, 2)``.
    Source: multi-user paper (5); noise-reduction paper (4).
    """

    def key(self, x: Point, y: Point) -> Fraction:
        """Return |x - y|."""
        a, b = numbers((x, y))
        return abs(a - b)

    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer keys over the common denominator of the atoms."""
        return _Planar(
            [(x, Fraction(0)) for x in numbers(rows)],
            [(y, Fraction(0)) for y in numbers(columns)],
            squared=False,
        )


class EuclideanPlane(Metric):
    """The Euclidean distance of two points of the plane with rational coordinates.

    Keys are squared distances. Example:
    ``EuclideanPlane().distance((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)))`` is
    ``Distance(square=Fraction(2, 1))``.
    Source: distribution-privacy paper, section 5 (locations); design fact F10.
    """

    squared = True

    def key(self, x: Point, y: Point) -> Fraction:
        """Return the squared distance."""
        (a, b), (c, d) = _pair(x), _pair(y)
        return (a - c) ** 2 + (b - d) ** 2

    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer squared distances over the squared common denominator."""
        return _Planar([_pair(x) for x in rows], [_pair(y) for y in columns], squared=True)


class TableMetric(Metric):
    """A metric that the user types: a table (x, y) -> distance.

    Each pair of different points stands there in one order or in both; the diagonal may be
    left out. Raises InputError naming the pair that is missing, negative, zero or asymmetric,
    or the triple x, y, z with d(x, z) > d(x, y) + d(y, z).
    Example: ``TableMetric({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 2}).key("c", "a")`` is
    ``Fraction(2)``.
    Source: distribution-privacy paper, Definition 2 (a metric on the inputs); design fact F10.
    """

    def __init__(self, table: Mapping[tuple[object, object], object]) -> None:
        self._table: dict[tuple[Point, Point], Fraction] = {}
        for pair, value in table.items():
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise InputError(f"metric table: key {shorten(pair)}, expected a pair of points")
            x, y = (point(where, "metric table: point") for where in pair)
            name = f"metric table: d({show(x)}, {show(y)})"
            found = rational(value, name)
            if found < 0 or (found == 0) != (x == y):
                expected = "0" if x == y else "a number > 0"
                raise InputError(f"{name} is {shorten(found)}, expected {expected}")
            other = self._table.get((y, x), found)
            if other != found:
                raise InputError(
                    f"{name} is {shorten(found)} but d({show(y)}, {show(x)}) is {shorten(other)}, "
                    "expected a symmetric table"
                )
            self._table[x, y] = self._table[y, x] = found
        self.points = tuple(dict.fromkeys(x for pair in self._table for x in pair))
        self._triangles()

    def key(self, x: Point, y: Point) -> Fraction:
        """Return the entry d(x, y)."""
        try:
            return self._table[x, y]
        except KeyError:
            if x == y and x in self.points:
                return Fraction(0)
        unknown = next((z for z in (x, y) if z not in self.points), x)
        raise InputError(f"metric table: {show(unknown)} is not one of its points")

    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer keys over the common denominator of the table."""
        return _Tabled([{y: self.key(x, y) for y in columns} for x in rows], columns)

    def _triangles(self) -> None:
        for k, x in enumerate(self.points):
            for y in self.points[:k]:
                if (x, y) not in self._table:
                    raise InputError(f"metric table: d({show(y)}, {show(x)}) is missing")
        scale = lcm(*(value.denominator for value in self._table.values()))
        rows = [[int(self.key(x, y) * scale) for y in self.points] for x in self.points]
        for i, near in enumerate(rows):
            for j, far in enumerate(rows):
                step = near[j]
                for k, direct in enumerate(near):
                    if direct > step + far[k]:
                        x, y, z = (show(self.points[w]) for w in (i, j, k))
                        raise InputError(
                            f"metric table: not a metric, d({x}, {z}) = "
                            f"{Fraction(direct, scale)} > d({x}, {y}) + d({y}, {z}) = "
                            f"{Fraction(step + far[k], scale)}"
                        )


class PairCosts(Metric):
    """Costs >= 0 of pairs of points, which need keep to no triangle inequality.

    Enough for thresholds (W-infinity, Hall sets), which compare costs only: squares of distances
    do too.
    Example: ``PairCosts(lambda x, y: Fraction(2)).key("a", "b")`` is ``Fraction(2)``.
    Source: design fact F10.
    """

    def __init__(self, cost: Callable[[Any, Any], Fraction]) -> None:
        self._cost = cost

    def key(self, x: Point, y: Point) -> Fraction:
        """Return the cost of a pair."""
        return self._cost(x, y)

    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer keys over the common denominator of the costs."""
        return _Tabled([{y: self._cost(x, y) for y in columns} for x in rows], columns)


class GraphMetric(Metric):
    """The shortest-path distance of an undirected graph with rational lengths > 0.

    Parameters: `edges`, triples (x, y, length); of parallel edges the shortest counts.
    Raises InputError naming the edge with a length <= 0, an unknown point, or two points
    without a path. Only integers reach networkx.
    Example: ``GraphMetric([("a", "b", 1), ("b", "c", "1/2")]).key("a", "c")`` is
    ``Fraction(3, 2)``.
    Source: design fact F10.
    """

    def __init__(self, edges: Iterable[tuple[object, object, object]]) -> None:
        lengths: dict[tuple[Point, Point], Fraction] = {}
        for x, y, value in edges:
            ends = point(x, "metric graph: point"), point(y, "metric graph: point")
            name = f"metric graph: length of {show(ends[0])} - {show(ends[1])}"
            length = rational(value, name)
            if length <= 0:
                raise InputError(f"{name} is {shorten(length)}, expected a number > 0")
            key = ends if ends in lengths or ends[::-1] not in lengths else (ends[1], ends[0])
            lengths[key] = min(length, lengths.get(key, length))
        if not lengths:
            raise InputError("metric graph: no edges")
        self._scale = lcm(*(length.denominator for length in lengths.values()))
        self._graph: Any = library().Graph()
        for (x, y), length in lengths.items():
            self._graph.add_edge(x, y, length=int(length * self._scale))
        self._from: dict[Point, dict[Point, int]] = {}

    def key(self, x: Point, y: Point) -> Fraction:
        """Return the length of a shortest path."""
        return self._reach(x, (y,))[y]

    def grid(self, rows: Sequence[Point], columns: Sequence[Point]) -> DistanceKeys:
        """Return integer keys over the common denominator of the lengths."""
        return _Tabled([self._reach(x, columns) for x in rows], columns)

    def _reach(self, x: Point, others: Sequence[Point]) -> dict[Point, Fraction]:
        for where in (x, *others):
            if where not in self._graph:
                raise InputError(f"metric graph: {show(where)} is not one of its points")
        if x not in self._from:
            self._from[x] = library().single_source_dijkstra_path_length(
                self._graph, x, weight="length"
            )
        found = self._from[x]
        for y in others:
            if y not in found:
                raise InputError(f"metric graph: no path from {show(x)} to {show(y)}")
        return {y: Fraction(found[y], self._scale) for y in others}


class _Planar(DistanceKeys):
    """Integer coordinates, distances made row by row: nothing of size n x m is kept."""

    def __init__(
        self,
        rows: list[tuple[Fraction, Fraction]],
        columns: list[tuple[Fraction, Fraction]],
        *,
        squared: bool,
    ) -> None:
        unit = lcm(*(c.denominator for where in (*rows, *columns) for c in where))
        self._rows, self._columns = (
            [(int(a * unit), int(b * unit)) for a, b in points] for points in (rows, columns)
        )
        self.squared = squared
        self.scale = unit * unit if squared else unit
        self.height, self.width = len(rows), len(columns)

    def row(self, i: int) -> list[int]:
        x, y = self._rows[i]
        if not self.squared:
            return [abs(x - a) for a, _ in self._columns]
        return [(x - a) * (x - a) + (y - b) * (y - b) for a, b in self._columns]


class _Tabled(DistanceKeys):
    """Keys that somebody typed or computed already."""

    squared = False

    def __init__(self, keys: list[dict[Point, Fraction]], columns: Sequence[Point]) -> None:
        self.scale = lcm(*(key.denominator for row in keys for key in row.values()))
        self.height, self.width = len(keys), len(columns)
        self._keys = [
            [row[y].numerator * (self.scale // row[y].denominator) for y in columns] for row in keys
        ]

    def row(self, i: int) -> list[int]:
        return self._keys[i]


def _pair(where: Point) -> tuple[Fraction, Fraction]:
    if not isinstance(where, tuple):
        raise InputError(f"Euclidean plane: {show(where)} is not a pair of coordinates")
    return where
