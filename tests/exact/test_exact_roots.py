"""Roots in exponents: a complete zero test, and nothing beyond its class."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from support.problems import limited
from support.roots import identity, near_identity

from pfverify.exact.answer import Answer
from pfverify.exact.ball import precision
from pfverify.exact.expsum import Basis, Exponent, ExpSum
from pfverify.exact.number import number

F = Fraction
ROOT = Exponent.of_sum(ExpSum.power(Exponent.log(F(2)).times(F(1, 2))))  # sqrt(2)

EQUAL = [
    ("exp(sqrt(8))", "exp(2*sqrt(2))"),
    ("exp(sqrt(1/2))", "exp(sqrt(2)/2)"),
    ("3*exp(sqrt(2))", "exp(sqrt(2)+log(3))"),
    ("exp(sqrt(6))", "exp(sqrt(2)*sqrt(3))"),
    ("exp(sqrt(2))*exp(sqrt(3))", "exp(sqrt(3)+sqrt(2))"),
    ("sqrt(2)*exp(sqrt(5))", "exp(sqrt(5)+log(2)/2)"),
    ("exp(1/(1+sqrt(2)))", "exp(sqrt(2)-1)"),
    ("exp(2/(sqrt(7)-sqrt(5)))", "exp(sqrt(7)+sqrt(5))"),
    ("exp(1/(1+sqrt(2)+sqrt(3)))", "exp((2+sqrt(2)-sqrt(6))/4)"),
    ("exp((1+sqrt(2))*(3-sqrt(2)))", "exp(1+2*sqrt(2))"),
    ("exp(exp(log(54)/3))", "exp(3*exp(log(2)/3))"),  # cube roots are as good
    ("exp(log(2*exp(sqrt(6))-1))", "2*exp(sqrt(2)*sqrt(3))-1"),
    ("exp(sqrt(10403)*sqrt(103*107)/1e3)", "exp(103*sqrt(101*107)/1e3)"),
    ("exp(sqrt(2)+1)-exp(sqrt(2))", "exp(sqrt(2))*(exp(1)-1)"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_numbers_are_found_equal(left: str, right: str) -> None:
    assert (number(left) - number(right)).sign() == 0
    for tiny, sign in (("1e-30", 1), ("-1e-300", -1)):
        assert (number(left) - number(right) + number(tiny)).sign() == sign


OTHER = [  # to 30 digits the same, and another number
    ("exp(sqrt(2))", "exp(sqrt(2)+1e-30)"),
    ("exp(sqrt(2))", "exp(sqrt(2)+1e-30*sqrt(3))"),
    ("exp(sqrt(2)+log(3))", "3*exp(sqrt(2))+1e-30"),
    ("exp(sqrt(2))+exp(sqrt(3))", "exp(sqrt(2+1e-40))+exp(sqrt(3))"),
    ("sqrt(2)+log(3)", f"{isqrt(2 * 10**80)}/1e40+log(3)"),
]


@pytest.mark.parametrize(("left", "right"), OTHER)
def test_close_numbers_are_found_different(left: str, right: str) -> None:
    gap = number(left) - number(right)
    assert gap.sign() in (-1, 1)
    with precision(300):
        assert abs(float(gap.ball().raw.mid())) < 1e-28
    top, _ = gap.ratio or (ExpSum.power(gap.linear or ROOT) - ExpSum.constant(1), None)
    assert top.is_zero() is Answer.NO


OUTSIDE = [  # equal, and not by the laws that the zero test has
    ("exp(sqrt(2)+sqrt(3))", "exp(sqrt(5+2*sqrt(6)))"),
    ("exp(1+sqrt(2))", "exp(sqrt(3+2*sqrt(2)))"),
    ("exp(exp(log(7+5*sqrt(2))/3))", "exp(1+sqrt(2))"),
]


@pytest.mark.parametrize(("left", "right"), OUTSIDE)
def test_nested_roots_are_outside_the_class(left: str, right: str) -> None:
    a, b = number(left), number(right)
    assert a.ratio is not None
    assert b.ratio is not None
    total = a.ratio[0] * b.ratio[1] - b.ratio[0] * a.ratio[1]
    assert total.is_zero() is Answer.UNKNOWN
    assert total.canonical() is None


def test_a_root_times_a_logarithm_is_a_symbol() -> None:
    left, right = number("exp(sqrt(2)*log(3))"), number("exp(log(9)*sqrt(1/2))")
    assert (left - right).sign() == 0  # the symbols are the same
    # e**(sqrt(2) log 3) is no multiple of e**(sqrt(3) log 2), but nothing here says so
    other = number("exp(sqrt(3)*log(2))")
    assert left.formal is not None
    assert left.ratio is not None
    assert other.ratio is not None
    assert (left.ratio[0] - other.ratio[0]).is_zero() is Answer.UNKNOWN
    assert (left - other).sign() == 1


def test_inverses_of_roots() -> None:
    for text in ("sqrt(2)", "3*sqrt(5)/7", "1+sqrt(2)", "sqrt(6)-sqrt(2)", "1+sqrt(2)+sqrt(3)",
                 "sqrt(101*103)+sqrt(101*107)", "2-sqrt(2)+sqrt(3)-5*sqrt(6)/2"):
        value = number(text)
        assert value.linear is not None
        assert value.reciprocal is not None
        product = value.linear.product(value.reciprocal)
        assert product is not None
        assert (product - Exponent.rational(1)).sign() == 0
        with precision(200):
            assert (value.linear.ball().raw * value.reciprocal.ball().raw - 1).overlaps(0)
    # written 0 only where it is 0; other roots than square roots stay symbols
    assert Exponent({}).inverse_of_roots() is None
    assert number("1+exp(log(2)/3)").reciprocal is None
    assert number("1+exp(1)").reciprocal is None


def test_a_basis_writes_equal_exponents_alike() -> None:
    exponents = [number(text).linear for text in ("sqrt(6)+log(12)", "sqrt(2)*sqrt(3)+log(18)",
                                                  "sqrt(101*103)", "sqrt(101*107)/3")]
    family = [e for e in exponents if e is not None]
    basis = Basis(family)
    assert len(family) == 4
    assert basis.independent
    assert basis.integers == [2, 3]
    assert basis.under_roots == [2, 3, 101, 103, 107]
    rows = [basis.parts(e) for e in family]
    assert rows[0].keys() == rows[1].keys()
    with precision(200):
        for exponent, row in zip(family, rows, strict=True):
            assert Exponent(row).ball().raw.overlaps(exponent.ball().raw)
    assert not Basis([number("sqrt(2)*log(3)").formal or ROOT]).independent
    assert not Basis([number("exp(1)").linear or ROOT]).independent


def test_a_root_of_writable_powers_only() -> None:
    """Beyond that nothing is called independent; the same writing is still the same number."""
    huge = Exponent({Exponent.log(F(2)).times(F(-10**9 - 1, 2)): F(1)})
    small = Exponent({Exponent.log(F(2)).times(F(-10**9 + 1, 2)): F(1, 2)})  # the same number
    with limited(5):
        assert not Basis([huge, small]).independent
        assert (ExpSum.power(huge) - ExpSum.power(small)).is_zero() is Answer.UNKNOWN
        assert (ExpSum.power(huge) * ExpSum.power(-huge) - ExpSum.constant(1)).sign() == 0


def test_long_radicands_do_not_hang() -> None:
    n = 10**600 + 7
    with limited(10):
        assert (number(f"sqrt({4 * n})/2") - number(f"sqrt({n})")).sign() == 0
        left, right = number(f"exp(sqrt({n})/1e300)"), number(f"exp(sqrt({9 * n})/3e300)")
        assert (left - right).sign() == 0
        assert (left - number(f"exp(sqrt({n + 1})/1e300)")).sign() == -1


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**64))
def test_identities_are_zero_and_moved_ones_are_not(seed: int) -> None:
    """Balls at 1000 bits confirm both."""
    rng = Random(seed)
    for text, is_zero in ((identity(rng), True), (near_identity(rng), False)):
        value = number(text)
        with precision(1000):
            ball = value.ball().certain_sign()
        sign = value.sign()
        assert sign is not None, text
        assert (sign == 0) is is_zero, text
        assert ball == (None if is_zero else sign), text


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**64))
def test_the_forms_have_the_value_of_the_number(seed: int) -> None:
    """Sums of roots and logarithms, multiplied and inverted, against mpmath."""
    rng = Random(seed)
    roots = ["sqrt(2)", "sqrt(3)", "sqrt(8/3)", "sqrt(6)", "sqrt(5)/4", "2", "sqrt(101*103)"]
    a, b = (
        "+".join(f"{rng.randint(1, 5)}*{x}" for x in rng.sample(roots, rng.randint(1, 3)))
        for _ in range(2)
    )
    text = rng.choice(["({a})*({b})", "({a})/({b})", "1/({a})+log(3)", "({a})*({b})+log(2)/7"])
    text = text.format(a=a, b=b)
    value = number(text)
    assert value.formal is not None
    with mp.workprec(400), precision(400):
        names = {"sqrt": mp.sqrt, "log": mp.log, "m": mp.mpf}
        exact = eval(re.sub(r"(\d+)", r"m(\1)", text), {"__builtins__": {}}, names)  # texts of here
        forms = [value.formal.ball()]
        if value.linear is not None:
            forms.append(value.linear.ball())
        for ball in forms:
            ends = ball.ends()
            assert ends is not None
            low, high = (mp.ldexp(m, e) for m, e in ends)
            assert low - mp.mpf(2) ** -330 <= exact <= high + mp.mpf(2) ** -330
            assert high - low < mp.mpf(2) ** -330
