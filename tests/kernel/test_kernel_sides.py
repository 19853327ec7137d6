"""What comes from the sides of a place, exactly: jumps, ties, and exponents of one hash."""

from __future__ import annotations

import sys
from fractions import Fraction

import kernel_builder as kb
import pytest
from core import sides
from core.kinds import Prior
from core.line import noisy
from core.rules import Rejected
from core.shapes import parse
from core.value import form_of
from core.work import checking
from reader.noise import Noise

F = Fraction
ONE = Noise("laplace", F(1), None)
THIRDS: tuple[Prior, Prior] = {F(0): F(1, 3), F(1): F(2, 3)}, {F(0): F(2, 3), F(1): F(1, 3)}
MODULUS = sys.hash_info.modulus


@pytest.mark.parametrize(
    ("epsilon", "left"),
    [
        ("0", [0, 1, 3, 4, 5]),
        ("1", [0, 1, 2, 3, 4, 5]),
        ("-1", [0, 1, 2, 3, 4, 5]),
        ("log(2)", [1, 2, 3, 4, 5]),
        ("log(1/2)", [0, 2, 3, 4, 5]),
        ("log(8)-2*log(2)", [1, 2, 3, 4, 5]),
    ],
)
def test_atoms_without_a_difference_are_left_out(epsilon: str, left: list[int]) -> None:
    """Of ratios 2, 1/2 and 1; of 1/2 with the product 2; and with one mass only."""
    p = {F(0): F(2), F(1): F(2), F(2): F(3), F(3): F(1), F(4): F(1)}
    q = {F(0): F(1), F(1): F(4), F(2): F(3), F(3): F(1, 3), F(5): F(1)}
    growth = form_of(parse(epsilon))
    found = sides._jumps(noisy(p, ONE), noisy(q, ONE), growth, 3)
    assert [*found] == left
    assert all(found[x] == (3 * p.get(x, F(0)), 3 * q.get(x, F(0))) for x in map(F, left))


def test_a_product_is_no_ratio() -> None:
    p, q = {F(0): F(4), F(1): F(2)}, {F(0): F(1, 2), F(1): F(1)}
    found = sides._jumps(noisy(p, ONE), noisy(q, ONE), form_of(parse("log(2)")), 1)
    assert [*found] == [0]


def test_the_common_denominator_of_masses() -> None:
    p, q = {F(0): F(1, 3), F(1): F(2, 3)}, {F(0): F(1, 15), F(1): F(2, 5), F(2): F(8, 15)}
    assert sides.common_denominator(kb.goal(p, q, 0, 0, release=ONE)) == 15
    assert sides.common_denominator(kb.goal({F(0): F(1)}, {F(1): F(1)}, 0, 0, release=ONE)) == 1
    with checking(0) as check:
        sides.common_denominator(kb.goal(p, q, 0, 0, release=ONE))
    assert check.spent == 5 * 3


def test_an_excess_of_densities_is_delta() -> None:
    """At 1: ((2/3 - 1/3) + (1/3 - 2/3)/e)/2."""
    where = kb.goal(*THIRDS, 0, 0, "pointwise", release=ONE)
    tie = where._replace(delta=parse("(1-exp(-1))/6"))
    sides.require_ties(tie, {F(1)}, at_density=True)
    for delta in ("(1-exp(-1))/2", "(1-exp(-1))/6+1e-40"):
        with pytest.raises(Rejected, match=r'^no tie is proved at the atom "1"$'):
            sides.require_ties(where._replace(delta=parse(delta)), {F(1)}, at_density=True)
    level = where._replace(epsilon=parse("log((2+exp(-1))/(1+2*exp(-1)))"))  # of most and least
    sides.require_ties(level, {F(1)}, at_density=False)
    with pytest.raises(Rejected, match=r'^no tie is proved at the atom "0"$'):
        sides.require_ties(level, {F(0), F(1)}, at_density=False)


def test_exponents_of_one_hash_are_counted() -> None:
    """Multiples of the modulus of hashes have one; divided by it they have many."""
    for scale, places, alike in (
        (1, (0, MODULUS, 2 * MODULUS), 3),
        (1, (-3, MODULUS - 3), 2),
        (1, (0, 1, 2), 1),
        (MODULUS, (0, MODULUS, 2 * MODULUS), 1),
    ):
        law = {F(x): F(1, len(places)) for x in places}
        noise = Noise("laplace", F(scale), None)
        found = sides.Sides(noisy(law, noise), noisy({}, noise), form_of(F(1)))
        assert found.alike == alike
