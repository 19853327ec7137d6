"""The contract of every route: P against Q, under one release, held to one target.

What asks (the verdict, the losses, the least epsilon, the least scale, certificates) is written
once against these classes; a route is a way to answer. `routes` says which one applies when.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from pfverify.decide.breach import Breach, Place
from pfverify.decide.step import Evidence, Step
from pfverify.errors import UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.refined import ANYTHING, INFINITE, ZERO, OnGrid, Refined
from pfverify.exact.search import least_decimal
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target


def no_breach() -> None:
    """Return where a target fails that does not: nowhere."""


@dataclass(frozen=True)
class Settled(NoTruth, ask="read .sign, which may be None"):
    """The sign of what exceeds the target (None: undecided, for this reason), and what is told.

    `evidence` is there where the sign is -1 or 0; `breach` finds where the target fails, if the
    sign is 1. `ties` are the atoms at which the bound holds with equality; `loss`, `delta` and
    `worst` what a `Decision` says, where deciding told it already.
    """

    sign: int | None
    evidence: Evidence | None
    reason: str | None = None
    ties: tuple[Fraction, ...] = field(default=(), compare=False)
    breach: Callable[[], Breach | None] = field(default=no_breach, compare=False, repr=False)
    loss: Refined | None = field(default=None, compare=False)
    delta: Refined | None = field(default=None, compare=False)
    worst: Place | None = field(default=None, compare=False)


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
    sign of 1 is proved by `breach`. `divergence` is there where the target bounds one by epsilon.
    """

    sign: int | None
    loss: Refined
    delta: Refined | None
    worst: Place
    evidence: Evidence | None
    breach: Breach | None = None
    reason: str | None = None
    ties: tuple[Fraction, ...] = ()
    divergence: Refined | None = None


class Comparison(ABC):
    """P against Q in one order, under one release, held to one target."""

    no_witness: str  # the reason where a refutation has no breach that is proved
    tells_loss: ClassVar[bool] = True  # False: of epsilon* it says nothing
    target: Target

    @property
    @abstractmethod
    def equal(self) -> bool:
        """Whether the two priors are the same law."""

    @abstractmethod
    def settled(self) -> Settled:
        """Decide the target; no more is worked out than that takes."""

    def told(self) -> Settled:
        """Decide the target as a verdict tells it: by what proves most."""
        return self.settled()

    def decided(self) -> Decision:
        """Decide the target, with what is lost, and where the target fails."""
        found, loss = self.told(), self.loss()
        delta = found.delta
        if delta is None and self.target.bound in (Bound.DIVERGENCE, Bound.EXCESS):
            delta = self.exceeding()
        return Decision(
            sign=found.sign,
            loss=loss.value if found.loss is None else found.loss,
            delta=delta,
            worst=loss.where if found.worst is None else found.worst,
            evidence=found.evidence,
            breach=found.breach() if found.sign == 1 else None,
            reason=found.reason,
            ties=found.ties,
            divergence=self.divergence(),
        )

    def divergence(self) -> Refined | None:
        """Return the Renyi divergence that the target bounds, or of all orders the largest over
        its order; None where it bounds none."""
        return None

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

    def least_epsilon(self) -> Refined:
        """Return the least epsilon >= 0 at which what delta bounds is at most delta, or infinity.

        It is searched for where delta is more than no epsilon bounds, which is what P alone gives.
        Where delta is exactly that, nothing else may exceed.
        """
        if self.equal:
            return ZERO
        match self.alone_sign():
            case -1:  # it is at most epsilon*, which is all that is known where one is undecided
                return OnGrid(self._least_epsilon_on, self.loss().value)
            case 0:
                return self.least_beside_alone()
            case 1:
                return INFINITE
            case _:
                return ANYTHING

    def alone_sign(self) -> int | None:
        """Return the sign of what no epsilon bounds, less delta: -1 where Q gives all that P does.

        None where it is not decided.
        """
        return -1

    def least_beside_alone(self) -> Refined:
        """Return the least epsilon where delta is exactly what no epsilon bounds."""
        return ANYTHING

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon on a grid, for a search; RuntimeError without one."""
        raise RuntimeError(f"{type(self).__name__} has another way to its least epsilon")

    def _least_epsilon_on(self, grid: Grid) -> tuple[Fraction, Fraction]:
        """The two neighbours on a grid that the least epsilon lies between, both decided."""
        signs: dict[Fraction, int] = {}

        def holds(epsilon: Fraction) -> bool:
            # a proof of pure privacy is not assumed: what delta bounds is compared with delta
            found = self._at_epsilon(epsilon)
            if found.sign is None:
                raise UndecidedError(found.reason or "undecided")
            signs[epsilon] = found.sign
            return found.sign <= 0

        if holds(Fraction(0)):
            return Fraction(0), Fraction(0)
        guess = self.proposed_epsilon(grid)
        if guess <= 0:  # it is larger, if by less than was seen
            guess = Fraction(1, 10**grid.digits)
        lower, upper = least_decimal(holds, guess, grid)
        if signs.get(upper) == 0 and self._at_epsilon(upper + (upper - lower)).sign == -1:
            # what delta bounds is convex in e**epsilon and never rises: as it falls below delta
            # further on, the epsilon that meets delta exactly is the only one
            lower = upper
        return lower, upper

    def _at_epsilon(self, epsilon: Fraction) -> Settled:
        return self.against(self.target.at_epsilon(epsilon)).settled()


class Difference(Comparison):
    """P - e**epsilon Q in a normal form: what it says of single outputs, and of events."""

    @property
    def always_met(self) -> bool:
        """Whether nothing needs to be worked out: equal laws, or a delta of 1."""
        bounds_events = self.target.bound is Bound.DIVERGENCE
        return self.equal or (bounds_events and self.target.allows_everything)

    @property
    @abstractmethod
    def proved(self) -> Evidence:
        """What proves a target that is always met."""

    @property
    @abstractmethod
    def signs(self) -> Settled:
        """The sign of the largest p - e**epsilon q of one output, which delta = 0 bounds by 0."""

    @property
    @abstractmethod
    def area(self) -> Settled:
        """The sign of what delta bounds, less delta: the divergence, or the largest excess."""

    def settled(self) -> Settled:
        """Decide the target; no more is worked out than that takes."""
        return Settled(-1, self.proved) if self.always_met else self.answered()

    def answered(self) -> Settled:
        """Decide the target by what it bounds."""
        match self.target.bound:
            case Bound.RATIO:
                return self.signs
            case Bound.DIVERGENCE | Bound.EXCESS:
                return self.area
            case Bound.RENYI | Bound.ZCDP:
                raise TypeError("a difference does not say what a divergence is")


_PURE = (Bound.RATIO, Bound.RENYI, Bound.ZCDP)  # what a delta is no part of
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


@dataclass(frozen=True)
class NoScale(Never):
    """A reason that the kernel sees from the problem alone."""

    reason: str

    @property
    def words(self) -> str:
        """The reason in words."""
        return self.reason

    def step(self, bits: int) -> Step:
        """Return the rule alone."""
        del bits
        return {"rule": "no-scale"}


class Scaled(ABC):
    """One pair and its target at any scale of one kind of noise."""

    def __init__(self, item: Question, target: Target) -> None:
        self.item, self.target = item, target

    @abstractmethod
    def at(self, scale: Fraction) -> Orders:
        """Return both orders at a scale > 0."""

    @abstractmethod
    def bare(self) -> Orders:
        """Return both orders of the priors themselves, held to what every scale > 0 then meets.

        Where a small scale makes densities large that is more than the target itself.
        """

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.item.first_prior == self.item.second_prior

    def never(self) -> Never | None:
        """Return why no scale at all meets the target, or None where no reason was found."""
        if self.equal:
            return None
        if self.target.bound not in _PURE or self.target.epsilon.sign() != 0:
            return None
        return NoScale(
            f"epsilon = delta = 0 and the priors of {self.item.first!r} and {self.item.second!r} "
            "differ: no noise makes them equal"
        )

    @abstractmethod
    def proposal(self, grid: Grid) -> Fraction:
        """Return a scale near the least one; 0 where nothing was found to need noise."""

    @abstractmethod
    def refined(self, guess: Fraction, grid: Grid) -> Fraction:
        """Improve a positive proposal to a candidate of a grid; still only a proposal."""

    @property
    def reach(self) -> Fraction | None:
        """What over the scale bounds the loss of both orders; None: no such bound is known."""
        return None

    @property
    def met(self) -> Evidence:
        """What proves a target that is met strictly; RuntimeError where no `reach` is known."""
        raise RuntimeError("no sufficient scale is known")

    @cached_property
    def sufficient(self) -> Fraction | None:
        """The reach over an epsilon that is rounded down: above it the loss is below epsilon.

        None where no epsilon > 0 is known, or a delta > 0 that may still be compared with 0: delta
        bounds what is then at most 0.
        """
        if self.target.bound not in _PURE and self.target.sign_of_nothing != -1:
            return None
        epsilon = self.target.epsilon.at_most()
        reach = self.reach if epsilon > 0 else None  # a plan, each time that it is asked for
        return None if reach is None else reach / epsilon

    def covers(self, scale: Fraction) -> bool:
        """Say whether that bound proves a scale private: then nothing has to be decided."""
        return self.sufficient is not None and scale > self.sufficient

    def bounded(self) -> tuple[Settled, Settled]:
        """Return what deciding both orders at a scale that is covered would settle.

        Raises RuntimeError where no such scale is known.
        """
        found = Settled(-1, self.met)
        return found, found

    @property
    def smallest_gap(self) -> Fraction | None:
        """The smallest distance between atoms, where to start for want of better; None: unknown."""
        return None

    @property
    def finest(self) -> int | None:
        """To how many digits a least scale is decided at most; None: to any number."""
        return None
