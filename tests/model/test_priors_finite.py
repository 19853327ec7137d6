"""Priors over named inputs: exact masses, and no use as numbers on the line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pfverify import (
    Discrete,
    Finite,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    System,
    calibrate,
    certify,
    loss,
)
from pfverify.model.kinds import read_priors

F = Fraction


def test_masses_are_exact_and_named() -> None:
    prior = Finite({"b": "1/4", "a": 0, "c": "0.75"})
    assert prior.mass == {"b": F(1, 4), "a": F(0), "c": F(3, 4)}
    assert prior.support == {"b": F(1, 4), "c": F(3, 4)}
    assert prior.canonical() == [["b", "1/4"], ["c", "3/4"]]
    assert prior.to_table() == {"kind": "finite", "mass": {"b": "1/4", "a": "0", "c": "3/4"}}
    assert Finite.from_table(prior.to_table()) == prior
    assert Finite(counts={"b": 1, "c": 3}) == prior
    assert hash(Finite({"c": "3/4", "b": "1/4"})) == hash(prior)
    assert Finite({"b": 1}) != prior
    assert prior.normal_form() is prior


def test_the_order_of_a_channel_orders_the_masses() -> None:
    prior = Finite({"c": "3/4", "a": 0, "b": "1/4"}).in_order_of(("a", "b", "c", "d"))
    assert list(prior.mass) == ["a", "b", "c"]
    assert prior.canonical() == [["b", "1/4"], ["c", "3/4"]]
    said = r"^'c' is no input of the channel, expected one of a, b$"
    with pytest.raises(InputError, match=said):
        prior.in_order_of(("a", "b"))


@pytest.mark.parametrize(("table", "said"), [
    ({"mass": {"a": "1/2"}}, "the masses sum to 1/2, expected exactly 1"),
    ({"mass": {"a": "3/2", "b": "-1/2"}}, "mass of input 'b' is -1/2, expected a number >= 0"),
    ({"mass": {"a": "exp(-1)", "b": "1-exp(-1)"}},
     "mass of input 'a': expected a rational number, got exp(-1)"),
    ({"mass": {"a": 1}, "counts": {"a": 1}},
     "a finite prior takes exactly one of mass and counts"),
    ({}, "a finite prior takes exactly one of mass and counts"),
    ({"mass": {}}, "the support is empty: a prior needs at least one input"),
    ({"counts": {"a": "1/2"}}, "count of input 'a' is 1/2, expected an integer"),
    ({"counts": {"a": 0}}, "the counts are all 0: a prior needs at least one record"),
    ({"mass": [1]}, "entry 1: expected a pair (input, amount), got '1'"),
    ({"mass": {3: 1}}, "mass of input '3': the name is not text, expected names in quotes"),
    ({"mass": {"a": 1.0}}, "mass of input 'a': 1.0 is a float, which is not the number you wrote; "
     'give it as text ("1.0") or as a Fraction'),
])  # fmt: skip
def test_bad_input_is_told_in_one_line(table: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Finite.from_table(table)
    assert str(caught.value) == said
    with pytest.raises(InputError) as caught:
        read_priors("priors", {"home": {"kind": "finite", **table}})
    assert str(caught.value) == f"priors.home: {said}"


@pytest.mark.parametrize("ask", [certify, loss, calibrate])
@pytest.mark.parametrize("other", [Finite({"b": 1}), Discrete({0: 1})])
@pytest.mark.parametrize("noise", [Laplace(1), NoNoise()])
def test_names_are_never_taken_for_numbers(
    ask: Callable[[Problem], object], other: Finite | Discrete, noise: Laplace | NoNoise
) -> None:
    with pytest.raises(InputError, match=r"[Ff]inite|density|no scale to find"):
        ask(Problem({"s": Finite({"a": 1}), "t": other}, noise=noise, epsilon=1))


def test_nobody_adds_a_name_to_a_sum() -> None:
    for prior in (Finite({"a": 1}), Finite({"1": "1/2", "2": "1/2"})):
        for read in (lambda p: p.components, lambda p: p.has_density):
            with pytest.raises(InputError, match="about the named inputs of a channel"):
                read(prior)
        users = System([], {"s": prior, "t": "absent"})
        problem = Problem(system=users, noise=Laplace(1), epsilon=1)
        with pytest.raises(InputError, match="about the named inputs of a channel"):
            certify(problem)
