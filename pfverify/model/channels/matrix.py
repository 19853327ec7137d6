"""Channels that are written out, entry by entry."""

from __future__ import annotations

from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.entries import (
    Entry,
    Reader,
    check_not_negative,
    check_sum_is_one,
    folded,
)
from pfverify.model.channels.parameters import names_key, rows_key
from pfverify.model.names import checked_names, ordered


class Matrix(Channel):
    """A channel whose rows are given: one per input, the mass of every output.

    Raises InputError naming the row, with the entry that is negative or by how much the row does
    not sum to 1.
    Example: ``Matrix(["a", "b"], ["x", "y"], [["1/2", "1/2"], [0, 1]]).rows[1]`` is ``(0, 1)``.
    """

    kind = "matrix"
    keys = (
        names_key("inputs"),
        names_key("outputs"),
        rows_key("rows", "a row for each input: the mass of each output, summing to 1"),
    )

    def __init__(self, inputs: object, outputs: object, rows: object) -> None:
        self._keep(**read_rows(inputs, outputs, rows, "rows"))
        for k, (name, row) in enumerate(zip(self.inputs, self._written, strict=True)):
            for entry in row:
                check_not_negative(entry, f"rows[{k}]")
            check_sum_is_one(row, f"rows[{k}]", f"the row of {shorten(name, 30)!r}")

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the rows as given, folded."""
        return tuple(tuple(map(folded, row)) for row in self._written)

    _written: tuple[tuple[Entry, ...], ...]


def read_rows(inputs: object, outputs: object, value: object, where: str) -> dict[str, Any]:
    """Return what a channel keeps of its names, and of a row of numbers for every input.

    Raises InputError that begins with the key, which is `where` for the rows.
    Example: ``read_rows(["a"], ["x"], [[1]], "rows")["_written"]`` is ``((1,),)``.
    """
    names, columns = checked_names(inputs, "inputs"), checked_names(outputs, "outputs")
    width = len(columns)
    check_size(len(names), width, where)
    rows = ordered(value, where, "a list of rows")
    if len(rows) != len(names):
        raise InputError(f"{where}: {len(rows)} rows, expected {len(names)}, one for each input")
    reader = Reader()
    found = []
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        place = f"{where}[{k}]"
        entries = ordered(row, place, "a list of numbers")
        if len(entries) != width:
            raise InputError(
                f"{place}: the row of {shorten(name, 30)!r} has {len(entries)} entries, expected "
                f"{width}, one for each output"
            )
        found.append(tuple(reader.read(entry, place) for entry in entries))
    return {"inputs": names, "_outputs": columns, "_written": tuple(found)}
