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
_FLOAT_DIGITS = 13  # of a scale that floats find
SIDES: tuple[Side, ...] = ("columns", "rows")


@dataclass(frozen=True)
class Candidate:
    """A plan of a pair and the side of it whose lines should fit.

    `about`: the least scale at which they all do, as floats know already.
    """

    pair: RelaxedPair
    lines: Lines
    about: Fraction | None = None

    @classmethod
    def of(cls, pair: RelaxedPair, side: Side, about: Fraction | None = None) -> Candidate:
        """Return the candidate of one side."""
        return cls(pair, pair.columns if side == "columns" else pair.rows, about)

    @property
    def scale(self) -> Fraction:
        """The least scale at which every line fits, a proposal."""
        return self.lines.scale if self.about is None else self.about

    def polished(self, grid: Grid) -> Fraction:
        """Return that scale to a candidate of a grid; still a proposal."""
        if self.about is not None and grid.digits <= _FLOAT_DIGITS:
            return self.about
        return self.lines.polished(grid)

    def holds(self, scale: Fraction) -> bool:
        """Decide whether every line fits at a scale."""
        return self.pair.covers(scale) or self.lines.holds(scale)


def least_scale(candidates: Sequence[Candidate], grid: Grid) -> Fraction:
    """Return the least decimal, rounded up, at which one of a pair's candidates fits.

    One that floats know the scale of is at least about as good as one that they do not.
    """
    known = [c for c in candidates if c.about is not None] or candidates
    guess = min(known, key=attrgetter("scale")).polished(grid)
    return least_decimal(lambda s: any(c.holds(s) for c in candidates), guess, grid)[1]
