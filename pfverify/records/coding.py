"""From cells to the exact numbers that are released: one rule for a whole column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.model.words import meant
from pfverify.records.cells import (
    WHOLE,
    Cell,
    day_of,
    number_of,
    size_of,
    text_from,
    text_of,
)

ORDER = "order"
"""As `codes`: the categories in sorted order are 0, 1, 2, ..."""
MISSING = "(missing)"
"""The category of the rows without a value."""
FLOATS = ("whole", "shortest", "exact")
"""How floats are read: only whole ones (to 2**53), as the shortest decimal, or as fractions."""
DAYS = "days since 1970-01-01"
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_POINT = re.compile(r"[+-]?[0-9]+(\.[0-9]+)+(,[0-9]+)?")  # as decimal sign, or of thousands
_DATE = re.compile(r"[0-9]{1,4}[/.-][0-9]{1,2}[/.-][0-9]{1,4}")  # or what may be one
_EPOCH = date(1970, 1, 1).toordinal()


def read_codes(codes: object) -> dict[str, Fraction] | str | None:
    """Return category -> number, or `ORDER`, or None, from what a caller gives.

    `codes` is a table, or text such as "no=0,yes=1". Raises InputError naming the category.
    Example: ``read_codes("no=0,yes=1")["yes"]`` is 1.
    """
    if codes is None:
        return None
    if isinstance(codes, str):
        if codes == ORDER:
            return ORDER
        codes = _pairs(codes)
    if not isinstance(codes, Mapping) or not codes:
        raise InputError(f"--codes: expected NAME=NUMBER,... or order, got {shorten(codes)!r}")
    found: dict[str, Fraction] = {}
    for name, value in codes.items():
        text = text_from(name, "--codes")
        if text in found:
            raise InputError(f"--codes: {shorten(text)!r} has two numbers")
        found[text] = size_of(value, f"--codes: {shorten(text, 30)}")
    return found


def _pairs(text: str) -> dict[str, str]:
    codes: dict[str, str] = {}
    for part in text.split(","):
        name, mark, number = part.rpartition("=")
        if not mark or name.strip() in codes:
            why = "has two numbers" if mark else "has no number"
            raise InputError(
                f"--codes: {shorten(part)!r} {why}, expected NAME=NUMBER,... (or a file of them)"
            )
        codes[name.strip()] = number.strip()
    return codes


class Coding:
    """From the cells of one column to numbers, categories by their codes.

    A cell is a code's category, else a number, else a day (then the days since 1970-01-01). Days
    and numbers do not mix in a column.
    Example: ``Coding("x", {"yes": Fraction(1)}).number("yes")`` is 1.
    """

    def __init__(
        self,
        column: str,
        codes: Mapping[str, Fraction] | None = None,
        floats: str = "whole",
        date_format: str | None = None,
        *,
        decimal_comma: bool = False,
    ) -> None:
        """Take the column's name, for messages, and how its cells are read."""
        if floats not in FLOATS:
            raise InputError(f"--floats: {shorten(floats)!r}, expected {', '.join(FLOATS)}")
        self.column = column
        self.codes = dict(codes or {})
        self._floats = floats
        self._format = date_format
        self._comma = decimal_comma
        self._seen: set[str] = set()

    @property
    def unit(self) -> str | None:
        """What the numbers are, where they are days."""
        return DAYS if "days" in self._seen else None

    def number(self, cell: Cell) -> int | Fraction:
        """Return the number of a cell; InputError that names the column and says what to do."""
        if self.codes and (code := self.codes.get(text_of(cell))) is not None:
            return code
        if self._comma and self._format is None and isinstance(cell, str):
            if _POINT.fullmatch(cell) and not _DATE.fullmatch(cell):  # 1.234 may be 1234
                raise InputError(self._refusal(cell))
            if _COMMA.fullmatch(cell):
                cell = cell.replace(",", ".")
        if isinstance(cell, float):
            return self._of("numbers", _of_float(cell, self._floats, self.column))
        if self._format is None and (value := number_of(cell, self.column)) is not None:
            return self._of("numbers", value)
        if (day := day_of(cell, self.column, self._format)) is not None:
            return self._of("days", day.toordinal() - _EPOCH)
        raise InputError(self._refusal(text_of(cell)))

    def category(self) -> Fraction:
        """Return the code of rows without a value; InputError where they have none."""
        if MISSING not in self.codes:
            raise InputError(
                f"column {shorten(self.column)!r}: rows without a value need a number, such as "
                f"--codes '{MISSING}=-1'"
            )
        return self.codes[MISSING]

    def _of(self, kind: str, value: int | Fraction) -> int | Fraction:
        if kind not in self._seen:
            self._seen.add(kind)
        if len(self._seen) > 1:
            raise InputError(f"column {shorten(self.column)!r} has both days and numbers")
        return value

    def _refusal(self, text: str) -> str:
        where = f"column {shorten(self.column)!r}"
        if self._format is not None:
            form = shorten(self._format, 30)
            return f"{where}: {shorten(text, 40)!r} is no date of the form {form!r}"
        if self.codes:
            near = meant(text, self.codes)
            hint = f"; did you mean {near!r}?" if near else f", as in --codes '...,{text}=NUMBER'"
            return f"{where}: the category {shorten(text, 40)!r} has no code{shorten(hint, 80)}"
        if _COMMA.fullmatch(text) and not self._comma:
            hint = "say --decimal-comma where 3,5 is 3.5; a mark of thousands is not read"
        elif self._comma and _POINT.fullmatch(text) and not _DATE.fullmatch(text):
            hint = "with --decimal-comma no point is read: write 1.234 as 1234 or as 1,234"
        elif _DATE.fullmatch(text):
            hint = "say the form of dates, such as --date-format %d/%m/%Y"
        else:
            hint = (
                "code the categories: --codes NAME=NUMBER,... or --codes order, or count one with "
                "--public COL=VALUE (or say with --missing-values that it stands for a missing one)"
            )
        return f"{where}: {shorten(text, 40)!r} is no number; {hint}"


def _of_float(value: float, floats: str, column: str) -> int | Fraction:
    if value.is_integer() and abs(value) <= WHOLE:
        return int(value)
    if floats == "exact":
        return Fraction(value)
    if floats == "shortest":
        return Fraction(repr(value))
    raise InputError(
        f"column {shorten(column)!r}: {value!r} is a float, which may not be the number that was "
        "written; say how to read them: --floats shortest (the decimal shown) or --floats exact"
    )
