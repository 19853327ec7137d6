"""Channels that are written out, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

from pfverify.errors import InputError, require, shorten, told_at
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.entries import (
    Entry,
    Reader,
    check_not_negative,
    check_sum_is_one,
    folded,
    is_long,
    over_one_denominator,
    text_of,
)
from pfverify.model.channels.parameters import names_key, rows_key
from pfverify.model.keys import Key
from pfverify.model.names import checked_names, ordered

_INLINE = (
    names_key("inputs"),
    names_key("outputs"),
    rows_key("rows", "a row for each input: the mass of each output, summing to 1"),
)
_FILE = Key(
    "file", "in place of inputs, outputs and rows: a file that has them (.csv, .npz, .arrow or "
    ".feather), named from the folder of the problem file", {"type": "string"}, written=False,
)  # fmt: skip
_DIGEST = Key(
    "digest", "sha256: and the hexadecimal digits of the file's bytes, which are held to it",
    {"type": "string"}, written=False,
)  # fmt: skip
_NORMALISE = Key(
    "normalise", "whether rows of rational numbers >= 0 are divided by their exact sums; default "
    "false", {"type": "boolean"}, written=False,
)  # fmt: skip


class Matrix(Channel):
    """A channel whose rows are given: one per input, the mass of every output.

    With `normalise` every row is divided by its exact sum, so that it may be of counts; its numbers
    are then rational. In a table a `file` may state names and rows, relative to the working
    directory, and to its folder where a problem file names it.
    Raises InputError naming the row, with the entry that is negative or by how much the row does
    not sum to 1.
    Example: ``Matrix(["a", "b"], ["x", "y"], [["1/2", "1/2"], [0, 1]]).rows[1]`` is ``(0, 1)``.
    """

    kind = "matrix"
    keys = (*(key._replace(needed=False) for key in _INLINE), _FILE, _DIGEST, _NORMALISE)

    def __init__(
        self, inputs: object, outputs: object, rows: object, normalise: object = False
    ) -> None:
        require(normalise, bool, "normalise")
        self._keep(**read_rows(inputs, outputs, rows, "rows"))
        for k, row in enumerate(self._written):
            for entry in row:
                check_not_negative(entry, f"rows[{k}]")
        if normalise:
            self._keep(_written=tuple(
                _divided(row, f"rows[{k}]", self._said(k)) for k, row in enumerate(self._written)
            ))  # fmt: skip
            return
        for k, row in enumerate(self._written):
            check_sum_is_one(row, f"rows[{k}]", self._said(k))

    def _said(self, k: int) -> str:
        return f"the row of {shorten(self.inputs[k], 30)!r}"

    @classmethod
    def must_have(cls, table: Mapping[str, Any]) -> Sequence[Key]:
        """Return the keys of what is stated without a file."""
        return cls.keys if _FILE.name in table else _INLINE

    @classmethod
    def together(cls) -> dict[str, Any]:
        """Return what the published schema says of rows and a file."""
        names = [key.name for key in _INLINE if key.name != "rows"]
        return {
            "oneOf": [{"required": ["rows"]}, {"required": [_FILE.name]}],
            "if": {"required": ["rows"]},
            "then": {"required": names},
            "dependentRequired": {
                **{name: ["rows"] for name in names}, _DIGEST.name: [_FILE.name],
            },
        }  # fmt: skip

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Return what a table states, or the file that it names; InputError naming the key."""
        normalise = table.get(_NORMALISE.name, False)
        if _FILE.name not in table:
            if _DIGEST.name in table:
                raise InputError("digest: it is that of a file, expected the key file beside it")
            return cls(table["inputs"], table["outputs"], table["rows"], normalise)
        for key in _INLINE:
            if key.name in table:
                raise InputError(f"{key.name}: the file has them, expected no such key beside it")
        from pfverify.model.channels.matrix_file import read_matrix

        name = table[_FILE.name]
        found = read_matrix(name, table.get(_DIGEST.name))
        with told_at(f"file: {shorten(name, 100)}: "):
            try:
                return cls(found.inputs, found.outputs, found.rows, normalise)
            except InputError as error:
                raise _with_remedy(error, normalise) from None

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the rows as given, folded."""
        return tuple(tuple(map(folded, row)) for row in self._written)

    _written: tuple[tuple[Entry, ...], ...]


def _with_remedy(error: InputError, normalise: object) -> InputError:
    """What is wrong with a file's numbers; floats hardly ever sum to exactly 1."""
    if normalise or not str(error).endswith("expected exactly 1"):
        return error
    return InputError(
        f"{error}; floats and counts seldom do: normalise = true divides each row by its sum"
    )


def _divided(row: Sequence[Entry], where: str, what: str) -> tuple[Entry, ...]:
    """Rational numbers, none of them negative, over their sum."""
    found = over_one_denominator(row)
    if found is None:
        other = next(text_of(x) for x in row if not isinstance(x, Fraction))
        raise InputError(
            f"{where}: {shorten(other, 30)} is no rational number, expected such with normalise"
        )
    weights, _ = found
    whole = sum(weights)
    if not whole:
        raise InputError(f"{where}: {what} sums to 0, expected a positive sum to divide by")
    if is_long(Fraction(whole)):
        raise InputError(f"{where}: the shares of {what} have more than 4300 digits")
    shares = {weight: Fraction(weight, whole) for weight in set(weights)}
    return tuple(map(shares.__getitem__, weights))


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
