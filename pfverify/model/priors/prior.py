"""What a kind of prior says of itself; `pfverify.model.kinds.PRIORS` lists the kinds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, NamedTuple

from pfverify.model.keys import CLOSED, Key, Keyed, table_of_keys


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


class Prior(Keyed):
    """A prior of the released quantity given a secret.

    Attributes: `kind`, its name in files; `needs_kind`, whether its definition in the published
    schema says that its name is needed. Two priors are equal when they are the same law and, as a
    `Problem` keeps them, of the same class.
    """

    __slots__ = ()

    needs_kind: ClassVar[bool] = False

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definitions of the published schema: that of `kind`, and what it refers to."""
        return {cls.kind: _definition(cls)}

    @abstractmethod
    def canonical(self) -> Sequence[Sequence[str]]:
        """Return the one form of this prior that goes into the digest of a problem."""

    def normal_form(self) -> Prior:
        """Return the prior as a `Problem` keeps it, of the simplest class that has this law.

        That is its own, where no other has it.
        Example: ``Gaussian(3, variance=0).normal_form() == Discrete({3: 1})`` is ``True``.
        """
        return self

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


@cache  # every file is held to it
def _definition(kind: type[Prior]) -> dict[str, Any]:
    keys = (Key("kind", shape={"const": kind.kind}, needed=kind.needs_kind), *kind.keys)
    together = kind.together()
    # two orders, in which the schema was published
    said = CLOSED | together if kind.needs_kind else together | CLOSED
    return table_of_keys(keys, said)
