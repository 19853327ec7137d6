"""Privacy notions: what delta bounds, by the name that a problem file gives it as its form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import ClassVar, Literal

from pfverify.exact.number import Number


class Bound(Enum):
    """What a decision compares with a target, for P against Q with densities (or masses) p, q.

    RATIO: p <= e**epsilon q everywhere, the max divergence against epsilon. DIVERGENCE: the
    hockey-stick divergence, the largest P(B) - e**epsilon Q(B), against delta. EXCESS: the largest
    p - e**epsilon q of one output against delta.
    """

    RATIO = "ratio"
    DIVERGENCE = "divergence"
    EXCESS = "excess"


Exceeding = Literal[Bound.DIVERGENCE, Bound.EXCESS]
"""What delta may bound."""


class Notion(ABC):
    """A privacy notion; its one instance is as good as any other.

    Example: ``Events().bound(Number.of_rational(0))`` is ``Bound.RATIO``.
    """

    name: ClassVar[str]
    exceeding: ClassVar[Exceeding]  # what delta bounds, where it is not 0

    @abstractmethod
    def bound(self, delta: Number) -> Bound:
        """Return what a decision at this delta is about."""

    @abstractmethod
    def assumed(self, *, masses: bool) -> list[str]:
        """Return what a verdict leaves open, in words; `masses`: the release has no density."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _OfRatio(Notion):
    """A notion that bounds the ratio itself at delta = 0."""

    def bound(self, delta: Number) -> Bound:
        """Return the ratio at delta = 0; a delta that cannot be told from 0 is not taken for 0."""
        return Bound.RATIO if delta.sign() == 0 else self.exceeding


class Events(_OfRatio):
    """P(B) <= e**epsilon Q(B) + delta for every event B.

    Source: Gaussian-priors paper, Definition 1.
    """

    name = "events"
    exceeding: ClassVar[Exceeding] = Bound.DIVERGENCE

    def assumed(self, *, masses: bool) -> list[str]:
        """Return nothing: every event is bounded."""
        del masses
        return []


class Pointwise(_OfRatio):
    """p(y) <= e**epsilon q(y) + delta at every output y, for densities or masses.

    Source: noise-reduction paper, (1).
    """

    name = "pointwise"
    exceeding: ClassVar[Exceeding] = Bound.EXCESS

    def assumed(self, *, masses: bool) -> list[str]:
        """Return how much weaker it is than the bound on events."""
        if masses:
            how = "necessary but not sufficient for events"
            return [f"the pointwise form: delta bounds a mass, {how}"]
        return [
            "the pointwise form: delta bounds a density (unit 1/output), which says nothing "
            "about every event"
        ]


NOTIONS: dict[str, type[Notion]] = {kind.name: kind for kind in (Events, Pointwise)}
EVENTS, POINTWISE = Events(), Pointwise()
