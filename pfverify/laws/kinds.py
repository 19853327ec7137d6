"""The law of a release, by kinds of release and prior; there is no law by default."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.gaussian_lattice import GaussianAtoms
from pfverify.laws.kept import KeptLaw
from pfverify.laws.laplace import LaplaceMixture
from pfverify.laws.law import Law
from pfverify.laws.masses import BareAtoms, ChannelOutputs, Tuples
from pfverify.laws.normal import NormalMixture
from pfverify.laws.rate import Rate
from pfverify.laws.truncated import TruncatedAtoms
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.stepped import Cells, ManyCells, SmoothSteps, Stepped

NO_SCALE = "noise: it has no scale; give it one, or scale="


def _rate(noise: Noise) -> Rate:
    if noise.scale is None:
        raise InputError(NO_SCALE)
    return Rate(noise.scale)


def _atoms(prior: Discrete, noise: Noise) -> Law[Fraction]:
    return ExponentialAtoms(prior, _rate(noise), noise.step)


def _laplace(prior: Prior, noise: Noise) -> Law[Fraction]:
    return LaplaceMixture(prior.components, _rate(noise))


def _gaussian(prior: Prior, noise: GaussianNoise) -> Law[Fraction]:
    if noise.variance is None:
        raise InputError(NO_SCALE)
    return NormalMixture(prior.components, noise.variance)


def _discrete_gaussian(prior: Discrete, noise: DiscreteGaussian) -> Law[Fraction]:
    if noise.variance is None:
        raise InputError(NO_SCALE)
    return GaussianAtoms(prior, noise.variance, noise.step)


def _truncated(prior: Discrete, noise: TruncatedLaplace) -> Law[Fraction]:
    return TruncatedAtoms(prior, _rate(noise), noise.bound)


def _cells(prior: Prior, release: ManyCells) -> Law[str]:
    return ChannelOutputs(*release.written_out(prior))


def _kept(prior: Prior, release: Stepped) -> Law[Any]:
    parts = release.kept
    if parts is None:
        raise InputError(
            f"no law of {type(prior).__name__} priors with steps after {release.noise.kind} noise "
            "is worked out where they keep no density"
        )
    if not isinstance(prior, Nothing):
        return KeptLaw(law_of(prior, release.noise), Fraction(1), parts)
    row = None if prior.other is None else law_of(prior.other, release.noise)
    return KeptLaw(row, prior.chance, parts)


# kind of release (NoNoise: of noise at scale 0 too), kind of prior -> the law of Y
LAWS: dict[tuple[type[Release], type[Prior]], Callable[[Any, Any], Law[Any]]] = {
    (Laplace, Discrete): _atoms,
    (Laplace, Gaussian): _laplace,
    (Laplace, Mixture): _laplace,
    (DiscreteLaplace, Discrete): _atoms,
    (GaussianNoise, Discrete): _gaussian,
    (GaussianNoise, Gaussian): _gaussian,
    (GaussianNoise, Mixture): _gaussian,
    (DiscreteGaussian, Discrete): _discrete_gaussian,
    (TruncatedLaplace, Discrete): _truncated,
    (TableNoise, Discrete): lambda prior, noise: BareAtoms(noise.convolved(prior)),
    (NoNoise, Discrete): lambda prior, _: BareAtoms(prior),
    (NoNoise, Gaussian): lambda prior, _: NormalMixture(prior.components, Fraction(0)),
    (NoNoise, Mixture): lambda prior, _: NormalMixture(prior.components, Fraction(0)),
    (Tupling, Finite): Tuples,
    (Cells, Finite): ChannelOutputs,
    (MergedOutputs, Finite): ChannelOutputs,
    (ManyCells, Discrete): _cells,
    (ManyCells, Nothing): _cells,
    **{(kind, prior): _kept for kind in (Stepped, SmoothSteps) for prior in (Discrete, Nothing)},
    (SmoothSteps, Gaussian): _kept,
    (SmoothSteps, Mixture): _kept,
    **{(kind, Finite): ChannelOutputs for kind in CHANNELS.values() if kind.written_out},
}


def law_of(prior: Prior, release: Release) -> Law[Any]:
    """Return the law of Y for a prior.

    Raises InputError for noise without a scale, and where no law is worked out.
    Example: ``law_of(Discrete({0: 1}), Laplace(1)).no_density is None`` is ``True``.
    """
    bare = isinstance(release, Noise) and release.adds_nothing
    found = LAWS.get((NoNoise if bare else type(release), type(prior)))
    if found is None:
        several = "" if release.several is None else f" ({release.several})"
        through = "channels" if release.named else f"noise{several}"
        raise InputError(
            f"no law of the output is worked out for {prior.kind} priors with "
            f"{release.kind if release.named else release.noise.kind} {through}"
        )
    return found(prior, release)
