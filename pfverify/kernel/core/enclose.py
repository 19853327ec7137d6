"""Rigorous enclosures of real numbers, in integers only.

An Interval (low, high, e) stands for the closed interval [low * 2**e, high * 2**e].  The exponent
is an unbounded integer, so e^(-10^30) is an ordinary number here.  Every operation returns an
interval that contains every exact result of its operands: lower ends are rounded down (`>>` and
`//` floor), upper ends up (`-(-x >> n)` and `-(-x // y)` are ceilings).  Nothing else is claimed:
a wide answer is never wrong, only useless.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from core.work import price, product, spend

Interval = tuple[int, int, int]
ZERO: Interval = (0, 0, 0)
ONE: Interval = (1, 1, 0)
MAX_MAGNITUDE = 1 << 17  # integer bits of an argument of exp


class Undecided(Exception):  # noqa: N818
    """The enclosures, or the exact tests, do not decide."""


def shift_floor(m: int, s: int) -> int:
    """floor(m * 2**s)."""
    if s >= 0:
        return m << s
    return m >> min(-s, m.bit_length() + 1)  # beyond its length m >> s is 0 or -1 for good


def shift_ceil(m: int, s: int) -> int:
    """ceil(m * 2**s)."""
    return -shift_floor(-m, s)


def _atanh_of_inverse(n: int, w: int) -> tuple[int, int]:
    """Bounds of 2**w * atanh(1/n), n >= 3.

    atanh(1/n) = sum of 1/(k n^k) over odd k.  Nested floors are floors, so each added term is the
    floor of the true one (error in [0, 1)); when `power` is 0 the next true term is below 1 and
    each further one at most a ninth of it: the remainder is below 2.
    """
    power, total, k = (1 << w) // n, 0, 1
    while power:
        total += power // k
        power //= n * n
        k += 2
    return total, total + k // 2 + 2


@lru_cache(maxsize=256)
def log_of_2(w: int) -> tuple[int, int]:
    """Bounds of 2**w * log 2 that differ by at most 2.

    2 = (27/25)^9 (4802/4800)^-1 (8750/8748)^4 and log((n+1)/(n-1)) = 2 atanh(1/n), hence
    log 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749).  The guard bits g exceed the
    logarithm of the accumulated error, so that only the last two roundings remain.
    """
    spend((w // 4 + 8) * (1 + (w >> 10)))  # terms, and the length of each
    g = 32 + w.bit_length()
    (a, b), (c, d), (e, f) = (_atanh_of_inverse(n, w + g) for n in (26, 4801, 8749))
    return (18 * a - 2 * d + 8 * e) >> g, -(-(18 * b - 2 * c + 8 * f) >> g)


def _exp_lower(r: int, v: int, halvings: int) -> int:
    """At most 2**v * exp(r / 2**v), r >= 0: Taylor in r / 2**halvings, every term floored and the
    (positive) remainder dropped, then squared `halvings` times with floors."""
    s = r >> halvings
    term = total = 1 << v
    k = 0
    while term:
        k += 1
        term = (term * s >> v) // k
        total += term
    for _ in range(halvings):
        total = total * total >> v
    return total


def _exp_upper(r: int, v: int, halvings: int) -> int:
    """At least 2**v * exp(r / 2**v), 0 <= r <= 2**v, halvings >= 1.

    With s = r / 2**halvings <= 1/2 every term is rounded up; after term k >= 1 the remainder is at
    most term_k * (1/4 + 1/16 + ...) <= term_k, which is added.  Squared with ceilings.
    """
    s = -(-r >> halvings)
    term = total = 1 << v
    k = 0
    while term > 1:
        k += 1
        term = -(-(term * s) >> v)
        term = -(-term // k)
        total += term
    total += term
    for _ in range(halvings):
        total = -(-(total * total) >> v)
    return total


def exp_point(m: int, e: int, bits: int) -> Interval:
    """Enclosure of exp(m * 2**e) with a relative width of about 2**-bits.

    x = k log 2 + r.  In units of 2**-w, floor(x) <= x < floor(x) + 1 and log 2 lies in [low, high];
    k is any integer that keeps the lower bound of r at or above 0, and the bounds of r take the
    unfavourable end of log 2 according to the sign of k.
    """
    magnitude = max(0, m.bit_length() + e)
    if magnitude > MAX_MAGNITUDE:
        raise Undecided("an exponent is too large")
    halvings = isqrt(bits) // 2 + 1
    v = bits + 2 * halvings + 8
    spend(8 * (halvings + 1) * (3 + product(v)) + price(v + magnitude))
    w = v + magnitude
    low, high = log_of_2(w)
    x = shift_floor(m, e + w)
    k = x // (high if x >= 0 else low)
    r_low = x - k * (high if k >= 0 else low)
    r_high = x + 1 - k * (low if k >= 0 else high)
    return (
        _exp_lower(r_low >> magnitude, v, halvings),
        _exp_upper(-(-r_high >> magnitude), v, halvings),
        k - v,
    )


def _atanh_lower(y: int, v: int) -> int:
    """At most 2**v * atanh(y / 2**v), 0 <= y < 2**v: floors, positive remainder dropped."""
    square, power, total, k = y * y >> v, y, 0, 1
    while power:
        total += power // k
        power = power * square >> v
        k += 2
    return total


def _atanh_upper(y: int, v: int) -> int:
    """At least 2**v * atanh(y / 2**v), 0 <= y <= 2**(v-1): ceilings; what is left when the power is
    at most one unit is at most power * (1 + 1/4 + 1/16 + ...) <= 2 power, which is added."""
    square, power, total, k = -(-(y * y) >> v), y, 0, 1
    while power > 1:
        total += -(-power // k)
        power = -(-(power * square) >> v)
        k += 2
    return total + 2 * power


def log_point(m: int, e: int, bits: int) -> Interval:
    """Enclosure of log(m * 2**e), m > 0, with an absolute width of about 2**-bits.

    m * 2**e = f * 2**k with 1 <= f < 2, and log f = 2**(halvings+1) atanh((g-1)/(g+1)) where g is
    the 2**halvings-th root of f; every step is increasing in f, so bounds of f give bounds.
    """
    n = m.bit_length() - 1
    k = e + n
    halvings = isqrt(bits) // 2 + 1
    v = bits + 2 * halvings + 16
    spend((halvings + 1) * (24 + 4 * product(v) + 2 * price(v)))
    one = 1 << v
    g_low, g_high = shift_floor(m, v - n), shift_ceil(m, v - n)
    for _ in range(halvings):
        g_low, g_high = isqrt(g_low << v), isqrt(g_high << v) + 1
    low = _atanh_lower(((g_low - one) << v) // (g_low + one), v) << (halvings + 1)
    high = _atanh_upper(-(-((g_high - one) << v) // (g_high + one)), v) << (halvings + 1)
    extra = k.bit_length()
    two_low, two_high = log_of_2(v + extra)
    low = (low << extra) + k * (two_low if k >= 0 else two_high)
    high = (high << extra) + k * (two_high if k >= 0 else two_low)
    return low, high, -(v + extra)


class Arithmetic:
    """Interval arithmetic whose ends keep at most `bits` bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.memo: dict[object, Interval] = {}  # enclosures of constants at this precision
        self._finer: dict[int, Arithmetic] = {}

    def finer(self, extra: int) -> Arithmetic:
        """An arithmetic with at least `extra` more bits."""
        bits = -(-(self.bits + extra) // 64) * 64
        if bits not in self._finer:
            self._finer[bits] = Arithmetic(bits)
        return self._finer[bits]

    def fit(self, low: int, high: int, e: int) -> Interval:
        """Round the ends outward to at most `bits` bits (a carry may add one)."""
        n = max(low.bit_length(), high.bit_length())
        spend(8 + (2 * product(n >> 1) if n > 1024 else 0))  # of factors half as long
        n -= self.bits
        if n <= 0:
            return low, high, e
        return low >> n, -(-high >> n), e + n

    def of(self, x: Fraction) -> Interval:
        """A fraction: floor and ceiling of x * 2**s."""
        p, q = x.numerator, x.denominator
        s = max(0, self.bits + q.bit_length() - p.bit_length()) if q > 1 else 0
        spend(4 + (max(self.bits, p.bit_length()) * (64 + q.bit_length()) >> 17))
        low, rest = divmod(p << s, q)
        return self.fit(low, low + (rest > 0), -s)

    def neg(self, x: Interval) -> Interval:
        """-x, exactly."""
        return -x[1], -x[0], x[2]

    def add(self, x: Interval, y: Interval) -> Interval:
        """x + y."""
        (a, b, e), (c, d, f) = x, y
        if e < f:
            a, b, e, c, d, f = c, d, f, a, b, e
        if not (a or b):
            return c, d, f
        lift = self.bits + 4
        if e - f > lift:
            if not (c or d):
                return a, b, e
            if f + max(c.bit_length(), d.bit_length()) <= e - lift:
                # the other summand is below one unit of 2**(e - lift): round it away outward
                return self.fit((a << lift) - (c < 0), (b << lift) + (d > 0), e - lift)
        return self.fit((a << e - f) + c, (b << e - f) + d, f)

    def sub(self, x: Interval, y: Interval) -> Interval:
        """x - y."""
        return self.add(x, (-y[1], -y[0], y[2]))

    def mul(self, x: Interval, y: Interval) -> Interval:
        """x * y: the extremes are products of ends."""
        (a, b, e), (c, d, f) = x, y
        if a >= 0 and c >= 0:
            return self.fit(a * c, b * d, e + f)
        ends = (a * c, a * d, b * c, b * d)
        return self.fit(min(ends), max(ends), e + f)

    def div(self, x: Interval, y: Interval) -> Interval:
        """x / y, of a positive y (else -x / -y): for ends that are not negative the least quotient
        has the greatest divisor, else the least."""
        (a, b, e), (c, d, f) = x, y
        if c <= 0 <= d:
            raise Undecided("a divisor is not separated from 0")
        if d < 0:
            a, b, c, d = -b, -a, -d, -c
        spend(4 * price(self.bits))
        s = max(0, self.bits + 8 + d.bit_length() - max(a.bit_length(), b.bit_length()))
        a, b = a << s, b << s
        low, high = a // (d if a >= 0 else c), -(-b // (c if b >= 0 else d))
        return self.fit(low, high, e - s - f)

    def sqrt(self, x: Interval) -> Interval:
        """The root of a number known to be >= 0 (a negative lower end only means imprecision)."""
        a, b, e = x
        spend(6 * price(self.bits))
        s = max(0, 2 * self.bits - b.bit_length())
        s += (e - s) % 2
        return self.fit(isqrt(max(a, 0) << s), isqrt(max(b, 0) << s) + 1, (e - s) // 2)

    def exp(self, x: Interval) -> Interval:
        """e^x, increasing: a lower bound at the low end, an upper bound at the high end (of ends
        so close that high * d^2 <= 1 for their distance d: e^d <= 1 + d + d^2 where d <= 1)."""
        a, b, e = x
        low, high, f = exp_point(a, e, self.bits + 4)
        if a != b and high.bit_length() + 2 * ((b - a).bit_length() + e) <= 0:
            high += shift_ceil(high * (b - a), e) + 1
        elif a != b:
            _, high, g = exp_point(b, e, self.bits + 4)
            top = max(f, g)
            low, high, f = shift_floor(low, f - top), shift_ceil(high, g - top), top
        return self.fit(low, high, f)

    def log(self, x: Interval) -> Interval:
        """log x, increasing, for a positive x."""
        a, b, e = x
        if a <= 0:
            raise Undecided("an argument of log is not separated from 0")
        low, high, f = log_point(a, e, self.bits + 4)
        if a != b:
            _, high, g = log_point(b, e, self.bits + 4)
            top = max(f, g)
            low, high, f = shift_floor(low, f - top), shift_ceil(high, g - top), top
        return self.fit(low, high, f)


def upper_end(x: Interval) -> Interval:
    """The upper end, as a point."""
    return x[1], x[1], x[2]
