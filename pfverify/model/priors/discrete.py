"""Priors of finitely many atoms."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.priors.entries import AtomTable, entries
from pfverify.model.priors.prior import NUMBER, Component, Prior
from pfverify.model.sums import exact_sum, sum_text

_MAX_BITS = 14_284  # of an atom, which is printed: at most 4300 digits, as in the grammar


class Discrete(Prior):
    """A prior with finitely many rational atoms, kept as integers over two denominators.

    Attributes: `points`, the sorted integer atoms; `denominator`, so that an atom is
    point/denominator; `weights`, positive integers; `total`, their sum, so that a mass is
    weight/total. Atoms with mass zero are dropped. Atoms have the unit of the released quantity.

    Parameters: exactly one of `mass` (atom -> mass, summing to exactly 1) and `counts`
    (atom -> how many records, integers >= 0 with a positive sum), a mapping, pairs, or a tuple
    of two arrays of numpy, as ``numpy.unique(values, return_counts=True)`` returns.

    Raises InputError naming the atom, or the exact sum of the masses.

    Example: ``Discrete(counts={0: 376, 1: 204}).mass`` is ``{0: 94/145, 1: 51/145}``.
    Source: finite priors, noise-reduction paper, Assumption 3.1.
    """

    __slots__ = ("_hash", "denominator", "points", "total", "weights")

    kind = "discrete"

    def __init__(
        self,
        mass: AtomTable | None = None,
        counts: AtomTable | None = None,
    ) -> None:
        if (mass is None) == (counts is None):
            raise InputError("a discrete prior takes exactly one of mass and counts")
        table = entries(mass if mass is not None else counts, self.kind, "atom")
        if not table:
            raise InputError("the support is empty: a prior needs at least one atom")
        atoms: dict[Fraction, Fraction] = {}
        written: dict[Fraction, object] = {}
        for key, value in table:
            atom = _exact(key, "atom")
            if max(atom.numerator.bit_length(), atom.denominator.bit_length()) > _MAX_BITS:
                raise InputError("atom: a number of more than 4300 digits")
            where = f"{'mass' if counts is None else 'count'} of atom {shorten(key, 24)}"
            if atom in written:
                raise InputError(
                    f"duplicate atom: {shorten(written[atom], 24)!r} and {shorten(key, 24)!r} "
                    "are the same number"
                )
            written[atom] = key
            amount = _exact(value, where)
            if amount < 0:
                raise InputError(f"{where} is {shorten(amount)}, expected a number >= 0")
            if counts is not None and amount.denominator != 1:
                raise InputError(f"{where} is {shorten(amount)}, expected an integer")
            if amount:
                atoms[atom] = amount
        total = exact_sum(list(atoms.values()))
        if counts is None and total != 1:
            raise InputError(f"the masses sum to {sum_text(total)}, expected exactly 1")
        if total == 0:
            raise InputError("the counts are all 0: a prior needs at least one record")
        self.denominator = lcm(*(atom.denominator for atom in atoms))
        scale = lcm(*(amount.denominator for amount in atoms.values()))
        d = self.denominator
        pairs = sorted(
            (a.numerator * (d // a.denominator), m.numerator * (scale // m.denominator))
            for a, m in atoms.items()
        )
        common = gcd(*(weight for _, weight in pairs))
        self.points = tuple(point for point, _ in pairs)
        self.weights = tuple(weight // common for _, weight in pairs)
        self.total = sum(self.weights)
        self._hash = hash((self.points, self.denominator, self.weights))

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definitions of a discrete prior and of its tables of atoms."""
        table = {"$ref": "#/$defs/table"}
        return {
            "discrete": {
                "type": "object",
                "oneOf": [{"required": ["counts"]}, {"required": ["mass"]}],
                "additionalProperties": False,
                "properties": {
                    "kind": {"const": cls.kind},
                    "counts": table | {"description": "atom -> number of records"},
                    "mass": table | {"description": "atom -> probability, summing to exactly 1"},
                },
            },
            "table": {"type": "object", "minProperties": 1, "additionalProperties": NUMBER},
        }

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Discrete:
        """Return the prior of a table of masses or counts."""
        return cls(mass=table.get("mass"), counts=table.get("counts"))

    def to_table(self) -> dict[str, Any]:
        """Return kind and masses."""
        return {"kind": self.kind, "mass": {str(atom): str(m) for atom, m in self.mass.items()}}

    def canonical(self) -> list[list[str]]:
        """Return every atom as [atom, mass], sorted."""
        return [[str(atom), str(mass)] for atom, mass in self.mass.items()]

    def normal_form(self) -> Discrete:
        """Return the prior itself."""
        return self

    @property
    def has_density(self) -> bool:
        """False: it is atoms alone."""
        return False

    @property
    def atoms(self) -> tuple[Fraction, ...]:
        """The support, sorted."""
        return tuple(Fraction(point, self.denominator) for point in self.points)

    @property
    def mass(self) -> dict[Fraction, Fraction]:
        """Atom -> mass, exact, sorted by atom."""
        return {
            atom: Fraction(weight, self.total)
            for atom, weight in zip(self.atoms, self.weights, strict=True)
        }

    @property
    def components(self) -> tuple[Component, ...]:
        """The atoms as components of variance 0, sorted: the shape of a `Mixture`."""
        return tuple(Component(mass, atom, Fraction(0)) for atom, mass in self.mass.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discrete) and (
            (self.points, self.denominator, self.weights)
            == (other.points, other.denominator, other.weights)
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = ", ".join(f"{a}: {m}" for a, m in list(self.mass.items())[:4])
        return f"Discrete({{{shown}{', ...' if len(self.points) > 4 else ''}}})"


def _exact(value: object, name: str) -> Fraction:
    """Read one table entry; plain integers and integer text skip the grammar."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 4000:
        return Fraction(int(value))
    return rational(value, name)
