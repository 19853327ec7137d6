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
from core.smooth import Normals
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
