"""What pages have beside what every answer is made of: links, formulas, lists, what is folded.

The report, the book of proofs and what explains a verdict are made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Block, Phrase, Section, Text, Toned
from pfverify.exact.no_truth import NoTruth


@dataclass(frozen=True)
class Link(Phrase):
    """A text that leads to a page of the same site, or to a place (an id) on one."""

    text: str
    page: str = ""
    place: str = ""


@dataclass(frozen=True)
class Code(Phrase):
    """A text as it stands in a file."""

    text: str


@dataclass(frozen=True)
class Maths(Phrase):
    """A formula inside a sentence, as markup of `pfverify.proof.mathml`.

    `text` is the same where only text is written.
    """

    markup: str
    text: str = ""


@dataclass(frozen=True)
class Heading(Block):
    """A heading under the title of the page (level 1); `place` is its id."""

    text: Text
    level: int = 2
    place: str = ""


@dataclass(frozen=True)
class Display(Block):
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
class Listed(Block):
    """A list, numbered or not."""

    items: Sequence[Item]
    numbered: bool = False


@dataclass(frozen=True)
class Hidden(Block):
    """What is shown when the reader asks for it, and on paper if `printed`."""

    summary: str
    below: Sequence[Block]
    printed: bool = True


@dataclass(frozen=True)
class Listing(Block):
    """A text that is shown as it is, line by line."""

    text: str
    label: str


@dataclass(frozen=True)
class Report(NoTruth, ask="read .decided"):
    """A page that is a file of its own: the verdict in one sentence, and its parts.

    `decided` is the verdict, None where a certificate was rejected; `badge` the same in a word;
    `action` is what to do, `by` who answers for it and when it was made, `banner` how to keep it.
    """

    title: str
    decided: Verdict | None
    badge: Toned
    lead: Text
    parts: Sequence[Section]
    foot: str
    banner: Text = ()
    action: Text = ()
    by: str = ""


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
