"""Which noise can be drawn exactly, and why the rest is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.releases.release import Noise
from pfverify.sampling.bits import Bits
from pfverify.sampling.laplace import rate_of, steps

Draw = Callable[[Bits], Fraction]

_CONTINUOUS = (
    "{kind} noise is continuous: the verdict is about ideal real numbers, and what a "
    "floating-point sampler draws is something else"
)


def drawer(noise: Noise) -> Draw:
    """Return what draws this noise exactly.

    Raises InputError for noise that is continuous, or none, and for a kind without a sampler.
    Example: ``drawer(DiscreteLaplace(2, step="1/2"))(Bits()).denominator in (1, 2)`` is True.
    """
    if type(noise) not in SAMPLERS:
        raise InputError(f"noise.kind: {noise.kind} noise has no exact sampler here")
    return SAMPLERS[type(noise)](noise)


def _discrete_laplace(noise: Noise) -> Draw:
    if not isinstance(noise, DiscreteLaplace):
        raise TypeError(f"{noise.kind} noise has no step")
    rate, step = rate_of(noise), noise.step
    return lambda bits: step * steps(rate, bits)


def _refused(reason: str) -> Callable[[Noise], Draw]:
    def refuse(noise: Noise) -> Draw:
        raise InputError(f"noise.kind: {reason.format(kind=noise.kind)}")

    return refuse


SAMPLERS: dict[type[Noise], Callable[[Noise], Draw]] = {
    DiscreteLaplace: _discrete_laplace,
    Laplace: _refused(
        f"{_CONTINUOUS}; discrete Laplace noise of the same scale can be drawn: the problem on a "
        "lattice (--lattice STEP, or problem.on_lattice(step)) is decided too"
    ),
    GaussianNoise: _refused(
        f"{_CONTINUOUS}; there is no lattice in its place here: discrete Gaussian noise is not "
        "decided yet"
    ),
    TruncatedLaplace: _refused(_CONTINUOUS),
    NoNoise: _refused("none adds nothing, there is no noise to draw"),
}
"""Kind -> what makes its sampler; a kind without a row is refused by name."""
