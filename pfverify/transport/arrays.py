"""The monotone plan of many atoms as three exact integer arrays, no Python object per edge."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from pfverify.model.priors.discrete import Discrete
from pfverify.transport.line_plan import LinePlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BITS = 62  # every integer of the arrays, and every difference, fits in 64 bits with its sign


def monotone_arrays(first: Discrete, second: Discrete) -> LinePlan | None:
    """Return the monotone plan, or None if an integer has more than 62 bits.

    All ends of quantile intervals are sorted at once. A segment between two ends lies in the
    row and the column that end next: as many rows (columns) lie before it as ends of rows
    (columns). Segments of length 0 are dropped.

    Example: ``monotone_arrays(p, q).edges == monotone_plan(p, q).edges``.
    Source: multi-user paper (6); Santambrogio 2015, Theorem 2.9.
    """
    denominator = lcm(first.denominator, second.denominator)
    total = lcm(first.total, second.total)
    ends = (abs(end) * (denominator // p.denominator) for p in (first, second) for end in p.ends)
    if max(total, *ends) >> _BITS:
        return None
    import numpy as np

    points, sums = [], []
    for prior in (first, second):
        atoms, weights = _columns(prior)
        points.append(atoms * (denominator // prior.denominator))
        sums.append(np.cumsum(weights) * (total // prior.total))
    both = np.concatenate(sums)
    order = np.argsort(both, kind="stable")
    mass = np.diff(both[order], prepend=0)
    kept = np.flatnonzero(mass)
    of_row = order < len(sums[0])
    rows: NDArray[np.int64] = (np.cumsum(of_row) - of_row)[kept]
    return LinePlan(points[0][rows], points[1][kept - rows], mass[kept], denominator, total)


def _columns(prior: Discrete) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Atoms and weights, all of at most 62 bits, as arrays."""
    if prior.columns is not None:
        return prior.columns.points, prior.columns.weights
    import numpy as np

    return np.array(prior.points, np.int64), np.array(prior.weights, np.int64)
