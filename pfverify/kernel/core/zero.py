"""Exact numbers: linear forms, exponential sums, and the exact zero test (F3).

A Form is a rational combination of generators, stored as frozenset of (generator, coefficient):
    ("one",)           the number 1
and those that `logarithms` and `irrational` make.
A Sum is an exponential sum: {form: coefficient} stands for the sum of coefficient * e^form.

`is_zero` answers True only for an identity: the terms cancel, after the rewriting of `logarithms`
and `irrational`.  So its True needs no theorem; that it misses no zero with exponents of rationals,
their roots and their logarithms is Lindemann-Weierstrass together with Besicovitch, and only
completeness rests on them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from core.work import price, spend

Generator = tuple[Any, ...]
Form = frozenset[tuple[Generator, Fraction]]
Sum = dict[Form, Fraction]

UNIT: Generator = ("one",)
NIL: Form = frozenset()  # the form 0, so that {NIL: c} is the rational c
MAX_TERMS = 20_000  # of an expanded sum
COARSE_BITS = 512  # enough for the integer part of an exponent
SIGN_BITS = (64, 256, 1024, 4096, 16384)


# ---------------------------------------------------------------- forms


def constant(c: Fraction) -> Form:
    """The form of a rational."""
    return frozenset({(UNIT, c)}) if c else NIL


def _charge(c: Fraction) -> None:
    """The work of an operation with this coefficient, and of the form that goes with it."""
    long, below = c.numerator.bit_length(), c.denominator.bit_length()
    spend(64 + (4 * price(max(long, below)) if below > 1 else long >> 9))


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


# A generator beyond 1 belongs to the module that makes it, which adds here its enclosure and, where
# it is more than a symbol, its zero test of a sum; a generator without an enclosure is an error.
ENCLOSURES: dict[str, Callable[[Generator, Arithmetic], Interval]] = {}
ZERO_TESTS: dict[str, Callable[[Sum, Generator], bool]] = {}


def is_zero(s: Sum) -> bool:
    """True only if the sum is 0."""
    generators = [g for f in s for g, _ in f]
    for kind in ("quotient", "log", "exp"):
        for g in generators:
            if g[0] == kind:
                return ZERO_TESTS[kind](s, g)
    return not any(s.values())  # no two of its exponents are alike


# ---------------------------------------------------------------- enclosures and signs


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
