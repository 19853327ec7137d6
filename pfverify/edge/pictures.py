"""Pictures in data: a renderer knows nothing about what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """A drawn function: a name and points (x, y) in order."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Bars:
    """Masses at places: a name and (place, mass)."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Plot:
    """A picture of functions or masses over one axis; `caption` says all that is in it."""

    caption: str
    series: Sequence[Curve | Bars]
    axis: str
    mark: float | None = None


@dataclass(frozen=True)
class Picture:
    """A finished picture: SVG with a title and a description, and what its lines mean.

    `keys` are (class of the style sheet, words). `text` says what the picture shows where none is.
    """

    markup: str
    caption: str
    keys: Sequence[tuple[str, str]]
    text: str


@dataclass(frozen=True)
class Node:
    """A box of a graph: its text, its page, how it is meant, and that in a word."""

    text: str
    page: str
    kind: str
    title: str


@dataclass(frozen=True)
class Graph:
    """Boxes with arrows (from, to) between them, as indices of `nodes`, and a legend."""

    caption: str
    nodes: Sequence[Node]
    arrows: Sequence[tuple[int, int]]
    kinds: Sequence[tuple[str, str]]  # name, what it means
