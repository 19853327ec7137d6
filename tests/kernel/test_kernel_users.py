"""What independent users may be, and what they add to the numbers that are released."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from core.grammar import Malformed
from core.kinds import Mixture
from reader import users
from reader.crowd import Group, crowd
from reader.users import LAW, NOBODY, VALUE, Case, Crowd, Numbers, Others, Secret

F = Fraction
ZERO, ONE = F(0), F(1)


def test_a_chance_is_a_probability() -> None:
    for text, chance in (("0", ZERO), ("1", ONE), ("1/3", F(1, 3)), ("1e-9", F(1, 10**9))):
        assert users.chance_of(text, "it") == chance
    for text in ("-1e-9", "1.000000001", "2", "-1"):
        with pytest.raises(Malformed) as refused:
            users.chance_of(text, "it")
        assert str(refused.value) == "it must lie in [0, 1]"


def test_what_a_table_says_of_a_user() -> None:
    coin = {ZERO: F(2, 3), ONE: F(1, 3)}
    for table, case in (
        ({"point": "1/2"}, Case(VALUE, {F(1, 2): ONE})),
        ({"bernoulli": "1/3"}, Case(LAW, coin)),
        ({"bernoulli": 0}, Case(LAW, {ZERO: ONE})),
        ({"bernoulli": 1}, Case(LAW, {ONE: ONE})),
        ({"counts": {"1": 1, "0": 2}}, Case(LAW, coin)),
        ({"mean": 3, "sd": 2}, Case(LAW, Mixture(((F(3), F(4), ONE),)))),
    ):
        assert Numbers("sum").case(table, "it") == case
    cells = Numbers("histogram", ("x", "y", "z"))
    for table, case in (
        ({"point": "y"}, Case(VALUE, {"y": ONE})),
        ({"counts": {"z": 3, "x": 1, "y": 0}}, Case(LAW, {"x": F(1, 4), "z": F(3, 4)})),
        ({"mass": {"x": 1}}, Case(LAW, {"x": ONE})),
    ):
        assert cells.case(table, "it") == case
    words = (
        "it must be a table with exactly one of point, bernoulli, mass, counts, mean, components"
    )
    tables: list[Any] = [{}, {"point": 1, "bernoulli": 1}, [], {"sd": 1}]
    for wrong in tables:
        with pytest.raises(Malformed) as refused:
            users.case_of(wrong, "it")
        assert str(refused.value) == words


@pytest.mark.parametrize(("numbers", "mean"), [
    (Numbers("sum"), False),
    (Numbers("mean"), True),
    (Numbers("histogram", ("count", "mean")), False),  # a category of that name
    (Numbers("", ("count", "mean")), True),
    (Numbers("", ("sum", "count")), False),
])  # fmt: skip
def test_which_numbers_are_divided_by_the_number_of_users(numbers: Numbers, mean: bool) -> None:
    assert numbers.has_mean is mean


def test_what_a_user_adds() -> None:
    law = Case(LAW, {F(6): F(1, 4), F(9): F(3, 4)})
    names = ("count", "mean", "sum")
    for numbers, case, rows in (
        (Numbers("sum"), law, [((F(6), ZERO), F(1, 4)), ((F(9), ZERO), F(3, 4))]),
        (Numbers("mean"), law, [((F(2), ZERO), F(1, 4)), ((F(3), ZERO), F(3, 4))]),
        (Numbers("mean"), NOBODY, [((ZERO, ZERO), ONE)]),
        (Numbers("", names), NOBODY, [((ZERO, ZERO, ZERO), ONE)]),
        (Numbers("", names), law, [((ONE, F(2), F(6)), F(1, 4)), ((ONE, F(3), F(9)), F(3, 4))]),
        (Numbers("histogram", ("x", "y")), NOBODY, [((ZERO, ZERO), ONE)]),
        (Numbers("histogram", ("x", "y")), Case(LAW, {"x": F(1, 3), "y": F(2, 3)}),
         [((ONE, ZERO), F(1, 3)), ((ZERO, ONE), F(2, 3))]),
    ):  # fmt: skip
        assert numbers.adds(case, 3) == rows
    for numbers, count in ((Numbers("sum"), 2), (Numbers("", names), 3)):
        assert numbers.origin == (ZERO,) * count


def test_the_sum_of_the_others_is_made_once_for_each_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Users of one law are one group, whoever of them is protected."""
    coin, three = Case(LAW, {ZERO: F(1, 2), ONE: F(1, 2)}), Case(VALUE, {F(3): ONE})
    others = [Others(coin, 2, ONE), Others(three, 1, ONE), Others(coin, 1, ONE)]
    secrets = {"a": Secret(three, None), "b": Secret(NOBODY, None), "c": Secret(coin, 0),
               "d": Secret(three, 0), "e": Secret(three, 1)}  # fmt: skip
    calls: list[list[int]] = []

    def counted(groups: list[Group]) -> Any:
        calls.append([group.users for group in groups])
        return crowd(groups)

    monkeypatch.setattr(users, "crowd", counted)
    made = Crowd(Numbers("sum"), 5, others, secrets)
    eighth = F(1, 8)
    assert made.law("a", 1) == {F(k + 6): eighth * n for k, n in enumerate((1, 3, 3, 1))}
    assert made.law("b", 1) == {F(k + 3): eighth * n for k, n in enumerate((1, 3, 3, 1))}
    assert calls == [[3, 1]]
    assert made.law("c", 1) == {F(k + 3): eighth * n for k, n in enumerate((1, 3, 3, 1))}
    assert made.law("d", 1) == {F(k + 6): 2 * eighth * n for k, n in enumerate((1, 2, 1))}
    assert calls == [[3, 1], [2, 1]]
    assert made.law("e", 1) == {F(k + 3): eighth * n for k, n in enumerate((1, 3, 3, 1))}
    assert made.law("a", 1) == {F(k + 6): eighth * n for k, n in enumerate((1, 3, 3, 1))}
    assert calls == [[3, 1], [2, 1], [3], [3, 1]]
