"""Systems that release several numbers: a histogram of categories, or sum, mean and count together.

A user adds a point, and who is not there the origin: of a histogram one to the cell of the user's
category; of a list of numbers the value to the sum, its share to the mean and one to the count.
Points are summed as single integers, whose digits are their coordinates: the base of a digit is
above twice what a sum reaches there, so that they add as the coordinates do.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from core.grammar import Malformed, bounded, shown
from core.kinds import Mixture
from core.points import Joint, Point, in_order
from core.shapes import array, string, table
from core.work import price, spend
from reader.crowd import Points, common_of, over
from reader.joint import MOST
from reader.priors import require_name, weights
from reader.users import ABSENT, LAW, VALUE, Case, Others, Priors, Users, case_of

NUMBERS = ("sum", "mean", "count")
Law = dict[Point, Fraction]


class Numbers(NamedTuple):
    """What is released: cells of a histogram, or numbers of these names."""

    names: tuple[str, ...]
    cells: bool

    def canonical(self) -> dict[str, Any]:
        """It as it goes into a digest."""
        if self.cells:
            return {"release": "histogram", "categories": [*self.names]}
        return {"release": [*self.names]}

    @property
    def has_mean(self) -> bool:
        """Whether one of them divides by the number of users."""
        return not self.cells and "mean" in self.names

    def case(self, value: Any, what: str) -> Case:
        """What a table says that a user may be: a law over the categories, or over values."""
        if not self.cells:
            found = case_of(value, what)
            if isinstance(found.law, Mixture):
                raise Malformed(f"{what} has a density, and several numbers are released")
            return found
        table(value, what, set(), {"point", "mass", "counts"})
        if len(value) != 1:
            raise Malformed(f"{what} must have exactly one of point, mass and counts")
        sure = "point" in value
        law: Any = {string(value["point"], what): Fraction(1)} if sure else {}
        law = law or weights({"kind": "discrete", **value}, what)
        for name in law:
            if name not in self.names:
                raise Malformed(f"{what}: {shown(name)} is no category")
        kept: Any = {x: law[x] for x in self.names if law.get(x)}
        return Case(VALUE if sure else LAW, kept)

    def adds(self, case: Case, users: int) -> Law:
        """What a user adds who is this case, one of so many."""
        if case.role == ABSENT:
            return {(Fraction(0),) * len(self.names): Fraction(1)}
        law: Any = case.law
        if self.cells:
            return {tuple(Fraction(x == y) for y in self.names): m for x, m in law.items()}
        shares = {"sum": Fraction(1), "mean": Fraction(1, users)}
        return {
            tuple(x * shares[name] if name in shares else Fraction(1) for name in self.names): m
            for x, m in law.items()
        }


def numbers_of(value: Any) -> Numbers:
    """The numbers that the table of a system names."""
    release = value.get("release")
    cells = release == "histogram"
    if cells != ("categories" in value):
        raise Malformed("a histogram, and nothing else, has categories")
    listed = array(value["categories"] if cells else release, "what is released")
    names = tuple(string(name, "a name") for name in listed)
    for name in names:
        require_name(name)
    if not 1 <= len(names) <= MOST or len({*names}) < len(names):
        raise Malformed(f"what is released must be 1 to {MOST} different names")
    if not cells and (len(names) < 2 or not {*names} <= {*NUMBERS}):
        raise Malformed(f"a list must name two or more of {', '.join(NUMBERS)}")
    return Numbers(names, cells)


class Packed:
    """The one scale on which points are summed."""

    def __init__(self, laws: list[tuple[Law, int]], names: tuple[str, ...]) -> None:
        """From every law that may occur, and how often at most."""
        self.names = names
        columns = [*zip(*(x for law, _ in laws for x in law), strict=True)]
        self.units = [common_of(column) for column in columns]
        self.bases = [
            2 * sum(n * max(abs(over(x[k], unit)) for x in law) for law, n in laws) + 1
            for k, unit in enumerate(self.units)
        ]
        long = sum(x.bit_length() for x in (*self.units, *self.bases))
        self.price = 8 * len(names) * (1 + (long >> 10))  # of a place
        spend(self.price * len(columns[0]))

    def points(self, law: Law) -> Points:
        """A law in integers."""
        total = common_of(law.values())
        spend(len(law) * (self.price + (total.bit_length() >> 8)))
        return sorted((self._place(x), over(mass, total)) for x, mass in law.items())

    def _place(self, point: Point) -> int:
        place = 0
        for x, unit, base in zip(reversed(point), self.units[::-1], self.bases[::-1], strict=True):
            place = place * base + over(x, unit)
        return place

    def _point(self, place: int) -> Point:
        found = []
        for unit, base in zip(self.units, self.bases, strict=True):
            digit = (place + base // 2) % base - base // 2
            place = (place - digit) // base
            found.append(Fraction(digit, unit))
        return tuple(found)

    def law(self, points: Points, _divisor: int, _pairs: int) -> Joint:
        """The law of a sum."""
        total = sum(weight for _, weight in points)
        each = self.price + price(total.bit_length())
        spend(len(points) * (48 + each + sum(price(unit.bit_length()) for unit in self.units)))
        rows = [(self._point(place), bounded(Fraction(w, total))) for place, w in points]
        return Joint(self.names, tuple(in_order(rows)))


class Vectors(Priors):
    """Secret -> the joint law of the released numbers."""

    def __init__(self, system: Users, numbers: Numbers) -> None:
        self._numbers = numbers
        super().__init__(system)

    @cached_property
    def _places(self) -> Any:
        laws = [(self._adds(one.case), 1) for one in self._system.secrets.values()]
        return Packed(self._crowd + laws, self._numbers.names)

    def _adds(self, case: Case) -> Any:
        return self._numbers.adds(case, self._system.size)

    def _released(self, one: Others) -> Any:
        law: Law = self._adds(Case(LAW, one.law))
        if self._system.choices["presence_model"] == "all":
            return law
        nothing = (Fraction(0),) * len(self._numbers.names)
        found = {x: one.presence * mass for x, mass in law.items()}
        found[nothing] = found.get(nothing, Fraction(0)) + 1 - one.presence
        return {x: mass for x, mass in found.items() if mass}
