"""How wide the columns of a table are, so that no word and no number in it is broken."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from pfverify.edge.views.view import Column, Table, Words


def text_of(words: Words) -> str:
    """Return words without their tones."""
    return "".join(part if isinstance(part, str) else part.text for part in words)


def without_empty(table: Table) -> Table:
    """Return a table without the columns in which no row says anything."""
    filled = [k for k in range(len(table.columns)) if any(text_of(row[k]) for row in table.rows)]
    if not table.rows or len(filled) == len(table.columns):
        return table
    rows = [[row[k] for k in filled] for row in table.rows]
    return Table([table.columns[k] for k in filled], rows, table.title, table.ruled)


def fitted(table: Table, space: int) -> list[int] | None:
    """Return the width of each column in so many characters, None where words would break.

    Columns that may break give way, each as little as the others; one that may be cut is never
    narrower than its header.
    """
    columns = [(column, [text_of(row[k]) for row in table.rows])
               for k, column in enumerate(table.columns)]  # fmt: skip
    most = [_natural(column, cells) for column, cells in columns]
    least = [_least(column, cells) for column, cells in columns]
    left = space - _between(table) - sum(least)
    if left < 0:
        return None
    widths = list(least)
    wants = sorted(range(len(most)), key=lambda k: most[k] - least[k])
    for done, k in enumerate(wants):  # the least wants are met whole
        given = min(most[k] - least[k], left // (len(wants) - done))
        widths[k] += given
        left -= given
    return widths


def _between(table: Table) -> int:
    """The characters between columns: spaces, and a line."""
    return (3 if table.ruled else 2) * (len(table.columns) - 1)


def _natural(column: Column, cells: Sequence[str]) -> int:
    lines = [line for cell in [column.header, *cells] for line in cell.split("\n")]
    return max([column.width or 0, *map(cell_len, lines)])


def _least(column: Column, cells: Sequence[str]) -> int:
    if not column.breaks:
        return _natural(column, cells if column.whole else [])
    words = [word for cell in [column.header, *cells] for word in cell.split()]
    return max([column.width or 0, *map(cell_len, words)])
