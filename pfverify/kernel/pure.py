"""Pure bounds of atoms with (discrete) Laplace noise, atom by atom.  As in `rules`."""

from __future__ import annotations

from files import canonical_rational
from grammar import canonical, shown
from laplace import Atoms, claimed_ties, lattice_point, rows, values
from rules import Facts, Rejected, Step, arithmetic, at_most, margin_of
from value import form_of
from zero import constant, exp_form, is_zero, plus


def pure(goal: Atoms, step: Step) -> Facts:
    """
    p(a) <= e^epsilon q(a)  for every a in supp P u supp Q     (a tie: p(a) = e^epsilon q(a))
    ---------------------------------------------------------------------------------- F1, F3
    p <= e^epsilon q everywhere; hence D <= 0 and p - e^epsilon q <= 0 <= delta everywhere

    Where P = Q the premise is epsilon >= 0.  On the lattice the ratios at lattice points are
    those of Laplace noise (F12).
    """
    ties, ar = claimed_ties(goal, step), arithmetic(step)
    facts = {"F1"} if goal.release.step is None else {"F1", "F12"}
    if ties:
        from ties import common_denominator, exact_values

        for a, excess in exact_values(goal, ties, common_denominator(goal)):
            if not is_zero(excess):
                raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")
            facts.add("F3")
    if goal.P == goal.Q:
        return facts
    factor = exp_form(form_of(goal.epsilon), ar)
    for row in rows(goal, ar):
        if not ties or row.atom not in ties:
            p, q = values(row, ar)
            if not at_most(p, ar.mul(factor, q), ar):
                raise Rejected(f"the ratio at the atom {shown(canonical(row.atom))} is not bounded")
    return facts


def pure_refuted(goal: Atoms, step: Step) -> Facts:
    """
    delta = 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    --------------------------------------------------------------
    the goal fails at y (with densities, in a neighbourhood of y)
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, least = arithmetic(step), margin_of(step)
    y = lattice_point(goal, canonical_rational(step["y"], "y"), "the output")
    factor = exp_form(plus(form_of(goal.epsilon), constant(least)), ar)
    p, q = next(values(row, ar) for row in rows(goal, ar, [y]) if row.atom == y)
    if not at_most(ar.mul(factor, q), p, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
    return set()
