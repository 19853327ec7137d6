"""Each rule accepts what follows and rejects what does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import sympy as sp

from pfverify.errors import InputError
from pfverify.proof.instances import as_instance
from pfverify.proof.language import LANGUAGE
from pfverify.proof.loader import ProofFile
from pfverify.proof.meaning import Instance
from pfverify.proof.rules import REFUSALS, Context, StepFails
from pfverify.proof.terms import Formula

DECLARATIONS = """
theta, E = positive("theta E")
a, b, c = constants("a b c")
y, v = variables("y v")
x, z = indices("x z", "X")
x0 = member("x0", "X")
f, g = functions("f g")
P, pi = masses("P pi")
Claim(id="none", source=paper("design", "F1"), words="none", result=NOT_CHECKABLE,
      not_checkable="for tests")
"""
FILE = ProofFile(DECLARATIONS, "test")


def formula(text: str) -> Formula:
    made = FILE.expression(text)
    assert isinstance(made, Formula)
    return made


def check(
    statement: str, rule: str, facts: Sequence[tuple[str, str]] = (), data: Instance | None = None
) -> Context:
    context = Context({name: formula(text) for name, text in facts}, data)
    FILE.expression(rule).check(formula(statement), context)
    return context


def fails(
    statement: str, rule: str, facts: Sequence[tuple[str, str]] = (), data: Any = None
) -> Exception:
    with pytest.raises(REFUSALS) as caught:
        check(statement, rule, facts, data)
    return caught.value


# ---------------------------------------------------------------- identity


@pytest.mark.parametrize(
    "statement",
    [
        "(a + b)**2 == a**2 + 2*a*b + b**2",
        "exp(a/theta) * exp(-a/theta) == 1",
        "total(P(x) * (f(x) + a), x) == total(P(x)*f(x), x) + a*total(P(x), x)",
        "(a**2 - 1) / (theta + 1) == (a - 1) * (a + 1) / (1 + theta)",
        "abs(a - b) == abs(b - a)",
    ],
)
def test_identity_accepts(statement: str) -> None:
    check(statement, "identity()")


@pytest.mark.parametrize(
    "statement",
    [
        # true at a = 0, 1, ..., 6: a check at a few whole numbers would pass it
        "a*(a-1)*(a-2)*(a-3)*(a-4)*(a-5)*(a-6) == 0",
        "exp(a) == 1 + a + a**2/2 + a**3/6",
        "abs(a) == a",
        "total(f(x), x)**2 == total(f(x)**2, x)",
        "sqrt(a**2) == a",
        "a <= a",
    ],
)
def test_identity_rejects(statement: str) -> None:
    fails(statement, "identity()")


def test_identity_shows_where_it_is_false() -> None:
    failure = fails("exp(a/theta) + 1 == exp((a + 1)/theta)", "identity()")
    assert "a = " in failure.counterexample


# ---------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("statement", "rule", "facts"),
    [
        ("a**2 + b**2 >= 2*a*b", "arithmetic()", []),
        ("exp(-abs(y - x)/theta) <= exp(-abs(y - z)/theta) * exp(abs(x - z)/theta)",
         "arithmetic()", []),
        ("a <= c", "arithmetic('one', 'two')", [("one", "a <= b"), ("two", "b <= c")]),
        ("exp(a) >= 1 + a", "arithmetic()", []),
        ("a < exp(a)", "arithmetic()", []),
        ("f(x0) <= 0", "arithmetic(use('all', {x: x0}))", [("all", "f(x) <= 0")]),
        ("log(theta) <= theta - 1", "arithmetic()", []),
        ("maximum(a, b) >= a", "arithmetic()", []),
        ("P(x) * theta >= 0", "arithmetic()", []),
        ("sqrt(1 + a**2) >= 1", "arithmetic()", []),
        ("implies(a < b, exp(a/theta) < exp(b/theta))", "arithmetic()", []),
    ],
)  # fmt: skip
def test_arithmetic_accepts(statement: str, rule: str, facts: list[tuple[str, str]]) -> None:
    check(statement, rule, facts)


@pytest.mark.parametrize(
    ("statement", "rule", "facts", "where"),
    [
        ("a**2 + b**2 >= 2*a*b + 1/100", "arithmetic()", [], True),
        ("a <= c", "arithmetic('one')", [("one", "a <= b"), ("two", "b <= c")], True),
        ("exp(a) >= 1 + 2*a", "arithmetic()", [], True),
        ("f(x) >= 0", "arithmetic()", [], True),  # f is no mass
        ("a >= 0", "arithmetic()", [], True),  # a is not declared positive
        ("a * theta / theta <= b", "arithmetic()", [], True),
        ("sqrt(a)**2 == a + 1", "arithmetic()", [], True),
    ],
)
def test_arithmetic_rejects_with_a_counterexample(
    statement: str, rule: str, facts: list[tuple[str, str]], where: bool
) -> None:
    failure = fails(statement, rule, facts)
    assert bool(failure.counterexample) is where


def test_arithmetic_uses_only_what_exists() -> None:
    assert "no earlier fact" in str(fails("a <= b", "arithmetic('later')"))
    assert "no free variable" in str(
        fails("a <= b", "arithmetic(use('one', {y: a}))", [("one", "a <= b")])
    )
    # an index may not become just any number
    assert "runs over" in str(
        fails("f(a) <= 0", "arithmetic(use('all', {x: a}))", [("all", "f(x) <= 0")])
    )


def test_constants_are_not_for_all() -> None:
    fails("a + 1 <= 0", "arithmetic('one')", [("one", "a <= 0")])
    check("y + 1 <= 0", "arithmetic(use('one', {y: y + 1}))", [("one", "y <= 0")])


# ---------------------------------------------------------------- sums and integrals


def test_integrate_accepts() -> None:
    one = [("one", "f(x) <= g(x)")]
    check("total(P(x)*f(x), x) <= total(P(x)*g(x), x)", "integrate('one', x, weight=P(x))", one)
    check("total(f(x), x) <= total(g(x), x)", "integrate('one', x)", one)
    guarded = [("one", "implies(a <= b, f(x) == g(x))")]
    check("implies(a <= b, total(c*f(x), x) == total(c*g(x), x))",
          "integrate('one', x, weight=c)", guarded)
    check("total(pi(x, z)*f(x), x, z) <= total(pi(x, z)*g(x), x, z)",
          "integrate('one', x, z, weight=pi(x, z))", one)
    check("integral(a*v**3, v, 0, 1) <= integral(b*v**2, v, 0, 1)",
          "integrate('one', v, weight=v**2, between=(0, 1))", [("one", "a*v <= b")])


@pytest.mark.parametrize(
    ("statement", "rule", "fact"),
    [
        # the side condition: the weight f has no sign
        ("total(f(x)*g(x), x) <= total(f(x), x)", "integrate('one', x, weight=f(x))", "g(x) <= 1"),
        ("total(-P(x)*f(x), x) <= total(-P(x)*g(x), x)", "integrate('one', x, weight=-P(x))",
         "f(x) <= g(x)"),
        # something else than the sum
        ("total(P(x)*f(x), x) <= total(P(x), x)", "integrate('one', x, weight=P(x))",
         "f(x) <= g(x)"),
        ("total(P(x)*f(x), x) < total(P(x)*g(x), x)", "integrate('one', x, weight=P(x))",
         "f(x) < g(x)"),  # the sum may be empty of weight
        ("total(P(x)*g(x), x) <= total(P(x)*f(x), x)", "integrate('one', x, weight=P(x))",
         "f(x) <= g(x)"),
        ("total(P(x)*f(x), x) == total(P(x)*g(x), x)", "integrate('one', x, weight=P(x))",
         "f(x) <= g(x)"),
        # a guard that depends on the index
        ("implies(x <= 0, total(f(x), x) <= 0)", "integrate('one', x)",
         "implies(x <= 0, f(x) <= 0)"),
        ("total(f(x), x) <= 0", "integrate('one', x)", "implies(x <= 0, f(x) <= 0)"),
        ("total(f(x), x) != 0", "integrate('one', x)", "f(x) != 0"),
        ("integral(a*v, v, 0, 1) <= 0", "integrate('one', v, between=(0, 1))",
         "implies(1/2 <= v and v <= 1, a*v <= 0)"),
        ("integral(a*v, v, 1, 0) <= 0", "integrate('one', v, between=(1, 0))", "a*v <= 0"),
        ("integral(f(v), v, 0, oo) <= 0", "integrate('one', v, between=(0, oo))", "f(v) <= 0"),
    ],
)  # fmt: skip
def test_integrate_rejects(statement: str, rule: str, fact: str) -> None:
    fails(statement, rule, [("one", fact)])


SINGLE = [("f", "implies(x != x0, f(x) == 0)")]


def test_single_and_one_term() -> None:
    check("total(P(x)*f(x), x) == P(x0)*f(x0)", "single('f', x, weight=P(x))", SINGLE)
    check("total(f(x), x) == f(x0)", "single('f', x)", [("f", "implies(x0 != x, f(x) == 0)")])
    check("P(x0)*f(x0)**2 <= total(P(x)*f(x)**2, x)", "one_term('f', {x: x0})",
          [("f", "0 <= P(x)*f(x)**2")])


@pytest.mark.parametrize(
    ("statement", "rule", "fact"),
    [
        ("total(f(x), x) == f(z)", "single('f', x)", SINGLE[0][1]),
        ("total(f(x), x) <= f(x0)", "single('f', x)", SINGLE[0][1]),
        ("total(f(x), x) == f(x0)", "single('f', x)", "implies(x != x0, f(x) <= 0)"),
        ("total(f(x), x) == f(x0)", "single('f', x)", "implies(x == x0, f(x) == 0)"),
        ("total(f(x), x) == f(x0)", "single('f', x)", "implies(x != x0, f(x) == 1)"),
        ("total(f(x), x) == f(x0)", "single('f', x)", "f(x) == 0"),
        ("total(f(x), x) == f(y)", "single('f', x)", "implies(x != y, f(x) == 0)"),
        ("total(f(x), x) == f(x)", "single('f', x)", "implies(x != x, f(x) == 0)"),
        ("f(x0) <= total(f(x), x)", "one_term('f', {x: x0})", "f(x) <= 0"),
        ("f(x0) + 1 <= total(f(x), x)", "one_term('f', {x: x0})", "0 <= f(x)"),
        ("f(a) <= total(f(x), x)", "one_term('f', {x: a})", "0 <= f(x)"),
        ("total(f(x), x) <= f(x0)", "one_term('f', {x: x0})", "0 <= f(x)"),
        ("f(y) <= total(f(x), x)", "one_term('f', {x: y})", "0 <= f(x)"),
    ],
)
def test_single_and_one_term_reject(statement: str, rule: str, fact: str) -> None:
    fails(statement, rule, [("f", fact)])


def test_instances_of_facts_need_values() -> None:
    # e^(log c) is c for sympy: the fact is for numbers only, and log c is one only for c > 0
    fails("c > 0", "arithmetic(use('one', {v: log(c)}))", [("one", "exp(v) > 0")])
    check("c > 0", "arithmetic(use('one', {v: log(c)}), 'two')",
          [("one", "exp(v) > 0"), ("two", "c > 0")])
    fails("total(f(x)/c, x) == total(g(x)/c, x)", "integrate('one', x, weight=1/c)",
          [("one", "f(x) == g(x)")])


def test_antiderivative() -> None:
    check("integral(exp(-v/theta), v, 0, oo) == theta", "antiderivative(-theta*exp(-v/theta))")
    check("integral(v**2, v, a, b) == (b**3 - a**3)/3", "antiderivative(v**3/3)")
    check("integral(exp(v/theta), v, -oo, a) == theta*exp(a/theta)",
          "antiderivative(theta*exp(v/theta))")


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("integral(v**2, v, a, b) == b**3 - a**3", "antiderivative(v**3/3)"),
        ("integral(v**2, v, a, b) == b**3 - a**3", "antiderivative(v**3)"),
        ("integral(exp(v/theta), v, 0, oo) == -theta", "antiderivative(theta*exp(v/theta))"),
        ("integral(exp(a*v), v, 0, oo) == -1/a", "antiderivative(exp(a*v)/a)"),  # a may be > 0
        ("integral(1/v**2, v, -1, 1) == -2", "antiderivative(-1/v)"),  # a pole inside
        ("integral(abs(v)*2, v, -1, 1) == 2", "antiderivative(v*abs(v))"),
        ("integral(1 + 0*v, v, 0, oo) == 0", "antiderivative(v)"),
    ],
)
def test_antiderivative_rejects(statement: str, rule: str) -> None:
    fails(statement, rule)


# ---------------------------------------------------------------- exact evaluation


def test_finite_and_enclosure() -> None:
    data = as_instance(X=[0, 1], P={0: "13/25", 1: "12/25"}, a="log(2)")
    check("total(P(x), x) == 1", "finite()", data=data)
    check("P(x) < 3/5", "finite()", data=data)
    check("exp(a) == 2", "enclosure()", data=data)
    check("exp(1/2) < 1649/1000", "enclosure()")


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("total(P(x), x) == 1 + 1/1000000", "finite()"),
        ("P(x) < 13/25", "finite()"),
        ("f(x) <= 1", "finite()"),  # no table
        ("y <= 1", "finite()"),  # a real variable
        ("exp(a) == 2 + 10**(-50)", "enclosure()"),  # a ball that is too wide decides nothing
        ("exp(1/2) < 16487/10000", "enclosure()"),
        ("P(x) < 1", "enclosure()"),  # not closed
        ("b <= 1", "enclosure()"),  # no value
    ],
)
def test_finite_and_enclosure_reject(statement: str, rule: str) -> None:
    fails(statement, rule, data=as_instance(X=[0, 1], P={0: "13/25", 1: "12/25"}, a="log(2)"))


def test_certificates_and_citations() -> None:
    words: list[Any] = []

    def kernel(problem: Any) -> str:
        words.append(problem)
        return "refuted"

    rule = FILE.expression("certificate(problem({0: 1}, {1: 1}, epsilon=1, scale=1/2))")
    rule.check(formula("verdict('mine', 'refuted')"), Context({}, None, kernel))
    assert words[0]["noise"] == {"kind": "laplace", "scale": "1/2"}
    with pytest.raises(StepFails, match="refuted"):
        rule.check(formula("verdict('mine', 'certified')"), Context({}, None, kernel))
    assert "no citation" in str(fails("a <= b", "cite('common sense')"))


def test_all_words_of_the_language_are_documented() -> None:
    for name, word in LANGUAGE.items():
        if callable(word) and getattr(word, "__module__", "").startswith("pfverify.proof"):
            assert word.__doc__, name


@pytest.mark.parametrize("rule", ["single('f', x, oo)", "split_integral(oo)"])
def test_a_rule_is_given_real_terms(rule: str) -> None:
    with pytest.raises(InputError):
        FILE.expression(rule)


def test_facts_in_a_list_are_as_those_in_a_tuple() -> None:
    assert FILE.expression("dominated('f', ['g'])") == FILE.expression("dominated('f', ('g',))")


def test_sums_with_an_integer_body() -> None:
    assert FILE.expression("total(1, x)").args[0] == sp.Integer(1)
