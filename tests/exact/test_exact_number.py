"""The one door for numbers: what is read, what is refused, and how fast."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from number_grammar import READ, REFUSED
from support import oracles
from support.problems import limited

from pfverify.errors import InputError
from pfverify.exact.ball import precision
from pfverify.exact.number import Number, number, rational


@pytest.mark.parametrize(("text", "value"), READ, ids=[t[:20] for t, _ in READ])
def test_reads(text: str, value: str) -> None:
    assert Number.parse(text).fraction == Fraction(value)


@pytest.mark.parametrize("text", REFUSED, ids=[ascii(t[:20]) for t in REFUSED])
def test_refuses_at_once_in_one_line(text: str) -> None:
    start = time.perf_counter()
    with limited(10), pytest.raises(InputError) as caught:
        Number.parse(text)
    assert time.perf_counter() - start < 1
    message = str(caught.value)
    assert "\n" not in message
    assert 10 < len(message) < 300


expressions = st.recursive(
    st.one_of(
        st.integers(0, 50).map(str),
        st.fractions(0, 20, max_denominator=12).map(str),
        st.integers(2, 12).map(lambda n: f"log({n})"),
        st.integers(-3, 3).map(lambda n: f"exp({n})"),
    ),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda t: f"({t[0]}){t[1]}({t[2]})"
    ),
    max_leaves=6,
)


def evaluated(text: str) -> object:
    """The value by Python's own reader of expressions, in 60-digit arithmetic."""
    import ast

    def walk(node: ast.expr) -> object:
        if isinstance(node, ast.Constant):
            return oracles.mpf(node.value)
        if isinstance(node, ast.Call):
            return getattr(oracles.ctx, node.func.id)(walk(node.args[0]))
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand)
        left, right = walk(node.left), walk(node.right)
        return {
            ast.Add: lambda: left + right,
            ast.Sub: lambda: left - right,
            ast.Mult: lambda: left * right,
            ast.Div: lambda: left / right,
        }[type(node.op)]()

    return walk(ast.parse(text, mode="eval").body)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(expressions)
def test_text_round_trip_value_and_sign(text: str) -> None:
    try:
        found = Number.parse(text)
    except InputError:
        return  # a division by zero
    again = Number.parse(found.text)
    assert again.text == found.text
    assert again == found
    value = evaluated(text)
    for form in (found, again):
        with precision(220):
            ends = form.ball().ends()
        assert ends is not None
        low, high = (oracles.ctx.ldexp(oracles.mpf(m), e) for m, e in ends)
        slack = (1 + abs(value)) * oracles.mpf(10) ** -40
        assert low - slack <= value <= high + slack
    sign = found.sign()
    if abs(value) > oracles.CLOSE:
        assert sign == (1 if value > 0 else -1)
    else:
        assert sign in (0, None)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions())
def test_rational_round_trip(value: Fraction) -> None:
    found = Number.of_rational(value)
    assert Number.parse(found.text).fraction == value
    assert number(value).fraction == value
    assert rational(str(value)) == value


@pytest.mark.parametrize("value", [0.5, float("nan"), float("inf"), True, None, 1j, [1], (1, 2)])
def test_only_exact_types_enter(value: object) -> None:
    with pytest.raises(InputError, match="epsilon") as caught:
        number(value, "epsilon")
    assert "\n" not in str(caught.value)


def test_floats_lose_the_number_and_decimals_do_not() -> None:
    with pytest.raises(InputError, match="float"):
        number(0.52)
    assert number(Decimal("0.52")).fraction == Fraction(13, 25)
    assert number("0.52").fraction == Fraction(13, 25)
    with pytest.raises(InputError):
        number(Decimal("NaN"))
    with pytest.raises(InputError):
        number(Decimal("1e999999"))
    import numpy

    assert number(numpy.int64(7)).fraction == 7
    with pytest.raises(InputError):
        number(numpy.float64(0.5))


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["exp(1)"] * 1400),
        "+".join(["log(2)"] * 1400),
        "*".join(["exp(1)"] * 1200),
        "1e4000*1e4000",
        "log(1" + "3" * 4000 + ")",
        "-" * 9000 + "1",
        "exp(1e8)-exp(1e8)",
        "/".join(["3"] * 5000),
    ],
    ids=["exp sum", "log sum", "product", "big", "log of big", "signs", "cancels", "quotients"],
)
def test_large_texts_are_read_or_refused_in_one_line(text: str) -> None:
    """No traceback, whatever the size: a number with text and sign, or InputError."""
    with limited(10):
        try:
            found = Number.parse(text)
        except InputError:
            return
        assert found.sign() in (-1, 0, 1)
        assert Number.parse(found.text) == found


def test_zero_found_by_the_zero_test() -> None:
    for text in ("log(4)-2*log(2)", "log(12)-log(3)-2*log(2)", "exp(1)*exp(-1)-1",
                 "log(exp(3))-3", "exp(log(3))-3", "exp(log(12)/2)-2*exp(log(3)/2)",
                 "exp(1/2*log(2))*exp(1/2*log(8))-4"):  # fmt: skip
        assert Number.parse(text).sign() == 0, text


OTHER_PROCESS = """
import pickle, sys
from pfverify.exact.number import Number
one, ten = pickle.load(sys.stdin.buffer)
e = one.exp()
print((ten * (e - Number.parse("1")) + e - (one + one).exp()).sign())
"""


def test_signs_are_the_same_in_another_process() -> None:
    """Before Python 3.12 each process hashes None in its own way: equal terms still meet."""
    sent = pickle.dumps([Number.parse("1"), Number.parse("10")])
    command = [sys.executable, "-c", OTHER_PROCESS]
    result = subprocess.run(command, input=sent, capture_output=True, check=True)
    assert result.stdout.split() == [b"1"]


@pytest.mark.parametrize("digits", [1, 30, 37, 38, 40, 400, 4000])
def test_at_most_is_above_0_where_logarithms_cancel(digits: int) -> None:
    found = Number.parse(f"log(1+1e-{digits})").at_most()
    assert 0 < found < Fraction(1, 10**digits)
    assert found > Fraction(1, 3 * 10**digits)
    assert Number.parse(f"log(1+1e-{digits})-log(1+1e-{digits})").at_most() == 0
