"""What steps make of the points of a lattice, for `gaussian_lattice`.  As in `cells`."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from core.gaussian_lattice import Run
from core.shapes import canonical_rational
from core.spans import SUPPRESSED
from core.work import spend
from reader.cells import CutLine, before, count
from reader.steps import End, Stage


class LatticePost(NamedTuple):
    """Steps behind the points of a lattice."""

    steps: tuple[Stage, ...]
    step: Fraction  # of the lattice

    def runs(self, origin: Fraction, low: int, high: int) -> list[Run]:
        """The outputs of the points from k = low to k = high, each with all its points."""
        spend(64 * (high + 1 - low))
        first, last = (origin + k * self.step for k in (low, high))
        line = CutLine(self.steps, first, last, self.step)
        return [
            Run(self._index(origin, cell.low, 0), self._index(origin, cell.high, -1), cell.output)
            for cell in line.single(high + 1 - low) if line.reached(cell)
        ]  # fmt: skip

    def hidden(self, origin: Fraction) -> Run:
        """What is suppressed: maybe no row alone, and no point."""
        line = CutLine(self.steps, origin, origin, self.step)
        end = self._index(origin, line.hidden, -1)
        none = end is None and not line.hides_all
        return Run(0, -1, SUPPRESSED) if none else Run(None, end, SUPPRESSED)

    def named(self, origin: Fraction, name: str) -> Run | None:
        """The output of this name, if that is a number and there is one."""
        if name[:1] in "[(" or name == SUPPRESSED:
            return None
        start = before(self.steps, (canonical_rational(name, "an output"), 0))
        if not isinstance(start, tuple):
            return None
        k = count(start, origin, self.step)
        (run,) = self.runs(origin, k, k)
        return run if run.output == name else None

    def _index(self, origin: Fraction, cut: End, more: int) -> int | None:
        return None if cut is None else count(cut, origin, self.step) + more
