"""The contract of a released law: what is worked out of one law of Y, in balls and exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw
from pfverify.exact.expsum import ExpSum
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite

Y = TypeVar("Y")
EXACT_TERMS = 600
"""Atoms, or components, up to which equality with a number is tested."""


@dataclass(frozen=True)
class Weight:
    """A density or a mass as e**offset * size: nothing underflows."""

    offset: Raw
    size: Raw

    def value(self) -> Raw:
        """Return an enclosure of it."""
        return self.offset.exp() * self.size


class AtPrecision(ABC, Generic[Y]):
    """A released law at the precision at which it was made; sums that places share are kept."""

    @abstractmethod
    def weight(self, y: Y) -> Weight:
        """Return the density or the mass at y."""

    @abstractmethod
    def below(self, y: Y) -> Raw:
        """Return P(Y <= y)."""


class Law(ABC, Generic[Y]):
    """The law of Y under one prior: a density on the line, or masses of single outputs.

    `no_density` and `no_mass` say why there is none, in a line; None where there is one.
    """

    no_density: str | None
    no_mass: str | None
    no_order: str | None = None

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


def known_log_ratio(p: Fraction, q: Fraction) -> Fraction | Infinite | None:
    """Return log(p/q) where it is 0 or infinite, else None; not both are 0.

    Example: ``known_log_ratio(Fraction(0), Fraction(1))`` is ``Infinite("-inf")``.
    """
    if not q:
        return Infinite("inf")
    if not p:
        return Infinite("-inf")
    return Fraction(0) if p == q else None


def is_log(p: ExpSum, q: ExpSum, value: Fraction) -> Answer:
    """Say whether log(p/q) is exactly a number: p = e**value q.

    Example: ``is_log(ExpSum.constant(2), ExpSum.constant(2), Fraction(0)) is Answer.YES`` is
    ``True``.
    """
    if len(p.terms) + len(q.terms) > EXACT_TERMS:
        return Answer.UNKNOWN
    power = Number.of_rational(value).linear
    return Answer.UNKNOWN if power is None else (p - ExpSum.power(power) * q).is_zero()
