"""Privacy maps of OpenDP's additive noise: the loss at a sensitivity.

OpenDP promises that a map is an upper bound for the release it makes, whose noise is a discrete
Laplace law on a grid as fine as float64 has; the map of `make_laplace` is that of the ideal law,
rounded upward. The sensitivity here is W-infinity of both laws.
"""

from __future__ import annotations

import numpy as np

from pfverify.subjects.line import Array, largest_move
from pfverify.subjects.optional import opendp

_SHIFT = np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0])  # of the examples


def laplace_loss(atoms: Array, p: Array, q: Array, scale: float) -> float:
    """Return the epsilon that `make_laplace` on float64 states at the sensitivity of both laws.

    Raises InputError where OpenDP is not installed.
    Example: ``laplace_loss(*_SHIFT, 2.0)`` is ``0.5``.
    """
    dp = opendp()
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return float(dp.m.make_laplace(*space, scale=scale).map(largest_move(atoms, p, q)))


def discrete_laplace_loss(atoms: Array, p: Array, q: Array, scale: float) -> float:
    """Return the epsilon that `make_laplace` on 64-bit integers states at their sensitivity.

    Raises InputError where OpenDP is not installed.
    Example: ``discrete_laplace_loss(*_SHIFT, 2.0)`` is ``0.5``.
    """
    dp = opendp()
    space = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    return float(dp.m.make_laplace(*space, scale=scale).map(int(largest_move(atoms, p, q))))
