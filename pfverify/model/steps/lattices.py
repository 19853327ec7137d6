"""Steps that move numbers to the multiples of a number: round, floor, ceil."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.keys import Key
from pfverify.model.steps.places import Cut, Integers, place_of
from pfverify.model.steps.step import Lattice, PostStep

_TIES = ("up", "down", "even")


class ToMultiples(PostStep):
    """Every number becomes a multiple of `to`, that of the run it lies in: all else follows."""

    keys: ClassVar[tuple[Key, ...]] = (Key("to", "multiples of what, > 0", needed=True),)
    to: Fraction

    def __init__(self, to: Number) -> None:
        found = rational(to, "to")
        if found <= 0:
            raise InputError(f"to: {shorten(found)} is not > 0")
        # runs may begin at halves, which may go to the even multiple
        self._keep(to=found, reach=found, period=2 * found, numbers=(found / 2,))

    @property
    def words(self) -> str:
        """The step and its multiples."""
        return f"{self.key} to multiples of {shorten(self.to, 24)}"

    @abstractmethod
    def begins(self, k: Any, to: int) -> Any:
        """Return the cut behind which numbers become k times `to`, which is `to` as a cut.

        It lies after the multiple before, and not after that multiple itself. Both take arrays.
        """

    def apply(self, number: Fraction) -> Fraction:
        """Return the multiple of the run that the number lies in."""
        halves = 2 / self.to
        return Fraction(self.moved(place_of(Cut(number), halves), halves) // 2) / halves

    def most(self, width: Fraction) -> int:
        """Return how many multiples such a width meets."""
        return ceil(width / self.to) + 2

    def lattice(self, found: Lattice) -> Lattice:
        """Return that of the multiples."""
        del found
        return Fraction(0), self.to

    def moved(self, cuts: Any, unit: int | Fraction) -> Any:
        """Return the multiples of the runs."""
        to = place_of(Cut(self.to), unit)
        k = cuts // to
        return (k + (self.begins(k + 1, to) <= cuts)) * to

    def before(self, cuts: Any, unit: int) -> Any:
        """Return where the first multiples that are not before the cuts begin."""
        to = place_of(Cut(self.to), unit)
        return self.begins(-(-cuts // to), to)

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return where the runs begin."""
        import numpy as np

        to = place_of(Cut(self.to), unit)
        found: Integers = self.begins(np.arange(first // to - 1, last // to + 3), to)
        return found


class Round(ToMultiples):
    """The nearest multiple; halves go `up`, `down`, or to the `even` multiple.

    Raises InputError unless `to` is a rational > 0 and `ties` one of these.
    Example: ``Round("1").apply(Fraction(5, 2))`` is ``3``.
    """

    key = "round"
    keys = (*ToMultiples.keys, Key("ties", "where halves go; default up", {"enum": list(_TIES)}))
    ties: str

    def __init__(self, to: Number, ties: str = "up") -> None:
        super().__init__(to)
        if ties not in _TIES:
            raise InputError(f"ties: {shorten(ties)!r} is unknown, expected {', '.join(_TIES)}")
        self._keep(ties=ties)

    @property
    def words(self) -> str:
        """The step, its multiples, and where halves go."""
        return f"{super().words}, halves {self.ties}"

    def begins(self, k: Any, to: int) -> Any:
        """Return the half below k, before it or after it as ties go."""
        after = k % 2 if self.ties == "even" else self.ties == "down"
        return k * to - (to // 2 - after)


class Floor(ToMultiples):
    """The largest multiple that is not above. Example: ``Floor("1").apply(Fraction(5, 2))`` is 2.

    Raises InputError unless `to` is a rational > 0.
    """

    key = "floor"

    def begins(self, k: Any, to: int) -> Any:
        """Return the multiple itself."""
        return k * to


class Ceil(ToMultiples):
    """The least multiple that is not below. Example: ``Ceil("1").apply(Fraction(5, 2))`` is 3.

    Raises InputError unless `to` is a rational > 0.
    """

    key = "ceil"

    def begins(self, k: Any, to: int) -> Any:
        """Return the cut behind the multiple before."""
        return (k - 1) * to + 1
