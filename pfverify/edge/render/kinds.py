"""How a renderer finds what draws a part of a document: by its type, and by no default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Drawer = TypeVar("Drawer")
Kind = type | str
"""The class of a part, or its full name where only what makes such parts has to load it."""


def drawer(table: Mapping[Kind, Drawer], part: object) -> Drawer:
    """Return what draws a part; TypeError where the renderer has no row for its kind.

    Example: ``drawer({str: len}, "abc")`` is ``len``.
    """
    kind = type(part)
    for row in (kind, f"{kind.__module__}.{kind.__qualname__}"):
        if row in table:
            return table[row]
    raise TypeError(f"{kind.__name__} has no row in this renderer")
