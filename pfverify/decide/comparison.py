"""The contract of every route: P against Q, under one release, held to one target.

What asks (the verdict, the losses, the least epsilon, the least scale, certificates) is written
once against these classes; a route is a way to answer. `routes` says which one applies when.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pfverify.decide.breach import Breach, Place
from pfverify.decide.step import Evidence, Step
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.refined import Refined
from pfverify.model.target import Target


@dataclass(frozen=True)
class Settled(NoTruth, ask="read .sign, which may be None"):
    """A verdict alone: the sign of what exceeds the target (None: undecided, for this reason).

    `evidence` is there where the sign is -1 or 0.
    """

    sign: int | None
    evidence: Evidence | None
    reason: str | None = None


@dataclass(frozen=True)
class Supremum(NoTruth, ask="read .value"):
    """A supremum, and (worked out where it is asked for) the output where it is approached."""

    value: Refined
    found: Callable[[], Place]

    @property
    def where(self) -> Place:
        """The output at which the supremum is reached or approached."""
        return self.found()


@dataclass(frozen=True)
class Decision(NoTruth, ask="read .sign, which may be None"):
    """Everything that a verdict reports on one order.

    `sign` is that of what exceeds the target; `delta` is there where the target bounds it; `ties`
    are the atoms at which the bound holds with equality. `evidence` proves a sign of -1 or 0; a
    sign of 1 is proved by `breach`.
    """

    sign: int | None
    loss: Refined
    delta: Refined | None
    worst: Place
    evidence: Evidence | None
    breach: Breach | None = None
    reason: str | None = None
    ties: tuple[Fraction, ...] = ()


class Comparison(ABC):
    """P against Q in one order, under one release, held to one target."""

    no_witness: ClassVar[str]  # the reason where a refutation has no breach that is proved
    target: Target

    @property
    @abstractmethod
    def equal(self) -> bool:
        """Whether the two priors are the same law."""

    @abstractmethod
    def settled(self) -> Settled:
        """Decide the target; no more is worked out than that takes."""

    @abstractmethod
    def decided(self) -> Decision:
        """Decide the target, with what is lost, and where the target fails."""

    @abstractmethod
    def loss(self) -> Supremum:
        """Return epsilon*, the max divergence: the supremum of log p/q."""

    @abstractmethod
    def exceeding(self) -> Refined:
        """Return what delta bounds at the target's epsilon.

        The hockey-stick divergence, or the largest excess of one output.
        """

    @abstractmethod
    def against(self, target: Target) -> Comparison:
        """Return the same laws in the same order, held to another target."""

    @abstractmethod
    def least_epsilon(self) -> Refined:
        """Return the least epsilon >= 0 at which what delta bounds is at most delta, or infinity.

        A closed form, or a search for it (`searched`).
        """


Orders = tuple[Comparison, Comparison]
"""Both orders of a pair: first against second, and second against first."""


class Never(ABC):
    """Why no scale of a kind of noise can meet a target, with what proves it."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The reason in words."""

    @abstractmethod
    def step(self, bits: int) -> Step:
        """Return the certificate step, complete."""


class Scaled(ABC):
    """One pair and its targets at any scale of one kind of noise."""

    @abstractmethod
    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale > 0."""

    @abstractmethod
    def bare(self) -> Orders:
        """Return both orders of the priors themselves, held to what every scale > 0 then meets.

        Where a small scale makes densities large that is more than the target itself.
        """

    @abstractmethod
    def never(self) -> Never | None:
        """Return why no scale at all meets the target, or None where no reason was found."""

    @abstractmethod
    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one; 0 where nothing was found to need noise."""

    @abstractmethod
    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a positive proposal to a candidate of a grid; still only a proposal."""

    @property
    def sufficient(self) -> Fraction | None:
        """A scale above which a bound proves every scale private, in both orders; None: unknown."""
        return None

    def covers(self, scale: Fraction) -> bool:
        """Say whether that bound proves a scale private: then nothing has to be decided."""
        return self.sufficient is not None and scale > self.sufficient

    def bounded(self) -> tuple[Settled, Settled]:
        """Return what deciding both orders at a scale that is covered would settle.

        Raises RuntimeError where no such scale is known.
        """
        raise RuntimeError("no sufficient scale is known")

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms, where to start for want of better; None: unknown."""
        return None
