"""Normal forms of which nothing, or only a part, is written out: they are compared as they are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError
from pfverify.laws.kept import KeptLaw
from pfverify.laws.law import Law, NormalForm
from pfverify.laws.masses import ChannelOutputs, PointMasses
from pfverify.laws.outcomes import SteppedOutputs
from pfverify.laws.rate import Rate
from pfverify.model.chains.enclosed import Enclosed
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import KnownRow, Nothing, row_of
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.stepped import ManyCells, Stepped
from pfverify.model.steps.chain import Part
from pfverify.model.steps.step import PostStep


class BarePoints(NormalForm):
    """Points of several numbers, released as they are."""

    forms = ("points",)

    def __init__(self, prior: Joint) -> None:
        self.prior = prior

    @property
    def outcomes(self) -> PointMasses:
        """The points with their masses."""
        return PointMasses(self.prior)


class NoisyPoints(NormalForm):
    """Points of several numbers, each with noise of its own rate; `step` of its lattice, if any."""

    forms = ("grid",)

    def __init__(self, prior: Joint, rates: Sequence[Rate], step: Fraction | None) -> None:
        self.prior, self.rates, self.step = prior, tuple(rates), step


class NoisyBall(NormalForm):
    """Most and least density of the members of a W-infinity ball, with Laplace noise."""

    forms = ("spread",)

    def __init__(self, prior: WInfinityBall, rate: Rate) -> None:
        self.prior, self.rate = prior, rate


class SweptRecord(NormalForm):
    """What a long chain releases, given one record, with Laplace noise of a scale (its text)."""

    forms = ("sweeps",)

    def __init__(self, prior: Enclosed, scale: str) -> None:
        self.prior, self.scale = prior, scale


class Behind(NormalForm):
    """A number with noise, if there is a row, behind steps; `noisy`: its law, None without a row.

    `chance`: how likely a row is. Of it the law is worked out where the steps keep a density.
    """

    def __init__(self, prior: Prior, noisy: Law[Fraction] | None, release: Stepped) -> None:
        self.prior, self.noisy, self.release = prior, noisy, release
        self.chance = prior.chance if isinstance(prior, Nothing) else Fraction(1)

    @property
    def row(self) -> KnownRow:
        """The atoms of a row, with its chance; InputError for a prior with a density."""
        return row_of(self.prior)

    @property
    def law(self) -> KeptLaw:
        """The densities and single outputs; InputError where the steps keep no density."""
        noise, parts = self.release.noise, self.release.kept
        if parts is None:
            raise InputError(
                f"no law of {type(self.prior).__name__} priors with steps after {noise.kind} noise "
                "is worked out where they keep no density"
            )
        return KeptLaw(self.noisy, self.chance, parts)


class _Listed(Behind):
    """The same, of whose outputs enough are listed."""

    @property
    def outcomes(self) -> Law[Any]:
        """The densities and single outputs, else the outputs one by one."""
        if self.release.kept is not None:
            return self.law
        return SteppedOutputs(self.noisy, self.chance, self.release.steps)


class KeptPieces(Behind):
    """Atoms with Laplace noise, with a bound or without, of which steps keep the density in part.
    """

    forms = ("kept",)

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the line; InputError where none keeps its density."""
        parts = self.release.kept
        if parts is None:
            raise InputError("post: expected clamps and thresholds after noise on a line")
        return parts

    @property
    def rate(self) -> Rate:
        """That of the noise."""
        return Rate(self.release.noise.stated_scale())

    @property
    def bound(self) -> Fraction | None:
        """That of the noise, None where there is none."""
        return self.release.noise.bound


class LatticeRuns(_Listed):
    """Atoms with discrete Gaussian noise, of which steps make runs of points of the lattice."""

    forms = ("gaussian-lattice",)

    @property
    def noise(self) -> DiscreteGaussian:
        """The noise; TypeError for noise of another kind."""
        found = self.release.noise
        if not isinstance(found, DiscreteGaussian):
            raise TypeError(f"expected discrete Gaussian noise, got {found!r}")
        return found

    @property
    def variance(self) -> Fraction:
        """That of the noise."""
        return self.noise.stated_variance()

    @property
    def step(self) -> Fraction:
        """That of the lattice."""
        return self.noise.step

    @property
    def steps(self) -> tuple[PostStep, ...]:
        """The steps after the noise."""
        return self.release.steps


class SmoothOutputs(_Listed):
    """Normal laws and atoms with Laplace or normal noise, and what steps make of that number."""

    forms = ("smooth-steps",)


class CellOutputs(NormalForm):
    """Atoms with Laplace or discrete Laplace noise, of which steps make many single outputs."""

    forms = ("cells",)

    def __init__(self, prior: Prior, release: ManyCells) -> None:
        self.row, self._prior, self.release = row_of(prior), prior, release

    @property
    def law(self) -> ChannelOutputs:
        """All masses, written out after all."""
        return ChannelOutputs(*self.release.written_out(self._prior))
