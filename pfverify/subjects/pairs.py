"""What accountants are told of two laws: how far a point moves, and how often."""

from __future__ import annotations

from math import inf, log, nextafter
from typing import NamedTuple

import numpy as np

from pfverify.subjects.line import Array, largest_move


class MovedPoint(NamedTuple):
    """A point that moves by a distance, with a chance in each release.

    `exact`: whether that is the pair; else it bounds it from above.
    """

    distance: float
    rate: float
    exact: bool


def moved(atoms: Array, p: Array, q: Array) -> MovedPoint:
    """Return how a pair moves: other pairs than a point that does, by W-infinity at rate 1.

    Example: ``moved(np.array([0.0, 1.0]), np.array([0.75, 0.25]), np.array([1.0, 0.0]))`` is
    ``MovedPoint(distance=1.0, rate=0.25, exact=True)``.
    """
    for single, other in ((p, q), (q, p)):
        places, others = np.flatnonzero(single), np.flatnonzero(other)
        away = [k for k in others if k != places[0]]
        if len(places) == 1 and len(away) == 1:
            distance = abs(float(atoms[away[0]] - atoms[places[0]]))
            return MovedPoint(distance, float(other[away[0]] / other.sum()), True)
    return MovedPoint(largest_move(atoms, p, q), 1.0, False)


def largest_log_ratio(p: Array, q: Array) -> float:
    """Return the largest loss of a release without noise, rounded upward, in either order.

    Example: ``round(largest_log_ratio(np.array([0.75, 0.25]), np.array([0.25, 0.75])), 4)`` is
    ``1.0986``.
    """
    first, second = p / p.sum(), q / q.sum()
    if np.any((first > 0) != (second > 0)):
        return inf
    ratios = [abs(log(a / b)) for a, b in zip(first, second, strict=True) if a]
    return nextafter(max(ratios) * (1 + 1e-15), inf)
