"""The laws of several quantities that are independent given the secret, one for each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from pfverify.errors import InputError
from pfverify.model.priors.prior import Component, Prior


class OfParts(Prior):
    """A law for each part of a problem, in order; a file states them part by part.

    Example: ``OfParts([Discrete({0: 1}), Discrete({1: 1})]).laws[1]`` is ``Discrete({1: 1})``.
    """

    __slots__ = ("laws",)

    kind = "parts"
    keys = ()  # no table states one

    def __init__(self, laws: Sequence[Prior]) -> None:
        self.laws = tuple(laws)

    def _refuse(self) -> NoReturn:
        raise InputError("several parts have a law each, and none of all of them is worked out")

    def to_table(self) -> NoReturn:
        """Refuse: each part says its own."""
        self._refuse()

    def canonical(self) -> Sequence[Any]:
        """Return the canonical forms of all laws."""
        return [law.canonical() for law in self.laws]

    @property
    def has_density(self) -> bool:
        """Whether one of them has."""
        return any(law.has_density for law in self.laws)

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse: they are no law of one number."""
        self._refuse()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfParts) and self.laws == other.laws

    def __hash__(self) -> int:
        return hash(self.laws)

    def __repr__(self) -> str:
        return f"OfParts({list(self.laws)!r})"
