"""Confidence intervals of a chance, from so many of so many records (Clopper and Pearson).

P(K >= k | p) = sum over i >= k of C(n, i) p^i (1-p)^(n-i) rises with p.  The lower end of the
interval for k > 0 is the largest multiple p of 1/UNIT with P(K >= k | p) <= share/2; so is 1 - the
upper end, with n - k.  Whatever the chance is, each end misses it with probability at most share/2.
Enclosures decide, or exact sums.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod

from core.enclose import ONE, Arithmetic, Interval, Undecided, shift_floor
from core.work import price, product, spend

UNIT = 10**9
EXACT = 4_000  # records up to which a tail is a sum of fractions
BITS = (128, 512, 2048)
TOGETHER = 64  # factors that are multiplied exactly
LEFT = 32  # bits of what is left out of a tail


def interval(draws: int, count: int, share: Fraction) -> tuple[int, int]:
    """Its ends times UNIT."""
    ways: dict[int, Interval] = {}  # by precision, and the same for both ends
    low, high = (_end(draws, k, share / 2, ways) for k in (count, draws - count))
    return low, UNIT - high


def _end(n: int, k: int, level: Fraction, ways: dict[int, Interval]) -> int:
    """Between a multiple that is rare and one that is not, by Newton's method, else by halves."""
    if k == 0:
        return 0
    low, high, j = 0, UNIT, min(UNIT * k // n, UNIT - 1) or 1
    while high - low > 1:
        rare, far = _tail(n, k, j, level, ways)
        low, high = (j, high) if rare else (low, j)
        j += far
        if j in (low, high):
            j += 1 if j == low else -1
        if not low < j < high:
            j = (low + high) // 2
    return low


def _power(x: Interval, n: int, ar: Arithmetic) -> Interval:
    found = ONE
    for digit in f"{n:b}":
        found = ar.mul(found, found)
        if digit == "1":
            found = ar.mul(found, x)
    return found


def _ways(n: int, k: int, ar: Arithmetic) -> Interval:
    """C(n, k), as a product of quotients of some factors each."""
    few, found = min(k, n - k), ONE
    for start in range(0, few, TOGETHER):
        end = min(start + TOGETHER, few)
        spend(2 * (end - start))
        above = prod(range(n - few + 1 + start, n - few + 1 + end))
        below = prod(range(start + 1, end + 1))
        found = ar.div(ar.mul(found, ar.of(Fraction(above))), ar.of(Fraction(below)))
    return found


def _tail(
    n: int, k: int, j: int, level: Fraction, ways: dict[int, Interval]
) -> tuple[bool, int]:
    """Whether P(K >= k | j/UNIT) <= level, decided, and about how far the level is from there.

    The tail is its first term times a sum, and its slope the first term times k/p."""
    p, q = Fraction(j, UNIT), Fraction(UNIT - j, UNIT)
    for bits in BITS:
        ar = Arithmetic(bits)
        if bits not in ways:
            ways[bits] = _ways(n, k, ar)
        first = ar.mul(ways[bits], ar.mul(_power(ar.of(p), k, ar), _power(ar.of(q), n - k, ar)))
        wanted = ar.div(ar.of(level), first)
        low, high, e = ar.sub(wanted, _from_first(n, k, j, bits))
        if low >= 0 or high < 0:
            return low >= 0, shift_floor(low * j // k, e)
    if n > EXACT:
        raise Undecided("a tail of records is too near to what it is compared with")
    spend((n - k + 1) * (64 + price(32 * n) + 2 * product(32 * n)))
    tail = sum(comb(n, i) * j**i * (UNIT - j) ** (n - i) for i in range(k, n + 1))
    return Fraction(tail, UNIT**n) <= level, 0


def _from_first(n: int, k: int, j: int, bits: int) -> Interval:
    """The sum of all terms over the first: where they fall, what is left out is at most the last
    one times ratio / (1 - ratio)."""
    low = high = least = most = 1 << bits
    for i in range(k, n):
        above, below = (n - i) * j, (i + 1) * (UNIT - j)
        low, high = low * above // below, -(-high * above // below)
        least, most = least + low, most + high
        if high * above < (below - above) << LEFT:  # and so above < below
            most += 1 + high * above // (below - above)
            break
        spend(1 + (high.bit_length() + n.bit_length() >> 7))  # far off the terms grow and grow
    return least, most, -bits
