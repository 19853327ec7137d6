"""Draws from a noise table: every pattern of bits, against the weights."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from pfverify import Discrete, InputError, Joint, Problem, Repeated, TableNoise, sample
from pfverify.sampling.bits import Bits
from pfverify.sampling.noises import drawer

CELL = {-1: "1/8", "1/2": "5/8", 2: "1/4"}
OTHER = {0: "3/4", 1: "1/4"}


@pytest.mark.parametrize(
    ("noise", "x", "table", "bits"),
    [
        (TableNoise(CELL), None, CELL, 3),
        (TableNoise(by={0: CELL}, larger=OTHER), Fraction(0), CELL, 3),
        (TableNoise(by={0: CELL}, larger=OTHER), Fraction(9), OTHER, 2),
    ],
)
def test_every_pattern_of_bits(
    noise: TableNoise, x: Fraction | None, table: dict[object, str], bits: int
) -> None:
    draw = drawer(noise, x)
    found = Counter(next(draw(Bits(lambda count, k=k: k, word=bits))) for k in range(2**bits))  # type: ignore[misc]
    assert found == {
        Fraction(str(n)): Fraction(w) * 2**bits for n, w in table.items()
    }


def test_a_release_of_a_value() -> None:
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    asked = Problem(priors, noise=TableNoise(by={0: {3: 1}}, larger={2: 1}), epsilon=1, delta=0)
    assert [sample(asked, value=x).draws[0] for x in (0, 1)] == ["3", "3"]
    steps = Problem(
        priors, noise=TableNoise({3: 1}), epsilon=1, delta=1, post=[{"threshold": {"at": 4}}]
    )
    assert [sample(steps, value=x).draws[0] for x in (0, 1)] == ["suppressed", "4"]
    assert sample(TableNoise({3: 1}), 2).draws == ["3", "3"]
    assert "noise table" in repr(sample(TableNoise({3: 1})))
    for source in (asked, asked.noise):
        with pytest.raises(InputError, match="value: missing, expected the true value"):
            sample(source)


def test_each_of_several_numbers_has_its_own_table() -> None:
    noise = TableNoise(by={0: {3: 1}}, larger={2: 1})
    points = {name: Joint(["x", "y"], [[0, 1, 1]]) for name in "ab"}
    both = Problem(points, noise=noise, epsilon=1)
    assert sample(both, value=[0, 1]).draws[0] == ("3", "3")
    one = {name: Discrete({1: 1}) for name in "ab"}
    again = Problem(one, noise=Repeated(noise, count=2), epsilon=1)
    assert sample(again, value=1).draws == ["3", "3"]
