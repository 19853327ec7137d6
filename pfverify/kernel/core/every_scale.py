"""What holds of atoms with (discrete) Laplace noise at every scale.  As in `rules`."""

from __future__ import annotations

from fractions import Fraction

from core.bare import laws
from core.finite import require_bounded
from core.laplace import Atoms
from core.rules import Facts, Step


def no_noise(goal: Atoms, step: Step) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) <= e^epsilon Q(x) for every x     (+ delta on the lattice, where the
                                                        released masses are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    lattice = goal.form == "pointwise" and goal.release.step is not None
    p, q = laws(goal.P, goal.Q)
    bare = goal.about(p, q)
    require_bounded(bare, goal.delta if lattice else Fraction(0))
    return {"DPI"}
