"""The step that wraps numbers around."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import rational
from pfverify.model.priors.prior import NUMBER
from pfverify.model.steps.step import Cut, PostStep


class Modulo(PostStep):
    """Numbers are published up to multiples of `modulus`: what is in [0, modulus).

    Numbers that differ by multiples are one output: it is no step that never decreases.
    Raises InputError unless the modulus is a rational > 0.
    Example: ``Modulo(256).apply(Fraction(-1))`` is ``255``. Source: design fact F49.
    """

    key = "modulo"
    modulus: Fraction

    def __init__(self, modulus: Number) -> None:
        self._keep(modulus=rational(modulus, "modulus"))
        if self.modulus <= 0:
            raise InputError(f"modulus: {shorten(self.modulus)} is not > 0")

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

    @property
    def reach(self) -> Fraction:
        """The modulus."""
        return self.modulus

    def apply(self, number: Fraction) -> Fraction:
        """Return the number up to multiples of the modulus."""
        return number % self.modulus

    def piece(self, start: Cut) -> NoReturn:
        """Refuse: raises InputError, since it is no step that never decreases."""
        raise InputError("post: modulo is not worked out here, where steps must never decrease")

    def pulled(self, cut: Cut) -> NoReturn:
        """Refuse, as `piece`."""
        self.piece(cut)
