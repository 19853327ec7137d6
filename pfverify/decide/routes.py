"""The routes by which a pair is compared, and when each applies. There is no route by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType

from pfverify.decide.channels import compared as channels
from pfverify.decide.charts import compared as charts
from pfverify.decide.charts.scaled import ChartScaled
from pfverify.decide.comparison import Orders, Scaled
from pfverify.decide.exponential import compared as exponential
from pfverify.decide.exponential.scaled import ExponentialScaled
from pfverify.decide.masses import compared as masses
from pfverify.decide.tupling import compared as tupling
from pfverify.errors import InputError
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.notion import Events, Notion, Pointwise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.problem import PairOfPriors, Problem

Compared = Callable[[Problem, PairOfPriors], Orders]
AnyScale = Callable[[Problem, PairOfPriors], Scaled]


@dataclass(frozen=True)
class Route:
    """A way to compare pairs: the kinds of noise, prior and notion that it takes.

    `with_noise`: whether it takes a positive scale; `without_noise`: the value itself (scale 0).
    `scaled` compares at any positive scale, None where the route is about no scale. `channels`:
    the kinds of channel that it takes, none where the problem has no channel.
    """

    name: str
    noises: frozenset[type]
    priors: frozenset[type]
    notions: frozenset[type]
    with_noise: bool
    without_noise: bool
    compared: Compared
    scaled: AnyScale | None
    channels: frozenset[type] = frozenset({NoneType})

    def takes(
        self, noise: Noise, item: PairOfPriors, notion: Notion, channel: Channel | None
    ) -> bool:
        """Say whether the route applies; a subclass of a kind is another kind."""
        scale = self.without_noise if noise.adds_nothing else self.with_noise
        kinds = {type(item.first_prior), type(item.second_prior)}
        return (
            scale
            and type(noise) in self.noises
            and kinds <= self.priors
            and type(notion) in self.notions
            and type(channel) in self.channels
        )


_BOTH = frozenset({Events, Pointwise})
ROUTES = (
    Route(
        "masses",
        noises=frozenset({Laplace, DiscreteLaplace, GaussianNoise, NoNoise}),
        priors=frozenset({Discrete}),
        notions=_BOTH,
        with_noise=False,
        without_noise=True,
        compared=masses.compared,
        scaled=None,
    ),
    Route(
        "exponential",
        noises=frozenset({Laplace, DiscreteLaplace}),
        priors=frozenset({Discrete}),
        notions=_BOTH,
        with_noise=True,
        without_noise=False,
        compared=exponential.compared,
        scaled=ExponentialScaled,
    ),
    Route(
        "charts",
        noises=frozenset({Laplace, GaussianNoise, NoNoise}),
        priors=frozenset({Discrete, Gaussian, Mixture}),
        notions=_BOTH,
        with_noise=True,
        without_noise=True,
        compared=charts.compared,
        scaled=ChartScaled,
    ),
    Route(
        "channels",
        noises=frozenset({NoNoise}),
        priors=frozenset({Finite}),
        notions=_BOTH,
        with_noise=False,
        without_noise=True,
        compared=channels.compared,
        scaled=None,
        channels=frozenset(kind for kind in CHANNELS.values() if kind.written_out),
    ),
    Route(
        "tupling",
        noises=frozenset({NoNoise}),
        priors=frozenset({Finite}),
        notions=frozenset({Events}),
        with_noise=False,
        without_noise=True,
        compared=tupling.compared,
        scaled=None,
        channels=frozenset({Tupling}),
    ),
)


def routes_for(problem: Problem, item: PairOfPriors, noise: Noise | None = None) -> Iterator[Route]:
    """Yield every route that applies to a pair, under the problem's noise or another one.

    The first one is taken; the tests hold the others against it.
    """
    asked = problem.noise if noise is None else noise
    return (route for route in ROUTES if route.takes(asked, item, problem.notion, problem.channel))


def comparison(problem: Problem, item: PairOfPriors) -> Orders:
    """Return both orders of a pair of a problem, whose noise has a scale.

    Raises InputError naming the combination of noise, priors and form that no route takes.
    Example: ``comparison(problem, item)[0].settled().sign``.
    """
    route = next(routes_for(problem, item), None)
    if route is None:
        raise _no_route(problem, item)
    return route.compared(problem, item)


def at_any_scale(problem: Problem, item: PairOfPriors) -> Scaled:
    """Return a pair of a problem at any scale of its kind of noise; its own scale is ignored.

    Raises InputError as `comparison`.
    """
    for route in routes_for(problem, item, _at_one(problem.noise)):
        if route.scaled is not None:
            return route.scaled(problem, item)
    raise _no_route(problem, item)


@lru_cache(maxsize=1)
def _at_one(noise: Noise) -> Noise:
    """Return the same noise at scale 1, made once for all pairs of a problem."""
    return noise.with_scale(1)


def _no_route(problem: Problem, item: PairOfPriors) -> InputError:
    priors = " and ".join(
        dict.fromkeys(type(p).__name__ for p in (item.first_prior, item.second_prior))
    )
    if problem.channel is not None:
        kind = problem.channel.kind
        return InputError(
            f"no route decides a channel of kind {kind} in the form {problem.form!r}"
        )
    offered = "; ".join(
        f"{'/'.join(sorted(kind.__name__ for kind in route.noises))} noise with "
        f"{'/'.join(sorted(kind.__name__ for kind in route.priors))} priors"
        for route in ROUTES
        if route.with_noise
    )
    return InputError(
        f"no route decides {type(problem.noise).__name__} noise with {priors} priors in the form "
        f"{problem.form!r}; expected {offered}"
    )
