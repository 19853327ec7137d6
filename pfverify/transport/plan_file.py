"""Files of plans (CSV, JSON or npz arrays), and of distances and relations (CSV)."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.transport.metric import TableMetric

MAX_BYTES = 200_000_000  # of a file, and of the arrays in it
MAX_ROWS = 2_000_000
_MAX_COMMON_BITS = 1 << 18  # of a common denominator
_MAX_BITS = 1 << 32  # of all numbers over their common denominator
_PLAIN = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400}|/0{0,9}[1-9][0-9]{0,399})?")  # most numbers
COLUMNS = ("from", "to", "mass")
Pairs = list[tuple[Fraction, Fraction]]
"""The pairs of points of a relation."""


@dataclass(frozen=True)
class PlanTable:
    """Rows (from, to, mass) as exact rationals; `floats` when the file holds binary floats."""

    rows: tuple[tuple[Fraction, Fraction, Fraction], ...]
    floats: bool


def read_plan(path: Path) -> PlanTable:
    """Read a plan that somebody else computed; the suffix .json or .npz says the format, else CSV.

    Decimals are read exactly as written; the floats of an npz file stand for their binary value.
    Raises InputError naming file, row and what was expected.
    """
    data = _read_bytes(path)
    floats = False
    if path.suffix == ".npz":
        rows, floats = _from_arrays(path, data)
    else:
        rows = _from_json(path, data) if path.suffix == ".json" else _from_csv(path, data)
    if not rows:
        raise InputError(f"{path}: the plan has no rows")
    if len(rows) > MAX_ROWS:
        raise InputError(f"{path}: more than {MAX_ROWS} rows")
    _require_common(path, "the points", (x for row in rows for x in row[:2]), 2 * len(rows))
    _require_common(path, "the masses", (row[2] for row in rows), len(rows))
    return PlanTable(tuple(rows), floats)


def _read_bytes(path: Path) -> bytes:
    """Return the bytes of a file that is not too large; InputError where there is none."""
    try:
        with path.open("rb") as source:
            data = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read: {error.strerror or error}") from None
    except ValueError as error:  # a name with a null byte
        raise InputError(f"{shorten(repr(str(path)))}: cannot read: {error}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes")
    return data


def _csv_rows(path: Path, data: bytes) -> Iterable[tuple[int, list[str]]]:
    """Yield (line number, cells) of the lines of a CSV file that are not empty.

    Raises InputError for text that is not UTF-8 or not CSV, and for too many lines.
    """
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline="")
    reader = csv.reader(text, strict=True)
    count = 0
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
                count += 1
            if count > MAX_ROWS + 1:
                raise InputError(f"{path}: more than {MAX_ROWS} rows")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except csv.Error as error:
        raise InputError(f"{path}: not CSV: {error}") from None


def headed_rows(path: Path, columns: Sequence[str]) -> Iterable[tuple[int, list[str]]]:
    """Yield (line number, cells) below the header of a CSV file, without blanks at their ends.

    Raises InputError for another header, another number of cells, and as `_csv_rows`.
    """
    table = iter(_csv_rows(path, _read_bytes(path)))
    header = [cell.strip().lower() for cell in next(table, (0, []))[1]]
    if header != list(columns):
        raise InputError(f"{path}: expected the header {','.join(columns)}, got {shorten(header)}")
    for number, row in table:
        if len(row) != len(columns):
            raise InputError(f"{path}, line {number}: expected {len(columns)} cells")
        yield number, [cell.strip() for cell in row]


def read_metric(path: Path) -> TableMetric:
    """Read a table of distances: CSV with the header from,to,distance.

    Raises InputError for a table that is not a metric (it names the triple).
    """
    table: dict[tuple[object, object], object] = {}
    for a, b, distance in _numbers_below(path, ("from", "to", "distance")):
        if (a, b) in table:
            raise InputError(f"{path}: the pair {shorten(a)}, {shorten(b)} stands there twice")
        table[a, b] = distance
    return TableMetric(table)


def read_relation(path: Path) -> Pairs:
    """Read a relation: CSV with the header from,to."""
    return [(a, b) for a, b in _numbers_below(path, ("from", "to"))]


def _numbers_below(path: Path, columns: tuple[str, ...]) -> list[list[Fraction]]:
    rows = [
        [rational(cell, f"{path}, line {number}") for cell in row]
        for number, row in headed_rows(path, columns)
    ]
    _require_common(path, "the numbers", (x for row in rows for x in row), len(rows))
    return rows


def _require_common(path: Path, what: str, values: Iterable[Fraction], count: int) -> None:
    """Raise InputError where exact sums would need integers without bound."""
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        if common.bit_length() > _MAX_COMMON_BITS:
            break
    if common.bit_length() > _MAX_COMMON_BITS or count * common.bit_length() > _MAX_BITS:
        raise InputError(f"{path}: {what} have a common denominator that is too long")


def _row(path: Path, where: str, cells: Any) -> tuple[Fraction, Fraction, Fraction]:
    if not isinstance(cells, list | tuple) or len(cells) != len(COLUMNS):
        raise InputError(f"{path}, {where}: expected {', '.join(COLUMNS)}, got {shorten(cells)}")
    values = []
    for name, cell in zip(COLUMNS, cells, strict=True):
        try:
            text = cell.strip() if isinstance(cell, str) else cell
            plain = isinstance(text, str) and _PLAIN.fullmatch(text)
            values.append(Fraction(text) if plain else rational(text, name))
        except InputError as error:
            raise InputError(f"{path}, {where}: {error}") from None
    return values[0], values[1], values[2]


def _from_csv(path: Path, data: bytes) -> list[tuple[Fraction, Fraction, Fraction]]:
    table = iter(_csv_rows(path, data))
    header = [cell.strip().lower() for cell in next(table, (0, []))[1]]
    if sorted(header) != sorted(COLUMNS):
        raise InputError(f"{path}: expected the header {','.join(COLUMNS)}, got {shorten(header)}")
    order = [header.index(name) for name in COLUMNS]
    rows = []
    for number, cells in table:
        picked = [cells[k] for k in order] if len(cells) == len(order) else cells
        rows.append(_row(path, f"line {number}", picked))
    return rows


def _from_json(path: Path, text: bytes) -> list[tuple[Fraction, Fraction, Fraction]]:
    try:
        data = json.loads(
            text.decode("utf-8-sig"),
            parse_float=str,
            parse_int=_integer,
            parse_constant=_refuse,
            object_pairs_hook=_unique,
        )
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    entries = data.get("plan") if isinstance(data, dict) else data
    if not isinstance(entries, list):
        raise InputError(f'{path}: expected a list of rows, or {{"plan": [rows]}}')
    rows = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, dict):
            if set(entry) != set(COLUMNS):
                raise InputError(f"{path}, row {number}: expected {', '.join(COLUMNS)}")
            entry = [entry[name] for name in COLUMNS]
        rows.append(_row(path, f"row {number}", entry))
    return rows


def _integer(text: str) -> int | str:
    return int(text) if len(text) < 4000 else text  # the grammar says what is wrong with it


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number here")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key occurs twice in one table")
    return table


def _from_arrays(
    path: Path, data: bytes
) -> tuple[list[tuple[Fraction, Fraction, Fraction]], bool]:
    import numpy as np

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as members:
            size = sum(member.file_size for member in members.infolist())
    except Exception as error:  # hostile files make zipfile raise nearly anything
        raise InputError(f"{path}: not an npz file: {shorten(str(error))}") from None
    if size > MAX_BYTES:
        raise InputError(f"{path}: its arrays are larger than {MAX_BYTES} bytes")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            missing = [name for name in COLUMNS if name not in found]
            arrays = [] if missing else [np.asarray(found[name]) for name in COLUMNS]
    except Exception as error:  # and numpy too
        raise InputError(f"{path}: not an npz file of numbers: {shorten(str(error))}") from None
    if missing:
        raise InputError(f"{path}: there is no array {missing[0]!r} in it")
    if any(a.ndim != 1 or a.shape != arrays[0].shape for a in arrays):
        raise InputError(f"{path}: expected three arrays of one length")
    if len(arrays[0]) > MAX_ROWS:
        raise InputError(f"{path}: more than {MAX_ROWS} rows")
    if not all(a.dtype.kind in "iuf" and a.itemsize <= 8 and np.isfinite(a).all() for a in arrays):
        raise InputError(f"{path}: NaN, infinity or something else than numbers of 64 bits")
    columns = [[Fraction(v) for v in a.tolist()] for a in arrays]
    return list(zip(*columns, strict=True)), arrays[2].dtype.kind == "f"
