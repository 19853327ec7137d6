"""How sums of normal laws compose.  As in `smooth` and `interfaces.Profile`.

From below any do, in cells.  From above those of one variance, without steps: where P(x)/Q(x) is
monotone in the mean x, so is p(y)/q(y) in y (F76), since for a derivative of log p/q the terms of
two means x and z together have the sign of (x - z)(P(x) Q(z) - P(z) Q(x)).  So at a place y with
r = p(y)/q(y) the divergence H_r is P - r Q of all numbers beyond y, on the side where the loss is
greater, and H_E <= H_r where E >= r.  Of an E that is at most the least P(x)/Q(x) it is 1 - E, with
all numbers in the event (F76a).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from core.enclose import ONE, Arithmetic, Interval, upper_end
from core.rules import Goal, Rejected, at_most
from core.smooth import Smooth, Split, add_all
from core.spans import SUPPRESSED
from core.work import product, spend
from core.zero import NIL, Form, constant, exp_form

NOTHING = Fraction(0)
NOT_MONOTONE = "composition needs a monotone ratio, of normal laws of one variance"


class NormalsProfile:
    """Of a number that keeps its density."""

    at_cuts = on_line = True

    def __init__(self, goal: Goal[Smooth, Any], ar: Arithmetic) -> None:
        self.goal, self.ar, self.facts = goal, ar, set[str]()
        self._splits = dict[object, Split]()
        if goal.P.post != goal.Q.post:
            raise Rejected("laws of different outputs")

    @cached_property
    def variance(self) -> Fraction:
        """That of all components with the noise, or Rejected."""
        p = self.goal.P
        if p.scale is not None or p.post is not None or p.nothing or self.goal.Q.nothing:
            raise Rejected(NOT_MONOTONE)
        found = {v + self.goal.P.spread for law in (self.goal.P, self.goal.Q)
                 for _, v, _ in law.components}  # fmt: skip
        if len(found) > 1 or not min(found):
            raise Rejected(NOT_MONOTONE)
        return found.pop()

    @cached_property
    def _rows(self) -> list[tuple[Fraction, Fraction]]:
        """P and Q of the means, in order."""
        p, q = ({m: w for m, _, w in law.components} for law in (self.goal.P, self.goal.Q))
        return [(p.get(m, NOTHING), q.get(m, NOTHING)) for m in sorted({*p, *q})]

    @cached_property
    def way(self) -> int:
        """Where the loss is greater: 1 to the right, -1 to the left; or Rejected."""
        signs = set()
        for (a, b), (c, d) in pairwise(self._rows):
            spend(64 + product(sum(x.denominator.bit_length() for x in (a, b, c, d))))
            signs.add((c * b > a * d) - (c * b < a * d))
        if {1, -1} <= signs:
            raise Rejected(NOT_MONOTONE)
        return -1 if -1 in signs else 1

    # ------------------------------------------------------------ from above

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`: beyond the cut, up to which the loss is at most the growth."""
        ar, way, _ = self.ar, self.way, self.variance  # or Rejected
        if cut is None:
            return self._whole(growth)
        self.facts.add("F76")
        p, q = (self._density(cut, law) for law in (self.goal.P, self.goal.Q))
        if not at_most(p, ar.mul(exp_form(growth, ar), q), ar):
            raise Rejected("the loss at a cut is not proved to be at most its level")
        more, less = (
            self._split(law).beyond(cut, way).plus for law in (self.goal.P, self.goal.Q)
        )
        return upper_end(ar.sub(more, ar.mul(ar.div(p, q), less)))

    def _whole(self, growth: Form) -> Interval:
        """1 - E, where the loss is at least the growth everywhere: as at its lower end."""
        ar, (p, q) = self.ar, self._rows[0 if self.way == 1 else -1]
        factor = exp_form(growth, ar)
        if not at_most(ar.mul(factor, ar.of(q)), ar.of(p), ar):
            raise Rejected("the loss is not proved to be at least a level without a cut")
        self.facts.add("F76")
        return upper_end(ar.sub(ONE, factor))

    def _density(self, y: Fraction, law: Smooth) -> Interval:
        """That at y, but for a constant."""
        ar = self.ar
        return add_all(
            (ar.mul(ar.of(w), self._bell(y - m)) for m, _, w in law.components), ar
        )

    def _bell(self, distance: Fraction) -> Interval:
        key = "bell", self.variance, abs(distance)
        if key not in self.ar.memo:
            power = constant(-distance * distance / (2 * self.variance))
            self.ar.memo[key] = exp_form(power, self.ar)
        return self.ar.memo[key]

    def _split(self, law: Smooth) -> Split:
        """Enclosures of one law alone."""
        key = law.components
        if key not in self._splits:
            nothing = law._replace(components=(), nothing=NOTHING)
            self._splits[key] = Split(self.goal.about(law, nothing), NIL, self.ar)
        return self._splits[key]

    # ------------------------------------------------------------ from below

    def cells(self, cuts: Sequence[Fraction], law: Smooth) -> list[Interval]:
        """As in `Profile`: the numbers between cuts; behind steps the outputs that hold one inside,
        and between cuts what keeps its density."""
        split, ends = self._split(law), [None, *cuts, None]
        if not all(t.variance for t in split.terms) and not split.sided:
            raise Rejected("composition is for laws with a density, or with noise")
        self.facts |= {"F6"} if split.sided else set()
        if law.post is None:
            return [split.masses(low, high).plus for low, high in pairwise(ends)]
        found, hidden = list[Interval](), False
        for low, high, output in law.post.outputs(cuts):
            if output is None:
                spend(8 * len(cuts))
                inside = [
                    y for y in cuts if (low is None or y > low) and (high is None or y < high)
                ]
                found += (split.masses(a, b).plus for a, b in pairwise([low, *inside, high]))
                continue
            mass = split.masses(low, high).plus
            if output == SUPPRESSED:
                mass, hidden = self.ar.add(mass, self.ar.of(law.nothing)), True
            found.append(mass)
        return found if hidden else [*found, self.ar.of(law.nothing)]


def profile(goal: Goal[Smooth, Any], ar: Arithmetic) -> NormalsProfile:
    """That of a goal."""
    return NormalsProfile(goal, ar)
