"""What a kind of family of priors says of itself: any law in it may be the belief."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, NoReturn

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import rational
from pfverify.model.families.regions import Law, OrderedRegion, Region
from pfverify.model.keys import Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import checked_total, entries
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Component, Prior

Place = Fraction | str
"""An atom, or the name of an input of a channel."""


class OfFile(NamedTuple):
    """What a file says to all its families.

    `named`: places are inputs of a channel, not atoms; `places`: all that its laws have, sorted
    (inputs in their order); `share`: the probability that each confidence interval may fail with.
    """

    named: bool
    places: tuple[Place, ...]
    share: Fraction = Fraction(0)


@dataclass(frozen=True)
class Members:
    """The laws of a family: of all of them `laws` are the extreme ones, or a `region` of places."""

    places: tuple[Place, ...]
    region: Region | None
    laws: Sequence[Prior] = ()

    @cached_property
    def _atoms(self) -> tuple[list[int], int]:
        """The places as integers over a common denominator."""
        return whole_numbers([x for x in self.places if isinstance(x, Fraction)])

    @property
    def corners(self) -> int:
        """A bound of the number of extreme laws."""
        return len(self.laws) if self.region is None else self.region.count

    def extreme(self) -> list[Prior]:
        """Return laws of which all others are averages, sorted by masses, or as they are listed."""
        if self.region is None:
            return list(self.laws)
        return [self._prior(law) for law in sorted(set(self.region.corners()))]

    @property
    def ordered(self) -> bool:
        """Whether an order of the places tells which laws decide a ratio.

        Beside a ball on the line none does: ratios are largest between atoms too.
        """
        if isinstance(self.region, OrderedRegion):
            return True
        return self.corners == 1 and not any(isinstance(law, Family) for law in self.laws)

    def fullest(self, near: Sequence[int], *, least: bool) -> Prior:
        """Return the law with most mass where places are near, by these keys, or with least.

        Source: design fact F60.
        """
        if not isinstance(self.region, OrderedRegion):
            return self.extreme()[0]
        return self._prior(self.region.fullest([-x for x in near] if least else near))

    def nearness(self, place: Fraction) -> list[int]:
        """Return for every atom a key, the larger the nearer it is to a place."""
        points, unit = self._atoms
        top, bottom = place.numerator * unit, place.denominator
        return [-abs(x * bottom - top) for x in points]

    def _prior(self, law: Law) -> Prior:
        if self.region is None:
            raise TypeError("laws that are listed have no region")
        points, unit = self._atoms
        if not points:
            pairs = zip(self.places, law, strict=True)
            return Finite({str(place): Fraction(n, self.region.whole) for place, n in pairs})
        return Discrete.of_whole(points, law, unit)


class Family(Prior):
    """A set of laws, each of which may be that of the released quantity given a secret.

    A problem with families asks about every member of each; `Families` says which decide.
    """

    __slots__ = ()

    needs_kind = True

    @abstractmethod
    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the atoms or inputs that it names."""

    @abstractmethod
    def members(self, setting: OfFile) -> Members:
        """Return its laws; InputError where there is none, naming the constraint."""

    @abstractmethod
    def words(self) -> str:
        """Return which laws these are, in words."""

    def estimate(self, *, named: bool) -> Prior | None:
        """Return the law that it is around, of inputs or of atoms, None where there is none."""
        del named
        return None

    @abstractmethod
    def stated(self, *, named: bool) -> list[list[str]]:
        """Return its rows of a digest: its numbers, then its places with what is said of each."""

    def canonical(self) -> Sequence[Sequence[str]]:
        """Return the same for atoms."""
        return self.stated(named=False)

    @property
    def has_density(self) -> bool:
        """Refuse: raises InputError, as `components`."""
        self._refuse()

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse: raises InputError, since it is many laws."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(f"a prior of kind {self.kind} is a family of laws, expected one law")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_table() == other.to_table()

    def __hash__(self) -> int:
        return hash((self.kind, repr(self.to_table())))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shorten(self.words(), 100)}>"


def place_of(key: str, *, named: bool) -> Place:
    """Return the place that a key of a table means.

    Example: ``place_of("0.5", named=False)`` is ``Fraction(1, 2)``.
    """
    return key if named else rational(key, f"the atom {shorten(key, 24)!r}")


def checked_places(keys: Iterable[str], *, named: bool) -> tuple[Place, ...]:
    """Return the places of keys, in their order; InputError for one that stands twice."""
    found = tuple(place_of(key, named=named) for key in keys)
    if len(set(found)) < len(found):
        raise InputError("an atom stands twice, expected different ones")
    return found


def all_places(
    stated: Iterable[object] | None, own: Sequence[Place], setting: OfFile
) -> tuple[Place, ...]:
    """Return the places that a family's laws may have: its alphabet, or those of the file.

    Raises InputError where its own are not all among them.
    """
    if stated is None:
        return setting.places
    found = checked_places([str(key) for key in stated], named=setting.named)
    known = set(found)
    for place in own:
        if place not in known:
            raise InputError(f"alphabet: it lacks {shorten(place, 24)!r}, which has a mass")
    return tuple(place for place in setting.places if place in known)


def whole_numbers(amounts: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return numbers as integers over their common denominator, and that."""
    whole = lcm(*(amount.denominator for amount in amounts)) if amounts else 1
    return [int(amount * whole) for amount in amounts], whole


def read_entries(table: object, kind: str) -> list[tuple[str, Any]]:
    """Return a table of places as pairs of text and value; InputError for what is none."""
    found = [(str(key), value) for key, value in entries(table, kind, "atom")]
    if not found:
        raise InputError("the support is empty: a family needs at least one atom")
    return found


def read_law(mass: object, counts: object, kind: str) -> list[tuple[str, Fraction]]:
    """Return the masses, or the counts, of a table.

    Raises InputError unless exactly one is given, and for what is no distribution.
    """
    if (mass is None) == (counts is None):
        raise InputError(f"a prior of kind {kind} takes exactly one of mass and counts")
    what = "mass" if counts is None else "count"
    found = [
        (key, rational(value, f"{what} of {shorten(key, 24)}"))
        for key, value in read_entries(mass if counts is None else counts, kind)
    ]
    for key, amount in found:
        if amount < 0 or (counts is not None and amount.denominator != 1):
            wanted = "a number >= 0" if counts is None else "an integer >= 0"
            where = f"{what} of {shorten(key, 24)}"
            raise InputError(f"{where} is {shorten(amount)}, expected {wanted}")
    checked_total([amount for _, amount in found], counted=counts is not None)
    return found


def stated_around(
    first: list[str], law: Mapping[str, Any], alphabet: Iterable[str] | None, *, named: bool
) -> list[list[str]]:
    """Return the rows of a digest of a family around a law: a first one, the law, the alphabet.

    Example: ``stated_around(["tv-ball", "1/10"], {"0": Fraction(1)}, None, named=False)[1]`` is
    ``["0", "1"]``.
    """
    places = checked_places(law, named=named)
    rows = [[str(x), str(amount)] for x, amount in zip(places, law.values(), strict=True)]
    return [first, *rows, *([str(x)] for x in checked_places(alphabet or (), named=named))]


def read_alphabet(alphabet: object) -> tuple[str, ...] | None:
    """Return the texts of an alphabet, None where there is none; InputError for an empty one."""
    if alphabet is None:
        return None
    found = tuple(str(entry) for entry in listed(alphabet, "alphabet", "a list of atoms"))
    if not found:
        raise InputError("alphabet: it is empty, expected at least one atom")
    return found


def alphabet_key(default: str = "", *, needed: bool = False) -> Key:
    """Return the key of the places that members may have, with what they are by default.

    Example: ``alphabet_key(needed=True).description`` is ``"the atoms that members may have"``.
    """
    by_default = f" (default: {default})" if default else ""
    return Key(
        "alphabet", f"the atoms that members may have{by_default}",
        {"type": "array", "minItems": 1}, needed=needed, text=list,
    )  # fmt: skip


ALPHABET = alphabet_key("those of all priors of the file, also with mass 0")
"""Of most families."""
