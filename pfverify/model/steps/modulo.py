"""The step that wraps numbers around."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.keys import NUMBER
from pfverify.model.steps.step import Lattice, PostStep, common_lattice


class Modulo(PostStep):
    """Numbers are published up to multiples of `modulus`: what is in [0, modulus).

    Numbers that differ by multiples are one output: it is no step that never decreases.
    Raises InputError unless the modulus is a rational > 0.
    Example: ``Modulo(256).apply(Fraction(-1))`` is ``255``. Source: design fact F49.
    """

    key = "modulo"
    wraps = True
    modulus: Fraction

    def __init__(self, modulus: Number) -> None:
        found = rational(modulus, "modulus")
        if found <= 0:
            raise InputError(f"modulus: {shorten(found)} is not > 0")
        self._keep(modulus=found, period=found, reach=found, numbers=(found,))

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a number."""
        return NUMBER | {"description": "the modulus, > 0"}

    @classmethod
    def from_value(cls, value: Any) -> Modulo:
        """Return the step of a modulus."""
        return cls(value)

    def canonical(self) -> Any:
        """Return the modulus."""
        return str(self.modulus)

    @property
    def words(self) -> str:
        """The step and its modulus."""
        return f"modulo {shorten(self.modulus, 24)}"

    def apply(self, number: Fraction) -> Fraction:
        """Return the number up to multiples of the modulus."""
        return number % self.modulus

    def most(self, width: Fraction) -> None:
        """Return None: none is known."""
        del width

    def lattice(self, found: Lattice) -> Lattice:
        """Return one that the modulus, and what is on the lattice up to it, lies on."""
        if found is None:
            return None
        return found[0], common_lattice([Fraction(0), found[1], self.modulus])[1]

    def moved(self, cuts: Any, unit: int) -> NoReturn:
        """Refuse: raises InputError, since it is no step that never decreases."""
        raise InputError("post: modulo is not worked out here, where steps must never decrease")

    def before(self, cuts: Any, unit: int) -> NoReturn:
        """Refuse, as `moved`."""
        self.moved(cuts, unit)

    def breaks(self, first: int, last: int, unit: int) -> NoReturn:
        """Refuse, as `moved`."""
        self.moved((first, last), unit)
