"""What a map says, read from a file: rows of d_in, epsilon and, if there is one, delta."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.crosscheck.tables import MOST, TableColumns, rows_of, table_of_file
from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.published import Infinite, extended

_LONGEST = 400  # characters of a number
_COLUMNS = TableColumns(("d_in", "epsilon"), ("delta",), "d_in, epsilon, delta")
Plain = int | float
Distance = Plain | tuple[Plain, ...]
"""A distance of inputs: of maps from keys to counts, as many numbers as OpenDP takes."""


@dataclass(frozen=True)
class MapValue:
    """What a map says at one distance, as it says it; `refused`: why it says nothing, if so."""

    d_in: Distance
    epsilon: Plain = math.nan
    delta: Plain = 0
    refused: str | None = None


def values_of_file(path: Path) -> list[MapValue]:
    """Return what a map says, from a CSV file with these columns or JSON with a list of tables.

    Numbers are those of OpenDP: integers, and else the float64 that is nearest. Raises InputError
    with the row that is wrong.
    """
    stated = table_of_file(path, _COLUMNS, float)
    with told_at(f"{shorten(path, 200)}: "):
        return values_of(stated)


def values_of(stated: object) -> list[MapValue]:
    """Return what a map says, from rows of d_in, epsilon and delta, or a table d_in -> epsilon.

    In place of an epsilon a table may have a pair of it and a delta. Raises InputError with the
    row that is wrong.
    Example: ``values_of({1: 0.5})`` is ``[MapValue(d_in=1, epsilon=0.5, delta=0, refused=None)]``.
    """
    if isinstance(stated, Mapping):
        stated = [_row(d_in, said) for d_in, said in stated.items()]
    found = []
    for k, row in enumerate(rows_of(stated, _COLUMNS), start=1):
        with told_at(f"row {k}: "):
            found.append(_value(row))
    return found


def distances_of(given: object) -> list[Distance]:
    """Return the distances that are asked about, from a number, some, or a text with commas.

    Raises InputError where there are none, or too many.
    Example: ``distances_of("1,0.5")`` is ``[1, 0.5]``.
    """
    if isinstance(given, str):
        some: list[Any] = given.split(",")
    else:
        some = [*given] if isinstance(given, list | tuple) else [given]
    if not 1 <= len(some) <= MOST:
        raise InputError(f"d_in: {len(some)} distances, expected 1 to {MOST}")
    return [distance_of(one) for one in some]


def distance_of(value: object) -> Distance:
    """Return a distance, of one number or of several: a tuple, a list, or a text with colons.

    Raises InputError where one is no number.
    Example: ``distance_of("2:1.5:1")`` is ``(2, 1.5, 1)``.
    """
    if isinstance(value, str) and ":" in value:
        value = value.split(":")
    if isinstance(value, tuple | list):
        return tuple(number_of(one, "d_in") for one in value)
    return number_of(value, "d_in")


def distance_text(d_in: Distance) -> str:
    """Return a distance as a text, with colons between several numbers.

    Example: ``distance_text((1, 0.5, 1))`` is ``"1:0.5:1"``.
    """
    if isinstance(d_in, tuple):
        return ":".join(map(distance_text, d_in))
    return str(extended(Fraction(d_in)))


def number_of(value: object, what: str) -> Plain:
    """Return an integer, or the float64 that is nearest to a text; InputError for anything else.

    Example: ``number_of("0.5", "d_in")`` is ``0.5``.
    """
    if isinstance(value, bool):
        raise InputError(f"{what}: {value} is no number")
    if isinstance(value, int | float):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    text = str(value).strip() if isinstance(value, str) else ""
    try:
        if not text.isascii() or "_" in text or len(text) > _LONGEST:
            raise ValueError
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        raise InputError(f"{what}: {shorten(value)!r} is no number, expected one as 0.5") from None


def claimed(value: Plain) -> Fraction | Infinite | None:
    """Return the number that a map says, None where it is none.

    Example: ``claimed(0.5)`` is ``Fraction(1, 2)``.
    """
    if isinstance(value, int) or math.isfinite(value):
        return Fraction(value)
    return Infinite("inf") if value == math.inf else None


def _row(d_in: object, said: object) -> Mapping[str, object]:
    pair = said if isinstance(said, list | tuple) else (said, 0)
    if len(pair) != 2:
        raise InputError(f"d_in {shorten(d_in)}: expected epsilon, or epsilon and delta")
    return {"d_in": d_in, "epsilon": pair[0], "delta": pair[1]}


def _value(row: object) -> MapValue:
    held = _COLUMNS.checked(row)
    d_in, epsilon = distance_of(held["d_in"]), number_of(held["epsilon"], "epsilon")
    return MapValue(d_in, epsilon, number_of(held.get("delta", 0), "delta"))
