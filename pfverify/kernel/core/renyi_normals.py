"""R of two normal laws in closed form (F96); others go to `renyi_bells` and
`renyi_mixtures`.  As in `renyi`.

With variances v of P and w of Q, and u = (1-a) v + a w,

    R = e^(a (a-1) (mean - mean')^2 / (2 u)) sqrt(v^(1-a) w^a / u)     infinite where u <= 0
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from core.enclose import Arithmetic, Interval
from core.grammar import Malformed
from core.logarithms import log_form
from core.renyi import order_of
from core.rules import Facts
from core.smooth import Normals, Smooth
from core.zero import NIL, Form, Sum, constant, exp_form, plus, times

if TYPE_CHECKING:
    from core.interfaces import Moment


class OfNormals:
    """R of a goal, both of whose laws are one normal law (of variance 0: a point)."""

    def __init__(self, goal: Normals) -> None:
        p, q, a = goal.P, goal.Q, order_of(goal)
        if any(law.scale is not None or law.post is not None for law in (p, q)):
            raise Malformed("a divergence of normal laws with other noise is not known here")
        (x, v, _), (y, w, _) = p.components[0], q.components[0]
        v, w = v + p.spread, w + q.spread
        u = (1 - a) * v + a * w
        self.facts: Facts = {"F90", "F96"}
        self.exponent: Form | None = None  # of R
        if u > 0 and v and w:
            found = constant(a * (a - 1) * (x - y) ** 2 / (2 * u))
            for number, share in ((v, 1 - a), (w, a), (u, Fraction(-1))):
                found = plus(found, times(log_form(number), share / 2))
            self.exponent = found

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        return None if self.exponent is None else exp_form(self.exponent, ar)

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        return {self.exponent or NIL: Fraction(1)}, {NIL: Fraction(1)}


def wider(goal: Normals) -> bool:
    """Whether P is wider than Q, both one normal law with gaussian noise: then R is infinite for an
    order above v/(v - w), however much noise of one variance is added to both."""
    laws = goal.P, goal.Q
    noisy = all(law.spread and len(law.components) == 1 and law.post is None for law in laws)
    return noisy and goal.P.components[0][1] > goal.Q.components[0][1]


def near_law(goal: Normals, *, inside: bool) -> tuple[Normals, Fraction]:
    """
    P' has the weights of P, at means moved into the range of those of Q     (inside)     |  P' = Q
    every mean is moved by at most d     all components have one variance V > 0
    ------------------------------------------------------------------------- F108
    D_a(p : p') <= a d^2/(2V)

    The goal of P' in the place of P, and d^2/(2V).
    """
    p, q = goal.P, goal.Q
    plain = p.scale is None and q.scale is None and p.post is None and q.post is None
    found = {v + law.spread for law in (p, q) for _, v, _ in law.components}
    if not plain or p.nothing or q.nothing or len(found) > 1 or not all(found):
        raise Malformed("laws near normal laws of several variances are not known here")
    if not inside:
        return goal.about(q, q), _farthest(p, q) ** 2 / (2 * found.pop())
    low, high = q.components[0][0], q.components[-1][0]
    weights: dict[tuple[Fraction, Fraction], Fraction] = {}
    farthest = Fraction(0)
    for mean, variance, weight in p.components:
        place = min(max(mean, low), high), variance
        weights[place] = weights.get(place, Fraction(0)) + weight
        farthest = max(farthest, abs(place[0] - mean))
    moved = p._replace(components=tuple((*place, weights[place]) for place in sorted(weights)))
    return goal.about(moved, q), farthest**2 / (2 * found.pop())


def _farthest(p: Smooth, q: Smooth) -> Fraction:
    """How far the monotone plan moves a mean of P to one of Q at most."""
    rows, columns = ([(x, w) for x, _, w in law.components] for law in (p, q))
    farthest, (x, left), (y, room) = Fraction(0), rows.pop(), columns.pop()
    while True:
        farthest = max(farthest, abs(x - y))
        moved = min(left, room)
        left, room = left - moved, room - moved
        if not (rows if not left else columns):  # both are at their end, as both sum to 1
            return farthest
        if not left:
            x, left = rows.pop()
        if not room:
            y, room = columns.pop()


def moment(goal: Normals) -> Moment:
    """That of a goal of normal laws."""
    laws = goal.P, goal.Q
    if all(len(law.components) == 1 for law in laws):
        return OfNormals(goal)
    if all(law.bare and law.post is None for law in laws) and not any(
        variance for law in laws for _, variance, _ in law.components
    ):  # atoms as they are
        from core.finite import ATOMS
        from core.renyi import OfMasses

        p, q = ({x: mass for x, _, mass in law.components} for law in laws)
        return OfMasses(goal.about(*ATOMS.laws(p, q, goal.release), kind=ATOMS))
    if len({v + law.spread for law in laws for _, v, _ in law.components}) == 1:
        from core.renyi_bells import OfBells

        return OfBells(goal)
    from core.renyi_mixtures import OfMixtures

    return OfMixtures(goal)
