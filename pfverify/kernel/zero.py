"""Exact numbers: linear forms in logarithms, exponential sums, and the exact zero test (F3).

A Form is a rational combination of generators, stored as frozenset of (generator, coefficient):
    ("one",)           the number 1
    ("log", b)         log b, b a positive rational other than 1
and those that `irrational` adds.
A Sum is an exponential sum: {form: coefficient} stands for the sum of coefficient * e^form.

`is_zero` answers True only for an identity: the terms cancel after rewriting e^(s log b) = b^s
over a coprime base and b^(s+1) = b b^s (and the like for a generator of `irrational`).  So its True
needs no theorem; that it misses no zero when these are the only generators is Lindemann-Weierstrass
together with Besicovitch, and only completeness rests on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, isqrt
from typing import Any

from enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from work import price, spend

Generator = tuple[Any, ...]
Form = frozenset[tuple[Generator, Fraction]]
Sum = dict[Form, Fraction]

UNIT: Generator = ("one",)
NIL: Form = frozenset()  # the form 0, so that {NIL: c} is the rational c
MAX_TERMS = 20_000  # of an expanded sum
MAX_POWER_BITS = 1 << 19  # of one coefficient made by whole powers
COARSE_BITS = 512  # enough for the integer part of an exponent
SIGN_BITS = (64, 256, 1024, 4096, 16384)


# ---------------------------------------------------------------- forms


def constant(c: Fraction) -> Form:
    """The form of a rational."""
    return frozenset({(UNIT, c)}) if c else NIL


def _charge(c: Fraction) -> None:
    """The work of an operation with this coefficient, and of the form that goes with it."""
    spend(64 + 4 * price(c.numerator.bit_length() + c.denominator.bit_length()))


def times(f: Form, c: Fraction) -> Form:
    """c f."""
    for _, v in f:
        _charge(v)
    _charge(c)
    return frozenset((g, v * c) for g, v in f) if c else NIL


def plus(f: Form, h: Form) -> Form:
    """f + h."""
    if not f or not h:
        return f or h
    total = dict(f)
    for g, v in h:
        _charge(v)
        total[g] = total.get(g, Fraction(0)) + v
    return frozenset((g, v) for g, v in total.items() if v)


def rational_value(f: Form) -> Fraction | None:
    """The value of a form without logarithms, else None."""
    if not f:
        return Fraction(0)
    ((g, v), *rest) = f
    return v if g == UNIT and not rest else None


# ---------------------------------------------------------------- exponential sums


def accumulate(total: Sum, f: Form, c: Fraction) -> None:
    """Add c e^f to a sum in place; no term keeps the coefficient 0."""
    _charge(c)
    c += total.get(f, Fraction(0))
    if c:
        total[f] = c
    else:
        total.pop(f, None)


def add(s: Sum, t: Sum, c: Fraction = Fraction(1)) -> Sum:
    """s + c t."""
    total = dict(s)
    for f, v in t.items():
        accumulate(total, f, c * v)
    return total


def multiply(s: Sum, t: Sum) -> Sum:
    """The product of two sums, of bounded size."""
    if len(s) * len(t) > MAX_TERMS:
        raise Undecided("an exponential sum with too many terms")
    total: Sum = {}
    for f, a in s.items():
        for h, b in t.items():
            accumulate(total, plus(f, h), a * b)
    return total


# ---------------------------------------------------------------- the zero test


def _root(n: int, k: int) -> int:
    """floor(n ** (1/k)), n >= 1, by Newton's iteration from above."""
    x = 1 << -(-n.bit_length() // k)
    while True:
        y = ((k - 1) * x + n // x ** (k - 1)) // k
        if y >= x:
            return x
        x = y


@lru_cache(maxsize=1024)
def without_power(n: int) -> int:
    """The c with n = c**k and k largest (n >= 2)."""
    k = 2
    while k < n.bit_length():
        spend(4 + price(n.bit_length()))
        prime = all(k % q for q in range(2, isqrt(k) + 1))
        c = _root(n, k) if prime else 1
        if c**k == n:
            n = c
        else:
            k += 1
    return n


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1, none a perfect power, of which all the numbers are products.

    A number that shares a factor g with a member replaces both by g and the two cofactors: what
    the three generate contains both, and the product of all numbers in hand shrinks by g.
    """
    todo, base = [n for n in numbers if n > 1], list[int]()
    while todo:
        n = todo.pop()
        for i, b in enumerate(base):
            g = gcd(n, b)
            spend(price(max(n.bit_length(), b.bit_length())))
            if g > 1:
                del base[i]
                todo += [m for m in (g, b // g, n // g) if m > 1]
                break
        else:
            base.append(n)
    return sorted(without_power(b) for b in base)


def powers_over(b: Fraction, base: list[int]) -> dict[int, int]:
    """{p: v} with b the product of p**v over the base."""
    found: dict[int, int] = {}
    for n, way in ((b.numerator, 1), (b.denominator, -1)):
        for p in base:
            spend(4 + price(n.bit_length()))
            while n % p == 0:
                spend(4 + (n.bit_length() >> 6))
                n //= p
                found[p] = found.get(p, 0) + way
        if n != 1:
            raise Undecided("a number is not a product over the base")
    return found


def collected(s: Sum) -> Sum:
    """The same sum with its logarithms over a coprime base: terms that differ by rational factors
    become one.  (Powers are split as p^x = p^(least whole part in the sum) p^(fraction) p^k, the
    last a rational.)"""
    logs = {g[1] for f in s for g, _ in f if g[0] == "log"}
    base = coprime_base(n for b in logs for n in (b.numerator, b.denominator))
    valuations = {b: powers_over(b, base) for b in logs}
    rows: list[tuple[Form, Fraction, dict[int, Fraction]]] = []
    for f, c in s.items():
        exponents = dict.fromkeys(base, Fraction(0))
        for g, v in f:
            if g[0] == "log":
                for p, k in valuations[g[1]].items():
                    exponents[p] += v * k
        rows.append((frozenset((g, v) for g, v in f if g[0] != "log"), c, exponents))
    least = {p: min(floor(e[p]) for _, _, e in rows) for p in base}
    total: Sum = {}
    size = 0
    for rest, c, exponents in rows:
        powers = {p: floor(x) - least[p] for p, x in exponents.items()}
        bits = sum(k * p.bit_length() for p, k in powers.items())
        size += bits
        spend(16 * (1 + len(base)) + price(bits))
        if bits > MAX_POWER_BITS or size > 256 * MAX_POWER_BITS:
            raise Undecided("powers too large for the exact zero test")
        for p, k in powers.items():
            c *= p**k
        radicals = {("log", Fraction(p)): x - powers[p] for p, x in exponents.items()}
        accumulate(total, rest | frozenset((g, x) for g, x in radicals.items() if x), c)
    return total


def is_zero(s: Sum) -> bool:
    """True only if the sum is 0."""
    for f in s:
        for g, _ in f:
            if g[0] in ZERO_TESTS:
                return ZERO_TESTS[g[0]](s, g)
    return not collected(s)


# ---------------------------------------------------------------- enclosures and signs


def _enclose_log(g: Generator, ar: Arithmetic) -> Interval:
    return ar.log(ar.of(g[1]))


# By the kind of a generator: its enclosure, and the test of a sum with it that is more than to
# collect terms.  `irrational` adds its own; a kind without an enclosure is an error.
ENCLOSURES: dict[str, Callable[[Generator, Arithmetic], Interval]] = {"log": _enclose_log}
ZERO_TESTS: dict[str, Callable[[Sum, Generator], bool]] = {}


def _enclose_generator(g: Generator, ar: Arithmetic) -> Interval:
    if g not in ar.memo:
        ar.memo[g] = ENCLOSURES[g[0]](g, ar)
    return ar.memo[g]


def enclose_form(f: Form, ar: Arithmetic) -> Interval:
    """Enclosure of a form's value."""
    total = ZERO
    for g, v in f:
        value = ar.of(v)
        total = ar.add(total, value if g == UNIT else ar.mul(value, _enclose_generator(g, ar)))
    return total


def exp_form(f: Form, ar: Arithmetic) -> Interval:
    """e^f to about the relative precision of `ar`: the exponent is enclosed with as many further
    bits as its integer part has."""
    if not f:
        return ONE
    coarse = ar
    if ar.bits > COARSE_BITS:
        coarse = Arithmetic(COARSE_BITS)
    try:
        low, high, e = enclose_form(f, coarse)
    except Undecided:  # a divisor that is near 0
        low, high, e = enclose_form(f, ar)
    magnitude = max(0, max(low.bit_length(), high.bit_length()) + e)
    return ar.exp(enclose_form(f, ar.finer(magnitude + 8)))


def enclose_sum(s: Sum, ar: Arithmetic) -> Interval:
    """Enclosure of an exponential sum."""
    total = ZERO
    for f, c in s.items():
        if f not in ar.memo:
            ar.memo[f] = exp_form(f, ar)
        total = ar.add(total, ar.mul(ar.of(c), ar.memo[f]))
    return total


def sign_of_sum(s: Sum, ar: Arithmetic) -> int:
    """The sign of an exponential sum: by its enclosure, else by the zero test, else Undecided."""
    low, high, _ = enclose_sum(s, ar)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    if is_zero(s):
        return 0
    raise Undecided("a sign is not decided at this precision")
