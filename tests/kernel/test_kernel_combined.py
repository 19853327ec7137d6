"""Mixtures of laws, and independent outputs together, of fractions and of other masses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.masses import Mass, Outputs, enclose_mass, mass_of, masses_of, minus, outputs_of, total_of
from core.shapes import parse
from core.work import checking
from reader import combined
from reader.combined import independent, through

F, ONE = Fraction, Fraction(1)
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


def test_a_law_that_weighs_nothing_may_be_of_other_masses() -> None:
    """None of it is in the mixture, be it the first or the last."""
    none, one, other = (outputs_of(masses(row)) for row in (ROWS[3], ROWS[1], ROWS[2]))
    expected = [F(1, 6), F(1, 3) + F(1, 4), F(1, 4)]
    for laws in ([none, one, other], [one, none, other], [one, other, none]):
        weights = [Fraction(0) if law is none else F(1, 2) for law in laws]
        found = through(outputs_of(weights), laws)
        assert found.whole
        assert masses_of(found) == expected


def test_the_common_denominator_of_independent_outputs_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(combined, "MAX_COMMON_BITS", 10)
    half, third, fifth = (outputs_of([F(1, n), 1 - F(1, n)]) for n in (2, 3, 5))
    assert independent([half] * 9).whole == 2**9  # of 10 bits
    assert independent([third] * 5 + [half, half]).whole == 3**5 * 4
    for laws in ([half] * 10, [fifth, fifth, fifth, third, third]):
        with pytest.raises(Malformed, match="a common denominator that is too long"):
            independent(laws)


def test_independent_outputs_are_charged_each() -> None:
    rational, other = outputs_of([F(1, 20)] * 20), outputs_of(masses(ROWS[3]) * 7)
    for laws, least in (([rational] * 2, 420), ([other] * 2, 21 * 22), ([rational, other], 440)):
        with checking(0) as check:
            independent(laws)
        assert least * 8 <= check.spent
