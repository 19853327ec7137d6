"""What a page for a browser is made of, in data: a renderer knows nothing about what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pfverify.edge.views.view import Toned


@dataclass(frozen=True)
class Link:
    """A text that leads to a page of the same site, or to a place (an id) on one."""

    text: str
    page: str = ""
    place: str = ""


@dataclass(frozen=True)
class Code:
    """A text as it stands in a file."""

    text: str


@dataclass(frozen=True)
class Maths:
    """A formula inside a sentence, as markup of `pfverify.proof.mathml`.

    `text` is the same where only text is written.
    """

    markup: str
    text: str = ""


Inline = str | Toned | Link | Code | Maths
Text = tuple[Inline, ...]


@dataclass(frozen=True)
class Heading:
    """A heading under the title of the page (level 1); `place` is its id."""

    text: Text
    level: int = 2
    place: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; `label` says what it is about."""

    text: Text
    label: str = ""


@dataclass(frozen=True)
class Display:
    """A formula on lines of its own; each line in parts between which it may be broken.

    `text` is the same where only text is written.
    """

    lines: Sequence[Sequence[str]]
    text: str = ""


@dataclass(frozen=True)
class Item:
    """An entry of a list: its first line and what stands below; `place` is its id."""

    text: Text
    below: Sequence[Block] = ()
    place: str = ""


@dataclass(frozen=True)
class Listed:
    """A list, numbered or not."""

    items: Sequence[Item]
    numbered: bool = False


@dataclass(frozen=True)
class Grid:
    """A table with a caption; the first column holds headers of rows where `named` is set."""

    caption: str
    header: Sequence[Text]
    rows: Sequence[Sequence[Text]]
    named: bool = True


@dataclass(frozen=True)
class Hidden:
    """What is shown when the reader asks for it, and on paper if `printed`."""

    summary: str
    below: Sequence[Block]
    printed: bool = True


@dataclass(frozen=True)
class Source:
    """A text that is shown as it is, line by line."""

    text: str
    label: str


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
    caption: Text
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


Block = (
    Heading | Paragraph | Display | Listed | Grid | Hidden | Source | Plot | Picture | Graph
)


@dataclass(frozen=True)
class Page:
    """A page: its place in the site ("claims/N09.html"), its title, and what it says."""

    place: str
    title: str
    blocks: Sequence[Block]
    badge: Toned | None = None
    lead: Text = ()


@dataclass(frozen=True)
class Site:
    """Pages under one name; `menu` leads to the main ones, `foot` stands below each."""

    name: str
    pages: Sequence[Page]
    menu: Sequence[Link]
    foot: str


