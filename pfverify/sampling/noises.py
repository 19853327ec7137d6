"""Which noise can be drawn exactly, and why the rest is refused."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, repeat
from typing import Any

from pfverify.errors import InputError
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
from pfverify.model.releases.release import Noise
from pfverify.sampling import gaussian
from pfverify.sampling.bits import Bits
from pfverify.sampling.laplace import sizes_of, steps

Draw = Callable[[Bits], Iterator[Fraction]]
"""Called with random bits: independent draws, without end."""

_CONTINUOUS = (
    "{kind} noise is continuous: the verdict is about ideal real numbers, and what a "
    "floating-point sampler draws is something else"
)


def drawer(noise: Noise, x: Fraction | None = None) -> Draw:
    """Return what draws this noise exactly, where it depends on X that of the value x.

    Raises InputError for noise that is continuous, or none, for a kind without a sampler, and
    without a value where one is needed.
    Example: ``next(drawer(DiscreteLaplace(2, step="1/2"))(Bits())).denominator < 3`` is True.
    """
    if type(noise) not in SAMPLERS:
        raise InputError(f"noise.kind: {noise.kind} noise has no exact sampler here")
    return SAMPLERS[type(noise)](noise, x)


def _discrete_laplace(noise: DiscreteLaplace, x: Fraction | None) -> Draw:
    del x
    sizes = sizes_of(noise)
    return lambda bits: _times(noise.step, steps(sizes, bits))


def _truncated(noise: TruncatedDiscreteLaplace, x: Fraction | None) -> Draw:
    """Draws of discrete Laplace noise, of which those beyond the bound are drawn again."""
    del x
    sizes, last = sizes_of(DiscreteLaplace(noise.scale, noise.step)), noise.reach

    def draws(bits: Bits) -> Iterator[Fraction]:
        return _times(noise.step, (k for k in steps(sizes, bits) if abs(k) <= last))

    return draws


def _discrete_gaussian(noise: DiscreteGaussian, x: Fraction | None) -> Draw:
    del x
    variance = gaussian.variance_in_steps(noise)
    return lambda bits: _times(noise.step, gaussian.steps(variance, bits))


def _times(step: Fraction, counts: Iterator[int]) -> Iterator[Fraction]:
    top, bottom = step.numerator, step.denominator
    if bottom == 1:  # a fraction of two numbers takes half as long again to make
        return (Fraction(top * count) for count in counts)
    return (Fraction(top * count, bottom) for count in counts)


def _from_table(noise: TableNoise, x: Fraction | None) -> Draw:
    if x is None and not noise.independent:
        raise InputError("value: missing, expected the true value: each has its own noise table")
    law = noise.of(0 if x is None else x)
    ends, points = [*accumulate(law.weights)], law.atoms
    return lambda bits: (points[bisect_right(ends, bits.below(law.total))] for _ in repeat(None))


def _refused(reason: str) -> Callable[[Noise, Fraction | None], Draw]:
    def refuse(noise: Noise, x: Fraction | None) -> Draw:
        del x
        raise InputError(f"noise.kind: {reason.format(kind=noise.kind)}")

    return refuse


SAMPLERS: dict[type[Noise], Callable[[Any, Fraction | None], Draw]] = {
    DiscreteLaplace: _discrete_laplace,
    Laplace: _refused(
        f"{_CONTINUOUS}; discrete Laplace noise of the same scale can be drawn: the problem on a "
        "lattice (--lattice STEP, or problem.on_lattice(step)) is decided too"
    ),
    GaussianNoise: _refused(
        f"{_CONTINUOUS}; state noise of kind discrete-gaussian, which is another problem"
    ),
    TableNoise: _from_table,
    DiscreteGaussian: _discrete_gaussian,
    TruncatedDiscreteLaplace: _truncated,
    TruncatedLaplace: _refused(_CONTINUOUS),
    BoundedLaplace: _refused(_CONTINUOUS),
    Exponential: _refused(_CONTINUOUS),
    Gumbel: _refused(_CONTINUOUS),
    NoNoise: _refused("none adds nothing, there is no noise to draw"),
}
"""Kind -> what makes its sampler; a kind without a row is refused by name."""
