"""The monotone plan of many atoms as three exact integer arrays, no Python object per edge."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

from pfverify.model.priors.discrete import Discrete

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BITS = 62  # every integer of the arrays, and every difference, fits in 64 bits with its sign


@dataclass(frozen=True, eq=False)
class ArrayPlan:
    """The monotone plan in columns, in the order of its edges.

    Attributes: `x`, `y`, `mass`, int64 arrays of one length k <= n + m - 1: atoms of the first
    and second prior in units of 1/`denominator`, and masses > 0 over `total`.
    """

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    mass: NDArray[np.int64]
    denominator: int
    total: int

    def edges(self) -> tuple[tuple[int, int, int], ...]:
        """Return the edges as Python integers."""
        return tuple(zip(self.x.tolist(), self.y.tolist(), self.mass.tolist(), strict=True))


def monotone_arrays(first: Discrete, second: Discrete) -> ArrayPlan | None:
    """Return the monotone plan as arrays, or None if an integer has more than 62 bits.

    All ends of quantile intervals are sorted at once. A segment between two ends lies in the
    row and the column that end next: as many rows (columns) lie before it as ends of rows
    (columns). Segments of length 0 are dropped.

    Example: ``monotone_arrays(p, q).edges() == monotone_plan(p, q).edges``.
    Source: multi-user paper (6); Santambrogio 2015, Theorem 2.9.
    """
    denominator = lcm(first.denominator, second.denominator)
    total = lcm(first.total, second.total)
    ends = (
        abs(p.points[k]) * (denominator // p.denominator) for p in (first, second) for k in (0, -1)
    )
    if max(total, *ends) >> _BITS:
        return None
    import numpy as np

    points, sums = [], []
    for prior in (first, second):
        points.append(np.array(prior.points, np.int64) * (denominator // prior.denominator))
        sums.append(np.cumsum(np.array(prior.weights, np.int64)) * (total // prior.total))
    both = np.concatenate(sums)
    order = np.argsort(both, kind="stable")
    mass = np.diff(both[order], prepend=0)
    kept = np.flatnonzero(mass)
    of_row = order < len(sums[0])
    rows: NDArray[np.int64] = (np.cumsum(of_row) - of_row)[kept]
    return ArrayPlan(points[0][rows], points[1][kept - rows], mass[kept], denominator, total)
