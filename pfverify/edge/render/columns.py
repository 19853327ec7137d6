"""How wide the columns of a table are, so that no word and no number in it is broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from rich.cells import cell_len

from pfverify.edge.document import Column, Table, text_of


def without_empty(table: Table) -> Table:
    """Return a table without the columns in which no row says anything."""
    filled = [k for k in range(len(table.columns)) if any(text_of(row[k]) for row in table.rows)]
    if not table.rows or len(filled) == len(table.columns):
        return table
    rows = [[row[k] for k in filled] for row in table.rows]
    return replace(table, columns=[table.columns[k] for k in filled], rows=rows)


def fitted(table: Table, space: int) -> list[int] | None:
    """Return the width of each column in so many characters, None where words would break.

    Columns that may break give way: first in their headers, then where a cell has most lines
    anyway. One that may be cut is never narrower than its header.
    """
    columns = [(column, [text_of(row[k]) for row in table.rows])
               for k, column in enumerate(table.columns)]  # fmt: skip
    widths = [_least(column, cells) for column, cells in columns]
    left = space - _between(table) - sum(widths)
    if left < 0:
        return None
    for most in ([_natural(column, cells) for column, cells in columns],
                 [_natural(column, [_header(column)]) for column, _ in columns]):  # fmt: skip
        for _ in range(left):
            wants = [(ceil(most[k] / width), width - most[k], k)
                     for k, width in enumerate(widths) if width < most[k]]  # fmt: skip
            if not wants:
                break
            widths[max(wants)[-1]] += 1
            left -= 1
    return widths


def _header(column: Column) -> str:
    return text_of((column.header,))


def _between(table: Table) -> int:
    """The characters between columns: spaces, and a line."""
    return (3 if table.ruled else 2) * (len(table.columns) - 1)


def _natural(column: Column, cells: Sequence[str]) -> int:
    lines = [line for cell in cells for line in cell.split("\n")]
    return max([column.width or 0, *map(cell_len, lines)])


def _least(column: Column, cells: Sequence[str]) -> int:
    if not column.breaks:
        return _natural(column, [_header(column), *(cells if column.whole else [])])
    words = [word for cell in [_header(column), *cells] for word in cell.split()]
    return max([column.width or 0, *map(cell_len, words)])
