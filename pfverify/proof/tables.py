"""Tables as a paper prints them, and several tables as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import add, sub
from typing import Any

from pfverify.errors import InputError
from pfverify.proof.terms import as_term, combined

_MOST = 1_000  # members of a domain that is written as two ends


def printed_row(columns: Sequence[Any], text: str) -> dict[Any, Any]:
    """Return a printed row as a table {column: number}, each number read exactly.

    Example: ``printed_row([1, 2], "0.50 0.33")`` is ``{1: "0.50", 2: "0.33"}``.
    """
    numbers = text.split()
    if len(numbers) != len(columns):
        raise InputError(f"a row has {len(numbers)} numbers for {len(columns)} columns")
    return dict(zip(columns, numbers, strict=True))


def stacked(tables: Mapping[Any, Mapping[Any, Any]]) -> dict[Any, Any]:
    """Return tables as one table {(name, *arguments): value}."""
    return {
        (name, *(key if isinstance(key, tuple) else (key,))): value
        for name, table in tables.items()
        for key, value in table.items()
    }


def printed_rows(columns: Sequence[Any], rows: Mapping[Any, str]) -> dict[Any, Any]:
    """Return printed rows as one table {(name of the row, column): number}."""
    return stacked({name: printed_row(columns, text) for name, text in rows.items()})


def whole_numbers(first: Any, last: Any) -> list[Any]:
    """Return the whole numbers from first to last as a domain."""
    most = combined(sub, last, first)
    if not most <= _MOST:
        raise InputError(f"more than {_MOST} members")
    return [combined(add, first, as_term(k)) for k in range(int(most) + 1)]


TABLES: dict[str, Callable[..., Any]] = {
    "printed_row": printed_row, "printed_rows": printed_rows, "stacked": stacked,
    "whole_numbers": whole_numbers,
}  # fmt: skip
