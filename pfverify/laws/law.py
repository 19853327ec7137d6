"""What is published of X under one prior, in a normal form; `laws.kinds` makes one of a term.

A form says by which engines it is compared. A `Law` besides says what it is at single outputs,
exactly and in balls.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum

Y = TypeVar("Y")
EXACT_TERMS = 600
"""Atoms, or components, up to which equality with a number is tested."""
NO_MASS = "the released law has a density, no masses"


@dataclass(frozen=True)
class Weight:
    """A density or a mass as e**offset * size: nothing underflows."""

    offset: Raw
    size: Raw

    def value(self) -> Raw:
        """Return an enclosure of it."""
        return self.offset.exp() * self.size

    def log(self) -> Raw:
        """Return an enclosure of its logarithm."""
        return self.offset + self.size.log()


class AtPrecision(ABC, Generic[Y]):
    """A released law at the precision at which it was made; sums that places share are kept."""

    @abstractmethod
    def weight(self, y: Y) -> Weight:
        """Return the density or the mass at y."""

    def value(self, y: Y) -> Raw:
        """Return an enclosure of the density or the mass at y."""
        return self.weight(y).value()

    @abstractmethod
    def below(self, y: Y) -> Raw:
        """Return P(Y <= y)."""


class Smooth(AtPrecision[Fraction]):
    """A law with a density, at a precision; `whole` is the mass of its density."""

    whole: Raw

    @abstractmethod
    def density(self, y: Fraction) -> Raw:
        """Return the density at y."""

    @abstractmethod
    def above(self, y: Fraction) -> Raw:
        """Return the mass from y on, with relative precision far out in the right tail."""

    def weight(self, y: Fraction) -> Weight:
        """Return the density at y."""
        return Weight(raw(0), self.density(y))

    def between(self, low: Fraction | None, high: Fraction | None) -> Raw:
        """Return the mass of an interval (None: no end), from the tail in which less is lost."""
        if low is None:
            return self.whole if high is None else self.below(high)
        if high is None:
            return self.above(low)
        below, above = self.below(high), self.above(low)
        return below - self.below(low) if below < above else above - self.above(high)


class NormalForm(ABC):
    """The law of Y under one prior, as it is compared with another."""

    @property
    @abstractmethod
    def forms(self) -> tuple[str, ...]:
        """The names of the forms in which it is compared (`decide.routes`), the plainest first."""

    @property
    def law(self) -> Law[Any] | None:
        """The law at single outputs, None where it is not worked out."""
        return None

    @property
    def outcomes(self) -> Law[Any] | None:
        """The law whose outputs a composition tells apart, None where there is none."""
        return self.law


class Law(NormalForm, Generic[Y]):
    """The law of Y under one prior: a density on the line, or masses of single outputs.

    `no_density`, `no_mass` and `no_order` (of a distribution function) say why there is none, in
    words; None where there is one. `step`: of the lattice that outputs lie on that cannot be
    counted, None where they lie on none.
    """

    no_density: str | None
    no_mass: str | None
    no_order: str | None = None
    step: Fraction | None = None

    @property
    def law(self) -> Self:
        """The law itself."""
        return self

    @property
    def size(self) -> int | None:
        """How many outputs there are, None where they cannot be counted."""
        return None

    @property
    def outputs(self) -> Sequence[Y]:
        """The outputs, where `size` says how many they are; TypeError where it is None."""
        raise TypeError("the outputs of this law cannot be counted")

    @property
    def marks(self) -> Sequence[Fraction]:
        """Where a density, or masses on a lattice, may turn; TypeError where outputs are counted.
        """
        raise TypeError("the outputs of this law can be counted")

    def width(self, variance: Fraction) -> Raw:
        """Return about how far from the mean of a normal law of this variance outputs lie.

        TypeError where outputs can be counted.
        """
        raise TypeError(f"{variance}: the outputs of this law lie where its atoms are")

    def is_beside(self, other: Law[Y]) -> bool:
        """Say whether two laws can be compared at one output: by densities, or by masses."""
        densities = self.no_density is None and other.no_density is None
        return densities or (self.no_mass is None and other.no_mass is None)

    @abstractmethod
    def at_precision(self) -> AtPrecision[Y]:
        """Return the law at the current precision."""

    def known_weight(self, y: Y) -> Fraction | None:
        """Return the density or the mass where it is rational at sight, else None."""
        del y
        return None

    def known_below(self, y: Y) -> Fraction | None:
        """Return P(Y <= y) where it is rational at sight, else None."""
        del y
        return None

    def around(self, y: Y) -> object | None:
        """Return the law of |X - y|, on which the density at y depends alone, where it is kept."""
        del y
        return None

    def shape(self, y: Y) -> ExpSum | None:
        """Return the density or mass as an exact sum, up to a factor > 0 of the noise alone."""
        del y
        return None

    def weighs(self, y: Y, value: Fraction) -> Answer:
        """Say whether the density or mass is exactly this number."""
        del y, value
        return Answer.UNKNOWN

    def reaches(self, y: Y, value: Fraction) -> Answer:
        """Say whether P(Y <= y) is exactly this number."""
        del y, value
        return Answer.UNKNOWN

