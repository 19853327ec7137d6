"""A first look at a bound of two laws on a line, in integers.  As in `sweep`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby, pairwise

from core.enclose import Arithmetic, shift_ceil, shift_floor
from core.grammar import Malformed
from core.line import Lines
from core.shapes import common_denominator
from core.value import form_of
from core.work import spend, table_of
from core.zero import Form, exp_form, times

BITS, UNIT = 128, 256  # of the powers of a first look, and of its numbers


def first_look(goal: Lines, ar: Arithmetic) -> set[Fraction] | None:
    """The atoms at which integers alone do not prove q - e^-epsilon p >= 0.

    Let J = Q - e^-epsilon P with its sums L and R (at an atom, with it), all in units of
    2^-UNIT, and j_k <= J(x_k).  Then l_k = j_k + floor(tau_{k-1} l_{k-1}) <= L_k, where tau is
    taken at its lower end if l_{k-1} >= 0 and else at its upper one, and likewise r_k <= R_k.  So
    l_k + r_k - j_k = l_k + floor(tau_k r_{k+1}) <= L_k + tau_k R_{k+1} = q - e^-epsilon p at x_k.
    None where numbers are too long for this unit: all atoms are open.
    """
    try:
        if max(m.denominator for law in (goal.P, goal.Q) for m in law.atoms.values()) >> UNIT:
            return None
        whole = common_denominator([*goal.P.atoms, *goal.Q.atoms], "atoms", UNIT)
    except Malformed:
        return None
    ar, found = Arithmetic(min(ar.bits, BITS)), list[tuple[int, int]]()
    _, most = _in_units(times(form_of(goal.epsilon), Fraction(-1)), ar)
    for law, factor in ((goal.Q, 1 << UNIT), (goal.P, -most)):
        places = [x.numerator * (whole // x.denominator) for x in law.atoms]
        if max(map(abs, places)) >> UNIT:
            return None
        spend(32 * len(law.atoms))
        masses = (m.numerator * factor // m.denominator for m in law.atoms.values())
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
    decay = goal.P.noise.decay
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
