"""JSON lines: one object per line, read with exact numbers.

Not through the engine, which reads 0.1000000000000000055 as a float.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.records.rows import no_column
from pfverify.records.source import Group, RecordTable, Report, opened

_EVERY = 50_000  # lines between two reports
_MAX_NAMES = 1000  # columns that are remembered for messages


class JsonLines(RecordTable):
    """A file of JSON objects, one in each line; a column that a line lacks has no value there."""

    columns = None

    def __init__(self, path: Path) -> None:
        """Take the file."""
        self._path = path

    def groups(self, names: Sequence[str], report: Report) -> Iterator[Group]:
        """Yield the cells of these columns, line by line."""
        seen: dict[str, None] = {}
        wanted = set(names)
        size = max(1, self._path.stat().st_size)
        with opened(self._path) as lines:
            packed = getattr(lines, "fileobj", lines)  # of gzip: how far the packed bytes are
            for number, line in enumerate(lines, 1):
                if number % _EVERY == 0:
                    report(min(99, 100 * packed.tell() // size), 100)
                if not line.strip():
                    continue
                row = _row(line, number)
                if not wanted <= seen.keys() and len(seen) < _MAX_NAMES:
                    seen |= dict.fromkeys(row)
                yield tuple(_plain(row.get(name), name, number) for name in names), 1
        for name in names:
            if seen and name not in seen:
                raise InputError(no_column(name, seen))


def _row(line: bytes, number: int) -> dict[str, Any]:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        row = json.loads(
            text, parse_float=Decimal, parse_constant=_constant, object_pairs_hook=_unique
        )
    except UnicodeDecodeError:
        raise InputError(f"line {number}: not UTF-8 text") from None
    except RecursionError:
        raise InputError(f"line {number}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"line {number}: not JSON: {shorten(error, 100)}") from None
    if not isinstance(row, dict):
        raise InputError(
            f"line {number}: expected one JSON object in each line, got {type(row).__name__}"
        )
    return row


def _plain(value: object, name: str, number: int) -> object:
    if isinstance(value, dict | list):
        raise InputError(f"line {number}: column {shorten(name)!r} is no plain value")
    return value


def _constant(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = {name.strip(): value for name, value in pairs}
    if len(row) != len(pairs):
        raise ValueError("a key occurs twice")
    return row
