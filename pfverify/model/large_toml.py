"""TOML whose large tables are read at once: `tomllib` is written in Python, and reads the rest.

A large table of plain entries (keys of digits or quoted, values numbers or quoted) says the same in
JSON with other marks between its parts. It is cut out, one entry is left in its place, and put back
where tomllib found that entry. Whatever is not as expected is read by tomllib as it stands: a key
that is there twice, a comment in between, the text of a table inside a string.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

_LARGE = 10_000  # characters of a table from which it pays
_MARK = "table-cut-out-"
_INLINE = r"\{{([^{{}}\n]{{{size},}})\}}"
_SECTION = r"(?m)^\[[^\n]*\]\n([^\[\]{{}}#,]{{{size},}})(?=^\[|\Z)"
_PLAIN = b'0123456789-./"=, \t\n'  # no escapes, no letters: of these JSON and TOML say the same
_BARE = b"0123456789-"


class _UnexpectedError(Exception):
    """A table is not to be read at once."""


def toml_table(text: str, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    """Return what ``tomllib.loads(text, parse_float=parse_float)`` returns, or raise as it does.

    Example: ``toml_table("a = { 0 = 1 }", str)`` is ``{"a": {"0": 1}}``.
    """
    if len(text) >= _LARGE and _MARK not in text:
        try:
            return _cut_and_read(text.replace("\r\n", "\n"), parse_float)
        except (_UnexpectedError, ValueError, RecursionError):
            pass  # tomllib says what is wrong, if anything
    return tomllib.loads(text, parse_float=parse_float)


def _cut_and_read(text: str, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    tables: dict[str, dict[str, Any]] = {}

    def cut(found: re.Match[str]) -> str:
        mark = f"{_MARK}{len(tables)}"
        tables[mark] = _entries(found[1], parse_float)
        before, after = (place - found.start() for place in found.span(1))
        end = "\n" if found[1].endswith("\n") else ""
        return f"{found[0][:before]}{mark} = 0{end}{found[0][after:]}"

    for pattern in (_INLINE, _SECTION):
        text = re.sub(pattern.format(size=_LARGE), cut, text)
    if not tables:
        raise _UnexpectedError
    whole: dict[str, Any] = _put_back(tomllib.loads(text, parse_float=parse_float), tables)
    if tables:  # one was inside a string or a comment
        raise _UnexpectedError
    return whole


def _entries(body: str, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    """The entries of a table, between commas or on lines of their own."""
    body = body.strip("\n")
    if not body.isascii() or body.encode().translate(None, _PLAIN):
        raise _UnexpectedError
    entries = body.count("=")
    if "\n" in body:
        if body.count("\n") + 1 != entries:
            raise _UnexpectedError
        body = body.replace("\n", ",")
    if '"' in body:
        pairs = _pairs(body.replace("=", ":"), parse_float)
    else:
        quoted = '"' + body.replace(",", ',"').replace("=", '":')
        pairs = [(key.strip(" \t"), value) for key, value in _pairs(quoted, parse_float)]
        keys = [key for key, _ in pairs]
        if not all(keys) or "".join(keys).encode().translate(None, _BARE):
            raise _UnexpectedError
    table = dict(pairs)
    if len(table) != entries:  # a key twice, or with a = in it
        raise _UnexpectedError
    return table


def _pairs(body: str, parse_float: Callable[[str], Any]) -> list[tuple[str, Any]]:
    import json

    pairs: list[tuple[str, Any]] = json.loads(
        f"{{{body}}}", parse_float=parse_float, object_pairs_hook=list
    )
    return pairs


def _put_back(value: Any, tables: dict[str, dict[str, Any]]) -> Any:
    """The value with each table where its mark is; those that are placed are taken out."""
    if isinstance(value, list):
        return [_put_back(part, tables) for part in value]
    if not isinstance(value, dict):
        return value
    whole: dict[str, Any] = {}
    entries = 0
    for key, part in value.items():
        if key in tables:
            found = tables.pop(key)
            whole |= found
            entries += len(found)
        else:
            whole[key] = _put_back(part, tables)
            entries += 1
    if len(whole) != entries:
        raise _UnexpectedError
    return whole
