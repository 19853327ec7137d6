"""Families of laws near a centre: in total variation, or in W-infinity."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.model.families.family import (
    ALPHABET,
    Family,
    Members,
    OfFile,
    Place,
    all_places,
    alphabet_key,
    checked_places,
    read_alphabet,
    read_law,
    stated_around,
    whole_numbers,
)
from pfverify.model.families.regions import Law, Moved, OrderedRegion, TotalVariation
from pfverify.model.keys import AMOUNTS, Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import AtomTable, NameTable, texts_of
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.ranges import not_negative

_CENTRED = (
    Key("mass", "of the centre: atom -> probability", AMOUNTS, text=texts_of),
    Key("counts", "of the centre: atom -> records", AMOUNTS, written=False),
    Key("radius", "the largest distance from the centre", needed=True),
)


class _Ball(Family):
    """The laws on an alphabet within a distance of a centre.

    Attributes: `mass`, atom -> mass of the centre; `radius`; `alphabet`, or None.
    """

    __slots__ = ("alphabet", "mass", "radius")

    keys: ClassVar[tuple[Key, ...]] = (*_CENTRED, ALPHABET)
    one_of = "counts", "mass"

    def __init__(
        self,
        mass: AtomTable | NameTable | None = None,
        radius: Number | None = None,
        counts: AtomTable | NameTable | None = None,
        alphabet: Iterable[Number | str] | None = None,
    ) -> None:
        if mass is None and counts is None:
            raise InputError(f"a {self.kind} has no centre, expected mass or counts")
        if radius is None:
            raise InputError("radius: missing, expected a number >= 0")
        found = read_law(mass, counts, self.kind)
        whole = sum(amount for _, amount in found)
        self.mass = {key: amount / whole for key, amount in found}
        self.radius = not_negative(radius, "radius")
        self.alphabet = read_alphabet(alphabet)

    def stated(self, *, named: bool) -> list[list[str]]:
        """Return kind and radius, then the centre, then the alphabet."""
        first = [self.kind, str(self.radius)]
        return stated_around(first, self.mass, self.alphabet, named=named)

    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the atoms of the centre, or of the alphabet."""
        return checked_places(self.mass if self.alphabet is None else self.alphabet, named=named)

    def members(self, setting: OfFile) -> Members:
        """Return the ball."""
        own = checked_places(self.mass, named=setting.named)
        places = all_places(self.alphabet, own, setting)
        known = dict(zip(own, self.mass.values(), strict=True))
        numbers, whole = whole_numbers(
            [*(known.get(x, Fraction(0)) for x in places), Fraction(1), *self._finer()]
        )
        return Members(places, self._region(places, tuple(numbers[: len(places)]), whole))

    def _finer(self) -> list[Fraction]:
        """Numbers that are to be integers beside the masses."""
        return []

    @abstractmethod
    def _region(self, places: tuple[Place, ...], centre: Law, whole: int) -> OrderedRegion: ...

    def estimate(self, *, named: bool) -> Prior:
        """Return the centre."""
        return (Finite if named else Discrete)(mass=self.mass)


class TotalVariationBall(_Ball):
    """The laws on an alphabet at a total variation of at most `radius` from a centre.

    The total variation of two laws is the largest difference of a probability. The alphabet is the
    one stated, else all atoms of the file: on the whole line no scale would do.
    Raises InputError for a centre that is no distribution, and a negative radius.
    Example: ``TotalVariationBall({0: "1/2", 1: "1/2"}, "1/10").radius`` is ``1/10``.
    Source: design facts F60 and F61.
    """

    __slots__ = ()

    kind = "tv-ball"

    def _finer(self) -> list[Fraction]:
        return [min(self.radius, Fraction(1))]

    def _region(self, places: tuple[Place, ...], centre: Law, whole: int) -> TotalVariation:
        del places
        return TotalVariation(centre, int(min(self.radius, Fraction(1)) * whole))

    def words(self) -> str:
        """Return which laws these are."""
        return f"every law at a total variation of at most {shorten(self.radius)} from the centre"


class WInfinityBall(_Ball):
    """The laws that a coupling with a centre reaches by moves of at most `radius`.

    They are on the whole line, which Laplace noise with delta = 0 takes as it is; with an alphabet
    they are those on it.
    Raises InputError as `TotalVariationBall`.
    Example: ``WInfinityBall({0: 1}, 1, alphabet=[0, 1]).radius`` is ``1``.
    Source: design facts F60 and F63; distribution-privacy paper, section 3.4 ((c, d)-close
    beliefs).
    """

    __slots__ = ()

    kind = "winf-ball"
    keys = (*_CENTRED, alphabet_key("the whole line"))

    def members(self, setting: OfFile) -> Members:
        """Return the ball on its alphabet, or itself, one law for what decides it whole."""
        if self.alphabet is not None:
            return super().members(setting)
        if setting.named:
            raise InputError("winf-ball: inputs of a channel have no distance on the line")
        return Members((), None, [self if self.radius else Discrete(self.centre)])

    @property
    def has_density(self) -> bool:
        """False: its members are laws of atoms."""
        return False

    @property
    def centre(self) -> dict[Fraction, Fraction]:
        """The masses of the centre, those above 0."""
        return Discrete(self.mass).mass

    def nearest(self, y: Fraction, *, away: bool) -> Discrete:
        """Return the member with most density at an output; `away`: with least.

        Example: ``WInfinityBall({0: 1}, 1).nearest(Fraction(3), away=False)`` is
        ``Discrete({1: 1})``.
        Source: design fact F63.
        """
        found: dict[Fraction, Fraction] = {}
        for x, mass in self.centre.items():
            near = max(x - self.radius, min(y, x + self.radius))
            far = x + self.radius if x >= y else x - self.radius
            place = far if away else near
            found[place] = found.get(place, Fraction(0)) + mass
        return Discrete(found)

    def _region(self, places: tuple[Place, ...], centre: Law, whole: int) -> Moved:
        del whole
        atoms = [place for place in places if isinstance(place, Fraction)]
        if len(atoms) < len(places):
            raise InputError("winf-ball: inputs of a channel have no distance on the line")
        return Moved(centre, [self._moves(k, atoms) for k in range(len(atoms))])

    def _moves(self, k: int, atoms: Sequence[Fraction]) -> range:
        first = bisect_left(atoms, atoms[k] - self.radius)
        return range(first, bisect_right(atoms, atoms[k] + self.radius))

    def words(self) -> str:
        """Return which laws these are."""
        return f"every law at a W-infinity of at most {shorten(self.radius)} from the centre"
