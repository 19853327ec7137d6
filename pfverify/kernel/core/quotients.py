"""Masses that are no fractions: sums of quotients of exponential sums.  Loaded for such a one.

A mass that is no fraction is {D: N}, the sum of the N/D: two exponential sums, of which the D are
frozen and not 0.  So e^-d over the sum of a row's weights is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.grammar import Number, combine
from core.kinds import Chance, Mass, Parts
from core.powers import power
from core.value import form_of, sums_of
from core.zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    enclose_sum,
    is_zero,
    multiply,
    plus,
    times,
)

NOTHING = Fraction(0)
UNDIVIDED = frozenset({(NIL, Fraction(1))})  # the denominator 1


def _folded(s: Sum) -> Sum:
    """The same sum, whole powers of rationals worked out."""
    total: Sum = {}
    for f, c in s.items():
        h, factor = power(f)
        accumulate(total, h, c * factor)
    return total


def quotient(n: Sum, d: Sum) -> Mass:
    """n/d, for a d that is not 0."""
    n, d = _folded(n), _folded(d)
    if len(d) == 1:
        ((f, c),) = d.items()
        n, d = _folded(multiply(n, {times(f, Fraction(-1)): 1 / c})), {NIL: Fraction(1)}
    return _simple({frozenset(d.items()): n})


def shares(exponents: Sequence[Form]) -> list[Mass]:
    """e^f over the sum of all of them, for each f."""
    terms = [power(f) for f in exponents]
    total: Sum = {}
    for h, c in terms:
        accumulate(total, h, c)
    if len(total) == 1:
        return [quotient({h: c}, total) for h, c in terms]
    d = frozenset(total.items())
    return [{d: {h: c}} for h, c in terms]


def mass_of(x: Number) -> Mass:
    """A number that is at least 0, by the sign test of its caller; what is no quotient of
    exponential sums is e to its logarithm."""
    with suppress(Undecided):
        return quotient(*sums_of(x))
    return {UNDIVIDED: {form_of(combine("log", x)): Fraction(1)}}


def _ratio(n: Sum, d: Iterable[tuple[Form, Fraction]]) -> Fraction | None:
    """The c with n = c d, term by term, where there is one."""
    ratio = None
    for f, c in d:
        found = n.get(f, NOTHING) / c
        if not found or ratio not in (None, found):
            return None
        ratio = found
    return ratio


def _simple(parts: Parts) -> Mass:
    """The same mass, a fraction where that is seen."""
    rational, kept = NOTHING, {}
    for d, n in parts.items():
        ratio = _ratio(n, d) if len(n) == len(d) else None
        if ratio is not None:
            rational += ratio
        elif n:
            kept[d] = n
    if not kept or not rational:
        return kept or rational
    kept[UNDIVIDED] = add(kept.get(UNDIVIDED, {}), {NIL: rational})
    return kept


def parts_of(x: Mass) -> Parts:
    """A mass as quotients."""
    if isinstance(x, Fraction):
        return {UNDIVIDED: {NIL: x}} if x else {}
    if isinstance(x, Chance):
        raise Undecided("a mass without an exact form")
    return x


def over_one(masses: Sequence[Mass]) -> tuple[Sequence[Mass], Mass]:
    """Masses that all have one denominator as their numerators, and 1 over it; others, and 1."""
    below = {d for x in masses for d in ({UNDIVIDED} if isinstance(x, Fraction | Chance) else x)}
    if len(below) != 1:
        return masses, Fraction(1)
    (d,) = below
    return [{UNDIVIDED: parts_of(x)[d]} for x in masses], {d: {NIL: Fraction(1)}}


def total_of(rational: Fraction, terms: Iterable[tuple[Mass, Mass]]) -> Mass:
    """A fraction and the sum of products of two masses."""
    terms = [*terms]
    for enclosed in (x for pair in terms for x in pair if isinstance(x, Chance)):
        return enclosed.total(rational, terms)
    found: dict[frozenset[tuple[Form, Fraction]], Sum] = {}
    for x, y in terms:
        for d, n in parts_of(x).items():
            for e, m in parts_of(y).items():
                below = e if d == UNDIVIDED else d
                if UNDIVIDED not in (d, e):
                    below = frozenset(multiply(dict(d), dict(e)).items())
                above = found.setdefault(below, {})
                for f, c in multiply(n, m).items():
                    h, factor = power(f)
                    accumulate(above, h, c * factor)
    found[UNDIVIDED] = add(found.get(UNDIVIDED, {}), {NIL: rational} if rational else {})
    return _simple(found)


def enclose_mass(x: Mass, ar: Arithmetic) -> Interval:
    """Enclosure of a mass."""
    total = ZERO
    if isinstance(x, Chance):
        return x.enclosed(ar)
    for d, n in parts_of(x).items():
        value = enclose_sum(n, ar)
        if d != UNDIVIDED:
            key = "denominator", d
            if key not in ar.memo:
                ar.memo[key] = enclose_sum(dict(d), ar)
            value = ar.div(value, ar.memo[key])
        total = ar.add(total, value)
    return total


def _vanishes(x: Parts) -> bool:
    """True only if a mass is 0: every quotient is, or what they give over one denominator."""
    left = {d: n for d, n in x.items() if not is_zero(n)}
    above: Sum = {}
    below: Sum = {NIL: Fraction(1)}
    for d, n in left.items():
        above = add(multiply(above, dict(d)), multiply(n, below))
        below = multiply(below, dict(d))
    return is_zero(above)


def is_tie(p: Mass, q: Mass, epsilon: Form, n: Sum, d: Sum) -> bool:
    """True only if p = e^epsilon q + n/d."""
    if isinstance(p, Chance) or isinstance(q, Chance):
        return False
    found = {below: dict(above) for below, above in parts_of(p).items()}
    less = [(below, above, epsilon) for below, above in parts_of(q).items()]
    for below, above, f in [*less, (frozenset(d.items()), n, NIL)]:
        into = found.setdefault(below, {})
        for h, c in above.items():
            accumulate(into, plus(h, f), -c)
    return _vanishes(found)
