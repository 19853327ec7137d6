"""Why no scale at all satisfies the goals of a problem.  As in `rules`."""

from __future__ import annotations

from typing import Any

from core.rules import Facts, Goal, Rejected, law_of_x
from core.value import sign


def no_scale(goals: list[Goal[Any, Any]]) -> Facts:
    """
    epsilon = delta = 0     P != Q for some goal, of that epsilon
    ------------------------------------------------------------------- injectivity
    no scale satisfies the goals: p <= q with equal integrals forces p = q, hence P = Q

    gaussian noise, delta = 0     in a tail of some goal P outgrows e^epsilon Q
    --------------------------------------------------------------------------- the dominating term
    no scale satisfies the goals
    """
    if not goals[0].delta_is_zero:
        raise Rejected("delta is not 0")
    for goal in goals:
        differ = law_of_x(goal.P) != law_of_x(goal.Q)
        if goal.kind.no_scale and sign(goal.epsilon) == 0 and differ:
            return {goal.kind.no_scale}
    if any(goal.kind.outgrows is not None and goal.kind.outgrows(goal) for goal in goals):
        return {"TAIL"}
    raise Rejected("no goal is seen to fail at every scale")
