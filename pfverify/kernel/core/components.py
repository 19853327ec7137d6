"""The rules of sums of normal laws without a chart: equal laws, and a coupling of components."""

from __future__ import annotations

from fractions import Fraction

from core.chart import entries_of
from core.grammar import Malformed, Number, combine
from core.rules import Facts, Rejected, Step
from core.shapes import array, canonical_rational, exact_sum, integer
from core.smooth import Normals
from core.value import sign


def equal(goal: Normals, step: Step) -> Facts:
    """
    P = Q     epsilon >= 0     delta >= 0
    --------------------------------------
    p <= e^epsilon q + delta everywhere
    """
    if goal.P != goal.Q:
        raise Rejected("the priors differ")
    return set()


def components(goal: Normals, step: Step) -> Facts:
    """
    pi >= 0     sum over l of pi(i, l) = weight of P_i     sum over i of pi(i, l) = weight of Q_l
    v_i >= v_l  and  |m_i - m_l| rho + (v_i - v_l) rho^2/2 <= epsilon   wherever pi(i, l) > 0
    ------------------------------------------------------------------------------- F8, convexity
    p <= e^epsilon q everywhere     (and so for what steps make of it)

    F8: P_i = Q_l * G with G = N(m, v), m = m_i - m_l, v = v_i - v_l >= 0.  As -|y-x| <= -(y-x) and
    -|y-x| <= y-x, the integral of e^(-rho |y-x|) dG(x) is at most e^(-rho y + m rho + v rho^2/2)
    and at most e^(rho y - m rho + v rho^2/2), hence at most e^(-rho |y| + epsilon).  So
    K*G <= e^epsilon K; convolve with Q_l and sum with the masses pi(i, l).
    """
    if goal.P.scale is None:
        raise Rejected("components are coupled under Laplace noise only")
    if goal.P.nothing or goal.Q.nothing:
        raise Rejected("no row has no component")
    P, Q = goal.P.components, goal.Q.components  # noqa: N806
    edges = entries_of(step["plan"], "plan")
    seen: set[tuple[int, int]] = set()
    rows: list[list[Fraction]] = [[] for _ in P]
    columns: list[list[Fraction]] = [[] for _ in Q]
    bounded: set[tuple[Fraction, Fraction]] = set()
    for edge in edges:
        if len(array(edge, "an edge")) != 3:
            raise Malformed("an edge must have two indices and a mass")
        i = integer(edge[0], "an index", 0, len(P) - 1)
        l = integer(edge[1], "an index", 0, len(Q) - 1)  # noqa: E741
        mass = canonical_rational(edge[2], "a mass")
        if (i, l) in seen:
            raise Malformed("an edge stands twice")
        seen.add((i, l))
        if mass <= 0:
            raise Rejected("a mass of the plan is not positive")
        rows[i].append(mass)
        columns[l].append(mass)
        mean, variance = abs(P[i][0] - Q[l][0]), P[i][1] - Q[l][1]
        if (mean, variance) not in bounded:
            if variance < 0 or sign(_room(goal, mean, variance)) < 0:
                raise Rejected(f"the edge from component {i} to component {l} is not bounded")
            bounded.add((mean, variance))
    for lines, laws, what in ((rows, P, "row"), (columns, Q, "column")):
        for k, (line, law) in enumerate(zip(lines, laws, strict=True)):
            if exact_sum(line, f"a {what}") != law[2]:
                raise Rejected(f"the {what} {k} of the plan does not sum to its weight")
    return {"F8", "MIX"} if goal.P.post is None else {"F8", "MIX", "DPI"}


def _room(goal: Normals, mean: Fraction, variance: Fraction) -> Number:
    """epsilon - mean rho - variance rho^2/2."""
    scale = goal.P.scale or Fraction(0)
    drift = combine("/", mean, scale)
    bend = combine("/", variance / 2, combine("*", scale, scale))
    return combine("-", combine("-", goal.epsilon, drift), bend)
