"""Points of a curve as somebody states them: rows of a place and of a number there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pfverify.crosscheck.answers import NotAnAnswerError, Read, number_of
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.stated import number_of as plain_of
from pfverify.crosscheck.tables import MOST, TableColumns, rows_of, table_of_file
from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number, number, rational

_INFINITE = {"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "nan"}


@dataclass(frozen=True)
class StatedAxis(NoTruth, ask="read its attributes"):
    """What a kind of curve has: its places, its numbers, and what they may be called instead."""

    place: str
    value: str
    also: tuple[str, ...] = ()
    bounded: bool = True  # by 1

    @property
    def columns(self) -> TableColumns:
        """The columns of a table of points."""
        return TableColumns((self.place,), (self.value, *self.also), f"{self.place}, {self.value}")


AXES = {
    "profile": StatedAxis("epsilon", "delta"),
    "trade-off": StatedAxis("type_1", "type_2"),
    "odds": StatedAxis("weight", "success", ("chance",)),
    "renyi": StatedAxis("order", "divergence", bounded=False),
}
"""Kind of a curve -> what its points are."""


@dataclass(frozen=True)
class CurveValue:
    """What is said at one place; None: no number, and then `failed` and `words` say why.

    `written` is the place for people.
    """

    place: Number
    written: str
    said: Read | None = None
    failed: CaseOutcome = CaseOutcome.NAN
    words: str = "it is nan"


def points_of_file(path: Path, curve: str) -> list[CurveValue]:
    """Return the points of a CSV file with the columns of a curve, or JSON with a list of tables.

    Numbers are read exactly as they are written. Raises InputError with the row that is wrong.
    """
    axis = axis_of(curve)
    stated = table_of_file(path, axis.columns, str)
    with told_at(f"{shorten(path, 200)}: "):
        return points_of(stated, curve)


def points_of(stated: object, curve: str) -> list[CurveValue]:
    """Return points from rows of a place and a number, or from a table place -> number.

    Raises InputError with the row that is wrong.
    Example: ``points_of({"1/2": 0.25}, "profile")[0].said`` is ``Fraction(1, 4)``.
    """
    axis = axis_of(curve)
    if isinstance(stated, Mapping):
        stated = [{axis.place: place, axis.value: said} for place, said in stated.items()]
    found = []
    for k, row in enumerate(rows_of(stated, axis.columns), start=1):
        with told_at(f"row {k}: "):
            found.append(_point(axis, row))
    return found


def places_of(given: object, curve: str) -> list[Number]:
    """Return the places at which a function is asked, from a number, some, or a text with commas.

    They are floats, or the nearest ones. Raises InputError where there are none, or too many.
    Example: ``places_of("0.5,1", "profile")[0].fraction`` is ``Fraction(1, 2)``.
    """
    if isinstance(given, str):
        some: list[object] = [*given.split(",")]
    else:
        some = [*given] if isinstance(given, list | tuple) else [given]
    if not 1 <= len(some) <= MOST:
        raise InputError(f"places: {len(some)} places, expected 1 to {MOST}")
    name = axis_of(curve).place
    return [Number.of_rational(Fraction(_float(one, name))) for one in some]


def axis_of(curve: object) -> StatedAxis:
    """Return what the points of a kind of curve are; InputError for an unknown one.

    Example: ``axis_of("renyi").place`` is ``"order"``.
    """
    if not isinstance(curve, str) or curve not in AXES:
        raise InputError(f"curve: {shorten(curve)!r} is none of {', '.join(AXES)}")
    return AXES[curve]


def _float(value: object, name: str) -> float:
    try:
        found = float(plain_of(value, name))
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise InputError(f"{name}: {shorten(value)} is no finite float")
    return found


def _point(axis: StatedAxis, row: object) -> CurveValue:
    held = axis.columns.checked(row)
    named = [name for name in (axis.value, *axis.also) if name in held]
    if len(named) != 1:
        wrong = "is missing" if not named else f"and {named[1]} are the same"
        raise InputError(f"{axis.value} {wrong}")
    place = _place(held[axis.place], axis.place)
    return CurveValue(place, str(held[axis.place]).strip(), _said(held[named[0]], named[0]))


def _place(value: object, name: str) -> Number:
    if isinstance(value, str):
        return number(value.strip(), name)
    try:
        found = number_of(value, name)
    except NotAnAnswerError as error:
        raise InputError(f"{name}: {error}") from None
    if not isinstance(found, Fraction):
        raise InputError(f"{name}: {found} is no place of a curve")
    return Number.of_rational(found)


def _said(value: object, name: str) -> Read | None:
    """What is said; None: not a number (nan)."""
    if isinstance(value, str):
        text = value.strip()
        if text.lower() not in _INFINITE:
            return rational(text, name)
        value = float(text)
    if isinstance(value, float) and math.isnan(value):
        return None
    try:
        return number_of(value, name)
    except NotAnAnswerError as error:
        raise InputError(f"{name}: {error}") from None
