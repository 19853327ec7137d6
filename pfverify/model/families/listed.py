"""Families that are given by finitely many laws, or by linear constraints: polytopes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.families.clipped import NoLawError
from pfverify.model.families.family import (
    Family,
    Members,
    OfFile,
    Place,
    alphabet_key,
    checked_places,
    read_alphabet,
    read_entries,
    read_law,
)
from pfverify.model.families.regions import Clipped
from pfverify.model.keys import AMOUNTS, NUMBER, Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import AtomTable, NameTable, texts_of
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior


class AnyOf(Family):
    """Finitely many laws of atoms, and so all averages of them.

    Parameter: `laws`, tables atom -> mass. Raises InputError naming one that is no distribution.
    Example: ``AnyOf([{0: 1}, {0: "1/2", 1: "1/2"}]).words()`` is ``"any average of 2 laws"``.
    Source: design fact F61.
    """

    __slots__ = ("laws",)

    kind = "any-of"
    keys = (
        Key(
            "laws", shape={"type": "array", "minItems": 1, "items": AMOUNTS}, needed=True,
            text=lambda laws: [texts_of(dict(law)) for law in laws],
        ),
    )  # fmt: skip

    def __init__(self, laws: Sequence[AtomTable | NameTable]) -> None:
        found = []
        for number, law in enumerate(listed(laws, "laws", "a list of tables atom -> mass"), 1):
            with told_at(f"law {number}: "):
                found.append(read_law(law, None, self.kind))
        if not found:
            raise InputError("laws: there is none, expected at least one")
        self.laws = tuple(found)

    def stated(self, *, named: bool) -> list[list[str]]:
        """Return the kind, then every law: its atoms with their masses."""
        rows = []
        for law in self.laws:
            places = checked_places((key for key, _ in law), named=named)
            cells = [[str(x), str(m)] for x, (_, m) in zip(places, law, strict=True)]
            rows.append([cell for pair in cells for cell in pair])
        return [[self.kind], *rows]

    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the atoms of all laws."""
        found = (x for law in self.laws for x in checked_places((k for k, _ in law), named=named))
        return tuple(dict.fromkeys(found))

    def members(self, setting: OfFile) -> Members:
        """Return the laws."""
        return Members(setting.places, None, [self._law(law, setting) for law in self.laws])

    def _law(self, law: Sequence[tuple[str, Fraction]], setting: OfFile) -> Prior:
        own = checked_places((key for key, _ in law), named=setting.named)
        mass = dict(zip(own, (amount for _, amount in law), strict=True))
        if setting.named:
            return Finite({str(x): mass.get(x, Fraction(0)) for x in setting.places})
        return Discrete([(x, m) for x, m in mass.items() if not isinstance(x, str)])

    def words(self) -> str:
        """Return which laws these are."""
        return f"any average of {len(self.laws)} laws"


_SIDES = ("at-most", "at-least", "equal")
_CONSTRAINT = {
    "type": "object", "required": ["weights"], "additionalProperties": False,
    "oneOf": [{"required": [side]} for side in _SIDES],
    "properties": {"weights": AMOUNTS, **dict.fromkeys(_SIDES, NUMBER)},
}  # fmt: skip
_Constraint = tuple[dict[str, Fraction], str, Fraction]


def _rows(constraints: Iterable[_Constraint]) -> list[dict[str, Any]]:
    return [{"weights": texts_of(weights), side: str(most)} for weights, side, most in constraints]


class Polytope(Family):
    """The laws on an alphabet that meet linear constraints on their masses.

    Parameters: `alphabet`, and `constraints`, each a table with `weights`, atom -> coefficient, and
    one of `at-most`, `at-least` and `equal`. Masses are >= 0 and sum to 1 in any case.
    Raises InputError naming the constraint; also where no law meets them all.
    Example: ``Polytope([0, 1], [{"weights": {0: 1}, "at-most": "1/2"}])``.
    Source: design fact F61.
    """

    __slots__ = ("alphabet", "constraints")

    kind = "polytope"
    keys = (
        alphabet_key(needed=True),
        Key(
            "constraints", shape={"type": "array", "items": _CONSTRAINT}, needed=True, text=_rows,
        ),
    )  # fmt: skip

    def __init__(
        self, alphabet: Iterable[Number | str], constraints: Sequence[Mapping[str, Any]]
    ) -> None:
        self.alphabet = read_alphabet(alphabet) or ()
        found = []
        for number, stated in enumerate(listed(constraints, "constraints", "a list of tables"), 1):
            where = f"constraint {number}"
            sides = [side for side in _SIDES if isinstance(stated, Mapping) and side in stated]
            if len(sides) != 1 or stated.keys() - {"weights", *sides}:
                raise InputError(
                    f"{where}: expected weights, and exactly one of {', '.join(_SIDES)}"
                )
            weights = {
                key: rational(value, f"{where}: weight of {shorten(key, 24)}")
                for key, value in read_entries(stated.get("weights"), where)
            }
            for key in weights:
                if key not in self.alphabet:
                    raise InputError(f"{where}: {shorten(key, 24)!r} is not in the alphabet")
            found.append((weights, sides[0], rational(stated[sides[0]], f"{where}: {sides[0]}")))
        self.constraints = tuple(found)

    def stated(self, *, named: bool) -> list[list[str]]:
        """Return kind and alphabet, then every constraint: side, number, atoms and weights."""
        places = dict(zip(self.alphabet, checked_places(self.alphabet, named=named), strict=True))
        rows = []
        for weights, side, most in self.constraints:
            cells = [[str(places[key]), str(x)] for key, x in weights.items()]
            rows.append([side, str(most), *(cell for pair in cells for cell in pair)])
        return [[self.kind, *map(str, places.values())], *rows]

    def places(self, *, named: bool) -> tuple[Place, ...]:
        """Return the alphabet."""
        return checked_places(self.alphabet, named=named)

    def members(self, setting: OfFile) -> Members:
        """Return the polytope; InputError where it is empty, naming the constraint."""
        own = self.places(named=setting.named)
        places = tuple(place for place in setting.places if place in own)
        keys = [self.alphabet[own.index(place)] for place in places]
        rows, which = [], []
        for number, (weights, side, most) in enumerate(self.constraints, 1):
            row = [weights.get(key, Fraction(0)) for key in keys]
            if side != "at-least":
                rows.append((row, most))
                which.append(number)
            if side != "at-most":
                rows.append(([-x for x in row], -most))
                which.append(number)
        try:
            return Members(places, Clipped(len(places), rows))
        except NoLawError as error:
            raise InputError(
                f"constraint {which[error.row]}: no law meets it and those before it"
            ) from None
        except ValueError as error:
            raise InputError(f"constraints: {error}, which is not worked out") from None

    def words(self) -> str:
        """Return which laws these are."""
        return f"every law that meets {len(self.constraints)} linear constraints"
