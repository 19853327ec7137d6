"""What people read, in data: text in parts, paragraphs, tables, sections.

Views, the report and the book of proofs are made of it, and what few of them have (`pages`,
`pictures`) is loaded with them; each renderer draws it in one form and knows nothing about what it
says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pfverify.decide.verdict import Verdict


class Tone(Enum):
    """How words are meant; a renderer has a style for each."""

    TITLE = "title"
    GOOD = "good"
    BAD = "bad"
    OPEN = "open"


class Phrase:
    """Words in a line that are more than text, which `text` says; every kind is derived from it."""

    text: str


@dataclass(frozen=True)
class Toned(Phrase):
    """A text with a tone."""

    text: str
    tone: Tone


Inline = str | Phrase
Text = tuple[Inline, ...]
"""A line of text in parts."""

AS_BEFORE = "the same as of the one before"
"""What is said to be assumed, where it was just said whole."""

VERDICT_TONES = {
    Verdict.CERTIFIED: Tone.GOOD,
    Verdict.REFUTED: Tone.BAD,
    Verdict.UNDECIDED: Tone.OPEN,
    Verdict.OBSERVED: Tone.OPEN,
}


def toned(verdict: Verdict, text: str | None = None) -> Toned:
    """Return a verdict (or another text) in the verdict's tone."""
    return Toned(verdict.value if text is None else text, VERDICT_TONES[verdict])


def title(text: str) -> Toned:
    """Return a text as a title."""
    return Toned(text, Tone.TITLE)


def good(text: str) -> Toned:
    """Return a text about what holds."""
    return Toned(text, Tone.GOOD)


def bad(text: str) -> Toned:
    """Return a text about what fails."""
    return Toned(text, Tone.BAD)


def text_of(text: Text) -> str:
    """Return a text without its tones, links and markup.

    Example: ``text_of(("a ", Toned("b", Tone.BAD)))`` is ``'a b'``.
    """
    return "".join(part if isinstance(part, str) else part.text for part in text)


def with_commas(parts: Iterable[Text]) -> Text:
    """Return texts one after the other, with commas between them.

    Example: ``with_commas([("a",), ("b", "c")])`` is ``("a", ", ", "b", "c")``.
    """
    found: list[Inline] = []
    for part in parts:
        found += [", "] if found else []
        found += part
    return tuple(found)


class Block:
    """What stands below a headline; every kind is derived from it."""


@dataclass(frozen=True)
class Paragraph(Block):
    """A paragraph; `label` says what it is about.

    Where there are lines of characters, `level` is how far it is set in, and one that `folds` may
    be broken at their width.
    """

    text: Text
    label: str = ""
    level: int = 1
    folds: bool = False


def say(*text: Inline, level: int = 1, folds: bool = False) -> Paragraph:
    """Return a paragraph from the parts of its text."""
    return Paragraph(text, "", level, folds)


def counted(number: int, what: str) -> str:
    """Return how many there are of what: the word has an s where it is not one.

    Example: ``counted(2, "pair")`` is ``"2 pairs"``.
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def and_more(count: int, what: str, where: str) -> list[Paragraph]:
    """Return the sentence about what is not shown, and where all of it is; none about nothing.

    What is counted is named as one of it.
    Example: ``and_more(0, "pair", "--json has all")`` is ``[]``.
    """
    told = f"… and {counted(count, f'more {what}')} ({where})"
    return [say(told, folds=True)] if count > 0 else []


def first(said: Sequence[Paragraph], most: int, what: str, where: str) -> list[Paragraph]:
    """Return so many paragraphs, and the sentence about those that are not shown.

    Example: ``first([], 3, "pair", "--json has all")`` is ``[]``.
    """
    return [*said[:most], *and_more(len(said) - most, what, where)]


@dataclass(frozen=True)
class Column:
    """A column of a table: its header and how it is set.

    `breaks`: a cell may go over several lines; `whole`: it is never cut; `width`: at least so
    many characters; `right`: set to the right.
    """

    header: Inline
    breaks: bool = True
    whole: bool = False
    right: bool = False
    width: int | None = None


@dataclass(frozen=True)
class Table(Block):
    """A header and rows; the first column holds headers of rows where `named` is set.

    `ruled`: with lines, where there are characters alone; one that is too wide for them is shown
    row by row. `title` is the caption as a page sets it; `stacked`: where a page is narrow a row is
    a block of lines, each with its header.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]
    caption: str = ""
    ruled: bool = True
    named: bool = True
    title: Text = ()
    stacked: bool = False


def simple_table(
    caption: str | Text, header: Sequence[Inline], rows: Sequence[Sequence[Text]], *,
    named: bool = True, stacked: bool = False,
) -> Table:  # fmt: skip
    """Return a table whose columns have nothing but a header."""
    title = (caption,) if isinstance(caption, str) else caption
    columns = [Column(cell) for cell in header]
    return Table(columns, rows, text_of(title), named=named, title=title, stacked=stacked)


@dataclass(frozen=True)
class Section:
    """Part of what is read, in its order; `apart`: after a blank line; `place` is its id.

    `undecided` says why something is.
    """

    headline: Paragraph | None = None
    said: Sequence[Block] = ()
    assumed: Sequence[str] = ()
    undecided: Sequence[Paragraph] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[Paragraph] = ()
    apart: bool = False
    place: str = ""

    @property
    def title(self) -> str:
        """The headline without its tones."""
        return "" if self.headline is None else text_of(self.headline.text)

    @property
    def blocks(self) -> list[Block]:
        """What stands below the headline, in order."""
        level = 0 if self.headline is None else 1
        assumed = [f"Assumed: {'; '.join(self.assumed)}"] if self.assumed else []
        return [
            *self.said, *(say(text, level=level) for text in assumed), *self.undecided,
            *self.tables, *self.notes,
        ]  # fmt: skip


def assumed_once(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield sections as they follow each other: where one assumes what the last did, it says so.

    Example: ``list(assumed_once([]))`` is ``[]``.
    """
    last: Sequence[str] = ()
    for section in sections:
        yield replace(section, assumed=[AS_BEFORE]) if last and section.assumed == last else section
        last = section.assumed or last


def part(place: str, title: str, blocks: Sequence[Block]) -> Section:
    """Return a section of a page, under its title."""
    return Section(say(title), blocks, place=place)
