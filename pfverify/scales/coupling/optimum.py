"""The rate at which the columns programme is just feasible, by Newton steps in floats."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, nan

import numpy as np

from pfverify.scales.coupling.programme import Programme, Solution

_ROUNDS = 40  # solves: Newton takes about 5, the worst case seen 13
_CLOSE = 3e-14  # |log s| at the optimum: what the rounding of some 100 float sums leaves
_CLOSE_LARGE = 1e-12  # the same where a solve is slow and its sums are longer
_LARGE = 2500  # edges from which a solve takes tenths of a second
_NARROW = 1e-15  # relative width of a bracket with no float between its ends to speak of
_LEAST = 1e-300  # s as a float > 0, for its logarithm
_AHEAD = 1e-5  # relative step of the slope, whose error it is: five digits more in a Newton step


@dataclass(frozen=True)
class FloatOptimum:
    """What floats found: the largest feasible rate tried, and its solution (None: no solution)."""

    rate: float
    solution: Solution | None


def optimum(programme: Programme, scale: Fraction) -> FloatOptimum:
    """Return the rate at which s is 1, from a feasible scale: Newton steps in a bracket."""
    best, rate = None, programme.rate(scale)
    at = rate
    close = _CLOSE_LARGE if programme.distances.size > _LARGE else _CLOSE
    low, high = (0.0, -inf), (inf, inf)  # rates with log s
    for turn in range(_ROUNDS):
        solution = programme.solution(rate)
        if solution is None:
            break
        gap = log(max(solution.value, _LEAST))
        if best is None or gap <= 0 or abs(gap) < close:
            best, at = solution, rate
        if abs(gap) < close or high[0] - low[0] < _NARROW * rate:
            break  # log s grows at least like log rate
        if gap > 0:
            high = rate, gap
        else:
            low = rate, gap
        new = rate - gap / _slope(programme, solution, rate)
        if not low[0] < new < high[0]:
            if high[0] == inf:
                new = 2 * rate
            elif low[0] == 0:
                new = rate / 2
            elif turn % 2:
                new = (low[0] + high[0]) / 2
            else:
                new = low[0] - low[1] * (high[0] - low[0]) / (high[1] - low[1])
        rate = new
    return FloatOptimum(at, best)


def _slope(programme: Programme, solution: Solution, rate: float) -> float:
    """Return about d log s / d rate by the weights of the columns (they sum to 1), or nan."""
    ahead = programme.log_costs(rate * (1 + _AHEAD))
    weights = solution.w * np.exp(programme.log_q[0])
    with np.errstate(all="ignore"):
        shares = np.log(np.maximum(solution.column_shares, 0))
        grown = np.exp(shares + ahead).sum(axis=0) @ weights / solution.value
        found = float(np.log(grown)) / (rate * _AHEAD)
    return found if 0 < found < inf else nan
