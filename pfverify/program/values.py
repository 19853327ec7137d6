"""What a program takes and returns, as plain JSON between processes, and as the name it gets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pfverify.errors import InputError
from pfverify.workers.wire import BrokenFrameError

Plain = str | int | bool | None | dict[str, str] | list[Any]
"""A value as JSON has it: a fraction is a table, a tuple a list."""
_BITS = 10_000  # of a number that can be written


def plain(value: object) -> Plain:
    """Return a value as JSON has it: text, an int, bool, Fraction or None, or a tuple of these.

    A whole Fraction is its int. Raises InputError for every other type, whose values are not named
    by their text, and for a number that is too long.
    Example: ``plain((1, Fraction(1, 2)))`` is ``[1, {"fraction": "1/2"}]``.
    """
    if value is None or isinstance(value, bool) or type(value) is str:
        return value
    if type(value) is tuple:
        return [plain(part) for part in value]
    if type(value) is int or type(value) is Fraction:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
            raise InputError(f"a number of more than {_BITS} bits")
        whole = value.denominator == 1
        return value.numerator if whole else {"fraction": str(value)}
    hint = "; a float is not the number that was meant" if isinstance(value, float) else ""
    raise InputError(
        f"a {type(value).__name__}, expected str, int, bool, Fraction, None, or a tuple of "
        f"these{hint}"
    )


def value_of(data: Plain) -> object:
    """Return the value that `plain` wrote.

    Example: ``value_of([1, {"fraction": "1/2"}])`` is ``(1, Fraction(1, 2))``.
    """
    if isinstance(data, dict):
        return Fraction(data["fraction"])
    return tuple(map(value_of, data)) if isinstance(data, list) else data


def name_of(data: Plain) -> str:
    """Return the text that names a value: its own, as Python prints it.

    Raises BrokenFrameError for what `plain` does not write.
    Example: ``name_of([True, "no", {"fraction": "1/2"}])`` is ``"(True, no, 1/2)"``.
    """
    match data:
        case str():
            return data
        case None | bool() | int():
            return str(data)
        case {"fraction": str(text)}:
            return text
        case list():
            return f"({', '.join(map(name_of, data))})"
    raise BrokenFrameError("a value of no kind that a program returns")
