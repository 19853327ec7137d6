"""What people write outside the number grammar is answered with what they may mean."""

import random
import re
import sys
from fractions import Fraction

import pytest

from pfverify.errors import InputError
from pfverify.exact.meant import meant
from pfverify.exact.number import Number, number, readings

MEANT = {
    "0,5": "0.5",
    "-0,5": "-0.5",
    "1,5e-3": "1.5e-3",
    "log(1,5)": "log(1.5)",
    "1/0,5": "1/0.5",
    "ln(3)": "log(3)",
    "ln 3": "log(3)",
    "LOG(3)": "log(3)",
    "1/(2*ln(3))": "1/(2*log(3))",
    "log2(9)": "log(9)/log(2)",
    "1/log10(2)": "1/(log(2)/log(10))",
    "2^3": "8",
    "2**3": "8",
    "-2^2": "-4",
    "2^-3": "1/8",
    "2^3^2": "512",
    "(1/2)^3": "1/8",
    "2³": "8",
    "10^-6": "1e-6",
    "1\u00d710⁻⁶": "1*1e-6",
    "2^(1/2)": "sqrt(2)",
    "2^(1/3)": "exp(1/3*log(2))",
    "log(2)^2": "log(2)*log(2)",
    "log(2)^-2": "1/(log(2)*log(2))",
    "e^2": "exp(2)",
    "1-1/e": "1-1/exp(1)",
    "exp(1)^2": "exp(2)",
    "5%": "1/20",
    "5 %": "1/20",
    "12,5%": "1/8",
    "(1+2)%": "3/100",
    "log(2)%": "log(2)/100",
    "3‰": "3/1000",
    "√2": "sqrt(2)",
    "1/√(2)": "1/sqrt(2)",
    "½": "1/2",
    "1½": "3/2",
    "\uff10\uff0e\uff15": "0.5",
    "\u0660\u066b\u0665": "0.5",
    "\u22121": "-1",
    "2·3": "2*3",
    "1 000": "1000",
    "1_000": "1000",
    "1'000'000": "1000000",
    "1 000 000,5": "1000000.5",
    "1.000,5": "1000.5",
    "1,000.5": "1000.5",
    "1,000,000": "1000000",
    "2 log(3)": "2*log(3)",
    "2(1+3)": "2*(1+3)",
}
NOT_MEANT = [
    "", "five", "1 2", "1 e-6", "e-6", "2e", "1/2%", "0^-1", "1.2.3", "1,2,3", "1;2", "0x10",
    "((", "1+", "^", "%", "√", "ln", "ln(-1)", "ln(1-1)^2", "10^10^10", "2^999999", "inf", "∞",
    "nan", "x^2", "1,5" * 99, "(" * 60 + "0,5", "√" * 64, "2^" * 31 + "2",
]  # fmt: skip


@pytest.mark.parametrize("text", MEANT)
def test_the_suggestion_is_read_by_the_grammar(text):
    assert readings(text) == [MEANT[text]]
    Number.parse(MEANT[text])
    with pytest.raises(InputError, match=re.escape(f"(write {MEANT[text]})")) as error:
        number(text, "epsilon")
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(f"epsilon: cannot read {text!r} as a number: ")


@pytest.mark.parametrize("text", NOT_MEANT, ids=lambda text: text[:12])
def test_nothing_is_suggested_for_what_is_not_recognised(text):
    assert readings(text) == []
    with pytest.raises(InputError, match="cannot read"):
        number(text)


def test_a_comma_before_three_digits_may_be_either():
    assert readings("1,000") == ["1.000", "1000"]
    with pytest.raises(InputError, match=r"write 1\.000 or 1000"):
        number("1,000")


def test_what_is_suggested_has_the_value_of_what_was_written():
    """Random expressions as people write them, against Python's own reading of them."""
    draw = random.Random(7)
    suggested = 0
    for _ in range(2000):
        text, value = written(draw, 3)
        if (expected := evaluated(value)) is None:
            continue
        for found in readings(text)[:1]:
            assert number(found).fraction == expected, (text, found)
            suggested += 1
    assert suggested > 500


def written(draw, depth):
    """A text outside the grammar (mostly), and the same for Python, with F for its literals."""
    if depth == 0 or draw.random() < 0.3:
        whole, part = draw.randrange(12), draw.choice(["", "5", "25"])
        point = draw.choice([",", "."])
        text = f"{whole}{point}{part}" if part else str(whole)
        value = f'F("{whole}.{part or 0}")'
        return (f"{text}%", f"({value}/100)") if draw.random() < 0.2 else (text, value)
    a, x = written(draw, depth - 1)
    shape = draw.choice(["+", "-", "*", "/", "^", "( )", "- "])
    if shape == "( )":
        return f"({a})", f"({x})"
    if shape == "- ":
        return f"-{a}", f"-{x}"
    if shape == "^":
        power = draw.choice([0, 1, 2, 3, -1, -2])
        return f"({a})^{power}", f"({x})**{power}"
    b, y = written(draw, depth - 1)
    return f"{a}{shape}{b}", f"{x}{shape}{y}"


def evaluated(text):
    try:
        return eval(text, {"F": Fraction})
    except ZeroDivisionError:
        return None


def test_a_text_in_the_grammar_has_no_suggestion_and_a_long_one_costs_nothing():
    for text in ("0.5", "1e-6", "log(3)", "1/2", "(1+sqrt(7))/2"):
        assert meant(text) == []
    depth = sys.getrecursionlimit()
    for text in ("^" * 10_000, "(" * 64, "√(" * 32, "-" * 63 + "½"):
        assert readings(text) in ([], ["-1/2"], ["-" * 63 + "1/2"])
    assert sys.getrecursionlimit() == depth
