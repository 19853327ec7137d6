"""Priors as tables state them, and tables that state none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed, shown
from core.kinds import Mixture
from reader import reader
from reader.priors import canonical_prior, prior, weights

Table = dict[str, Any]


@pytest.mark.parametrize(
    ("table", "law"),
    [
        ({"counts": {"0": 1}}, {0: 1}),
        ({"counts": {"0": 1, "2": 3}}, {0: Fraction(1, 4), 2: Fraction(3, 4)}),
        ({"counts": {"2": 3, "0": 1, "1": 0}}, {0: Fraction(1, 4), 2: Fraction(3, 4)}),
        ({"mass": {"1": "1/3", "0": "2/3", "5": "0"}}, {0: Fraction(2, 3), 1: Fraction(1, 3)}),
    ],
    ids=str,
)
def test_a_prior_has_its_atoms_in_order_with_masses_above_0(table: Table, law: Table) -> None:
    found = prior({"kind": "discrete", **table}, "p")
    assert list(found.items()) == list(law.items())


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"mass": {"0": "3/2", "1": "-1/2"}}, "p: a negative weight"),
        ({"mass": {"0": "5/4", "1": "-1/4"}}, "p: a negative weight"),
        ({"counts": {"0": 3, "1": -1}}, "p: a negative weight"),
        ({"counts": {"0": 3, "1": -2}}, "p: a negative weight"),
        ({"counts": {"0": 0}}, 'p: the weights sum to "0"'),
        ({"counts": {}}, 'p: the weights sum to "0"'),
        ({"mass": {"0": "1/2"}}, 'p: the weights sum to "1/2"'),
        ({"mass": {"0": "1/2", "1": "2/3"}}, 'p: the weights sum to "7/6"'),
        ({"mass": {"0": 0}}, 'p: the weights sum to "0"'),
        ({"counts": {"0": "1/2", "1": "1/2"}}, "p: counts must be integers"),
        ({"counts": {"0": 1}, "mass": {"0": 1}}, "either counts or mass"),
        ({}, "either counts or mass"),
        ({"counts": [1]}, "counts and mass must be tables"),
        ({"counts": {"0": 1, "0.0": 1}}, 'the atom "0" occurs twice'),
        ({"kind": "poisson", "counts": {"0": 1}}, "priors of kind"),
        ({"kind": 7, "counts": {"0": 1}}, "kind must be a string"),
        ({"kind": None, "counts": {"0": 1}}, "kind must be a string"),
    ],
    ids=str,
)
def test_tables_that_state_no_prior(table: Table, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        prior({"kind": "discrete", **table}, "p")


@pytest.mark.parametrize("beliefs", [{}, [], "x", 0, None, ["k"]], ids=str)
def test_what_are_no_beliefs(beliefs: object) -> None:
    value = kb.problem({"0": 1}, {"0": 1}, 1, 0, 1) | {"beliefs": beliefs}
    del value["priors"]
    with pytest.raises(Malformed, match="beliefs must be a table of at least one belief"):
        reader.problem_of(value)


def test_what_weighs_nothing_is_not_in_a_digest() -> None:
    law = {Fraction(0): Fraction(1), Fraction(2): Fraction(0)}
    assert canonical_prior(law) == [["0", "1"]]
    nothing, half = Fraction(0), Fraction(1, 2)
    mixture = Mixture(((nothing, nothing, half), (half, nothing, half), (half, half, nothing)))
    assert canonical_prior(mixture) == [["0", "0", "1/2"], ["1/2", "0", "1/2"]]


def test_names_of_secrets_and_beliefs_are_printable() -> None:
    whole = kb.problem({"0": 1}, {"0": 1}, 1, 0, 1)
    priors = whole.pop("priors")
    first, *others = priors
    for bad in ("", " ", "a\n", "\x00"):
        renamed = {bad: priors[first], **{x: priors[x] for x in others}}
        for value in ({"priors": renamed}, {"beliefs": {"b": {"priors": renamed}}},
                      {"beliefs": {bad: {"priors": priors}}}):  # fmt: skip
            with pytest.raises(Malformed) as refused:
                reader.problem_of({**whole, **value})
            assert str(refused.value) == f"the name {shown(bad)} is empty or not printable"


def test_a_wrong_sum_is_told_unless_it_is_long() -> None:
    """Of 9999 bits and of 10,000, numerator and denominator together."""
    for power, told in ((9_997, True), (9_998, False)):
        with pytest.raises(Malformed) as refused:
            weights({"kind": "discrete", "mass": {"0": f"1/{2**power}"}}, "p")
        said = str(refused.value)
        assert said.startswith('p: the weights sum to "1/') is told
        assert (said == "p: the weights sum to a long fraction") is not told


def test_a_count_has_at_most_4300_digits() -> None:
    for bits in (62, 63, 64, 65, 14_283):
        found = weights({"kind": "discrete", "counts": {"0": 2**bits, "1": 2**bits}}, "p")
        assert found == {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    with pytest.raises(Malformed, match='p: the weight of "0": a number has more than 4300 digits'):
        weights({"kind": "discrete", "counts": {"0": 2**14_284, "1": 2**14_284}}, "p")
