"""Pure bounds of atoms with (discrete) Laplace noise, atom by atom.  As in `rules`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby, pairwise

from core.enclose import Arithmetic, shift_ceil, shift_floor
from core.grammar import Malformed, canonical, shown
from core.laplace import Atoms, claimed_ties, lattice_point, rows, values
from core.rules import Facts, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import canonical_rational, common_denominator
from core.value import form_of
from core.work import spend, table_of
from core.zero import Form, constant, exp_form, is_zero, plus, times

BITS, UNIT = 128, 256  # of the powers of a first look, and of its numbers


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
        from core.ties import common_denominator as of_masses
        from core.ties import exact_values

        for a, excess in exact_values(goal, ties, of_masses(goal)):
            if not is_zero(excess):
                raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")
            facts.add("F3")
    if goal.P == goal.Q:
        return facts
    close = _first_look(goal, ar)
    factor = exp_form(form_of(goal.epsilon), ar)
    for row in rows(goal, ar) if close is None or close - ties else ():
        if row.atom not in ties and (close is None or row.atom in close):
            p, q = values(row, ar)
            if not at_most(p, ar.mul(factor, q), ar):
                raise Rejected(f"the ratio at the atom {shown(canonical(row.atom))} is not bounded")
    return facts


def _first_look(goal: Atoms, ar: Arithmetic) -> set[Fraction] | None:
    """The atoms at which integers alone do not prove q - e^-epsilon p >= 0.

    Let J = Q - e^-epsilon P with its sums L and R (left and right of `laplace`), all in units of
    2^-UNIT, and j_k <= J(x_k).  Then l_k = j_k + floor(tau_{k-1} l_{k-1}) <= L_k, where tau is
    taken at its lower end if l_{k-1} >= 0 and else at its upper one, and likewise r_k <= R_k.  So
    l_k + r_k - j_k = l_k + floor(tau_k r_{k+1}) <= L_k + tau_k R_{k+1} = q - e^-epsilon p at x_k.
    None where numbers are too long for this unit: all atoms are open.
    """
    try:
        if max(m.denominator for law in (goal.P, goal.Q) for m in law.values()) >> UNIT:
            return None
        whole = common_denominator([*goal.P, *goal.Q], "atoms", UNIT)
    except Malformed:
        return None
    ar, found = Arithmetic(min(ar.bits, BITS)), list[tuple[int, int]]()
    _, most = _in_units(times(form_of(goal.epsilon), Fraction(-1)), ar)
    for law, factor in ((goal.Q, 1 << UNIT), (goal.P, -most)):
        places = [x.numerator * (whole // x.denominator) for x in law]
        if max(map(abs, places)) >> UNIT:
            return None
        spend(32 * len(law))
        masses = (m.numerator * factor // m.denominator for m in law.values())
        found += zip(places, masses, strict=True)
    atoms, jumps = list[int](), list[int]()
    for x, j in sorted(found):
        if atoms[-1:] == [x]:  # an atom of both
            jumps[-1] += j
        else:
            atoms.append(x)
            jumps.append(j)
    gaps = [b - a for a, b in pairwise(atoms)]
    different = [gap for gap, _ in groupby(sorted(gaps))]
    table_of(different)
    decay = goal.release.decay
    powers = {gap: _in_units(decay(Fraction(gap, whole)), ar) for gap in different}
    taus = [powers[gap] for gap in gaps]
    left, right = _sums(jumps, taus), _sums(reversed(jumps), reversed(taus))
    sums = zip(atoms, left, reversed(right), jumps, strict=True)
    return {Fraction(x, whole) for x, before, behind, j in sums if before + behind < j}


def _in_units(f: Form, ar: Arithmetic) -> tuple[int, int]:
    """Bounds of e^f in units of 2^-UNIT."""
    low, high, e = exp_form(f, ar)
    return shift_floor(low, e + UNIT), shift_ceil(high, e + UNIT)


def _sums(jumps: Iterable[int], taus: Iterable[tuple[int, int]]) -> list[int]:
    """l_k of the first look, from one side."""
    total, found = 0, list[int]()
    for j, (low, high) in zip(jumps, ((0, 0), *taus), strict=True):
        total = j + (total * (low if total >= 0 else high) >> UNIT)
        found.append(total)
    return found


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
