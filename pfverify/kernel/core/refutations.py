"""The rules by which goals fail whose laws have a normal form.  As in `calculus`."""

from __future__ import annotations

from typing import Any

from core.rules import Facts, Goal, Rejected, Step, margin_of

AT_A_DENSITY = {"pointwise-refuted", "mass-refuted"}  # steps that refute the pointwise form


def place(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    delta = 0     p(y) > 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    ---------------------------------------------------------------------------
    the goal fails at y (with densities, which are continuous, in a neighbourhood of y)

    p(y) - e^epsilon q(y) - delta >= margin > 0
    -------------------------------------------
    the pointwise goal fails at y
    """
    if step["rule"] in AT_A_DENSITY:
        if goal.form != "pointwise":
            raise Rejected("a density, or a mass, at a point does not refute the events form")
    elif not goal.delta_is_zero:
        raise Rejected("an output refutes a pure bound only")
    found = goal.difference(step)
    found.require_at(margin_of(step), ratio=step["rule"] not in AT_A_DENSITY)
    return found.facts


def event(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    P(Y in B) - e^epsilon Q(Y in B) - delta >= margin > 0     B a set of outputs
    ----------------------------------------------------------------------------
    the goal fails at B; the pointwise goal too where delta = 0 and outputs have masses, at one of B
    """
    if goal.form != "events" and not (goal.delta_is_zero and goal.kind.masses):
        raise Rejected("an event does not refute the pointwise form")
    found = goal.difference(step)
    found.require_on(margin_of(step))
    return found.facts
