"""What is written where an encoding lacks a character: the nearest ASCII, or else an escape."""

from __future__ import annotations

import codecs
import re

NAME = "pfverify.nearest"
_NEAREST = {"…": "...", "→": "->", "≤": "<=", "≥": ">=", "²": "^2", "ε": "epsilon", "δ": "delta"}
_ROOT = re.compile(r"√(\d+)")


def nearest(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that cannot be written, and where it goes on.

    Raises the error where it is about something else than writing.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    if root := _ROOT.match(error.object, error.start):
        return f"sqrt({root[1]})", root.end()
    text = error.object[error.start]
    if text == "√":  # before a parenthesis
        return "sqrt", error.start + 1
    return _NEAREST.get(text) or ascii(text)[1:-1], error.start + 1


def register() -> str:
    """Make `nearest` known to Python's encodings and return its name there."""
    codecs.register_error(NAME, nearest)
    return NAME
