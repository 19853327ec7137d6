"""Two released laws as floats, for pictures alone: nothing here decides anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import log_ndtr, logsumexp

from pfverify.answers.outcome import Place
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import as_number
from pfverify.model.channels.released import released
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Component, Prior

Array = np.ndarray
_POINTS = 401  # of a drawn curve, besides the atoms
_MOST_ATOMS = 400  # that are drawn as points of a curve
_MOST_STEMS = 200
_SPREADS, _SDS = 6.0, 4.5  # how far beyond the priors a picture goes
_CHUNK = 1_000_000
MOST_OUTPUTS = 24


class NotDrawnError(Exception):
    """There is no picture; the message says why."""


@dataclass(frozen=True)
class Laws:
    """Both laws at places y: `first` and `second` are log densities, or log masses if `masses`.

    `names`: of the outputs of a channel, which stand at 1, 2, ...; `left_out`: how many do not.
    """

    y: Sequence[float]
    first: Sequence[float]
    second: Sequence[float]
    masses: bool
    names: Sequence[str] = ()
    left_out: int = 0


def drawn_laws(
    noise: Noise, scale: float, first: Prior, second: Prior, worst: Fraction | Place
) -> Laws:
    """Return the laws of prior plus noise at a scale (0: of the priors themselves).

    Raises NotDrawnError where there is nothing to draw.
    """
    laws = [first.components, second.components]
    bare, scale = noise.adds_nothing, 0.0 if noise.adds_nothing else scale
    atoms = sorted({part.mean for law in laws for part in law if not part.variance})
    if bare and not any(part.variance for law in laws for part in law):
        return _at_atoms(laws, atoms)
    if bare and atoms:
        raise NotDrawnError(
            "without noise this release has both a density and single values of positive mass"
        )
    if isinstance(noise, DiscreteLaplace):
        return _on_lattice(laws, noise.step, scale)
    kind = GaussianNoise if bare else type(noise)  # no noise: a normal law of variance 0 more
    if not bare and kind not in _DENSITIES:
        raise NotDrawnError(f"there is no picture of {noise.kind} noise")
    y = _places(laws, atoms, scale, worst)
    logs = [_floats(_mixed(law, y, _DENSITIES[kind], scale)) for law in laws]
    return Laws(_floats(y), logs[0], logs[1], masses=False)


def channel_laws(channel: Channel, first: Prior, second: Prior) -> Laws:
    """Return the laws of a channel's output, those of the largest log ratios where there are many.

    Raises NotDrawnError for a channel that is not written out.
    """
    if not channel.written_out or not (isinstance(first, Finite) and isinstance(second, Finite)):
        raise NotDrawnError("an output is a whole tuple, and there are too many to draw")
    masses = [
        [_float_of(mass) for mass in released(channel, law.support)] for law in (first, second)
    ]
    logs = [[math.log(mass) if mass > 0 else -math.inf for mass in law] for law in masses]
    possible = [k for k in range(len(channel.outputs)) if max(masses[0][k], masses[1][k]) > 0]
    chosen = sorted(possible, key=lambda k: -abs(logs[0][k] - logs[1][k]))[:MOST_OUTPUTS]
    chosen.sort()
    return Laws(
        [float(k) for k in range(1, len(chosen) + 1)],
        [logs[0][k] for k in chosen],
        [logs[1][k] for k in chosen],
        masses=True,
        names=[channel.outputs[k] for k in chosen],
        left_out=len(channel.outputs) - len(chosen),
    )


def _float_of(mass: object) -> float:
    if isinstance(mass, Fraction):
        return float(mass)
    return as_number(mass).ball().midpoint()  # type: ignore[arg-type]


def _at_atoms(laws: Sequence[Sequence[Component]], atoms: Sequence[Fraction]) -> Laws:
    if len(atoms) > _MOST_STEMS:
        raise NotDrawnError(f"there are {len(atoms)} values, too many to draw one by one")
    tables = [{part.mean: part.weight for part in law} for law in laws]
    logs = [
        [math.log(table[atom]) if table.get(atom) else -math.inf for atom in atoms]
        for table in tables
    ]
    return Laws([float(atom) for atom in atoms], logs[0], logs[1], masses=True)


def _on_lattice(laws: Sequence[Sequence[Component]], step: Fraction, scale: float) -> Laws:
    """Masses at lattice points: (1-t)/(1+t) t**k at k steps, t = e**(-step/scale)."""
    origin = laws[0][0].mean
    unit = float(step)
    means = [float(part.mean) for law in laws for part in law]
    beyond = math.ceil(_SPREADS * scale / unit)
    low = round((min(means) - float(origin)) / unit) - beyond
    high = round((max(means) - float(origin)) / unit) + beyond
    every = -(-(high - low) // _MOST_STEMS) or 1  # of many lattice points every so many
    y = float(origin) + unit * np.arange(low, high + 1, every)
    front = math.log(-math.expm1(-unit / scale)) - math.log1p(math.exp(-unit / scale))
    first, second = (_floats(front + _mixed(law, y, _laplace_power, scale)) for law in laws)
    missing = (high - low + 1) - len(y)
    return Laws(_floats(y), first, second, masses=True, left_out=missing)


def _floats(values: Array) -> list[float]:
    return [float(value) for value in values]


def _places(
    laws: Sequence[Sequence[Component]], atoms: Sequence[Fraction], scale: float,
    worst: Fraction | Place,
) -> Array:
    parts = [part for law in laws for part in law]
    sds = [math.sqrt(float(part.variance)) for part in parts]
    ends = [(float(p.mean) - _SDS * sd, float(p.mean) + _SDS * sd)
            for p, sd in zip(parts, sds, strict=True)]  # fmt: skip
    beyond = _SPREADS * scale
    low = min(a for a, _ in ends) - beyond
    high = max(b for _, b in ends) + beyond
    marks = [float(atom) for atom in atoms] if len(atoms) <= _MOST_ATOMS else []
    if isinstance(worst, Fraction) and low <= float(worst) <= high:
        marks.append(float(worst))
    return np.unique(np.concatenate([np.linspace(low, high, _POINTS), np.array(marks)]))


Kernel = Callable[[Array, Array, float], Array]
"""Log density (or mass, but for a factor) at distances from components of these variances."""


def _mixed(law: Sequence[Component], y: Array, kernel: Kernel, scale: float) -> Array:
    """The log of the sum of weights times what the noise makes of each component."""
    means = np.array([float(part.mean) for part in law])
    variances = np.array([float(part.variance) for part in law])
    logs = np.array(
        [math.log(part.weight.numerator) - math.log(part.weight.denominator) for part in law]
    )
    rows = max(1, _CHUNK // len(means))
    found = [
        logsumexp(logs + kernel(some[:, None] - means, variances, scale), axis=1)
        for some in np.array_split(y, -(-len(y) // rows))
    ]
    return np.concatenate(found)


def _laplace_power(distance: Array, variances: Array, scale: float) -> Array:
    """The power -|d|/scale of atoms."""
    del variances
    return np.asarray(-np.abs(distance) / scale)


def _with_laplace(distance: Array, variances: Array, scale: float) -> Array:
    """The log density of an atom, or of a normal law, plus Laplace noise.

    Source: Gaussian-priors paper: e**(s**2/2b**2 -+ d/b) Phi(+-d/s - s/b) / 2b, both added.
    """
    sd = np.sqrt(np.where(variances > 0, variances, 1.0))
    shift = sd**2 / (2 * scale**2)
    sides = [
        shift - sign * distance / scale + log_ndtr(sign * distance / sd - sd / scale)
        for sign in (1, -1)
    ]
    power = np.where(variances > 0, np.logaddexp(*sides), -np.abs(distance) / scale)
    return np.asarray(power - math.log(2 * scale))


def _with_gaussian(distance: Array, variances: Array, scale: float) -> Array:
    """The log density of an atom, or of a normal law, plus Gaussian noise: variances add up."""
    whole = variances + scale**2
    return np.asarray(-(distance**2) / (2 * whole) - 0.5 * np.log(2 * math.pi * whole))


_DENSITIES: dict[type, Kernel] = {Laplace: _with_laplace, GaussianNoise: _with_gaussian}
