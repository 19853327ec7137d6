"""The noise as charts need it: a rate of Laplace noise, or a variance of normal noise (0: none)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

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


@dataclass(frozen=True)
class SmoothRelease:
    """How a prior becomes the law of the noisy number.

    Laplace noise of a `rate`, or (None) normal noise of variance `added`, 0 for no noise. Laplace
    noise adds nothing to the variance of a component, since it does not leave a normal law one.
    """

    rate: Rate | None = None
    added: Fraction = Fraction(0)

    @property
    def bare(self) -> bool:
        """Whether there is no noise."""
        return self.rate is None and not self.added

    def measured(self, signed: Signed) -> Measured:
        """Return a signed measure after the noise, at the current precision."""
        return NormalMeasured(signed) if self.rate is None else LaplaceMeasured(signed, self.rate)

    def at_scale(self, scale: Fraction) -> SmoothRelease:
        """Return the same kind of noise at another positive scale (b, or sigma).

        Raises ValueError without noise, which has no scale.
        """
        if self.bare:
            raise ValueError("without noise there is no scale to change")
        if self.rate is None:
            return SmoothRelease(added=scale * scale)
        return SmoothRelease(Rate(Number.of_rational(scale)))

    def width(self) -> Fraction | None:
        """Return about the scale, where the noise has a peak of its own to look for, else None.

        Normal noise is part of the laws' own widths.
        """
        if self.rate is None:
            return None
        with precision(64):
            return fraction_of(dyadic(self.rate.scale.ball().raw.mid()))

    def coupling(self, p: Parts, q: Parts, epsilon: Number) -> list[Edge] | None:
        """Return a monotone coupling of components whose edges hold one by one (fact F8), or None.

        It proves p <= e**epsilon q; under normal noise no coupling of components bounds a ratio.
        """
        return None if self.rate is None else tail_plan(p, q, self.rate, epsilon)

    def unbounded(self, p: Parts, q: Parts, sides: Sequence[int]) -> Place | None:
        """Return one of some tails in which p/q grows beyond every bound, or None.

        There a wider, or farther, normal law of P dominates; Laplace noise bounds every ratio.
        """
        if self.rate is not None:
            return None
        for side in sides:
            if dominating(p, side)[:2] > dominating(q, side)[:2]:
                return "inf" if side > 0 else "-inf"
        return None


NO_NOISE = SmoothRelease()


def release_of(noise: Noise) -> SmoothRelease:
    """Return the release under a noise; TypeError where charts do not know it, or its scale.

    Example: ``release_of(GaussianNoise(2)).added`` is 4.
    """
    if noise.adds_nothing:
        return NO_NOISE
    if type(noise) is Laplace and noise.scale is not None:
        return SmoothRelease(Rate(noise.scale))
    if type(noise) is GaussianNoise and noise.variance is not None:
        return SmoothRelease(added=noise.variance)
    raise TypeError(f"{noise!r}: charts know no release under this noise")
