"""The budget by itself: what is charged for, and when it ends."""

from __future__ import annotations

from fractions import Fraction

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import work
from core.work import AT_LEAST, PER_BYTE, TooMuchWork


def test_the_budget_is_linear_in_the_bytes() -> None:
    assert (AT_LEAST, PER_BYTE) == (16_000_000, 2_000)
    for size in (0, 1, 1000):
        with work.checking(size) as check:
            work.spend(7)
            assert (check.spent, check.allowed) == (7, 16_000_000 + 2_000 * size)


def test_outside_of_a_check_nothing_is_refused() -> None:
    work.spend(1 << 63)
    with pytest.raises(TooMuchWork), work.checking(0):
        work.spend(1 << 63)
    work.spend(1 << 63)


def test_a_check_inside_another_has_its_own_count() -> None:
    with work.checking(0) as outer:
        with work.checking(0) as inner:
            work.spend(3)
        work.spend(5)
    assert (outer.spent, inner.spent) == (5, 3)


def test_a_check_notes_by_which_facts_its_rules_held() -> None:
    with work.checking(0) as one, work.checking(0) as other:
        one.held("pure", {"F1"})
        one.held("pure", {"F3"})
    assert (one.rules, other.rules) == ({"pure": {"F1", "F3"}}, {})


def test_the_last_unit_may_be_spent_and_no_more() -> None:
    with work.checking(0) as check:
        work.spend(AT_LEAST - 1)
        work.spend(1)
        assert check.spent == AT_LEAST
        with pytest.raises(TooMuchWork, match="more than 16000000 units"):
            work.spend(1)


def test_a_table_is_charged_for_each_pair_of_one_hash() -> None:
    prime = (1 << 61) - 1
    alike = [Fraction(k * prime + 5) for k in range(4)]
    assert len({hash(x) for x in alike}) == 1
    for keys, most, charged in (
        ([], 0, 0),
        ([Fraction(1, 3)], 1, 16),
        ([Fraction(1, 3)] * 5, 1, 16),  # a key once
        ([Fraction(1), Fraction(2)], 1, 32),
        (alike, 4, 256),
        ([*alike, Fraction(9)], 4, 272),
    ):
        with work.checking(0) as check:
            assert work.table_of(keys) == most
        assert check.spent == charged


def test_prices() -> None:
    assert [work.price(b) for b in (0, 1, 362, 363, 1 << 10, 1 << 12)] == [1, 1, 1, 2, 9, 129]
    assert [work.product(b) for b in (0, 1, 256, 1 << 10, 1 << 12)] == [1, 1, 2, 9, 65]
