"""Integrals, derivatives and the normal law: what follows is accepted, its false sibling is not."""

from __future__ import annotations

import random
from typing import Any

import mpmath
import pytest
import sympy as sp

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.proof.bounded import improper, may_be_unbounded
from pfverify.proof.calculus import NotSmooth, derived
from pfverify.proof.check import check_claim
from pfverify.proof.heads import NormalCdf, Spread
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import Instance, value
from pfverify.proof.rules import REFUSALS, Context
from pfverify.proof.terms import (
    Formula,
    Variable,
)
from pfverify.proof.written import latex

DECLARATIONS = """
b, s, t = positive("b s t")
a, c, m, n = constants("a c m n")
y, v, u = variables("y v u")
x = indices("x", "X")
f, g = functions("f g")
P = masses("P")
"""
NONE = """
Claim(id="none", source=paper("design", "F6"), words="none", result=NOT_CHECKABLE,
      not_checkable="for tests")
"""
FILE = ProofFile(DECLARATIONS + NONE, "test")


def formula(text: str) -> Formula:
    made = FILE.expression(text)
    assert isinstance(made, Formula)
    return made


def failure(statement: str, rule: str, facts: str = "", known: str = "") -> str:
    """Why a rule refuses a statement, "" if it accepts it; `known`: integrals that exist."""
    given = {"h": formula(facts)} if facts else {}
    finite: set[Any] = set(FILE.expression(f"[{known}]"))
    try:
        FILE.expression(rule).check(formula(statement), Context(given, finite=finite))
    except REFUSALS as found:
        return str(found) or "fails"
    return ""


# ---------------------------------------------------------------- the normal law

IDENTITIES = [
    ("normal_cdf(-a) == 1 - normal_cdf(a)", True),
    ("normal_cdf(-a) == normal_cdf(a)", False),
    ("normal_tail(a, m, s) == 1 - normal_cdf(a, m, s)", True),
    ("erfc(a) + erfc(-a) == 2", True),
    ("erfc(-a) == erfc(a)", False),  # the wrong branch
    ("erfc(-a) == 1 - erfc(a)", False),
    ("erfc(0) == 1", True),
    ("erfc(a) == 2*normal_tail(a)", False),  # without the root of 2
    ("normal_pdf(a, m, s) == normal_pdf((a - m)/s)/s", True),
    ("normal_pdf(a, m, s) == normal_pdf((a - m)/s)", False),
    ("derivative(erfc(v), v) == -2/sqrt(PI)*exp(-v**2)", True),
    ("derivative(erfc(v), v) == 2/sqrt(PI)*exp(-v**2)", False),
    ("derivative(normal_cdf(v, m, s), v) == normal_pdf(v, m, s)", True),
    ("derivative(normal_cdf(v**2), v) == normal_pdf(v**2)", False),  # the inner derivative
    ("exp(a/(s + t)) == exp(a*s/(s**2 + s*t))", True),  # exponents with denominators
    ("normal_cdf(a/(s + t)) == normal_cdf(a*s/(s**2 + s*t))", True),
    ("normal_cdf(a/(s + t)) == normal_cdf(a*s/(s**2 + t))", False),
    ("sqrt(PI)**2 == PI", True),
    ("sqrt(2*PI) == 2*sqrt(PI)", False),
]


@pytest.mark.parametrize(("statement", "true"), IDENTITIES)
def test_identities_of_the_normal_law(statement: str, true: bool) -> None:
    assert (failure(statement, "identity()") == "") is true


ARITHMETIC = [
    ("0 < normal_cdf(a) and normal_cdf(a) < 1", True),
    ("normal_cdf(a) <= 1/2", False),
    ("implies(a < c, normal_tail(c) < normal_tail(a))", True),
    ("implies(a < c, normal_cdf(c) < normal_cdf(a))", False),
    ("implies(a < c, normal_cdf(c) - normal_cdf(a) <= c - a)", False),  # true, but not shown
    ("implies(a > 0, normal_cdf(a) > 1/2)", True),
    ("implies(normal_cdf(a) + normal_cdf(c) < 1, a + c < 0)", True),
    ("implies(normal_cdf(a) == normal_cdf(c), a == c)", True),
    ("erfc(a) < 2", True),
    ("erfc(a) < 1", False),
    ("3 < PI and PI < 22/7", True),
    ("PI <= 3", False),
]


@pytest.mark.parametrize(("statement", "shown"), ARITHMETIC)
def test_arithmetic_of_the_normal_law(statement: str, shown: bool) -> None:
    assert (failure(statement, "arithmetic()") == "") is shown


ENCLOSURES = [
    ("normal_tail(3) < 135/10**5 and 134/10**5 < normal_tail(3)", True),
    ("normal_cdf(3) < 99865/10**5", False),
    ("erfc(-5) > 2 - 10**(-11)", True),
    ("erfc(-5) > 2 - 10**(-12)", False),
    ("normal_tail(40) > 0 and normal_tail(40) < 10**(-347)", True),
    ("314159265358979323/10**17 < PI and PI < 314159265358979324/10**17", True),
    ("normal_cdf(1) + normal_cdf(-1) == 1", False),  # no ball decides an equality
    ("normal_cdf(0) == 1/2", True),
]


@pytest.mark.parametrize(("statement", "true"), ENCLOSURES)
def test_enclosures_of_the_normal_law(statement: str, true: bool) -> None:
    assert (failure(statement, "enclosure()") == "") is true


@pytest.mark.parametrize("at", ["-7", "-1/3", "0", "2", "11"])
def test_the_value_is_that_of_another_program(at: str) -> None:
    found = value(FILE.expression(f"normal_cdf({at}, 1, 2) * PI"), Instance())
    with mpmath.workdps(30):
        z = (mpmath.mpf(sp.Rational(at).p) / sp.Rational(at).q - 1) / 2
        expected = mpmath.ncdf(z) * mpmath.pi
        assert abs(found.ball().midpoint() / expected - 1) < 1e-14


# ---------------------------------------------------------------- derivatives


def random_smooth(rng: random.Random, depth: int) -> sp.Expr:
    v, a = FILE.names["v"], FILE.names["a"]
    if depth == 0:
        return rng.choice([v, a, sp.Integer(rng.randint(-2, 2)), v / 2, v**2])
    left, right = random_smooth(rng, depth - 1), random_smooth(rng, depth - 1)
    return rng.choice([
        left * right, left + right, sp.exp(left / 4), NormalCdf(left), left / (1 + right**2),
        sp.log(1 + left**2), sp.sqrt(2 + left**2), left**3,
    ])  # fmt: skip


def test_derivatives_are_those_of_another_program() -> None:
    rng = random.Random(3)
    v, a = FILE.names["v"], FILE.names["a"]
    at = {v: sp.Rational(3, 7), a: sp.Rational(-2, 5)}
    for _ in range(60):
        term = random_smooth(rng, 3)
        other = term.replace(NormalCdf, lambda w: (1 + sp.erf(w / sp.sqrt(2))) / 2)
        ours = derived(term, v).replace(NormalCdf, lambda w: (1 + sp.erf(w / sp.sqrt(2))) / 2)
        gap = sp.N((ours - sp.diff(other, v)).subs(at), 30)
        assert abs(gap) < 1e-20, term


@pytest.mark.parametrize(
    "text",
    [
        "derivative(abs(v), v)", "derivative(maximum(v, 0), v)", "derivative(indicator(v), v)",
        "derivative(exp(minimum(v, 1)), v)", "derivative(f(v), v)",
        "derivative(integral(exp(-u), u, 0, v), v)", "derivative(total(f(x)*abs(v), x), v)",
        "derivative(v, x)", "derivative(v, v**2)", "derivative(v, 2)",
    ],
)  # fmt: skip
def test_kinks_and_unknown_functions_have_no_derivative(text: str) -> None:
    FILE.expression("derivative(total(f(x)*exp(v*x), x) + abs(a)*v, v)")  # these are fine
    with pytest.raises(InputError):
        FILE.expression(text)


def test_what_is_not_differentiated_is_named() -> None:
    v = Variable("v")
    with pytest.raises(NotSmooth, match="Abs"):
        derived(v * sp.Abs(v - 1), v)


# ---------------------------------------------------------------- antiderivatives

TAIL = "exp(m/b + s**2/(2*b**2))"
INTEGRALS = [
    ("normal_pdf(v)", "-oo", "oo", "1", "normal_cdf(v)"),
    ("normal_pdf(v, m, s)", "y", "oo", "normal_tail(y, m, s)", "normal_cdf(v, m, s)"),
    ("v*normal_pdf(v)", "a", "oo", "normal_pdf(a)", "-normal_pdf(v)"),
    ("v**2*normal_pdf(v)", "-oo", "oo", "1", "normal_cdf(v) - v*normal_pdf(v)"),
    ("exp(v/b)*normal_pdf(v, m, s)", "y", "oo", f"{TAIL}*normal_tail(y, m + s**2/b, s)",
     f"{TAIL}*normal_cdf(v, m + s**2/b, s)"),
    ("normal_tail(v)", "0", "oo", "normal_pdf(0)", "v*normal_tail(v) - normal_pdf(v)"),
    # e^v (1 - cdf(v)) vanishes although neither e^v nor e^v cdf(v) does
    ("exp(v/b)*normal_tail(v)", "0", "oo", "b*exp(1/(2*b**2))*normal_cdf(1/b) - b/2",
     "b*exp(v/b)*normal_tail(v) + b*exp(1/(2*b**2))*normal_cdf(v - 1/b)"),
    ("normal_pdf(v, m, s)*normal_pdf(y - v, n, t)", "-oo", "oo",
     "normal_pdf(y, m + n, sqrt(s**2 + t**2))",
     "normal_pdf(y, m + n, sqrt(s**2 + t**2))*normal_cdf(v, m + s**2*(y - m - n)/(s**2 + t**2), "
     "s*t/sqrt(s**2 + t**2))"),
    ("exp(v - exp(v))", "0", "1", "exp(-1) - exp(-exp(1))", "-exp(-exp(v))"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "low", "high", "total", "primitive"), INTEGRALS)
def test_antiderivatives(body: str, low: str, high: str, total: str, primitive: str) -> None:
    area = f"integral({body}, v, {low}, {high})"
    assert failure(f"{area} == {total}", f"antiderivative({primitive})") == ""
    assert failure(f"{area} == {total} + 1/10**9", f"antiderivative({primitive})")
    assert failure(f"2*{area} == 2*({total})", f"antiderivative({primitive})")  # not an integral
    assert failure(f"integral(({body})*(1 + v/10**9), v, {low}, {high}) == {total}",
                   f"antiderivative({primitive})")  # fmt: skip
    # the number is that of a quadrature, for some values of the parameters
    names = {"b": 2, "s": 1.5, "t": 0.75, "a": 0.5, "m": -0.25, "n": 1, "y": 0.625}
    symbols = {FILE.names[k]: sp.Rational(w) for k, w in names.items()}

    plain = sp.Symbol("v")

    def number(text: str) -> Any:
        term = FILE.expression(text)
        term = term.replace(NormalCdf, lambda w: (1 + sp.erf(w / sp.sqrt(2))) / 2)
        term = term.replace(Spread, lambda w: w)
        return term.subs(symbols).subs(FILE.names["v"], plain)

    f = sp.lambdify(plain, number(body), "mpmath")
    ends = [{"oo": mpmath.inf, "-oo": -mpmath.inf}.get(e) for e in (low, high)]
    low_end, high_end = (
        mpmath.mpf(sp.Float(number(e))) if end is None else end
        for e, end in zip((low, high), ends, strict=True)
    )
    found = mpmath.quad(f, [low_end, 1 if low_end != 1 else 0.5, high_end])
    assert abs(found - mpmath.mpf(sp.N(number(total)))) < 1e-9


REFUSED_PRIMITIVES = [
    # no decay, or none that is shown
    ("integral(exp(v), v, 0, oo) == -1", "exp(v)", ""),
    ("integral(exp(-v), v, -oo, 0) == -1", "-exp(-v)", ""),
    ("integral(2*v*exp(v**2), v, 0, oo) == -1", "exp(v**2)", ""),
    ("integral(2*a*v*exp(a*v**2), v, 0, oo) == -1", "exp(a*v**2)", ""),  # a may be > 0
    ("integral(exp(v*a)*a, v, 0, oo) == -1", "exp(a*v)", ""),
    ("integral(3*v**2*exp(-v**3), v, -oo, 0) == -1", "-exp(-v**3)", ""),
    ("integral(1 + 0*v, v, 0, oo) == 0", "v", ""),
    ("integral(v*normal_pdf(v) + 1, v, 0, oo) == normal_pdf(0)", "v - normal_pdf(v)", ""),
    ("integral(normal_cdf(v), v, 0, oo) == -normal_pdf(0)", "v*normal_cdf(v) + normal_pdf(v)", ""),
    # the growth beats the tail of the normal law
    ("integral(derivative(exp(v**2)*normal_tail(v), v), v, 0, oo) == -1/2",
     "exp(v**2)*normal_tail(v)", ""),
    ("integral(derivative(exp(v**2/2)*normal_tail(v), v), v, 0, oo) == -1/2",
     "exp(v**2/2)*normal_tail(v)", ""),  # true, but not shown by this rule
    ("integral(derivative(exp(v)*normal_cdf(v), v), v, 0, oo) == -1/2", "exp(v)*normal_cdf(v)", ""),
    # a slope of unknown sign
    ("integral(a*normal_pdf(a*v), v, -oo, oo) == 1", "normal_cdf(a*v)", ""),
    ("integral(a*normal_pdf(a*v), v, -oo, oo) == 1", "normal_cdf(a*v)", "a != 0"),
    ("integral(a*normal_pdf(a*v), v, -oo, oo) == 1", "normal_cdf(a*v)", "a < 0"),
    ("integral(2*v*normal_pdf(v**2), v, 0, oo) == 1/2", "normal_cdf(v**2)", ""),  # not linear
    # sums have no limit that is known
    ("integral(total(P(x)*exp(-v), x), v, 0, oo) == 0",
     "-total(P(x)*exp(-v + 0*x), x)*exp(v)*exp(-v)", ""),
    # kinks, poles, unknown functions
    ("integral(2*abs(v), v, -1, 1) == 2", "v*abs(v)", ""),
    ("integral(indicator(v), v, -1, 1) == 1", "maximum(v, 0)", ""),
    ("integral(0*v, v, -1, 1) == 1", "indicator(v)", ""),
    ("integral(-1/v**2, v, -1, 1) == 2", "1/v", ""),
    ("integral(0*v, v, -1, 1) == normal_cdf(1) - normal_cdf(-1)", "normal_cdf(1/v)", ""),
    ("integral(0*v, v, 0, 1) == f(1) - f(0)", "f(v)", ""),
    ("integral(0*v, v, -1, 1) == 2", "abs(v)/v", ""),
    ("integral(1/(1 + v**2), v, -1, 1) == log(2)", "log(1 + v**2)/2", ""),
]


@pytest.mark.parametrize(("statement", "primitive", "fact"), REFUSED_PRIMITIVES)
def test_antiderivatives_that_are_refused(statement: str, primitive: str, fact: str) -> None:
    using = "using=['h']" if fact else ""
    assert failure(statement, f"antiderivative({primitive}, {using})", fact)


def test_a_slope_whose_sign_is_given() -> None:
    area = "integral(a*normal_pdf(a*v), v, -oo, oo)"
    rule = "antiderivative(normal_cdf(a*v), using=['h'])"
    assert failure(f"{area} == 1", rule, "a > 0") == ""
    assert failure(f"{area} == -1", rule, "a < 0") == ""


def test_a_slope_may_be_a_value_of_a_function() -> None:
    area = "integral(f(x)*exp(-f(x)*v), v, 0, oo)"
    rule = "antiderivative(-exp(-f(x)*v), using=['h'])"
    assert failure(f"{area} == 1", rule, "f(x) > 0") == ""
    assert "does not vanish" in failure(f"{area} == 1", rule, "f(x) >= 0")
    assert "does not vanish" in failure(f"{area} == 1", rule, "g(x) > 0")
    masses = "integral(P(x)*exp(-P(x)*v), v, 0, oo) == 1"
    rule = "antiderivative(-exp(-P(x)*v), using=['h'])"
    assert failure(masses, rule, "P(x) != 0") == ""  # masses are >= 0
    assert "does not vanish" in failure(masses, rule, "x != 0")


# ---------------------------------------------------------------- existence, ends, parts

E_V = "integral(exp(-v), v, 0, oo)"
PARTS = "integral(f(v), v, -1, 0), integral(f(v), v, 0, 1)"
RULES = [  # (statement, rule, fact, integrals that exist, accepted)
    # infinite ends need integrals that exist
    ("integral(f(v), v, 0, oo) <= integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) <= g(v)", "integral(f(v), v, 0, oo), integral(g(v), v, 0, oo)", True),
    ("integral(f(v), v, 0, oo) <= integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) <= g(v)", "integral(g(v), v, 0, oo)", False),
    ("integral(f(v), v, 0, oo) <= integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) <= g(v)", "integral(f(v), v, 0, oo)", False),
    ("integral(f(v), v, 0, oo) == integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) == g(v)", "integral(g(v), v, 0, oo)", True),
    ("integral(f(v), v, 0, oo) == integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) == g(v)", "integral(f(v), v, 0, oo)", False),
    ("integral(f(v), v, 0, oo) == integral(f(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "f(v) == f(v)", "", False),
    # guards cover the interval, no more is used
    ("integral(f(v), v, 0, oo) == integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "implies(0 <= v, f(v) == g(v))", "integral(g(v), v, 0, oo)", True),
    ("integral(f(v), v, 0, oo) == integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "implies(1 <= v, f(v) == g(v))", "integral(g(v), v, 0, oo)", False),
    ("integral(f(v), v, 0, oo) == integral(g(v), v, 0, oo)", "integrate('h', v, between=(0, oo))",
     "implies(v <= 0, f(v) == g(v))", "integral(g(v), v, 0, oo)", False),
    ("integral(f(v), v, -oo, oo) == integral(g(v), v, -oo, oo)",
     "integrate('h', v, between=(-oo, oo))", "implies(0 <= v, f(v) == g(v))",
     "integral(g(v), v, -oo, oo)", False),
    ("integral(f(v), v, oo, 0) <= integral(g(v), v, oo, 0)", "integrate('h', v, between=(oo, 0))",
     "f(v) <= g(v)", "integral(f(v), v, oo, 0), integral(g(v), v, oo, 0)", False),
    ("integral(f(v), v, 0, -oo) <= integral(g(v), v, 0, -oo)",
     "integrate('h', v, between=(0, -oo))", "f(v) <= g(v)",
     "integral(f(v), v, 0, -oo), integral(g(v), v, 0, -oo)", False),
    ("integral(f(v), v, 0, y) <= integral(g(v), v, 0, y)", "integrate('h', v, between=(0, y))",
     "f(v) <= g(v)", "integral(f(v), v, 0, y), integral(g(v), v, 0, y)", False),  # y may be < 0
    ("integral(f(v), v, 0, 1) <= integral(g(v), v, 0, 1)", "integrate('h', v, between=(0, 1))",
     "f(v) <= g(v)", "integral(f(v), v, 0, 1), integral(g(v), v, 0, 1)", True),
    ("integral(f(v), v, 0, 1) <= integral(g(v), v, 0, 1)", "integrate('h', v, between=(0, 1))",
     "f(v) <= g(v)", "integral(g(v), v, 0, 1)", False),
    # parts
    (f"{E_V} == integral(exp(-v), v, 0, a) + integral(exp(-v), v, a, oo)", "split_integral(a)", "",
     "integral(exp(-v), v, a, oo)", True),
    (f"{E_V} == integral(exp(-v), v, 0, a) + integral(exp(-v), v, a, oo)", "split_integral(a)", "",
     E_V, True),
    (f"{E_V} == integral(exp(-v), v, 0, a) + integral(exp(-v), v, a, oo)", "split_integral(a)", "",
     "", False),
    (f"{E_V} == integral(exp(-v), v, 0, 0) + {E_V}", "split_integral(0)", "", "", False),
    (f"{E_V} == integral(exp(-v), v, 0, a) + integral(exp(-v), v, c, oo)", "split_integral(a)", "",
     E_V, False),
    (f"{E_V} == integral(exp(-v), v, 0, v) + integral(exp(-v), v, v, oo)", "split_integral(v)", "",
     E_V, False),
    ("integral(f(v), v, -1, 1) == integral(f(v), v, -1, 0) + integral(f(v), v, 0, 1)",
     "split_integral(0)", "", PARTS, True),
    ("integral(f(v), v, -1, 1) == integral(f(v), v, -1, 0) - integral(f(v), v, 0, 1)",
     "split_integral(0)", "", PARTS, False),
    ("integral(a*v, v, -1, 1) == integral(a*v, v, -1, 1/c) + integral(a*v, v, 1/c, 1)",
     "split_integral(1/c)", "", "", False),  # 1/0
    # of a function that may be unbounded the whole shows nothing of parts beyond it
    ("integral(f(v), v, -1, 1) == integral(f(v), v, -1, 0) + integral(f(v), v, 0, 1)",
     "split_integral(0)", "", "", False),
    ("integral(f(v), v, 1, 2) == integral(f(v), v, 1, 0) + integral(f(v), v, 0, 2)",
     "split_integral(0)", "", "integral(f(v), v, 1, 2)", False),
    ("integral(f(v), v, 1, oo) == integral(f(v), v, 1, 0) + integral(f(v), v, 0, oo)",
     "split_integral(0)", "", "integral(f(v), v, 1, oo)", False),
    # another variable
    ("integral(f(v), v, 1, 5) == integral(2*f(2*u + 1), u, 0, 2)", "change_variable(2, 1)", "",
     "integral(f(v), v, 1, 5)", True),
    ("integral(f(v), v, 1, 5) == integral(2*f(2*u + 1), u, 0, 2)", "change_variable(2, 1)", "", "",
     False),  # neither is known to exist
    ("integral(f(v), v, 1, 5) == integral(f(2*u + 1), u, 0, 2)", "change_variable(2, 1)", "",
     "integral(f(v), v, 1, 5)", False),  # without the factor
    ("integral(f(v), v, 1, 5) == integral(2*f(2*u + 1), u, 1, 5)", "change_variable(2, 1)", "",
     "integral(f(v), v, 1, 5)", False),  # the ends stay
    ("integral(f(v), v, 0, 1) == integral(-f(-u), u, 0, -1)", "change_variable(-1, 0)", "",
     "integral(f(v), v, 0, 1)", False),  # a factor < 0 is not in the rule
    ("integral(f(v), v, -oo, oo) == integral(-f(-u), u, -oo, oo)", "change_variable(-1, 0)", "",
     "integral(f(v), v, -oo, oo)", False),  # and this one is false
    ("integral(f(v), v, -oo, oo) == integral(a*f(a*u), u, -oo, oo)", "change_variable(a, 0)", "",
     "integral(f(v), v, -oo, oo)", False),  # nor of unknown sign
    ("integral(f(v), v, -oo, oo) == integral(s*f(s*u), u, -oo, oo)", "change_variable(s, 0)", "",
     "integral(f(v), v, -oo, oo)", True),
    ("integral(f(v), v, -oo, oo) == integral(s*f(s*u), u, -oo, oo)", "change_variable(s, 0)", "",
     "", False),
    ("integral(f(v), v, 0, oo) == integral(s*f(s*u), u, -oo, oo)", "change_variable(s, 0)", "",
     "integral(f(v), v, 0, oo)", False),
    ("integral(f(v), v, -oo, oo) == integral(f(v), v, -oo, oo)", "change_variable(1, 0)", "", "",
     False),
    ("integral(v*u, v, 0, 1) == integral(u*u, u, 0, 1)", "change_variable(1, 0)", "", "",
     False),  # u is captured
    ("integral(v**2, v, u, u + 1) == integral((u + u)**2, u, 0, 1)", "change_variable(1, u)", "",
     "", False),
    # domination
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')", "abs(f(v)) <= exp(-v)", E_V,
     True),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')",
     "implies(0 <= v, abs(f(v)) <= exp(-v))", E_V, True),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')",
     "implies(1 <= v, abs(f(v)) <= exp(-v))", E_V, False),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')", "f(v) <= exp(-v)", E_V, False),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')", "abs(f(v)) <= 2*exp(-v)", E_V,
     False),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')", "abs(f(v)) <= exp(-v)", "",
     False),
    (f"integral(f(v), v, 0, oo) <= {E_V}", "dominated('h')", "abs(f(v)) <= exp(-v)", E_V, False),
    (f"abs(integral(f(v), v, 1, oo)) <= {E_V}", "dominated('h')", "abs(f(v)) <= exp(-v)", E_V,
     False),
    (f"abs(integral(g(v), v, 0, oo)) <= {E_V}", "dominated('h')", "abs(f(v)) <= exp(-v)", E_V,
     False),
    (f"abs(integral(f(v), v, 0, oo)) <= {E_V}", "dominated('h')", "abs(f(a)) <= exp(-a)", E_V,
     False),  # at one number only
]  # fmt: skip


@pytest.mark.parametrize(("statement", "rule", "fact", "known", "accepted"), RULES)
def test_rules_about_integrals(
    statement: str, rule: str, fact: str, known: str, accepted: bool
) -> None:
    assert (failure(statement, rule, fact, known) == "") is accepted


# ---------------------------------------------------------------- in whole claims


def claim_failure(statement: str, *steps: str, given: str = "") -> str:
    listed = "".join(f"step({s}), " for s in steps)
    text = f"""{DECLARATIONS}
Claim(id="F6", source=paper("design", "F6"), words="none", result=PROVED,
      printed=proved(statement={statement}, steps=[{listed}], {given}))
"""
    return check_claim(ProofFile(text, "test").claim, lambda problem: "refuted").failure


def test_integrals_stand_only_where_they_were_shown_to_exist() -> None:
    bounded = "integral(f(v), v, 0, oo) <= integral(f(v), v, 0, oo) + 1"
    hypothesis = "given={'h': abs(f(v)) <= exp(-v)}, example=instance(f={'else': 0})"
    exists = (
        "'e', integral(exp(-v), v, 0, oo) == 1, antiderivative(-exp(-v))",
        "'f', abs(integral(f(v), v, 0, oo)) <= integral(exp(-v), v, 0, oo), dominated('h')",
    )
    last = f"'last', {bounded}, arithmetic()"
    assert claim_failure(bounded, *exists, last, given=hypothesis) == ""
    assert "has a value" in claim_failure(bounded, exists[0], last, given=hypothesis)
    assert "has a value" in claim_failure(bounded, exists[1], last, given=hypothesis)


def test_parts_of_an_integral_that_exists_exist() -> None:
    parts = "integral(exp(-v), v, 0, 1) + integral(exp(-v), v, 1, oo)"
    split = f"'s', integral(exp(-v), v, 0, oo) == {parts}, split_integral(1)"
    whole = "'e', integral(exp(-v), v, 0, oo) == 1, antiderivative(-exp(-v))"
    later = "'last', integral(exp(-v), v, 1, oo) <= integral(exp(-v), v, 1, oo) + 1, arithmetic()"
    statement = later.split(", ", 1)[1].rpartition(", ")[0]
    assert claim_failure(statement, whole, split, later) == ""
    assert "has a value" in claim_failure(statement, split, later)
    assert "has a value" in claim_failure(statement, later)


JUMP = "indicator(v)*indicator(-v)"
BOUNDED = [  # (integrand between finite ends, whether it is evidently bounded)
    ("exp(v)/(1 + v**2)", True),
    ("(1 + indicator(v))*log(1 + abs(v))", True),
    ("sqrt(abs(v) + indicator(v))", True),
    ("f(a)*v + 1/f(a)", True),
    ("total(f(x)*v, x)", True),
    ("integral(exp(-u*v), u, 0, v)", True),
    ("1/(1 + integral(indicator(a)*u, u, 0, 1))", True),
    ("f(v)", False), ("P(v)", False), ("v*exp(f(2*v))", False), ("total(f(x + v), x)", False),
    (f"1/(v + {JUMP})", False), (f"log(abs(v) + {JUMP})", False), (f"2**(v + {JUMP})", True),
    (f"(abs(v) + {JUMP})**(-1/2)", False), (f"(abs(v) + {JUMP})**a", False),
    (f"exp(1/(v + {JUMP}))", False), (f"normal_cdf(1/(v + {JUMP}))", False),
    (f"integral(u/(v + {JUMP}), u, 0, 1)", False),
    (f"integral(1/(u - v + {JUMP.replace('v', '(u - v)')}), u, 0, 1)", False),
    ("1/(v + integral(indicator(v - u), u, 0, 1))", False),  # in fact continuous
    ("integral(v*exp(-u*v**2), u, 0, oo)", False),
]  # fmt: skip


@pytest.mark.parametrize(("body", "bounded"), BOUNDED)
def test_integrals_between_finite_ends_that_may_not_exist(body: str, bounded: bool) -> None:
    area = FILE.expression(f"integral({body}, v, 0, 1)")
    assert may_be_unbounded(area) is not bounded
    assert (area in improper(area)) is not bounded


def test_a_step_that_fails_shows_no_existence() -> None:
    again = "integral(exp(v), v, 0, oo) == -1"
    assert "vanish" in claim_failure(again, f"'a', {again}, antiderivative(exp(v))")


@pytest.mark.parametrize("name", ["normal_cdf", "NormalCdf", "PI", "erfc", "derivative"])
def test_the_words_are_taken(name: str) -> None:
    with pytest.raises(InputError, match="cannot be a name"):
        FILE.expression(f"functions('{name}')")


def test_powers_of_functions_are_printed() -> None:
    text = latex(formula("normal_cdf(a)**2 + indicator(c)**3 == normal_pdf(y, m, a)**2"))
    assert r"\Phi\left(a\right)^{2}" in text
    assert r"[c\ge 0]^{3}" in text


def test_numbers_do_not_fold_what_they_cannot() -> None:
    one = Number.of_rational(1).normal_cdf()
    assert (one.fraction, one.linear, one.ratio) == (None, None, None)
    assert (one - one).sign() in (0, None)
    assert Number.of_rational(0).normal_cdf().fraction == Number.parse("1/2").fraction
    assert Number.of_rational(2).times_pi().fraction is None
    assert Number.of_rational(0).times_pi().sign() == 0
