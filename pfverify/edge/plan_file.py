"""Plan files: CSV with the header from,to,mass, JSON of the same columns, or npz arrays."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational

MAX_BYTES = 200_000_000
COLUMNS = ("from", "to", "mass")


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
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES} bytes")
        if path.suffix == ".npz":
            return PlanTable(tuple(_from_arrays(path)), True)
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    rows = _from_json(path, text) if path.suffix == ".json" else _from_csv(path, text)
    if not rows:
        raise InputError(f"{path}: the plan has no rows")
    return PlanTable(tuple(rows), False)


def _row(path: Path, where: str, cells: Any) -> tuple[Fraction, Fraction, Fraction]:
    if not isinstance(cells, list | tuple) or len(cells) != len(COLUMNS):
        raise InputError(f"{path}, {where}: expected {', '.join(COLUMNS)}, got {shorten(cells)}")
    values = []
    for name, cell in zip(COLUMNS, cells, strict=True):
        try:
            values.append(rational(cell.strip() if isinstance(cell, str) else cell, name))
        except InputError as error:
            raise InputError(f"{path}, {where}: {error}") from None
    return values[0], values[1], values[2]


def _from_csv(path: Path, text: str) -> list[tuple[Fraction, Fraction, Fraction]]:
    try:
        table = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: not CSV: {error}") from None
    header = [cell.strip().lower() for cell in table[0]] if table else []
    if sorted(header) != sorted(COLUMNS):
        raise InputError(f"{path}: expected the header {','.join(COLUMNS)}, got {shorten(header)}")
    order = [header.index(name) for name in COLUMNS]
    rows = []
    for number, cells in enumerate(table[1:], 2):
        if not cells:
            continue
        picked = [cells[k] for k in order] if len(cells) == len(order) else cells
        rows.append(_row(path, f"line {number}", picked))
    return rows


def _from_json(path: Path, text: str) -> list[tuple[Fraction, Fraction, Fraction]]:
    try:
        data = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
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


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number here")


def _from_arrays(path: Path) -> list[tuple[Fraction, Fraction, Fraction]]:
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as data:
            missing = [name for name in COLUMNS if name not in data]
            if missing:
                raise InputError(f"{path}: there is no array {missing[0]!r} in it")
            arrays = [np.asarray(data[name]) for name in COLUMNS]
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise InputError(f"{path}: not an npz file of numbers: {shorten(str(error))}") from None
    if any(a.ndim != 1 or a.shape != arrays[0].shape for a in arrays):
        raise InputError(f"{path}: expected three arrays of one length")
    if not all(a.dtype.kind in "iuf" and np.isfinite(a).all() for a in arrays):
        raise InputError(f"{path}: NaN, infinity or something else than numbers")
    columns = [[Fraction(v) for v in a.tolist()] for a in arrays]
    return list(zip(*columns, strict=True))
