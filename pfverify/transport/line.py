"""The monotone plan on the line: optimal for every convex cost, by one merge (fact F10)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm

from pfverify.errors import require
from pfverify.exact.corner import corner
from pfverify.model.priors.discrete import Discrete
from pfverify.transport.arrays import monotone_arrays
from pfverify.transport.line_plan import LinePlan

_MANY = 512  # atoms of both priors from which one sort beats the loop


def monotone_plan(first: Discrete, second: Discrete) -> LinePlan:
    """Return the comonotone coupling of two discrete priors, with O(n + m) edges.

    On the line it minimises every convex cost, and the largest distance too.

    Example: ``monotone_plan(Discrete({0: 1}), Discrete({0: "1/2", 3: "1/2"})).w_infinity()``
    is ``3``.
    Source: multi-user paper (6); Santambrogio 2015, Theorem 2.9.
    """
    for prior, name in ((first, "first"), (second, "second")):
        require(prior, Discrete, f"the {name} prior")
    if first.size + second.size >= _MANY:
        many = monotone_arrays(first, second)
        if many is not None:
            return many
    denominator = lcm(first.denominator, second.denominator)
    total = lcm(first.total, second.total)
    (xs, supply), (ys, demand) = (
        over_common(prior, denominator, total) for prior in (first, second)
    )
    edges = ((xs[i], ys[j], mass) for i, j, mass in corner(supply, demand))
    return LinePlan.of_edges(edges, denominator, total)


def over_common(prior: Discrete, denominator: int, total: int) -> tuple[list[int], list[int]]:
    """Return the points in units of 1/denominator and the weights over a total."""
    stretch, scale = denominator // prior.denominator, total // prior.total
    return [p * stretch for p in prior.points], [w * scale for w in prior.weights]


def delta_star_printed(
    first: Discrete, second: Discrete, points: Iterable[Fraction], step: Fraction | None
) -> dict[Fraction, Fraction]:
    """Return Delta*(x) exactly as (25) prints it, for each of `points`.

    `step` h restricts Delta to positive multiples of h, as for lattice data; None allows every
    real Delta > 0 and takes the infimum, since the printed minimum need not be attained. The
    supremum is W-infinity if all atoms lie on one lattice hZ, `step` is h and `points` are all
    lattice points of the hull; with real Delta, or over the alphabet alone, it can be too small.

    Example: ``delta_star_printed(Discrete({1: 1}), Discrete({0: 1}), [Fraction(0)], None)`` is
    ``{0: 0}``, while the distance is 1.
    Source: multi-user paper (25) and, for one user's distributions, (17).
    """
    g = [Fraction(w, second.total) for w in accumulate(second.weights)]
    ys = second.atoms
    below = [Fraction(w, first.total) for w in accumulate(first.weights)]
    xs = first.atoms
    found: dict[Fraction, Fraction] = {}
    for x in points:
        k, j = bisect_right(xs, x), bisect_right(ys, x)
        f_here = below[k - 1] if k else Fraction(0)
        g_here = g[j - 1] if j else Fraction(0)
        if f_here == g_here:
            found[x] = Fraction(0)
        elif f_here > g_here:  # the least Delta with F(x) <= G(x + Delta)
            gap = ys[bisect_left(g, f_here)] - x
            found[x] = gap if step is None else step * ceil(gap / step)
        else:  # the least Delta with F(x) >= G(x - Delta): x - Delta lies before this atom
            gap = x - ys[bisect_right(g, f_here)]
            found[x] = gap if step is None else step * (gap // step + 1)
    return found
