"""Options of the command line as options of the library: lists, pairs and files of codes."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.problem_file import read_table
from pfverify.records.coding import ORDER
from pfverify.records.options import OF_COLUMN


def record_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given on the command line, read; InputError naming the option.

    Example: ``record_options({"bins": ("0,10",), "codes": None})`` is ``{'bins': ['0', '10']}``.
    """
    return {
        key: _by_column(key, value, _READERS.get(key, _same))
        if key in OF_COLUMN else _READERS.get(key, _same)(value)
        for key, value in given.items()
        if value is not None and value is not False and value != ()
    }


def _same(value: Any) -> Any:
    return value


def _by_column(key: str, given: Sequence[str], read: Callable[[str], Any]) -> Any:
    """What is said of the one column, or of each that is named: COL=VALUE."""
    option = f"--{key.replace('_', '-')}"
    found: dict[str, Any] = {}
    for text in given:
        name, mark, value = text.rpartition("=")
        if not mark and len(given) > 1:
            raise InputError(
                f"{option}: given {len(given)} times, expected of which column, such as {option} "
                f"'COL={OF_COLUMN[key]}'"
            )
        if name.strip() in found:
            raise InputError(f"{option}: given twice for the column {shorten(name.strip())!r}")
        found[name.strip()] = read(value)
        if not mark:
            return found[""]
    return found


def _texts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _pairs(text: str) -> list[tuple[str, ...]] | None:
    if text.strip() == "all":
        return None
    pairs = [tuple(part.strip() for part in pair.split(":")) for pair in text.split(",")]
    for pair in pairs:
        if len(pair) != 2 or not all(pair):
            raise InputError(f"--pairs: {shorten(':'.join(pair))!r}, expected A:B,C:D or all")
    return pairs


def _codes(text: str) -> Mapping[str, object] | str:
    """NAME=NUMBER,... or order as they are; else the table of a file."""
    if text == ORDER or ("=" in text and not Path(text).is_file()):
        return text
    path = Path(text)
    if path.suffix.lower() in (".toml", ".json"):
        with told_at(f"--codes {shorten(text)}: "):
            return read_table(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"--codes: expected NAME=NUMBER,... or order or a file, and {shorten(text, 40)!r} "
            f"cannot be read: {shorten(reason)}"
        ) from None
    if any(len(row) != 2 for row in rows):
        raise InputError(f"--codes {shorten(text)}: expected two columns, category and number")
    codes = dict(rows)
    if len(codes) < len(rows):
        raise InputError(f"--codes {shorten(text)}: a category occurs twice")
    return codes


_READERS = {
    "bins": _texts, "clip": _texts, "missing_values": _texts,
    "alphabet": _texts, "pairs": _pairs, "codes": _codes,
}  # fmt: skip
