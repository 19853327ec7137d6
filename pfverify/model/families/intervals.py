"""Families of laws whose masses lie in intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.families.family import (
    Family,
    Members,
    OfFile,
    Place,
    checked_places,
    read_entries,
    whole_numbers,
)
from pfverify.model.families.regions import Box
from pfverify.model.keys import NUMBER, Key

Span = Sequence[Number]
"""The least and the largest mass."""


_SPAN = {"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER}


class MassIntervals(Family):
    """The laws whose mass at every atom lies in an interval; there are no other atoms.

    Parameter: `mass`, atom -> mass, or [least, largest]. Attributes: `low`, `high`, in that order.
    Raises InputError for an end outside [0, 1] or beyond the other, and where no law has such
    masses. Example: ``MassIntervals({"0": ["3/5", "17/25"], "1": ["8/25", "2/5"]}).low["0"]`` is
    ``3/5``. Source: design facts F60 and F61.
    """

    __slots__ = ("high", "low")

    kind = "intervals"
    keys = (
        Key(
            "mass", "atom -> [least, largest] probability",
            {
                "type": "object", "minProperties": 1,
                "additionalProperties": {"anyOf": [NUMBER, _SPAN]},
            },
            needed=True, kept="_spans", text=dict,
        ),
    )  # fmt: skip

    def __init__(self, mass: Mapping[Any, Number | Span]) -> None:
        self.low: dict[str, Fraction] = {}
        self.high: dict[str, Fraction] = {}
        for key, value in read_entries(mass, self.kind):
            ends = value if isinstance(value, list | tuple) else [value, value]
            where = f"mass of {shorten(key, 24)}"
            if len(ends) != 2:
                raise InputError(f"{where}: expected a number, or the two ends of an interval")
            low, high = (rational(end, where) for end in ends)
            if not 0 <= low <= high <= 1:
                what = "the lower end is above the upper"
                what = what if low > high else "an end is not in [0, 1]"
                raise InputError(f"{where}: [{shorten(low)}, {shorten(high)}]: {what}")
            self.low[key], self.high[key] = low, high
        least, most = sum(self.low.values()), sum(self.high.values())
        if not least <= 1 <= most:
            end, total = ("lower", least) if least > 1 else ("upper", most)
            raise InputError(
                f"mass: the {end} ends sum to {shorten(total)}, so that no masses between them sum "
                "to 1"
            )

    @property
    def _spans(self) -> dict[str, list[str]]:
        """The intervals as they are written."""
        return {key: [str(low), str(self.high[key])] for key, low in self.low.items()}

    def stated(self, *, named: bool) -> list[list[str]]:
        """Return the kind, then every atom with its ends."""
        places = checked_places(self.low, named=named)
        ends = zip(places, self.low.values(), self.high.values(), strict=True)
        return [[self.kind], *([str(x), str(low), str(high)] for x, low, high in ends)]

    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the atoms."""
        return checked_places(self.low, named=named)

    def members(self, setting: OfFile) -> Members:
        """Return the box."""
        own = {place: k for k, place in enumerate(self.places(named=setting.named))}
        places = tuple(place for place in setting.places if place in own)
        order = [own[place] for place in places]
        ends, whole = whole_numbers([*self.low.values(), *self.high.values(), Fraction(1)])
        low, high = ends[: len(own)], ends[len(own) : -1]
        return Members(places, Box([low[k] for k in order], [high[k] for k in order], whole))

    def words(self) -> str:
        """Return which laws these are."""
        return f"every law whose masses lie in the {len(self.low)} intervals stated"
