"""The one scale on which a sum of independent points is worked out, and the laws it ends as.

A point is one integer, whose digits are its coordinates, each over a common denominator: the base
of a digit is above twice every sum that is reached there, so that integers add as points do.  A
number is its mean and its variance, which add too; a number as such has the variance 0.  A law is
integer weights of increasing places, and its masses are the weights over their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import Any

from core.grammar import bounded
from core.kinds import Enclosed, Mixture, Prior
from core.shapes import common_denominator
from core.work import price, spend, table_of
from reader.by_secret import BySecret

EXACT = 17_000_000  # units of reducing the masses of one law; see `Places.law`
DIGITS = 512  # of the bounds of a mass
KEPT = 1 << 30  # bits of laws, or of what they are made from, that are kept, some 130 MB
WHAT = "the values and masses of records"

Points = list[tuple[int, int]]  # place and weight
Rows = list[tuple[tuple[Fraction, ...], Fraction]]  # coordinates and mass
ZERO = Fraction(0)


def over(x: Fraction, denominator: int) -> int:
    """The numerator of x over a multiple of its denominator."""
    return x.numerator * (denominator // x.denominator)


def rows_of(law: Prior | Mixture, share: Fraction = Fraction(1)) -> Rows:
    """(mean, variance) and mass of every part of a law of numbers, or of a share of them."""
    parts = law.components if isinstance(law, Mixture) else ((x, ZERO, m) for x, m in law.items())
    rows: Rows = [((mean, spread), mass) for mean, spread, mass in parts]
    return rows if share == 1 else [((x * share, v * share * share), m) for (x, v), m in rows]


class Places:
    """The scale of a sum: of numbers, or of points with names of their coordinates."""

    def __init__(self, laws: Iterable[tuple[Rows, int]], names: tuple[str, ...] = ()) -> None:
        """From every law that may occur, and how often at most."""
        laws, self.names = [*laws], names
        columns = [*zip(*(x for law, _ in laws for x, _ in law), strict=True)]
        self.units = [common_denominator(column, WHAT) for column in columns]
        reach = [
            sum(n * max(abs(over(x[k], unit)) for x, _ in law) for law, n in laws)
            for k, unit in enumerate(self.units)
        ]
        self.bases = [2 * most + 1 for most in reach]
        long = sum(x.bit_length() for x in (*self.units, *self.bases))
        self.price = 8 * len(columns) * (1 + (long >> 10))  # of a place
        spend(self.price * len(columns[0]))

    def points(self, law: Rows) -> Points:
        """A law in integers."""
        total = common_denominator((mass for _, mass in law), WHAT)
        spend(len(law) * (self.price + (total.bit_length() >> 8)))
        return sorted((self.place(x), over(mass, total)) for x, mass in law)

    def place(self, point: tuple[Fraction, ...]) -> int:
        """The integer of a point."""
        found = 0
        for x, unit, base in zip(point[::-1], self.units[::-1], self.bases[::-1], strict=True):
            found = found * base + over(x, unit)
        return found

    def _point(self, place: int) -> tuple[Fraction, ...]:
        found = []
        for unit, base in zip(self.units, self.bases, strict=True):
            digit = (place + base // 2) % base - base // 2
            place = (place - digit) // base
            found.append(Fraction(digit, unit))
        return tuple(found)

    def law(self, points: Points, pairs: int) -> object:
        """The law of a sum; of numbers enclosed where its masses are so long that the rules would
        not get through so many pairs with them (as measured)."""
        total = sum(weight for _, weight in points)
        each = price(total.bit_length())
        long = not self.names and len(points) * each * (4 * pairs + 3) > EXACT
        if long and all(2 * abs(place) < self.bases[0] for place, _ in points):
            return self._enclosed(points, total)
        each += self.price + sum(price(unit.bit_length()) for unit in self.units)
        spend(len(points) * (48 + each))
        rows = [(self._point(place), Fraction(weight, total)) for place, weight in points]
        if self.names:
            from core.coordinates import Joint, in_order

            return Joint(self.names, tuple(in_order([(x, bounded(mass)) for x, mass in rows])))
        if any(spread for (_, spread), _ in rows):
            return Mixture(tuple(sorted((mean, spread, mass) for (mean, spread), mass in rows)))
        table_of(mean for (mean, _), _ in rows)
        return {mean: mass for (mean, _), mass in rows}

    def _enclosed(self, points: Points, total: int) -> Enclosed:
        """Bounds of a law of atoms: its masses rounded down and up to DIGITS bits, at least."""
        bits = total.bit_length()
        spend(len(points) * (80 + ((bits + DIGITS) * DIGITS >> 17)))
        low: Prior = {}
        high: Prior = {}
        atoms = [Fraction(place, self.units[0]) for place, _ in points]
        table_of(atoms)
        for atom, (_, weight) in zip(atoms, points, strict=True):
            shift = DIGITS + bits - weight.bit_length()
            floor, rest = divmod(weight << shift, total)
            low[atom] = Fraction(floor, 1 << shift)
            high[atom] = Fraction(floor + (rest > 0), 1 << shift)
        return Enclosed(low, high)


class Kept(BySecret):
    """Secret -> law by a function; of the laws of before as many are kept as there is room for."""

    def __init__(self, secrets: Collection[str], law: Callable[[str], Any]) -> None:
        super().__init__(secrets)
        self._law = law
        self._kept: dict[str, tuple[Any, int]] = {}
        self._size = 0

    def __getitem__(self, secret: str) -> Any:
        if secret not in self._kept:
            law = self._law(secret)
            size = _size(law)
            self._size += size
            while self._kept and self._size > KEPT:
                self._size -= self._kept.pop(next(iter(self._kept)))[1]
            self._kept[secret] = law, size
        return self._kept[secret][0]


def _size(law: Any) -> int:
    """Of a law in memory, about, in bits."""
    law = law.high if isinstance(law, Enclosed) else law
    rows = getattr(law, "rows", None) or rows_of(law)
    return sum(4000 + 2 * mass.denominator.bit_length() for _, mass in rows)
