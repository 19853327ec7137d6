"""The rules of goals whose laws have a normal form: one function each, its docstring the inference
figure.  As in `rules`; what a normal form offers is a `kinds.Difference`.

A cover is a list of parts whose union holds every output: points between which a ratio is monotone,
pieces of a line, cells, boxes, or the outputs themselves.
"""

from __future__ import annotations

from typing import Any

from core.grammar import Malformed
from core.kinds import Difference
from core.rules import Facts, Goal, Rejected, Step, margin_of

AT_A_DENSITY = {"pointwise-refuted", "mass-refuted"}  # steps that refute the pointwise form


def _of(goal: Goal[Any, Any], step: Step) -> Difference:
    if goal.kind.difference is None:
        raise Malformed("laws that have no normal form here")
    return goal.kind.difference(goal, step)


def signs(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    g <= 0 on every part of a cover of the outputs     (a tie: by the zero test)
    ----------------------------------------------------------------------------
    P(B) <= e^epsilon Q(B) for every event B; of the pointwise form with a delta, whose g has it:
    p <= e^epsilon q + delta everywhere
    """
    return _signs(_of(goal, step))


def _signs(found: Difference) -> Facts:
    where = found.positive()
    if where is not None:
        raise Rejected(where)
    return found.facts


def area(goal: Goal[Any, Any], step: Step) -> Facts:
    """
    sum over a cover of the outputs of [g]_+ <= delta     (a tie: by the zero test)
    -------------------------------------------------------------------------------
    P(B) <= e^epsilon Q(B) + delta for every event B

    No probability exceeds 1; where delta = 0, or of the pointwise form, the premise is that of
    `signs`.
    """
    found = _of(goal, step)
    if goal.form == "events" and goal.delta == 1:
        return set()
    if goal.delta_is_zero or goal.form != "events":
        return _signs(found)
    found.require_area()
    return found.facts


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
    found = _of(goal, step)
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
    found = _of(goal, step)
    found.require_on(margin_of(step))
    return found.facts
