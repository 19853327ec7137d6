"""The box grid as a normal form: what `calculus` asks of it.

p and q are those of `box`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from core.box import Box, Boxed, factor_of
from core.by_coordinate import ByCoordinate
from core.coordinates import Joint, texts
from core.grammar import Malformed
from core.kinds import DIVERGENCE, EVENTS, Kind, Rule
from core.packed import Scaled, places_above, unit_for
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most
from core.shapes import array
from core.value import enclose_number, form_of
from core.zero import constant, exp_form, is_zero, plus

Boxes = Goal[Boxed, Any]


def _laws(p: Joint, q: Joint, release: Any) -> tuple[Boxed, Boxed]:
    if p.names != q.names:
        raise Malformed("joint priors must have the same names in the same order")
    how = release.rates(len(p.names)), release.step
    return Boxed(p.rows, *how, p.names), Boxed(q.rows, *how, q.names)


class BoxDifference:
    """p - e^epsilon q, and what a step says of it.

    The cover of `signs` is the grid: p(c) <= e^epsilon q(c) at each c of it gives the same
    everywhere (F42).  Where P = Q the premise is epsilon >= 0.  Where each is a single point, that
    of P will do as c: there log p/q is the sum of the distances over their scales, and nowhere more
    (F43d).  On the lattice the ratios at lattice points are those of Laplace noise (F12).

    The covers of `area`, and of `event` with the cells on which g > 0 as B, are in `grid_sums`:
    sum over c on the grid of W(c) [g(c)]_+ is at least the area, W(c) the product over the
    coordinates of the sum of the weights of c_i, and sum over cells of [P(cell) - e^epsilon
    Q(cell)]_+ at most (F42b).
    """

    def __init__(self, goal: Boxes, step: Step) -> None:
        self.goal, self.step, self.ar = goal, step, arithmetic(step)
        self.box = Box(goal.P, goal.Q, step.get("cuts"), goal.check.kept)
        self.facts: Facts = set()

    def positive(self) -> str | None:
        """Where a ratio is not bounded."""
        goal, box, ar = self.goal, self.box, self.ar
        if goal.form != "events" and not goal.delta_is_zero:
            raise Rejected("the grid does not prove the pointwise form with a delta")
        sure = len(goal.P.rows) == len(goal.Q.rows) == 1
        self.facts |= {"F43d" if sure else "F42"} | (set() if box.step is None else {"F12"})
        tied = self._ties()
        if goal.P.rows == goal.Q.rows:
            return None
        if sure:
            ((point, _),) = goal.P.rows
            p, q = box.at(point, ar)
            holds = at_most(p, ar.mul(exp_form(form_of(goal.epsilon), ar), q), ar)
            above = [] if holds else [box.place(point)]
        else:
            above = self._above()
        found = next((k for k in above if k not in tied), None)
        return None if found is None else f"the ratio at {texts(box.point(found))} is not bounded"

    def _ties(self) -> set[int]:
        """The places of the grid where g = 0, decided."""
        ties = [self.box.stated(x, "a tie") for x in array(self.step.get("ties", []), "ties")]
        if any(a >= b for a, b in pairwise(ties)):
            raise Malformed("ties must increase")
        tied = {self.box.place(point) for point in ties}
        if ties:
            from core.grid_ties import Differences

            rows, rates = [law.rows for law in self.box.laws], self.box.rates
            differences = Differences(rows, rates, self.goal.epsilon)
            for point in ties:
                if not is_zero(differences.at(point)):
                    raise Rejected(f"no tie is proved at {texts(point)}")
            self.facts.add("F3")
        return tied

    def _above(self) -> list[int]:
        """The places of the grid where p <= e^epsilon q is not established."""
        box = self.box
        low, _, e = factor_of(self.goal.epsilon, self.ar.bits)
        points = prod(box.sizes)
        most = self.ar.bits + box.range_bits() + points.bit_length() + 8
        factor = Scaled(max(low, 0), min(e, most))  # smaller where it is huge
        return places_above(*box.sheets(unit_for(most, factor, points)), factor)

    def require_area(self) -> None:
        """By the upper sum."""
        from core.grid_sums import upper

        most = upper(self.goal.epsilon, self.box, self.ar.bits)
        if not at_most(most, enclose_number(self.goal.delta, self.ar), self.ar):
            raise Rejected("the upper sum is not bounded by delta")
        self.facts.add("F42b")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """At any point; p > 0 everywhere."""
        ar, y = self.ar, self.box.stated(self.step["y"], "the output")
        factor = exp_form(plus(form_of(self.goal.epsilon), constant(margin)), ar)
        p, q = self.box.at(y, ar)
        if not (ratio and at_most(ar.mul(factor, q), p, ar)):
            raise Rejected(f"no such margin is proved at {texts(y)}")

    def require_on(self, margin: Fraction) -> None:
        """By the lower sum."""
        from core.grid_sums import lower

        ar = self.ar
        bound = ar.add(enclose_number(self.goal.delta, ar), ar.of(margin))
        if not at_most(bound, lower(self.goal.epsilon, self.box, ar.bits), ar):
            raise Rejected("no such margin is proved for the cells")
        self.facts.add("F42b")


KIND = Kind(
    {"grid": Rule("signs"), "grid-upper": Rule("area", EVENTS), "renyi": DIVERGENCE},
    {
        "renyi-refuted": DIVERGENCE,
        "grid-refuted": Rule("place"),
        "grid-event-refuted": Rule("event", EVENTS),
    },
    "the rule is not for joint priors with (discrete) Laplace noise",
    laws=_laws,
    unscaled={"no-noise": Rule("every-scale")},
    no_scale="INJ",
    difference=BoxDifference,
    reduction=ByCoordinate,
    moment="core.renyi_points",
)
