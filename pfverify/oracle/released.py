"""The released law of a prior, by kinds of noise and prior; there is no law by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.rate import Rate
from pfverify.decide.routes import at_any_scale, comparison
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel
from pfverify.model.kinds import NOISES, of_a_kind
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question as PairQuestion
from pfverify.model.releases.release import Release
from pfverify.oracle.arguments import Asked, numbers, prior_of
from pfverify.oracle.atoms import BareAtoms, ExponentialAtoms
from pfverify.oracle.law import Law
from pfverify.oracle.normals import LaplaceMixture, NormalMixture
from pfverify.oracle.outputs import ChannelOutputs

_ZERO = Number.of_rational(0)
_NO_SCALE = "noise: it has no scale; give it one, or scale="


def _rate(noise: Noise) -> Rate:
    if noise.scale is None:
        raise InputError(_NO_SCALE)
    return Rate(noise.scale)


def _variance(noise: GaussianNoise) -> Fraction:
    if noise.variance is None:
        raise InputError(_NO_SCALE)
    return noise.variance


def _atoms(prior: Discrete, noise: Noise) -> Law[Fraction]:
    return ExponentialAtoms(prior, noise, _rate(noise))


def _laplace(prior: Prior, noise: Noise) -> Law[Fraction]:
    return LaplaceMixture(prior.components, _rate(noise))


def _gaussian(prior: Prior, noise: GaussianNoise) -> Law[Fraction]:
    return NormalMixture(prior.components, _variance(noise))


def _bare_atoms(prior: Discrete, noise: Noise) -> Law[Fraction]:
    del noise
    return BareAtoms(prior)


def _bare(prior: Prior, noise: Noise) -> Law[Fraction]:
    del noise
    return NormalMixture(prior.components, Fraction(0))


# kind of noise (NoNoise: any at scale 0), kind of prior -> its released law
LAWS: dict[tuple[type[Noise], type[Prior]], Callable[[Any, Any], Law[Fraction]]] = {
    (Laplace, Discrete): _atoms,
    (Laplace, Gaussian): _laplace,
    (Laplace, Mixture): _laplace,
    (DiscreteLaplace, Discrete): _atoms,
    (GaussianNoise, Discrete): _gaussian,
    (GaussianNoise, Gaussian): _gaussian,
    (GaussianNoise, Mixture): _gaussian,
    (NoNoise, Discrete): _bare_atoms,
    (NoNoise, Gaussian): _bare,
    (NoNoise, Mixture): _bare,
}


def law_of(prior: Prior, release: Release) -> Law[Any]:
    """Return the law of Y for a prior.

    Raises InputError for noise without a scale, and where no law is worked out.
    Example: ``law_of(Discrete({0: 1}), Laplace(1)).no_density is None`` is ``True``.
    """
    if isinstance(release, Channel):
        if not release.written_out:
            raise InputError(
                f"channel: the outputs of kind {release.kind} are too many to ask for one by one; "
                "ask for delta, epsilon or loss"
            )
        if type(prior) is Finite:
            return ChannelOutputs(prior, release)
        raise InputError("channel: it takes priors over its named inputs, of kind finite")
    noise = release.noise
    found = LAWS.get((NoNoise if noise.adds_nothing else type(noise), type(prior)))
    if found is None:
        raise InputError(
            f"no law of {type(prior).__name__} priors with {type(noise).__name__} noise is "
            "worked out"
        )
    return found(prior, noise)


@dataclass(frozen=True)
class Question:
    """Two priors, and how they are released: at one scale, or at many."""

    problem: Problem
    item: PairQuestion
    releases: Asked[Release]

    @classmethod
    def of(
        cls, p: object, q: object, noise: object, scale: object | None, *, exact: bool
    ) -> Question:
        """Read the arguments.

        Raises InputError naming what is wrong with them.
        """
        first = prior_of(p, "p", exact=exact)
        priors = {"p": first, "q": first if q is p else prior_of(q, "q", exact=exact)}
        channel, added = (noise, None) if isinstance(noise, Channel) else (None, noise)
        if added is not None:
            added = of_a_kind(added, NOISES, "noise")
        problem = Problem(priors, noise=added, channel=channel, epsilon=0)
        return cls(problem, next(iter(problem.questions())), _releases(problem, scale, exact))

    def orders(self, release: Release) -> Orders:
        """Return both orders under one of the releases; several scales share what they can.

        Raises InputError where noise has no scale, and where no route decides.
        """
        scale = release.noise.scale
        if scale is None:
            raise InputError(_NO_SCALE)
        if self.releases.shape and scale.fraction:
            return self._scaled.at(scale.fraction)
        return comparison(self.item.under(release))

    @cached_property
    def _scaled(self) -> Scaled:
        return at_any_scale(self.item)

    def asked(self, epsilon: Number, delta: Number) -> Problem:
        """Return the problem with a target."""
        return self._posed(self.problem.noise, epsilon, delta)

    def _posed(self, noise: Noise, epsilon: Number = _ZERO, delta: Number = _ZERO) -> Problem:
        priors = {"p": self.item.first_prior, "q": self.item.second_prior}
        return Problem(priors, noise=noise, epsilon=epsilon, delta=delta)


def _releases(problem: Problem, scale: object | None, exact: bool) -> Asked[Release]:
    if scale is None:
        return Asked([problem.release], ())
    if problem.release.named:
        raise InputError("scale: a channel has none")
    noise = problem.noise
    return numbers(scale, "scale", exact=exact).each(noise.with_scale)
