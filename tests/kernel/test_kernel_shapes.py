"""Shapes that files promise, and what is said of others."""

from __future__ import annotations

from fractions import Fraction

import pytest
from core import shapes
from core.grammar import Malformed

F = Fraction


def test_a_table_has_all_of_its_keys_and_no_others() -> None:
    value = {"a": 1, "b": 2}
    assert shapes.table(value, "it", {"a"}, {"b", "c"}) is value
    for required, optional, said in (
        ({"a", "b", "d", "c"}, set(), 'it lacks "c"'),  # the first of them
        ({"a"}, set(), 'it has the key "b", not supported by this kernel'),
        ({"a", "c"}, {"d"}, 'it has the key "b", not supported by this kernel'),
    ):
        with pytest.raises(Malformed) as refused:
            shapes.table(value, "it", required, optional)
        assert str(refused.value) == said
    with pytest.raises(Malformed, match="it must be a table"):
        shapes.table([value], "it", {"a"})


def test_a_number_has_at_most_10000_characters() -> None:
    most = "+".join(["1" * 100] * 99) + "+0"
    most += " " * (shapes.MAX_TEXT - len(most))
    assert len(most) == 10_000
    assert shapes.parse(most) == 99 * int("1" * 100)
    with pytest.raises(Malformed, match="a number of more than 10000 characters"):
        shapes.parse(most + " ")


def test_what_increases_is_told_by_its_name() -> None:
    assert shapes.increasing(["-1/2", "0", "7"], "cuts") == [F(-1, 2), 0, 7]
    assert shapes.increasing([], "cuts") == []
    for value, said in (
        (["exp(1)"], "a cut must be rational"),
        ([1], "a cut must be a string"),
        (["0.5"], "a cut is not written canonically"),
        (["0", "0"], "cuts must increase"),
        (["0", "2", "1"], "cuts must increase"),
        ({}, "cuts must be an array"),
    ):
        with pytest.raises(Malformed) as refused:
            shapes.increasing(value, "cuts")
        assert str(refused.value) == said


def test_common_denominators() -> None:
    assert shapes.common_denominator([F(1, 4), F(1, 6), F(5, 4), 3], "it") == 12
    assert shapes.common_denominator([], "it") == 1
    assert shapes.exact_sum([F(1, 4), F(1, 6), F(-5, 4), 3], "it") == F(13, 6)
    assert shapes.common_denominator([F(1, 2**9)], "it", 10) == 2**9
    with pytest.raises(Malformed, match="it: a common denominator that is too long"):
        shapes.common_denominator([F(1, 2**9), F(1, 3)], "it", 10)
