"""What users may be, as a table states it, and the laws of what they add together.

Laws are worked out when a goal asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from core.grammar import Malformed
from core.kinds import Enclosed, Mixture
from core.shapes import rational, table
from reader.by_secret import BySecret
from reader.crowd import Group, Law, Places, Points, added, crowd, rows
from reader.priors import prior

KEPT = 1 << 30  # bits of priors that are kept, some 130 MB
VALUE, LAW, ABSENT = "value", "law", "absent"


class Case(NamedTuple):
    """What one user may be."""

    role: str
    law: Law


NOBODY = Case(ABSENT, {Fraction(0): Fraction(1)})


class Others(NamedTuple):
    """So many users of one law, each there with a chance."""

    law: Law
    users: int
    presence: Fraction


class Secret(NamedTuple):
    """The protected user is this case; whose place among the others it takes, if anybody's."""

    case: Case
    place: int | None


# ---------------------------------------------------------------- what a user may be


class Kind(NamedTuple):
    """One way to write a law: the keys that may come with its own, its role and its reader."""

    also: set[str]
    role: str
    read: Callable[[Any, str], Law]


def _point(value: Any, what: str) -> Law:
    return {rational(value["point"], what): Fraction(1)}


def _coin(value: Any, what: str) -> Law:
    p = chance_of(value["bernoulli"], f"{what}: bernoulli")
    return {Fraction(x): mass for x, mass in ((0, 1 - p), (1, p)) if mass}


def _atoms(value: Any, what: str) -> Law:
    return prior({"kind": "discrete", **value}, what)


def _normal(value: Any, what: str) -> Law:
    return prior({"kind": "gaussian", **value}, what)


def _components(value: Any, what: str) -> Law:
    return prior({"kind": "mixture", **value}, what)


KINDS = {
    "point": Kind(set(), VALUE, _point),
    "bernoulli": Kind(set(), LAW, _coin),
    "mass": Kind(set(), LAW, _atoms),
    "counts": Kind(set(), LAW, _atoms),
    "mean": Kind({"variance", "sd"}, LAW, _normal),
    "components": Kind(set(), LAW, _components),
}


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
    kind = KINDS[named[0]]
    return Case(kind.role, kind.read(table(value, what, {named[0]}, kind.also), what))


class Users(NamedTuple):
    """A parsed table of users."""

    choices: dict[str, str | None]
    others: list[Others]
    user: dict[str, Case]
    secrets: dict[str, Secret]
    asked: dict[str, Any]
    numbers: Any  # what is released where that is several numbers

    @property
    def size(self) -> int:
        """The number of users, there or not."""
        return sum(one.users for one in self.others) + (1 if self.user else 0)

    @property
    def pairs(self) -> int:
        """The number of pairs of secrets that are asked about."""
        every = len(self.secrets) * (len(self.secrets) - 1) // 2
        return len(self.asked["pairs"]) if "pairs" in self.asked else every


# ---------------------------------------------------------------- priors


def size_of(prior: Law | Enclosed) -> int:
    """Of a prior in memory, about, in bits."""
    if isinstance(prior, Enclosed):
        masses = list(prior.high.values())
    else:
        masses = [row[-1] for row in getattr(prior, "rows", None) or rows(prior)]
    return sum(4000 + 2 * mass.denominator.bit_length() for mass in masses)


class Priors(BySecret):
    """Secret -> the law of the released sum or mean."""

    def __init__(self, system: Users) -> None:
        super().__init__(system.secrets)
        self._system = system
        self._kept: dict[str, Law | Enclosed] = {}
        self._sizes: dict[str, int] = {}
        self._rest: tuple[int | None, Points] | None = None
        crowd = [(self._released(one), one.users) for one in system.others]
        if system.choices["protect"] == "each":
            crowd += [(self._adds(case), 1) for case in system.user.values()]
        self._crowd = crowd if system.choices["rest"] == "known" else []

    @cached_property
    def _places(self) -> Places:
        """Of the users and of the laws of the secrets, one of which is added."""
        laws = [(self._adds(one.case), 1) for one in self._system.secrets.values()]
        return Places(self._crowd + laws)

    def _adds(self, case: Case) -> Law:
        """What a user adds who is this case."""
        return case.law

    def _released(self, one: Others) -> Law:
        """What a user of the others adds, who is there or not."""
        if self._system.choices["presence_model"] == "all" or one.presence == 1:
            return one.law
        masses = {(Fraction(0), Fraction(0)): 1 - one.presence}
        for mean, variance, mass in rows(one.law):
            masses[mean, variance] = masses.get((mean, variance), 0) + one.presence * mass
        parts = sorted((*place, mass) for place, mass in masses.items() if mass)
        if isinstance(one.law, Mixture) and one.presence:
            return Mixture(tuple(parts))
        return {mean: mass for mean, _, mass in parts}

    def __getitem__(self, name: str) -> Law | Enclosed:
        if name not in self._kept:
            found = self._prior(self._system.secrets[name])
            self._sizes[name] = size_of(found)
            while self._kept and sum(self._sizes.values()) > KEPT:
                oldest = next(iter(self._kept))
                del self._kept[oldest], self._sizes[oldest]
            self._kept[name] = found
        return self._kept[name]

    def _prior(self, secret: Secret) -> Law | Enclosed:
        place = secret.place if self._crowd else None
        if self._rest is None or self._rest[0] != place:
            self._rest = place, crowd(self._groups(place))
        found = added(self._rest[1], self._places.points(self._adds(secret.case)))
        mean = self._system.choices["release"] == "mean"
        return self._places.law(found, self._system.size if mean else 1, self._system.pairs)

    def _groups(self, left: int | None) -> list[Group]:
        """The users but one of a place, those of one law together."""
        counts: dict[tuple[tuple[int, int], ...], int] = {}
        for place, (law, count) in enumerate(self._crowd):
            points = tuple(self._places.points(law))
            counts[points] = counts.get(points, 0) + count - (place == left)
        return [Group(list(points), count) for points, count in counts.items() if count]
