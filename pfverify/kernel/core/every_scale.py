"""What holds of atoms or points with (discrete) Laplace noise at every scale, or at none.

As in `rules`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.calculus import area
from core.kinds import kind_of
from core.rules import Facts, Goal, Rejected, Step
from core.value import sign


def no_noise(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    the goal holds of X itself     (of densities: P(x) <= e^epsilon Q(x) for every x; of masses on
                                    the lattice with the delta, as they are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    p, q = goal.P.bare, goal.Q.bare
    kind = kind_of("none", p, q)
    p, q = kind.laws(p, q, goal.release)
    densities = goal.form != "events" and goal.release.step is None
    delta = Fraction(0) if densities else goal.delta
    area(goal.about(p, q, delta=delta, kind=kind), step)
    return {"DPI"}


def no_scale(goals: list[Goal[Any, Any]]) -> Facts:
    """
    epsilon = delta = 0     P != Q for some goal, of that epsilon
    ------------------------------------------------------------------- injectivity
    no scale satisfies the goals: p <= q with equal integrals forces p = q, hence P = Q
    """
    first = goals[0]
    pure = [goal for goal in goals if sign(goal.epsilon) == 0]
    if not first.delta_is_zero or not pure:
        raise Rejected("epsilon and delta are not both 0")
    if all(goal.P == goal.Q for goal in pure):
        raise Rejected("all the priors agree")
    return {"INJ"}
