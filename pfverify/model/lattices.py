"""Discrete Laplace noise on a lattice in place of Laplace noise, which no computer draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number
from pfverify.exact.common import common_step
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import by_coordinate
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise, Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped

Beliefs = Mapping[str, Mapping[str, Prior]]
Pairs = Iterable[tuple[str, str]]

_REFUSED: dict[type[Noise], str] = {
    DiscreteLaplace: "the noise is discrete-laplace, on a lattice already",
    GaussianNoise: "gaussian noise has none in its place; state noise of kind discrete-gaussian, "
    "which is another problem",
    NoNoise: "nothing is added, expected laplace noise",
}


def on_lattice(release: Release, step: Number, beliefs: Beliefs, pairs: Pairs) -> Release:
    """Return the same release with discrete Laplace noise in place of Laplace noise.

    Raises InputError as `lattice_noise`, and for a release that has no such one.
    Example: ``on_lattice(Laplace(2), 1, {}, []).step`` is 1.
    """
    match release:
        case Noise():
            return lattice_noise(release, step, beliefs, pairs)
        case Stepped(steps=steps):
            return Stepped(lattice_noise(release.noise, step, beliefs, pairs), steps)
        case Coordinates(scales=scales):
            return Coordinates(lattice_noise(release.noise, step, beliefs, pairs), scales)
        case Selected(before=before, choice=choice):
            found = on_lattice(before, step, beliefs, pairs)
            return Selected(found, [choice.without_kind()])
        case Repeated(one=one):
            found = on_lattice(one, step, beliefs, pairs)
            if isinstance(found, Noise | Coordinates):
                return release.of(found)
    raise InputError(f"lattice: {release.kind} is more than noise on a line")


def lattice_noise(
    noise: Noise, step: Number, beliefs: Beliefs, pairs: Pairs
) -> DiscreteLaplace:
    """Return discrete Laplace noise of the same scale on the multiples of a step.

    Raises InputError for noise that is not Laplace noise, for a prior with a density, and, naming
    the largest step that works, where the atoms of a pair are not all multiples of the step apart.
    Example: ``lattice_noise(Laplace(2), "1/4", {}, []).step`` is ``1/4``.
    Source: design fact F12.
    """
    if type(noise) is not Laplace:
        why = _REFUSED.get(type(noise), f"{noise.kind} noise has none in its place")
        raise InputError(f"lattice: {why}")
    with told_at("lattice: "):
        found = DiscreteLaplace(noise.scale, step)
    largest = largest_step(beliefs, pairs)
    if (largest / found.step).denominator != 1:
        raise InputError(
            f"lattice: with step {shorten(found.step, 30)} the atoms of a pair are not all on one "
            f"lattice; the largest step that works is {shorten(largest, 60)}, and so does that "
            "divided by any whole number"
        )
    return found


def largest_step(beliefs: Beliefs, pairs: Pairs) -> Fraction:
    """Return the largest step of a lattice that holds all atoms of a pair, for every pair.

    0 where each pair has one atom only: every step works.
    Raises InputError for a prior with a density.
    Example: ``largest_step(problem.beliefs, problem.pairs)`` is 1.
    """
    compared, largest = list(pairs), Fraction(0)
    names = list(dict.fromkeys(name for pair in compared for name in pair))
    for table in (part for belief in beliefs.values() for part in by_coordinate(belief)):
        lattices = {name: _lattice(_atoms(name, table[name])) for name in names if name in table}
        for first, second in compared:
            if first not in lattices or second not in lattices:
                continue  # impossible under this belief
            (origin, step), (other, its_step) = lattices[first], lattices[second]
            for gap in (step, its_step, other - origin):
                largest = common_step([largest, gap])
    return largest


def _atoms(secret: str, prior: Prior) -> Discrete:
    if isinstance(prior, Discrete):
        return prior
    if isinstance(prior, Nothing):
        raise InputError(
            f"lattice: the prior of {shorten(secret, 30)!r} may be no number; state "
            "discrete-laplace noise with a step in the file"
        )
    raise InputError(
        f"lattice: the prior of {shorten(secret, 30)!r} has a density, so that X is on no lattice, "
        "and noise on one would show where X lies between its points"
    )


def _lattice(prior: Discrete) -> tuple[Fraction, Fraction]:
    """The first atom of a prior, and the largest step of a lattice that holds all (0: only one)."""
    first = prior.points[0]
    step = gcd(*(point - first for point in prior.points))
    return Fraction(first, prior.denominator), Fraction(step, prior.denominator)
