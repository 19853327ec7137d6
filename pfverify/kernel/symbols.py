"""Products and inverses of irrational numbers as mere symbols, to see what cancels.

The kinds of generators are those of `zero` and `irrational`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from enclose import Undecided
from grammar import Number
from logarithms import powers_over, without_power
from work import spend
from zero import NIL, UNIT, Form, Generator, constant, plus, times

SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
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


def _as_generator(powers: dict[Form, int]) -> Generator:
    """The generator of a product of powers: 1, a generator itself, or a symbol."""
    left = [(f, n) for f, n in powers.items() if n]
    if not left:
        return UNIT
    if len(left) == 1 and left[0][1] == 1 and len(left[0][0]) == 1:
        return next(iter(left[0][0]))[0]  # such a form is one generator, once
    return "product", frozenset(left)


def _multiplied(f: Form, h: Form) -> Form:
    """f h, multiplied out."""
    f, h = _over_small_primes(f), _over_small_primes(h)
    if len(f) * len(h) > MAX_PRODUCTS:
        raise Undecided("a product of forms with too many terms")
    total = NIL
    for g, v in f:
        for k, w in h:
            powers = _factors(g)
            for base, n in _factors(k).items():
                powers[base] = powers.get(base, 0) + n
            total = plus(total, frozenset({(_as_generator(powers), v * w)}))
    return total


def _inverse(f: Form) -> Form:
    """1/f for f not 0, normalised so that multiples of f give multiples of one symbol."""
    f = _over_small_primes(f)
    if not f:
        raise Undecided("an inverse of 0")
    lead, c = min(f, key=lambda term: hash(term[0]))
    if len(f) > 1:
        return frozenset({(_as_generator({times(f, 1 / c): -1}), 1 / c)})
    total = constant(1 / c)
    for base, n in _factors(lead).items():
        factor = base if n < 0 else frozenset({(_as_generator({base: -1}), Fraction(1))})
        for _ in range(abs(n)):
            total = _multiplied(total, factor)
    return total


def _over_small_primes(f: Form) -> Form:
    """f with log 6 as log 2 + log 3, and so on, as far as small primes and perfect powers go."""
    total = NIL
    for g, v in f:
        if g[0] != "log":
            total = plus(total, frozenset({(g, v)}))
            continue
        for n, way in ((g[1].numerator, 1), (g[1].denominator, -1)):
            base = [p for p in SMALL_PRIMES if n % p == 0]
            rest = n
            for p in base:
                while rest % p == 0:
                    spend(4 + (rest.bit_length() >> 6))
                    rest //= p
            base += [without_power(rest)] if rest > 1 else []
            for p, k in powers_over(Fraction(n), base).items():
                total = plus(total, frozenset({(("log", Fraction(p)), v * k * way)}))
    return total
