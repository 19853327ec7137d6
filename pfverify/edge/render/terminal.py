"""Views for people: words first, numbers second, in colour on a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from pfverify.edge.render.columns import fitted, text_of, without_empty
from pfverify.edge.render.console import Output
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.sweep import swept
from pfverify.edge.views.view import Section, Sentence, Table, Tone, View, Words, say

if TYPE_CHECKING:
    from rich.table import Table as Drawn

STYLES = {
    Tone.TITLE: "bold",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.OPEN: "yellow",
}
_WIDE = 150  # columns when the output is not a terminal
_INDENT = "  "
_WORD = re.compile(r"\s*\S+\s*")


def console() -> Console:
    """Return the console for results: colours on a terminal, wide plain text elsewhere."""
    probe = Output(highlight=False)
    if probe.width and (probe.is_terminal or "COLUMNS" in os.environ):  # some say 0 columns
        return probe
    return Output(highlight=False, width=_WIDE)


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print views one after the other, the points of a sweep as one table."""
    out = console()
    if shape is Shape.SWEEP and (section := swept(views)) is not None:
        _section(out, section)
        return
    for view in views:
        draw(out, view)


def draw(out: Console, view: View[Any]) -> None:
    """Print one view."""
    for section in view.sections():
        _section(out, section)


def _section(out: Console, section: Section) -> None:
    if section.apart:
        out.print()
    if section.headline is not None:
        _say(out, section.headline)
    for part in section.below():
        if isinstance(part, Table):
            _show(out, part)
        else:
            _say(out, part)


def _say(out: Console, sentence: Sentence) -> None:
    """Print a sentence: one line, or on a screen so many that no word is broken."""
    text = _text((_INDENT * sentence.level, *sentence.words))
    if sentence.folds or out.is_terminal or out.width < _WIDE:
        text = _broken(text, out.width, _INDENT * (sentence.level + 1))
    out.print(text, soft_wrap=True)


def _broken(text: Text, width: int, indent: str) -> Text:
    """Put line ends into a text where the next word would be too much; a long word stays whole."""
    start, room, starts = 0, width, []
    for word in _WORD.finditer(text.plain):
        if cell_len(text.plain[start : word.end()].rstrip()) > room and word.start() > start:
            start, room = word.start(), width - len(indent)
            starts.append(start)
    lines = text.divide(starts)
    for line in lines[:-1]:
        line.rstrip()
    return Text(f"\n{indent}").join(lines)


def _text(words: Words) -> Text:
    text = Text()
    for part in words:
        if isinstance(part, str):
            text.append(part)
        else:
            text.append(part.text, STYLES[part.tone])
    return text


def _show(out: Console, table: Table) -> None:
    """Print a table, or where it is wider than the screen each row as lines of its own."""
    table = without_empty(table)
    widths = fitted(table, out.width)
    if widths is not None:
        out.print(_drawn(table, widths))
        return
    if table.title:
        _say(out, say(table.title, level=0))
    for row in table.rows:
        out.print("")
        for column, cell in zip(table.columns, row, strict=True):
            if text_of(cell):
                _say(out, Sentence((f"{column.header.strip()}: ", *cell)))
    out.print("")


def _drawn(table: Table, widths: Sequence[int]) -> Drawn:
    from rich.box import HEAVY_HEAD
    from rich.table import Table as Drawn

    drawn = Drawn(
        title=table.title or None,
        title_justify="left",
        box=HEAVY_HEAD if table.ruled else None,
        show_edge=not table.ruled,
        pad_edge=False,
    )
    for column, width in zip(table.columns, widths, strict=True):
        drawn.add_column(
            Text(column.header),
            justify="right" if column.right else "left",
            overflow="fold" if column.whole else "ellipsis",
            no_wrap=not column.breaks,
            width=width,
        )
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    return drawn
