"""Distances between the inputs of a channel, exact by their squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import rational
from pfverify.model.names import ordered

NUMBERS, EUCLIDEAN, MANHATTAN = GROUNDS = ("numbers", "euclidean", "manhattan")
_V = TypeVar("_V")
Place = tuple[Fraction, ...]


@dataclass(frozen=True)
class Ground:
    """A distance of inputs: between their places, or from a table of pairs.

    Attributes: `name`, one of `GROUNDS`, or "table"; `places`, name -> coordinates; `table`,
    pair -> distance. Example: ``Ground.of(["0", "3"], None, None).square("0", "3")`` is ``9``.
    Source: distribution-privacy paper, Definitions 2, 4 and 6.
    """

    name: str
    places: Mapping[str, Place]
    table: Mapping[frozenset[str], Fraction]

    @classmethod
    def of(cls, inputs: Sequence[str], points: object, distance: object) -> Ground:
        """Return the distance that a table states, or by default that of the points or numbers.

        Raises InputError that names the input or pair without a place or a distance.
        """
        if distance is not None and not isinstance(distance, str):
            if points is not None:
                raise InputError("distance: a table of distances, and points: expected one of them")
            table = table_of_pairs("distance", distance, _length)
            for name in {name for pair in table for name in pair} - set(inputs):
                raise InputError(f"distance: {shorten(name)!r} is no input of the channel")
            return cls("table", {}, table)
        chosen = (NUMBERS if points is None else EUCLIDEAN) if distance is None else distance
        if chosen not in GROUNDS:
            raise InputError(
                f"distance: {shorten(chosen)!r} is unknown, expected {', '.join(GROUNDS)} or a "
                "table of [input, input, distance]"
            )
        if chosen == NUMBERS:
            if points is not None:
                raise InputError("points: not with the distance numbers, expected euclidean")
            return cls(chosen, {name: (_as_number(name),) for name in inputs}, {})
        return cls(chosen, _places(inputs, points, str(chosen)), {})

    def square(self, first: str, second: str) -> Fraction:
        """Return the squared distance of two inputs.

        Raises InputError for a pair that the table does not hold.
        """
        if first == second:
            return Fraction(0)
        if self.name == "table":
            pair = frozenset((first, second))
            if pair not in self.table:
                raise InputError(f"distance: no distance of {first!r} and {second!r}")
            return self.table[pair] ** 2
        gaps = [a - b for a, b in zip(self.places[first], self.places[second], strict=True)]
        if self.name == EUCLIDEAN:
            return sum((gap * gap for gap in gaps), Fraction(0))
        return sum((abs(gap) for gap in gaps), Fraction(0)) ** 2


def table_of_pairs(
    key: str, value: object, read: Callable[[object, str], _V]
) -> dict[frozenset[str], _V]:
    """Return a table of unordered pairs from a list of [name, name, value].

    Raises InputError for another shape, a name paired with itself, and a pair that occurs twice.
    """
    table: dict[frozenset[str], _V] = {}
    for entry in listed(value, key, "a list of [name, name, distance]"):
        row = listed(entry, key, "a list of [name, name, distance]")
        if len(row) != 3 or not all(isinstance(name, str) for name in row[:2]):
            raise InputError(f"{key}: expected [name, name, distance], got {shorten(row)}")
        first, second = row[:2]
        if first == second:
            raise InputError(f"{key}: {shorten(first)!r} is paired with itself")
        pair = frozenset((first, second))
        if pair in table:
            names = f"{shorten(first)!r}, {shorten(second)!r}"
            raise InputError(f"{key}: the pair {names} occurs twice")
        table[pair] = read(row[2], f"{key}: {shorten(first, 20)}, {shorten(second, 20)}")
    if not table:
        raise InputError(f"{key}: the list is empty, expected at least one entry")
    return table


def _length(value: object, name: str) -> Fraction:
    found = rational(value, name)
    if found < 0:
        raise InputError(f"{name}: {shorten(found)}, expected a number >= 0")
    return found


def _as_number(name: str) -> Fraction:
    try:
        return rational(name)
    except InputError:
        raise InputError(
            f"distance: the input {shorten(name)!r} is no number; give points, or a table of "
            "distances"
        ) from None


def read_places(where: str, points: Mapping[str, object]) -> dict[str, Place]:
    """Return name -> coordinates; InputError for one that is not rational, or of another dimension.

    Example: ``read_places("points", {"a": ["0", "3/2"]})["a"][1]`` is ``3/2``.
    """
    places = {}
    for name, point in points.items():
        place = f"{where}.{shorten(name, 20)}"
        parts = ordered(point, place, "a list of coordinates")
        places[name] = tuple(rational(x, place) for x in parts)
    if len({len(place) for place in places.values()}) > 1:
        raise InputError(f"{where}: they have different numbers of coordinates")
    return places


def _places(inputs: Sequence[str], points: object, chosen: str) -> dict[str, Place]:
    if not isinstance(points, Mapping):
        raise InputError(f"points: missing, the distance {chosen} is between the inputs' points")
    for name in inputs:
        if name not in points:
            raise InputError(f"points: the input {shorten(name)!r} has no point")
    for name in points:
        if name not in inputs:
            raise InputError(f"points: {shorten(name)!r} is no input of the channel")
    return read_places("points", points)
