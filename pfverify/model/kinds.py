"""The kinds of noise and priors, by their names in files: the rest is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.families.balls import TotalVariationBall, WInfinityBall
from pfverify.model.families.confidence import Confidence
from pfverify.model.families.intervals import MassIntervals
from pfverify.model.families.listed import AnyOf, Polytope
from pfverify.model.keys import Key
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.geometric import KEYS as GEOMETRIC_KEYS
from pfverify.model.noises.geometric import KIND as GEOMETRIC
from pfverify.model.noises.geometric import geometric
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
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise, Release


class OtherName(NamedTuple):
    """A further name in files: the keys of its table, and what it states."""

    keys: tuple[Key, ...]
    read: Callable[[Mapping[str, Any]], Noise]


NOISES: dict[str, type[Noise]] = {
    kind.kind: kind
    for kind in (
        Laplace,
        DiscreteLaplace,
        GaussianNoise,
        NoNoise,
        TruncatedLaplace,
        TableNoise,
        DiscreteGaussian,
        TruncatedDiscreteLaplace,
        BoundedLaplace,
        Exponential,
        Gumbel,
    )
}
OTHER_NOISES: dict[str, OtherName] = {GEOMETRIC: OtherName(GEOMETRIC_KEYS, geometric)}
"""Further names of noise in files: each is read as noise of a kind above."""
PRIORS: dict[str, type[Prior]] = {
    kind.kind: kind
    for kind in (
        Discrete,
        Gaussian,
        Mixture,
        Finite,
        Nothing,
        Joint,
        MassIntervals,
        Confidence,
        TotalVariationBall,
        WInfinityBall,
        Polytope,
        AnyOf,
    )
}

K = TypeVar("K", bound=Release | Prior)


def of_a_kind(value: object, kinds: Mapping[str, type[K]], name: str) -> K:
    """Return a value whose class is exactly one of the kinds; a class derived from one is another.

    Raises InputError naming what is offered. Example: ``of_a_kind(1, NOISES, "noise")`` raises.
    """
    for kind in kinds.values():
        if type(value) is kind:
            return value
    *others, last = (kind.__name__ for kind in kinds.values())
    offered = f"{', '.join(others)} or {last}" if others else last
    raise InputError(f"{name}: expected {offered}, got {type(value).__name__}")


def read_noise(table: Mapping[str, Any]) -> Noise:
    """Return the noise of a table; InputError that begins with "noise"."""
    with told_at("noise: "):
        if table["kind"] in OTHER_NOISES:
            return OTHER_NOISES[table["kind"]].read(table)
        kind = _named(table["kind"], NOISES)
        kind.check_keys(table)
        return kind.from_table(table)


def read_priors(where: str, table: Mapping[str, Any]) -> dict[str, Prior]:
    """Return the priors of a table secret -> prior; InputError that begins with its place."""
    found: dict[str, Prior] = {}
    for secret, entry in table.items():
        with told_at(f"{where}.{shorten(secret, 30)}: "):
            found[secret] = _named(entry["kind"], PRIORS).from_table(entry)
    return found


def _named(name: str, kinds: Mapping[str, type[K]]) -> type[K]:
    if name not in kinds:
        raise InputError(f"kind: {shorten(name)!r} is unknown, expected one of {', '.join(kinds)}")
    return kinds[name]
