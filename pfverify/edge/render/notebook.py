"""A view as an HTML fragment for a notebook: no style of its own but spacing, all text escaped.

Colours are the notebook's, so that it can be read in a dark one; what a tone says, words say too.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from pfverify.edge.views.view import Section, Sentence, Table, Toned, View, Words


def html(view: View[Any]) -> str:
    """Return what people read of a view as HTML.

    Example: ``html(view).startswith("<div")`` is True.
    """
    return f"<div>{''.join(part for section in view.sections() for part in _parts(section))}</div>"


def _parts(section: Section) -> Iterator[str]:
    if section.headline is not None:
        yield _paragraph(section.headline)
    for part in section.below():
        yield _table(part) if isinstance(part, Table) else _paragraph(part)


def _paragraph(sentence: Sentence) -> str:
    return f"<p>{_words(sentence.words)}</p>"


def _table(table: Table) -> str:
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = "".join(f'<th scope="col">{escape(column.header)}</th>' for column in table.columns)
    body = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in map(list, table.rows))
    return (
        f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: list[Words]) -> Iterator[str]:
    yield f'<th scope="row">{_words(row[0])}</th>'
    yield from (f"<td>{_words(cell)}</td>" for cell in row[1:])


def _words(words: Words) -> str:
    return "".join(
        f"<strong>{escape(part.text)}</strong>" if isinstance(part, Toned) else escape(part)
        for part in words
    )
