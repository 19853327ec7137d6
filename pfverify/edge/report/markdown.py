"""A report as Markdown: the same words and tables; a picture is told in words."""

from __future__ import annotations

import re
from collections.abc import Callable

from pfverify.edge.render.markdown import escaped
from pfverify.edge.report.sections import Report
from pfverify.edge.views.page import (
    Block,
    Code,
    Display,
    Grid,
    Hidden,
    Inline,
    Listed,
    Maths,
    Paragraph,
    Picture,
    Source,
    Text,
)
from pfverify.edge.views.view import Toned


def markdown_of(report: Report) -> str:
    """Return the text of a report. All text of the problem is escaped."""
    lines = [
        f"# {escaped(report.title)}", *[escaped(report.by)] * bool(report.by),
        f"**{escaped(report.badge.text.upper())}** {_text(report.lead)}",
    ]  # fmt: skip
    lines += [_text(report.action)] if report.action else []
    lines += [f"**{_text(report.banner)}**"] if report.banner else []
    for part in report.parts:
        lines += [f"## {escaped(part.title)}", *map(_block, part.blocks)]
    lines += ["---", escaped(report.foot)]
    return "\n\n".join(lines) + "\n"


def _block(block: Block) -> str:
    return _BLOCKS[type(block)](block)


def _paragraph(block: Paragraph) -> str:
    return _text(block.text)


def _display(block: Display) -> str:
    return f"> {escaped(block.text)}"


def _list(block: Listed) -> str:
    return "\n".join(f"- {_text(item.text)}" for item in block.items)


def _grid(block: Grid) -> str:
    header, *rows = [[_text(cell) for cell in row] for row in (block.header, *block.rows)]
    cells = [header, ["---"] * len(header), *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in cells)
    return f"{escaped(block.caption)}:\n\n{table}"


def _hidden(block: Hidden) -> str:
    inside = "\n\n".join(map(_block, block.below))
    return f"<details><summary>{escaped(block.summary)}</summary>\n\n{inside}\n\n</details>"


def _source(block: Source) -> str:
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
    return f"{fence}\n{block.text}\n{fence}"


def _picture(block: Picture) -> str:
    return f"*{escaped('Picture, in the HTML report:')}* {escaped(block.text)}"


_BLOCKS: dict[type, Callable[..., str]] = {
    Paragraph: _paragraph, Display: _display, Listed: _list, Grid: _grid, Hidden: _hidden,
    Source: _source, Picture: _picture,
}  # fmt: skip


def _text(text: Text) -> str:
    return "".join(map(_inline, text))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return escaped(part)
    if isinstance(part, Toned):
        return f"**{escaped(part.text)}**"
    if isinstance(part, Code):
        return _code(part.text)
    if isinstance(part, Maths):
        return escaped(part.text)
    raise TypeError(f"{type(part).__name__} is no part of a report's text")


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{' '.join(text.split())}{fence}"
