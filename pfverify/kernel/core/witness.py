"""How outputs that have masses refute a bound.  As in `finite`; an event is a list of places."""

from __future__ import annotations

from core.masses import NOTHING, Finite, excess_sign, mass_of_event, minus
from core.rules import Rejected, Step, arithmetic, margin_of
from core.value import form_of
from core.zero import constant, plus


def require_pure(goal: Finite, step: Step) -> None:
    """Rejected unless the ratio at an output refutes such a goal."""
    if not goal.delta_is_zero:
        raise Rejected("an output refutes a pure bound only")
    arithmetic(step)


def require_pointwise(goal: Finite) -> None:
    """Rejected unless the excess of an output refutes such a goal."""
    if goal.form != "pointwise":
        raise Rejected("a mass does not refute the events form: give an event")


def require_events(goal: Finite) -> None:
    """Rejected unless the excess of an event refutes such a goal: the pointwise one too where
    delta = 0, at one of its outputs."""
    if goal.form != "events" and not goal.delta_is_zero:
        raise Rejected("an event does not refute the pointwise form")


def require_ratio(goal: Finite, step: Step, event: list[int]) -> None:
    """Rejected unless P > 0 and P >= e^(epsilon + margin) Q, margin > 0."""
    p, q = mass_of_event(goal.P, event), mass_of_event(goal.Q, event)
    epsilon = plus(form_of(goal.epsilon), constant(margin_of(step)))
    if excess_sign(p, NOTHING, epsilon, NOTHING) <= 0 or excess_sign(p, q, epsilon, NOTHING) < 0:
        raise Rejected("no such margin is proved at the output")


def require_excess(goal: Finite, step: Step, event: list[int]) -> None:
    """Rejected unless P - e^epsilon Q - delta >= margin > 0 (an equality by the zero test)."""
    arithmetic(step)
    p, q = mass_of_event(goal.P, event), mass_of_event(goal.Q, event)
    if excess_sign(minus(p, margin_of(step)), q, form_of(goal.epsilon), goal.delta) < 0:
        raise Rejected("no such margin is proved")
