"""Polynomial identities by one integer, against sympy's expansion; and the ties that need it."""

from fractions import Fraction
from random import Random

import sympy

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.exact.kronecker import is_zero_polynomial

X, Y = sympy.symbols("x y", positive=True)


def as_sympy(terms, polynomials):
    values = [
        sum(sympy.Rational(c.numerator, c.denominator) * X ** e[0] * Y ** e[1] for c, e in p)
        for p in polynomials
    ]
    total = sympy.Integer(0)
    for c, e, powers in terms:
        part = sympy.Rational(c.numerator, c.denominator) * X ** e[0] * Y ** e[1]
        for value, m in zip(values, powers, strict=True):
            part *= value**m
        total += part
    return total


def random_polynomial(rng):
    return [(Fraction(rng.randint(-4, 4) or 1, rng.randint(1, 3)),
             (rng.randint(-2, 2), rng.randint(-1, 1))) for _ in range(rng.randint(1, 3))]


def test_agrees_with_expansion():
    rng, seen = Random(11), {True: 0, False: 0}
    for _ in range(120):
        polynomials = [random_polynomial(rng) for _ in range(rng.randint(1, 2))]
        terms = [(Fraction(rng.randint(-3, 3) or 1), (rng.randint(-2, 2), 0),
                  tuple(rng.randint(0, 3) for _ in polynomials)) for _ in range(3)]
        if rng.random() < 0.5:  # an identity on purpose: P * P expanded, minus P**2
            first = polynomials[0]
            zero = (0,) * len(polynomials)
            terms = [(Fraction(-1), (0, 0), (2, *zero[1:]))]
            terms += [(a * b, (e[0] + f[0], e[1] + f[1]), zero) for a, e in first for b, f in first]
        expected = sympy.expand(as_sympy(terms, polynomials)) == 0
        assert is_zero_polynomial(terms, polynomials) is expected
        seen[expected] += 1
    assert min(seen.values()) > 20


def test_hopelessly_large_is_none():
    assert is_zero_polynomial([(Fraction(1), (10**9,), ()), (Fraction(1), (0,), ())], []) is None


def test_a_bernoulli_tie_with_hundreds_of_other_users():
    """The closed form stays exact whatever finite rest is added to both (multi-user paper)."""
    rng = Random(3)
    rest = {k: Fraction(rng.randint(1, 50)) for k in range(300)}
    total = sum(rest.values())
    first, second = {}, {}
    for k, weight in rest.items():
        second[k + 1] = second.get(k + 1, 0) + weight / total
        for shift in (0, 1):
            first[k + shift] = first.get(k + shift, 0) + weight / total / 2
    priors = {"half": Discrete(first), "always": Discrete(second)}
    for scale, verdict, tie in (
        ("1/log((exp(1)-1/2)/(1/2))", "certified", True),
        ("0.671194938", "refuted", False),
        ("0.671194939", "certified", False),
    ):
        result = certify(Problem(priors, noise=Laplace(scale), epsilon=1))
        assert result.verdict == verdict
        assert any(pair.tie for pair in result.pairs) is tie
