"""Certified signs of a combination h(x) = sum over k of A_k e^(Q_k(x)), Q_k rational quadratics.

h is the density of mu (see `smooth`): a normal law of variance v contributes the coefficient
A = c / sqrt(2 pi v) and Q(x) = -(x - m)^2 / (2 v), the flat part A = -delta and Q = 0.  Relative to
a term r the sign of h is that of H = h / e^(Q_r) = sum of A_k e^(Q_k - Q_r).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import canonical, shown
from core.rules import Rejected
from core.smooth import Split, add_all, normal_constant
from core.spans import End
from core.special import hull
from core.zero import constant, exp_form


class Wave(NamedTuple):
    """A e^(q0 + q1 x + q2 x^2)."""

    coefficient: Interval
    q0: Fraction
    q1: Fraction
    q2: Fraction

    def at(self, x: Fraction) -> Fraction:
        """The exponent at x."""
        return self.q0 + x * (self.q1 + x * self.q2)

    def slope(self, x: Fraction) -> Fraction:
        """The exponent's derivative at x."""
        return self.q1 + 2 * self.q2 * x


def waves(split: Split) -> list[Wave]:
    """The terms of h in their order: by mean and variance, the flat part last."""
    ar, found = split.ar, []
    for t in split.smooth:
        size = ar.mul(t.weight, normal_constant(t.variance, ar))
        q2 = -1 / (2 * t.variance)
        q1, q0 = -2 * t.mean * q2, t.mean**2 * q2
        found.append(Wave(size if t.sign > 0 else ar.neg(size), q0, q1, q2))
    if split.flat is not None:
        zero = Fraction(0)
        found.append(Wave(ar.neg(split.flat), zero, zero, zero))
    return found


def cell_sign(
    curve: list[Wave], low: End, high: End, order: int, reference: int, ar: Arithmetic
) -> int:
    """The constant sign, 1 or -1, of h on the cell [low, high], or Rejected."""
    r = curve[reference]
    relative = [Wave(w.coefficient, w.q0 - r.q0, w.q1 - r.q1, w.q2 - r.q2) for w in curve]
    if low is None or high is None:
        found = 0 if order else _tail_sign(relative, low, high, reference, ar)
    else:
        found = _taylor_sign(relative, low, high, order, ar)
    if not found:
        raise Rejected(f"the sign of the density is not proved on {interval_text(low, high)}")
    return found


def interval_text(low: End, high: End) -> str:
    """An interval in a message."""
    ends = "-inf" if low is None else canonical(low), "inf" if high is None else canonical(high)
    return f"[{shown(ends[0], 30)[1:-1]}, {shown(ends[1], 30)[1:-1]}]"


def _sign(x: Interval) -> int:
    """The sign of all numbers of an interval, 0 where they differ or may be 0."""
    return 1 if x[0] > 0 else -1 if x[1] < 0 else 0


def _size(x: Interval) -> Interval:
    """The largest absolute value, as a point."""
    top = max(-x[0], x[1])
    return top, top, x[2]


def _dominant_sign(first: Interval, rest: Interval, ar: Arithmetic) -> int:
    """The sign of `first` where |first| > rest is established."""
    s = _sign(first)
    return s if s and ar.sub(first if s > 0 else ar.neg(first), rest)[0] > 0 else 0


def _value(relative: list[Wave], x: Fraction, ar: Arithmetic) -> Interval:
    """H(x)."""
    return add_all((ar.mul(w.coefficient, exp_form(constant(w.at(x)), ar)) for w in relative), ar)


def _spread(w: Wave, low: Fraction, high: Fraction, ar: Arithmetic) -> Interval:
    """The range of e^(q) over [low, high]: q is extremal at the ends, or at its vertex inside."""
    ends = [w.at(low), w.at(high)]
    if w.q2 and low < (vertex := -w.q1 / (2 * w.q2)) < high:
        ends.append(w.at(vertex))
    return hull(exp_form(constant(min(ends)), ar), exp_form(constant(max(ends)), ar))


def _coefficients(
    start: Interval, q1: Interval, q2: Interval, order: int, ar: Arithmetic
) -> list[Interval]:
    """e_0 = start, ..., e_order of (n+1) e_(n+1) = q1 e_n + 2 q2 e_(n-1).

    f = e^(q0 + q1 s + q2 s^2) has f' = (q1 + 2 q2 s) f, which so relates its Taylor coefficients at
    0, and those at any other s if q1 stands for q1 + 2 q2 s there."""
    found = [start]
    twice = ar.add(q2, q2)
    for n in range(order):
        value = ar.mul(q1, found[n])
        if n:
            value = ar.add(value, ar.mul(twice, found[n - 1]))
        found.append(ar.div(value, (n + 1, n + 1, 0)))
    return found


def _expansion(
    relative: list[Wave], low: Fraction, high: Fraction, order: int, ar: Arithmetic
) -> list[Interval]:
    """a_0, ..., a_(N-1), the Taylor coefficients of s -> H(c + w s) at s = 0 (c the cell's centre,
    w half its width), and a_N, which contains the N-th of them at every s in [-1, 1]."""
    centre, width = (low + high) / 2, (high - low) / 2
    total = [ZERO] * (order + 1)
    for w in relative:
        slope, bend = w.slope(centre) * width, w.q2 * width * width
        q1, q2 = ar.of(slope), ar.of(bend)
        here = []
        if order:
            here = _coefficients(exp_form(constant(w.at(centre)), ar), q1, q2, order - 1, ar)
        slopes = hull(ar.of(slope - 2 * abs(bend)), ar.of(slope + 2 * abs(bend)))
        rest = _coefficients(_spread(w, low, high, ar), slopes, q2, order, ar)[order]
        for n, value in enumerate([*here, rest]):
            total[n] = ar.add(total[n], ar.mul(w.coefficient, value))
    return total


def _taylor_sign(
    relative: list[Wave], low: Fraction, high: Fraction, order: int, ar: Arithmetic
) -> int:
    """
    |a_0| > sum over 0 < n < N of |a_n| + |a_N|     (N = 0: a_0 does not contain 0)
    ------------------------------------------- (a_n as in `_expansion`)
    H has the sign of a_0 on the cell

    |a_1| > sum over 1 < n < N of n |a_n| + N |a_N|     H(low), H(high) have the same sign
    ---------------------------------------------------------------------------------------
    H is monotone on the cell and has that sign

    Lagrange's rests: H = a_0 + ... + a_(N-1) s^(N-1) + a_N(s') s^N, and the rest of order N-1 of H'
    is N a_N(s'') s^(N-1).
    """
    total = _expansion(relative, low, high, order, ar)
    sizes = [_size(x) for x in total]
    found = _dominant_sign(total[0], add_all(sizes[1:], ar), ar)
    if found or order <= 1:
        return found
    others = add_all((ar.mul((n, n, 0), sizes[n]) for n in range(2, order + 1)), ar)
    if not _dominant_sign(total[1], others, ar):
        return 0
    ends = _sign(_value(relative, low, ar)), _sign(_value(relative, high, ar))
    return ends[0] if ends[0] == ends[1] else 0


def _tail_sign(relative: list[Wave], low: End, high: End, reference: int, ar: Arithmetic) -> int:
    """
    q_k does not increase on [X, infinity) and |A_r| > sum of |A_k| e^(q_k(X)), all k other than r
    -----------------------------------------------------------------------------------------------
    H has the sign of A_r on [X, infinity)          (mirrored on (-infinity, X]; on the whole line
                                                     when there is no other term)
    """
    x = low if high is None else high
    others = [w for k, w in enumerate(relative) if k != reference]
    way = 1 if high is None else -1
    if x is None:
        return 0 if others else _sign(relative[reference].coefficient)
    if any(w.q2 > 0 or way * w.slope(x) > 0 for w in others):
        return 0
    rest = add_all(
        (_size(ar.mul(w.coefficient, exp_form(constant(w.at(x)), ar))) for w in others), ar
    )
    return _dominant_sign(relative[reference].coefficient, rest, ar)
