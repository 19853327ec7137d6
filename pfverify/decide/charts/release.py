"""The noise as charts need it: a rate of Laplace noise, or a variance of normal noise (0: none)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.decide.breach import Place
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.measured_laplace import LaplaceMeasured
from pfverify.decide.charts.measured_normal import NormalMeasured, dominating
from pfverify.decide.charts.plan import Edge, tail_plan
from pfverify.decide.charts.signed import Signed
from pfverify.exact.ball import dyadic, fraction_of, precision
from pfverify.exact.number import Number
from pfverify.laws.rate import Rate
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.prior import Component
from pfverify.model.releases.release import Noise

Parts = tuple[Component, ...]


class SmoothRelease(ABC):
    """How a prior becomes the law of the release."""

    @property
    @abstractmethod
    def added(self) -> Fraction:
        """The variance that the noise adds to every component."""

    @property
    @abstractmethod
    def bare(self) -> bool:
        """Whether there is no noise."""

    @abstractmethod
    def measured(self, signed: Signed) -> Measured:
        """Return a signed measure after the noise, at the current precision."""

    @abstractmethod
    def at_scale(self, scale: Fraction) -> SmoothRelease:
        """Return the same kind of noise at another positive scale (b, or sigma)."""

    @abstractmethod
    def width(self) -> Fraction | None:
        """Return about the scale, where the noise has a peak of its own to look for, else None."""

    @abstractmethod
    def coupling(self, p: Parts, q: Parts, epsilon: Number) -> list[Edge] | None:
        """Return a coupling of components that proves p <= e**epsilon q, if a simple one does."""

    @abstractmethod
    def unbounded(self, p: Parts, q: Parts, sides: Sequence[int] = (1, -1)) -> Place | None:
        """Return one of some tails in which p/q grows beyond every bound, or None."""


@dataclass(frozen=True)
class LaplaceRelease(SmoothRelease):
    """Laplace noise of rate 1/b."""

    rate: Rate

    added = Fraction(0)  # it does not leave a normal law one
    bare = False  # the rate is finite

    def measured(self, signed: Signed) -> LaplaceMeasured:
        """Return the signed measure after Laplace noise."""
        return LaplaceMeasured(signed, self.rate)

    def at_scale(self, scale: Fraction) -> LaplaceRelease:
        """Return Laplace noise with another b."""
        return LaplaceRelease(Rate(Number.of_rational(scale)))

    def width(self) -> Fraction:
        """Return about b."""
        with precision(64):
            return fraction_of(dyadic(self.rate.scale.ball().raw.mid()))

    def coupling(self, p: Parts, q: Parts, epsilon: Number) -> list[Edge] | None:
        """Return a monotone coupling whose edges hold one by one (fact F8)."""
        return tail_plan(p, q, self.rate, epsilon)

    def unbounded(self, p: Parts, q: Parts, sides: Sequence[int] = (1, -1)) -> None:
        """Return None: Laplace noise bounds every ratio."""
        del p, q, sides


@dataclass(frozen=True)
class NormalRelease(SmoothRelease):
    """Normal noise; of variance 0: the priors themselves."""

    variance: Fraction

    @property
    def added(self) -> Fraction:
        """The variance of the noise."""
        return self.variance

    @property
    def bare(self) -> bool:
        """Whether there is no noise."""
        return self.variance == 0

    def measured(self, signed: Signed) -> NormalMeasured:
        """Return the signed measure, a sum of normal laws (and atoms, without noise)."""
        return NormalMeasured(signed)

    def at_scale(self, scale: Fraction) -> NormalRelease:
        """Return normal noise with another sigma; ValueError without noise, which has no scale."""
        if self.bare:
            raise ValueError("without noise there is no scale to change")
        return NormalRelease(scale * scale)

    def width(self) -> None:
        """Return None: the noise is part of the laws' own widths."""

    def coupling(self, p: Parts, q: Parts, epsilon: Number) -> None:
        """Return None: no coupling of components bounds a ratio under normal noise."""
        del p, q, epsilon

    def unbounded(self, p: Parts, q: Parts, sides: Sequence[int] = (1, -1)) -> Place | None:
        """Return a tail that a wider, or farther, normal law of P dominates."""
        for side in sides:
            if dominating(p, side)[:2] > dominating(q, side)[:2]:
                return "inf" if side > 0 else "-inf"
        return None


NO_NOISE = NormalRelease(Fraction(0))


def release_of(noise: Noise) -> SmoothRelease:
    """Return the release under a noise with its scale; TypeError where charts do not know it.

    Example: ``release_of(GaussianNoise(2)).added`` is 4.
    """
    if noise.adds_nothing:
        return NO_NOISE
    if type(noise) not in _RELEASES:
        raise TypeError(f"{noise!r}: charts know no release under this noise")
    return _RELEASES[type(noise)](noise)


def _laplace(noise: Laplace) -> LaplaceRelease:
    if noise.scale is None:
        raise TypeError("the noise has no scale")
    return LaplaceRelease(Rate(noise.scale))


def _gaussian(noise: GaussianNoise) -> NormalRelease:
    if noise.variance is None:
        raise TypeError("the noise has no scale")
    return NormalRelease(noise.variance)


_RELEASES: dict[type, Callable[[Any], SmoothRelease]] = {
    Laplace: _laplace,
    GaussianNoise: _gaussian,
}
