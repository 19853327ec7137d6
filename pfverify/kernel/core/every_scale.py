"""What holds of atoms with (discrete) Laplace noise at every scale, or at none.  As in `rules`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.bare import laws
from core.finite import require_bounded
from core.line import Lines
from core.rules import Facts, Goal, Rejected, Step
from core.value import sign


def no_noise(goal: Lines, step: Step) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) <= e^epsilon Q(x) for every x     (+ delta on the lattice, where the
                                                        released masses are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    lattice = goal.form == "pointwise" and goal.P.noise.step is not None
    p, q = laws(goal.P.atoms, goal.Q.atoms)
    require_bounded(goal.about(p, q), goal.delta if lattice else Fraction(0))
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
