"""Plans that may fit, and the least scale at which every pair has one that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Literal

from pfverify.exact.grid import Grid
from pfverify.exact.search import least_decimal
from pfverify.scales.relaxed import PlanSide as Lines
from pfverify.scales.relaxed import RelaxedPair

Side = Literal["columns", "rows"]
SIDES: tuple[Side, ...] = ("columns", "rows")


@dataclass(frozen=True)
class Candidate:
    """A plan of a pair and the side of it whose lines should fit."""

    pair: RelaxedPair
    lines: Lines

    @classmethod
    def of(cls, pair: RelaxedPair, side: Side) -> Candidate:
        """Return the candidate of one side."""
        return cls(pair, pair.columns if side == "columns" else pair.rows)

    @property
    def scale(self) -> Fraction:
        """The least scale at which every line fits, a proposal."""
        return self.lines.scale

    def holds(self, scale: Fraction) -> bool:
        """Decide whether every line fits at a scale."""
        return self.pair.covers(scale) or self.lines.holds(scale)


def least_scale(candidates: Sequence[Candidate], grid: Grid) -> Fraction:
    """Return the least decimal, rounded up, at which one of a pair's candidates fits."""
    return least_decimal(
        lambda s: any(c.holds(s) for c in candidates), guess_of(candidates, grid), grid
    )[1]


def guess_of(candidates: Sequence[Candidate], grid: Grid) -> Fraction:
    """Return about the least scale at which one of them fits, to a candidate of a grid."""
    return min(candidates, key=attrgetter("scale")).lines.polished(grid)
