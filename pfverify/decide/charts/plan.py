"""A coupling of components whose edges hold one by one (fact F8): exact, so ties are decided."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.exact.ball import precision, raw
from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.laws.rate import Rate
from pfverify.model.priors.prior import Component

_BITS = 64  # of the enclosures that decide most edges

Edge = tuple[int, int, Fraction]
"""Indices into the components of P and Q, and the mass that is coupled."""


def tail_plan(
    p: Sequence[Component], q: Sequence[Component], rate: Rate, epsilon: Number
) -> list[Edge] | None:
    """Return a plan between components that proves p <= e**epsilon q, or None.

    An edge holds where v_i >= v_l and |m_i - m_l|/b + (v_i - v_l)/(2 b**2) <= epsilon, decided
    exactly. Only the monotone plans in the order of the means, and of (variance, mean), are tried.
    Source: design fact F8; Gaussian-priors paper, Remark 1.
    """
    def holds(i: int, k: int) -> bool:
        distance, spread = abs(p[i].mean - q[k].mean), p[i].variance - q[k].variance
        if spread < 0:
            return False
        with precision(_BITS):
            rho = rate.ball().raw
            gap = epsilon.ball().raw - (raw(distance) + raw(spread / 2) * rho) * rho
        if gap > 0 or gap < 0:
            return bool(gap > 0)
        exact = Number.of_rational(1) / rate.scale  # a tie, or near one
        need = Number.of_rational(distance) * exact
        if spread:
            need = need + Number.of_rational(spread / 2) * exact * exact
        sign = (epsilon - need).sign()
        return sign is not None and sign >= 0

    by_mean = range(len(p)), range(len(q))
    by_variance = (
        sorted(by_mean[0], key=lambda i: (p[i].variance, p[i].mean)),
        sorted(by_mean[1], key=lambda k: (q[k].variance, q[k].mean)),
    )
    for rows, columns in (by_mean, by_variance):
        if not (holds(rows[0], columns[0]) and holds(rows[-1], columns[-1])):
            continue  # both are edges of every monotone plan
        filled = corner([p[i].weight for i in rows], [q[k].weight for k in columns])
        plan = [(rows[i], columns[k], mass) for i, k, mass in filled]
        if all(holds(i, k) for i, k, _ in plan):
            return sorted(plan)
    return None
