"""Views as Markdown, such as a job summary: the verdict first, then what is said, then tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click

from pfverify.edge.render.columns import without_empty
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import Section, Sentence, Table, Toned, View, Words

_SPECIAL = re.compile(r"[\\`*_\[\]#|~$@]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "://": "&#58;//", "www.": "www&#46;"}
"""What Markdown takes for HTML, and for a link where nobody wrote one."""


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print the views one after the other, whatever the shape."""
    blocks = [block for view in views for section in view.sections() for block in _blocks(section)]
    click.echo("\n\n".join(blocks))


def _blocks(section: Section) -> Iterator[str]:
    if section.headline is not None:
        yield f"### {_line(section.headline)}"
    for part in section.below():
        yield _table(part) if isinstance(part, Table) else _line(part)


def _line(sentence: Sentence) -> str:
    return _words(sentence.words)


def _words(words: Words) -> str:
    return "".join(
        f"**{escaped(part.text)}**" if isinstance(part, Toned) and part.text.strip()
        else escaped(part if isinstance(part, str) else part.text)
        for part in words
    )  # fmt: skip


def _table(table: Table) -> str:
    table = without_empty(table)
    headers = [escaped(column.header) for column in table.columns]
    rules = ["---:" if column.right else "---" for column in table.columns]
    rows = [headers, rules, *([_words(cell) for cell in row] for row in table.rows)]
    title = f"{escaped(table.title)}\n\n" if table.title else ""
    return title + "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line.

    Example: ``escaped("a|b<i>")`` is ``"a\\\\|b&lt;i&gt;"``.
    """
    text = _SPECIAL.sub(r"\\\g<0>", re.sub(r"\s", " ", text))
    for found, entity in _ENTITIES.items():
        text = text.replace(found, entity)
    return text
