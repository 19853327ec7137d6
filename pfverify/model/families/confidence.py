"""Confidence regions of counted laws: Clopper-Pearson intervals that hold jointly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.binomial import interval
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import rational
from pfverify.model.families.family import (
    ALPHABET,
    Family,
    Members,
    OfFile,
    Place,
    all_places,
    checked_places,
    read_alphabet,
    read_law,
    stated_around,
)
from pfverify.model.families.regions import Box
from pfverify.model.keys import AMOUNTS, Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import AtomTable, NameTable
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior

MOST_RECORDS = 10**9
MOST_CHECKED = 12_000_000
"""Of the prices of intervals together: three quarters of what the kernel spends on a small file."""
UNIT = 10**9
"""Ends of intervals are multiples of one over it, rounded outward."""


class Confidence(Family):
    """The laws in a confidence region of counts: an interval for the mass of every atom.

    Attributes: `counts`, as they are given; `level`, the probability with which all intervals of
    all families of the problem together hold, over the draw of the records; `alphabet`, or None.

    Of laws with two atoms one interval says all, else there is one for every atom, also those
    without a record. Each is a Clopper-Pearson interval that may fail with probability
    (1 - level) / (number of intervals), its ends rounded outward to multiples of 1e-9.

    Raises InputError for a level outside (0, 1), and for counts that are none.
    Example: ``Confidence(counts={0: 376, 1: 204}, level="95/100").level`` is ``19/20``.
    Source: design fact F62; Clopper and Pearson, Biometrika 26 (1934).
    """

    __slots__ = ("alphabet", "counts", "level")

    kind = "confidence"
    keys = (
        Key("counts", "atom -> number of records", AMOUNTS, needed=True, text=dict),
        Key(
            "level", "with which all intervals of the file hold together", needed=True,
            text=decimal_text,
        ),
        ALPHABET,
    )  # fmt: skip

    def __init__(
        self,
        counts: AtomTable | NameTable,
        level: Number,
        alphabet: Iterable[Number | str] | None = None,
    ) -> None:
        found = read_law(None, counts, self.kind)
        self.counts = {key: int(count) for key, count in found}
        if sum(self.counts.values()) > MOST_RECORDS:
            raise InputError(f"counts: more than {MOST_RECORDS} records")
        self.level = rational(level, "level")
        if not 0 < self.level < 1:
            raise InputError(f"level: {shorten(self.level)} is not between 0 and 1")
        self.alphabet = read_alphabet(alphabet)

    def stated(self, *, named: bool) -> list[list[str]]:
        """Return kind and level, then the counts, then the alphabet."""
        first = [self.kind, str(self.level)]
        return stated_around(first, self.counts, self.alphabet, named=named)

    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the atoms of the counts, and of the alphabet."""
        keys = dict.fromkeys(self.counts) if self.alphabet is None else self.alphabet
        return checked_places(keys, named=named)

    def size(self, setting: OfFile) -> int:
        """Return how many intervals there are."""
        size = len(self._places(setting))
        return {1: 0, 2: 1}.get(size, size)

    def price(self, setting: OfFile) -> int:
        """Return what it costs the kernel to work out the intervals anew, in its units of work.

        It multiplies the records of a cell, or those outside where these are fewer, and adds up a
        tail of some of their square root.
        """
        draws = sum(self.counts.values())
        fewer = [min(count, draws - count) for count in self.counts.values()]
        return sum(6_000 + 3 * few + 700 * isqrt(few) for few in fewer[: self.size(setting)])

    def _places(self, setting: OfFile) -> tuple[Place, ...]:
        own = checked_places(self.counts, named=setting.named)
        return all_places(self.alphabet, own, setting)

    def members(self, setting: OfFile) -> Members:
        """Return the box of the intervals."""
        places = self._places(setting)
        own = checked_places(self.counts, named=setting.named)
        known = dict(zip(own, self.counts.values(), strict=True))
        draws = sum(known.values())
        if len(places) == 1:
            return Members(places, Box([UNIT], [UNIT], UNIT))
        found = [
            interval(draws, known.get(place, 0), setting.share, UNIT)
            for place in places[-1 if len(places) == 2 else 0 :]
        ]
        if len(places) == 2:
            ((low, high),) = found
            found = [(UNIT - high, UNIT - low), (low, high)]
        return Members(places, Box([low for low, _ in found], [high for _, high in found], UNIT))

    def estimate(self, *, named: bool) -> Prior:
        """Return the law of the counts."""
        return (Finite if named else Discrete)(counts=self.counts)

    def words(self) -> str:
        """Return which laws these are."""
        records = sum(self.counts.values())
        return f"the {percent(self.level)} confidence region of {records} records"


def percent(level: Fraction) -> str:
    """Return a level in words. Example: ``percent(Fraction(19, 20))`` is ``"95 %"``."""
    value = 100 * level
    return f"{value.numerator} %" if value.denominator == 1 else f"{float(value):.6g} %"


