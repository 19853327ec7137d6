"""The exact entries of channels: read once, folded, summed and multiplied."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from pfverify import InputError
from pfverify.exact.ball import precision
from pfverify.exact.number import Number, number
from pfverify.model.channels.entries import (
    Entry,
    Products,
    Reader,
    as_number,
    difference,
    folded,
    largest,
    over_one_denominator,
    product,
    quotient,
    total,
)
from pfverify.model.channels.exponential import ExponentialMechanism
from pfverify.model.channels.parameters import power_of_e
from pfverify.model.channels.released import released

F = Fraction
TEXTS = [
    "exp(1/2)", "exp(-1)", "1/(1+exp(1/2))", "exp(1/2)/(1+exp(1/2))", "sqrt(2)",
    "exp(sqrt(3))", "1/(2+exp(1))", "exp(log(3)/2)",
]  # fmt: skip


def same(found: Entry, expected: Number) -> bool:
    return (as_number(found) - expected).sign() == 0


@pytest.mark.parametrize("text", [
    "0", "7", "007", "1/2", "2/4", "0.25", "00.250", "1.", ".5", "5e-1", "-1/2", " 1/2 ", "1 / 2",
    "12345678901234567890/3", "9" * 500, "1/" + "9" * 500, "0." + "1" * 450, "2*3",
])  # fmt: skip
def test_a_text_is_read_as_by_the_grammar(text: str) -> None:
    found = Reader().read(text, "rows[0]")
    assert type(found) is Fraction
    assert found == number(text).fraction


@pytest.mark.parametrize("text", ["1/0", "", "0x1", "1_000", "1/2/", "½", "१", "1.2.3", "1e99999"])
def test_a_text_that_the_grammar_refuses_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^rows\[0\]: "):
        Reader().read(text, "rows[0]")


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.long)])
def test_sums_and_products_are_those_of_numbers(count: int) -> None:
    rng = Random("entries")
    for _ in range(count):
        values: list[Entry] = [
            folded(number(rng.choice(TEXTS))) if rng.random() < 0.7 else F(rng.randint(-3, 9), 4)
            for _ in range(rng.randint(1, 5))
        ]
        plain = [as_number(value) for value in values]
        summed = plain[0]
        for value in plain[1:]:
            summed = summed + value
        assert same(total(values), summed)
        first, second = values[0], values[-1]
        assert same(product(first, second), plain[0] * plain[-1])
        assert same(Products().of(first, second), plain[0] * plain[-1])
        assert same(difference(first, second), plain[0] - plain[-1])
        if second:
            assert same(quotient(first, second), plain[0] / plain[-1])


def test_rational_values_are_fractions() -> None:
    assert folded(number("exp(log(3))/4")) == F(3, 4)
    assert folded(number("log(2)/log(4)")) == F(1, 2)
    assert folded(number("(exp(1)+2)/(2*exp(1)+4)")) == F(1, 2)
    assert total([number("exp(1)/(1+exp(1))"), number("1/(1+exp(1))")]) == F(1)
    assert product(number("sqrt(2)"), number("sqrt(8)")) == F(4)
    assert product(number("exp(1)"), F(0)) == F(0)
    assert total([]) == F(0)
    big = number("20000*log(3)").exp()  # of more than 4300 digits
    assert folded(big) is big
    assert power_of_e(number("log(3)"), F(-2)) == F(1, 9)
    assert power_of_e(number(5), F(0)) == F(1)


def test_products_of_one_value_are_one_object() -> None:
    products = Products()
    one = products.of(number("exp(1)"), number("exp(2)"))
    assert products.of(number("exp(1)"), number("exp(2)")) is one
    assert products.of(F(1, 2), F(2, 3)) == F(1, 3)


def test_the_largest_is_found_exactly() -> None:
    values = [F(3, 2), number("sqrt(2)"), number("log(5)"), number("exp(log(5)/4)")]
    assert largest(values, "scores") == number("log(5)")
    assert largest([F(1), F(2)], "scores") == F(2)
    assert over_one_denominator([F(1, 2), F(1, 3)]) == ([3, 2], 6)
    assert over_one_denominator([F(1, 2), number("log(2)")]) is None


def test_long_sums_of_different_denominators_are_the_numbers_still() -> None:
    rng = Random("long")
    names = [f"v{k}" for k in range(60)]
    scores = [[rng.randint(0, 10**4) for _ in names] for _ in names]
    channel = ExponentialMechanism(names, names, scores, 7)
    law = released(channel, {name: F(1, 3) for name in names[:3]})
    with precision(200):
        for k in range(0, 60, 7):
            expected = sum(as_number(channel.rows[x][k]).ball().raw for x in range(3)) / 3
            gap = as_number(law[k]).ball().raw - expected
            assert gap.contains(0)
            assert gap.rad() < 1e-40
    even = total(law)
    with precision(200):
        assert as_number(even).ball().raw.overlaps(1)
