"""A matrix with names and rows in a file of its own, or with rows that are divided by their sums.

Either is read as the table that states the same numbers itself, of which the digest is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from core.grammar import Malformed, bounded, shown
from core.shapes import array, common_denominator, rational, table
from core.work import price, spend
from reader.named_files import named_bytes

Table = dict[str, Any]


class Matrix(NamedTuple):
    """Names, and numbers as they are written: texts, whole numbers or fractions."""

    inputs: list[Any]
    outputs: list[Any]
    rows: list[Any]


def written_out(value: Table, what: str, most: int) -> Table:
    """The table of a matrix with its inputs, outputs and rows, of at most so many entries."""
    if "file" in value:
        table(value, what, {"kind", "file"}, {"digest", "normalise"})
        found = _of_file(value, what, most)
    else:
        table(value, what, {"kind", "inputs", "outputs", "rows"}, {"normalise"})
        found = Matrix(value["inputs"], value["outputs"], array(value["rows"], f"{what}: rows"))
    rows = found.rows
    normalise = value.get("normalise", False)
    if type(normalise) is not bool:
        raise Malformed(f"{what}: normalise must be true or false")
    if normalise:
        rows = [_divided(array(row, f"{what}: rows"), f"{what}: a row") for row in rows]
    elif "file" in value and any(
        type(x) is Fraction and not 0 <= x <= 1 for row in rows for x in row
    ):
        raise Malformed(f"{what}: an entry is not from 0 to 1")
    return {"kind": "matrix", "inputs": found.inputs, "outputs": found.outputs, "rows": rows}


def _of_file(value: Table, what: str, most: int) -> Matrix:
    name, kind, data = named_bytes(value, what, (".csv", ".npz"))
    if kind == ".csv":
        return _of_csv(data, name, most)
    from reader.arrays import arrays_of

    return Matrix(*arrays_of(data, name, most))


def _of_csv(data: bytes, what: str, most: int) -> Matrix:
    """A line of `input` and the outputs, then one for each input; empty ones are skipped."""
    import csv
    import io

    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        lines = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
        head: list[str] = []
        rows: list[list[str]] = []
        for cells in filter(None, lines):
            if not head:
                head = cells
            elif len(cells) != len(head):
                raise Malformed(f"{what}: line {lines.line_num} has more or fewer cells")
            else:
                rows.append(cells)
            if len(rows) * (len(head) - 1) > most:
                raise Malformed(f"{what}: more than {most} entries")
    except (ValueError, csv.Error) as reason:
        raise Malformed(f"{what} is no CSV: {shown(str(reason))}") from None
    if head[:1] != ["input"]:
        raise Malformed(f"{what}: its first line must begin with input")
    return Matrix([cells[0] for cells in rows], head[1:], [cells[1:] for cells in rows])


def _divided(row: list[Any], what: str) -> list[Fraction]:
    """Rational numbers that are at least 0, over their sum."""
    numbers = [x if type(x) in (int, Fraction) else rational(x, what) for x in row]
    below = common_denominator(numbers, what)
    counts = [x.numerator * (below // x.denominator) for x in numbers]
    if any(count < 0 for count in counts):
        raise Malformed(f"{what} has a negative number")
    whole = sum(counts)
    if not whole:
        raise Malformed(f"{what} sums to 0")
    bounded(Fraction(whole))  # and so is every share of it
    spend(len(counts) * (8 + price(whole.bit_length())))
    return [Fraction(count, whole) for count in counts]
