"""Statements of channels: equal to the exact rows, for every kind."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product as tuples
from typing import Any

import pytest
from support.channel_tables import RESPONSE, SCORES, TABLES, TUPLING
from support.latex_grammar import assert_latex

from pfverify import Channel, InputError
from pfverify.exact.ball import Ball, precision
from pfverify.model.channels.combined import Product
from pfverify.model.channels.entries import Entry, as_number
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.released import released
from pfverify.model.channels.tupling import Tupling
from pfverify.symbolic.channels import (
    _STATED,
    channel_mass,
    channel_values,
    lifted_mass,
    tuple_mass,
)
from pfverify.symbolic.statement import Statement

BITS = 200


def agree(found: Ball, entry: Entry) -> bool:
    """Whether a thin ball meets an exact entry."""
    with precision(BITS):
        gap = Ball(as_number(entry).ball().raw - found.raw)
    return gap.certain_sign() is None and bool(gap.raw.rad() < 1e-50)


def valued(statement: Statement, values: dict[str, Any]) -> Ball:
    return statement.value(bits=BITS, **{name: values[name] for name in statement.parameters})


@pytest.mark.parametrize("table", TABLES, ids=lambda table: json.dumps(table)[9:70])
def test_a_mass_is_the_entry_of_the_row(table: dict[str, Any]) -> None:
    channel = Channel.of(table)
    values = channel_values(channel)
    for x, row in zip(channel.inputs, channel.rows, strict=True):
        for y, entry in zip(channel.outputs, row, strict=True):
            stated = channel_mass(channel, x, y)
            assert_latex(stated.latex)
            assert agree(valued(stated, values), entry), (x, y)


def test_every_kind_that_is_written_out_is_stated() -> None:
    assert set(_STATED) == {kind for kind in CHANNELS.values() if kind.written_out}


def test_the_parameters_are_symbols() -> None:
    channel = Channel.of(SCORES)
    stated = channel_mass(channel, "a", "x")
    assert stated.parameters == ("Delta", "epsilon")
    other = Channel.of(SCORES | {"epsilon": 3, "sensitivity": "7/2"})
    assert agree(stated.value(bits=BITS, epsilon=3, Delta="7/2"), other.row("a")[0])
    with pytest.raises(InputError, match="Delta > 0"):
        stated.value(epsilon=1, Delta=0)
    with pytest.raises(InputError, match="truth <= 1"):
        channel_mass(Channel.of(RESPONSE), "a", "b").value(truth=2)


def test_the_lifted_mass_is_that_of_the_released_law() -> None:
    masses = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    for table in TABLES:
        channel = Channel.of(table)
        if set(channel.inputs) != set(masses):
            continue
        law = released(channel, masses)
        for y, mass in zip(channel.outputs, law, strict=True):
            stated = lifted_mass(channel, masses, y)
            assert_latex(stated.latex)
            assert agree(valued(stated, channel_values(channel)), mass)


@pytest.mark.parametrize("dummy", [None, {"a": "1/3", "b": "2/3"}, {"a": 1}])
def test_a_tuple_is_the_true_value_at_a_random_place(dummy: object) -> None:
    """Brute force: the mixture over the places of independent coordinates."""
    mechanism = Tupling(Channel.of(RESPONSE), 2, dummy)
    told, other = {"a": Fraction(3, 4), "b": Fraction(1, 4)}, dict(
        zip("ab", mechanism.dummy, strict=True)
    )
    whole = Fraction(0)
    for names in tuples("ab", repeat=3):
        mass = Fraction(0)
        for place in range(3):
            term = Fraction(1, 3)
            for k, name in enumerate(names):
                chance = told[name] if k == place else other[name]
                assert isinstance(chance, Fraction)
                term *= chance
            mass += term
        stated = tuple_mass(mechanism, "a", names)
        assert_latex(stated.latex)
        assert agree(stated.value(bits=BITS), mass)
        whole += mass
    assert whole == 1
    assert tuple_mass(mechanism, "a", "aab").expression == (
        tuple_mass(mechanism, "a", "baa").expression
    )


def test_what_is_refused() -> None:
    channel = Channel.of(RESPONSE)
    with pytest.raises(InputError, match="'c' is no input of the channel"):
        channel_mass(channel, "c", "a")
    with pytest.raises(InputError, match="'c' is no output of the channel"):
        channel_mass(channel, "a", "c")
    with pytest.raises(InputError, match="no statement of a channel of kind tupling"):
        channel_mass(Channel.of(TUPLING), "a", "a,a,a,a")
    with pytest.raises(InputError, match="the tuple: 2 names, expected 4"):
        tuple_mass(Tupling(channel, 3), "a", "ab")

    class Other(Product):
        pass

    with pytest.raises(InputError, match="no statement of a channel of kind product"):
        channel_mass(Other([channel]), "a", "a")
