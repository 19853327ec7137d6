"""Bounds of densities and masses of atoms with (discrete) Laplace noise, point by point.

As in `rules`.
"""

from __future__ import annotations

from fractions import Fraction

from core.enclose import ONE, Arithmetic, Interval, Undecided
from core.grammar import canonical, shown
from core.laplace import Atoms, claimed_ties, lattice_point, rows, unit, values
from core.rules import Facts, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import canonical_rational
from core.ties import exact_unit, exact_values
from core.value import enclose_number, form_of, sums_of
from core.zero import NIL, Sum, add, enclose_form, exp_form, is_zero, multiply, rational_value


def _density_sums(goal: Atoms) -> tuple[Sum, Sum]:
    """The noise's constant c = N/D as exponential sums (rho must be rational for Laplace)."""
    t = exact_unit(goal)
    if goal.release.step is not None:
        return add({NIL: Fraction(1)}, t, Fraction(-1)), add({NIL: Fraction(1)}, t)
    rate = rational_value(goal.release.rate)
    if rate is None:
        raise Undecided("a tie of densities with an irrational scale")
    return {NIL: rate}, {NIL: Fraction(2)}


def _density_constant(goal: Atoms, ar: Arithmetic) -> Interval:
    if goal.release.step is None:
        return ar.mul(enclose_form(goal.release.rate, ar), ar.of(Fraction(1, 2)))
    t = unit(goal, ar)
    return ar.div(ar.sub(ONE, t), ar.add(ONE, t))


def pointwise(goal: Atoms, step: Step) -> Facts:
    """
    c (p(a) - e^epsilon q(a)) <= delta  for every a in supp P u supp Q      (a tie: equality)
    ---------------------------------------------------------------------------- F4b, F3
    p(y) <= e^epsilon q(y) + delta  for every y
    """
    ties, ar = claimed_ties(goal, step), arithmetic(step)
    facts = {"F4b"}
    for a, value in exact_values(goal, ties) if ties else ():
        (n, d), (c, e) = sums_of(goal.delta), _density_sums(goal)
        excess = multiply(multiply(value, c), d)
        if not is_zero(add(excess, multiply(n, e), Fraction(-1))):
            raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")
        facts.add("F3")
    factor, density = exp_form(form_of(goal.epsilon), ar), _density_constant(goal, ar)
    delta = enclose_number(goal.delta, ar)
    for row in rows(goal, ar):
        if not ties or row.atom not in ties:
            p, q = values(row, ar)
            excess_here = ar.mul(density, ar.sub(p, ar.mul(factor, q)))
            if not at_most(excess_here, delta, ar):
                raise Rejected(f"the excess at {shown(canonical(row.atom))} is not bounded")
    return facts


def pointwise_refuted(goal: Atoms, step: Step) -> Facts:
    """
    p(y) - e^epsilon q(y) - delta >= margin > 0     (densities, or masses on the lattice)
    -------------------------------------------------------------------------------------
    the pointwise goal fails at y
    """
    if goal.form != "pointwise":
        raise Rejected("a density at a point does not refute the events form")
    ar, least = arithmetic(step), margin_of(step)
    y = lattice_point(goal, canonical_rational(step["y"], "y"), "the output")
    factor = exp_form(form_of(goal.epsilon), ar)
    p, q = next(values(row, ar) for row in rows(goal, ar, [y]) if row.atom == y)
    excess = ar.mul(_density_constant(goal, ar), ar.sub(p, ar.mul(factor, q)))
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not at_most(bound, excess, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
    return set()
