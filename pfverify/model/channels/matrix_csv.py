"""A matrix as CSV: ``input`` and the names of the outputs, then a line for every input."""

from __future__ import annotations

import csv
import io

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import check_size
from pfverify.model.problem_file import BOM

FIRST = "input"
"""The first cell of the first line."""
_EXPECTED = f"expected a first line {FIRST},<names of the outputs>"


def of_csv(data: bytes) -> tuple[list[str], list[str], list[list[str]]]:
    """Return the inputs, the outputs and the texts of the rows; InputError for other bytes.

    Lines without anything are skipped, and so are spaces that follow a comma.
    Example: ``of_csv(b"input,x,y\\na,1/2,1/2\\n")`` is ``(["a"], ["x", "y"], [["1/2", "1/2"]])``.
    """
    try:
        text = data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text, expected CSV") from None
    lines = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    inputs, rows, outputs = list[str](), list[list[str]](), list[str]()
    try:
        for cells in filter(None, lines):
            if not outputs:
                outputs = _names(cells)
                continue
            if len(cells) != len(outputs) + 1:
                raise InputError(
                    f"line {lines.line_num}: {len(cells)} cells, expected {len(outputs) + 1}, the "
                    "input and a number for each output"
                )
            inputs.append(cells[0])
            rows.append(cells[1:])
            check_size(len(rows), len(outputs), f"line {lines.line_num}")
    except csv.Error as error:
        raise InputError(f"line {lines.line_num}: this is no CSV: {error}") from None
    if not outputs:
        raise InputError(f"it is empty, {_EXPECTED}")
    return inputs, outputs, rows


def _names(cells: list[str]) -> list[str]:
    """The names of the outputs in the first line."""
    first, *outputs = cells
    if first != FIRST or not outputs:
        raise InputError(f"line 1: it begins with {shorten(first, 30)!r}, {_EXPECTED}")
    return outputs
