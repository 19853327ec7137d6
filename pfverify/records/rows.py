"""Rows of Python: mappings, pairs, and the columns of a data frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any

from pfverify.errors import InputError, require, shorten
from pfverify.model.words import meant
from pfverify.records.build import problem_table
from pfverify.records.cells import cell_of
from pfverify.records.columns import LAZY
from pfverify.records.options import PublicColumn, asked_of_columns
from pfverify.records.tally import Tally, tally_of

_LISTS = ("to_pylist", "to_list", "tolist")  # of a column: pyarrow, polars, pandas and numpy


def table_of_rows(
    rows: object,
    secret: str,
    public: str | Sequence[str],
    options: Mapping[str, object],
    target: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the problem of rows, each a mapping or a pair (secret, value).

    The keys of the first row are the columns that `public` may name. Raises InputError naming the
    row, the column, or the option.
    """
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise InputError(f"rows: expected mappings or pairs, got {shorten(rows)!r}")
    if hasattr(rows, "columns"):
        raise InputError("rows: a data frame is read by Problem.from_frame")
    try:
        iterator = iter(rows)
    except Exception:  # such as an array without dimensions
        raise InputError(f"rows: expected mappings or pairs, got {shorten(rows)!r}") from None
    first = list(islice(iterator, 1))
    is_table = bool(first) and isinstance(first[0], Mapping)
    columns = [_bare(name) for name in first[0]] if is_table else None
    named = public_columns(public, columns)
    wanted = asked_of_columns(secret.strip(), named, options, target=target)
    tally = tally_of(wanted)
    return _counted(_cells(chain(first, iterator), tally.columns), tally, target)


def table_of_frame(
    frame: object,
    secret: str,
    public: str | Sequence[str],
    options: Mapping[str, object],
    target: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the problem of a data frame: of pandas, polars or pyarrow, or alike.

    Raises InputError naming the column or the option.
    """
    names = _names(frame)
    found = header(name for name in names if isinstance(name, str))
    named = public_columns(public, [*found])
    tally = tally_of(asked_of_columns(secret.strip(), named, options, target=target))
    columns = (_column(frame, found.get(name, name), names) for name in tally.columns)
    return _counted(zip_longest(*columns), tally, target)


def header(names: Iterable[str]) -> dict[str, str]:
    """Return the columns by their names without spaces around them, as the table calls them.

    Raises InputError for a name that occurs twice. Example: ``header([" a"])`` is ``{"a": " a"}``.
    """
    known = list(names)
    for name, count in Counter(name.strip() for name in known).items():
        if count > 1 and name:
            raise InputError(f"the column {shorten(name)!r} occurs {count} times in the header")
    return {name.strip(): name for name in known}


def public_column(public: str, columns: Sequence[object] | None) -> tuple[str, str | None]:
    """Return the public column, and the value that counts 1 where COLUMN=VALUE names one.

    `columns`: those that there are, None where only the rows tell. A column with the whole name
    comes first; spaces around names count nowhere.
    Example: ``public_column("job=clerk", ["job"])`` is ``("job", "clerk")``.
    """
    public = public.strip()
    if columns is not None and public in columns:
        return public, None
    places = [place for place, mark in enumerate(public) if mark == "="]
    for place in places:
        column, value = public[:place].strip(), public[place + 1 :].strip()
        if columns is None or column in columns:
            return column, value
    return public, None


def public_columns(
    public: str | Sequence[str], columns: Sequence[object] | None
) -> list[PublicColumn]:
    """Return the public columns: of a list each; of a text one, or several with commas between.

    A text is one column where there is one of that name, and where a value may have the comma: in
    a=b,c there are two only if c is a column. Raises InputError for a column that there is not.
    Example: ``public_columns("age,job=clerk", ["age", "job"])`` is
    ``[("age", None), ("job", "clerk")]``.
    """
    if not isinstance(public, str):
        return [public_column(one, columns) for one in public]
    whole, parts = public_column(public, columns), public.split(",")
    if whole[1] is None and columns is not None and whole[0] in columns:
        return [whole]
    found = [public_column(part, columns) for part in parts]
    if columns is None:
        return [whole] if "=" in public else found
    unknown = [column for column, _ in found if column not in columns]
    if unknown and (whole[1] is not None or len(unknown) == len(found)):
        return [whole]
    if unknown:
        raise InputError(no_column(unknown[0], map(str, columns)))
    return found


def _counted(
    rows: Iterable[Sequence[object]], tally: Tally, target: Mapping[str, Any]
) -> dict[str, Any]:
    for row in rows:
        cells = [cell_of(cell, name) for cell, name in zip(row, tally.columns, strict=True)]
        tally.add_row(cells, 1)
    return problem_table(tally, target)


def _cells(rows: Iterable[Any], columns: Sequence[str]) -> Iterator[Sequence[object]]:
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            yield [_of(row, name, number) for name in columns]
        elif isinstance(row, tuple | list) and len(row) == len(columns) == 2:
            yield row
        else:
            raise InputError(
                f"row {number}: expected a mapping or a pair (secret, value), got {shorten(row)!r}"
            )


def _bare(name: Any) -> Any:
    return name.strip() if isinstance(name, str) else name


def _of(row: Mapping[Any, object], column: str, number: int) -> object:
    if column in row:
        return row[column]
    found = [name for name in row if _bare(name) == column]
    if len(found) != 1:
        raise InputError(f"row {number}: {no_column(column, map(str, row))}")
    return row[found[0]]


def no_column(name: str, names: Iterable[str]) -> str:
    """Return the message about a column that there is not, with the nearest name.

    Example: ``no_column("aeg", ["age"])`` is ``"no column 'aeg'; did you mean 'age'?"``.
    """
    known = list(names)
    near = meant(name, known)
    hint = f"did you mean {near!r}?" if near else f"there are {shorten(', '.join(known), 120)}"
    return f"no column {shorten(name)!r}; {hint}"


def _names(frame: Any) -> list[Any]:
    """The columns of a frame; InputError for what is none."""
    if type(frame).__name__ == "LazyFrame":
        raise InputError(f"frame: {LAZY}")
    names = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    try:
        known = list(names)  # type: ignore[arg-type]
    except Exception:  # whatever a caller's own class does
        known = []
    if not known:
        raise InputError(
            f"frame: expected a data frame of pandas, polars or pyarrow, got "
            f"{type(frame).__name__}"
        )
    return known


def _column(frame: Any, name: str, known: Sequence[Any]) -> list[Any]:
    """The values of a column as Python has them. A frame has `columns`, and a column gives lists:
    the interchange protocol that they shared is gone, and reading Arrow takes a library."""
    try:
        found = frame[name] if name in known else None
    except Exception:  # whatever a caller's own class does
        found = None
    if found is None:
        raise InputError(no_column(name, map(str, known)))
    for method in _LISTS:
        if hasattr(found, method):
            values = getattr(found, method)()
            require(values, list, f"column {shorten(name)!r}")
            return list(values)
    raise InputError(f"column {shorten(name)!r}: {type(found).__name__} gives no list of values")
