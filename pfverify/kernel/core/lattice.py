"""Inside a gap on the lattice of discrete Laplace noise: where the difference changes its sign."""

from __future__ import annotations

from fractions import Fraction

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, shift_floor, upper_end
from core.laplace import Atoms, Row
from core.ties import shifted
from core.zero import NIL, Sum, add, enclose_form, exp_form, multiply, sign_of_sum, times


def lattice_split_upper(
    goal: Atoms, ar: Arithmetic, a: Interval, b: Interval, row: Row, t: Interval
) -> Interval | None:
    """The bound inside a gap with the exact index.

    g_j = a t^j + b t^(m-j) decreases in j, so its positive part is the sum over 1 <= j <= J of g_j
    with J the floor of the zero j0 (t^(2 j0) = -b tau / a), cut to [0, m-1].  J is one of the
    integers between the floors of the ends of an enclosure of j0; the largest of their sums is at
    least the one of J."""
    noise, step = goal.release, goal.release.step or Fraction(1)
    m = row.gap / step
    try:
        twice = ar.log(ar.div(ar.neg(ar.mul(b, row.tau)), a))
        j0 = ar.div(twice, enclose_form(times(noise.decay(step), Fraction(2)), ar))
    except Undecided:
        return None
    if j0[1].bit_length() + j0[2] > m.numerator.bit_length() + 8:
        return None
    first = max(0, shift_floor(j0[0], j0[2]))
    last = min(m.numerator - 1, max(0, shift_floor(j0[1], j0[2])))
    if last - first > 2:
        return None
    best = ZERO
    for j in range(min(first, last), last + 1):
        v = exp_form(noise.decay(j * step), ar)
        rest = exp_form(noise.decay((m - j) * step), ar)
        total = ar.mul(ar.sub(ONE, v), ar.add(ar.mul(a, t), ar.mul(b, rest)))
        if ar.sub(upper_end(total), best)[1] > 0:
            best = upper_end(total)
    return best


def exact_lattice_split(goal: Atoms, ar: Arithmetic, a: Sum, b: Sum, gap: Fraction) -> Sum:
    """(1 - t^J)(a t + b t^(m-J)) with J the last index where g_j = a t^j + b t^(m-j) >= 0: found by
    bisection, since a > 0 > b makes g_j decreasing."""
    noise, step = goal.release, goal.release.step or Fraction(1)
    m = (gap / step).numerator
    low, high = 0, m  # g_low >= 0 > g_high
    while high - low > 1:
        j = (low + high) // 2
        value = add(shifted(a, noise.decay(j * step)), shifted(b, noise.decay((m - j) * step)))
        low, high = (j, high) if sign_of_sum(value, ar) >= 0 else (low, j)
    bracket = add(shifted(a, noise.decay(step)), shifted(b, noise.decay((m - low) * step)))
    head: Sum = add({NIL: Fraction(1)}, {noise.decay(low * step): Fraction(1)}, Fraction(-1))
    return multiply(head, bracket)
