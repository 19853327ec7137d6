"""Numbers with exp, log or sqrt: linear forms, quotients of exponential sums, enclosures, signs.

Loaded for a problem that has such a number.  What is neither rational nor a logarithm of a rational
becomes one of these generators of forms:
    ("quotient", N, D) log(N/D) of two exponential sums, e.g. log(2 exp(1) - 1)
    ("exp", f)         e^f, so that e to it is a tower; a root where f has only logarithms
    ("product", F)     the product of f^n over F, a frozenset of (form, integer): a mere symbol
    ("opaque", x)      any other real number, by its expression
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import floor

from core.enclose import ONE, Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, shown
from core.logarithms import collected, log_form, over, power_of_e
from core.terms import Expression
from core.zero import (
    ENCLOSURES,
    NIL,
    SIGN_BITS,
    ZERO_TESTS,
    Form,
    Generator,
    Sum,
    accumulate,
    add,
    constant,
    enclose_form,
    enclose_sum,
    exp_form,
    is_zero,
    multiply,
    plus,
    rational_value,
    times,
)


def _product(f: Form, h: Form) -> Form:
    a, b = rational_value(f), rational_value(h)
    if a is not None:
        return times(h, a)
    if b is not None:
        return times(f, b)
    raise Undecided("a product of logarithms")


@lru_cache(maxsize=1024)
def _quotient_of_forms(x: Number) -> tuple[Form, Form]:
    """Forms (n, d) with x = n/d; what does not fit becomes one opaque generator."""
    if isinstance(x, Fraction):
        return constant(x), constant(Fraction(1))
    try:
        if x.op == "log":
            return _log_of_quotient(*sum_of(x.args[0])), constant(Fraction(1))
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
            total = NIL
            terms = collected(multiply(numerator, {times(f, Fraction(-1)): 1 / c}))
            for power, coefficient in terms.items():
                total = plus(total, times(power_of_e(over(power)), coefficient))
            return total
    with suppress(Undecided):
        from core.symbols import symbol_form

        return symbol_form(x, form_of)
    return frozenset({(("opaque", x), Fraction(1))})


@lru_cache(maxsize=1024)
def form_of(x: Number) -> Form:
    """x as a linear form."""
    n, d = _quotient_of_forms(x)
    c = rational_value(d)
    return times(n, 1 / c) if c else _nonlinear_form(x)


def rate_form(scale: Number) -> Form:
    """1/scale as a linear form, for a positive scale."""
    return form_of(Expression("/", (Fraction(1), scale)))


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
            return plus(f, log_form(c))
    key = ("quotient", frozenset(numerator.items()), frozenset(denominator.items()))
    return frozenset({(key, Fraction(1))})


def sum_of(x: Number) -> tuple[Sum, Sum]:
    """Exponential sums (N, D) with x = N/D; Undecided when x is not such a quotient."""
    if isinstance(x, Fraction):
        return ({NIL: x} if x else {}), {NIL: Fraction(1)}
    if x.op == "exp":
        return {form_of(x.args[0]): Fraction(1)}, {NIL: Fraction(1)}
    if x.op == "log":
        raise Undecided("a logarithm outside an exponent")
    if x.op in ("+", "-"):
        return _over_one_denominator(x)
    n, d = sum_of(x.args[0])
    if x.op == "sqrt":  # of a number that `require_defined` has shown to be positive
        half = times(_log_of_quotient(n, d), Fraction(1, 2))
        return {half: Fraction(1)}, {NIL: Fraction(1)}
    if x.op == "neg":
        return multiply(n, {NIL: Fraction(-1)}), d
    m, e = sum_of(x.args[1])
    if x.op == "*":
        return multiply(n, m), multiply(d, e)
    return multiply(n, e), multiply(d, m)


def _over_one_denominator(x: Expression) -> tuple[Sum, Sum]:
    """A sum of numbers as N/D: what has one denominator is added first, and not multiplied out."""
    found: dict[frozenset[tuple[Form, Fraction]], Sum] = {}
    left: list[tuple[Number, Fraction]] = [(x, Fraction(1))]
    while left:
        y, c = left.pop()
        if isinstance(y, Fraction) or y.op not in ("+", "-"):
            n, d = sum_of(y)
            above = found.setdefault(frozenset(d.items()), {})
            for f, v in n.items():
                accumulate(above, f, c * v)
        else:
            left += (y.args[1], c if y.op == "+" else -c), (y.args[0], c)
    total, over = dict[Form, Fraction](), {NIL: Fraction(1)}
    for below, n in found.items():
        if n:
            d = dict(below)
            total, over = add(multiply(total, d), multiply(n, over)), multiply(over, d)
    return total, over


def sums_of(x: Number) -> tuple[Sum, Sum]:
    """x = N/D as exponential sums; logarithms in x may cancel to a rational."""
    value = rational_value(form_of(x))
    return sum_of(x if value is None else value)


def _is_zero_by_powers(s: Sum, quotient: Generator) -> bool:
    """True only if a sum with the quotient R = N/D is 0, (N/D)^(u+1) being (N/D) (N/D)^u.

    The terms are grouped by the exponent u of R modulo 1.  A class is R^(least u) times a
    polynomial in R, and multiplied by D^(highest power) an exponential sum without R.  If every
    class is 0 the sum is 0.
    """
    classes: dict[Fraction, dict[int, Sum]] = {}
    for f, c in s.items():
        u = dict(f).get(quotient, Fraction(0))
        rest = frozenset((g, v) for g, v in f if g != quotient)
        alike = classes.setdefault(u - floor(u), {})
        accumulate(alike.setdefault(floor(u), {}), rest, c)
    n, d = dict(quotient[1]), dict(quotient[2])
    for powers in classes.values():
        if max(powers) - min(powers) > 1000:
            raise Undecided("powers too large for the exact zero test")
        # Horner: sum over k of powers[k] N^(k-least) D^(most-k)
        total: Sum = {}
        scale: Sum = {NIL: Fraction(1)}
        for k in range(max(powers), min(powers) - 1, -1):
            total = add(multiply(total, n), multiply(powers.get(k, {}), scale))
            scale = multiply(scale, d)
        if not is_zero(total):
            return False
    return True


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


def _enclose_product(g: Generator, ar: Arithmetic) -> Interval:
    value = ONE
    for f, n in g[1]:
        factor = enclose_form(f, ar)
        for _ in range(abs(n)):
            value = ar.mul(value, factor) if n > 0 else ar.div(value, factor)
    return value


def _enclose_quotient(g: Generator, ar: Arithmetic) -> Interval:
    n, d = (enclose_sum(dict(part), ar) for part in g[1:])
    return ar.log(ar.div(n, d))


ENCLOSURES["quotient"] = _enclose_quotient
ENCLOSURES["exp"] = lambda g, ar: exp_form(g[1], ar)
ENCLOSURES["product"] = _enclose_product
ENCLOSURES["opaque"] = lambda g, ar: enclose_number(g[1], ar)
ZERO_TESTS["quotient"] = _is_zero_by_powers


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
    raise Undecided(f"the sign of {shown(x.text())} is not decided")


DEFINED = {
    "/": "division by zero",
    "log": "logarithm of a number that is not positive",
    "sqrt": "square root of a number that is not positive",
}


def require_defined(x: Number) -> None:
    """Malformed unless every divisor is nonzero and every argument of log and of sqrt is positive,
    decided (the root of a 0 that is written as a fraction is folded, and not here any more)."""
    if isinstance(x, Fraction):
        return
    for a in x.args:
        require_defined(a)
    try:
        s = sign(x.args[-1]) if x.op in DEFINED else 1
    except Undecided as reason:
        where = shown(x.text())
        raise Malformed(f"cannot decide whether {where} is defined: {reason}") from None
    if s == 0 or (s < 0 and x.op != "/"):
        raise Malformed(f"{DEFINED[x.op]} in {shown(x.text())}")
