"""What people read as Markdown: of views such as a job summary, and of a report.

All text is escaped; a picture is told in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from pfverify.edge.document import (
    Block,
    Inline,
    Paragraph,
    Section,
    Table,
    Text,
    Toned,
    assumed_once,
)
from pfverify.edge.pages import Code, Display, Heading, Hidden, Link, Listed, Listing, Maths, Report
from pfverify.edge.pictures import BarChart, Graph, Plot
from pfverify.edge.render.columns import without_empty
from pfverify.edge.render.kinds import Kind, drawer
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import View

_SPECIAL = re.compile(r"[\\`*_\[\]#|~$@]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "://": "&#58;//", "www.": "www&#46;"}
"""What Markdown takes for HTML, and for a link where nobody wrote one."""


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print the views one after the other, whatever the shape."""
    sections = assumed_once(section for view in views for section in view.sections())
    click.echo("\n\n".join(part for section in sections for part in _parts(section, 3)))


def markdown_of(report: Report) -> str:
    """Return the text of a report."""
    lead = f"{_inline(Toned(report.badge.text.upper(), report.badge.tone))} {_text(report.lead)}"
    parts = [f"# {escaped(report.title)}", escaped(report.by), lead, _text(report.action)]
    parts += [f"**{_text(report.banner)}**"] if report.banner else []
    parts += [block for section in report.parts for block in _parts(section, 2)]
    return "\n\n".join([*filter(None, parts), "---", escaped(report.foot)]) + "\n"


def _parts(section: Section, level: int) -> Iterator[str]:
    if section.headline is not None:
        yield _heading(Heading(section.headline.text, level))
    yield from map(_block, section.blocks)


def _block(block: Block) -> str:
    return drawer(BLOCKS, block)(block)


def _heading(block: Heading) -> str:
    return f"{'#' * block.level} {_text(block.text)}"


def _paragraph(block: Paragraph) -> str:
    return f"{escaped(block.label)}: {_text(block.text)}" if block.label else _text(block.text)


def _display(block: Display) -> str:
    return f"> {escaped(block.text)}"


def _list(block: Listed) -> str:
    entries = []
    for item in block.items:
        lines = "\n\n".join([_text(item.text), *map(_block, item.below)]).split("\n")
        mark = "1. " if block.numbered else "- "
        entries.append(mark + "\n".join([lines[0], *(f"   {one}".rstrip() for one in lines[1:])]))
    return "\n".join(entries)


def _table(block: Table) -> str:
    block = without_empty(block)
    headers = [_inline(column.header) for column in block.columns]
    rules = ["---:" if column.right else "---" for column in block.columns]
    rows = [headers, rules, *(map(_text, row) for row in block.rows)]
    caption = f"{escaped(block.caption)}:\n\n" if block.caption else ""
    return caption + "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _hidden(block: Hidden) -> str:
    inside = "\n\n".join(map(_block, block.below))
    return f"<details><summary>{escaped(block.summary)}</summary>\n\n{inside}\n\n</details>"


def _source(block: Listing) -> str:
    fence = _ticks(block.text, 3)
    return f"{fence}\n{block.text}\n{fence}"


def _picture(block: Plot | BarChart) -> str:
    return f"*Picture, in the HTML report:* {escaped(f'{block.title}. {block.description}')}"


def _graph(block: Graph) -> str:
    return f"*Picture, in the pages:* {escaped(block.caption)}"


BLOCKS: dict[Kind, Callable[..., str]] = {
    Heading: _heading, Paragraph: _paragraph, Display: _display, Listed: _list, Table: _table,
    Hidden: _hidden, Listing: _source, Plot: _picture, BarChart: _picture, Graph: _graph,
}  # fmt: skip


def _text(text: Text) -> str:
    return "".join(map(_inline, text))


def _inline(part: Inline) -> str:
    return drawer(INLINES, part)(part)


def _toned(part: Toned) -> str:
    return f"**{escaped(part.text)}**" if part.text.strip() else escaped(part.text)


def _code(part: Code) -> str:
    fence = _ticks(part.text, 1)
    return f"{fence}{' '.join(part.text.split())}{fence}"


def _bare(part: Link | Maths) -> str:
    return escaped(part.text)


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line.

    Example: ``escaped("a|b<i>")`` is ``"a\\\\|b&lt;i&gt;"``.
    """
    text = _SPECIAL.sub(r"\\\g<0>", re.sub(r"\s", " ", text))
    for found, entity in _ENTITIES.items():
        text = text.replace(found, entity)
    return text


INLINES: dict[Kind, Callable[..., str]] = {
    str: escaped, Toned: _toned, Code: _code, Link: _bare, Maths: _bare,
}  # fmt: skip


def _ticks(text: str, least: int) -> str:
    """So many backticks that the text has no more in a row."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))
