"""Mixtures of laws, and independent outputs together, of fractions and of other masses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.enclose import Arithmetic
from core.masses import Mass, Outputs, enclose_mass, mass_of, masses_of, minus, outputs_of, total_of
from core.shapes import parse
from reader.combined import independent, through

ONE = Fraction(1)
ROWS = ["1 0 0", "0 1/2 1/2", "1/3 2/3 0", "exp(-1) 1-exp(-1) 0", "0 exp(-1) 1-exp(-1)"]


def masses(row: str) -> list[Mass]:
    numbers = [parse(text) for text in row.split()]
    return [x if isinstance(x, Fraction) else mass_of(x) for x in numbers]


def laws_of(count: int) -> list[tuple[Outputs, ...]]:
    return list(product([outputs_of(masses(row)) for row in ROWS], repeat=count))


def same(found: Outputs, expected: list[Mass]) -> bool:
    """The same masses, one by one, to 60 digits."""
    ar = Arithmetic(256)
    ends = [enclose_mass(minus(x, y), ar)
            for x, y in zip(masses_of(found), expected, strict=True)]  # fmt: skip
    return all(low <= 0 <= high and (high - low) * Fraction(2) ** e < Fraction(1, 10**60)
               for low, high, e in ends)  # fmt: skip


@pytest.mark.parametrize("row", ["1", "1/2 1/2", "exp(-1) 1-exp(-1)", "0 1", "1/4 0 3/4"])
def test_mixtures_of_all_laws(row: str) -> None:
    weights = masses(row)
    for laws in laws_of(len(weights)):
        columns = list(zip(*map(masses_of, laws), strict=True))
        expected = [total_of(zip(weights, column, strict=True)) for column in columns]
        found = through(outputs_of(weights), list(laws))
        assert same(found, expected)
        fractions = all(isinstance(x, Fraction) for x in masses_of(found))
        assert bool(found.whole) is fractions


@pytest.mark.parametrize("count", [1, 2, 3])
def test_independent_outputs(count: int) -> None:
    for laws in laws_of(count)[:: 1 if count < 3 else 4]:
        expected: list[Mass] = [ONE]
        for law in laws:
            expected = [total_of([(x, y)]) for x in expected for y in masses_of(law)]
        assert same(independent(list(laws)), expected)
