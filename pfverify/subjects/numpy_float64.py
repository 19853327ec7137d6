"""Laplace noise on atoms in vectorised float64: linear time, nothing rounded outward.

Sums of exponentials are kept as logarithms, so that nothing overflows or vanishes.
"""

from __future__ import annotations

import numpy as np

from pfverify.subjects.line import Array

_STEPS = 60  # of the bisection


def density(atoms: Array, p: Array, scale: float, y: Array) -> Array:
    """Return the density of X + noise at each y.

    Example: ``density(np.array([0.0]), np.array([1.0]), 1.0, np.array([0.0])).tolist()`` is
    ``[0.5]``.
    """
    left, right = _sums(atoms, p, scale)
    k = np.searchsorted(atoms, y, side="right")  # atoms to the left of y
    with np.errstate(divide="ignore"):
        parts = np.full((2, len(y)), -np.inf)
        some = k > 0
        parts[0, some] = left[k[some] - 1] - (y[some] - atoms[k[some] - 1]) / scale
        some = k < len(atoms)
        parts[1, some] = right[k[some]] - (atoms[k[some]] - y[some]) / scale
    return np.asarray(np.exp(np.logaddexp(parts[0], parts[1])) / (2 * scale))


def loss(atoms: Array, p: Array, q: Array, scale: float) -> float:
    """Return the largest absolute log ratio of both densities: it is at an atom.

    Example: ``loss(np.array([0.0, 1]), np.array([1.0, 0]), np.array([0.0, 1]), 2.0)`` is ``0.5``.
    """
    return float(np.max(np.abs(_log_at_atoms(atoms, p, scale) - _log_at_atoms(atoms, q, scale))))


def delta(atoms: Array, p: Array, q: Array, scale: float, epsilon: float) -> float:
    """Return the larger divergence of both orders at `epsilon`.

    Example: ``round(delta(np.array([0.0, 1]), np.array([1.0, 0]), np.array([0.0, 1]), 1, 0), 4)``
    is ``0.3935``; it is 1 - exp(-1/2).
    """
    return max(_delta(atoms, p, q, scale, epsilon), _delta(atoms, q, p, scale, epsilon))


def scale(atoms: Array, p: Array, q: Array, epsilon: float) -> float:
    """Return the upper end of a bisection for the least scale whose `loss` is at most `epsilon`.

    Example: ``scale(np.array([0.0, 1]), np.array([1.0, 0]), np.array([0.0, 1]), 0.5)`` is ``2.0``.
    """
    low, high = 0.0, float(atoms[-1] - atoms[0]) / epsilon
    if high == 0 or np.array_equal(p / p.sum(), q / q.sum()):
        return 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if loss(atoms, p, q, middle) <= epsilon:
            high = middle
        else:
            low = middle
    return high


def _sums(atoms: Array, p: Array, scale: float) -> tuple[Array, Array]:
    """Logs of the sums, at each atom, over the atoms up to it and from it on."""
    with np.errstate(divide="ignore"):
        log_p, places = np.log(p / p.sum()), atoms / scale
    left = np.logaddexp.accumulate(log_p + places) - places
    right = np.logaddexp.accumulate((log_p - places)[::-1])[::-1] + places
    return left, right


def _log_at_atoms(atoms: Array, p: Array, scale: float) -> Array:
    """Log of the density at each atom, but for the factor 1 / (2 scale)."""
    left, right = _sums(atoms, p, scale)
    after = np.append(right[1:] - np.diff(atoms) / scale, -np.inf)
    return np.asarray(np.logaddexp(left, after))


def _delta(atoms: Array, p: Array, q: Array, scale: float, epsilon: float) -> float:
    """The integral of the positive part of p - exp(epsilon) q, one closed form per segment."""
    p_left, p_right = _sums(atoms, p, scale)
    q_left, q_right = _sums(atoms, q, scale)
    left = np.exp(p_left) - np.exp(epsilon + q_left)
    right = np.exp(p_right) - np.exp(epsilon + q_right)
    tails = max(right[0], 0) / 2 + max(left[-1], 0) / 2
    u, v, h = left[:-1], right[1:], np.diff(atoms) / scale  # u decays rightward, v leftward
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = np.clip(h / 2 + np.log(-u / v) / 2, 0, h)
    zero = np.where(u * v < 0, zero, np.where(u + v > 0, h, 0))
    before = -u * np.expm1(-zero) + v * (np.exp(zero - h) - np.exp(-h))
    after = u * (np.exp(-zero) - np.exp(-h)) - v * np.expm1(zero - h)
    inside = np.where((u > 0) | ((u == 0) & (v > 0)), before, after)
    return float(tails + np.sum(np.maximum(inside, 0)) / 2)
