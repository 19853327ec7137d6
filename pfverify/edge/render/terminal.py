"""Views for people: words first, numbers second, in colour on a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as Styled

from pfverify.edge.document import (
    Block,
    Paragraph,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    assumed_once,
    say,
    text_of,
    title,
)
from pfverify.edge.render.columns import fitted, without_empty
from pfverify.edge.render.console import Output
from pfverify.edge.render.kinds import Kind, drawer
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import View

if TYPE_CHECKING:
    from rich.table import Table as Drawn

    from pfverify.edge.pages import Listed
    from pfverify.edge.pictures import BarChart, Plot

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
    if shape is Shape.SWEEP:
        from pfverify.edge.views.sweep import swept

        if (section := swept(views)) is not None:
            _section(out, section)
            return
    draw(out, *views)


def draw(out: Console, *views: View[Any]) -> None:
    """Print views one after the other."""
    for section in assumed_once(section for view in views for section in view.sections()):
        _section(out, section)


def _section(out: Console, section: Section) -> None:
    if section.apart:
        out.print()
    if section.headline is not None:
        _say(out, section.headline)
    for block in section.blocks:
        _show(out, block)


def _show(out: Console, block: Block) -> None:
    if isinstance(block, Paragraph):
        _say(out, block)
    elif isinstance(block, Table):
        _table(out, block)
    else:
        for simple in drawer(BLOCKS, block)(block):
            _show(out, simple)


def _say(out: Console, paragraph: Paragraph) -> None:
    """Print a paragraph: one line, or on a screen so many that no word is broken."""
    label = f"{paragraph.label}: " if paragraph.label else ""
    text = _styled((_INDENT * paragraph.level, label, *paragraph.text))
    if paragraph.folds or out.is_terminal or out.width < _WIDE:
        text = _broken(text, out.width, _INDENT * (paragraph.level + 1))
    out.print(text, soft_wrap=True)


def _items(block: Listed) -> Iterator[Block]:
    for number, item in enumerate(block.items, 1):
        yield say(f"{number}. " if block.numbered else "- ", *item.text, folds=True)
        yield from item.below


def _picture(block: Plot | BarChart) -> Iterator[Block]:
    from pfverify.edge.render.characters import lines

    return map(say, lines(block))


BLOCKS: dict[Kind, Callable[[Any], Iterable[Block]]] = {
    "pfverify.edge.pages.Heading": lambda block: [say(title(text_of(block.text)), level=0)],
    "pfverify.edge.pages.Display": lambda block: [say(block.text, level=2)],
    "pfverify.edge.pages.Listed": _items,
    "pfverify.edge.pages.Hidden": lambda block: [say(f"{block.summary}:"), *block.below],
    "pfverify.edge.pages.Listing": lambda block: map(say, block.text.splitlines()),
    "pfverify.edge.pictures.Plot": _picture,
    "pfverify.edge.pictures.BarChart": _picture,
    "pfverify.edge.pictures.Graph": lambda block: [say(block.caption, folds=True)],
}
"""What is more than a paragraph or a table -> what it is made of here."""


def _broken(text: Styled, width: int, indent: str) -> Styled:
    """Put line ends into a text where the next word would be too much; a long word stays whole."""
    start, room, starts = 0, width, []
    for word in _WORD.finditer(text.plain):
        if cell_len(text.plain[start : word.end()].rstrip()) > room and word.start() > start:
            start, room = word.start(), width - len(indent)
            starts.append(start)
    lines = text.divide(starts)
    for line in lines[:-1]:
        line.rstrip()
    return Styled(f"\n{indent}").join(lines)


def _styled(text: Text) -> Styled:
    styled = Styled()
    for part in text:
        style = STYLES[part.tone] if isinstance(part, Toned) else ""
        styled.append(text_of((part,)), style)
    return styled


def _table(out: Console, table: Table) -> None:
    """Print a table, or where it is wider than the screen each row as lines of its own."""
    table = without_empty(table)
    widths = fitted(table, out.width)
    if widths is not None:
        out.print(_drawn(table, widths))
        return
    if table.caption:
        _say(out, say(table.caption, level=0))
    for row in table.rows:
        out.print("")
        for column, cell in zip(table.columns, row, strict=True):
            if text_of(cell):
                _say(out, say(f"{text_of((column.header,)).strip()}: ", *cell))
    out.print("")


def _drawn(table: Table, widths: Sequence[int]) -> Drawn:
    from rich.box import HEAVY_HEAD
    from rich.table import Table as Drawn

    drawn = Drawn(
        title=table.caption or None,
        title_justify="left",
        box=HEAVY_HEAD if table.ruled else None,
        show_edge=not table.ruled,
        pad_edge=False,
    )
    for column, width in zip(table.columns, widths, strict=True):
        drawn.add_column(
            _styled((column.header,)),
            justify="right" if column.right else "left",
            overflow="fold" if column.whole else "ellipsis",
            no_wrap=not column.breaks,
            width=width,
        )
    for row in table.rows:
        drawn.add_row(*map(_styled, row))
    return drawn
