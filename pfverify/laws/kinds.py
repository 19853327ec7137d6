"""The normal form of a law term: of a prior, and what is published of it. There is none by default.

A term is what stands in a problem: atoms, normal laws, mixtures of them or a row that may be
missing, to which noise is `ADDED`, which go `THROUGH` a channel, or of which steps make outputs
(`MADE`). Each constructor has a table, with a row for each of its kinds and what it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

from pfverify.errors import InputError
from pfverify.laws.law import Law, NormalForm
from pfverify.laws.rate import Rate
from pfverify.model.chains.enclosed import Enclosed
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.tupling import Tupling
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.gumbel import Gumbel
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.selected import Choices
from pfverify.model.releases.stepped import Cells, ManyCells, SmoothSteps, Stepped

NO_SCALE = "noise: it has no scale; give it one, or scale="
Makes = Callable[[Any, Any], NormalForm]
"""The normal form of a prior and a release."""
Row = Mapping[type[Prior], Makes]
"""Kind of prior -> the normal form, for one kind of release."""


@cache
def _class(name: str) -> Callable[..., NormalForm]:
    """A class by "module.Name" of this folder: loaded once a term first needs it."""
    module, _, kind = name.rpartition(".")
    found: Callable[..., NormalForm] = getattr(import_module(f"pfverify.laws.{module}"), kind)
    return found


def _made(name: str, of: Callable[[Any, Any], tuple[Any, ...]]) -> Makes:
    """Return what makes a class of that name of what a prior and a release give."""
    return lambda prior, release: _class(name)(*of(prior, release))


def _rate(noise: Noise) -> Rate:
    return Rate(noise.stated_scale())


def _variance(noise: GaussianNoise) -> Fraction:
    noise.stated_scale()
    return noise.variance or Fraction(0)


_BARE = _made("masses.BareAtoms", lambda prior, _: (prior,))
_EXPONENTIAL = _made(
    "exponential.ExponentialAtoms", lambda prior, noise: (prior, _rate(noise), noise.step)
)
_EACH = _made(
    "forms.NoisyPoints",
    lambda prior, noise: (prior, [_rate(noise)] * len(prior.names), noise.step),
)
_LAPLACE = _made("laplace.LaplaceMixture", lambda prior, noise: (prior.components, _rate(noise)))
_NORMAL = _made("normal.NormalMixture", lambda prior, noise: (prior.components, _variance(noise)))
_ALONE = _made("normal.NormalMixture", lambda prior, _: (prior.components, Fraction(0)))
ADDED: dict[type[Release], Row] = {
    NoNoise: {  # noise at scale 0, too
        Discrete: _BARE,
        Gaussian: _ALONE,
        Mixture: _ALONE,
        Joint: _made("forms.BarePoints", lambda prior, _: (prior,)),
    },
    Laplace: {
        Discrete: _EXPONENTIAL,
        Gaussian: _LAPLACE,
        Mixture: _LAPLACE,
        Joint: _EACH,
        WInfinityBall: _made("forms.NoisyBall", lambda ball, noise: (ball, _rate(noise))),
        Enclosed: _made(
            "forms.SweptRecord", lambda prior, noise: (prior, noise.stated_scale().text)
        ),
    },
    DiscreteLaplace: {Discrete: _EXPONENTIAL, Joint: _EACH},
    GaussianNoise: {Discrete: _NORMAL, Gaussian: _NORMAL, Mixture: _NORMAL},
    DiscreteGaussian: {
        Discrete: _made(
            "gaussian_lattice.GaussianAtoms",
            lambda prior, noise: (prior, noise.stated_variance(), noise.step),
        ),
    },
    TruncatedLaplace: {
        Discrete: _made(
            "truncated.TruncatedAtoms", lambda prior, noise: (prior, _rate(noise), noise.bound)
        ),
    },
    BoundedLaplace: {
        Discrete: _made(
            "bounded.BoundedAtoms",
            lambda prior, noise: (prior, _rate(noise), noise.low, noise.high),
        ),
    },
    TruncatedDiscreteLaplace: {
        Discrete: _made("masses.MassesAround", lambda prior, noise: (prior, noise)),
    },
    Exponential: {},  # before a choice alone, which makes a channel
    Gumbel: {},
    TableNoise: {
        Discrete: _made("masses.BareAtoms", lambda prior, noise: (noise.convolved(prior),)),
        Joint: _made("forms.BarePoints", lambda prior, noise: (noise.convolved_points(prior),)),
    },
    Coordinates: {
        Joint: _made(
            "forms.NoisyPoints",
            lambda prior, release: (prior, [*map(Rate, release.scales)], release.noise.step),
        ),
    },
}
"""Noise that is added -> kind of prior -> normal form."""

_OUTPUTS = _made("masses.ChannelOutputs", lambda prior, channel: (prior, channel))
THROUGH: dict[type[Release], Row] = {
    **{kind: {Finite: _OUTPUTS} for kind in CHANNELS.values() if kind.written_out},
    Tupling: {Finite: _made("masses.Tuples", lambda prior, channel: (prior, channel))},
}
"""Channel -> kind of prior -> normal form."""

_BEHIND: dict[type[Noise], str] = {
    Laplace: "KeptPieces", TruncatedLaplace: "KeptPieces", DiscreteGaussian: "LatticeRuns",
}  # fmt: skip


def _behind(name: str, prior: Prior, release: Stepped) -> NormalForm:
    """A number with noise, if there is a row, which steps follow."""
    row = prior.other if isinstance(prior, Nothing) else prior
    noisy = None if row is None else form_of(row, release.noise).law
    return _class(f"forms.{name}")(prior, noisy, release)


def _pieces(prior: Prior, release: Stepped) -> NormalForm:
    name = _BEHIND.get(type(release.noise))
    if name is None:
        raise InputError(f"post: steps after {release.noise.kind} noise are not worked out here")
    return _behind(name, prior, release)


def _smooth(prior: Prior, release: Stepped) -> NormalForm:
    return _behind("SmoothOutputs", prior, release)


_MADE_OUTPUTS = _made("masses.ChannelOutputs", lambda prior, channel: (prior, channel, "steps"))
_MANY = _made("forms.CellOutputs", lambda prior, release: (prior, release))
MADE: dict[type[Release], Row] = {
    Cells: {Finite: _MADE_OUTPUTS},
    MergedOutputs: {Finite: _MADE_OUTPUTS},
    Choices: {Finite: _MADE_OUTPUTS},
    ManyCells: {Discrete: _MANY, Nothing: _MANY},
    Stepped: {Discrete: _pieces, Nothing: _pieces},
    SmoothSteps: dict.fromkeys((Discrete, Nothing, Gaussian, Mixture), _smooth),
}
"""What steps make -> kind of prior -> normal form."""


def _row(release: Release) -> Row:
    """What a kind of release takes; nothing where it is no term of these constructors."""
    kind = NoNoise if isinstance(release, Noise) and release.adds_nothing else type(release)
    for constructor in (ADDED, THROUGH, MADE):
        if kind in constructor:
            return constructor[kind]
    return {}


def has_form(prior: Prior, release: Release) -> bool:
    """Say whether a term has a normal form. Example: ``has_form(Discrete({0: 1}), Laplace(1))``."""
    return type(prior) in _row(release)


def form_of(prior: Prior, release: Release) -> NormalForm:
    """Return the normal form of what is published of a prior.

    Raises InputError for noise without a scale, and for a term that has none.
    Example: ``form_of(Discrete({0: 1}), Laplace(1)).forms[0]`` is ``"exponential"``.
    """
    made = _row(release).get(type(prior))
    if made is None:
        raise _no_law(prior, release)
    return made(prior, release)


def forms_of(item: Question) -> tuple[NormalForm, NormalForm]:
    """Return the normal forms of both laws of a question; InputError as `form_of`.

    Example: ``forms_of(item)[0].forms``.
    """
    if not item.forms:  # a route is chosen by what it then compares
        item.forms[:] = [form_of(prior, item.release) for prior in item.priors]
    first, second = item.forms
    return first, second


def law_of(prior: Prior, release: Release) -> Law[Any]:
    """Return the law of Y for a prior, at single outputs.

    Raises InputError for noise without a scale, and where no law is worked out.
    Example: ``law_of(Discrete({0: 1}), Laplace(1)).no_density is None`` is ``True``.
    """
    if has_form(prior, release) and release.noise.scale is None:
        raise InputError(NO_SCALE)
    found = form_of(prior, release).law
    if found is None:
        raise _no_law(prior, release)
    return found


def _no_law(prior: Prior, release: Release) -> InputError:
    if isinstance(prior, OfParts):
        return InputError("no law of the output is worked out for several problems together")
    several = "" if release.several is None else f" ({release.several})"
    through = "channels" if release.named else f"noise{several}"
    return InputError(
        f"no law of the output is worked out for {prior.kind} priors with "
        f"{release.kind if release.named else release.noise.kind} {through}"
    )
