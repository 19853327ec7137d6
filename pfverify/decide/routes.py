"""How a pair is compared: by the normal form of both laws. There is no route by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.laws.kinds import forms_of, has_form
from pfverify.laws.law import NormalForm
from pfverify.model.chains.enclosed import Enclosed
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Events, Notion, Pointwise, Renyi, Zcdp
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.target import Target

_NUMBERS: frozenset[type[Prior]] = frozenset({Discrete, Gaussian, Mixture, Joint})
Compared = Callable[[NormalForm, NormalForm, Target], Orders]
AnyScale = Callable[[Question], Scaled]


@dataclass(frozen=True)
class Route:
    """How two laws in one normal form, whose name it has, are compared.

    `scaled` compares at any positive scale, None where no search goes by it: the laws are then
    compared at the scale that the problem states.
    """

    name: str
    compared: Compared
    notions: frozenset[type[Notion]]
    scaled: AnyScale | None = None

    def orders(self, item: Question) -> Orders:
        """Return both orders of a question whose laws have this form."""
        return self.compared(*forms_of(item), target_of(item))


@dataclass(frozen=True)
class Reduction:
    """How what is no normal form comes down to questions that are compared here.

    `bare`: whether it takes numbers without noise; `priors`: the kinds of laws that it takes.
    """

    name: str
    orders: Callable[[Question], Orders]
    scaled: AnyScale | None = None
    bare: bool = False
    priors: frozenset[type[Prior]] = _NUMBERS
    notions: frozenset[type[Notion]] = frozenset({Events})

    def takes(self, item: Question) -> bool:
        """Say whether it applies: to such laws, in its form."""
        return (
            {type(prior) for prior in item.priors} <= self.priors
            and type(item.requirement.notion) in self.notions
            and (self.bare or item.release.noise.has_size)
        )


def _late(module: str, name: str = "compared") -> Callable[..., Any]:
    """A function of this folder by its name: what no question needs is not loaded."""

    def called(*arguments: object) -> Any:
        return getattr(import_module(f"pfverify.decide.{module}"), name)(*arguments)

    return called


_EVENTS: frozenset[type[Notion]] = frozenset({Events})
_BOTH: frozenset[type[Notion]] = frozenset({Events, Pointwise})
ROUTES = {
    route.name: route
    for route in (
        Route("masses", _late("masses.compared"), _BOTH),
        Route("channels", _late("channels.compared"), _BOTH),
        Route("steps", _late("channels.compared"), _BOTH),
        Route("points", _late("masses.compared", "points_compared"), _EVENTS),
        Route("tupling", _late("tupling.compared"), _EVENTS),
        Route(
            "exponential", _late("exponential.compared"), _BOTH,
            _late("exponential.scaled", "ExponentialScaled"),
        ),
        Route("cells", _late("cells.compared"), _EVENTS),
        Route("kept", _late("kept.compared"), _EVENTS),
        Route("spread", _late("spread.compared"), _BOTH, _late("spread.scaled", "SpreadScaled")),
        Route("sweeps", _late("sweeps.compared"), _EVENTS),
        Route("charts", _late("charts.compared"), _BOTH, _late("charts.scaled", "ChartScaled")),
        Route("smooth-steps", _late("charts.compared"), _EVENTS),
        Route("gaussian-lattice", _late("gaussian_lattice.compared"), _EVENTS),
        Route("grid", _late("grid.compared"), _EVENTS, _late("grid.scaled", "GridScaled")),
    )
}  # fmt: skip
"""Name of a normal form -> how it is compared."""
_RENYI: frozenset[type[Notion]] = frozenset({Renyi})
_DIVERGES: frozenset[type[Notion]] = _RENYI | {Zcdp}
DIVERGENCES = {
    route.name: route
    for route in (
        Route("masses", _late("renyi.masses", "atoms_compared"), _DIVERGES),
        Route("channels", _late("renyi.masses", "outputs_compared"), _DIVERGES),
        Route("steps", _late("renyi.masses", "outputs_compared"), _DIVERGES),
        Route("points", _late("renyi.masses", "joint_compared"), _DIVERGES),
        Route(
            "exponential", _late("renyi.line"), _DIVERGES, _late("renyi.scaled", "RenyiScaled"),
        ),
        Route("kept", _late("renyi.kept"), _RENYI),
        Route("gaussian-lattice", _late("renyi.lattice"), _RENYI),
        Route(
            "charts", _late("renyi.normal"), _DIVERGES, _late("renyi.normal", "NormalScaled"),
        ),
    )
}
"""The same for what bounds a divergence by epsilon."""


def _further(module: str) -> Callable[[Question], Orders]:
    """Both orders by way of other questions, which are compared here."""
    called = _late(f"several.{module}")
    return lambda item: called(item, comparison)


def _further_scaled(module: str, name: str) -> AnyScale:
    """The same at any scale."""
    called = _late(f"several.{module}", name)
    return lambda item: called(item, comparison, at_any_scale)


_SEVERAL = Reduction(
    "several", _further("compared"), _further_scaled("scaled", "SeveralScaled"), bare=True
)
REDUCTIONS: dict[type[Release], Reduction] = {
    Repeated: _SEVERAL,
    Budget: _SEVERAL,
    Processed: Reduction("processed", _further("processed")),
    ComposedReleases: Reduction(
        "parts", _further("composition"), bare=True, priors=frozenset({OfParts})
    ),
}
"""What is published -> how it comes down to something else."""
OUTPUTS = Reduction(
    "outputs",
    lambda item: _late("renyi.fresh")(item, comparison),
    lambda item: _late("renyi.together", "OutputsScaled")(item, comparison, at_any_scale),
    bare=True, priors=frozenset({Discrete, Gaussian, Mixture, Joint}), notions=_RENYI,
)  # fmt: skip
"""The same of a divergence: it adds up over releases of fresh draws, and parts."""
_OF_A_DIVERGENCE: dict[type[Notion], dict[type[Release], Reduction]] = {
    Renyi: {
        **dict.fromkeys((Repeated, Budget), OUTPUTS),
        ComposedReleases: replace(OUTPUTS, scaled=None, priors=frozenset({OfParts})),
    },
    Zcdp: {
        Repeated: replace(
            OUTPUTS, priors=frozenset({Discrete, Gaussian}), notions=frozenset({Zcdp})
        ),
    },
}
_BY_COORDINATE: frozenset[type[Noise]] = frozenset({Laplace, DiscreteLaplace, GaussianNoise})
VECTORS: dict[type[Noise], Reduction] = {
    GaussianNoise: Reduction(
        "vectors", _further("vectors"), _further_scaled("scaled", "VectorScaled")
    ),
    DiscreteGaussian: Reduction("coordinates", _further("coordinates")),
}
"""Noise on several numbers -> how it comes down to noise on one."""


def _reduction(item: Question) -> Reduction | None:
    """How a question comes down to others; None where its laws are compared as they are."""
    release = item.release
    added = isinstance(release, Noise | Coordinates) and release.noise.has_size
    joint = added and any(isinstance(prior, Joint) for prior in item.priors)
    notion = type(item.requirement.notion)
    if notion in _DIVERGES:
        if joint:
            by_coordinate = notion in _RENYI and type(release.noise) in _BY_COORDINATE
            return OUTPUTS if by_coordinate else None
        return _OF_A_DIVERGENCE[notion].get(type(release), REDUCTIONS.get(type(release)))
    return VECTORS.get(type(release.noise)) if joint else REDUCTIONS.get(type(release))


_AT_ANY_SCALE = (
    "DiscreteLaplace/Laplace noise with Discrete priors; Laplace noise with WInfinityBall priors; "
    "GaussianNoise/Laplace/NoNoise noise with Discrete/Gaussian/Mixture priors; "
    "Coordinates/DiscreteLaplace/GaussianNoise/Laplace noise with Joint priors; Budget/Repeated "
    "noise with Discrete/Gaussian/Joint/Mixture priors"
)


_EXPECTED: dict[type[Notion], str] = {
    Renyi: "expected Discrete priors with any noise, Gaussian or Mixture priors with GaussianNoise "
    "or none, Joint priors with Laplace, DiscreteLaplace or GaussianNoise, finitely many outputs, "
    "or releases or parts of these",
    Zcdp: "expected Laplace or DiscreteLaplace noise with Discrete priors, GaussianNoise with "
    "Discrete priors or one normal law each, finitely many outputs, or fresh releases of these",
}


def routes_for(item: Question) -> Iterator[Route | Reduction]:
    """Yield every route that applies to a question: of the forms that both laws have.

    The first one is taken; the tests hold the others against it. Nothing where a law has no form.
    Raises InputError for noise without a scale.
    """
    reduced = _reduction(item)
    if reduced is not None and reduced.takes(item):
        yield reduced
    if reduced is None and all(has_form(prior, item.release) for prior in item.priors):
        first, second = forms_of(item)
        notion = type(item.requirement.notion)
        routes = DIVERGENCES if notion in _DIVERGES else ROUTES
        for name in first.forms:
            if name in second.forms and name in routes and notion in routes[name].notions:
                yield routes[name]


def comparison(item: Question) -> Orders:
    """Return both orders of a question, whose noise has a scale.

    Raises InputError naming the combination of release, priors and form that no route takes.
    Example: ``comparison(item)[0].settled().sign``.
    """
    route = next(routes_for(item), None)
    if route is None:
        raise _no_route(item)
    return route.orders(item)


def at_any_scale(item: Question) -> Scaled:
    """Return a question at any scale of its kind of noise; its own scale is ignored.

    Raises InputError as `comparison`.
    """
    item.release.require_scale("scale")
    for route in routes_for(item.under(_at_one(item.release))):
        if route.scaled is not None:
            return route.scaled(item)
    raise _no_route(item)


@lru_cache(maxsize=1)
def _at_one(release: Release) -> Release:
    """Return the same release at scale 1, made once for all pairs of a problem."""
    return release.with_scale(1)


def _kinds_of(item: Question) -> str:
    return " and ".join(dict.fromkeys(type(prior).__name__ for prior in item.priors))


def _no_route(item: Question) -> InputError:
    form, notion, noise = (
        item.requirement.notion.text, type(item.requirement.notion), item.release.noise
    )  # fmt: skip
    if notion in _RENYI and item.release.kind == "steps" and noise.has_size:
        return InputError(
            f"form: {form} is not decided of steps after {noise.kind} noise with {_kinds_of(item)} "
            "priors; expected atoms, and another noise than gaussian, or no steps"
        )
    if item.release.named:
        return InputError(
            f"no route decides a channel of kind {item.release.kind} in the form {form!r}"
        )
    if notion in _DIVERGES:
        what = f"{type(item.release).__name__} noise with {_kinds_of(item)} priors"
        return InputError(f"form: {form} is not decided of {what}; {_EXPECTED[notion]}")
    for prior in item.priors:
        if isinstance(prior, WInfinityBall):
            return InputError(
                "W-infinity balls on the whole line are decided for one release with laplace noise "
                "of a scale above 0; give them an alphabet for anything else"
            )
        if isinstance(prior, Enclosed):
            return InputError(f"{prior.why}; certify and loss decide it with Laplace noise")
    return InputError(
        f"no route decides {type(item.release).__name__} noise with {_kinds_of(item)} priors in "
        f"the form {form!r}; expected {_AT_ANY_SCALE}"
    )
