"""What independent users may be, as a table states it, and the laws of what they add together.

A user adds a point, and who is not there the origin.  Of one number that is the value, or a share
of it; of a histogram one in the cell of the user's category; of a list of numbers the value to the
sum, its share to the mean and one to the count.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from core.grammar import Malformed, shown
from core.kinds import Mixture
from core.shapes import rational, string, table
from reader.crowd import Group, added, crowd
from reader.places import ZERO, Places, Points, Rows, rows_of
from reader.priors import prior, weights

VALUE, LAW, ABSENT = "value", "law", "absent"
KINDS = {  # a key that states a law, and the kind of prior with such a key
    "point": "", "bernoulli": "", "mass": "discrete", "counts": "discrete", "mean": "gaussian",
    "components": "mixture",
}  # fmt: skip


class Case(NamedTuple):
    """What one user may be: a value, a law, or not there."""

    role: str
    law: Any  # Prior or Mixture; of a histogram masses of categories


NOBODY = Case(ABSENT, {ZERO: Fraction(1)})


class Others(NamedTuple):
    """So many users of one law, each there with a chance."""

    case: Case
    users: int
    presence: Fraction


class Secret(NamedTuple):
    """The protected user is this case; whose place among the others it takes, if anybody's."""

    case: Case
    place: int | None


def chance_of(value: Any, what: str) -> Fraction:
    """A rational number that is a probability."""
    chance = rational(value, what)
    if not 0 <= chance <= 1:
        raise Malformed(f"{what} must lie in [0, 1]")
    return chance


def case_of(value: Any, what: str) -> Case:
    """A law of one of the kinds, as a table of its own keys."""
    named = [key for key in KINDS if type(value) is dict and key in value]
    if len(named) != 1:
        raise Malformed(f"{what} must be a table with exactly one of {', '.join(KINDS)}")
    key = named[0]
    table(value, what, {key}, {"variance", "sd"} if key == "mean" else set())
    if key == "point":
        return Case(VALUE, {rational(value[key], what): Fraction(1)})
    if key == "bernoulli":
        p = chance_of(value[key], f"{what}: bernoulli")
        return Case(LAW, {Fraction(x): m for x, m in ((0, 1 - p), (1, p)) if m})
    return Case(LAW, prior({"kind": KINDS[key], **value}, what))


class Numbers(NamedTuple):
    """What is released: one number, or cells of a histogram or numbers of these names."""

    release: str  # sum, mean, histogram, or "" of a list
    names: tuple[str, ...] = ()

    def canonical(self) -> dict[str, Any]:
        """It as it goes into a digest."""
        cells = {"categories": [*self.names]} if self.release == "histogram" else {}
        return {"release": self.release or [*self.names], **cells}

    @property
    def has_mean(self) -> bool:
        """Whether one of them divides by the number of users."""
        return self.release == "mean" or (not self.release and "mean" in self.names)

    def case(self, value: Any, what: str) -> Case:
        """What a table says that a user may be: a law over the categories, or over values."""
        if self.release != "histogram":
            found = case_of(value, what)
            if self.names and isinstance(found.law, Mixture):
                raise Malformed(f"{what} has a density, and several numbers are released")
            return found
        table(value, what, set(), {"point", "mass", "counts"})
        if len(value) != 1:
            raise Malformed(f"{what} must have exactly one of point, mass and counts")
        sure = "point" in value
        law = {string(value["point"], what): Fraction(1)} if sure else {}
        law = law or weights({"kind": "discrete", **value}, what)
        for name in law:
            if name not in self.names:
                raise Malformed(f"{what}: {shown(name)} is no category")
        return Case(VALUE if sure else LAW, {x: law[x] for x in self.names if law.get(x)})

    def adds(self, case: Case, users: int) -> Rows:
        """What a user adds who is this case, one of so many."""
        if not self.names:
            return rows_of(case.law, Fraction(1, users if self.has_mean else 1))
        if case.role == ABSENT:
            return [(self.origin, Fraction(1))]
        if self.release == "histogram":
            return [(tuple(Fraction(x == y) for y in self.names), m) for x, m in case.law.items()]
        shares = {"sum": Fraction(1), "mean": Fraction(1, users)}
        return [
            (tuple(x * shares[name] if name in shares else Fraction(1) for name in self.names), m)
            for x, m in case.law.items()
        ]

    @property
    def origin(self) -> tuple[Fraction, ...]:
        """What is added by who is not there; a number has its variance beside it."""
        return (ZERO,) * (len(self.names) or 2)


class Crowd:
    """What works out the laws of the released numbers, from what others and secrets add."""

    def __init__(
        self, numbers: Numbers, users: int, others: list[Others], secrets: dict[str, Secret]
    ) -> None:
        self._numbers, self._users, self._secrets = numbers, users, secrets
        self._others = [(self._there(one), one.users) for one in others]
        self._rest: tuple[int | None, Points] | None = None  # the last that was asked for

    @cached_property
    def _places(self) -> Places:
        own = [(self._adds(one.case), 1) for one in self._secrets.values()]
        return Places([*self._others, *own], self._numbers.names)

    def _adds(self, case: Case) -> Rows:
        return self._numbers.adds(case, self._users)

    def _there(self, one: Others) -> Rows:
        """What a user of the others adds, who is there or not."""
        masses = {self._numbers.origin: 1 - one.presence}
        for point, mass in self._adds(one.case):
            masses[point] = masses.get(point, ZERO) + one.presence * mass
        return [(point, mass) for point, mass in masses.items() if mass]

    def law(self, name: str, pairs: int) -> object:
        """What is released, given a secret; `pairs`: how many are asked about."""
        case, place = self._secrets[name]
        if self._rest is None or self._rest[0] != place:
            counts: dict[tuple[tuple[int, int], ...], int] = {}
            for k, (law, count) in enumerate(self._others):
                points = tuple(self._places.points(law))
                counts[points] = counts.get(points, 0) + count - (k == place)
            groups = [Group([*points], count) for points, count in counts.items() if count]
            self._rest = place, crowd(groups)
        found = added(self._rest[1], self._places.points(self._adds(case)))
        return self._places.law(found, pairs)
