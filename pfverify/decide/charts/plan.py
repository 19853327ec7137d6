"""A coupling of components whose edges hold one by one (fact F8): exact, so ties are decided."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.laws.rate import Rate
from pfverify.model.priors.prior import Component

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
    one = Number.of_rational(1)
    rho = one / rate.scale
    known: dict[tuple[Fraction, Fraction], bool] = {}

    def holds(i: int, k: int) -> bool:
        distance, spread = abs(p[i].mean - q[k].mean), p[i].variance - q[k].variance
        if spread < 0:
            return False
        if (distance, spread) not in known:
            need = Number.of_rational(distance) * rho
            if spread:
                need = need + Number.of_rational(spread / 2) * rho * rho
            sign = (epsilon - need).sign()
            known[distance, spread] = sign is not None and sign >= 0
        return known[distance, spread]

    by_mean = range(len(p)), range(len(q))
    by_variance = (
        sorted(by_mean[0], key=lambda i: (p[i].variance, p[i].mean)),
        sorted(by_mean[1], key=lambda k: (q[k].variance, q[k].mean)),
    )
    for rows, columns in (by_mean, by_variance):
        filled = corner([p[i].weight for i in rows], [q[k].weight for k in columns])
        plan = [(rows[i], columns[k], mass) for i, k, mass in filled]
        if all(holds(i, k) for i, k, _ in plan):
            return sorted(plan)
    return None
