"""Where g = p - e**epsilon q changes its sign, if it does so once along all points.

It does if p - e**epsilon q of the atoms is of one sign up to a place and of the other behind it,
whatever that of an atom at the place (proofs/design/F48j.py). What g sums to on either side is then
a difference of tails, as exact far out as near.
Source: design fact F48; Karlin, Total positivity (1968), for the number of changes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

from pfverify.decide.gaussian_lattice.laws import LatticePair
from pfverify.exact.ball import Ball, Raw, raw

_DOUBLINGS = 64  # outward from where the change is thought to be
_FEW = 64  # points at which balls do not tell the sign


class Turn(NamedTuple):
    """Up to `low` g has the sign `before`, and from `high` on the other one."""

    low: int
    high: int
    before: int


def turn_of(pair: LatticePair, growth: Raw) -> Turn | None:
    """Return where g = p - growth q changes its sign; None where it is not known to do so once.

    Source: design fact F48.
    """
    jumps = [(a, p - growth * q) for a, p, q in pair.columns]
    signs = [1 if c > 0 else -1 if c < 0 else 0 for _, c in jumps]
    before = signs[0] if signs else 0
    first = next((k for k, sign in enumerate(signs) if sign != before), len(signs))
    last = first + (first < len(signs) and signs[first] == 0)
    if not before or last == len(signs) or any(sign != -before for sign in signs[last:]):
        return None
    (a, c), (b, d) = jumps[first - 1], jumps[last]
    # where both atoms weigh the same
    guess = Ball((raw(a + b) / 2) + raw(pair.variance) * abs(c / d).log() / (b - a)).midpoint()
    if not isfinite(guess):
        return None

    def sign_at(k: int) -> int:
        p, q = pair.at(k)
        gap = p - growth * q
        return before if before * gap > 0 else -before if before * gap < 0 else 0

    low = _last(round(guess), -1, lambda k: sign_at(k) == before)
    high = _last(round(guess), 1, lambda k: sign_at(k) == -before)
    if low is None or high is None or high - low > _FEW:
        return None
    return Turn(low, high, before)


def _last(start: int, way: int, is_told: Callable[[int], bool]) -> int | None:
    """Return a point where it is told, that has one beside it where it is not.

    It is told far out in one way (1: to the right). None where that is too far from `start`.
    """
    here = is_told(start)
    near, step = start, -way if here else way
    for _ in range(_DOUBLINGS):
        far = near + step
        if is_told(far) != here:
            break
        near, step = far, 2 * step
    else:
        return None
    while abs(far - near) > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if is_told(middle) == here else (near, middle)
    return near if here else far


def excess_at(pair: LatticePair, growth: Raw, turn: Turn) -> Raw:
    """Enclose the sum of the positive masses of g over all outputs.

    Beside those around the change it is that of all on one side: none of what is suppressed, which
    may have a mass of its own, lies among them.
    """
    around, hidden = pair.outputs(turn.low, turn.high), pair.suppressed
    low, high = around[0].low, around[-1].high
    start = None
    if hidden is not None and hidden not in around:
        around.append(hidden)
        start = None if hidden.low is not None or hidden.high is None else hidden.high + 1
    total = raw(0)
    for output in around:
        p, q = pair.masses(output)
        total += (p - growth * q).nonnegative_part()
    if turn.before > 0 and low is not None:
        p, q = pair.between(start, low - 1)
        total += p - growth * q
    if turn.before < 0 and high is not None:
        p, q = pair.between(high + 1, None)
        total += p - growth * q
    return total
