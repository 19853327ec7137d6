"""Exact numbers: linear forms in logarithms, exponential sums, and the exact zero test (F3).

A Form is a rational combination of generators, stored as frozenset of (generator, coefficient):
    ("one",)           the number 1
    ("log", b)         log b, b a positive rational other than 1
    ("quotient", N, D) log(N/D) of two exponential sums, e.g. log(2 exp(1) - 1)
    ("exp", f)         e^f, so that e to it is a tower
    ("product", F)     the product of f^n over F, a frozenset of (form, integer): a mere symbol
    ("opaque", x)      any other real number, by its expression
A Sum is an exponential sum: {form: coefficient} stands for the sum of coefficient * e^form.

`is_zero` answers True only for an identity: the terms cancel after rewriting e^(s log b) = b^s over
a coprime base, b^(s+1) = b b^s, and (N/D)^(u+1) = (N/D)(N/D)^u.  So its True needs no theorem; that
it misses no zero when there is no quotient, no tower and nothing opaque is Lindemann-Weierstrass
together with Besicovitch, and only completeness rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, isqrt
from typing import Any

from enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from grammar import Expression, Malformed, Number, combine, shown
from work import price, spend

Generator = tuple[Any, ...]
Form = frozenset[tuple[Generator, Fraction]]
Sum = dict[Form, Fraction]

UNIT: Generator = ("one",)
NIL: Form = frozenset()  # the form 0, so that {NIL: c} is the rational c
MAX_TERMS = 20_000  # of an expanded sum
MAX_PRODUCTS = 64  # terms of a product of two forms
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
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


def _product(f: Form, h: Form) -> Form:
    a, b = rational_value(f), rational_value(h)
    if a is not None:
        return times(h, a)
    if b is not None:
        return times(f, b)
    raise Undecided("a product of logarithms")


def _quotient_of_forms(x: Number) -> tuple[Form, Form]:
    """Forms (n, d) with x = n/d; what does not fit becomes one opaque generator."""
    if isinstance(x, Fraction):
        return constant(x), constant(Fraction(1))
    try:
        if x.op == "log":
            return _log_form(x.args[0]), constant(Fraction(1))
        if x.op in ("exp", "sqrt"):
            raise Undecided
        n, d = _quotient_of_forms(x.args[0])
        if x.op == "neg":
            return times(n, Fraction(-1)), d
        m, e = _quotient_of_forms(x.args[1])
        if x.op == "*":
            return _product(n, m), _product(d, e)
        if x.op == "/":
            return _product(n, e), _product(d, m)
        sign = Fraction(1 if x.op == "+" else -1)
        return plus(_product(n, e), times(_product(m, d), sign)), _product(d, e)
    except Undecided:
        return _nonlinear_form(x), constant(Fraction(1))


@lru_cache(maxsize=1024)
def _nonlinear_form(x: Number) -> Form:
    """x as a combination of exponentials where it is one, else of products, else one opaque
    generator."""
    with suppress(Undecided):
        numerator, denominator = sum_of(x)
        if len(denominator) == 1:
            ((f, c),) = denominator.items()
            terms = collected(multiply(numerator, {times(f, Fraction(-1)): 1 / c}))
            return frozenset((("exp", f) if f else UNIT, c) for f, c in terms.items())
    with suppress(Undecided):
        return _symbols(x)
    return frozenset({(("opaque", x), Fraction(1))})


def _symbols(x: Number) -> Form:
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
            base += [_without_power(rest)] if rest > 1 else []
            for p, k in _valuations(Fraction(n), base).items():
                total = plus(total, frozenset({(("log", Fraction(p)), v * k * way)}))
    return total


@lru_cache(maxsize=1024)
def form_of(x: Number) -> Form:
    """x as a linear form."""
    n, d = _quotient_of_forms(x)
    c = rational_value(d)
    return times(n, 1 / c) if c else _nonlinear_form(x)


def rate_form(scale: Number) -> Form:
    """1/scale as a linear form, for a positive scale."""
    n, d = _quotient_of_forms(scale)
    c = rational_value(n)
    return times(d, 1 / c) if c else _nonlinear_form(combine("/", Fraction(1), scale))


def _log_form(x: Number) -> Form:
    """log x for x > 0."""
    return _log_of_quotient(*sum_of(x))


def _log_of_quotient(numerator: Sum, denominator: Sum) -> Form:
    """The logarithm of a quotient of sums that is > 0: of a monomial, c e^f gives log c + f."""
    if len(denominator) == 1:
        ((f, c),) = denominator.items()
        numerator = multiply(numerator, {times(f, Fraction(-1)): 1 / c})
        denominator = {NIL: Fraction(1)}
        if len(numerator) == 1:
            ((f, c),) = numerator.items()
            if c <= 0:
                raise Malformed("a logarithm of a number that is not positive")
            return f if c == 1 else plus(f, frozenset({(("log", c), Fraction(1))}))
    key = ("quotient", frozenset(numerator.items()), frozenset(denominator.items()))
    return frozenset({(key, Fraction(1))})


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


def sum_of(x: Number) -> tuple[Sum, Sum]:
    """Exponential sums (N, D) with x = N/D; Undecided when x is not such a quotient."""
    if isinstance(x, Fraction):
        return ({NIL: x} if x else {}), {NIL: Fraction(1)}
    if x.op == "exp":
        return {form_of(x.args[0]): Fraction(1)}, {NIL: Fraction(1)}
    if x.op == "log":
        raise Undecided("a logarithm outside an exponent")
    n, d = sum_of(x.args[0])
    if x.op == "sqrt":  # of a number that `require_defined` has shown to be positive
        half = times(_log_of_quotient(n, d), Fraction(1, 2))
        return {half: Fraction(1)}, {NIL: Fraction(1)}
    if x.op == "neg":
        return multiply(n, {NIL: Fraction(-1)}), d
    m, e = sum_of(x.args[1])
    if x.op == "*":
        return multiply(n, m), multiply(d, e)
    if x.op == "/":
        return multiply(n, e), multiply(d, m)
    sign = Fraction(1 if x.op == "+" else -1)
    return add(multiply(n, e), multiply(m, d), sign), multiply(d, e)


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
def _without_power(n: int) -> int:
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
    return sorted(_without_power(b) for b in base)


def _valuations(b: Fraction, base: list[int]) -> dict[int, int]:
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
    valuations = {b: _valuations(b, base) for b in logs}
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
    """True only if the sum is 0.

    With a quotient R = N/D among the generators the terms are grouped by the exponent u of R
    modulo 1.  A class is R^(least u) times a polynomial in R, and multiplied by D^(highest power)
    an exponential sum without R.  If every class is 0 the sum is 0.
    """
    if not s:
        return True
    quotient = next((g for f in s for g, _ in f if g[0] == "quotient"), None)
    if quotient is None:
        return not collected(s)
    classes: dict[Fraction, list[tuple[int, Form, Fraction]]] = {}
    for f, c in s.items():
        u = dict(f).get(quotient, Fraction(0))
        rest = frozenset((g, v) for g, v in f if g != quotient)
        classes.setdefault(u - floor(u), []).append((floor(u), rest, c))
    for terms in classes.values():
        least, most = min(t[0] for t in terms), max(t[0] for t in terms)
        if most - least > 1000:
            raise Undecided("powers too large for the exact zero test")
        by_power: dict[int, Sum] = {}
        for power, rest, c in terms:
            accumulate(by_power.setdefault(power - least, {}), rest, c)
        # Horner: sum over k of by_power[k] N^k D^(top-k)
        n, d = dict(quotient[1]), dict(quotient[2])
        total: Sum = {}
        scale: Sum = {NIL: Fraction(1)}
        for k in range(most - least, -1, -1):
            total = add(multiply(total, n), multiply(by_power.get(k, {}), scale))
            scale = multiply(scale, d)
        if not is_zero(total):
            return False
    return True


# ---------------------------------------------------------------- enclosures and signs


def enclose_number(x: Number, ar: Arithmetic) -> Interval:
    """Enclosure of a number along its tree."""
    if isinstance(x, Fraction):
        return ar.of(x)
    if x not in ar.memo:
        args = [enclose_number(a, ar) for a in x.args]
        operations = {"exp": ar.exp, "log": ar.log, "sqrt": ar.sqrt, "neg": ar.neg}
        pairs = {"+": ar.add, "-": ar.sub, "*": ar.mul, "/": ar.div}
        ar.memo[x] = operations[x.op](args[0]) if x.op in operations else pairs[x.op](*args)
    return ar.memo[x]


def _enclose_generator(g: Generator, ar: Arithmetic) -> Interval:
    if g not in ar.memo:
        if g[0] == "log":
            ar.memo[g] = ar.log(ar.of(g[1]))
        elif g[0] == "exp":
            ar.memo[g] = exp_form(g[1], ar)
        elif g[0] == "opaque":
            ar.memo[g] = enclose_number(g[1], ar)
        elif g[0] == "product":
            value = ONE
            for f, n in g[1]:
                factor = enclose_form(f, ar)
                for _ in range(abs(n)):
                    value = ar.mul(value, factor) if n > 0 else ar.div(value, factor)
            ar.memo[g] = value
        else:
            n, d = (enclose_sum(dict(part), ar) for part in g[1:])
            ar.memo[g] = ar.log(ar.div(n, d))
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


def _is_zero_number(x: Number) -> bool:
    """True only if x = 0: as a quotient of forms f/d (f = 0 iff e^f - 1 = 0) or of sums."""
    with suppress(Undecided):
        f, _ = _quotient_of_forms(x)
        if is_zero(add({f: Fraction(1)}, {NIL: Fraction(-1)})):
            return True
    with suppress(Undecided):
        return is_zero(sum_of(x)[0])
    return False


def sign(x: Number) -> int:
    """The sign of a defined number."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    for bits in SIGN_BITS:
        try:
            low, high, _ = enclose_number(x, Arithmetic(bits))
        except Undecided:
            low, high = -1, 1
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == SIGN_BITS[0] and _is_zero_number(x):
            return 0
    raise Undecided(f"the sign of {shown(x.text)} is not decided")


def require_defined(x: Number) -> None:
    """Malformed unless every divisor is nonzero and every argument of log and of sqrt is positive,
    decided (the root of a 0 that is written as a fraction is folded, and not here any more)."""
    if isinstance(x, Expression):
        for a in x.args:
            require_defined(a)
        try:
            if x.op == "/" and sign(x.args[1]) == 0:
                raise Malformed(f"division by zero in {shown(x.text)}")
            if x.op == "log" and sign(x.args[0]) <= 0:
                raise Malformed(f"logarithm of a number that is not positive in {shown(x.text)}")
            if x.op == "sqrt" and sign(x.args[0]) <= 0:
                raise Malformed(f"square root of a number that is not positive in {shown(x.text)}")
        except Undecided as reason:
            raise Malformed(f"cannot decide whether {shown(x.text)} is defined: {reason}") from None
