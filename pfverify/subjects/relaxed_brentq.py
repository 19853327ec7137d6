"""The relaxed mechanism of the noise-reduction paper, its roots found by scipy's brentq."""

from __future__ import annotations

from collections import defaultdict
from math import log

import numpy as np
from scipy.optimize import brentq

from pfverify.subjects.line import Array, monotone_plan


def scale(atoms: Array, p: Array, q: Array, epsilon: float) -> float:
    """Return the largest root over the columns of the monotone plan, equation (13); 0.0 if none.

    The root is taken in 1/theta, as a logarithm, so that nothing overflows; the end of brentq's
    last interval is taken as it comes, which may be the side on which the condition fails.
    Example: ``scale(np.array([0.0, 1]), np.array([0.0, 1]), np.array([1.0, 0]), 0.5)`` is ``2.0``.
    """
    columns: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for i, j, mass in monotone_plan(p, q):
        columns[j].append((abs(float(atoms[i]) - float(atoms[j])), float(mass)))
    return max(_column(np.array(column), epsilon) for column in columns.values())


def _column(column: Array, epsilon: float) -> float:
    distances, weights = column[:, 0], column[:, 1] / column[:, 1].sum()
    mean, longest = float(distances @ weights), float(distances.max())
    if not mean:
        return 0.0

    def excess(rate: float) -> float:
        """Log of the column's mean of exp(distance * rate), less epsilon: increasing."""
        shift = longest * rate  # so that no exponential overflows
        return shift + log(weights @ np.exp(distances * rate - shift)) - epsilon

    low, high = epsilon / longest, epsilon / mean  # by Jensen the root lies between
    if not excess(low) < 0 < excess(high):
        return 1 / low  # one distance only, or the same up to rounding
    return 1 / float(brentq(excess, low, high, xtol=1e-300, rtol=1e-15, maxiter=2000))
