"""Numbers as the kernel writes them anew have the value of their trees, and each limit of a number
lies where it is said to lie."""

from __future__ import annotations

import random
from fractions import Fraction

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core import grammar, special
from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, bounded, canonical, combine, scientific, shown
from core.irrational import rate_form, sum_of
from core.logarithms import (
    SMALL_PRIMES,
    collected,
    log_form,
    over,
    power_of_e,
    without_power,
)
from core.shapes import parse
from core.symbols import _inverse, _multiplied, symbol_form
from core.terms import MAX_DEPTH, MAX_SIZE, Expression
from core.value import enclose_number, form_of, require_defined, sign
from core.zero import NIL, Form, Sum, constant, enclose_form, enclose_sum, plus, times

HALF = Fraction(1, 2)
LEAVES = (
    "2",
    "3",
    "1/2",
    "log(2)",
    "log(3)",
    "log(6)",
    "exp(1)",
    "exp(-1/2)",
    "sqrt(2)",
    "sqrt(6)",
)


def alike(x: Interval, y: Interval, ar: Arithmetic) -> bool:
    """Whether two enclosures meet, and lie close together."""
    low, high, e = ar.sub(x, y)
    return low <= 0 <= high and (high - low) * Fraction(2) ** e < Fraction(1, 10**30)


def some_text(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES)
    a, b = some_text(rng, depth - 1), some_text(rng, depth - 1)
    way = rng.random()
    if way < 0.12:
        return f"-({a})"
    return f"({a}){rng.choice('++--***//')}({b})"


def test_random_numbers_keep_their_values() -> None:
    ar, tried, sums = Arithmetic(200), 0, 0
    for seed in range(260):
        x = parse(some_text(random.Random(seed), 3))
        if isinstance(x, Fraction) or not small(x, ar):
            continue
        value = enclose_number(x, ar)
        tried += 1
        assert alike(enclose_form(form_of(x), ar), value, ar), canonical(x)
        assert alike(enclose_form(rate_form(x), ar), ar.div((1, 1, 0), value), ar), canonical(x)
        try:
            n, d = sum_of(x)
        except Undecided:
            continue
        sums += 1
        assert alike(ar.div(enclose_sum(n, ar), enclose_sum(d, ar)), value, ar), canonical(x)
    assert tried > 150
    assert sums > 30


def small(x: Expression, ar: Arithmetic) -> bool:
    """Whether a number is defined, and neither near 0 nor far from it."""
    try:
        require_defined(x)
        return sign(x) != 0 and abs(enclose_number(x, ar)[2] + 200) < 24
    except (Malformed, Undecided):
        return False


SYMBOLS = ["sqrt(log(2))", "log(log(3))", "exp(log(2)*log(3))-log(5)", "2*sqrt(log(2))-1",
           "sqrt(log(2))/3", "1/(3*log(log(3)))"]  # fmt: skip


@pytest.mark.parametrize("text", SYMBOLS)
def test_numbers_that_are_mere_symbols_have_their_values(text: str) -> None:
    ar, x = Arithmetic(200), parse(text)
    assert alike(enclose_form(form_of(x), ar), enclose_number(x, ar), ar)


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "neg"])
def test_symbols_have_the_value_of_the_number(op: str) -> None:
    ar = Arithmetic(256)
    texts = ("log(2)", "log(6)*log(3)", "exp(1)", "exp(1)*log(2)", "sqrt(2)", "1+sqrt(6)", "2")
    for a in texts:
        for b in texts if op != "neg" else ("",):
            x = combine(op, *(parse(text) for text in (a, b) if text))
            if isinstance(x, Expression):
                found = enclose_form(symbol_form(x, form_of), ar)
                assert alike(found, enclose_number(x, ar), ar), canonical(x)


def test_products_and_inverses_of_symbols() -> None:
    ar = Arithmetic(256)
    logs = form_of(parse("log(2)*log(3)")), form_of(parse("log(5)")), form_of(parse("exp(1)"))
    forms = [*logs, plus(logs[0], logs[1]), times(logs[0], Fraction(3)), constant(Fraction(2))]
    forms += [plus(constant(HALF), logs[1]), _inverse(logs[1]), _inverse(plus(logs[0], logs[1]))]
    for f in forms:
        if len(f) == 1 and f != _inverse(plus(logs[0], logs[1])):
            assert _multiplied(f, _inverse(f)) == constant(Fraction(1)), f
        assert alike(enclose_form(_inverse(f), ar), ar.div((1, 1, 0), enclose_form(f, ar)), ar)
        assert _inverse(times(f, Fraction(-3))) == times(_inverse(f), Fraction(-1, 3))
        for h in forms:
            product = ar.mul(enclose_form(f, ar), enclose_form(h, ar))
            assert alike(enclose_form(_multiplied(f, h), ar), product, ar)
    with pytest.raises(Undecided):
        _inverse(NIL)


def test_a_product_has_at_most_64_terms() -> None:
    primes = [p for p in range(2, 100) if all(p % q for q in range(2, p))]

    def some(count: int) -> Form:
        return frozenset((("log", Fraction(p)), Fraction(1)) for p in primes[:count])

    assert len(_multiplied(some(8), some(8))) == 36
    for k, m in ((5, 13), (13, 5), (1, 65)):
        with pytest.raises(Undecided):
            _multiplied(frozenset((("opaque", i), Fraction(1)) for i in range(k)),
                        frozenset((("opaque", i), Fraction(1)) for i in range(m)))  # fmt: skip
    assert len(_multiplied(some(2), frozenset((("opaque", i), HALF) for i in range(32)))) == 64


def test_logarithms_over() -> None:
    assert tuple(p for p in range(2, 50) if all(p % q for q in range(2, p))) == SMALL_PRIMES
    assert log_form(Fraction(1)) == NIL
    for b in (Fraction(6), Fraction(35, 12), Fraction(49), Fraction(53**3, 47), Fraction(1, 30)):
        found = over(times(log_form(b), HALF))
        value = Fraction(1)
        for (kind, p), v in found:
            assert kind == "log"
            assert all(p % q for q in range(2, int(p)))
            value *= p ** int(2 * v)
        assert value == b
    mixed = plus(log_form(Fraction(6)), constant(HALF))
    assert over(mixed) == plus(constant(HALF), plus(log_form(Fraction(2)), log_form(Fraction(3))))


@pytest.mark.parametrize("base", [2, 3, 6, 7, 10, 99, 101, 10**20 + 39])
def test_perfect_powers(base: int) -> None:
    for k in (1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 15, 30):
        assert without_power(base**k) == base
        assert without_power(base**k + 1) == base**k + 1 or base**k + 1 in (4, 8, 9, 100, 10_000)


def test_whole_powers_are_taken_out_of_a_root_up_to_a_length() -> None:
    two, bits = log_form(Fraction(2)), 1 << 14
    ((g, c),) = power_of_e(times(two, Fraction(bits // 2) + HALF))
    assert (g, c) == (("exp", times(two, HALF)), Fraction(2) ** (bits // 2))
    ((g, c),) = power_of_e(times(two, HALF - bits // 2))
    assert (g, c) == (("exp", times(two, HALF)), Fraction(1, 2 ** (bits // 2)))
    for more in (bits // 2 + 1, -bits // 2 - 1):
        ((g, c),) = power_of_e(times(two, Fraction(more)))
        assert (g, c) == (("exp", times(two, Fraction(more))), Fraction(1))
    ((g, c),) = power_of_e(plus(times(two, Fraction(3)), times(log_form(Fraction(1, 9)), HALF)))
    assert (g, c) == (("exp", times(log_form(Fraction(1, 9)), HALF)), Fraction(8))


def test_powers_in_a_sum_have_a_length() -> None:
    two, bits = log_form(Fraction(2)), 1 << 19
    for power, short in ((bits // 2, True), (bits // 2 + 1, False), (1 - bits // 2, True)):
        s: Sum = {times(two, Fraction(power)): Fraction(1), NIL: Fraction(-1)}
        if short:
            assert len(collected(s)) == 1
        else:
            with pytest.raises(Undecided):
                collected(s)
    many: Sum = {times(two, Fraction(bits // 4 + k)): Fraction(1) for k in range(520)}
    many |= {NIL: Fraction(1)}
    with pytest.raises(Undecided):
        collected(many)
    assert len(collected({f: c for f, c in many.items() if not f or hash(f) % 4 == 0})) == 1


def test_numbers_have_at_most_4300_digits() -> None:
    most = 2**grammar.MAX_BITS
    assert most <= 10**4300 < 2 * most
    for x in (Fraction(most - 1), Fraction(1 - most), Fraction(1, most - 1)):
        assert bounded(x) == x
    for x in (Fraction(most), Fraction(-most), Fraction(1, most)):
        with pytest.raises(Malformed):
            bounded(x)
    assert scientific("1" * 4300, None, 9) == int("1" * 4300)
    assert scientific("1" * 4000 + "." + "1" * 300, None, 9).denominator == 10**300
    for digits in ("1" * 4301, "1" * 4000 + "." + "1" * 301, "." + "1" * 4301):
        with pytest.raises(Malformed):
            scientific(digits, None, 9)


@pytest.mark.parametrize("most", [9, 10, 4096])
def test_exponents_have_a_magnitude(most: int) -> None:
    for way in ("", "+", "-"):
        value = scientific("1", f"{way}0{most}", most)
        assert value == (Fraction(1, 10**most) if way == "-" else 10**most)
        for more in (most + 1, 10 * most):
            with pytest.raises(Malformed):
                scientific("1", f"{way}{more}", most)
    assert grammar.MAX_EXPONENT == 4096


def test_what_is_shown_has_60_characters() -> None:
    assert shown("a" * 60) == '"' + "a" * 60 + '"'
    assert shown("a" * 61).startswith('"' + "a" * 60 + "... (sha256 ")
    assert shown("abcd", 4) == '"abcd"'
    assert shown("abcd", 3).startswith('"abc... (sha256 88d4266fd4e6338d13b845fcf289579d')


def test_roots_of_squares_are_fractions() -> None:
    for x in (Fraction(0), Fraction(1), Fraction(1, 4), Fraction(9), Fraction(49, 100)):
        root = combine("sqrt", x)
        assert isinstance(root, Fraction)
        assert root**2 == x
    for x in (Fraction(2), Fraction(-1), Fraction(-4), Fraction(3, 4), Fraction(4, 3)):
        assert isinstance(combine("sqrt", x), Expression)
    assert combine("neg", Fraction(1, 3)) == Fraction(-1, 3)


def test_trees_have_a_depth_and_a_length() -> None:
    x = parse("log(2)")
    assert isinstance(x, Expression)
    assert (x.depth, x.size) == (1, len("log(2)"))
    for k in range(2, MAX_DEPTH + 1):
        x = combine("+-*/"[k % 4], x, Fraction(1, 3))
        assert isinstance(x, Expression)
        assert (x.depth, x.size) == (k, len(x.text()))
    with pytest.raises(Malformed):
        combine("neg", x)
    y = combine("neg", combine("exp", parse("-log(2/3)/3")))
    assert isinstance(y, Expression)
    assert (y.depth, y.size) == (5, len(y.text()))
    half = combine("log", Fraction(1))
    while isinstance(half, Expression) and 2 * half.size + 3 <= MAX_SIZE:
        half = combine("+", half, half)
    with pytest.raises(Malformed):
        combine("+", half, half)
    assert (MAX_DEPTH, MAX_SIZE) == (200, 1_000_000)


def test_trees_are_equal_when_they_are_written_alike() -> None:
    texts = ("log(2)", "exp(2)", "log(3)", "log(2)+1", "log(2)-1", "1+log(2)", "log(2)+2",
             "log(2)+2305843009213693952", "exp(log(2))", "exp(log(2)+1)")  # fmt: skip
    for i, a in enumerate(texts):
        for j, b in enumerate(texts):
            assert (parse(a) == parse(b)) is (i == j)
    x = parse("log(2)")
    for other in (2, "log(2)", Fraction(2), None):
        assert x != other
    assert x == x


@pytest.mark.parametrize("inside", ["({})", "exp({})", "-{}", "-({})"])
def test_nesting_has_a_depth(inside: str) -> None:
    deep = 100 if inside != "-({})" else 50

    def nested(depth: int) -> str:
        begin, end = inside.split("{}")
        return begin * depth + "1" + end * depth

    assert parse(nested(deep)) == parse(canonical(parse(nested(deep))))
    with pytest.raises(Malformed, match="nested deeper"):
        parse(nested(deep + 1))


# ---------------------------------------------------------------- erfc, every rounding as stated


class Seen(Arithmetic):
    """An arithmetic that notes what it is asked to fit."""

    def fit(self, low: int, high: int, e: int) -> Interval:
        self.ends = low, high, e
        return super().fit(low, high, e)


def far(m: int, e: int, bits: int) -> tuple[int, int]:
    """The bounds of the asymptotic series, by fractions: each term floored below and ceiled above,
    and the first one left out either way."""
    v = bits + 16
    t = 1 / (2 * Fraction(m * m) * Fraction(4) ** e)
    below, above = Fraction(t * 2**v // 1, 2**v), Fraction(-(-t * 2**v // 1), 2**v)
    low = high = 0
    terms, k = (2**v, 2**v), 1
    while True:
        if k % 4 == 1:
            low, high = low + terms[0], high + terms[1]
        else:
            low, high = low - terms[1], high - terms[0]
        last, terms = terms, (int(terms[0] * k * below // 1), int(-(-terms[1] * k * above // 1)))
        k += 2
        if terms[1] <= 1 or terms[1] >= last[1]:
            return low - terms[1], high + terms[1]


def test_the_far_series_rounds_outward() -> None:
    for bits in (16, 33, 64):
        places = ((9, 0), (5, 0), (37, -2), (300, -5), (2**40 + 1, -37), (3, 2), (1, 9), (1, 90))
        for m, e in places:
            ar = Seen(bits)
            first: list[tuple[int, int, int]] = []
            ar.fit = lambda low, high, e, of=ar, told=first: (  # type: ignore[method-assign]
                told.append((low, high, e)) or Arithmetic.fit(of, low, high, e)
            )
            special._erfc_far(m, e, ar)
            assert first[0] == (*far(m, e, bits), -(bits + 16))


@pytest.mark.parametrize("bits", [16, 17, 40, 64])
def test_which_series_is_used(bits: int) -> None:
    """The near one for x^2 < bits; both keep the relative precision on either side."""
    seen: list[str] = []
    near, other = special._erfc_near, special._erfc_far
    try:
        special._erfc_near = lambda *a: seen.append("near") or near(*a)  # type: ignore[func-returns-value, assignment]
        special._erfc_far = lambda *a: seen.append("far") or other(*a)  # type: ignore[func-returns-value, assignment]
        ar = Arithmetic(bits)
        for m, e in ((4, 0), (1, -99), (1 << 20, -18), (33, -3), (5, 0), (9, 0), (1, 2), (1, 3)):
            for way in (1, -1):
                special._erfc_point(way * m, e, ar)
                inner = Fraction(m * m) * Fraction(4) ** e < bits
                assert seen.pop() == ("near" if inner else "far")
    finally:
        special._erfc_near, special._erfc_far = near, other
