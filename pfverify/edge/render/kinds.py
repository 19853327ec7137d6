"""How a renderer finds what draws a part of a document: by its type, and by no default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Drawer = TypeVar("Drawer")


def drawer(table: Mapping[type, Drawer], part: object) -> Drawer:
    """Return what draws a part; TypeError where the renderer has no row for its kind.

    Example: ``drawer({str: len}, "abc")`` is ``len``.
    """
    try:
        return table[type(part)]
    except KeyError:
        raise TypeError(f"{type(part).__name__} has no row in this renderer") from None
