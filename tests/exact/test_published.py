"""Numbers of results: text that orders, converts and prints as it was published."""

from __future__ import annotations

import copy
import math
import pickle
import time
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfverify.errors import UndecidedError
from pfverify.exact.number import Number
from pfverify.exact.published import (
    Exact,
    Infinite,
    Irrational,
    extended,
    latex_of,
    real,
)

TEXTS = ["0", "2.04", "-0.5", "1e-40000", "1.25e20", "1/3", "-94/145", "100", "50.2"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_number_prints_its_text_and_is_worth_it(text: str) -> None:
    number = Exact(text)
    assert str(number) == f"{number}" == text
    assert number == text
    assert number != text + "0"
    assert number == Fraction(text)
    assert hash(number) == hash(Fraction(text))
    assert {number: 1}[Fraction(text)] == 1
    assert (number.numerator, number.denominator) == Fraction(text).as_integer_ratio()
    for again in (copy.copy(number), copy.deepcopy(number), pickle.loads(pickle.dumps(number))):
        assert (type(again), str(again)) == (Exact, text)


@pytest.mark.parametrize(("text", "value"), [("inf", math.inf), ("-inf", -math.inf)])
def test_an_infinity_prints_its_text(text: str, value: float) -> None:
    number = extended(text)
    assert isinstance(number, Infinite)
    assert str(number) == f"{number}" == text
    assert number == text
    assert number == value
    assert hash(number) == hash(value)
    assert str(pickle.loads(pickle.dumps(number))) == text


@pytest.mark.parametrize("text", ["", "nan", "NaN", "infinity", "abc", "1..2", "log(3)"])
def test_other_text_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not|Invalid"):
        extended(text)
    with pytest.raises(ValueError, match="is not infinite"):
        Infinite(text)


def test_the_largest_of_scales_is_the_largest() -> None:
    """As texts it was 50.2: "5" comes after "1"."""
    scales = [extended(text) for text in ("50.2", "100", "1e-40000", "inf", "1/3", "-inf")]
    assert [str(scale) for scale in sorted(scales)] == ["-inf", "1e-40000", "1/3", "50.2", "100",
                                                        "inf"]  # fmt: skip
    assert max(scales[:2]) == 100


LEFT = st.one_of(st.decimals(-9, 9, places=3).map(str), st.fractions().map(str))
RIGHT = st.one_of(st.integers(), st.fractions(), st.decimals(-9, 9, places=3),
                  st.sampled_from([math.inf, -math.inf]))  # fmt: skip


@given(LEFT, RIGHT)
def test_numbers_order_as_fractions_do(text: str, other: Any) -> None:
    exact, plain = Exact(text), Fraction(text)
    against = other if isinstance(other, float) else Fraction(other)
    for number in (other, extended(str(other)) if isinstance(other, float) else Exact(str(other))):
        assert (exact < number) == (plain < against) == (number > exact)
        assert (exact <= number) == (plain <= against) == (number >= exact)
        assert (exact == number) == (plain == against) == (number == exact)


def test_arithmetic_gives_plain_fractions() -> None:
    number = Exact("0.5")
    for value in (number + 1, 1 - number, number * number, number / 3, -number, abs(number)):
        assert type(value) is Fraction
    assert str(number + 0) == "1/2"
    assert number / extended("inf") == 0


@pytest.mark.parametrize(("text", "spec", "shown"), [
    ("0.556756", ".3f", "0.557"), ("1/3", ".4f", "0.3333"), ("0.5", ".0f", "0"),
    ("0.556756", ".2e", "5.57e-1"), ("0.125", ".1%", "12.5%"), ("12345.5", ",.1f", "12,345.5"),
    ("2.04", ">8", "    2.04"), ("2.04", "8", "2.04    "), ("2.04", "<6s", "2.04  "),
    ("2.04", "*^8", "**2.04**"), ("2.04", "08.3f", "0002.040"), ("1e-40000", ".3f", "0.000"),
])  # fmt: skip
def test_formats(text: str, spec: str, shown: str) -> None:
    """Widths alone are for the text; the rest is for the number, on every Python."""
    assert format(Exact(text), spec) == shown


def test_a_number_far_from_one_costs_nothing_until_its_integers_are_asked_for() -> None:
    start = time.perf_counter()
    tiny, huge = Exact("1.5e-43429448"), Exact("1e43429448")
    assert 0 < tiny < Fraction(1, 3) < huge < extended("inf")
    assert (float(tiny), float(huge), float(Exact("-1e400"))) == (0.0, math.inf, -math.inf)
    assert tiny
    assert not Exact("0")
    hash(tiny)
    assert time.perf_counter() - start < 0.5


def test_a_fraction_prints_as_data_does() -> None:
    shown = [str(Exact(Fraction(*pair))) for pair in ((1, 2), (1, 3), (23, 20))]
    assert shown == ["0.5", "1/3", "1.15"]
    assert float(Exact(Fraction(10**400, 3))) == math.inf


def test_reprs_are_short() -> None:
    assert repr([Exact("2.04"), extended("-inf")]) == "[2.04, -inf]"
    assert repr(real(Number.parse("log(3)"))) == "log(3)"
    assert len(repr(Exact("1" * 4000))) < 80


def test_an_expression_orders_exactly_and_keeps_its_text() -> None:
    number = real(Number.parse("log(3)"))
    assert isinstance(number, Irrational)
    assert str(number) == f"{number}" == "log(3)"
    assert number == "log(3)"
    assert Decimal("1.0986122886") < number < Fraction("1.0986122887")
    assert extended("-inf") < number < extended("inf")
    assert Exact("1.09") < number
    assert number < real(Number.parse("log(4)"))
    assert f"{number:.4f}" == "1.0986"
    assert math.isclose(float(number), math.log(3))
    assert isinstance(real(Number.parse("1/2")), Exact)
    assert str(pickle.loads(pickle.dumps(number))) == "log(3)"


def test_an_order_that_no_precision_decides_is_refused() -> None:
    nested = "sqrt(2)*log(3)"
    one, other = (real(Number.parse(text)) for text in (nested, f"log(3)*{nested[:7]}+0*log(2)"))
    with pytest.raises(UndecidedError, match="cannot decide the sign"):
        bool(one < other)  # type: ignore[operator]


@pytest.mark.parametrize("other", [None, "1", [], object()])
def test_nothing_else_is_ordered(other: Any) -> None:
    for number in (Exact("1"), extended("inf"), real(Number.parse("log(3)"))):
        with pytest.raises(TypeError):
            bool(number < other)


def test_mpmath_reads_the_text_at_its_own_precision() -> None:
    with mpmath.workdps(50):
        assert mpmath.mpf(Exact("0.1")) == mpmath.mpf("0.1")
        assert mpmath.mpf(Exact("1/3")) == mpmath.mpf(1) / 3


def test_latex() -> None:
    texts = [latex_of(extended(text)) for text in ("0.5", "2e-7", "-inf")]
    assert texts == ["0.5", "2 \\cdot 10^{-7}", "-\\infty"]
