"""Weights that take long to work out: known nearly at once, and exactly when they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple


class Nearly(NamedTuple):
    """Masses m 2**e of these integers, each of which is off by at most `error` of itself."""

    integers: list[int]
    exponents: list[int]
    error: float


class Deferred(ABC):
    """The weights of a law on atoms that are known, without a common factor and all positive."""

    total: int

    @abstractmethod
    def exact(self) -> tuple[int, ...]:
        """Return the weights, in the order of the atoms, which sum to the total."""

    @abstractmethod
    def differs(self, other: Deferred) -> bool:
        """Say whether other weights are seen to differ from these without being worked out."""

    @abstractmethod
    def nearly(self) -> Nearly | None:
        """Return the masses nearly, None where there is no quick way."""
