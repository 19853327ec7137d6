"""R of atoms with discrete gaussian noise, or of what steps make of its points (F117).

In steps of the lattice, masses times Z as in `gaussian_lattice`.  Behind a place p is at most what
a bell around its last atom m makes of p there, and q at least its last atom n: p^a q^(1-a) is at
most a bell around c = a m + (1-a) n, which falls at a place d > 0 beyond c, and from there on, by
more than e^(-d/v) each step.  Outputs that join points have no more (F90).  As in `renyi`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, upper_end
from core.gaussian_lattice import Celled, Lattice, Run
from core.renyi import order_of, term
from core.rules import Facts, Goal
from core.work import allow_sums
from core.zero import Sum, constant, exp_form

GUARD = 16  # bits by which what is left out is smaller than what is asked for
MOST = 1 << 20  # points times atoms
Law = dict[int, Fraction]


class OfLattice:
    """R of a goal."""

    def __init__(self, goal: Goal[Celled, Any]) -> None:
        self.order, self.facts = order_of(goal), Facts({"F90", "F117"})
        self.sums = Lattice(goal, {})
        both = [*zip(self.sums.atoms, self.sums.masses, strict=True)]
        self.p: Law = {a: p for a, (p, _) in both if p}
        self.q: Law = {a: q for a, (_, q) in both if q}
        if goal.P.post is not None:
            self.facts.add("F48i")

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        allow_sums()
        sums, total, runs = self.sums, ZERO, list[Run]()
        if sums.hidden is not None and sums.hidden[:2] == (None, None):
            runs.append(sums.hidden)  # all that is ever published
        elif self.p and not self.q:  # p is above 0 at every point, and some point is not hidden
            return None
        elif self.p or self.q:
            low, high = self._window(ar)
            runs = sums.runs(low, high)
            for end, way in ((low - 1, -1), (high + 1, 1)) if self.p else ():
                total = ar.add(total, (0, *self._tail(end, way, ar)[1:]))
        if sums.hidden is not None and sums.hidden not in runs:
            runs.append(sums.hidden)
        p, q = (
            [ar.of(x) for x in (*(pair[k] for pair in sums.masses), sums.nothing[k])]
            for k in (0, 1)
        )
        for run in runs:
            x = sums.value(run, p, ar)
            if x[:2] == (0, 0):  # exactly
                continue
            y = sums.value(run, q, ar)
            if y[:2] == (0, 0):
                if x[0] <= 0:
                    raise Undecided("an output that may be impossible")
                return None
            total = ar.add(total, term(x, y, self.order, ar))
        return ar.div(total, sums.whole(ar))

    def _centre(self, way: int) -> Fraction:
        """Around which place the integrand falls, to one side."""
        pick = max if way > 0 else min
        return self.order * pick(self.p) + (1 - self.order) * pick(self.q)

    def _window(self, ar: Arithmetic) -> tuple[int, int]:
        """The first and the last point that is looked at."""
        atoms, reach = self.sums.atoms, self.sums.reach(ar.bits + GUARD)
        low, high = Fraction(atoms[0]), Fraction(atoms[-1])
        if self.p:
            low, high = min(low, self._centre(-1)), max(high, self._centre(1))
        first, last = int(low) - 1 - reach, int(high) + 1 + reach
        if (last - first) * len(atoms) > MOST:
            raise Undecided("too many points of a lattice")
        return first, last

    def _tail(self, end: int, way: int, ar: Arithmetic) -> Interval:
        """At least the sum over a point, which is behind c, and all beyond it."""
        n, p = max(self.q) if way > 0 else min(self.q), ZERO
        for a, mass in self.p.items():
            p = ar.add(p, ar.mul(ar.of(mass), self.sums.bell(end - a, ar)))
        beyond = way * (end - self._centre(way))
        if beyond <= 0:
            raise Undecided("a tail that has not begun")
        q = ar.mul(ar.of(self.q[n]), self.sums.bell(end - n, ar))
        fall = exp_form(constant(-beyond / self.sums.variance), ar)
        return upper_end(ar.div(term(p, q, self.order, ar), ar.sub(ONE, fall)))

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        raise Undecided("a tie of masses of discrete gaussian noise")


def moment(goal: Goal[Celled, Any]) -> OfLattice:
    """That of a goal of such laws."""
    return OfLattice(goal)
