"""Labels whose sums all leave the grid: they have its highest label, as the kernel has it too."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.composed.measures import LossGrid, labelled, power
from pfverify.exact.ball import precision, raw


def test_sums_that_are_all_over_the_grid_have_its_highest_label() -> None:
    grid = LossGrid(Fraction(1, 2), 10, -4, 3)
    one = labelled(grid, [(2, grid.unit // 2, grid.unit // 8), (3, grid.unit // 4, grid.unit // 8)])
    four = power(one, 4)
    assert four.first == grid.high
    assert four.less.coefficients() == [grid.unit * 81 // 256]
    assert four.more.coefficients() == [grid.unit // 256]
    with precision(grid.bits):
        assert four.ball(raw(0)) * 256 == 80
