"""Rigorous enclosures of pi and of the complementary error function.

erfc(x) = 2/sqrt(pi) * integral from x to infinity of e^(-t^2) dt, decreasing, in (0, 2).  As in
`enclose`, lower bounds are floored and upper bounds ceiled throughout.
"""

from __future__ import annotations

from functools import lru_cache

from core.enclose import ONE, Arithmetic, Interval, shift_ceil, shift_floor
from core.work import product, spend


def _arctan_of_inverse(n: int, w: int) -> tuple[int, int]:
    """Bounds of 2**w * arctan(1/n), n >= 2.

    arctan(1/n) = 1/n - 1/(3 n^3) + 1/(5 n^5) - ...: each of the terms that are added or subtracted
    is the floor of the true one (nested floors are floors), so each costs less than 1 either way.
    When `power` is 0 the next true term is below 1 and bounds the rest of the alternating series.
    """
    power, total, k = (1 << w) // n, 0, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    error = k // 2 + 1  # the number of terms, and 1 for the rest
    return total - error, total + error


@lru_cache(maxsize=64)
def pi_bounds(w: int) -> tuple[int, int]:
    """Bounds of 2**w * pi that differ by at most 2.

    pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin), with guard bits for the accumulated error.
    """
    spend((w // 3 + 8) * (1 + (w >> 10)))  # terms, and the length of each
    g = 32 + w.bit_length()
    (a, b), (c, d) = (_arctan_of_inverse(n, w + g) for n in (5, 239))
    return (16 * a - 4 * d) >> g, -(-(16 * b - 4 * c) >> g)


def pi(ar: Arithmetic) -> Interval:
    """Enclosure of pi."""
    return (*pi_bounds(ar.bits), -ar.bits)


MAX_LIFT = 1 << 12  # bits by which an end may be lengthened


def hull(x: Interval, y: Interval) -> Interval:
    """From the lower end of x to the upper end of y, where that is not below it: exactly on the
    finer of the two grids, or, if that is far finer, outward on a grid not much finer than the
    coarser one."""
    (a, _, e), (_, d, f) = x, y
    unit = max(min(e, f), max(e, f) - MAX_LIFT)
    return shift_floor(a, e - unit), shift_ceil(d, f - unit), unit


def _series(low: int, high: int, v: int) -> tuple[int, int]:
    """Bounds of 2**v * sum over n of (2 q)^n / (1*3*...*(2n+1)), low <= 2**v q <= high.

    Below, every term is floored and the positive rest dropped; above, every term is ceiled.  It
    stops where the ratio 2 q / k of all further terms is at most 1/2, so that together they are at
    most the last one, which is added."""
    term = total = (1 << v, 1 << v)
    k = 1
    while term[1] > 1 or 4 * high > k << v:
        spend(2 * (4 + product(v)))
        k += 2
        term = (term[0] * low >> v - 1) // k, -((-term[1] * high >> v - 1) // k)
        total = total[0] + term[0], total[1] + term[1]
    return total[0], total[1] + term[1]


def _erfc_near(m: int, e: int, ar: Arithmetic) -> Interval:
    """erfc of x = m * 2**e with 0 <= x^2 < ar.bits, as 1 - erf x.

    erf x = 2/sqrt(pi) * x e^(-x^2) * sum over n of (2 x^2)^n / (1*3*...*(2n+1)), all terms positive
    (both sides solve f' = 2/sqrt(pi) e^(-x^2), f(0) = 0).  The subtraction loses the bits of
    1/erfc x, fewer than 3/2 x^2 + 20, and as many more are used.
    """
    fine = ar.finer(3 * shift_floor(m * m, 2 * e) // 2 + 32)
    v = fine.bits + 8
    low, high = _series(shift_floor(m * m, 2 * e + v), shift_ceil(m * m, 2 * e + v), v)
    bell = fine.exp((-m * m, -m * m, 2 * e))
    product = fine.mul(fine.mul((m, m, e + 1), bell), fine.fit(low, high, -v))
    return fine.sub((1, 1, 0), fine.div(product, fine.sqrt(pi(fine))))


def _erfc_far(m: int, e: int, ar: Arithmetic) -> Interval:
    """erfc of x = m * 2**e with x^2 >= ar.bits >= 16.

    sqrt(pi) x e^(x^2) erfc x lies between any two consecutive partial sums of the asymptotic series
    1 - t + 1*3 t^2 - 1*3*5 t^3 + ..., t = 1/(2 x^2): integration by parts leaves a rest that has
    the sign of the first term left out and is smaller.  So wherever the sum is cut, here at a term
    below one unit or at the least one, that first term bounds the error both ways.
    """
    v = ar.bits + 16
    s = v - 1 - 2 * e
    low, high = ((1 << s) // (m * m), -(-(1 << s) // (m * m))) if s >= 0 else (0, 1)
    term = [1 << v, 1 << v]
    total, k = [0, 0], 1
    while True:
        spend(8 + 2 * product(v))
        sign = 1 if k % 4 == 1 else -1
        total = [total[0] + sign * term[sign < 0], total[1] + sign * term[sign > 0]]
        following = [term[0] * k * low >> v, -(-(term[1] * k * high) >> v)]
        k += 2
        done = following[1] <= 1 or following[1] >= term[1]
        term = following
        if done:
            break
    value = ar.fit(total[0] - term[1], total[1] + term[1], -v)
    root = ar.mul((m, m, e), ar.sqrt(pi(ar)))
    return ar.div(ar.mul(ar.exp((-m * m, -m * m, 2 * e)), value), root)


def _erfc_point(m: int, e: int, ar: Arithmetic) -> Interval:
    """erfc of m * 2**e; erfc(-x) = 2 - erfc(x).  The far series reaches a relative error of about
    e^(-x^2) < 2^(-ar.bits) where it is used."""
    if not m:
        return ONE
    n = abs(m)
    far = n.bit_length() + e > ar.bits or shift_floor(n * n, 2 * e) >= ar.bits
    value = (_erfc_far if far else _erfc_near)(n, e, ar)
    return value if m >= 0 else ar.sub((2, 2, 0), value)


def erfc(x: Interval, ar: Arithmetic) -> Interval:
    """Enclosure of erfc with a relative error of about 2^-bits at a point: decreasing, so a lower
    bound at the high end and an upper bound at the low end."""
    a, b, e = x
    fine = ar.finer(8)
    low = high = _erfc_point(b, e, fine)
    if a != b:
        high = _erfc_point(a, e, fine)
    return ar.fit(*hull(low, high))
