"""Pictures in data: what is drawn over axes, beside names, or as boxes with arrows.

A style is a colour of the style sheet ("s0" to "s3", "ink", "soft", "good", "bad") and, after a
space, how a line is broken: "solid", "dashes" or "dots". What is drawn is floats and decides
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pfverify.edge.document import Block

Point = tuple[float, float]
Ends = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """An axis: its name, its ends where they are given, and its labels (place, text) if they are.

    Without ends it goes as far as what is drawn, without labels it has round numbers.
    """

    name: str = ""
    low: float | None = None
    high: float | None = None
    labels: Sequence[tuple[float, str]] | None = None

    def ends(self, values: Sequence[float]) -> Ends:
        """Return the ends of the axis around values; they differ."""
        finite = [value for value in values if math.isfinite(value)] or [0.0]
        low = min(finite) if self.low is None else self.low
        high = max(finite) if self.high is None else self.high
        aside = max(0.5, abs(low) / 1000)
        return (low, high) if low < high else (low - aside, low + aside)


@dataclass(frozen=True)
class Line:
    """Points that are joined in order."""

    points: Sequence[Point]
    style: str
    width: float = 2.0


@dataclass(frozen=True)
class Band:
    """What lies between two functions: (x, lower y, upper y) in order."""

    points: Sequence[tuple[float, float, float]]
    style: str


@dataclass(frozen=True)
class Bars:
    """Bars from 0, one at each x; those of several `Bars` stand side by side."""

    points: Sequence[Point]
    style: str


@dataclass(frozen=True)
class Dots:
    """Marks of one shape: "dot", "square", "cross", "diamond", "up" or "down"."""

    points: Sequence[Point]
    style: str
    shape: str = "dot"
    size: float = 4.0


@dataclass(frozen=True)
class GuideLine:
    """A line across the whole picture: at an x if it is upright, else at a y."""

    at: float
    style: str
    upright: bool = True


ZERO_LINE = GuideLine(0, "soft", upright=False)
"""The line at height 0."""
Mark = Line | Band | Bars | Dots | GuideLine


@dataclass(frozen=True)
class Plot(Block):
    """What is drawn over two axes, in order. `description`: for those who do not see it.

    `keys` are (style, words); `square`: both axes have one length.
    """

    title: str
    caption: str
    x: Axis
    y: Axis
    marks: Sequence[Mark]
    keys: Sequence[tuple[str, str]]
    description: str = ""
    high: int = 300
    square: bool = False

    def ends(self) -> tuple[Ends, Ends]:
        """Return the ends of both axes."""
        points = [point for mark in self.marks for point in _inside(mark)]
        bars = {x for mark in self.marks if isinstance(mark, Bars) for x, _ in mark.points}
        beside = min((b - a for a, b in pairwise(sorted(bars))), default=1.0) / 2
        points += [(x + side, math.nan) for x in bars for side in (-beside, beside)]
        return self.x.ends([x for x, _ in points]), self.y.ends([y for _, y in points])


def points_of(mark: Mark) -> Sequence[Point]:
    """Return the points of a mark; a guide line has none.

    Example: ``points_of(Band([(0, 1, 2)], "s0"))`` is ``[(0, 1), (0, 2)]``.
    """
    if isinstance(mark, GuideLine):
        return ()
    if isinstance(mark, Band):
        return [(x, y) for x, *ys in mark.points for y in ys]
    return mark.points


def enclosed(points: Sequence[tuple[float, float, float]]) -> list[Mark]:
    """Return what is drawn of a curve that lies between two others.

    Example: ``len(enclosed([(0, 1, 2)]))`` is 3.
    """
    lower, upper = ([(x, ends[k]) for x, *ends in points] for k in (0, 1))
    return [Band(points, "s0"), Line(upper, "s0", 1.4), Line(lower, "s0 dots", 1.0)]


def _inside(mark: Mark) -> Iterator[Point]:
    """What of a mark must be inside the axes; an upright guide line need not be."""
    yield from points_of(mark)
    if isinstance(mark, Bars):
        yield (math.nan, 0.0)
    if isinstance(mark, GuideLine) and not mark.upright:
        yield (math.nan, mark.at)


@dataclass(frozen=True)
class Bar:
    """A named value, infinite where there is none; `kind` is the verdict on it, "" without one."""

    name: str
    value: float
    kind: str = ""


@dataclass(frozen=True)
class BarChart(Block):
    """Named values, one below the other; `signed`: around 0, the largest first.

    `bound`: a value that all are seen against, with its sign where they have one; `never` says of
    an infinite value what it means; `log`: on a logarithmic axis.
    """

    title: str
    caption: str
    axis: str
    bars: Sequence[Bar]
    keys: Sequence[tuple[str, str]] = ()
    description: str = ""
    bound: float | None = None
    never: str = ""
    signed: bool = False
    log: bool = False


@dataclass(frozen=True)
class Node:
    """A box of a graph: its text, its page, how it is meant, and that in a word."""

    text: str
    page: str
    kind: str
    title: str


@dataclass(frozen=True)
class Graph(Block):
    """Boxes with arrows (from, to) between them, as indices of `nodes`, and a legend."""

    caption: str
    nodes: Sequence[Node]
    arrows: Sequence[tuple[int, int]]
    kinds: Sequence[tuple[str, str]]  # name, what it means
