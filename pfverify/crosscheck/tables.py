"""Reading small tables that somebody states: CSV with a header, or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.no_truth import NoTruth

MOST = 1000
"""How many rows are read at most."""
_BYTES = 1 << 20


@dataclass(frozen=True)
class TableColumns(NoTruth, ask="read its attributes"):
    """Which columns a table needs, which it may have too, and what all are called in a message."""

    needed: tuple[str, ...]
    also: tuple[str, ...]
    text: str

    def checked(self, row: object) -> Mapping[str, object]:
        """Return a row that has what is needed, and nothing that is not known, or InputError."""
        if not isinstance(row, Mapping):
            raise InputError(f"{shorten(row)} is no table of {self.text}")
        for key in row:
            if key not in (*self.needed, *self.also):
                raise InputError(f"{shorten(key)!r} is not known, expected {self.text}")
        for key in self.needed:
            if key not in row:
                raise InputError(f"{key} is missing")
        return row


def rows_of(stated: object, columns: TableColumns) -> Sequence[object]:
    """Return a list of rows that is neither empty nor too long; InputError for anything else.

    Example: ``rows_of([3], TableColumns(("a",), (), "a"))`` is ``[3]``.
    """
    if not isinstance(stated, Sequence) or isinstance(stated, str | bytes):
        raise InputError(f"{shorten(stated)} is no list of {columns.text}")
    if not 1 <= len(stated) <= MOST:
        raise InputError(f"{len(stated)} rows, expected 1 to {MOST}")
    return stated


def table_of_file(path: Path, columns: TableColumns, number: Callable[[str], Any]) -> object:
    """Return the rows of a CSV file, or what a file of another name states as JSON.

    `number` makes what is written as a decimal in JSON. Raises InputError naming the file.
    """
    shown = shorten(path, 200)
    try:
        with path.open("rb") as file:
            data = file.read(_BYTES + 1)
    except OSError as error:
        raise InputError(f"{shown}: {error.strerror}") from None
    except ValueError:  # a name that no file can have
        raise InputError(f"{shown}: no file can have this name") from None
    with told_at(f"{shown}: "):
        if len(data) > _BYTES:
            raise InputError(f"more than {_BYTES} bytes")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError("not UTF-8 text") from None
        if path.suffix.lower() == ".csv":
            return _rows(text, columns)
        return _json(text, number)


def _json(text: str, number: Callable[[str], Any]) -> object:
    try:
        return json.loads(text, parse_float=number)
    except (ValueError, RecursionError) as error:
        raise InputError(f"no JSON: {shorten(error)}") from None


def _rows(text: str, columns: TableColumns) -> list[dict[str, str]]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    needed, known = {*columns.needed}, {*columns.needed, *columns.also}
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if len({*header}) < len(header) or not needed <= {*header} <= known:
            shown = shorten(", ".join(header))
            raise InputError(f"line 1: the columns are {shown!r}, expected {columns.text}")
        found = []
        for row in rows:
            if row and len(row) != len(header):
                raise InputError(f"line {rows.line_num}: {len(row)} cells, not {len(header)}")
            if row:
                found.append(dict(zip(header, row, strict=True)))
    except csv.Error as error:
        raise InputError(f"line {rows.line_num}: {shorten(error, 100)}") from None
    return found
