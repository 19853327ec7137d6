"""The budget by itself: what is charged for, and when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import work
from core.work import AT_LEAST, PER_BYTE, WORK, TooMuchWork


@pytest.fixture(autouse=True)
def _unbounded_afterwards() -> Iterator[None]:
    yield
    work.unbounded()


def test_the_budget_is_linear_in_the_bytes() -> None:
    assert (AT_LEAST, PER_BYTE) == (16_000_000, 2_000)
    for size in (0, 1, 1000):
        work.spend(7)
        work.allow(size)
        assert (WORK.used, WORK.allowed) == (0, 16_000_000 + 2_000 * size)
    work.unbounded()
    assert WORK.allowed == 1 << 62


def test_nothing_is_refused_before_the_first_check() -> None:
    fresh = work._Work()
    assert (fresh.used, fresh.allowed) == (0, 1 << 62)


def test_the_last_unit_may_be_spent_and_no_more() -> None:
    work.allow(0)
    work.spend(AT_LEAST - 1)
    work.spend(1)
    assert WORK.used == AT_LEAST
    with pytest.raises(TooMuchWork, match="more than 16000000 units"):
        work.spend(1)
    work.unbounded()
    work.spend(1)
    assert WORK.used == AT_LEAST + 2


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
        work.allow(0)
        assert work.table_of(keys) == most
        assert WORK.used == charged


def test_prices() -> None:
    assert [work.price(b) for b in (0, 1, 362, 363, 1 << 10, 1 << 12)] == [1, 1, 1, 2, 9, 129]
    assert [work.product(b) for b in (0, 1, 256, 1 << 10, 1 << 12)] == [1, 1, 2, 9, 65]
