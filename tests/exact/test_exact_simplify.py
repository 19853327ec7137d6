"""Closed forms as people write them: short, read back by both readers, the same number."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from support.readers import kernel_number

from pfverify.exact.ball import precision
from pfverify.exact.number import Number, number
from pfverify.exact.simplify import rational_value, simple_text, simplest_between

SHORT = [
    ("1/2+exp(log(7/4)*(1/2))", "(1+sqrt(7))/2"),
    ("1/2+sqrt(7/4)", "(1+sqrt(7))/2"),
    ("1/log((exp(1)*2)-1)", "1/log(2*exp(1)-1)"),
    ("1/log((exp(1)-1/2)/(1/2))", "1/log(2*exp(1)-1)"),
    ("3/log(exp(log(3)))", "3/log(3)"),
    ("1/log(exp(1/2))", "2"),
    ("log(9)/log(3)", "2"),
    ("exp(log(2)/2)*3", "3*sqrt(2)"),
    ("sqrt(8)/3-2", "(2*sqrt(2)-6)/3"),
    ("(1+sqrt(1+6*log(3)))/(2*log(3))", "(1+sqrt(1+6*log(3)))/(2*log(3))"),
    ("(exp(1)*(13/25)-1/2)/(12/25-exp(1)/2)", "(26*exp(1)-25)/(24-25*exp(1))"),
    ("0.52", "13/25"),
    ("1e60+exp(1)", f"{10**60}+exp(1)"),
    ("sqrt(1e80+1/3)/2", f"sqrt({9 * 10**80 + 3})/6"),
]


@pytest.mark.parametrize(("text", "short"), SHORT)
def test_closed_forms_are_short(text: str, short: str) -> None:
    assert simple_text(number(text)) == short


def random_number(rng: random.Random, depth: int) -> Number:
    if depth == 0:
        return number(rng.choice(["1", "2", "1/3", "7/4", "log(3)", "exp(1/2)", "sqrt(12)", "5"]))
    left, right = (random_number(rng, depth - 1) for _ in range(2))
    kind = rng.choice("+-*/lsx")
    if kind == "/" and right.sign() not in (0, None):
        return left / right
    if kind in "ls" and left.sign() == 1:
        return left.log() if kind == "l" else left.sqrt()
    if kind == "x" and rng.random() < 0.5:
        return (left.log() / number(2)).exp() if left.sign() == 1 else -left
    return left - right if kind == "-" else left * right if kind == "*" else left + right


def test_random_numbers_read_back_as_themselves() -> None:
    """The short text is no longer, and the same number to both readers; many become shorter."""
    rng = random.Random(20)
    counts = {"tried": 0, "shorter": 0, "rational": 0, "with a root": 0}
    for _ in range(250):
        value = random_number(rng, rng.randint(1, 3))
        text = simple_text(value)
        again = number(text)
        counts["tried"] += 1
        counts["shorter"] += len(text) < len(value.text)
        counts["with a root"] += "sqrt" in text
        assert len(text) <= len(value.text)
        assert kernel_number(text) == again.text
        with precision(2000):
            gap = value.ball() - again.ball()
            assert gap.certain_sign() is None, (value.text, text)
        found = rational_value(value)
        if found is not None:
            assert Number.parse(text).fraction == found
            counts["rational"] += 1
        if again.fraction is not None:
            assert found == again.fraction
    assert counts["shorter"] > 100
    assert counts["rational"] > 20
    assert counts["with a root"] > 40


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/log(exp(5))", "1/5"), ("sqrt(2)*sqrt(8)", 4), ("(1+sqrt(2))*(sqrt(2)-1)", 1),
     ("1/log(2*exp(1)-1)", None), ("exp(1)", None), ("2+1e-30*log(2)", None),
     ("log(4)-2*log(2)", 0), ("(exp(2)-1)/(exp(1)-1)-exp(1)", 1)],
)  # fmt: skip
def test_rational_after_all(text: str, value: object) -> None:
    expected = None if value is None else Fraction(value)  # type: ignore[arg-type]
    assert rational_value(number(text)) == expected


def test_simplest_between_has_the_least_denominator() -> None:
    rng = random.Random(3)
    for _ in range(300):
        low = Fraction(rng.randint(-60, 60), rng.randint(1, 40))
        high = low + Fraction(1, rng.randint(1, 60))
        found = simplest_between(low, high)
        assert low <= found <= high
        for q in range(1, found.denominator):
            assert (low * q).__ceil__() > high * q
