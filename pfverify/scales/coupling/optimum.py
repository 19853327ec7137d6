"""The rate at which the columns programme is just feasible, by Newton steps in floats."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, log, nan, sqrt

import numpy as np

from pfverify.scales.coupling.programme import Programme, Solution

_ROUNDS = 40  # solves: Newton takes about 5, the worst case seen 13
_GIVEN_UP = 4  # solves that give nothing, after which no more are tried
_CLOSE = 3e-14  # |log s| at the optimum: what the rounding of some 100 float sums leaves
_CLOSE_LARGE = 1e-12  # the same where a solve is slow and its sums are longer
_LOG_ERROR = 4e-16  # of a logarithm as large as epsilon
_LARGE = 2500  # edges from which a solve takes tenths of a second
_NARROW = 1e-15  # relative width of a bracket with no float between its ends to speak of
_LEAST = 1e-300  # s as a float > 0, for its logarithm
_AHEAD = 1e-5  # relative step of a slope, whose error it is: five digits more in a Newton step
_INNER, _NEAR = 6, 1e-10  # Newton steps without a solve, and how small the last one is


@dataclass(frozen=True)
class FloatOptimum:
    """What floats found: the largest feasible rate tried, and its solution (None: no solution).

    `tight`: whether s is 1 there, as near as floats tell. Else HiGHS gave up, and what it said
    shortly before may be worse than what it said long before: `feasible` are all that it said.
    """

    programme: Programme
    rate: float
    solution: Solution | None
    tight: bool
    feasible: tuple[Solution, ...]

    @cached_property
    def scale(self) -> Fraction:
        """The scale of that rate."""
        return self.programme.scale(self.rate)


def optimum(programme: Programme, rate: float) -> FloatOptimum:
    """Return the rate at which s is 1, from a feasible one: Newton steps in a bracket."""
    best, at, tight, gave_up = None, rate, False, 0
    feasible: list[Solution] = []
    close = _CLOSE_LARGE if programme.distances.size > _LARGE else _CLOSE
    close = max(close, _LOG_ERROR * programme.float_epsilon)
    low, high = (0.0, -inf), (inf, inf)  # rates with log s
    for turn in range(_ROUNDS):
        solution = programme.solution(rate)
        gave_up += solution is None
        if solution is None and (best is None or gave_up > _GIVEN_UP):
            break
        # where HiGHS gives up, and s was smaller before, it is too large for floats
        gap = inf if solution is None else log(max(solution.value, _LEAST))
        if best is None or gap <= 0 or abs(gap) < close:
            best, at = solution, rate
        if solution is not None and gap <= 0:
            feasible.append(solution)
        tight = abs(gap) < close or high[0] - low[0] < _NARROW * rate
        if tight:
            break  # log s grows at least like log rate
        if gap > 0:
            high = rate, gap
        else:
            low = rate, gap
        new = nan
        if solution is not None and gap < inf:
            new = _next_rate(programme, solution, rate)
        if not low[0] < new < high[0]:
            if high[0] == inf:
                new = 2 * rate
            elif low[0] == 0:
                new = rate / 2
            elif high[1] == inf:
                new = sqrt(low[0]) * sqrt(high[0])
            elif turn % 2:
                new = (low[0] + high[0]) / 2
            else:
                new = low[0] - low[1] * (high[0] - low[0]) / (high[1] - low[1])
        rate = new
    return FloatOptimum(programme, at, best, tight, tuple(feasible))


def _next_rate(programme: Programme, solution: Solution, rate: float) -> float:
    """Return the rate at which s would be 1 if its plan and the weights of the columns stayed, or
    nan; by Newton steps, too."""
    with np.errstate(all="ignore"):
        logs = np.log(solution.w * solution.column_shares) + programme.log_q
        used = np.isfinite(logs) & (programme.distances > 0)
        logs, distances = logs[used], programme.distances[used]

        def mean(at: float) -> float:
            return float(np.log(np.exp(logs + programme.log_costs(at, distances)).sum()))

        new, whole = rate, mean(rate) - log(max(solution.value, _LEAST))
        for _ in range(_INNER):
            here = mean(new)
            rise = mean(new * (1 + _AHEAD)) - here
            if not rise > 0:  # what HiGHS said is too far from any optimum
                return nan
            step = (here - whole) * new * _AHEAD / rise
            new -= step
            if not abs(step) > _NEAR * new:
                break
    return new
