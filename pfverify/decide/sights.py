"""What a grid looks at: some outputs of a pair, and both laws there, in mpmath.

There is a row for every route, under its name, and for every noise of a route; nothing by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import mpmath

from pfverify.decide.routes import Route
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import precision
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.released import released
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.question import Question

Law = Callable[[Any], mpmath.mpf]
"""Output -> its density or mass."""

DIGITS = 30
_SPREAD = 5  # scales, or standard deviations, that a grid goes beyond the priors
_NAMES = 40  # characters of an output's name


@dataclass(frozen=True)
class Sight:
    """Some outputs, and the two laws there. `every`: there are no other outputs.

    `word` names an output.
    """

    points: Sequence[Any]
    laws: tuple[Law, Law]
    every: bool
    word: Callable[[Any], str]


def sight_of(route: Route, item: Question, points: int) -> Sight:
    """Return what a grid of so many points looks at for a pair that a route decides.

    On the line the points are even; where outputs can be counted it is all of them.
    Raises InputError for a route or noise without a row, more outputs than points, and a pair
    without noise of which one law has a density and one has atoms.
    """
    if route.name not in SIGHTS:
        raise InputError(f"there is nothing to look at for what {route.name} decides")
    return SIGHTS[route.name](item, points)


def shown(value: mpmath.mpf) -> str:
    """Return ten digits of a number. Example: ``shown(mpmath.inf)`` is ``'inf'``."""
    return str(mpmath.nstr(value, 10)).removeprefix("+")


def number_of(value: Number | Fraction) -> mpmath.mpf:
    """Return an exact number at the current precision."""
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    with precision(4 * DIGITS + 32):
        return mpmath.mpf(value.ball().raw.str(DIGITS + 5, radius=False))


# ---------------------------------------------------------------- the line


def _atoms(item: Question, points: int) -> Sight:
    """Atoms with (discrete) Laplace noise: from 5 scales below to 5 above the atoms."""
    noise = _known(item.release.noise, (Laplace, DiscreteLaplace))
    scale = number_of(noise.stated_scale())
    parts = [prior.components for prior in item.priors]
    means = [part.mean for side in parts for part in side]
    grid = _even(number_of(min(means)) - _SPREAD * scale, number_of(max(means)) + _SPREAD * scale,
                 points)  # fmt: skip
    front = 1 / (2 * scale)
    if noise.step is not None:
        unit, start = number_of(noise.step), number_of(min(means))
        grid = sorted({start + unit * mpmath.nint((y - start) / unit) for y in grid})
        t = mpmath.exp(-unit / scale)
        front = (1 - t) / (1 + t)

    def law(side: Sequence[Component]) -> Law:
        masses = [(number_of(part.mean), number_of(part.weight)) for part in side]
        return lambda y: front * mpmath.fsum(m * mpmath.exp(-abs(y - x) / scale) for x, m in masses)

    return Sight(grid, (law(parts[0]), law(parts[1])), every=False, word=shown)


def _densities(item: Question, points: int) -> Sight:
    """Normal laws, mixtures and atoms under noise; without noise, where both have densities."""
    noise = _known(item.release.noise, (Laplace, GaussianNoise, NoNoise))
    parts = [prior.components for prior in item.priors]
    whole = [part for side in parts for part in side]
    if noise.adds_nothing and not all(part.variance for part in whole):
        raise InputError(
            "without noise (scale 0) a prior with atoms beside one with a density has "
            "nothing to compare at one output"
        )
    added = _variance(noise)
    beyond = _SPREAD * number_of(noise.stated_scale()) if isinstance(noise, Laplace) else 0

    def reach(part: Component) -> mpmath.mpf:
        return _SPREAD * mpmath.sqrt(number_of(part.variance + added)) + beyond

    grid = _even(
        min(number_of(part.mean) - reach(part) for part in whole),
        max(number_of(part.mean) + reach(part) for part in whole),
        points,
    )

    def law(side: Sequence[Component]) -> Law:
        found = [(number_of(part.weight), _density(part, noise, added)) for part in side]
        return lambda y: mpmath.fsum(weight * density(y) for weight, density in found)

    return Sight(grid, (law(parts[0]), law(parts[1])), every=False, word=shown)


def _density(part: Component, noise: Noise, added: Fraction) -> Law:
    """The density of one component after the noise (design fact F6 for Laplace noise)."""
    mean = number_of(part.mean)
    if not isinstance(noise, Laplace) or noise.adds_nothing:
        sd = mpmath.sqrt(number_of(part.variance + added))
        return lambda y: mpmath.npdf(y, mean, sd)
    b = number_of(noise.stated_scale())
    if not part.variance:
        return lambda y: mpmath.exp(-abs(y - mean) / b) / (2 * b)
    sd = mpmath.sqrt(number_of(part.variance))
    s = sd / b

    def density(y: mpmath.mpf) -> mpmath.mpf:
        z = (y - mean) / sd
        right = mpmath.exp(s * s / 2 - s * z) * mpmath.erfc((s - z) / mpmath.sqrt(2))
        left = mpmath.exp(s * s / 2 + s * z) * mpmath.erfc((s + z) / mpmath.sqrt(2))
        return (right + left) / (4 * b)

    return density


def _variance(noise: Noise) -> Fraction:
    """The variance that the noise adds to a normal law: 0 for Laplace noise, or none."""
    if isinstance(noise, GaussianNoise) and noise.variance is not None:
        return noise.variance
    return Fraction(0)


def _known(noise: Noise, kinds: tuple[type[Noise], ...]) -> Noise:
    """The noise, if it is exactly one of these kinds: densities of one are no other's."""
    if type(noise) not in kinds:
        raise InputError(f"there is no density of {noise.kind} noise to look at")
    return noise


def _even(low: mpmath.mpf, high: mpmath.mpf, points: int) -> list[mpmath.mpf]:
    return [low + (high - low) * k / (points - 1) for k in range(points)]


# ---------------------------------------------------------------- outputs that can be counted


def _masses(item: Question, points: int) -> Sight:
    """Atoms without noise: every atom of either prior."""
    laws = [
        {part.mean: part.weight for part in prior.components}
        for prior in item.priors
    ]
    places = sorted({*laws[0], *laws[1]})
    _require(len(places), points)
    return Sight(places, (_table(laws[0]), _table(laws[1])), every=True, word=decimal_text)


def _outputs(item: Question, points: int) -> Sight:
    """A channel that is written out: every output."""
    channel = _channel(item)
    _require(len(channel.outputs), points)
    first, second = (
        _table(dict(zip(channel.outputs, released(channel, _over_inputs(prior)), strict=True)))
        for prior in item.priors
    )
    return Sight(channel.outputs, (first, second), every=True, word=_name)


def _tuples(item: Question, points: int) -> Sight:
    """Tuples with dummies: one of every type, as their order does not matter."""
    channel = _channel(item)
    if not isinstance(channel, Tupling):
        raise InputError("these tuples are not those of a tupling mechanism")
    names, places = channel.base.outputs, channel.dummies + 1
    _require(comb(len(names) + places - 1, places), points)
    types = list(combinations_with_replacement(range(len(names)), places))
    dummy = [number_of(mass) for mass in channel.dummy]

    def law(prior: Prior) -> Law:
        true = [number_of(mass) for mass in released(channel.base, _over_inputs(prior))]

        def mass(places: Sequence[int]) -> mpmath.mpf:
            """The mean over the place of the true output; all the others are dummies."""
            return mpmath.fsum(
                true[k] * mpmath.fprod(dummy[j] for other, j in enumerate(places) if other != at)
                for at, k in enumerate(places)
            ) / len(places)

        return mass

    def word(places: Sequence[int]) -> str:
        return _name(",".join(names[k] for k in places))

    return Sight(types, (law(item.first_prior), law(item.second_prior)), every=True, word=word)


def _table(masses: Mapping[Any, Number | Fraction]) -> Law:
    known = {output: number_of(mass) for output, mass in masses.items()}
    return lambda output: known.get(output, mpmath.mpf(0))


def _channel(item: Question) -> Channel:
    if not isinstance(item.release, Channel):
        raise InputError("there is no channel to look at")
    return item.release


def _over_inputs(prior: Prior) -> Mapping[str, Fraction]:
    if not isinstance(prior, Finite):
        raise InputError("a channel takes priors over its named inputs, of kind finite")
    return prior.support


def _name(output: str) -> str:
    return repr(shorten(output, _NAMES))


def _require(count: int, points: int) -> None:
    if count > points:
        raise InputError(
            f"{shorten(points)} points are too few for {shorten(count)} outputs, all of "
            "which are looked at"
        )


SIGHTS: dict[str, Callable[[Question, int], Sight]] = {
    "masses": _masses,
    "exponential": _atoms,
    "charts": _densities,
    "channels": _outputs,
    "tupling": _tuples,
}
"""Name of a route -> what there is to look at."""
