"""Samplers of noise as textbooks and libraries have them, in floats: what `crosscheck` looks into.

Each returns n draws of x + noise as `--kind sampler` asks for them. Ideal noise on real numbers
keeps a promise that the floats of most of these break; `snapped` and `discrete_laplace` are
remedies.

Source: Mironov, "On significance of the least significant bits for differential privacy", 2012.
"""

from __future__ import annotations

import numpy as np

from pfverify.subjects.line import Array

BOUND = 64.0
"""Where `snapped` clamps."""


def inverse(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return Laplace noise on x by the inverse distribution function, in float64.

    Example: ``len(inverse(0.0, 3))`` is ``3``.
    """
    u = np.random.default_rng(seed).random(n) - 0.5
    return np.asarray(x - scale * np.sign(u) * np.log(1 - 2 * np.abs(u)))


def inverse_float32(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return the same with every operation in float32.

    Example: ``inverse_float32(0.0, 3).dtype`` is ``dtype('float32')``.
    """
    u = np.random.default_rng(seed).random(n, dtype=np.float32) - np.float32(0.5)
    noise = np.float32(scale) * np.sign(u) * np.log(1 - 2 * np.abs(u))
    return np.asarray(np.float32(x) - noise)


def exponentials(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return Laplace noise on x as a difference of two exponential numbers.

    Example: ``len(exponentials(0.0, 3))`` is ``3``.
    """
    one, other = np.random.default_rng(seed).exponential(size=(2, n))
    return np.asarray(x + scale * (one - other))


def numpy_laplace(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return numpy's own Laplace noise on x.

    Example: ``len(numpy_laplace(0.0, 3))`` is ``3``.
    """
    return np.random.default_rng(seed).laplace(x, scale, n)


def numpy_gaussian(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return numpy's own Gaussian noise on x.

    Example: ``len(numpy_gaussian(0.0, 3))`` is ``3``.
    """
    return np.random.default_rng(seed).normal(x, scale, n)


def snapped(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return x with Laplace noise, rounded to a power of two that is at least the scale, clamped.

    It is Mironov's mechanism but for a logarithm that is not always rounded correctly: x is clamped
    to `BOUND`, U is uniform on all floats of (0, 1), and the sum is rounded, then clamped.
    Example: ``set(snapped(0.3, 50, scale=1.5) % 2)`` is ``{0.0}``.
    """
    rng = np.random.default_rng(seed)
    u = np.ldexp(1 + rng.random(n), -rng.geometric(0.5, n))
    sign = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    step = np.exp2(np.ceil(np.log2(scale)))
    noisy = np.clip(x, -BOUND, BOUND) + sign * scale * np.log(u)
    return np.asarray(np.clip(np.rint(noisy / step) * step, -BOUND, BOUND))


def discrete_laplace(x: float, n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Return a whole number x with discrete Laplace noise, a difference of two geometric numbers.

    Example: ``set(discrete_laplace(3, 50) % 1)`` is ``{0.0}``.
    """
    rng, stop = np.random.default_rng(seed), -np.expm1(-1 / scale)
    return np.asarray(x + (rng.geometric(stop, n) - rng.geometric(stop, n)), dtype=np.float64)
