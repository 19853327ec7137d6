"""Views for people: words first, numbers second, in colour on a terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from pfverify.edge.render.console import Output
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import Column, Section, Sentence, Table, Tone, View, Words

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


def console() -> Console:
    """Return the console for results: colours on a terminal, wide plain text elsewhere."""
    probe = Output(highlight=False)
    if probe.is_terminal or "COLUMNS" in os.environ:
        return probe
    return Output(highlight=False, width=_WIDE)


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print views, one after the other, of whatever shape they are."""
    out = console()
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
    for sentence in section.said:
        _say(out, sentence)
    if section.assumed:
        level = 0 if section.headline is None else 1
        _say(out, Sentence((f"Assumed: {'; '.join(section.assumed)}",), level))
    for sentence in section.undecided:
        _say(out, sentence)
    for table in section.tables:
        _show(out, table)
    for sentence in section.notes:
        _say(out, sentence)


def _say(out: Console, sentence: Sentence) -> None:
    """Print a sentence; one that must not be folded is wrapped by the reader's terminal."""
    text = _text((_INDENT * sentence.level, *sentence.words))
    out.print(text, soft_wrap=not sentence.folds)


def _text(words: Words) -> Text:
    text = Text()
    for part in words:
        if isinstance(part, str):
            text.append(part)
        else:
            text.append(part.text, STYLES[part.tone])
    return text


def _show(out: Console, table: Table) -> None:
    """Print a table, or on a narrow terminal each row as lines of its own."""
    drawn = _drawn(table)
    wide = out.options.update(max_width=10_000)
    if not table.stacks or drawn.__rich_measure__(out, wide).minimum <= out.width:
        out.print(drawn)
        return
    for row in table.rows:
        out.print("")
        for column, cell in zip(table.columns, row, strict=True):
            if _text(cell):
                _say(out, Sentence((f"{column.header}: ", *cell)))


def _drawn(table: Table) -> Drawn:
    from rich.box import HEAVY_HEAD
    from rich.table import Table as Drawn

    drawn = Drawn(
        title=table.title or None,
        title_justify="left",
        box=HEAVY_HEAD if table.ruled else None,
        show_edge=not table.ruled,
        pad_edge=False,
    )
    for column in table.columns:
        _add(drawn, column)
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    return drawn


def _add(drawn: Drawn, column: Column) -> None:
    drawn.add_column(
        Text(column.header),
        justify="right" if column.right else "left",
        overflow="fold" if column.whole else "ellipsis",
        no_wrap=not column.breaks,
        min_width=column.width,
    )
