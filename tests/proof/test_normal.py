"""The normal form against exact values: equal forms have equal values, on random terms."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from pfverify.proof.meaning import value
from pfverify.proof.normal import cleared, equal, normal
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.sampling import random_instance
from pfverify.proof.terms import (
    Constant,
    Total,
    Variable,
    mass_function,
    real_function,
    relation,
    substituted,
)

theta = Constant("theta", "positive")
a, b = Constant("a"), Constant("b")
x, z = Variable("x", "X"), Variable("z", "X")
w = Variable("w", "W")
f, P = real_function("f"), mass_function("P")


def random_term(rng: random.Random, depth: int, free: tuple[sp.Symbol, ...]) -> sp.Expr:
    if depth == 0 or rng.random() < 0.15:
        leaf = [*free, a, theta, sp.Integer(rng.randint(-2, 3)), sp.Rational(1, 2)]
        leaf += [f(s) for s in free] + [P(s) for s in free]
        return rng.choice(leaf)
    first = random_term(rng, depth - 1, free)
    second = random_term(rng, depth - 1, free)
    kind = rng.randrange(9)
    if kind == 0 and x not in free:
        return Total(random_term(rng, depth - 1, (*free, x)), x)
    if kind == 1 and z not in free:
        return Total(random_term(rng, depth - 1, (*free, z)), z)
    if kind == 2:
        return sp.exp(first / theta)
    if kind == 3:
        return abs(first)
    if kind == 4:
        return first / (1 + second**2)
    if kind == 5:
        return sp.Max(first, second)
    return first * second if kind % 2 else first - second


def rewritten(term: sp.Expr, rng: random.Random) -> sp.Expr:
    """Another writing of the same term: expanded, or sums renamed and multiplied out."""
    if rng.random() < 0.5:
        return sp.expand_mul(term * (1 + b**2), deep=False) / (1 + b**2)
    return (term + theta * b) * sp.exp(b) * sp.exp(-b) - b * theta


def test_equal_forms_have_equal_values_and_rewritings_have_equal_forms() -> None:
    rng = random.Random(7)
    compared = forms_equal = 0
    for _ in range(250):
        s, t = random_term(rng, 3, ()), random_term(rng, 3, ())
        other = rewritten(s, rng)
        assert equal(s, other)
        for left, right in ((s, t), (s, other)):
            try:
                instance = random_instance(relation("==", left + a + b, right + theta), rng)
                difference = value(left - right, instance).sign()
            except NoMeaning:
                continue
            if equal(left, right):
                forms_equal += 1
                assert difference == 0
            compared += 1
    assert compared > 300
    assert forms_equal > 150


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # sums: factors without the index leave, order and names do not matter
        (Total(a * P(x) + f(x), x), a * Total(P(z), z) + Total(f(x), x)),
        (Total(Total(P(x) * f(z), x), z), Total(P(x), x) * Total(f(x), x)),
        (Total(Total(f(x) * x * z, x), z), Total(Total(f(z) * x * z, x), z)),
        (Total(P(x) * sp.exp((x - a) / theta), x),
         sp.exp(-a / theta) * Total(P(x) * sp.exp(x / theta), x)),
        (Total(P(x) * Total(P(z), z) ** 2, x), Total(P(z), z) ** 3),
        (abs(a - b), abs(b - a)),
        (sp.sqrt(1 + a**2) ** 2, 1 + a**2),
        ((a**2 - b**2) / (1 + (a - b) ** 2), (a + b) * (a - b) / (1 + (b - a) ** 2)),
        (sp.exp(a) ** 2, sp.exp(2 * a)),
    ],
)
def test_terms_that_are_equal(left: sp.Expr, right: sp.Expr) -> None:
    assert equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Total(f(x), x) ** 2, Total(f(x) ** 2, x)),
        (Total(f(x), x), Total(f(w), w)),  # other domain
        (Total(Total(f(x) * f(z), x), z), Total(f(x) * f(x), x)),
        # a sum inside a function inside a sum: the inner index is not the outer one
        (Total(sp.exp(Total(f(x) * z, x)), z), Total(sp.exp(Total(f(x) * x, x)), z)),
        (Total(sp.exp(Total(f(x) * z, x)), z), Total(sp.exp(Total(f(z) * z, z)), z)),
        (abs(a), a),
        (sp.exp(a + b), sp.exp(a) + sp.exp(b)),
        (Total(1 + 0 * x, x), sp.Integer(1)),
        (Total(f(x) - f(x), x) + Total(P(x), x), Total(P(w), w)),
    ],
)
def test_terms_that_are_not_equal(left: sp.Expr, right: sp.Expr) -> None:
    assert not equal(left, right)


def test_substitution_renames_bound_indices() -> None:
    inner = Total(f(x) * z, x)
    moved = substituted(inner, {z: x})  # the free x must not be caught
    assert equal(moved, x * Total(f(z), z))
    with pytest.raises(ValueError, match="runs over"):
        substituted(P(x), {x: w})


def test_kinds_of_symbols_are_not_shared() -> None:
    assert Constant("c") != Constant("c", "positive")
    assert Constant("c").sort == ""
    assert mass_function("g")(a) != real_function("g")(a)
    assert not real_function("g")(a).is_nonnegative
    assert cleared(normal(Constant("c") - Constant("c", "positive")))
