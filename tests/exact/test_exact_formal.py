"""Products and inverses as symbols: what cancels is equal, and nothing else is concluded."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import precision
from pfverify.exact.expsum import ExpSum
from pfverify.exact.number import number

EQUAL = [
    ("1/log(2)", "3/(3*log(2))"),
    ("log(2)*log(2)", "log(4)*log(2)/2"),
    ("1/log(4)", "1/(2*log(2))"),
    ("log(6)*log(5)", "log(2)*log(5)+log(3)*log(5)"),
    ("log(3)/log(2)", "log(9)/log(4)"),
    ("(1+log(2))*(1-log(2))", "1-log(2)*log(2)"),
    ("1/(1+log(2))", "2/(2+log(4))"),
    ("exp(1)*log(2)", "log(2)*exp(1)"),
    ("1/(exp(1)+log(2))", "2/(log(4)+2*exp(1))"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_the_same_number_has_the_same_symbols(left, right):
    a, b = number(left).formal, number(right).formal
    assert (ExpSum.power(a) - ExpSum.power(b)).is_zero() is Answer.YES
    with mp.workprec(300), precision(300):
        assert abs(value(left) - value(right)) < mp.mpf(2) ** -280
        for formal in (a, b):
            (m, e), (n, f) = formal.ball().ends()
            assert mp.ldexp(m, e) <= value(left) + mp.mpf(2) ** -280
            assert value(left) - mp.mpf(2) ** -280 <= mp.ldexp(n, f)


def value(text):
    """The text in mpmath."""
    names = {"log": lambda x: mp.log(x), "exp": lambda x: mp.exp(x)}
    return eval(text, {"__builtins__": {}}, names) + mp.mpf(0)  # texts of this file only


def test_different_symbols_prove_nothing():
    a, b = number("log(3)/log(2)").formal, number("log(5)/log(3)").formal
    assert (ExpSum.power(a) - ExpSum.power(b)).is_zero() is Answer.UNKNOWN
    # equal numbers that are not written alike beyond recognition: no "different" either
    e = number("(log(2)*log(2)-1)/(log(2)-1)").formal
    f = number("log(2)+1").formal
    assert (ExpSum.power(e) - ExpSum.power(f)).is_zero() is not Answer.NO


TEXTS = st.recursive(
    st.sampled_from(["log(2)", "log(3)", "log(6)", "log(4/3)", "exp(1)", "2", "1/3"]),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda t: f"({t[0]}{t[1]}{t[2]})"
    ),
    max_leaves=6,
)


@given(TEXTS, TEXTS, st.fractions(-3, 3, max_denominator=5))
@settings(max_examples=150, deadline=None)
def test_the_symbols_stand_for_the_number(left, right, factor):
    try:
        a, b = number(left), number(right)
        c = a * b + b * number(factor)
        d = b * (number(factor) + a)
    except InputError:
        assume(False)
    with precision(400):
        for x in (a, b, c):
            if x.formal is not None:
                assert x.formal.ball().raw.overlaps(x.ball().raw)
        if c.formal is not None and d.formal is not None:
            zero = (ExpSum.power(c.formal) - ExpSum.power(d.formal)).is_zero()
            assert zero is not Answer.NO


def test_nothing_is_divided_by_a_zero_that_cancels():
    assert number("0*log(2)").formal.as_rational() == Fraction(0)
    assert number("log(2)*log(3)-log(3)*log(2)").formal.inverse() is None
