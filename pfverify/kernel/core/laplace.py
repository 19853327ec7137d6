"""How atoms with (discrete) Laplace noise are judged, all of whose line keeps its density.  As in
`sweep`.

The ratio of two such laws is monotone on a piece, so it is bounded by its ends (F1; on a lattice
F12).  Between atoms g is convex where it is positive, since g'' = g rho^2 there, so that it is
largest at atoms (F4b).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

from core.enclose import Arithmetic, shift_ceil, shift_floor
from core.grammar import Malformed, canonical, shown
from core.kinds import EVENTS, POINTWISE, Kind, Prior, Rule
from core.line import Lines, Noisy, noisy
from core.rules import Rejected, Step, arithmetic
from core.shapes import common_denominator, increasing
from core.value import form_of
from core.work import spend, table_of
from core.zero import Form, exp_form, times

BITS, UNIT = 128, 256  # of the powers of a first look, and of its numbers


def with_noise(p: Prior, q: Prior, release: Any) -> tuple[Noisy, Noisy]:
    """Laws of atoms, of which all of the line keeps its density."""
    return noisy(p, release), noisy(q, release)


class OnLine:
    """g = P - e^epsilon Q with noise, at the precision of the step."""

    def __init__(self, goal: Lines, step: Step) -> None:
        self.goal, self.step, self.facts = goal, step, set[str]()
        self.ar, self.epsilon = arithmetic(step), form_of(goal.epsilon)

    def positive(self) -> str | None:
        """As in `Difference`: at atoms, save for those that are named as ties."""
        goal, at_density = self.goal, self.step["rule"] == "pointwise"
        points: Collection[Fraction] = {*goal.P.atoms, *goal.Q.atoms}
        ties = {*increasing(self.step.get("ties", []), "ties")}
        for x in sorted(ties - {*points}):
            raise Rejected(f"the tie {shown(canonical(x))} is not an atom")
        self.facts |= {"F4b"} if at_density else {"F1"}
        if goal.P.noise.step is not None and not at_density:
            self.facts.add("F12")
        if ties:
            from core.sides import require_ties

            require_ties(goal, ties, at_density=at_density)
            self.facts.add("F3")
        if not at_density:
            if goal.P == goal.Q:
                return None
            found = first_look(goal, self.ar)
            points = points if found is None else found
        if not (points := {*points} - ties):
            return None
        from core.sweep import above

        first = above(goal, self.epsilon, points, goal.delta if at_density else None, self.ar)
        what = "excess at" if at_density else "ratio at the atom"
        return None if first is None else f"the {what} {shown(canonical(first))} is not bounded"

    def require_area(self) -> None:
        """As in `Difference`: with the upper ends of all pieces."""
        from core.line_area import is_below

        if not is_below(self.goal, self.epsilon, self.ar):
            raise Rejected("the divergence is not bounded by delta at this precision")
        self.facts.add("F4" if self.goal.P.noise.step is None else "F4L")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """As in `Difference`: at a number, which may be between atoms."""
        from core.line_refuted import require_at

        require_at(self.goal, self.step, self.ar, margin, ratio=ratio)

    def require_on(self, margin: Fraction) -> None:
        """As in `Difference`: intervals, or points of a lattice."""
        from core.line_masses import event_spans, excess

        level, spans = (self.goal.delta, margin), event_spans(self.goal, self.step)
        if excess(self.goal, spans, self.epsilon, self.ar, level)[0] < 0:
            raise Rejected("no such margin is proved for the event")
        self.facts.add("F45" if self.goal.P.noise.step is None else "F45e")


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


KIND = Kind(
    {
        "pure": Rule("signs", measures=True),
        "delta-upper": Rule("area", EVENTS, measures=True),
        "delta-tie": Rule("tie", EVENTS),
        "pointwise": Rule("signs", POINTWISE, measures=True),
    },
    {
        "pure-refuted": Rule("place", measures=True),
        "event-refuted": Rule("event", measures=True),
        "pointwise-refuted": Rule("place", measures=True),
    },
    "the rule is for priors with densities, or gaussian noise",
    laws=with_noise,
    unscaled={"no-noise": Rule("every-scale")},
    no_scale="INJ",
    difference=OnLine,
)
