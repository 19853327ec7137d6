"""What steps make of numbers with densities or of a lattice, for normal forms.  As in `steps`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed
from core.kinds import Mixture
from core.shapes import canonical_rational
from core.spans import SUPPRESSED, Part, Run
from core.work import spend
from reader.cells import CutLine, before, count
from reader.steps import End, Stage, parts_of

if TYPE_CHECKING:
    from core.smooth import Smooth

NOTHING = Fraction(0)


class LinePost(NamedTuple):
    """Steps behind the numbers of a line."""

    steps: tuple[Stage, ...]

    def outputs(self, places: Sequence[Fraction]) -> list[Part]:
        """The outputs that hold one of some increasing places inside, and what is suppressed; where
        some density is kept, all outputs and the parts between."""
        if parts := parts_of(self.steps):
            return list(parts)
        found: list[Part] = []
        line = CutLine(self.steps, NOTHING, NOTHING, None)
        if line.hides_all or line.hidden is not None:
            found.append(Part(None, line.hidden and line.hidden[0], SUPPRESSED))
        for x in places:
            if found and (found[-1].high is None or x < found[-1].high):
                continue
            low, high, output = CutLine(self.steps, x, x, None).behind()
            one = Part(low and low[0], high and high[0], output)
            if one.low != x:
                found.append(one)
        return found


def behind(law: Any, noise: Any, steps: Sequence[Stage]) -> Smooth:
    """The law of X, atoms or normal laws, that a table states behind these steps."""
    from core.smooth import smooth

    if any(step.key == "modulo" for step in steps):
        raise Malformed("modulo after a normal law")
    post = LinePost(tuple(steps))
    if isinstance(law, Mixture):
        return smooth(law, noise, NOTHING, post)
    nothing = law.get("nothing", NOTHING)
    line = CutLine(steps, NOTHING, NOTHING, None)
    if nothing and not line.hides_all and line.hidden is None:
        raise Malformed("nothing needs a threshold that hides numbers")
    return smooth({x: m for x, m in law.items() if x != "nothing"}, noise, nothing, post)


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
