"""The hockey-stick divergence of two laws on a line, bounded from above.  As in `sweep`.

With t = e^(-step rho) on a lattice, else 1, the integral (or lattice sum) of g is 1/(1+t) times
that of
    (1-t) g(x)          the lattice points x at ends of pieces
    (L + R)(t - tau)    the inside of a piece; tau = 0 of one without end
For Laplace a tail integrates to 1/2, a gap to (L+R)(1-tau)/2.  For discrete Laplace the mass
constant is (1-t)/(1+t), a tail sums to t/(1-t), and t + ... + t^(m-1) = (t - tau)/(1-t).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, shift_floor, upper_end
from core.line import Lines
from core.rules import at_most
from core.sweep import Piece, Swept, difference_at, unit
from core.value import enclose_number
from core.zero import Form, enclose_form, exp_form, times

if TYPE_CHECKING:
    from core.interfaces import Noise


def is_below(goal: Lines, epsilon: Form, ar: Arithmetic) -> bool:
    """Established D <= delta."""
    swept = difference_at(goal, epsilon, ar)
    bound = ar.mul(enclose_number(goal.delta, ar), ar.add(ONE, unit(goal.P.noise, ar)))
    return at_most(positive_part_upper(goal.P.noise, swept, ar), bound, ar)


def positive_part_upper(noise: Noise, swept: Swept, ar: Arithmetic) -> Interval:
    """A number at least (1+t) times the hockey-stick divergence (F4), as a point.

    Every piece is nondecreasing in the values of g that it is computed from (the integrand
    [a e^-u + b e^-(w-u)]_+ is nondecreasing in a and in b), so their upper ends are used.
    """
    t, total = unit(noise, ar), ZERO
    at_point, places = ar.sub(ONE, t), swept.places
    for k, piece in enumerate(swept.pieces):
        gap = places[k] - places[k - 1] if 0 < k < len(places) else None
        total = ar.add(total, piece_upper(noise, gap, piece, t, ar))
        if noise.step is not None and k and (g := upper_end(piece.near(ar)))[1] > 0:
            total = ar.add(total, ar.mul(at_point, g))
    return upper_end(total)


def piece_upper(
    noise: Noise, gap: Fraction | None, piece: Piece, t: Interval, ar: Arithmetic
) -> Interval:
    """An upper bound of (1+t) times the positive part inside a piece, from the upper ends a, b of
    L, R.

    By symmetry a > 0 > b where the signs differ; then g decreases.  If g > 0 up to the far end,
    a tau + b >= 0, it is (a+b)(t-tau).  If a + b tau <= 0, g <= 0 throughout.  Otherwise g is
    positive up to its zero.  In every case  (sqrt(a t) - sqrt(-b tau))^2  is an upper bound:
    the positive part is the sum (t = 1: integral) of the signed g up to some index J, which is
    (1 - v)(a t + b tau / v) with v = t^J (t = 1: v = e^(-u rho)), and over all real v > 0 this has
    its maximum at v = sqrt(-b tau / (a t)).  For t = 1 the bound is attained at the zero.
    """
    a, b, tau = upper_end(piece.left), upper_end(piece.right), piece.tau
    if (a[1] <= 0 and b[1] <= 0) or (gap is not None and gap == noise.step):
        return ZERO
    if a[0] >= 0 and b[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if a[1] < 0:
        a, b = b, a
    if ar.add(ar.mul(a, tau), b)[0] >= 0:
        return ar.mul(ar.add(a, b), ar.sub(t, tau))
    if ar.add(a, ar.mul(b, tau))[1] <= 0:
        return ZERO
    if noise.step is not None and gap is not None:
        exact = _lattice_upper(noise, noise.step, gap, a, b, tau, ar)
        if exact is not None:
            return exact
    root = ar.sub(ar.sqrt(ar.mul(a, t)), ar.sqrt(ar.neg(ar.mul(b, tau))))
    return ar.mul(root, root)


def _lattice_upper(
    noise: Noise, step: Fraction, gap: Fraction, a: Interval, b: Interval, tau: Interval,
    ar: Arithmetic,
) -> Interval | None:  # fmt: skip
    """The bound on a lattice with the exact index.

    g_j = a t^j + b t^(m-j) decreases in j, so its positive part is the sum over 1 <= j <= J of g_j
    with J the floor of the zero j0 (t^(2 j0) = -b tau / a), cut to [0, m-1].  J is one of the
    integers between the floors of the ends of an enclosure of j0; the largest of their sums is at
    least the one of J."""
    m, t = (gap / step).numerator, unit(noise, ar)
    try:
        twice = ar.log(ar.div(ar.neg(ar.mul(b, tau)), a))
        j0 = ar.div(twice, enclose_form(times(noise.decay(step), Fraction(2)), ar))
    except Undecided:
        return None
    if j0[1].bit_length() + j0[2] > m.bit_length() + 8:
        return None
    first = max(0, shift_floor(j0[0], j0[2]))
    last = min(m - 1, max(0, shift_floor(j0[1], j0[2])))
    if last - first > 2:
        return None
    best = ZERO
    for j in range(min(first, last), last + 1):
        v, rest = (exp_form(noise.decay(i * step), ar) for i in (j, m - j))
        total = ar.mul(ar.sub(ONE, v), ar.add(ar.mul(a, t), ar.mul(b, rest)))
        if ar.sub(upper_end(total), best)[1] > 0:
            best = upper_end(total)
    return best
