"""An event that refutes a bound of atoms with (discrete) Laplace noise.  As in `rules`."""

from __future__ import annotations

from typing import Any

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.laplace import Atoms, lattice_point, rows, unit, values
from core.rules import Facts, Rejected, Step, arithmetic, at_most, margin_of
from core.spans import Span, event_of, walk
from core.value import enclose_number, form_of
from core.zero import exp_form


def event_excess(goal: Atoms, ar: Arithmetic, event: list[Span]) -> Interval:
    """Enclosure of (1+t)(P(Y in B) - e^epsilon P'(Y in B)), B a union of disjoint closed intervals
    in increasing order; None is -infinity as a low end and infinity as a high end.

    The finite ends join the atoms with mass 0; then B consists of whole gaps, atoms and tails.
    """
    factor, t = exp_form(form_of(goal.epsilon), ar), unit(goal, ar)
    at_atom = ar.sub(ONE, t)
    ends = [x for interval in event for x in interval if x is not None]
    total, at, first = ZERO, walk(event), True
    for row in rows(goal, ar, ends):
        low, high, inside = at(row.atom)
        p, q = values(row, ar)
        g = ar.sub(p, ar.mul(factor, q))
        if inside:
            total = ar.add(total, ar.mul(at_atom, g))
        if first and low is None:
            total = ar.add(total, ar.mul(t, g))
        if not row.gap and high is None:
            total = ar.add(total, ar.mul(t, g))
        if row.gap and inside and (high is None or high > row.atom):
            a = ar.sub(row.left_p, ar.mul(factor, row.left_q))
            b = ar.sub(row.right_p, ar.mul(factor, row.right_q))
            total = ar.add(total, ar.mul(ar.add(a, b), ar.sub(t, row.tau)))
        first = False
    return total


def _event(goal: Atoms, value: Any) -> list[Span]:
    """Intervals of positive length, or of lattice points on the lattice."""
    event = event_of(value, points=goal.release.step is not None)
    for end in (end for span in event for end in span if end is not None):
        lattice_point(goal, end, "the end")
    return event


def event_refuted(goal: Atoms, step: Step) -> Facts:
    """
    P(Y in B) - e^epsilon P'(Y in B) - delta >= margin > 0      B a union of disjoint intervals
    ----------------------------------------------------------------------------------- F45, F45e
    the goal fails at B
    """
    if goal.form != "events":
        raise Rejected("an event does not refute the pointwise form")
    ar, least = arithmetic(step), margin_of(step)
    event = _event(goal, step["event"])
    excess = event_excess(goal, ar, event)
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not at_most(ar.mul(bound, ar.add(ONE, unit(goal, ar))), excess, ar):
        raise Rejected("no such margin is proved for the event")
    return {"F45" if goal.release.step is None else "F45e"}
