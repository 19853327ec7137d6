"""The prior of a secret under which there is nothing to release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.keys import Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Component, Prior


class Nothing(Prior):
    """No row exists under this secret, so that a thresholded release is suppressed, without noise.

    Attributes: `other`, the law of X where there is a row after all, and `chance`, how likely that
    is; None and 0 where there never is one. Needs a threshold among the steps after the noise.

    Raises InputError for a chance outside [0, 1], and where one of the two is given alone.
    Example: ``Nothing(Discrete({1: 1}), "1/10").chance`` is ``1/10``.
    """

    __slots__ = ("chance", "other")

    kind = "nothing"
    needs_kind = True
    keys = (
        Key("or", shape={"$ref": "#/$defs/discrete"}),
        Key("chance", "that the row exists, with the law `or`"),
    )

    def __init__(self, other: Discrete | None = None, chance: Number | None = None) -> None:
        if (other is None) != (chance is None):
            raise InputError("a prior of kind nothing takes both `or` and `chance`, or neither")
        self.chance = Fraction(0) if chance is None else rational(chance, "chance")
        if not 0 <= self.chance <= 1:
            raise InputError(f"chance: {shorten(self.chance)} is not in [0, 1]")
        self.other = other if self.chance else None

    @classmethod
    def together(cls) -> dict[str, Any]:
        """Return that each of the two keys needs the other."""
        return {"dependentRequired": {"or": ["chance"], "chance": ["or"]}}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Nothing:
        """Return the prior of a table; InputError naming the key."""
        other = table.get("or")
        if not isinstance(other, Mapping | None):
            raise InputError(f"or: expected a table of a discrete prior, got {shorten(other)!r}")
        return cls(None if other is None else Discrete.from_table(other), table.get("chance"))

    def to_table(self) -> dict[str, Any]:
        """Return kind, and the law and chance of a row."""
        if self.other is None:
            return {"kind": self.kind}
        return {"kind": self.kind, "or": self.other.to_table(), "chance": str(self.chance)}

    def canonical(self) -> Sequence[Sequence[str]]:
        """Return ["nothing", its mass], then every atom as (atom, mass)."""
        return [["nothing", str(1 - self.chance)], *([str(x), str(m)] for x, m in self.atoms())]

    def atoms(self) -> list[tuple[Fraction, Fraction]]:
        """Return the atoms with their masses, which sum to `chance`."""
        if self.other is None:
            return []
        return [(atom, mass * self.chance) for atom, mass in self.other.mass.items()]

    def normal_form(self) -> Prior:
        """Return the law of a row that certainly exists, else the prior itself."""
        return self.other if self.other is not None and self.chance == 1 else self

    @property
    def has_density(self) -> bool:
        """False: there is nothing, or there are atoms."""
        return False

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse: raises InputError, since nothing is no number."""
        raise InputError("a prior of kind nothing has no numbers to work with")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nothing) and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((self.chance, self.other))

    def __repr__(self) -> str:
        return "Nothing()" if self.other is None else f"Nothing({self.other!r}, '{self.chance}')"


class KnownRow(NamedTuple):
    """The law of a row, if there may be one, and its chance."""

    law: Discrete | None
    chance: Fraction

    @property
    def mass(self) -> dict[Fraction, Fraction]:
        """Atom -> mass; all together they have the chance."""
        found = {} if self.law is None else self.law.mass
        return {atom: mass * self.chance for atom, mass in found.items()}


def row_of(prior: Prior) -> KnownRow:
    """Return the row of a prior of atoms; InputError for another.

    Example: ``row_of(Discrete({1: 1})).chance`` is 1.
    """
    match prior:
        case Discrete():
            return KnownRow(prior, Fraction(1))
        case Nothing():
            return KnownRow(prior.other, prior.chance)
        case _:
            raise InputError(f"a prior of kind {prior.kind} has no atoms")
