"""The printed forms of the monotone plan and of its longest moves, atom by atom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from math import lcm

from pfverify import Discrete
from pfverify.transport.line import monotone_plan
from pfverify.transport.line_plan import LinePlan


def mixed_difference_plan(first: Discrete, second: Discrete) -> LinePlan:
    """Return pi(x, x') = the second difference of min(F(x), G(x')), the printed form of (6).

    A second route to `monotone_plan`, from the distribution functions and without a merge: the
    four terms are written down for every pair whose quantile intervals can meet, at most
    n + m - 1 plus two per row; elsewhere the difference is 0.

    Source: multi-user paper (6), (26), (27); noise-reduction paper (20), (21), and (22) with
    its last term corrected to (x-1, x'-1).
    """
    denominator = lcm(first.denominator, second.denominator)
    total = lcm(first.total, second.total)
    f, g = (
        [0, *accumulate(w * (total // prior.total) for w in prior.weights)]
        for prior in (first, second)
    )
    xs, ys = (
        [p * (denominator // prior.denominator) for p in prior.points] for prior in (first, second)
    )
    edges: list[tuple[int, int, int]] = []
    for i, x in enumerate(xs):
        start = max(bisect_right(g, f[i]) - 1, 0)
        stop = min(bisect_left(g, f[i + 1]), len(ys))
        for j in range(start, stop):
            mass = min(f[i + 1], g[j + 1]) - min(f[i], g[j + 1])
            mass += min(f[i], g[j]) - min(f[i + 1], g[j])
            if mass:
                edges.append((x, ys[j], mass))
    return LinePlan.of_edges(edges, denominator, total)


def delta_star(first: Discrete, second: Discrete) -> dict[Fraction, Fraction]:
    """Return atom x of `first` -> the largest |x - x'| in its row of the monotone plan.

    This is what the multi-user paper's Delta*(x) is for: its supremum is W-infinity, on every
    support. Units: those of the atoms.

    Source: multi-user paper, Lemma of Appendix A (25), corrected (see `delta_star_printed`).
    """
    plan = monotone_plan(first, second)
    longest: dict[int, int] = {}
    for x, y, _ in plan.edges:
        longest[x] = max(longest.get(x, 0), abs(x - y))
    return {
        Fraction(x, plan.denominator): Fraction(move, plan.denominator)
        for x, move in longest.items()
    }
