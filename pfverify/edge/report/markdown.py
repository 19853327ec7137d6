"""A report as Markdown: the same words and tables; a picture is told in words."""

from __future__ import annotations

import re
from collections.abc import Callable

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

_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~#$])")  # what Markdown or HTML would take for markup


def markdown_of(report: Report) -> str:
    """Return the text of a report. All text of the problem is escaped."""
    lines = [
        f"# {_plain(report.title)}", f"**{_plain(report.badge.text.upper())}** "
        f"{_text(report.lead)}",
    ]  # fmt: skip
    for part in report.parts:
        lines += [f"## {_plain(part.title)}", *map(_block, part.blocks)]
    lines += ["---", _plain(report.foot)]
    return "\n\n".join(lines) + "\n"


def _block(block: Block) -> str:
    return _BLOCKS[type(block)](block)


def _paragraph(block: Paragraph) -> str:
    return _text(block.text)


def _display(block: Display) -> str:
    return f"> {_plain(block.text)}"


def _list(block: Listed) -> str:
    return "\n".join(f"- {_text(item.text)}" for item in block.items)


def _grid(block: Grid) -> str:
    header, *rows = [[_text(cell) for cell in row] for row in (block.header, *block.rows)]
    cells = [header, ["---"] * len(header), *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in cells)
    return f"{_plain(block.caption)}:\n\n{table}"


def _hidden(block: Hidden) -> str:
    inside = "\n\n".join(map(_block, block.below))
    return f"<details><summary>{_plain(block.summary)}</summary>\n\n{inside}\n\n</details>"


def _source(block: Source) -> str:
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
    return f"{fence}\n{block.text}\n{fence}"


def _picture(block: Picture) -> str:
    return f"*{_plain('Picture, in the HTML report:')}* {_plain(block.text)}"


_BLOCKS: dict[type, Callable[..., str]] = {
    Paragraph: _paragraph, Display: _display, Listed: _list, Grid: _grid, Hidden: _hidden,
    Source: _source, Picture: _picture,
}  # fmt: skip


def _text(text: Text) -> str:
    return "".join(map(_inline, text))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return _plain(part)
    if isinstance(part, Toned):
        return f"**{_plain(part.text)}**"
    if isinstance(part, Code):
        return _code(part.text)
    if isinstance(part, Maths):
        return _plain(part.text)
    raise TypeError(f"{type(part).__name__} is no part of a report's text")


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{_one_line(text)}{fence}"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


