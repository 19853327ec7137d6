"""What holds of atoms or points with (discrete) Laplace noise at every scale.  As in `rules`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.calculus import area
from core.kinds import kind_of
from core.rules import Facts, Goal, Step


def no_noise(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    the goal holds of X itself     (of densities: P(x) <= e^epsilon Q(x) for every x; of masses on
                                    the lattice with the delta, as they are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    p, q = goal.P.law_of_x, goal.Q.law_of_x
    kind = kind_of("none", p, q)
    p, q = kind.laws(p, q, goal.release)
    densities = goal.form != "events" and goal.release.step is None
    delta = Fraction(0) if densities else goal.delta
    area(goal.about(p, q, delta=delta, kind=kind), step)
    return {"DPI"}
