"""What a cell of a table holds, whichever format or library it comes from."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from math import isfinite, isnan
from operator import index

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import rational

Cell = str | int | Fraction | date | float | None
"""A text without spaces around it, an exact number, a day, a float, or nothing."""
WHOLE = 2**53
"""Up to which all whole numbers are floats: of those beyond, two may have become one."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DIGITS = 400  # of a number, and the magnitude of its exponent
_MAX_BITS = 1328  # of an integer: as many digits


def cell_of(value: object, column: str) -> Cell:
    """Return what a value of Python, or of a library of tables, holds.

    Truth values are the texts "true" and "false"; None, NaN and their like are nothing. Raises
    InputError that names the column for an infinity, a time of day, a list and the like.
    Example: ``cell_of(" a ", "x")`` is ``"a"``; ``cell_of(2, "x") == 2`` is True.
    """
    if type(value) is int:
        return _of_int(value, column)
    if value is None:
        return None
    if isinstance(value, str):
        return str(value).strip()
    if type(value).__name__ == "NAType":
        return None
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = _of_numpy(value, column)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _of_int(int(value), column)
    if isinstance(value, Fraction):
        _of_int(max(abs(value.numerator), value.denominator), column)
        return Fraction(value)
    if isinstance(value, float):
        return _of_float(value, column)
    if isinstance(value, Decimal):
        return _of_decimal(value, column)
    if isinstance(value, date):
        return _of_date(value, column)
    try:
        whole = index(value)  # type: ignore[arg-type]
    except Exception:  # a caller's class may raise anything
        raise InputError(
            f"column {shorten(column)!r}: {shorten(value)!r} is a {type(value).__name__}, expected "
            "text, a number or a day"
        ) from None
    return _of_int(whole, column)


def _of_int(value: int, column: str) -> int:
    if value.bit_length() > _MAX_BITS:
        raise _too_long(f"of {value.bit_length()} bits", column)
    return value


def _of_numpy(value: object, column: str) -> object:
    if type(value).__name__ == "datetime64":  # its item may be a bare integer
        raise InputError(f"column {shorten(column)!r}: give datetime64 as datetime.date")
    try:
        return value.item()  # type: ignore[attr-defined]
    except ValueError:
        raise InputError(f"column {shorten(column)!r}: an array, expected one value") from None


def _of_float(value: float, column: str) -> float | None:
    if isnan(value):
        return None
    if not isfinite(value):
        raise InputError(f"column {shorten(column)!r}: {value} is not a finite number")
    return float(value)


def _of_decimal(value: Decimal, column: str) -> Fraction | None:
    if value.is_nan():
        return None
    if not value.is_finite():
        raise InputError(f"column {shorten(column)!r}: {value} is not a finite number")
    if abs(value.adjusted()) > _MAX_DIGITS or len(value.as_tuple().digits) > _MAX_DIGITS:
        raise _too_long(str(value), column)
    return Fraction(value)


def _of_date(value: date, column: str) -> date | None:
    if value != value:  # NaT of pandas
        return None
    if not isinstance(value, datetime):
        return value
    if value.time() != time() or value.tzinfo is not None:
        raise InputError(
            f"column {shorten(column)!r}: {shorten(value)} has a time of day, expected days"
        )
    return value.date()


def text_of(cell: Cell) -> str:
    """Return a cell as people write it: the name of a secret or of a category.

    Raises InputError for a float that may be another number.
    Example: ``text_of(Fraction(1, 2))`` is ``"0.5"``.
    """
    if isinstance(cell, Fraction):
        return decimal_text(cell)
    if isinstance(cell, float):
        if abs(cell) > WHOLE:
            raise InputError(
                f"{cell!r}: a float above 2**53 names nothing, since two numbers may have become "
                "one; give this column as integers or text"
            )
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return "" if cell is None else str(cell)


def text_from(value: object, name: str) -> str:
    """Return the text by which a cell with this value is known; InputError that begins as `name`.

    Example: ``text_from(-9, "--missing-values")`` is ``"-9"``.
    """
    return text_of(cell_of(value, name))


def size_of(value: object, name: str) -> Fraction:
    """Return an exact number of at most as many digits as a cell may have.

    Raises InputError that names the option. Example: ``size_of("1/2", "--bin-width")`` is 1/2.
    """
    found = rational(value, name)
    if max(found.numerator.bit_length(), found.denominator.bit_length()) > _MAX_BITS:
        raise InputError(f"{name}: a number of more than {_MAX_DIGITS} digits")
    return found


def number_of(cell: Cell, column: str) -> int | Fraction | None:
    """Return the exact number of a text or number, None for any other cell (floats too).

    Raises InputError for a number that is too long. Example: ``number_of("1e-1", "x")`` is 1/10.
    """
    if isinstance(cell, int | Fraction):
        return cell
    if isinstance(cell, str) and _NUMBER.fullmatch(cell):
        return _exact(cell, column)
    return None


def _exact(text: str, column: str) -> int | Fraction:
    if text.isdecimal() and len(text) < _MAX_DIGITS:
        return int(text)
    digits, _, power = text.lower().partition("e")
    if len(digits) > _MAX_DIGITS or len(power) > 5 or abs(int(power or 0)) > _MAX_DIGITS:
        raise _too_long(text, column)
    return Fraction(text)


def _too_long(text: str, column: str) -> InputError:
    return InputError(
        f"column {shorten(column)!r}: the number {shorten(text, 30)} overflows, expected at most "
        f"{_MAX_DIGITS} digits"
    )


def day_of(cell: Cell, column: str, date_format: str | None = None) -> date | None:
    """Return the day of a date, or of a text in ISO form (or in the form asked for), else None.

    Raises InputError for a form that Python does not know.
    Example: ``day_of("2024-02-29", "x")`` is ``date(2024, 2, 29)``; ``day_of("x", "x")`` is None.
    """
    if not isinstance(cell, str):
        return cell if isinstance(cell, date) else None
    try:
        if date_format is not None:
            return datetime.strptime(cell, date_format).date()
        return date.fromisoformat(cell) if len(cell) == 10 else None
    except (ValueError, re.error):  # not of this form
        return None
