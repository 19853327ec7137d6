"""The Taylor coefficients g of G = (1 + s T)^a (1 + t T)^(1-a) in a weighted sum (F91).

    (k+1) g_(k+1) = (a s + (1-a) t - k (s+t)) g_k + (2-k) s t g_(k-1)

With 2^-m s and 2^-m t in place of s and t they are 2^(-m k) g_k.  All numbers are whole numbers of
units of 2^-w, each with a bound, in units, of how far it is off: products and quotients are of
whole numbers, and so are the bounds, which are rounded up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.enclose import Interval, shift_ceil, shift_floor
from core.work import product, spend

Near = tuple[int, int]  # a number of units, and how far off it is at most


def near(x: Interval, w: int) -> Near:
    """What an enclosed number is near to."""
    low, high = shift_floor(x[0], x[2] + w), shift_ceil(x[1], x[2] + w)
    middle = low + high >> 1
    return middle, high - middle  # at least middle - low


def weighted(s: Near, t: Near, order: Fraction, weights: Sequence[Near], w: int) -> Interval:
    """The sum of the even coefficients, each with its weight."""
    (x, off_x), (y, off_y) = s, t
    n, d = order.numerator, order.denominator
    m = d - n  # of 1 - a
    spend(len(weights) * (24 + 16 * product(w + d.bit_length())))
    both, off_both = d * (x + y), d * (off_x + off_y)
    lead, off_lead = n * x + m * y, n * off_x - m * off_y  # m < 0
    xy = x * y >> w
    off_xy = (abs(x) * off_y + abs(y) * off_x + off_x * off_y >> w) + 2
    before, off_before, now, off_now = 0, 0, 1 << w, 0
    total = off = 0
    for half, (weight, off_weight) in enumerate(weights):
        total += weight * now
        off += abs(weight) * off_now + off_weight * (abs(now) + off_now)
        for k in (2 * half, 2 * half + 1):
            factor = (2 - k) * d
            size, most = abs(lead), abs(factor)
            over = (k + 1) * d << w
            new = (lead * now + factor * xy * before) // over
            wrong = size * off_now + off_lead * (abs(now) + off_now)
            wrong += most * (abs(xy) * off_before + off_xy * (abs(before) + off_before))
            before, off_before, now, off_now = now, off_now, new, wrong // over + 2
            lead, off_lead = lead - both, off_lead + off_both
    return total - off, total + off, -2 * w
