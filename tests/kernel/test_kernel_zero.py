"""The exact zero test: it never calls a nonzero sum 0, and finds the zeros of its classes."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd

import kernel_builder as kb
import mpmath
import pytest
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed, Number, canonical, combine
from core.irrational import sum_of
from core.line_ties import _root_of_square
from core.logarithms import coprime_base
from core.shapes import parse
from core.value import enclose_number, form_of, rate_form, require_defined, sign
from core.zero import (
    NIL,
    Form,
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
    sign_of_sum,
    times,
)
from hypothesis import given, settings
from hypothesis import strategies as st

ONE = Fraction(1)


def test_coprime_base() -> None:
    rng = random.Random(5)
    for _ in range(300):
        numbers = [rng.randint(1, 60) ** rng.randint(1, 5) for _ in range(rng.randint(1, 6))]
        base = coprime_base(numbers)
        assert all(gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
        for n in numbers:
            for p in base:
                while n % p == 0:
                    n //= p
            assert n == 1
        for p in base:
            for k in range(2, p.bit_length() + 1):
                root = round(p ** (1 / k))
                assert all(c**k != p for c in (root - 1, root, root + 1) if c > 1)


def test_long_numbers_do_not_hang() -> None:
    n = 3**1200 * 7**600
    assert coprime_base([n, 7]) == [3, 7]
    assert coprime_base([10**600 + 7]) == [10**600 + 7]


def random_sum(rng: random.Random) -> tuple[Sum, mpmath.mpf]:
    """A random sum, half of them zero by construction through another writing of a term."""
    logs = [parse(f"log({b})") for b in ("2", "4", "8", "6", "3/2", "12", "9/8", "1/3")]
    total: Sum = {}
    value = mpmath.mpf(0)
    for _ in range(rng.randint(1, 4)):
        form, exponent = NIL, mpmath.mpf(0)
        for _ in range(rng.randint(0, 3)):
            x, c = rng.choice(logs), Fraction(rng.randint(-6, 6), rng.choice([1, 2, 3]))
            form = plus(form, times(form_of(x), c))
            exponent += kb.real(canonical(x)) * c.numerator / c.denominator
        c = Fraction(rng.randint(1, 5))
        accumulate(total, form, c)
        value += int(c) * mpmath.exp(exponent)
        if rng.random() < 0.8:  # cancel it, written over primes
            two, three = form_of(parse("log(2)")), form_of(parse("log(3)"))
            v2, v3 = _over_primes(form)
            accumulate(total, plus(times(two, v2), times(three, v3)), -c)
            value -= int(c) * mpmath.exp(exponent)
    return total, value


def _over_primes(form: frozenset[tuple[object, Fraction]]) -> tuple[Fraction, Fraction]:
    totals = [Fraction(0), Fraction(0)]
    for g, c in form:
        b = g[1]  # type: ignore[index]
        for i, p in enumerate((2, 3)):
            for n, way in ((b.numerator, 1), (b.denominator, -1)):
                while n % p == 0:
                    n, totals[i] = n // p, totals[i] + way * c
    return totals[0], totals[1]


def test_radicals() -> None:
    zeros = 0
    for seed in range(600):
        total, value = random_sum(random.Random(seed))
        assert is_zero(total) == (abs(value) < mpmath.mpf(10) ** -45), (seed, total)
        zeros += abs(value) < mpmath.mpf(10) ** -45
    print("zeros", zeros)
    assert 100 < zeros < 500


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log(4)-2*log(2)", 0),
        ("log(3)/log(9)-1/2", 0),
        ("exp(log(3))-3", 0),
        ("1-exp(-0)", 0),
        ("exp(1)*exp(-1)-1", 0),
        ("log(8/27)-3*log(2/3)", 0),
        ("log(exp(2)*3)-log(3)-2", 0),
        ("exp(1/2)*exp(1/2)-exp(1)", 0),
        ("log(1)", 0),
        ("log(2)-0.6931471805599453", 1),
        ("log(2)-0.69314718055994530942", -1),
        ("exp(1)-2.718281828459045", 1),
        ("exp(-1000000)", 1),
        ("exp(-1e4000)", 1),
        ("log((exp(1)-1/2)/(1/2))", 1),
        ("1e-4096", 1),
        ("exp(1/2)*(exp(1/2)+exp(-1/2))-exp(1)-1", 0),
        ("-log(3)+1", -1),
        ("1/(log(2)-0.69314718055994530941723212145817)", 1),
        ("1/(log(2)-0.69314718055994530941723212145818)", -1),
    ],
)
def test_signs(text: str, expected: int) -> None:
    x = parse(text)
    require_defined(x)
    assert sign(x) == expected


@pytest.mark.parametrize(
    "text", ["1/(log(4)-2*log(2))", "log(0)", "log(-1)", "log(1-exp(0))", "1/log(1)", "log(log(1))"]
)
def test_undefined_numbers(text: str) -> None:
    with pytest.raises(Malformed):
        require_defined(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2",
        "2exp(1)",
        "1^2",
        "1**2",
        "inf",
        "nan",
        "0x10",
        "1_000",
        "(1",
        "1)",
        "1e5000",
        "--",
        "sqrt 2",
        "exp",
        "exp 1",
        "\u0661",
        "1e",
        "e",
        "1/0",
        "1/(2-2)",
        "1" * 5000,
        "(" * 101 + "1" + ")" * 101,
        "-" * 102 + "1",
        "1e4096*1e4096",
        "1" * 10_001,
        "+".join(["log(2)"] * 900),
        "1\n",
        "1\t",
    ],
)
def test_not_numbers(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0.52", "13/25"),
        (" 1 / 2 ", "1/2"),
        ("-2*3", "-6"),
        ("+1", "1"),
        ("log(3)", "log(3)"),
        ("1e-3", "1/1000"),
        ("-log(2)*3", "((-log(2))*3)"),
        ("1/2-2*log(9/10)", "((1/2)-(2*log(9/10)))"),
        ("2E+2", "200"),
        ("1/log((exp(1)-1/2)/(1/2))", "(1/log(((exp(1)-(1/2))/(1/2))))"),
        ("--1", "1"),
        ("1-2-3", "-4"),
        ("3/(4/2)", "3/2"),
        ("(1+log(2))+1+1", "(((1+log(2))+1)+1)"),
        ("4/6", "2/3"),
        (".5", "1/2"),
    ],
)
def test_canonical_texts(text: str, printed: str) -> None:
    assert canonical(parse(text)) == printed


def tree(depth: int) -> st.SearchStrategy[tuple[Number, str]]:
    """A number together with a fully parenthesised text of it."""
    leaf = st.fractions(-5, 5, max_denominator=9).map(lambda x: (x, f"({x})"))
    if depth == 0:
        return leaf
    smaller = tree(depth - 1)
    return st.one_of(
        leaf,
        st.tuples(st.sampled_from("+-*"), smaller, smaller).map(
            lambda t: (combine(t[0], t[1][0], t[2][0]), f"({t[1][1]} {t[0]} {t[2][1]})")
        ),
        st.tuples(st.sampled_from(["exp", "-"]), smaller).map(
            lambda t: (combine({"-": "neg"}.get(t[0], t[0]), t[1][0]), f"({t[0]}({t[1][1]}))")
        ),
    )


@settings(deadline=None, max_examples=120)
@given(tree(3))
def test_parentheses_are_read_back(pair: tuple[Number, str]) -> None:
    assert canonical(parse(pair[1])) == canonical(pair[0])


def test_quotient_powers() -> None:
    """e^(-d/theta) = R^(-d/q) for theta = q / log R, R = (exp(1) - p)/(1 - p)."""
    rate = rate_form(parse("2/log((exp(1)-1/3)/(2/3))"))
    r = {form_of(parse("1")): Fraction(3, 2), NIL: Fraction(-1, 2)}  # (3 e - 1)/2
    half = times(rate, Fraction(2))  # log R
    total: Sum = {half: -ONE}
    for f, c in r.items():
        accumulate(total, f, c)
    assert is_zero(total)
    square: Sum = {times(rate, Fraction(4)): -ONE}
    for f, a in r.items():
        for h, b in r.items():
            accumulate(square, plus(f, h), a * b)
    assert is_zero(square)
    accumulate(square, times(rate, Fraction(1)), ONE)
    assert not is_zero(square)


def random_form(rng: random.Random) -> tuple[Form, mpmath.mpf]:
    """A form over e, radicals and two quotients, with its value."""
    texts = ["1", "log(2)", "log(6)", "log((3*exp(1)-1)/2)", "log((exp(1)+1)/(exp(1)-1))"]
    form, value = NIL, mpmath.mpf(0)
    for text in rng.sample(texts, rng.randint(0, 3)):
        c = Fraction(rng.randint(-4, 4), rng.choice([1, 1, 2, 3]))
        form = plus(form, times(form_of(parse(text)), c))
        value += kb.real(text) * c.numerator / c.denominator
    return form, value


def test_quotient_identities() -> None:
    """Multiples of  R D - N  are found to be 0; with one coefficient changed they never are."""
    identities = [
        ("log((3*exp(1)-1)/2)", {"1": 3, "0": -1}, {"0": 2}),
        ("log((exp(1)+1)/(exp(1)-1))", {"1": 1, "0": 1}, {"1": 1, "0": -1}),
    ]
    for seed in range(300):
        rng = random.Random(seed)
        total: Sum = {}
        for _ in range(rng.randint(1, 3)):
            f, _x = random_form(rng)
            name, n, d = rng.choice(identities)
            c = Fraction(rng.randint(1, 5))
            for text, k in d.items():
                here = plus(plus(form_of(parse(name)), form_of(parse(text))), f)
                accumulate(total, here, c * k)
            for text, k in n.items():
                accumulate(total, plus(form_of(parse(text)), f), -c * k)
        assert is_zero(total), seed
        f, x = random_form(rng)
        accumulate(total, f, ONE)
        assert not is_zero(total), (seed, x)


def test_random_sums_are_never_called_zero_wrongly() -> None:
    zeros = 0
    for seed in range(1500):
        rng = random.Random(seed)
        total: Sum = {}
        value = mpmath.mpf(0)
        for _ in range(rng.randint(2, 4)):
            f, x = random_form(rng)
            c = Fraction(rng.choice([-2, -1, 1, 2]))
            accumulate(total, f, c)
            value += int(c) * mpmath.exp(x)
        if is_zero(total):
            zeros += 1
            assert abs(value) < mpmath.mpf(10) ** -45, (seed, total)
    print("zeros", zeros)


LINEAR = [
    "-log(3)",
    "1/2-2*log(9/10)",
    "-(log(2)-3)/4",
    "2*(log(5)+1)/3-log(7)*(1/9)",
    "log(exp(1/2)*3)",
    "log(exp(2)/(3*exp(1)))",
    "log((exp(1)-1/2)/(1/2))",
    "3-(-log(2))",
    "log(2)/log(4)",
    "exp(1/3)-log(2)",
    "log(3)*log(2)",
    "(1+log(2))*(1/log(3))",
    "log(1/(2-exp(-1)))",
    "log((exp(1)+1)/(exp(1)-1))+1",
    "exp(1)-exp(-1)",
    "2/(3*exp(1/2))",
    "exp(exp(1)/2)",
    "exp(log(2)/2)*3",
]


@pytest.mark.parametrize("text", LINEAR)
def test_forms_and_rates_have_the_value_of_the_number(text: str) -> None:
    x, value = parse(text), kb.real(text)
    require_defined(x)
    ar = Arithmetic(150)
    pairs = [(form_of(x), value), (rate_form(combine("*", x, x)), 1 / value**2)]
    pairs.append((rate_form(combine("/", Fraction(3), x)), value / 3))
    pairs.append((rate_form(combine("*", Fraction(3), x)), 1 / (3 * value)))
    for form, expected in pairs:
        low, high, e = enclose_form(form, ar)
        two = mpmath.mpf(2) ** e
        assert low * two - kb.TOLERANCE <= expected <= high * two + kb.TOLERANCE
        assert (high - low) * two < mpmath.mpf(10) ** -35


TOWERS = [  # (x, y, whether e^x = e^y)
    ("exp(-1)", "1/exp(1)", True),
    ("(exp(1)+1)*(exp(1)+1)", "exp(2)+2*exp(1)+1", True),
    ("exp(log(2)/2)*exp(1)", "exp(1+log(2)/2)", True),
    ("exp(exp(1)-1)", "exp(exp(1))/exp(1)", True),
    ("exp(-1)", "exp(-1)+1e-300", False),
    ("exp(exp(1))", "exp(exp(1)+1e-300)", False),
    ("exp(1)+exp(2)", "exp(3)", False),
]


@pytest.mark.parametrize(("x", "y", "equal"), TOWERS)
def test_towers(x: str, y: str, equal: bool) -> None:
    total: Sum = {}
    accumulate(total, form_of(parse(x)), ONE)
    accumulate(total, form_of(parse(y)), -ONE)
    assert is_zero(total) is equal


SUMS = [
    "1-exp(-1/4)",
    "-exp(1)",
    "(exp(1)-1)/(exp(1)+1)",
    "exp(1)*exp(log(2)/2)/3-1/2",
    "2-(-exp(-1))",
]


@pytest.mark.parametrize("text", SUMS)
def test_sums_have_the_value_of_the_number(text: str) -> None:
    n, d = sum_of(parse(text))
    ar = Arithmetic(150)
    low, high, e = ar.div(enclose_sum(n, ar), enclose_sum(d, ar))
    two = mpmath.mpf(2) ** e
    assert low * two - kb.TOLERANCE <= kb.real(text) <= high * two + kb.TOLERANCE


def test_a_square_root_is_taken_of_proved_squares_only() -> None:
    """a b e^f is the square of a e^((f+h+log c)/2) where b = c e^h a, and else nothing is said."""
    ar, one = Arithmetic(128), Fraction(1)
    shift, rate = constant(Fraction(3)), constant(Fraction(-1, 2))
    a = {NIL: Fraction(2), rate: Fraction(-1)}
    twice = {plus(f, shift): 4 * c for f, c in a.items()}
    root = _root_of_square(a, twice, rate, ar)
    assert root is not None
    square = multiply(root, root)
    assert is_zero(add(square, multiply(multiply(a, twice), {rate: one}), Fraction(-1)))
    assert sign_of_sum(root, ar) == 1
    other = {**twice, plus(rate, shift): Fraction(-5)}
    for b in (other, {f: -c for f, c in twice.items()}, {NIL: one}):
        assert _root_of_square(a, b, rate, ar) is None


def test_signs_of_sums_whose_ends_have_one_bit() -> None:
    ar = Arithmetic(64)
    for c in (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3)):
        assert sign_of_sum({NIL: c}, ar) == 1
        assert sign_of_sum({NIL: -c}, ar) == -1
    assert sign_of_sum({}, ar) == 0
    half = {form_of(parse("log(2)")): Fraction(1, 2), NIL: Fraction(-1)}
    assert sign_of_sum(half, ar) == 0
    assert sign_of_sum(add(half, {NIL: Fraction(1, 10**9)}), ar) == 1
    with pytest.raises(Undecided):
        sign_of_sum(add(half, {NIL: Fraction(1, 10**30)}), ar)


@pytest.mark.parametrize("x", ["0", "1/3", "1/2", "1", "3/2", "2"])
def test_signs_of_fractions(x: str) -> None:
    way = 0 if x == "0" else 1
    assert sign(Fraction(x)) == way
    assert sign(-Fraction(x)) == -way


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("log(1/exp(1/3))", Fraction(-1, 3)),
        ("log(exp(2/3)/exp(1/3))", Fraction(1, 3)),
        ("log((exp(1)+exp(2))/(exp(3)+exp(4)))", Fraction(-2)),
        ("log(exp(1)/(3*exp(5)))+log(3)", Fraction(-4)),
        ("log(1/(2*exp(-7)))-log(1/2)", Fraction(7)),
    ],
)
def test_logarithms_of_quotients_of_powers(text: str, value: Fraction) -> None:
    assert rational_value(form_of(parse(text))) == value or is_zero(
        add({form_of(parse(text)): Fraction(1)}, {constant(value): Fraction(-1)})
    )
    assert sign(parse(f"{text}-({value})")) == 0
    for near in ("1e-30", "-1e-30"):
        assert sign(parse(f"{text}-({value})+({near})")) == (1 if near[0] == "1" else -1)


@pytest.mark.parametrize("power", [*range(-3, 4), Fraction(-5, 2), Fraction(1, 2)])
def test_powers_of_a_quotient_from_below_0(power: Fraction) -> None:
    """R = 1 + e: R^(k+1) = R^k + e R^k, and nothing near it."""
    r = form_of(parse("log(1+exp(1))"))
    ((kind, *_), _) = next(iter(r))
    assert kind == "quotient"
    k, more, e = times(r, Fraction(power)), times(r, Fraction(power) + 1), constant(Fraction(1))
    zero: Sum = {more: Fraction(1), k: Fraction(-1), plus(k, e): Fraction(-1)}
    assert is_zero(zero)
    for f in zero:
        assert not is_zero({f: zero[f]})
        assert not is_zero({**zero, f: zero[f] * 2})
        assert not is_zero({g: c for g, c in zero.items() if g != f})


@pytest.mark.parametrize("inner", ["1/(log(4)-2*log(2))", "log(log(4)-log(5))", "sqrt(log(1/2))"])
@pytest.mark.parametrize("outer", ["exp({})", "1+{}", "-({})", "log(3+exp({}))", "2*(1-{})"])
def test_what_is_undefined_within_a_number_is_found(inner: str, outer: str) -> None:
    with pytest.raises(Malformed):
        require_defined(parse(outer.format(inner)))


@pytest.mark.parametrize(
    "text",
    [
        "log(2)*log(3)+log(5)",
        "log(5)+log(2)*log(3)",
        "log(2)*log(3)-log(5)*log(7)",
        "-(log(2)*log(3))",
        "-(log(2)*log(3)-log(5))",
        "1-log(2)*log(3)",
        "log(2)*log(3)/log(5)",
        "1/(log(2)*log(3)+log(5))",
        "log(2)/(1+log(3))-log(2)*log(3)",
        "(1+log(2))*(1-log(3))*(2+log(5))",
        "exp(1)*log(2)-exp(2)/log(3)",
        "3*log(2)*log(2)-log(2)/7",
    ],
)
def test_forms_with_products_have_the_value_of_the_number(text: str) -> None:
    ar = Arithmetic(256)
    for sign_of_it in ("", "2*", "-"):
        x = parse(f"{sign_of_it}({text})")
        low, high, e = ar.sub(enclose_form(form_of(x), ar), enclose_number(x, ar))
        assert low <= 0 <= high
        assert (high - low) * Fraction(2) ** e < Fraction(1, 10**60)


def test_values_of_forms() -> None:
    two = form_of(parse("log(2)"))
    for c in (Fraction(0), Fraction(-1, 3), Fraction(5)):
        assert rational_value(constant(c)) == c
        assert rational_value(plus(two, constant(c))) is None
        assert rational_value(plus(plus(two, constant(c)), times(two, Fraction(-1)))) == c


@pytest.mark.parametrize("bits", [500, 700, 2000])
def test_powers_of_e_by_a_divisor_that_is_near_0(bits: int) -> None:
    """e^(2^-600 / (log 2 - c)) with c so near that only many bits tell the divisor from 0."""
    low, _, e = enclose_number(parse("log(2)"), Arithmetic(1500))
    c = Fraction(low >> -e - 600, 1 << 600)  # 600 bits of log 2
    rate = times(form_of(parse(f"1/(log(2)-{c.numerator}/{c.denominator})")), Fraction(1, 1 << 600))
    if bits < 600:
        with pytest.raises(Undecided, match="a divisor is not separated from 0"):
            exp_form(rate, Arithmetic(bits))
        return
    with mpmath.workprec(3000):
        apart = mpmath.log(2) - mpmath.mpf(c.numerator) / c.denominator
        exact = mpmath.exp(1 / (apart * 2**600))
        low, high, e = exp_form(rate, Arithmetic(bits))
        assert mpmath.ldexp(low, e) <= exact <= mpmath.ldexp(high, e)
        assert high - low <= high >> 50
