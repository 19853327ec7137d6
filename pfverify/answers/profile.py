"""What is known of the divergence of two laws at some growths, and what bounds it between them.

For gamma >= 0 let H(gamma) be the largest P(B) - gamma Q(B) over events B: the hockey-stick
divergence of P from Q, delta at gamma = e**epsilon. It is convex and falls, H(0) = 1, and
H(gamma) of P from Q is 1 - gamma + gamma H(1/gamma) of Q from P, so that both orders give one
curve over all gamma.

Everything here is exact arithmetic on the ends of proved enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Known:
    """What is proved at one gamma: `lower` <= H(gamma) <= `upper`."""

    gamma: Fraction
    lower: Fraction
    upper: Fraction


def turned(known: Known) -> Known:
    """Return what a value of Q from P at gamma > 0 says about P from Q at 1/gamma.

    Example: ``turned(Known(Fraction(2), Fraction(0), Fraction(0))).lower`` is ``1/2``.
    """
    gamma = 1 / known.gamma
    return Known(gamma, 1 - gamma + gamma * known.lower, 1 - gamma + gamma * known.upper)


def merged(*parts: Sequence[Known]) -> list[Known]:
    """Return all that is known, by gamma; of two values at one gamma the tighter ends.

    H(0) = 1 is always known.
    """
    found = {Fraction(0): Known(Fraction(0), Fraction(1), Fraction(1))}
    for one in (known for part in parts for known in part):
        other = found.get(one.gamma, one)
        lower, upper = max(one.lower, other.lower), min(one.upper, other.upper)
        found[one.gamma] = Known(one.gamma, lower, upper)
    return [found[gamma] for gamma in sorted(found)]


def band(known: Sequence[Known], gamma: Fraction) -> tuple[Fraction, Fraction]:
    """Return proved bounds of a convex falling function >= 0 between (or at) the known gammas.

    Above by the chord of the two neighbours; below by the larger of the right neighbour and of
    the lines through two known points on either side, carried on: a convex function is above them.
    Example: ``band([Known(Fraction(0), Fraction(1), Fraction(1)), Known(Fraction(2), Fraction(0),
    Fraction(0))], Fraction(1))`` is ``(0, 1/2)``.
    """
    right = next(k for k, one in enumerate(known) if one.gamma >= gamma)
    if known[right].gamma == gamma:
        return known[right].lower, known[right].upper
    a, b = known[right - 1], known[right]
    part = (gamma - a.gamma) / (b.gamma - a.gamma)
    upper = a.upper + part * (b.upper - a.upper)
    lower = max(b.lower, Fraction(0))
    if right >= 2:
        before = known[right - 2]
        slope = (a.lower - before.upper) / (a.gamma - before.gamma)
        lower = max(lower, a.lower + slope * (gamma - a.gamma))
    if right + 1 < len(known):
        after = known[right + 1]
        slope = (after.upper - b.lower) / (after.gamma - b.gamma)
        lower = max(lower, b.lower - slope * (b.gamma - gamma))
    return min(lower, upper), upper
