"""How sums of normal laws of one variance compose.  As in `smooth` and `interfaces.Profile`.

Where P(x)/Q(x) is monotone in the mean x, so is p(y)/q(y) in y (F76): for a derivative of log p/q
the terms of two means x and z together have the sign of (x - z)(P(x) Q(z) - P(z) Q(x)).  So at a
place y with r = p(y)/q(y) the divergence H_r is P - r Q of all numbers beyond y, on the side where
the loss is greater, and H_E <= H_r where E >= r.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from core.enclose import ONE, ZERO, Arithmetic, Interval, upper_end
from core.rules import Goal, Rejected, at_most
from core.smooth import Smooth, add_all, half, scaled_erfc
from core.work import product, spend
from core.zero import Form, constant, exp_form

NOTHING = Fraction(0)
NOT_MONOTONE = "composition needs a monotone ratio, of normal laws of one variance"


class NormalsProfile:
    """Of a number that keeps its density."""

    at_cuts = on_line = True

    def __init__(self, goal: Goal[Smooth, Any], ar: Arithmetic) -> None:
        self.goal, self.ar, self.facts = goal, ar, set[str]()
        p = goal.P
        if p.scale is not None or p.post is not None or p.nothing or goal.Q.nothing:
            raise Rejected(NOT_MONOTONE)
        variances = {v for law in (p, goal.Q) for _, v, _ in law.components}
        self.variance = max(variances) + p.spread
        if len(variances) > 1 or not self.variance:
            raise Rejected(NOT_MONOTONE)
        self.way = self._way()

    def _way(self) -> int:
        """Where the loss is greater: 1 to the right, -1 to the left."""
        p, q = ({m: w for m, _, w in law.components} for law in (self.goal.P, self.goal.Q))
        rows = [(p.get(m, NOTHING), q.get(m, NOTHING)) for m in sorted({*p, *q})]
        signs = set()
        for (a, b), (c, d) in pairwise(rows):
            spend(64 + product(sum(x.denominator.bit_length() for x in (a, b, c, d))))
            signs.add((c * b > a * d) - (c * b < a * d))
        if {1, -1} <= signs:
            raise Rejected(NOT_MONOTONE)
        return -1 if -1 in signs else 1

    # ------------------------------------------------------------ from above

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`: beyond the cut, up to which the loss is at most the growth."""
        if cut is None:
            raise Rejected("a level of normal densities needs a cut")
        self.facts.add("F76")
        ar = self.ar
        p, q = (self._density(cut, law) for law in (self.goal.P, self.goal.Q))
        if not at_most(p, ar.mul(exp_form(growth, ar), q), ar):
            raise Rejected("the loss at a cut is not proved to be at most its level")
        more, less = (self._beyond(cut, law, self.way) for law in (self.goal.P, self.goal.Q))
        return upper_end(ar.sub(more, ar.mul(ar.div(p, q), less)))

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

    def _beyond(self, y: Fraction, law: Smooth, way: int) -> Interval:
        """The mass of the numbers to the right of y, or to the left."""
        ar = self.ar
        return add_all(
            (ar.mul(ar.of(w), self._tail(way * (y - m))) for m, _, w in law.components), ar
        )

    def _tail(self, distance: Fraction) -> Interval:
        key = "tail", self.variance, distance
        if key not in self.ar.memo:
            found = scaled_erfc(constant(distance), self.variance, self.ar)
            self.ar.memo[key] = half(found)
        return self.ar.memo[key]

    # ------------------------------------------------------------ from below

    def cells(self, cuts: Sequence[Fraction], law: Smooth) -> list[Interval]:
        """As in `Profile`: the numbers between cuts."""
        ar = self.ar
        found = [ZERO] * (len(cuts) + 1)
        for m, _, w in law.components:
            weight = ar.of(w)
            # of two tails the difference is that of the smaller ones
            left = [self._tail(m - y) if y < m else None for y in cuts]
            right = [self._tail(y - m) if y >= m else None for y in cuts]
            for k in range(len(cuts) + 1):
                found[k] = ar.add(found[k], ar.mul(weight, self._between(k, left, right)))
        return found

    def _between(
        self, k: int, left: Sequence[Interval | None], right: Sequence[Interval | None]
    ) -> Interval:
        """The mass between cut k - 1 and cut k, of their tails on the sides where these are small:
        whatever is below a cut left of the mean, and above one right of it."""
        ar = self.ar
        below = left[k - 1] if k else ZERO
        above = right[k] if k < len(right) else ZERO
        if above is None:  # both are left of the mean, or this is the first
            return ar.sub(_known(left[k]), _known(below))
        if below is None:
            return ar.sub(_known(right[k - 1]), above)
        return ar.sub(ar.sub(ONE, above), below)


def _known(x: Interval | None) -> Interval:
    if x is None:
        raise Rejected("the cuts do not increase")
    return x


def profile(goal: Goal[Smooth, Any], ar: Arithmetic) -> NormalsProfile:
    """That of a goal."""
    return NormalsProfile(goal, ar)
