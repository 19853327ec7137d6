"""Products and inverses of irrational numbers as mere symbols, to see what cancels.

The kinds of generators are those of `zero` and `irrational`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction

from core.enclose import Undecided
from core.grammar import Number
from core.logarithms import is_root, over, over_common_roots, power_of_e
from core.zero import NIL, UNIT, Form, Generator, constant, plus, rational_value, times

MAX_PRODUCTS = 64  # terms of a product of two forms


def symbol_form(x: Number, form_of: Callable[[Number], Form]) -> Form:
    """x with products multiplied out and inverses (of what is defined, so not 0) as symbols."""
    if isinstance(x, Fraction) or x.op in ("exp", "log", "sqrt"):
        raise Undecided
    f = form_of(x.args[0])
    if x.op == "neg":
        return times(f, Fraction(-1))
    h = form_of(x.args[1])
    if x.op in ("+", "-"):
        return plus(f, times(h, Fraction(1 if x.op == "+" else -1)))
    return _multiplied(f, h if x.op == "*" else _inverse(h))


def _factors(g: Generator) -> dict[Form, int]:
    """A generator as a product."""
    if g[0] == "product":
        return dict(g[1])
    return {} if g == UNIT else {frozenset({(g, Fraction(1))}): 1}


def _as_form(powers: dict[Form, int]) -> Form:
    """A product of powers: a multiple of 1, of a generator itself, or of a symbol."""
    left: dict[Form, int] = {}
    exponent = NIL
    for f, n in powers.items():
        ((g, v), *others) = f
        if g[0] == "exp" and v == 1 and not others:
            exponent = plus(exponent, times(g[1], Fraction(n)))
        elif n:
            left[f] = n
    ((g, c),) = power_of_e(exponent)
    if not left:
        return frozenset({(g, c)})
    if g != UNIT:
        left[frozenset({(g, Fraction(1))})] = 1
    ((f, n), *rest) = left.items()
    if not rest and n == 1 and len(f) == 1:
        return times(f, c)  # such a form is one generator, once
    return frozenset({(("product", frozenset(left.items())), c)})


def _multiplied(f: Form, h: Form) -> Form:
    """f h, multiplied out."""
    f, h = over(f), over(h)
    if len(f) * len(h) > MAX_PRODUCTS:
        raise Undecided("a product of forms with too many terms")
    total = NIL
    for g, v in f:
        for k, w in h:
            powers = _factors(g)
            for base, n in _factors(k).items():
                powers[base] = powers.get(base, 0) + n
            total = plus(total, times(_as_form(powers), v * w))
    return total


def _inverse(f: Form) -> Form:
    """1/f for f not 0, normalised so that multiples of f give multiples of one symbol."""
    f = over(f)
    if not f:
        raise Undecided("an inverse of 0")
    if len(f) > 1:
        with suppress(Undecided):
            return _inverse_of_roots(f)
    lead, c = min(f, key=lambda term: hash(term[0]))
    if len(f) > 1:
        return times(_as_form({times(f, 1 / c): -1}), 1 / c)
    total = constant(1 / c)
    for base, n in _factors(lead).items():
        factor = base if n < 0 else _as_form({base: -1})
        for _ in range(abs(n)):
            total = _multiplied(total, factor)
    return total


def _inverse_of_roots(f: Form) -> Form:
    """1/f for a sum of a rational and square roots, not 0, by its conjugates."""
    roots = {g for g, _ in f if g != UNIT}
    if not all(is_root(g) for g in roots):
        raise Undecided("a number other than a sum of roots")
    base, written = over_common_roots(roots)
    top, bottom = constant(Fraction(1)), NIL
    for g, v in f:
        bottom = plus(bottom, times(written[g], v) if g in roots else constant(v))
    if any(s != Fraction(1, 2) for g, _ in bottom if g != UNIT for _, s in g[1]):
        raise Undecided("a root other than a square root")
    for p in base:  # no root of p is left after its turn
        log = ("log", Fraction(p))
        conjugate = frozenset((g, -v if g != UNIT and log in dict(g[1]) else v) for g, v in bottom)
        top, bottom = _multiplied(top, conjugate), _multiplied(bottom, conjugate)
    norm = rational_value(bottom)
    if not norm:
        raise Undecided("a norm that is not a rational")
    return times(top, 1 / norm)
