"""Steps that move numbers to the multiples of a number: round, floor, ceil."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.priors.prior import NUMBER
from pfverify.model.steps.arrays import InArrays
from pfverify.model.steps.step import Cut, Stretch
from pfverify.model.words import check_keys

if TYPE_CHECKING:
    from pfverify.model.steps.arrays import Integers

_TIES = ("up", "down", "even")
_HALF = Fraction(1, 2)


class ToMultiples(InArrays):
    """Every number becomes a multiple of `to`, that of the run it lies in."""

    to: Fraction

    def __init__(self, to: Number) -> None:
        self._keep(to=rational(to, "to"))
        if self.to <= 0:
            raise InputError(f"to: {shorten(self.to)} is not > 0")

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a table with `to`."""
        return {
            "type": "object", "required": ["to"], "additionalProperties": False,
            "properties": {"to": NUMBER | {"description": "multiples of what, > 0"}},
        }  # fmt: skip

    @classmethod
    def from_value(cls, value: Any) -> ToMultiples:
        """Return the step of a table."""
        check_keys(value, ("to",))
        return cls(value["to"])

    def canonical(self) -> Any:
        """Return the table."""
        return {"to": str(self.to)}

    @property
    def words(self) -> str:
        """The step and its multiples."""
        return f"{self.key} to multiples of {shorten(self.to, 24)}"

    @property
    def reach(self) -> Fraction:
        """One multiple: none is farther from its numbers."""
        return self.to

    @abstractmethod
    def begins(self, k: int) -> Cut:
        """Return the cut behind which numbers become k times `to`."""

    def _reaching(self, start: Cut) -> int:
        """The k whose run holds the numbers behind a cut."""
        k = int(start.at // self.to)
        return k + (self.begins(k + 1) <= start)

    def piece(self, start: Cut) -> Stretch:
        """Return the rest of the run behind a cut, and its multiple."""
        k = self._reaching(start)
        return Stretch(self.begins(k + 1), k * self.to)

    def apply(self, number: Fraction) -> Fraction:
        """Return the multiple of the run that the number lies in."""
        return self._reaching(Cut(number)) * self.to

    def pulled(self, cut: Cut) -> Cut:
        """Return where the first multiple that is not before the cut begins."""
        k = cut.at // self.to
        return self.begins(next(
            j for j in range(int(k) - 1, int(k) + 3) if Cut(j * self.to) >= cut
        ))  # fmt: skip

    # ---------------------------------------------------------------- many at once

    @property
    def numbers(self) -> Sequence[Fraction]:
        """Half of `to`: halves are where runs may begin."""
        return (self.to / 2,)

    def most(self, width: Fraction) -> int:
        """Return how many multiples such a width meets."""
        return ceil(width / self.to) + 2

    @abstractmethod
    def begin_of(self, k: Integers, to: int) -> Integers:
        """Return the cut behind which numbers become k times `to`, which is twice `to` in units."""

    def images(self, cuts: Integers, unit: int) -> Integers:
        """Return the multiples of the runs."""
        to = int(2 * self.to * unit)
        k = cuts // to
        k = k + (self.begin_of(k + 1, to) <= cuts)
        return (k - (self.begin_of(k, to) > cuts)) * to

    def before(self, cuts: Integers, unit: int) -> Integers:
        """Return where the first multiples that are not before the cuts begin."""
        to = int(2 * self.to * unit)
        return self.begin_of(-(-cuts // to), to)

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return where the runs begin."""
        import numpy as np

        to = int(2 * self.to * unit)
        return self.begin_of(np.arange(first // to - 1, last // to + 3), to)


class Round(ToMultiples):
    """The nearest multiple; halves go `up`, `down`, or to the `even` multiple.

    Raises InputError unless `to` is a rational > 0 and `ties` one of these.
    Example: ``Round("1").apply(Fraction(5, 2))`` is ``3``.
    """

    key = "round"
    ties: str

    def __init__(self, to: Number, ties: str = "up") -> None:
        super().__init__(to)
        if ties not in _TIES:
            raise InputError(f"ties: {shorten(ties)!r} is unknown, expected {', '.join(_TIES)}")
        self._keep(ties=ties)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a table with `to` and `ties`."""
        found = super().schema()
        ties = {"enum": list(_TIES), "description": "where halves go; default up"}
        return found | {"properties": found["properties"] | {"ties": ties}}

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Round:
        """Return the step of a table."""
        check_keys(value, ("to", "ties"))
        return cls(value["to"], value.get("ties", "up"))

    def canonical(self) -> Any:
        """Return the table."""
        return {"to": str(self.to), "ties": self.ties}

    @property
    def words(self) -> str:
        """The step, its multiples, and where halves go."""
        return f"{super().words}, halves {self.ties}"

    def begins(self, k: int) -> Cut:
        """Return the half below k, before it or after it as ties go."""
        half_is_above = self.ties == "up" or (self.ties == "even" and k % 2 == 0)
        return Cut((k - _HALF) * self.to, after=not half_is_above)

    def begin_of(self, k: Integers, to: int) -> Integers:
        """Return the halves below, as `begins`."""
        if self.ties == "even":
            return k * to - (to // 2 - k % 2)
        return k * to - (to // 2 - (self.ties == "down"))


class Floor(ToMultiples):
    """The largest multiple that is not above. Example: ``Floor("1").apply(Fraction(5, 2))`` is 2.

    Raises InputError unless `to` is a rational > 0.
    """

    key = "floor"

    def begins(self, k: int) -> Cut:
        """Return the multiple itself."""
        return Cut(k * self.to)

    def begin_of(self, k: Integers, to: int) -> Integers:
        """Return the multiples themselves."""
        return k * to


class Ceil(ToMultiples):
    """The least multiple that is not below. Example: ``Ceil("1").apply(Fraction(5, 2))`` is 3.

    Raises InputError unless `to` is a rational > 0.
    """

    key = "ceil"

    def begins(self, k: int) -> Cut:
        """Return the cut behind the multiple before."""
        return Cut((k - 1) * self.to, after=True)

    def begin_of(self, k: Integers, to: int) -> Integers:
        """Return the cuts behind the multiples before."""
        return (k - 1) * to + 1
