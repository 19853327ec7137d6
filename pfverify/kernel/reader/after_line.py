"""What steps make of numbers with densities, for the normal form `smooth`.  As in `cells`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed
from core.kinds import Mixture
from core.smooth import Smooth, smooth
from core.spans import SUPPRESSED, Part
from reader.steps import NO_ROW, Stage, parts_of

if TYPE_CHECKING:
    from reader.cells import CutLine

NOTHING = Fraction(0)


def _line(steps: Sequence[Stage], x: Fraction = NOTHING) -> CutLine:
    """The line by outputs, for one atom."""
    from reader.cells import CutLine

    return CutLine(steps, x, x, None)


class LinePost(NamedTuple):
    """Steps behind the numbers of a line."""

    steps: tuple[Stage, ...]

    def outputs(self, places: Sequence[Fraction]) -> list[Part]:
        """The outputs that hold one of some increasing places inside, and what is suppressed; where
        some density is kept, all outputs and the parts between."""
        if parts := parts_of(self.steps):
            return list(parts)
        found: list[Part] = []
        line = _line(self.steps)
        if line.hides_all or line.hidden is not None:
            found.append(Part(None, line.hidden and line.hidden[0], SUPPRESSED))
        for x in places:
            if found and (found[-1].high is None or x < found[-1].high):
                continue
            low, high, output = _line(self.steps, x).behind()
            one = Part(low and low[0], high and high[0], output)
            if one.low != x:
                found.append(one)
        return found


def behind(law: Any, noise: Any, steps: Sequence[Stage]) -> Smooth:
    """The law of X, atoms or normal laws, that a table states behind these steps."""
    if any(step.key == "modulo" for step in steps):
        raise Malformed("modulo after a normal law")
    post = LinePost(tuple(steps))
    if isinstance(law, Mixture):
        return smooth(law, noise, NOTHING, post)
    nothing = law.get(NO_ROW, NOTHING)
    if nothing and not (line := _line(steps)).hides_all and line.hidden is None:
        raise Malformed("nothing needs a threshold that hides numbers")
    return smooth({x: m for x, m in law.items() if x != NO_ROW}, noise, nothing, post)
