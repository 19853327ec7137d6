"""What of g = p - e**epsilon q is positive, from its sums at the places, in balls.

Between two places g is a*u + b*(tau/u) up to a factor, with u = e**(-(y - x_k) rate) in [tau, 1]: a
is the left sum before the gap, b the right sum behind it, tau the decay across. It has at most one
zero, where both parts have the same size, so what is positive is a closed form that never decreases
in a or in b. On the lattice, with s = e**(-step rate), g is a s**j + b s**(m-j) at the j-th of the
m - 1 points inside, and those where it is positive are a run from one end.
Source: design facts F3, F4 and F12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

from pfverify.exact.ball import Raw, ceiling, lower_end, raw, upper_end
from pfverify.laws.sweep.ring import BothSides, T

_WIDE = 4  # points of which it is not known whether g is positive


def run(one: Any, power: Callable[[int], T], a: T, b: T, count: int, m: int) -> T:
    """Return 1 - s times the sum of a s**j + b s**(m - j) over j = 1 ... count.

    `power` gives s to whole numbers, and `one` is 1.
    Example: ``run(1, lambda j: raw(2) ** j, raw(3), raw(0), 1, 1)`` is ``-6``.
    """
    beyond: T = one - power(count)
    return (a * power(1) + b * power(m - count)) * beyond


def line_divergence(sums: BothSides) -> Raw:
    """Enclose the integral of the positive part over the line, from masses at the atoms."""
    total = _positive(sums.right[0]) + _positive(sums.left[-1])
    for a, b, tau in sums.gaps():
        if a > 0 and b > 0:
            total += (a + b) * (1 - tau)
        elif not (a < 0 and b < 0):
            total += _monotone(_segment, a, b, tau)
    return total / 2


def lattice_divergence(
    sums: BothSides, rate: Raw, step: Fraction, gaps: Iterable[int]
) -> Raw:
    """Enclose the sum of the positive part over the lattice; `gaps` are in steps."""
    log_s = -rate * raw(step)
    s = log_s.exp()
    total = (_positive(sums.right[0]) + _positive(sums.left[-1])) * (s / (1 - s))
    total += _positive(sums.left[-1])  # the last atom
    for (a, b, tau), m in zip(sums.gaps(), gaps, strict=True):
        total += _positive(a + b * tau)
        if m > 1 and not (a < 0 and b < 0):
            total += _monotone(partial(_lattice_gap, s=s, log_s=log_s, m=m), a, b, tau)
    return total * (1 - s) / (1 + s)


def _positive(value: Raw) -> Raw:
    """Enclose max(value, 0)."""
    if value > 0:
        return value
    if value <= 0:
        return raw(0)
    return value.nonnegative_part() if value.is_finite() else value


def _monotone(part: Callable[[Raw, Raw, Raw], Raw], a: Raw, b: Raw, tau: Raw) -> Raw:
    """Enclose a contribution that never decreases in a or b, from their ends.

    At exact ends every sign is decided; where both signs are decided already, no split is made.
    """
    if (a > 0 or a < 0) and (b > 0 or b < 0):
        return part(a, b, tau)
    if not (a.is_finite() and b.is_finite()):
        return a + b
    low = part(lower_end(a), lower_end(b), tau)
    return low.union(part(upper_end(a), upper_end(b), tau))


def _segment(a: Raw, b: Raw, tau: Raw) -> Raw:
    """Twice the integral of the positive part over one gap; signs of a and b are decided."""
    if a >= 0 and b >= 0:
        return (a + b) * (1 - tau)
    if a <= 0 and b <= 0:
        return raw(0)
    if a < 0:  # mirror image
        a, b = b, a
    # now a > 0 > b: positive near the left end
    whole = a * tau + b  # sign of g at the right end
    start = a + b * tau  # sign of g at the left end
    if whole >= 0:
        return (a + b) * (1 - tau)
    if start <= 0:
        return raw(0)
    split = a.sqrt() - (-b * tau).nonnegative_part().sqrt()
    crossing = _positive(split) * _positive(split)
    return crossing if whole < 0 else crossing.union((a + b) * (1 - tau))


def _lattice_gap(a: Raw, b: Raw, tau: Raw, *, s: Raw, log_s: Raw, m: int) -> Raw:
    """Sum of the positive part of a s**j + b s**(m-j) over j = 1 .. m-1; signs decided."""
    if a <= 0 and b <= 0:
        return raw(0)
    if a >= 0 and b >= 0:
        return (a + b) * ((s - tau) / (1 - s))  # sum of s**j, the same read from either end
    if a < 0:
        a, b = b, a
    # a > 0 > b: the terms decrease in j and are positive before the zero
    ends = before_zero(a, b, log_s, m)
    if ends is None or ends[1] - ends[0] > _WIDE:
        return raw(0) / 0  # nothing is decided at this precision
    first, last = ends

    def power(j: int) -> Raw:
        return (log_s * j).exp()

    total = run(1, power, a, b, first, m) / (1 - s)
    for j in range(first + 1, last + 1):
        total += _positive(a * power(j) + b * power(m - j))
    return total


def before_zero(a: Raw, b: Raw, log_s: Raw, m: int) -> tuple[int, int] | None:
    """Return the least and the most that the last point j before the zero of a gap may be.

    It is the last one of j = 0 ... m - 1 where a s**j + b s**(m-j), a and b of different signs, has
    the sign that it has at 0. None where that is not known.
    """
    turn = (m + (abs(b).log() - abs(a).log()) / log_s) / 2
    if not turn.is_finite():
        return None
    ends = ceiling(lower_end(turn)), ceiling(upper_end(turn))
    if ends[0] is None or ends[1] is None:
        return None
    first, last = (min(max(end - 1, 0), m - 1) for end in ends if end is not None)
    return first, last
