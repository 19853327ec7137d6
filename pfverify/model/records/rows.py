"""Rows of Python: mappings, pairs, and the columns of a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from pfverify.errors import InputError, require, shorten
from pfverify.model.records.asked import Asked
from pfverify.model.records.build import problem_table
from pfverify.model.records.cells import cell_of
from pfverify.model.records.tally import Tally
from pfverify.model.words import meant

_LISTS = ("to_pylist", "to_list", "tolist")  # of a column: pyarrow, polars, pandas and numpy


def table_of_rows(rows: object, wanted: Asked, target: Mapping[str, Any]) -> dict[str, Any]:
    """Return the problem of rows, each a mapping or a pair (secret, value).

    Raises InputError naming the row, the column, or the option.
    """
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise InputError(f"rows: expected mappings or pairs, got {shorten(rows)!r}")
    try:
        iterator = iter(rows)
    except Exception:  # such as an array without dimensions
        raise InputError(f"rows: expected mappings or pairs, got {shorten(rows)!r}") from None
    return _counted(_cells(iterator, wanted), wanted, target)


def table_of_frame(frame: object, wanted: Asked, target: Mapping[str, Any]) -> dict[str, Any]:
    """Return the problem of a data frame: of pandas, polars or pyarrow, or alike.

    Raises InputError naming the column or the option.
    """
    columns = (_column(frame, name) for name in (wanted.secret, wanted.public))
    return _counted(zip_longest(*columns), wanted, target)


def _counted(
    rows: Iterable[tuple[object, object]], wanted: Asked, target: Mapping[str, Any]
) -> dict[str, Any]:
    tally = Tally(wanted)
    for secret, public in rows:
        tally.add(cell_of(secret, wanted.secret), cell_of(public, wanted.public))
    return problem_table(tally, target)


def _cells(rows: Iterable[Any], wanted: Asked) -> Iterator[tuple[object, object]]:
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            yield _of(row, wanted.secret, number), _of(row, wanted.public, number)
        elif isinstance(row, tuple | list) and len(row) == 2:
            yield row[0], row[1]
        else:
            raise InputError(
                f"row {number}: expected a mapping or a pair (secret, value), got {shorten(row)!r}"
            )


def _of(row: Mapping[Any, object], column: str, number: int) -> object:
    if column not in row:
        raise InputError(f"row {number}: {no_column(column, map(str, row))}")
    return row[column]


def no_column(name: str, names: Iterable[str]) -> str:
    """Return the message about a column that there is not, with the nearest name.

    Example: ``no_column("aeg", ["age"])`` is ``"no column 'aeg'; did you mean 'age'?"``.
    """
    known = list(names)
    near = meant(name, known)
    hint = f"did you mean {near!r}?" if near else f"there are {shorten(', '.join(known), 120)}"
    return f"no column {shorten(name)!r}; {hint}"


def _column(frame: Any, name: str) -> list[Any]:
    """The values of a column as Python has them. A frame has `columns`, and a column gives lists:
    the interchange protocol that they shared is gone, and reading Arrow takes a library."""
    names = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    try:
        known = list(names)  # type: ignore[arg-type]
        found = frame[name] if name in known else None
    except Exception:  # whatever a caller's own class does
        known, found = [], None
    if not known:
        raise InputError(
            f"frame: expected a data frame of pandas, polars or pyarrow, got "
            f"{type(frame).__name__}"
        )
    if found is None:
        raise InputError(no_column(name, map(str, known)))
    for method in _LISTS:
        if hasattr(found, method):
            values = getattr(found, method)()
            require(values, list, f"column {shorten(name)!r}")
            return list(values)
    raise InputError(f"column {shorten(name)!r}: {type(found).__name__} gives no list of values")
