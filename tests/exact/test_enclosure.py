"""Enclosures: comparisons answer where the ends decide, and nowhere else."""

from __future__ import annotations

import math
import operator
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfverify.answers.methods import Minimum
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.enclosure import Enclosure

RELATIONS = [operator.lt, operator.le, operator.gt, operator.ge]
ENDS = st.integers(-4, 4)


def enclosure(one: int, other: int) -> Enclosure:
    return Enclosure(str(min(one, other)), str(max(one, other)))


@given(ENDS, ENDS, ENDS, ENDS)
def test_an_answer_is_that_of_all_numbers_inside(a: int, b: int, c: int, d: int) -> None:
    """Whole ends and halves in between: enough to meet every order of two intervals."""
    first, second = enclosure(a, b), enclosure(c, d)
    for relation in RELATIONS:
        inside = {
            relation(x, y) for x in _points(first) for y in _points(second)
        }
        if len(inside) == 1:
            assert relation(first, second) is inside.pop()
        else:
            with pytest.raises(UndecidedError, match="ask for more digits"):
                relation(first, second)


def _points(one: Enclosure) -> list[Fraction]:
    low, high = Fraction(str(one.lower)), Fraction(str(one.upper))
    return sorted({low, (low + high) / 2, high})


@pytest.mark.parametrize("number", [1, "1", "log(3)", Fraction(3, 2), Decimal("1.5"), np.int64(1)])
def test_numbers_of_every_kind_are_compared(number: Any) -> None:
    assert Enclosure("0.1", "0.2") < number
    assert number > Enclosure("0.1", "0.2")
    assert not Enclosure("2", "2.5") <= number
    assert Enclosure("2", "2.5") > number


def test_a_tie_with_an_expression_is_decided_exactly() -> None:
    assert Enclosure("1", "1") <= "log(exp(1))"
    assert not Enclosure("1", "1") < "log(exp(1))"
    with pytest.raises(UndecidedError):
        bool(Enclosure("1.0986", "1.0987") < "log(3)")


def test_infinite_ends() -> None:
    never, unknown = Enclosure("inf", "inf"), Enclosure("0", "inf")
    assert never > 10**400
    assert never >= math.inf
    assert unknown <= "inf"
    assert unknown >= 0
    with pytest.raises(UndecidedError):
        bool(unknown < 1)
    assert (float(never), math.isnan(float(unknown))) == (math.inf, True)
    assert (never.width, unknown.width) == (0, math.inf)


@pytest.mark.parametrize("value", [0.5, np.float64(0.5), None, True, "half", float("nan")])
def test_floats_and_other_things_are_refused(value: Any) -> None:
    for relation in RELATIONS:
        with pytest.raises(InputError):
            relation(Enclosure("0.1", "0.2"), value)


def test_equality_is_that_of_the_ends() -> None:
    one = Enclosure("0.1", "0.2")
    assert one == Enclosure("0.1", "0.2")
    assert one != Enclosure("0.1", "0.3")
    assert len({one, Enclosure("0.1", "0.2")}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != Minimum("0.1", "0.2", None)


def test_what_is_shown() -> None:
    one = Enclosure("0.1", "0.2")
    assert (one.text, repr(one)) == ("[0.1, 0.2]", "Enclosure('0.1', '0.2')")
    assert (float(one), one.width) == (0.15, Fraction(1, 10))
    assert one._repr_latex_() == "$[0.1,\\ 0.2]$"
    assert Enclosure("inf", "inf")._repr_latex_() == "$\\infty$"
    with pytest.raises(TypeError, match="no truth value"):
        bool(one)


@pytest.mark.parametrize("text", ["", "log(3)", "nan", "x"])
def test_ends_are_decimals_or_fractions(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not|Invalid"):
        Enclosure(text, "1")


def test_a_minimum_is_an_enclosure() -> None:
    least = Minimum("1.9", "2", None)
    assert least <= 2
    assert least > 1
    assert least < "inf"
    assert repr(Minimum("0", "0", "why")) == "Minimum('0', '0', 'why')"
    assert Minimum("0", "0", "why") != Minimum("0", "0", None)
