"""Numbers with exp, log or sqrt: signs where an end is exactly 1, what is refused and with which
words, and the powers of a quotient that the zero test takes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from core.enclose import Undecided
from core.grammar import Malformed
from core.irrational import _log_of_quotient, form_of, require_defined, sign, sum_of
from core.logarithms import log_form
from core.shapes import parse
from core.zero import NIL, Sum, constant, is_zero, plus, times

ONE = Fraction(1)
E = constant(ONE)  # the exponent of e


@pytest.mark.parametrize("x", ["0", "1/3", "1/2", "1", "3/2"])
def test_signs_of_fractions(x: str) -> None:
    way = 0 if x == "0" else 1
    assert sign(Fraction(x)) == way
    assert sign(-Fraction(x)) == -way


@pytest.mark.parametrize("zero", ["0*log(2)", "0*exp(1)*sqrt(2)", "log(3)*(1/2-2/4)"])
def test_signs_of_numbers_whose_enclosures_are_points(zero: str) -> None:
    """The sum with 1 is enclosed by 1 itself at every precision."""
    assert sign(parse(zero)) == 0
    assert sign(parse(f"{zero}+1")) == 1
    assert sign(parse(f"{zero}-1")) == -1
    assert sign(parse(f"{zero}+1/2")) == 1
    assert sign(parse(f"{zero}-1/2")) == -1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("log(2)/(0*log(3))", 'division by zero in "(log(2)/(0*log(3)))"'),
        ("1/(log(4)-2*log(2))", 'division by zero in "(1/(log(4)-(2*log(2))))"'),
        ("log(0)", 'logarithm of a number that is not positive in "log(0)"'),
        ("log(-1/2)", 'logarithm of a number that is not positive in "log(-1/2)"'),
        ("log(1-exp(1))", 'logarithm of a number that is not positive in "log((1-exp(1)))"'),
        ("sqrt(-1/2)", 'square root of a number that is not positive in "sqrt(-1/2)"'),
        ("sqrt(1-exp(0))", 'square root of a number that is not positive in "sqrt((1-exp(0)))"'),
        (
            "1/exp(exp(1e6))",  # no enclosure at any precision, and no identity
            'cannot decide whether "(1/exp(exp(1000000)))" is defined: '
            'the sign of "exp(exp(1000000))" is not decided',
        ),
        (
            "3+2*log(exp(exp(1e6))-exp(1))",
            'cannot decide whether "log((exp(exp(1000000))-exp(1)))" is defined: '
            'the sign of "(exp(exp(1000000))-exp(1))" is not decided',
        ),
    ],
)
def test_what_is_not_defined_is_refused(text: str, message: str) -> None:
    with pytest.raises(Malformed) as refused:
        require_defined(parse(text))
    assert str(refused.value) == message


@pytest.mark.parametrize("text", ["1/(log(1/2))", "log(2)/-1", "log(1/2)", "sqrt(2/3)", "exp(-3)"])
def test_divisors_alone_may_be_negative(text: str) -> None:
    require_defined(parse(text))


@pytest.mark.parametrize("c", [Fraction(-1, 2), Fraction(-1), Fraction(-3)])
def test_a_monomial_has_a_logarithm_where_it_is_positive(c: Fraction) -> None:
    assert _log_of_quotient({E: -3 * c}, {NIL: Fraction(3)}) == plus(E, log_form(-c))
    for n, d in (({E: c}, {NIL: ONE}), ({NIL: ONE}, {E: c})):
        with pytest.raises(Malformed, match="a logarithm of a number that is not positive"):
            _log_of_quotient(n, d)


@pytest.mark.parametrize("below", ["exp(2)-3", "1+exp(1)-exp(1/2)", "3*exp(1)"])
def test_quotients_of_one_denominator_keep_it(below: str) -> None:
    n, d = sum_of(parse(f"exp(1)/({below})-3/({below})"))
    assert d == sum_of(parse(f"1/({below})"))[1]
    assert n == {E: ONE, NIL: Fraction(-3)}


R = "log(1+exp(1))"  # e^R = 1 + e, a quotient of sums


def tie(power: int) -> Sum:
    """R^(power + 1) - R^power - e R^power, which is 0 (R for e^R here)."""
    k = times(form_of(parse(R)), Fraction(power))
    more = times(form_of(parse(R)), Fraction(power + 1))
    return {more: ONE, k: -ONE, plus(k, E): -ONE}


@pytest.mark.parametrize("least", [-1000, -500, 0, 7])
def test_powers_of_a_quotient_span_up_to_1000(least: int) -> None:
    low, high = tie(least), tie(least + 999)  # together from R^least to R^(least + 1000)
    assert is_zero({**low, **high})
    for f in low:
        assert not is_zero({**low, **high, f: 2 * low[f]})
    with pytest.raises(Undecided, match="powers too large for the exact zero test"):
        is_zero({**low, **tie(least + 1000)})
