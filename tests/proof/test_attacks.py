"""False statements that were once proved, or could be: each is refused, its true sibling accepted.

Every refused case stands next to one that differs only in what makes it false, so that a checker
that refuses everything fails here as well.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import sympy as sp

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.proof.alike import require_clear
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.claim import Claim
from pfverify.proof.heads import AtLeastZero, NormalCdf
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import Instance, truth
from pfverify.proof.normal import equal
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import Outcome, PartFails
from pfverify.proof.sampling import random_instance, random_point
from pfverify.proof.terms import (
    Connective,
    Constant,
    Predicate,
    exponential,
    mass_function,
    real_function,
    relation,
    terms_of,
)
from pfverify.proof.written import latex

F3B = Path(__file__).resolve().parents[2] / "proofs/design/F3b.py"
DECLARATIONS = """
theta, E = positive("theta E")
a, b, c, pi, p3 = constants("a b c pi p3")
y, v, u = variables("y v u")
x, z = indices("x z", "X")
w = indices("w", "W")
o, n, m = member("o n m", "X")
f, g = functions("f g")
P = masses("P")
gm = masses("g")
r, s = draws("r s", "L")
t = draws("t", "N")
of_P, of_X = draws("of_P", "P"), draws("of_X", "X")
h = functions("h")
low, high = 2, 5
A, B = problem({0: 1}, {1: 1}, epsilon=1, scale=1), problem({0: 1}, {1: 1}, epsilon=1, scale=1/2)
"""


def outcome(parts: str, result: str = "PROVED", examples: bool = True) -> Outcome:
    text = f"""{DECLARATIONS}
Claim(id="F1", source=paper("design", "F1"), words="none", result={result}, {parts})
"""
    return check_claim(ProofFile(text, "test").claim, kernel_word, examples=examples)


def proved(statement: str, *steps: str, rest: str = "") -> str:
    """A printed part; the last step is the statement, by the rule given last."""
    *before, rule = steps
    listed = "".join(f"step({s}), " for s in before)
    return (
        f"printed=proved(statement={statement}, "
        f"steps=[{listed}step('last', {statement}, {rule})], {rest})"
    )


ZERO, ZERO_2U = "indicator(v)*indicator(-v)", "indicator(2*u)*indicator(-2*u)"
POLE = f"((1 - {ZERO})/(v + {ZERO}))"
POLE_2U = f"((1 - {ZERO_2U})/(2*u + {ZERO_2U}))"
STEP = "((1 + indicator(v))/(1 + v**2))"

PAIRS = {
    # a fixed member is not every member, a constant or an index not every number
    "sum over a fixed member": (
        proved("total(f(x), x) <= 0", "integrate('h', x)",
               rest="given={'h': f(x) <= 0}, example=instance(X=[0], f={0: 0})"),
        proved("total(f(x), x) <= 0", "integrate('h', o)",
               rest="given={'h': f(o) <= 0}, example=instance(X=[0, 1], o=0, f={0: 0})"),
    ),
    "integral over an index": (
        proved("integral(a - v**2, v, 0, 1) <= 0",
               "'h', a - v**2 <= 0, arithmetic('g')", "integrate('h', v, between=(0, 1))",
               rest="given={'g': a <= 0}, example=instance(a=0)"),
        proved("integral(a - v**2, v, 0, 1) <= 0",
               "'h', a - x**2 <= 0, arithmetic('g')", "integrate('h', x, between=(0, 1))",
               rest="given={'g': a <= 0}, example=instance(a=0, X=[0])"),
    ),
    "integral over a constant": (
        proved("integral(v**2, v, 0, 1) <= integral(1, v, 0, 1)",
               "'p', implies(0 <= v and v <= 1, v**2 <= 1), arithmetic()",
               "integrate('p', v, between=(0, 1))"),
        proved("integral(v**2, v, 0, 1) <= integral(a, v, 0, 1)",
               "integrate('h', a, between=(0, 1))",
               rest="given={'h': a**2 <= a}, example=instance(a=0)"),
    ),
    "ends that move with the variable": (
        proved("integral(u**2, u, a, a) <= integral(1, u, a, a)",
               "'p', implies(a <= v and v <= a, v**2 <= 1), arithmetic('h')",
               "integrate('p', v, between=(a, a))",
               rest="given={'h': a == 0}, example=instance(a=0)"),
        proved("integral(u**2, u, v - v**2, v - v**2 + 1) "
               "<= integral(1, u, v - v**2, v - v**2 + 1)",
               "'p', implies(v - v**2 <= v and v <= v - v**2 + 1, v**2 <= 1), arithmetic()",
               "integrate('p', v, between=(v - v**2, v - v**2 + 1))"),
    ),
    # one name, two things
    "a weight of the same name": (
        proved("total(P(x)*f(x), x) <= total(P(x)*(f(x) + 1), x)",
               "'p', f(x) <= f(x) + 1, arithmetic()", "integrate('p', x, weight=P(x))"),
        proved("total(g(x)*f(x), x) <= total(g(x)*(f(x) + 1), x)",
               "'p', f(x) <= f(x) + 1, arithmetic()", "integrate('p', x, weight=gm(x))"),
    ),
    "two problems of one name": (
        proved("verdict('A', 'certified') and verdict('B', 'refuted')",
               "'p', verdict('A', 'certified'), certificate(A)",
               "'q', verdict('B', 'refuted'), certificate(B)", "arithmetic('p', 'q')"),
        proved("verdict('A', 'certified') and verdict('A', 'refuted')",
               "'p', verdict('A', 'certified'), certificate(A)",
               "'q', verdict('A', 'refuted'), certificate(B)", "arithmetic('p', 'q')"),
    ),
    "two problems of one name in two parts": (
        proved("verdict('A', 'certified')", "certificate(A)")
        + ", tighter=proved(statement=verdict('B', 'refuted'), "
          "steps=[step('last', verdict('B', 'refuted'), certificate(B))])",
        proved("verdict('A', 'certified')", "certificate(A)")
        + ", tighter=proved(statement=verdict('A', 'refuted'), "
          "steps=[step('last', verdict('A', 'refuted'), certificate(B))])",
    ),
    # definedness
    "a guard is about the free variable, not the bound one": (
        proved("implies(x != 0, f(x) / x <= f(x) / x + total(P(z), z))",
               "'p', 0 <= total(P(z), z), integrate('one', z)", "arithmetic('p')",
               rest="given={'one': 0 <= P(z)}, example=instance(X=[1], P={1: 1})"),
        proved("implies(x != 0, total(1/x, x) <= total(1/x, x) + 1)", "arithmetic()"),
    ),
    "a guard does not reach into an integral": (
        proved("implies(a > 0, integral(v/a, v, -1, 1) <= integral(v/a, v, -1, 1) + 1)",
               "arithmetic()"),
        proved("implies(v > 0, integral(1/v, v, -1, 1) <= integral(1/v, v, -1, 1) + 1)",
               "arithmetic()"),
    ),
    "a bound variable in a value": (
        proved("implies(o != 0, 1/o + 1 > 1/o)", "'p', v + 1 > v, arithmetic()",
               "arithmetic(use('p', {v: 1/o}))"),
        proved("implies(x != 0, total(1/x, x) + x + 1 > total(1/x, x) + x)",
               "'p', v + 1 > v, arithmetic()",
               "arithmetic(use('p', {v: total(1/x, x) + x}))"),
    ),
    "the statement has a meaning": (
        proved("a <= a + 1", "arithmetic()"),
        "printed=proved(statement=(a*b - a*c)/(b - c) <= a + 1, "
        "steps=[step('s', a <= a + 1, arithmetic())])",
    ),
    "a predicate of a quotient": (
        proved("rational(1/theta) and theta > 0", "arithmetic('h')",
               rest="given={'h': rational(1/theta)}, example=instance(theta=2)"),
        proved("rational(1/a) and theta > 0", "arithmetic('h')",
               rest="given={'h': rational(1/a)}, example=instance(a=2)"),
    ),
    "an integral without a value": (
        proved("integral(exp(-v), v, 0, oo) <= 2",
               "'p', integral(exp(-v), v, 0, oo) == 1, antiderivative(-exp(-v))",
               "arithmetic('p')"),
        proved("integral(exp(v), v, 0, oo) <= integral(exp(v), v, 0, oo) + 1", "arithmetic()"),
    ),
    # 1/v with another value at 0 is defined everywhere, but has no integral from 0 to 1
    "an integral that diverges at a finite end": (
        proved("integral(H(v), v, 1/2, 1) == integral(H(v), v, 1/2, 3/4)"
               " + integral(H(v), v, 3/4, 1)".replace("H(v)", STEP), "split_integral(3/4)"),
        proved("0*v == 1", *(text.replace("H(v)", POLE).replace("H(2u)", POLE_2U) for text in (
            "'split', integral(H(v), v, 0, 1) == integral(H(v), v, 0, 1/2)"
            " + integral(H(v), v, 1/2, 1), split_integral(1/2)",
            "'moved', integral(H(v), v, 0, 1) == integral(2*H(2u), u, 0, 1/2), "
            "change_variable(2, 0)",
            "'scale', 2*H(2u) == at(H(v), {v: u}), arithmetic()",
            "'same', integral(2*H(2u), u, 0, 1/2) == integral(at(H(v), {v: u}), u, 0, 1/2), "
            "integrate('scale', u, between=(0, 1/2))",
            "'low', implies(1/2 <= v and v <= 1, 1 <= H(v)), arithmetic()",
            "'top', integral(0*v + 1, v, 1/2, 1) <= integral(H(v), v, 1/2, 1), "
            "integrate('low', v, between=(1/2, 1))",
            "'one', integral(0*v + 1, v, 1/2, 1) == 1/2, antiderivative(v)")),
            "arithmetic('split', 'moved', 'same', 'top', 'one')"),
    ),
    "a function of which nothing bounds the integral": (  # f(v) = 1/v, a = 1
        proved("abs(integral(f(v), v, 0, 1)) <= 1",
               "'one', integral(0*v + 1, v, 0, 1) == 1, antiderivative(v)",
               "'f', abs(integral(f(v), v, 0, 1)) <= integral(0*v + 1, v, 0, 1), dominated('h')",
               "arithmetic('f', 'one')",
               rest="given={'h': abs(f(v)) <= 1}, example=instance(f={'else': 0})"),
        proved("a == 0",
               "'split', integral(a*f(v), v, 0, 1) == integral(a*f(v), v, 0, 1/2)"
               " + integral(a*f(v), v, 1/2, 1), split_integral(1/2)",
               "'moved', integral(a*f(v), v, 0, 1) == integral(2*a*f(2*u), u, 0, 1/2), "
               "change_variable(2, 0)",
               "'scale', 2*a*f(2*u) == a*f(u), arithmetic(use('k', {v: u}))",
               "'same', integral(2*a*f(2*u), u, 0, 1/2) == integral(a*f(u), u, 0, 1/2), "
               "integrate('scale', u, between=(0, 1/2))",
               "'low', implies(1/2 <= v and v <= 1, a**2 <= a*a*f(v)), arithmetic('h')",
               "'top', integral(a*a, v, 1/2, 1) <= integral(a*a*f(v), v, 1/2, 1), "
               "integrate('low', v, between=(1/2, 1))",
               "'one', integral(a*a, v, 1/2, 1) == a*a/2, antiderivative(a*a*v)",
               "arithmetic('split', 'moved', 'same', 'top', 'one')",
               rest="given={'h': implies(v != 0, a*f(v)*v == a), 'k': 2*a*f(2*v) == a*f(v)}, "
                    "example=instance(a=0, f={'else': 0})"),
    ),
    "a part of an integral is inside the whole": (  # f may be unbounded beyond a
        proved("integral(f(v), v, -a, a) == integral(f(v), v, -a, 0) + integral(f(v), v, 0, a)",
               "'one', integral(0*v + 1, v, -a, a) == 2*a, antiderivative(v)",
               "'f', abs(integral(f(v), v, -a, a)) <= integral(0*v + 1, v, -a, a), "
               "dominated('h', ['a'])", "split_integral(0, ['a'])",
               rest="given={'h': implies(-a <= v and v <= a, abs(f(v)) <= 1), 'a': 0 <= a}, "
                    "example=instance(a=1, f={'else': 0})"),
        proved("integral(f(v), v, -a, a) == integral(f(v), v, -a, b) + integral(f(v), v, b, a)",
               "'one', integral(0*v + 1, v, -a, a) == 2*a, antiderivative(v)",
               "'f', abs(integral(f(v), v, -a, a)) <= integral(0*v + 1, v, -a, a), "
               "dominated('h', ['a'])", "split_integral(b, ['a'])",
               rest="given={'h': implies(-a <= v and v <= a, abs(f(v)) <= 1), 'a': 0 <= a}, "
                    "example=instance(a=1, b=2, f={'else': 0})"),
    ),
    "an integral that exists at one place": (
        proved("integral(exp(-u), u, a, oo) <= integral(exp(-u), u, a, oo) + 1",
               "'one', integral(exp(-u), u, v, oo) == exp(-v), antiderivative(-exp(-u))",
               "arithmetic()"),
        proved("integral(exp(-v*u), u, 0, oo) <= integral(exp(-v*u), u, 0, oo) + 1",
               "'one', integral(exp(-a*u), u, 0, oo) == 1/a, antiderivative(-exp(-a*u)/a, ['h'])",
               "arithmetic()", rest="given={'h': a > 0}, example=instance(a=1)"),
    ),
    "a standard deviation is positive": (
        proved("0 < normal_pdf(y, a, b)", "arithmetic('h')",
               rest="given={'h': b > 0}, example=instance(b=1)"),
        proved("implies(b < 0, normal_pdf(y, a, b) < 0)", "arithmetic()"),
    ),
    "a deviation that was put in later is positive": (
        proved("at(normal_cdf(y, a, b), {b: theta}) < 1", "arithmetic()"),
        proved("at(normal_cdf(y, a, theta), {theta: b}) < 1", "arithmetic('h')",
               rest="given={'h': b != 0}, example=instance(b=-1)"),
    ),
    # what is printed alike is one thing
    "the number pi and a constant of that name": (
        proved("p3 <= PI", "arithmetic('h')", rest="given={'h': p3 <= 3}, example=instance(p3=0)"),
        proved("pi <= PI", "arithmetic('h')", rest="given={'h': pi <= 3}, example=instance(pi=0)"),
    ),
    "the number e and a constant of that name": (
        proved("a <= exp(1)", "'e', exp(1) > 2, enclosure()", "arithmetic('h', 'e')",
               rest="given={'h': a <= 2}, example=instance(a=0)"),
        proved("E <= exp(1)", "'e', exp(1) > 2, enclosure()", "arithmetic('h', 'e')",
               rest="given={'h': E <= 2}, example=instance(E=1)"),
    ),
    # hypotheses
    "hypotheses hold for every number, not at five": (
        proved("a <= 1", "arithmetic(use('h', {v: 0}))",
               rest="given={'h': v**2 + 1 >= v + a}, example=instance(a=0)"),
        proved("a <= 1", "arithmetic(use('h', {v: 5}))",
               rest="given={'h': v != 5}, example=instance(a=0)"),
    ),
    "hypotheses about functions hold for every number": (
        proved("f(5) <= 0", "arithmetic(use('h', {v: 5}))",
               rest="given={'h': f(v) <= 0, 'k': f(5) < 1}, "
                    "example=instance(f={5: -1, 'else': 0})"),
        proved("a <= 1", "arithmetic(use('h', {v: 5}), 'k')",
               rest="given={'h': f(v) <= 0, 'k': f(5) > 0}, "
                    "example=instance(a=0, f={5: 1, 'else': 0})"),
    ),
    "data against the example": (
        proved("theta <= 2", "'p', theta == 1, finite()", "arithmetic('p', 'h')",
               rest="given={'h': theta <= 1}, example=instance(theta=1), data=instance(theta=1)"),
        proved("theta <= 2", "'p', theta == 1, finite()", "arithmetic('p', 'h')",
               rest="given={'h': theta == 2}, example=instance(theta=2), data=instance(theta=1)"),
    ),
    # the theorem is about different exponents of one sum
    "exponents that differ": (
        proved("implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0)",
               "cite('Lindemann-Weierstrass', 'c', 'r', 'apart', c=f, r=g, k=x, l=z)",
               rest="given={'c': rational(f(x)), 'r': rational(g(x)), 'apart': "
                    "implies(x != z, g(x) != g(z))}, "
                    "example=instance(X=[0, 1], f={'else': 0}, g={0: 1, 1: 0})"),
        proved("implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0)",
               "'apart', implies(x != x, g(x) != g(x)), arithmetic()",
               "cite('Lindemann-Weierstrass', 'c', 'r', 'apart', c=f, r=g, k=x, l=x)",
               rest="given={'c': rational(f(x)), 'r': rational(g(x))}, "
                    "example=instance(X=[0, 1], f={'else': 0}, g={0: 1, 1: 0})"),
    ),
    # with masses e/(1 + e) and 1/(1 + e): e/(1 + e) - e/(1 + e) = 0
    "the theorem is about sums, not about means": (
        proved("implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0)",
               "cite('Lindemann-Weierstrass', 'c', 'r', 'apart', c=f, r=g, k=x, l=z)",
               rest="given={'c': rational(f(x)), 'r': rational(g(x)), 'apart': "
                    "implies(x != z, g(x) != g(z))}, "
                    "example=instance(X=[0, 1], f={'else': 0}, g={0: 1, 1: 0})"),
        proved("implies(mean(f(r)*exp(g(r)), r) == 0, f(r) == 0)",
               "cite('Lindemann-Weierstrass', 'c', 'r', 'apart', c=f, r=g, k=r, l=s)",
               rest="given={'c': rational(f(r)), 'r': rational(g(r)), 'apart': "
                    "implies(r != s, g(r) != g(s)), 'i': integrable(f(r)*exp(g(r)), r)}, "
                    "example=instance(L=law({0: 1/2, 1: 1/2}), f={'else': 0}, g={0: 1, 1: 0})"),
    ),
    # data are as declared, where a weight of an inner sum is the only one to use a symbol
    "a positive constant of an inner sum": (
        proved("total(h(x, w), x, w) <= 0", "termwise(termwise(finite(), x, weight=theta), w)",
               rest="data=instance(X=[0], W=[0], h={(0, 0): -1}, theta=1)"),
        proved("total(h(x, w), x, w) <= 0", "termwise(termwise(finite(), x, weight=theta), w)",
               rest="data=instance(X=[0], W=[0], h={(0, 0): 1}, theta=-1)"),
    ),
    "a mass that is negative where a table has no row": (
        proved("P(1) == 1", "finite()", rest="data=instance(P={0: 0, 'else': 1})"),
        proved("P(1) == -1", "finite()", rest="data=instance(P={0: 0, 'else': -1})"),
    ),
    "a guard is met at a member of the domain": (
        proved("implies(x > 5, a <= x)", "arithmetic('h')", rest=(
            "given={'h': a <= x}, example=instance(X=[0, 9], a=0), meets={x: 9}")),
        proved("implies(x > 5, a < a)", "arithmetic('h')", rest=(
            "given={'h': x <= 5}, example=instance(X=[0], a=0), meets={x: 9}")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_the_true_sibling_is_proved_and_the_false_one_is_not(name: str) -> None:
    true, false = PAIRS[name]
    assert outcome(true).failure == ""
    assert outcome(false).failure


def along_a_chain(
    *, given: str = "'h': f(o) <= 0, 'up': implies(x != o, f(x) <= f(x - 1) + 1)",
    base: str = "", step: str = "arithmetic('before', 'not first', use('up', {x: m}))",
    shown: str = "f(x) <= x - o", members: str = "[0, 1, 2]", values: str = "",
    table: str = "{0: 0, 1: 0, 2: 1}", size: str = "1", last: str = "", rest: str = "",
    formula: str = "",
) -> str:  # fmt: skip
    """f(x) <= x - o (or what is `shown`) by induction over x."""
    formula = formula or shown.replace("f(x)", "f(u)").replace("x - o", "u - o")
    base = base or f"'base', at({formula}, {{u: o}}), arithmetic('h')"
    rule = (f"induction('chain', 'base', x, {formula}, u, m, "
            f"[step('to m', at({formula}, {{u: m}}), {step})])")
    table = table.replace("}", ", 'else': -9}")
    return proved(
        last or shown, base, f"'all', {shown}, {rule}",
        "arithmetic('to m')" if last else "arithmetic('all')",
        rest=f"given={{'chain': is_chain([x, z], [o, n], {size}), {given}}}, "
             f"example=instance(X={members}, W=[0, 1], o={members[1]}, n=2, f={table}, "
             f"g={{0: 0, 1: -1}}, {values}), {rest}",
    )  # fmt: skip


INDUCTION = {  # the change that makes it false, and what notices
    "the first member": (
        {"base": "'base', f(n) <= n - o, arithmetic('h')", "given": "'h': f(n) <= n - o",
         "table": "{0: 5, 1: 6, 2: 2}"}, "the base must be"),
    "a first member that is another": (
        {"base": "'base', f(m) <= m - o, arithmetic('h')", "given": "'h': f(m) <= m - o",
         "values": "m=2", "table": "{0: 5, 1: 6, 2: 2}"}, "it is to be any member"),
    "any member": (
        {"given": "'h': f(o) <= 0, 'm': f(m) <= f(m - 1) + 1", "values": "m=1",
         "step": "arithmetic('m', 'before')", "table": "{0: 0, 1: 1, 2: 9}"},
        "it is to be any member"),
    "every member": (
        {"given": "'h': f(o) <= 0, 'up': implies(x == n, f(x) <= f(x - 1) + 1)",
         "table": "{0: 0, 1: 9, 2: 10}"}, "does not follow"),
    "the member before, not another one": (
        {"step": "arithmetic(use('before', {x: m}))"}, "x is no free variable"),
    "members only": ({"shown": "f(v) <= v - o", "formula": "f(u) <= u - o"}, "the induction shows"),
    "a chain": (
        {"members": "[0, 2]", "table": "{0: 0, 1: 8, 2: 9}"}, "'chain' does not hold"),
    "the step of the chain": (
        {"size": "2", "members": "[0, 2]", "table": "{0: 0, 1: 8, 2: 9}"}, "does not follow"),
    "the other variables": (
        {"shown": "f(x) + g(w) <= x - o + g(p3)", "values": "p3=0"}, "does not follow"),
    "nothing about its member later": ({"last": "f(m) <= f(m - 1) + 1"}, "no earlier fact 'to m'"),
    "nothing of its member's value": (
        {"rest": "data=instance(X=[0, 1], o=0, m=0, f={0: 0, 1: 9})", "members": "[0, 1]",
         "step": "finite()", "table": "{0: 0, 1: 9}"}, "no data"),
    "nothing of itself": ({"step": "arithmetic('all')"}, "no earlier fact 'all'"),
}  # fmt: skip


@pytest.mark.parametrize("name", INDUCTION)
def test_an_induction_needs(name: str) -> None:
    change, why = INDUCTION[name]
    assert outcome(along_a_chain()).failure == ""
    assert outcome(along_a_chain(shown="f(x) + g(w) <= x - o + g(w)")).failure == ""
    assert why in outcome(along_a_chain(**change), examples=False).failure


@pytest.mark.parametrize(
    ("domain", "accepted"), [("z", True), ("w", False), ("o", False)]
)
def test_the_citation_needs_two_indices_over_one_domain(domain: str, accepted: bool) -> None:
    part = proved(
        "implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0)",
        f"cite('Lindemann-Weierstrass', 'c', 'r', 'apart', c=f, r=g, k=x, l={domain})",
        rest="given={'c': rational(f(x)), 'r': rational(g(x)), 'apart': "
             f"implies(x != {domain}, g(x) != g({domain}))}}, "
             "example=instance(X=[0], W=[1], o=0, f={'else': 0}, g={0: 1, 'else': 0})",
    )  # fmt: skip
    failure = outcome(part).failure
    assert failure == "" if accepted else "two indices over one domain" in failure


COIN = "law({-1: 1/2, 1: 1/2})"
MEANS = {  # each law may be any probability measure on the line
    "a mean that may be infinite": (
        proved("mean(r, r) <= mean(r, r) + 1", "arithmetic()",
               rest=f"given={{'h': integrable(r, r)}}, example=instance(L={COIN})"),
        proved("mean(r, r) <= mean(r, r) + 1", "arithmetic()"),
    ),
    "a function bounded on one side": (
        proved("mean(f(r), r) <= 1", "'one', f(r) <= 1, arithmetic('h')", "integrate('one', r)",
               rest=f"given={{'h': abs(f(r)) <= 1}}, example=instance(L={COIN}, f={{'else': 0}})"),
        proved("mean(f(r), r) <= 1", "integrate('h', r)",
               rest=f"given={{'h': f(r) <= 1}}, example=instance(L={COIN}, f={{'else': 0}})"),
    ),
    "a bound that holds for another law": (
        proved("mean(P(r), r) <= 1", "integrate('h', r)",
               rest=f"given={{'h': P(r) <= 1}}, example=instance(L={COIN}, P={{}})"),
        proved("mean(P(r), r) <= mean(P(r), r) + 1", "arithmetic()",
               rest=f"given={{'h': P(t) <= 1}}, example=instance(N={COIN}, L={COIN}, P={{}})"),
    ),
    "a bound that moves with the draw": (
        proved("mean(P(r), r) <= a", "integrate(use('h', {v: r}), r)",
               rest=f"given={{'h': P(v) <= a}}, example=instance(L={COIN}, a=0, P={{}})"),
        proved("mean(P(r), r) <= mean(P(r), r) + 1", "arithmetic()",
               rest=f"given={{'h': P(r) <= f(r)}}, "
                    f"example=instance(L={COIN}, P={{}}, f={{'else': 0}})"),
    ),
    "a kernel that grows": (
        proved("mean(exp(-abs(r - v)/theta), r) <= 1",
               "'one', exp(-abs(r - v)/theta) <= 1, arithmetic()", "integrate('one', r)"),
        proved("mean(exp(abs(r - v)/theta), r) >= 1",
               "'one', exp(abs(r - v)/theta) >= 1, arithmetic()", "integrate('one', r)"),
    ),
    "a rate of unknown sign": (
        proved("mean(exp(-theta*abs(r)), r) <= mean(exp(-theta*abs(r)), r) + 1", "arithmetic()"),
        proved("mean(exp(-a*abs(r)), r) <= mean(exp(-a*abs(r)), r) + 1", "arithmetic()"),
    ),
    "a mean of a sum of what has none": (
        proved("mean(f(r) - g(r), r) == mean(f(r), r) - mean(g(r), r)", "identity()",
               rest="given={'f': integrable(f(r), r), 'g': integrable(g(r), r)}, "
                    f"example=instance(L={COIN}, f={{'else': 0}}, g={{'else': 0}})"),
        proved("mean(f(r) - g(r), r) == mean(f(r), r) - mean(g(r), r)", "identity()",
               rest="given={'f': integrable(f(r) - g(r), r)}, "
                    f"example=instance(L={COIN}, f={{'else': 0}}, g={{'else': 0}})"),
    ),
    "0 times what has no mean": (
        proved("mean(f(r), r) <= mean(f(r), r) + 1", "arithmetic()",
               rest=f"given={{'h': integrable(2*f(r), r)}}, "
                    f"example=instance(L={COIN}, f={{'else': 0}})"),
        proved("mean(f(r), r) <= mean(f(r), r) + 1", "arithmetic()",
               rest=f"given={{'h': integrable(a*f(r), r)}}, "
                    f"example=instance(a=0, L={COIN}, f={{'else': 0}})"),
    ),
    "the order of two means": (
        proved("mean(mean(h(r, t), r), t) == mean(mean(h(r, t), t), r)", "identity()",
               rest="given={'r': integrable(h(r, t), r), 't': integrable(h(r, t), t), "
                    "'h': integrable(h(r, t), r, t)}, "
                    f"example=instance(L={COIN}, N={COIN}, h={{(1, 1): 1, 'else': 0}})"),
        proved("mean(mean(h(r, t), r), t) == mean(mean(h(r, t), t), r)", "identity()",
               rest="given={'r': integrable(h(r, t), r), 't': integrable(h(r, t), t)}, "
                    f"example=instance(L={COIN}, N={COIN}, h={{(1, 1): 1, 'else': 0}})"),
    ),
    "a mean that exists at one place": (
        proved("mean(h(r, a), r) <= mean(h(r, a), r) + 1", "arithmetic()",
               rest="given={'h': integrable(h(r, a), r)}, "
                    f"example=instance(a=1, L={COIN}, h={{(1, 1): 1, 'else': 0}})"),
        proved("mean(h(r, v), r) <= mean(h(r, v), r) + 1", "arithmetic()",
               rest=f"given={{'h': integrable(h(r, a), r)}}, "
                    f"example=instance(a=1, L={COIN}, h={{(1, 1): 1, 'else': 0}})"),
    ),
    "a law has mass 1, a domain has not": (
        proved("mean(a + 0*r, r) == a", "identity()"),
        proved("total(a + 0*x, x) == a", "identity()"),
    ),
    "the mean of a square": (
        proved("mean(indicator(r - a)*indicator(s - a), r, s) == mean(indicator(r - a), r)**2",
               "identity()"),
        proved("mean(indicator(r - a)*(2 - indicator(r - a)), r) == "
               "mean(indicator(r - a), r)*mean(2 - indicator(r - a), r)", "identity()"),
    ),
    "two laws": (
        proved("mean(indicator(r), r) == mean(indicator(s), s)", "identity()"),
        proved("mean(indicator(r), r) == mean(indicator(t), t)", "identity()"),
    ),
    "capture of a draw": (
        proved("at(mean(indicator(r - v), r), {v: s}) == mean(indicator(r - s), r)", "identity()"),
        proved("at(mean(indicator(r - v), r), {v: r}) == mean(indicator(r - r), r)", "identity()"),
    ),
    "a factor that is drawn": (
        proved("mean(indicator(r)*indicator(s), s) == indicator(r)*mean(indicator(s), s)",
               "identity()"),
        proved("mean(indicator(r)*indicator(s), r) == indicator(r)*mean(indicator(s), s)",
               "identity()"),
    ),
    "a mean is not its term": (
        proved("mean(indicator(r), r) <= 1", "'p', indicator(r) <= 1, arithmetic()",
               "integrate('p', r)"),
        proved("mean(indicator(r), r) <= indicator(r)", "arithmetic()"),
    ),
    "a weight of any sign": (
        proved("mean(theta*indicator(r), r) <= theta", "'p', indicator(r) <= 1, arithmetic()",
               "integrate('p', r, weight=theta)"),
        proved("mean(a*indicator(r), r) <= a", "'p', indicator(r) <= 1, arithmetic()",
               "integrate('p', r, weight=a)"),
    ),
    "a bound at the members of a domain": (
        proved("total(indicator(x), x) <= total(1, x)", "'p', indicator(x) <= 1, arithmetic()",
               "integrate('p', x)"),
        proved("mean(indicator(r - 3), r) <= 0", "integrate('h', r)",
               rest="given={'h': indicator(x - 3) <= 0}, "
                    f"example=instance(X=[0], L={COIN})"),
    ),
    "a guard on the draw": (
        proved("implies(a >= 0, mean(a*indicator(r), r) <= a)",
               "'p', implies(a >= 0, a*indicator(r) <= a), arithmetic()", "integrate('p', r)"),
        proved("implies(r >= 0, mean(1 - indicator(s), s) <= 0)",
               "'p', implies(r >= 0, 1 - indicator(r) <= 0), arithmetic()", "integrate('p', r)"),
    ),
    "one value of a law is no term of its mean": (
        proved("P(z) <= total(P(x), x)", "'p', 0 <= P(x), arithmetic()", "one_term('p', {x: z})"),
        proved("indicator(s) <= mean(indicator(r), r)", "'p', 0 <= indicator(r), arithmetic()",
               "one_term('p', {r: s})"),
    ),
    "a law is no domain with one member": (
        proved("total(f(x), x) == f(o)", "single('h', x)",
               rest="given={'h': implies(x != o, f(x) == 0)}, "
                    "example=instance(X=[0], o=0, f={'else': 0})"),
        proved("mean(f(r), r) == f(s)", "single('h', r)",
               rest="given={'h': implies(r != s, f(r) == 0), 'b': abs(f(r)) <= 1}, "
                    "example=instance(L=law({0: 1}), f={'else': 0})"),
    ),
    "a law and a mass of one name": (
        proved("mean(indicator(r), r) <= 1 + P(v)",
               "'p', indicator(r) <= 1 + P(v), arithmetic()", "integrate('p', r)"),
        proved("mean(indicator(of_P), of_P) <= 1 + P(v)",
               "'p', indicator(of_P) <= 1 + P(v), arithmetic()", "integrate('p', of_P)"),
    ),
    "a law and a domain of one name": (
        proved("mean(indicator(r), r) <= 1 + x**2",
               "'p', indicator(r) <= 1 + x**2, arithmetic()", "integrate('p', r)"),
        proved("mean(indicator(of_X), of_X) <= 1 + x**2",
               "'p', indicator(of_X) <= 1 + x**2, arithmetic()", "integrate('p', of_X)"),
    ),
    "hypotheses about a law need one": (
        proved("mean(indicator(r), r) <= a + 1", "arithmetic('h')", rest=(
            f"given={{'h': mean(indicator(r), r) == a}}, example=instance(L={COIN}, a=1/2)")),
        proved("mean(indicator(r), r) <= a + 1", "arithmetic('h')",
               rest="given={'h': mean(indicator(r), r) == a}, example=instance(a=1/2)"),
    ),
    "means are not bounded by a mean that is infinite": (
        proved("abs(mean(f(r), r)) <= mean(g(r), r)", "dominated('h')",
               rest="given={'h': abs(f(r)) <= g(r), 'g': integrable(g(r), r)}, "
                    f"example=instance(L={COIN}, f={{'else': 0}}, g={{'else': 0}})"),
        proved("abs(mean(f(r), r)) <= mean(g(r), r)", "dominated('h')",
               rest="given={'h': abs(f(r)) <= g(r)}, "
                    f"example=instance(L={COIN}, f={{'else': 0}}, g={{'else': 0}})"),
    ),
    "an integral of a mean": (
        proved("integral(mean(exp(-abs(r))*exp(-v), r), v, 0, oo)"
               " == mean(integral(exp(-abs(r))*exp(-v), v, 0, oo), r)",
               "'p', implies(0 <= v, 0 <= exp(-abs(r))*exp(-v)), arithmetic()",
               "'one', integral(exp(-abs(r))*exp(-v), v, 0, oo) == exp(-abs(r)), "
               "antiderivative(-exp(-abs(r))*exp(-v))",
               "'small', abs(integral(exp(-abs(r))*exp(-v), v, 0, oo)) <= 1, arithmetic('one')",
               "'mean', abs(mean(integral(exp(-abs(r))*exp(-v), v, 0, oo), r)) <= mean(1, r), "
               "dominated('small')", "tonelli('p')"),
        proved("integral(mean(exp(-abs(r - v)), r), v, 0, 1) <= 1 + "
               "integral(mean(exp(-abs(r - v)), r), v, 0, 1)", "arithmetic()"),
    ),
    "integral and mean of what has a sign": (
        proved("integral(mean(P(r)*exp(-v), r), v, 0, oo)"
               " == mean(integral(P(r)*exp(-v), v, 0, oo), r)",
               "'p', implies(0 <= v, 0 <= P(r)*exp(-v)), arithmetic()",
               "'one', integral(P(r)*exp(-v), v, 0, oo) == P(r), antiderivative(-P(r)*exp(-v))",
               "'small', abs(integral(P(r)*exp(-v), v, 0, oo)) <= 1, arithmetic('one', 'h')",
               "'mean', abs(mean(integral(P(r)*exp(-v), v, 0, oo), r)) <= mean(1, r), "
               "dominated('small')", "tonelli('p')",
               rest=f"given={{'h': P(r) <= 1}}, example=instance(L={COIN}, P={{}})"),
        proved("integral(mean(f(r)*exp(-v), r), v, 0, oo)"
               " == mean(integral(f(r)*exp(-v), v, 0, oo), r)",
               "'p', implies(0 <= v, 0 <= f(r)**2*exp(-v)), arithmetic()",
               "'one', integral(f(r)*exp(-v), v, 0, oo) == f(r), antiderivative(-f(r)*exp(-v))",
               "'small', abs(integral(f(r)*exp(-v), v, 0, oo)) <= 1, arithmetic('one', 'h')",
               "'mean', abs(mean(integral(f(r)*exp(-v), v, 0, oo), r)) <= mean(1, r), "
               "dominated('small')", "tonelli('p')",
               rest=f"given={{'h': abs(f(r)) <= 1}}, example=instance(L={COIN}, f={{'else': 0}})"),
    ),
}


@pytest.mark.parametrize("name", MEANS)
def test_what_is_false_of_means_is_refused(name: str) -> None:
    true, false = MEANS[name]
    assert outcome(true).failure == ""
    assert outcome(false).failure


TERMS = {  # each relation of sums is read off term by term
    "a weight of unknown sign": (
        proved("total(theta*f(x), x) <= total(theta*g(x), x)",
               "termwise(arithmetic('h'), x, weight=theta)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(a=1, theta=1, X=[0], f={0: 0}, g={0: 1})"),
        proved("total(a*f(x), x) <= total(a*g(x), x)",
               "termwise(arithmetic('h'), x, weight=a)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(a=1, theta=1, X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a weight that is declared negative": (
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=theta)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], theta=1, f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=-theta)",
               rest="given={'h': g(x) <= f(x)}, "
                    "example=instance(X=[0], theta=1, f={0: 0}, g={0: 0})"),
    ),
    "a weight that may be 0": (
        proved("total(P(x)*f(x), x) <= total(P(x)*g(x), x)",
               "termwise(arithmetic('h'), x, weight=P(x))",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], P={0: 1}, f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=P(x))",
               rest="given={'h': implies(P(x) > 0, f(x) <= g(x))}, "
                    "example=instance(X=[0], P={0: 1}, f={0: 0}, g={0: 1})"),
    ),
    "a weight that is 0": (
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=1)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= 0",
               "termwise(arithmetic(), x, weight=0)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a weight without a value at a member": (
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=exp(x))",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, weight=1/x)",
               rest="given={'h': x*f(x) <= x*g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a weight of any number": (
        proved("total(v**2*f(x), x) <= total(v**2*g(x), x)",
               "termwise(arithmetic('h'), x, weight=v**2)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(v*f(x), x) <= total(v*g(x), x)",
               "termwise(arithmetic('h'), x, weight=v)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a guard about each term": (
        proved("implies(a >= 0, total(f(x), x) <= 0)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': implies(a >= 0, f(x) <= 0)}, "
                    "example=instance(a=0, X=[0], f={0: 0})"),
        proved("implies(z >= 0, total(f(x), x) <= 0)",
               "termwise(arithmetic(use('h', {x: z})), x)",
               rest="given={'h': implies(x >= 0, f(x) <= 0)}, "
                    "example=instance(a=0, X=[0], f={0: 0})"),
    ),
    "a sum over an index twice": (
        proved("total(f(x), x, x) <= total(g(x), x, x)",
               "termwise(termwise(arithmetic('h'), x), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x, x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a sum inside a sum over the same index": (
        proved("total(total(f(x), x), x) <= total(total(g(x), x), x)",
               "termwise(termwise(arithmetic('h'), x), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(total(f(x), x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a factor that is a sum over the same index": (
        proved("total(f(x) + P(x)*total(P(z), z), x) <= total(g(x) + P(x)*total(P(z), z), x)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], P={0: 1}, f={0: 0}, g={0: 1})"),
        proved("total(P(x)*total(P(x), x), x) <= total(P(x)*P(x), x)",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], P={0: 1}, f={0: 0}, g={0: 1})"),
    ),
    "a term that is not summed": (
        proved("total(a, x) <= total(a + g(x)**2, x)",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(a=0, X=[0], f={0: 0}, g={0: 1})"),
        proved("a <= total(a, x)",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(a=0, X=[0], f={0: 0}, g={0: 1})"),
    ),
    "an exponential of a sum": (
        proved("total(exp(f(x)), x) <= total(exp(g(x)), x)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(exp(f(x)), x) <= exp(total(f(x), x))",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "the absolute value of a sum": (
        proved("total(f(x), x) <= total(abs(f(x)), x)",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(abs(f(x)), x) <= abs(total(f(x), x))",
               "termwise(arithmetic(), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a square of a mean": (
        proved("mean(indicator(r), r, s) <= 1",
               "termwise(arithmetic(), r, s)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
        proved("mean(indicator(r)**2, r) == mean(indicator(r), r)**2",
               "termwise(identity(), r)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
    ),
    "the mass of a law and of a domain": (
        proved("mean(a*indicator(r)**2, r) <= a",
               "termwise(arithmetic('h'), r)",
               rest="given={'h': 0 <= a}, "
                    "example=instance(a=0)"),
        proved("mean(a, r) <= total(a, x)",
               "termwise(arithmetic(), x)",
               rest="given={'h': 0 <= a}, "
                    "example=instance(a=0)"),
    ),
    "two laws": (
        proved("mean(indicator(r), r) <= mean(indicator(s) + 1, s)",
               "termwise(arithmetic(), r, s)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
        proved("mean(indicator(r), r) <= mean(indicator(t), t)",
               "termwise(arithmetic(), r, t)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
    ),
    "two domains": (
        proved("total(P(x)*P(w), x, w) <= total(2*P(x)*P(w), x, w)",
               "termwise(arithmetic(), x, w)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
        proved("total(1 + 0*w, w) <= total(1 + 0*x, x)",
               "termwise(arithmetic(), w, x)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
    ),
    "the mean of what is not bounded": (
        proved("mean(indicator(r), r) <= 1",
               "termwise(arithmetic(), r)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
        proved("mean(r**2*indicator(r), r) <= mean(r**2, r)",
               "termwise(arithmetic(), r, weight=r**2)",
               rest="given={'h': a <= 1}, "
                    "example=instance(a=0)"),
    ),
    "the terms of another sum": (
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(termwise(arithmetic('each term'), w), x)",
               rest="given={'h': f(x) <= g(x)}, "
                    "example=instance(X=[0], f={0: 0}, g={0: 1})"),
    ),
    "a sum under a guard that is dropped": (
        proved("implies(a > 0, total(f(x), x) <= total(g(x), x))",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': implies(a > 0, f(x) <= g(x))}, "
                    "example=instance(a=1, X=[0], f={0: 0}, g={0: 1})"),
        proved("total(f(x), x) <= total(g(x), x)",
               "termwise(arithmetic('h'), x)",
               rest="given={'h': implies(a > 0, f(x) <= g(x))}, "
                    "example=instance(a=1, X=[0], f={0: 0}, g={0: 1})"),
    ),
}


@pytest.mark.parametrize("name", TERMS)
def test_what_is_false_of_sums_is_not_shown_by_their_terms(name: str) -> None:
    true, false = TERMS[name]
    assert outcome(true).failure == ""
    assert outcome(false, examples=False).failed_step == "last"


@pytest.mark.parametrize(
    ("hypothesis", "step"),
    [
        ("coefficients", "algebraic"), ("powers", "algebraic"), ("primes", "algebraic"),
        ("exponents", "groups"), ("collected", "groups"),
        ("reduced", "in a group"), ("other radicals", "in a group"),
    ],
)  # fmt: skip
def test_a_citation_needs_its_premises(hypothesis: str, step: str) -> None:
    claim = broken(F3B, f"drop {hypothesis}")
    assert check_claim(claim, kernel_word, examples=False).failed_step == step


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("primes = b >= 1", "the theorem needs: b is prime"),
        ("reduced = 0 <= s(k, b) and s(k, b) <= 1", "the theorem needs"),  # 1, 2^1
        ("radical = exp(total(s(k, b) * b, b))", "the theorem says"),
    ],
)
def test_a_citation_needs_no_less(change: str, why: str) -> None:
    assert why in check_claim(broken(F3B, change), kernel_word, examples=False).failure


@pytest.mark.parametrize(
    ("name", "number", "answer"),
    [
        ("prime", 2, Answer.YES), ("prime", 4, Answer.NO), ("prime", -2, Answer.NO),
        ("prime", sp.Rational(5, 2), Answer.NO), ("prime", sp.sqrt(2), Answer.UNKNOWN),
        ("algebraic", sp.Rational(5, 2), Answer.YES), ("algebraic", sp.exp(1), Answer.UNKNOWN),
    ],
)  # fmt: skip
def test_what_a_number_is_called(name: str, number: sp.Expr, answer: Answer) -> None:
    assert truth(Predicate(name, sp.sympify(number)), Instance()) is answer
    with pytest.raises(NoMeaning):
        truth(Predicate("nice", sp.Integer(2)), Instance())


REFUTED = {
    "a constant is what the instance says": (
        "printed=refuted(given={'h': a == 0}, statement=v <= a, instance=instance(a=0), at={v: 1})",
        "printed=refuted(given={'h': a == 0}, statement=a == 0, instance=instance(a=0), at={a: 1})",
    ),
    "declared signs hold": (
        "printed=refuted(statement=theta > 1, instance=instance(theta=1))",
        "printed=refuted(statement=theta > 0, at={theta: -1})",
    ),
    "masses are not negative": (
        "printed=refuted(statement=P(x) > 0, instance=instance(X=[0], P={0: 0}))",
        "printed=refuted(statement=P(x) >= 0, instance=instance(X=[0], P={0: -1}))",
    ),
    "masses are not negative elsewhere": (
        "printed=refuted(statement=P(x) > 0, instance=instance(X=[0, 1], P={0: 1, 'else': 0}))",
        "printed=refuted(statement=P(x) >= 0, instance=instance(X=[0, 1], P={0: 1, 'else': -1}))",
    ),
    "a member is in its domain": (
        "printed=refuted(statement=o <= 0, instance=instance(X=[0, 1], o=1))",
        "printed=refuted(statement=o <= 1, instance=instance(X=[0, 1], o=2))",
    ),
    "an index is in its domain": (
        "printed=refuted(statement=x <= 0, instance=instance(X=[0, 1]), at={x: 1})",
        "printed=refuted(statement=x <= 1, instance=instance(X=[0, 1]), at={x: 2})",
    ),
    "hypotheses that are undecided": (
        "printed=refuted(given={'h': f(x) >= 0}, statement=f(x) == 0, "
        "instance=instance(X=[1], f={1: 1, 'else': 0}))",
        "printed=refuted(given={'h': f(v) >= 0}, statement=f(x) == 0, "
        "instance=instance(X=[1], f={1: 1}))",
    ),
    "hypotheses that do not hold": (
        "printed=refuted(given={'h': a >= 0}, statement=a > 0, instance=instance(a=0))",
        "printed=refuted(given={'h': a > 0}, statement=a > 0, instance=instance(a=0))",
    ),
    "a density of no law is not negative": (
        "printed=refuted(statement=normal_pdf(y, 0, a) > 1/2, instance=instance(a=1), at={y: 0})",
        "printed=refuted(statement=normal_pdf(y, 0, a) > 0, instance=instance(a=-1), at={y: 0})",
    ),
    "a mean at a law": (
        "printed=refuted(statement=mean(indicator(r), r) >= 1, instance=instance(L=law({-1: 1})))",
        "printed=refuted(statement=mean(indicator(r), r) >= 1, instance=instance(L=[-1]))",
    ),
    "a draw is a value of its law": (
        "printed=refuted(statement=r <= 0, instance=instance(L=law({1: 1})), at={r: 1})",
        "printed=refuted(statement=r <= 1, instance=instance(L=law({1: 1})), at={r: 2})",
    ),
    "no value is not false": (
        "printed=refuted(statement=1/(a + 1) > 1, instance=instance(a=0))",
        "printed=refuted(statement=1/a > 1, instance=instance(a=0))",
    ),
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_refuted_and_what_is_not_is_not(name: str) -> None:
    false, true = REFUTED[name]
    assert outcome(false, "REFUTED").failure == ""
    assert outcome(true, "REFUTED").failure


READ = {  # what is refused when it is read
    "infinity is no number": ("use('p', {v: a})", "use('p', {v: oo})"),
    "no sum with infinity": ("a + 1 <= b", "oo + a <= oo"),
    "no limits in place of values": ("at(exp(-v), {v: a})", "at(exp(-v), {v: oo})"),
    "integrals may have infinite ends": ("integral(exp(-v), v, 0, oo)",
                                         "integral(exp(-v), v, 0, theta*oo)"),
    "roots are real": ("abs(sqrt(4)) == 2", "abs(sqrt(-4)) == 2"),
    "odd roots too": ("8**(1/3) == 2", "(-8)**(1/3) == 2"),
    "logarithms are real": ("log(2) - log(1/2) == 0", "log(-2) - log(-1) == log(2)"),
    "0 has no inverse": ("0 * (1 / (a + 1)) == 0", "1 / (1 / (a - a)) == 0"),
    "no power of a negative number": ("2**a * 2**(-a) == 1", "(-1)**a * (-1)**(-a) == 1"),
    "a sum is over indices": ("total(f(x), x)", "total(f(o), o)"),
    "what is undecided is no verdict": ("verdict('A', 'refuted')", "verdict('A', 'undecided')"),
    "one letter, one name": ("constants('d')", "constants('\u0430')"),
    "names of the language are taken": ("functions('h')", "functions('exp')"),
    "a row stands once": ("instance(P={0: 1/2, '1': 1})", "instance(P={0: 1/2, '0': 1})"),
    "a member stands once": ("instance(X=[0, 1])", "instance(X=[1, '1.0'])"),
    "functions have arguments": ("P(1) >= 0", "P() >= 0"),
    "a law has mass 1": ("instance(L=law({0: 1/2, 1: 1/2}))", "instance(L=law({0: 1/2, 1: 1/4}))"),
    "a law has no negative mass": ("instance(L=law({0: 1}))", "instance(L=law({0: 2, 1: -1}))"),
    "a value of a law stands once": ("instance(L=law({0: 1/2, 1: 1/2}))",
                                     "instance(L=law({0: 1/2, '0': 1/2}))"),
    "a value of mass 0 is not drawn": ("instance(L=law({0: 1}))", "instance(L=law({0: 1, 5: 0}))"),
    "a chain has one step": ("is_chain((x, z), (o, n), theta)", "is_chain((x, z), (o, n), P(z))"),
    "the next member has it too": ("is_chain((x, z), (o, n), a)", "is_chain((x, z), (o, n), P(x))"),
    "a mean is over draws": ("mean(f(r), r)", "mean(f(x), x)"),
    "a sum is not over draws": ("total(f(x), x)", "total(f(r), r)"),
    "a value is drawn from the same law": ("at(f(r), {r: s})", "at(f(r), {r: t})"),
    "a draw is no number": ("at(f(v), {v: 1})", "at(f(r), {r: 1})"),
    "no derivative under a mean": ("derivative(total(exp(v*x), x), v)",
                                   "derivative(mean(exp(-abs(r)*v**2), r), v)"),
    "no chain of values of a law": ("is_chain((x, z), (o, o))", "is_chain((r, s), (o, o))"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_has_no_meaning_is_not_read(name: str) -> None:
    file = ProofFile(
        DECLARATIONS + 'Claim(id="F1", source=paper("design", "F1"), words="none", '
        'result=NOT_CHECKABLE, not_checkable="for tests")', "test",
    )  # fmt: skip
    good, bad = READ[name]
    file.expression(good)
    with pytest.raises(InputError):
        file.expression(bad)


@pytest.mark.parametrize(
    ("parts", "result", "accepted"),
    [
        ("printed=WRONG, corrected=RIGHT", "REPAIRED", True),
        ("printed=WRONG, corrected=WRONG", "REPAIRED", False),
        ("printed=RIGHT, tighter=RIGHT", "PROVED", True),
        ("printed=RIGHT, tighter=WRONG", "PROVED", False),
        ("printed=RIGHT, corrected=RIGHT", "PROVED", False),
        ("printed=WRONG", "PROVED", False),
        ("printed=WRONG", "REPAIRED", False),
        ("printed=RIGHT", "REFUTED", False),
        ("readings=[RIGHT, WRONG]", "BOTH_READINGS", True),
        ("readings=[RIGHT]", "BOTH_READINGS", False),
        ("printed=RIGHT, readings=[RIGHT, WRONG]", "BOTH_READINGS", False),
        ("not_checkable='no'", "NOT_CHECKABLE", True),
        ("printed=RIGHT, not_checkable='no'", "NOT_CHECKABLE", False),
        ("printed='text'", "PROVED", False),
        ("tighter=RIGHT", "PROVED", False),
    ],
)
def test_parts_settle_no_more_than_they_show(parts: str, result: str, accepted: bool) -> None:
    right = "proved(statement=a*b == b*a, steps=[step('s', a*b == b*a, identity())])"
    wrong = "refuted(statement=a*b == 1, instance=instance(a=0, b=0))"
    try:
        found = outcome(parts.replace("RIGHT", right).replace("WRONG", wrong), result)
    except InputError:
        assert not accepted
        return
    assert (found.failure == "") is accepted
    assert (found.result != "") is accepted


def test_a_mass_and_a_function_of_one_name_have_different_normal_forms() -> None:
    a = Constant("a")
    assert not equal(mass_function("g")(a), real_function("g")(a))
    assert equal(mass_function("g")(a), mass_function("g")(a))


LETTERS = {  # what would be read as a claim about something else, beside names that are clear
    "two names with one lower index": ("constants('mu1 mu2')", "constants('mu1 mu_1')", "k == q"),
    "the absolute value": ("functions('A'), a", "functions('Abs'), a", "k(q) >= 0"),
    "the maximum": ("functions('A'), a", "functions('Max'), a", "k(q) >= a"),
    "the maximum as the book sets it": ("functions('A'), a", "functions('max'), a", "k(q) >= a"),
    "the normal distribution function": (
        "functions('A'), a", "functions('Phi'), a", "k(q) >= normal_cdf(q)"),
    "the number e": ("constants('d'), a", "constants('e'), a", "k**2 == exp(2)"),
    "the number pi, by a table": (
        "a, {'a': 'tau'}", "a, {'a': 'pi'}", "k == PI"),
    "a power, by a table": ("b, {'b': 'a_2'}", "b, {'b': 'a^2'}", "k == a**2"),
    "a power of e beside its exponent, by a table": (
        "E, {'E': 'e^delta'}", "E, {'E': 'e^epsilon'}", "k == exp(epsilon)"),
}


@pytest.mark.parametrize("name", LETTERS)
def test_a_name_looks_like_nothing_else(name: str) -> None:
    clear, alike, statement = LETTERS[name]

    def claim(names: str) -> Claim:
        table = "q" if "{" in names else "{}"
        text = f"""{DECLARATIONS}
epsilon = constants("epsilon")
k, q = {names}
Claim(id="F1", source=paper("design", "F1"), words="none", result=REFUTED, symbols={table},
      printed=refuted(statement={statement}))
"""
        return ProofFile(text, "test").claim

    require_clear(claim(clear))
    with pytest.raises(PartFails):
        require_clear(claim(alike))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total(x, x)**2", "total(x**2, x)"), ("total(x, x)*x", "total(x*x, x)"),
        ("integral(v, v, 0, 1)**a", "integral(v**a, v, 0, 1)"),
        ("total(x, x) + a", "total(x + a, x)"),
    ],
)  # fmt: skip
def test_what_follows_a_sum_is_not_shown_as_its_part(one: str, other: str) -> None:
    file = ProofFile(
        DECLARATIONS + 'Claim(id="F1", source=paper("design", "F1"), words="none", '
        'result=NOT_CHECKABLE, not_checkable="for tests")', "test",
    )  # fmt: skip
    shown = {latex(file.expression(f"{term} == 0")) for term in (one, other)}
    assert len(shown) == 2


def test_letters_of_latex_are_those_of_the_book() -> None:
    assert latex(relation("<=", 0, Constant("xabs"))) == r"0 \le \mathit{xabs}"  # not |x|
    assert latex(relation("<=", 0, Constant("p_a_b"))) == r"0 \le \mathit{p\_a\_b}"


def random_term(rng: random.Random, depth: int) -> sp.Expr:
    a, b, theta = Constant("a"), Constant("b"), Constant("theta", "positive")
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([a, b, theta, sp.Integer(rng.randint(-2, 2)), sp.Rational(1, 2)])
    u, v = random_term(rng, depth - 1), random_term(rng, depth - 1)
    return rng.choice([
        lambda: exponential(u), lambda: abs(u), lambda: sp.Max(a * u, a + v),
        lambda: sp.sqrt(1 + u**2),
        lambda: u / (1 + v**2), lambda: AtLeastZero(u), lambda: sp.log(1 + u**2), lambda: u * v,
        lambda: u - v, lambda: u + v, lambda: u**2, lambda: sp.sqrt(abs(u)), lambda: u / theta,
        lambda: NormalCdf(u), lambda: 2 * NormalCdf(-u) - sp.pi / 4,
    ])()  # fmt: skip


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.long)])
def test_what_the_solver_shows_is_true_at_random_points(count: int) -> None:
    rng = random.Random(5)
    shown = met = 0
    for _ in range(count):
        left, right = random_term(rng, 2), random_term(rng, 2)
        claim = relation(rng.choice(["<=", "<", "==", "!="]), left, right)
        facts = [relation("<=", random_term(rng, 1), random_term(rng, 1))] * rng.randint(0, 1)
        if any(t.has(sp.zoo, sp.nan, sp.I) for f in (claim, *facts) for t in terms_of(f)):
            continue
        if refutation_of(facts, claim, effort=200_000) != "unsat":
            continue
        shown += 1
        together = Connective("and", (*facts, claim))
        for _ in range(10):
            instance, at = random_point(together, rng, random_instance(together, rng))
            try:
                if all(truth(f, instance, at) is Answer.YES for f in facts):
                    assert truth(claim, instance, at) is not Answer.NO, (facts, claim, instance)
                    met += 1
            except NoMeaning:
                continue
    assert shown > count / 8
    assert met > count / 3
