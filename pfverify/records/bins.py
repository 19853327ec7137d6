"""Intervals with exact ends, and the point that stands for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.records.cells import day_of, size_of
from pfverify.records.coding import Coding

AT = ("lower", "middle", "upper")
"""Which point of an interval stands for its values."""
_SHOWN = 6  # edges in words


class Bins(ABC):
    """Intervals [low, high), closed on the left, each with the point that stands for it."""

    def __init__(self, at: str = "middle") -> None:
        """Take which point stands for an interval."""
        if not isinstance(at, str) or at not in AT:
            raise InputError(f"--bin-at: {shorten(at)!r}, expected {', '.join(AT)}")
        self._at = at

        self._points: dict[int, int | Fraction] = {}

    @abstractmethod
    def place(self, value: int | Fraction) -> int:
        """Return which interval a value is in; InputError where there is none."""

    @abstractmethod
    def ends(self, place: int) -> tuple[Fraction, Fraction]:
        """Return the ends of an interval."""

    @abstractmethod
    def intervals(self) -> str:
        """Return what the intervals are, in words."""

    @abstractmethod
    def span(self, places: Iterable[int], clip: Clip | None) -> range:
        """Return the intervals that there are, whether or not a value is in them.

        `places`: those that have values, `clip` the bounds of all values.
        """

    def words(self) -> str:
        """Return what the intervals are, and which point stands for each, in words."""
        return f"{self.intervals()}; X is the {self._at} of the interval"

    def label(self, place: int) -> str:
        """Return an interval as a category.

        Example: ``EvenBins(5).label(2)`` is ``"10 to below 15"``.
        """
        return " to below ".join(map(decimal_text, self.ends(place)))

    def point(self, value: int | Fraction) -> int | Fraction:
        """Return the point that stands for a value.

        Example: ``EvenBins(5).point(12)`` is ``25/2``.
        """
        place = self.place(value)
        if place not in self._points:  # worked out once for an interval
            low, high = self.ends(place)
            point = {"lower": low, "middle": (low + high) / 2, "upper": high}[self._at]
            self._points[place] = int(point) if point.denominator == 1 else point
        return self._points[place]


class EvenBins(Bins):
    """Intervals of one width: [0, width) is one of them."""

    def __init__(self, width: object, at: str = "middle") -> None:
        """Take the width, a rational number > 0."""
        super().__init__(at)
        self._width = size_of(width, "--bin-width")
        if self._width <= 0:
            raise InputError(f"--bin-width: {shorten(self._width)}, expected a number > 0")

    def place(self, value: int | Fraction) -> int:
        """Return how many widths below the interval there are from 0."""
        top, bottom = self._width.numerator, self._width.denominator
        return value.numerator * bottom // (value.denominator * top)

    def ends(self, place: int) -> tuple[Fraction, Fraction]:
        """Return the ends of an interval."""
        return place * self._width, (place + 1) * self._width

    def intervals(self) -> str:
        """Return the width, in words."""
        width = decimal_text(self._width)
        return f"[k*{width}, (k+1)*{width}) for whole k"

    def span(self, places: Iterable[int], clip: Clip | None) -> range:
        """Return those from bound to bound, or from the least value to the largest."""
        ends = [*places] if clip is None else [self.place(clip.low), self.place(clip.high)]
        return range(min(ends), max(ends) + 1)


class EdgedBins(Bins):
    """Intervals between edges that rise; a value outside them is an error."""

    def __init__(self, edges: Sequence[object], at: str = "middle") -> None:
        """Take two or more edges, each a rational number or an ISO date."""
        super().__init__(at)
        self._edges = [Fraction(_edge(edge, "--bins")) for edge in edges]
        if len(self._edges) < 2 or any(
            a >= b for a, b in pairwise(self._edges)
        ):
            raise InputError("--bins: expected two or more edges that rise, such as 0,10,20")

    def place(self, value: int | Fraction) -> int:
        """Return which interval from the left it is, beginning with 1."""
        place = bisect_right(self._edges, value)
        if not 0 < place < len(self._edges):
            low, high = decimal_text(self._edges[0]), decimal_text(self._edges[-1])
            text = shorten(decimal_text(Fraction(value)), 30)
            raise InputError(
                f"--bins: the value {text} is in no interval: they go from {low} to below {high}; "
                "add an edge, or leave the rows out with --where"
            )
        return place

    def ends(self, place: int) -> tuple[Fraction, Fraction]:
        """Return the ends of an interval."""
        return self._edges[place - 1], self._edges[place]

    def ends_of_points(self) -> tuple[int | Fraction, int | Fraction]:
        """Return the points that stand for the first and for the last interval."""
        return self.point(self._edges[0]), self.point(self._edges[-2])

    def intervals(self) -> str:
        """Return the edges, in words."""
        edges = [decimal_text(edge) for edge in self._edges]
        pairs = [f"[{low}, {high})" for low, high in pairwise(edges)]
        more = f" ... {pairs[-1]}" if len(pairs) > _SHOWN else ""
        return f"{' '.join(pairs[:_SHOWN])}{more}"

    def span(self, places: Iterable[int], clip: Clip | None) -> range:
        """Return all of them."""
        return range(1, len(self._edges))


def _edge(edge: object, name: str) -> int | Fraction:
    day = day_of(edge.strip(), name) if isinstance(edge, str) else None
    return size_of(edge, name) if day is None else Coding(name).number(day)


@dataclass(frozen=True)
class Clip:
    """Bounds that every value is moved into, whatever the table holds."""

    low: int | Fraction
    high: int | Fraction

    def within(self, value: int | Fraction) -> int | Fraction:
        """Return the nearest value between the bounds.

        Example: ``Clip(0, 5).within(7)`` is ``5``.
        """
        return min(max(value, self.low), self.high)

    def words(self) -> str:
        """Return what becomes of the values outside, in words."""
        low, high = decimal_text(Fraction(self.low)), decimal_text(Fraction(self.high))
        return f"values below {low} count as {low}, values above {high} as {high}"


def read_clip(bounds: object) -> Clip | None:
    """Return the bounds that are asked for, two rational numbers or ISO dates, or None.

    Raises InputError naming the option. Example: ``read_clip((0, 5))`` is ``Clip(0, 5)``.
    """
    if bounds is None:
        return None
    ends = [_edge(end, "--clip") for end in listed(bounds, "--clip", "LOW,HIGH")]
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise InputError("--clip: expected LOW,HIGH, two bounds that rise, such as 0,50000")
    low, high = (int(end) if end.denominator == 1 else end for end in ends)
    return Clip(low, high)


def read_bins(edges: Sequence[object] | None, width: object, at: str | None) -> Bins | None:
    """Return the bins that are asked for, or None.

    Raises InputError naming the option. Example: ``read_bins(None, None, None)`` is None.
    """
    if edges is not None and width is not None:
        raise InputError("--bins and --bin-width exclude each other")
    if edges is None and width is None:
        if at is not None:
            raise InputError("--bin-at: there are no intervals; say --bins or --bin-width")
        return None
    at = "middle" if at is None else at
    return EvenBins(width, at) if edges is None else EdgedBins(edges, at)
