"""Logarithms and roots of rationals as generators of forms, and the zero test of sums with them.

    ("log", b)         log b, b a positive rational other than 1
    ("exp", f)         where f has only logarithms: a root, e.g. sqrt(2)
e^(s log b) is rewritten as b^s over a coprime base, and b^(s+1) as b b^s; so are the roots, over
another base.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, isqrt

from core.enclose import Arithmetic, Interval, Undecided
from core.powers import power
from core.work import price, spend
from core.zero import (
    ENCLOSURES,
    NIL,
    UNIT,
    ZERO_TESTS,
    Form,
    Generator,
    Sum,
    accumulate,
    plus,
    times,
)

MAX_POWER_BITS = 1 << 19  # of one coefficient made by whole powers
MAX_ROOT_BITS = 1 << 14  # of a whole power that is taken out of a root
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def log_form(b: Fraction) -> Form:
    """log b for b > 0."""
    return frozenset({(("log", b), Fraction(1))}) if b != 1 else NIL


def root_form(f: Form, c: Fraction) -> Form:
    """f/2 + log(c)/2, the logarithm of the root of c e^f."""
    return times(plus(f, log_form(c)), Fraction(1, 2))


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


def over(f: Form, base: list[int] | None = None) -> Form:
    """f with its logarithms over a base; without one with log 6 as log 2 + log 3, and so on, as far
    as small primes and perfect powers go."""
    total = NIL
    for g, v in f:
        parts = [(g, v)]
        if g[0] == "log":
            primes = _small_base(g[1]) if base is None else base
            powers = powers_over(g[1], primes).items()
            parts = [(("log", Fraction(p)), v * k) for p, k in powers]
        for part in parts:
            total = plus(total, frozenset({part}))
    return total


def _small_base(b: Fraction) -> list[int]:
    """The small primes in a rational, and the roots of what is left of both its parts."""
    base = [p for p in SMALL_PRIMES if b.numerator % p == 0 or b.denominator % p == 0]
    for rest in (b.numerator, b.denominator):
        for p in base:
            while rest % p == 0:
                spend(4 + (rest.bit_length() >> 6))
                rest //= p
        base += [without_power(rest)] if rest > 1 else []
    return base


def power_of_e(f: Form) -> Form:
    """e^f as a multiple of one generator: e^(s log p) gives its whole powers of p, but for long
    ones."""
    spend(16 * len(f))
    rest, c = power(f, MAX_ROOT_BITS)
    return frozenset({(("exp", rest) if rest else UNIT, c)})


def is_root(g: Generator) -> bool:
    """Whether a generator is a product of rational powers of rationals."""
    return g[0] == "exp" and all(h[0] == "log" for h, _ in g[1])


def over_common_roots(roots: set[Generator]) -> tuple[list[int], dict[Generator, Form]]:
    """A coprime base, and the given roots as multiples of roots over it."""
    logs = {g[1] for root in roots for g, _ in root[1]}
    base = coprime_base(n for b in logs for n in (b.numerator, b.denominator))
    return base, {root: power_of_e(over(root[1], base)) for root in roots}


def _with_common_roots(s: Sum) -> Sum:
    """The same sum with the roots in its exponents over a coprime base."""
    roots = {g for f in s for g, _ in f if is_root(g)}
    if not roots:
        return s
    _, written = over_common_roots(roots)
    total: Sum = {}
    for f, c in s.items():
        new = frozenset((g, v) for g, v in f if g not in roots)
        for g, v in f:
            if g in roots:
                new = plus(new, times(written[g], v))
        accumulate(total, new, c)
    return total


def collected(s: Sum) -> Sum:
    """The same sum with its roots and its logarithms over coprime bases: terms that differ by
    rational factors become one.  (Powers are split as p^x = p^(least whole part in the sum)
    p^(fraction) p^k, the last a rational.)"""
    s = _with_common_roots(s)
    logs = {g[1] for f in s for g, _ in f if g[0] == "log"}
    base = coprime_base(n for b in logs for n in (b.numerator, b.denominator))
    written = [(dict(over(f, base)), c) for f, c in s.items()]
    generators = [("log", Fraction(p)) for p in base]
    least = {g: min(floor(f.get(g, 0)) for f, _ in written) for g in generators}
    total: Sum = {}
    size = 0
    for f, c in written:
        powers = {g: floor(f.get(g, 0)) - least[g] for g in least}
        bits = sum(k * g[1].numerator.bit_length() for g, k in powers.items())
        size += bits
        spend(16 * (1 + len(base)) + price(bits))
        if bits > MAX_POWER_BITS or size > 256 * MAX_POWER_BITS:
            raise Undecided("powers too large for the exact zero test")
        for g, k in powers.items():
            c *= g[1].numerator ** k
            f[g] = f.get(g, Fraction(0)) - k
        accumulate(total, frozenset((g, v) for g, v in f.items() if v), c)
    return total


def _enclose_log(g: Generator, ar: Arithmetic) -> Interval:
    return ar.log(ar.of(g[1]))


def _is_zero_collected(s: Sum, g: Generator) -> bool:
    """True only if all terms of the sum cancel when like ones are collected."""
    return not collected(s)


ENCLOSURES["log"] = _enclose_log
ZERO_TESTS["log"] = ZERO_TESTS["exp"] = _is_zero_collected
