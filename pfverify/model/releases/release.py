"""What every release says of itself; `releases.kinds` lists the tables that state one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from pfverify.model.fixed import Fixed
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection

if TYPE_CHECKING:
    from pfverify.model.noises.noise import Noise

Laws = Mapping[str, Mapping[str, Prior]]
"""Belief -> secret -> law of X."""
ONE_RELEASE = "one release"


class Release(Fixed, ABC):
    """What is published of X: Y is X with noise, X itself, or what a channel makes of X.

    Attributes: `kind`, its name in files; `named`, whether outputs have names, and are no numbers;
    `step`, the step of the lattice that outputs live on, None on the line; `more_scale`, the fact
    by which a larger scale is never less private, None where that is not known (a channel has no
    scale).
    """

    kind: ClassVar[str]
    named: ClassVar[bool]
    more_scale: ClassVar[str | None]
    step: Fraction | None = None

    @property
    @abstractmethod
    def noise(self) -> Noise:
        """The noise that is added to X, which may be none."""

    @abstractmethod
    def notion(self, *, with_priors: bool) -> str:
        """Return the name of the notion that is meant where the problem names none."""

    @abstractmethod
    def over(self, laws: Laws) -> Laws:
        """Return laws of X as this release takes them; InputError for one that it does not take."""

    @abstractmethod
    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Return the single inputs that a notion of inputs compares; InputError without them."""

    @abstractmethod
    def check_protection(self, protection: Protection) -> None:
        """Raise InputError where what is kept apart has distances that are not between inputs."""

    @abstractmethod
    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where this release is not meant for these priors."""

    @abstractmethod
    def released(self, *, bare: bool) -> str:
        """Return what the release is taken to be, in words; `bare`: without its noise."""

    def assumed(self, *, bare: bool) -> list[str]:
        """Return what a verdict takes for granted about the release, in words.

        Example: ``Laplace(1).assumed(bare=False)[-1]`` is ``"one release"``.
        """
        return [self.released(bare=bare), ONE_RELEASE]

    @property
    def named_kind(self) -> str | None:
        """The kind where outputs have names, None where it is the noise that is named."""
        return self.kind if self.named else None

    @abstractmethod
    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return its keys of a problem file, with those of the notion that is asked of it."""

    @abstractmethod
    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return the one form of the same that goes into the digest of a problem."""

    @abstractmethod
    def key(self) -> object:
        """Return what is equal where the canonical forms are."""

    @abstractmethod
    def require_scale(self, what: str) -> None:
        """Raise InputError that begins with `what` where there is no scale to ask about."""
