"""The routes by which a pair is compared, and when each applies. There is no route by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from pfverify.decide.comparison import Orders, Scaled
from pfverify.errors import InputError
from pfverify.model.chains.enclosed import Enclosed
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.tupling import Tupling
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Events, Pointwise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.nothing import Nothing
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.releases.stepped import Cells, ManyCells, SmoothSteps, Stepped

Compared = Callable[[Question], Orders]
AnyScale = Callable[[Question], Scaled]


@dataclass(frozen=True)
class Route:
    """A way to compare pairs: the kinds of release, prior and notion that it takes.

    `noises`: the kinds of noise that it takes in a release, None where any. `without_noise`:
    whether it takes a release without a scale above 0 (no noise, a noise table, a channel).
    `scaled` compares at any positive scale, None where the route takes none; with `as_stated` it
    takes noise at the scale that the problem states, and no search goes by it.
    """

    name: str
    compared: Compared
    releases: frozenset[type]
    priors: frozenset[type]
    notions: frozenset[type] = frozenset({Events})
    without_noise: bool = False
    scaled: AnyScale | None = None
    as_stated: bool = False
    noises: frozenset[type] | None = None

    def takes(self, item: Question) -> bool:
        """Say whether the route applies; a subclass of a kind is another kind."""
        return (
            type(item.release) in self.releases
            and (self.noises is None or type(item.release.noise) in self.noises)
            and {type(prior) for prior in item.priors} <= self.priors
            and type(item.requirement.notion) in self.notions
            and (self._takes_noise if item.release.noise.has_size else self.without_noise)
        )

    @property
    def _takes_noise(self) -> bool:
        return self.as_stated or self.scaled is not None


def _late(module: str, name: str = "compared") -> Callable[..., Any]:
    """A function of this folder by its name: what no question needs is not loaded."""

    def called(*arguments: object) -> Any:
        return getattr(import_module(f"pfverify.decide.{module}"), name)(*arguments)

    return called


def _of_several(item: Question) -> Orders:
    """Both orders under many releases, which come down to others that are compared here."""
    orders: Orders = _late("several.compared")(item, comparison)
    return orders


def _of_several_scaled(item: Question) -> Scaled:
    scaled: Scaled = _late("several.scaled", "SeveralScaled")(item, comparison, at_any_scale)
    return scaled


def _of_processed(item: Question) -> Orders:
    orders: Orders = _late("several.processed")(item, comparison)
    return orders


_BOTH = frozenset({Events, Pointwise})
_ATOMS = frozenset({Discrete})
_ROWS = frozenset({Discrete, Nothing})
_NORMAL = frozenset({Discrete, Gaussian, Mixture})
_NUMBERS = _NORMAL | {Joint}
_ON_ATOMS = frozenset({
    Laplace, TruncatedLaplace, DiscreteLaplace, GaussianNoise, DiscreteGaussian, NoNoise, TableNoise
})  # fmt: skip
_WRITTEN_OUT = frozenset(kind for kind in CHANNELS.values() if kind.written_out)
ROUTES = (
    Route(
        "masses", _late("masses.compared"), _ON_ATOMS, _ATOMS, _BOTH, without_noise=True
    ),
    Route(
        "exponential", _late("exponential.compared"), frozenset({Laplace, DiscreteLaplace}), _ATOMS,
        _BOTH, scaled=_late("exponential.scaled", "ExponentialScaled"),
    ),
    Route(
        "spread", _late("spread.compared"), frozenset({Laplace}), frozenset({WInfinityBall}),
        _BOTH, scaled=_late("spread.scaled", "SpreadScaled"),
    ),
    Route(
        "sweeps", _late("sweeps.compared"), frozenset({Laplace}), frozenset({Enclosed}),
        as_stated=True,
    ),
    Route(
        "charts", _late("charts.compared"), frozenset({Laplace, GaussianNoise, NoNoise}), _NORMAL,
        _BOTH, without_noise=True, scaled=_late("charts.scaled", "ChartScaled"),
    ),
    Route(
        "channels", _late("channels.compared"), _WRITTEN_OUT, frozenset({Finite}),
        _BOTH, without_noise=True,
    ),
    Route(
        "steps", _late("channels.compared"), frozenset({Cells, MergedOutputs}), frozenset({Finite}),
        _BOTH, without_noise=True,
    ),
    Route("cells", _late("cells.compared"), frozenset({ManyCells}), _ROWS, as_stated=True),
    Route(
        "kept", _late("kept.compared"), frozenset({Stepped}), _ROWS,
        noises=frozenset({Laplace, TruncatedLaplace}), as_stated=True,
    ),
    Route(
        "gaussian-lattice-steps", _late("gaussian_lattice.compared"), frozenset({Stepped}), _ROWS,
        noises=frozenset({DiscreteGaussian}), as_stated=True,
    ),
    Route(
        "smooth-steps", _late("charts.compared"), frozenset({SmoothSteps}), _NORMAL | {Nothing},
        as_stated=True,
    ),
    Route(
        "gaussian-lattice", _late("gaussian_lattice.compared"), frozenset({DiscreteGaussian}),
        _ATOMS, as_stated=True,
    ),
    Route(
        "truncated", _late("kept.compared"), frozenset({TruncatedLaplace}), _ATOMS, as_stated=True
    ),
    Route(
        "points", _late("masses.compared", "points_compared"),
        frozenset({Laplace, DiscreteLaplace, NoNoise}), frozenset({Joint}), without_noise=True,
    ),
    Route(
        "grid", _late("grid.compared"), frozenset({Laplace, DiscreteLaplace, Coordinates}),
        frozenset({Joint}), scaled=_late("grid.scaled", "GridScaled"),
    ),
    Route(
        "several", _of_several, frozenset({Repeated, Budget}), _NUMBERS,
        without_noise=True, scaled=_of_several_scaled,
    ),
    Route("processed", _of_processed, frozenset({Processed}), _NUMBERS, as_stated=True),
    Route(
        "tupling", _late("tupling.compared"), frozenset({Tupling}), frozenset({Finite}),
        without_noise=True,
    ),
)  # fmt: skip

def routes_for(item: Question) -> Iterator[Route]:
    """Yield every route that applies to a question.

    The first one is taken; the tests hold the others against it.
    """
    return (route for route in ROUTES if route.takes(item))


def comparison(item: Question) -> Orders:
    """Return both orders of a question, whose noise has a scale.

    Raises InputError naming the combination of release, priors and form that no route takes.
    Example: ``comparison(item)[0].settled().sign``.
    """
    route = next(routes_for(item), None)
    if route is None:
        raise _no_route(item)
    return route.compared(item)


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


def _no_route(item: Question) -> InputError:
    form = item.requirement.notion.text
    if item.release.named:
        return InputError(
            f"no route decides a channel of kind {item.release.kind} in the form {form!r}"
        )
    for prior in item.priors:
        if isinstance(prior, WInfinityBall):
            return InputError(
                "W-infinity balls on the whole line are decided for one release with laplace noise "
                "of a scale above 0; give them an alphabet for anything else"
            )
        if isinstance(prior, Enclosed):
            return InputError(f"{prior.why}; certify and loss decide it with Laplace noise")
    priors = " and ".join(dict.fromkeys(type(prior).__name__ for prior in item.priors))
    offered = "; ".join(
        f"{'/'.join(sorted(kind.__name__ for kind in route.releases))} noise with "
        f"{'/'.join(sorted(kind.__name__ for kind in route.priors))} priors"
        for route in ROUTES
        if route.scaled is not None
    )
    return InputError(
        f"no route decides {type(item.release).__name__} noise with {priors} priors in the form "
        f"{form!r}; expected {offered}"
    )
