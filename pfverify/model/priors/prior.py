"""What a kind of prior says of itself; `pfverify.model.kinds.PRIORS` lists the kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from pfverify.model.keys import NUMBER as NUMBER


class Component(NamedTuple):
    """A normal law with its weight in a mixture; with variance 0 an atom at its mean.

    `mean` has the unit of the released quantity, `variance` its square.
    """

    weight: Fraction
    mean: Fraction
    variance: Fraction


class Span(NamedTuple):
    """The smallest and the largest mean of the components of one variance."""

    variance: Fraction
    low: Fraction
    high: Fraction


class Prior(ABC):
    """A prior of the released quantity given a secret.

    Attribute: `kind`, its name in files. Two priors are equal when they are the same law and, as a
    `Problem` keeps them, of the same class.
    """

    __slots__ = ()

    kind: ClassVar[str]

    @classmethod
    @abstractmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definitions of the published schema: that of `kind`, and what it refers to."""

    @classmethod
    @abstractmethod
    def from_table(cls, table: Mapping[str, Any]) -> Prior:
        """Return the prior of a table that the schema accepts; InputError naming the key."""

    @abstractmethod
    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this prior."""

    @abstractmethod
    def canonical(self) -> Sequence[Sequence[str]]:
        """Return the one form of this prior that goes into the digest of a problem."""

    @abstractmethod
    def normal_form(self) -> Prior:
        """Return the prior as a `Problem` keeps it, of the simplest class that has this law.

        Example: ``Gaussian(3, variance=0).normal_form() == Discrete({3: 1})`` is ``True``.
        """

    @property
    @abstractmethod
    def has_density(self) -> bool:
        """Whether some component has a positive variance."""

    @property
    @abstractmethod
    def components(self) -> tuple[Component, ...]:
        """The law as normal laws and atoms, sorted by mean, then variance."""

    @property
    def mean(self) -> Fraction:
        """The mean of the law."""
        return sum((part.weight * part.mean for part in self.components), Fraction(0))

    @property
    def spans(self) -> tuple[Span, ...]:
        """How far the means of the components go, for each variance."""
        means: dict[Fraction, list[Fraction]] = {}
        for part in self.components:
            means.setdefault(part.variance, []).append(part.mean)
        return tuple(Span(variance, xs[0], xs[-1]) for variance, xs in means.items())
