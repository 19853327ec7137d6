"""The divergence of finitely many outputs at many E."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import kernel_builder as kb  # noqa: F401
import pytest
from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.hinges import Hinges
from core.zero import constant
from mpmath import mp, mpf

F = Fraction
mp.dps = 60
AR = Arithmetic(128)


def real(x: Interval) -> mpf:
    assert x[0] == x[1]
    return mpf(x[0]) * mpf(2) ** x[2]


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_sum_of_what_is_positive(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(1, 12)
    p, q = ([F(random.choice((0, 1, random.randrange(1, 1000))), 1000) for _ in range(size)]
            for _ in range(2))  # fmt: skip
    hinges = Hinges([AR.of(x) for x in p], [AR.of(x) for x in q], AR)
    for k in range(-30, 31):
        factor = mp.exp(mpf(k) / 5)
        exact = sum((max(mpf(0), mpf(a.numerator) / a.denominator
                         - factor * b.numerator / b.denominator)
                     for a, b in zip(p, q, strict=True)), mpf(0))  # fmt: skip
        found = real(hinges.above(constant(F(k, 5))))
        assert exact <= found <= exact + mpf(2) ** -110


def test_ends_are_on_the_safe_side() -> None:
    """p counts with its upper ends, and q with its lower."""
    wide = Hinges([(1, 3, -2)], [(1, 2, -2)], AR)
    assert real(wide.above(constant(F(0)))) == mpf("0.5")
    alone = Hinges([(1, 3, -2), ONE], [(-1, 2, -2), ZERO], AR)
    assert real(alone.above(constant(F(50)))) == mpf("1.75")
    assert real(Hinges([], [], AR).above(constant(F(1)))) == 0


@pytest.mark.parametrize("power", [50, 100, 260, 270, 400, 10**13, 10**40])
def test_growths_beyond_all_ratios(power: int) -> None:
    """No number is as long as E: at 10^13 it would have more bits than there is memory for."""
    p, q = [F(1, 2), F(1, 4), F(1, 4), F(0)], [F(0), F(1, 2**127), F(1, 4), F(1, 4)]
    hinges = Hinges([AR.of(x) for x in p], [AR.of(x) for x in q], AR)
    over, under = (hinges.above(constant(F(sign * power))) for sign in (1, -1))
    exact = mpf("0.5") + max(mpf(0), mpf("0.25") - mp.exp(power) / mpf(2) ** 127)
    assert exact <= real(over) <= exact + mpf(2) ** -90
    assert 1 - mp.exp(-power) / 2 <= real(under) <= 1


def test_outputs_at_a_tie_add_nothing() -> None:
    same = Hinges([ONE, (1, 1, -1)], [ONE, (1, 1, -2)], AR)
    assert real(same.above(constant(F(0)))) == mpf("0.25")
