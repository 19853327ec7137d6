"""What holds of atoms or points with (discrete) Laplace noise at every scale, and why no scale at
all satisfies the goals of a problem.  As in `rules`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.calculus import area
from core.kinds import FORMS, ZCDP, kind_of
from core.rules import Facts, Goal, Rejected, Step, law_of_x
from core.value import sign


def no_noise(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    the goal holds of X itself     (of densities: P(x) <= e^epsilon Q(x) for every x; of masses on
                                    the lattice with the delta, as they are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    p, q = law_of_x(goal.P), law_of_x(goal.Q)
    kind = kind_of("none", p, q)
    p, q = kind.laws(p, q, goal.release)
    densities = goal.form != "events" and goal.release.step is None
    delta = Fraction(0) if densities else goal.delta
    about = goal.about(p, q, delta=delta, kind=kind)
    area(about, step)
    return {"DPI"}


def no_scale(goals: list[Goal[Any, Any]]) -> Facts:
    """
    epsilon = delta = 0     P != Q for some goal, of that epsilon
    ------------------------------------------------------------------- injectivity
    no scale satisfies the goals: p <= q with equal integrals forces p = q, hence P = Q

    gaussian noise, delta = 0     in a tail of some goal P outgrows e^epsilon Q
    --------------------------------------------------------------------------- the dominating term
    no scale satisfies the goals

    gaussian noise     of some goal P and Q are normal, P the wider one
    -------------------------------------------------------------------- F96
    no scale satisfies the goals of all orders: of some order D is infinite
    """
    if not goals[0].delta_is_zero:
        raise Rejected("delta is not 0")
    for goal in goals:
        differ = law_of_x(goal.P) != law_of_x(goal.Q)
        if goal.kind.no_scale and sign(goal.epsilon) == 0 and differ:
            return {goal.kind.no_scale}
    for goal in goals:
        if goal.form in ZCDP:
            wider = goal.kind.load_moment("wider")
            if wider is not None and wider(goal):
                return {"F96"}
        if goal.form not in FORMS:  # a divergence may be bounded where no ratio is
            continue
        if goal.kind.outgrows is not None and goal.kind.outgrows(goal):
            return {*goal.kind.tail}
    raise Rejected("no goal is seen to fail at every scale")
