"""A view as an HTML fragment for a notebook: no style of its own but spacing, all text escaped.

Colours are the notebook's, so that it can be read in a dark one; what a tone says, words say too.
"""

from __future__ import annotations

from html import escape
from typing import Any

from pfverify.edge.document import Table, Toned
from pfverify.edge.render.html import Writer
from pfverify.edge.views.view import View


def html(view: View[Any]) -> str:
    """Return what people read of a view as HTML.

    Example: ``html(view).startswith("<div")`` is True.
    """
    write = _Fragment("")
    blocks = [
        block
        for section in view.sections()
        for block in (*([section.headline] if section.headline else []), *section.blocks)
    ]
    return f"<div>{write.blocks(blocks)}</div>"


class _Fragment(Writer):
    """Writes without classes: a notebook has its own."""

    def _toned(self, part: Toned) -> str:
        return f"<strong>{escape(part.text)}</strong>"

    def _table(self, block: Table) -> str:
        return self.table(block)
