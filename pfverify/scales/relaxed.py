"""The relaxed mechanism: average e**(|x-x'|/scale) over columns or rows of the monotone plan.

A column x' holds when sum over x of plan(x, x') e**(|x-x'|/scale) <= e**epsilon Q(x'). If every
column holds (or every row), both orders are private (fact F9).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.search import polished
from pfverify.scales.lines import Lines
from pfverify.scales.plan_line import PlanLine
from pfverify.transport.line_plan import LinePlan

if TYPE_CHECKING:
    from pfverify.transport.line_plan import Column

_SPARE = 1 + Fraction(1, 10**9)  # what floats may be off, with plenty to spare
_FEW = 8  # lines that are looked at one by one


class PlanSide:
    """The columns, or the rows, of one pair's plan; distances in units of 1/`denominator`.

    `points` says of every edge which line it is on.
    """

    def __init__(self, plan: LinePlan, points: Column, epsilon: Number) -> None:
        lines = Lines.of(points, plan.distance, plan.mass)
        self.unit, self.epsilon = Fraction(1, plan.denominator), epsilon
        self.lines = lines.where(lines.farthest > 0)
        self._decided: dict[Fraction, int] = {}
        self._polished: dict[int, Fraction] = {}

    @property
    def moves(self) -> bool:
        """Whether any mass lies off the diagonal; without it every scale holds."""
        return bool(len(self.lines))

    @property
    def tightest(self) -> PlanLine | None:
        """The shape of the line that asks for the largest scale (proposed); None: nothing moves."""
        return self._tight[0] if self.moves else None

    @cached_property
    def _tight(self) -> list[PlanLine]:
        """The shapes of the lines that floats do not tell from the tightest one, it first."""
        about = self.epsilon.at_most()
        best, rest = int(self.lines.farthest.argmax()), len(self.lines)
        while True:
            # no line that holds strictly a little below the scale of one asks for a larger one
            rate = self.lines[best].proposed_rate(about) * _SPARE
            left = self.lines.doubtful(rate, self.epsilon)
            if len(left) >= rest or len(left) <= _FEW:
                break
            best, rest = int(left[0]), len(left)
        shapes = self.lines.shapes(np.union1d(left, [best]))
        rates = {line: line.proposed_rate(about) for line in shapes}
        ordered = sorted(rates, key=lambda line: rates[line])
        return [line for line in ordered if rates[line] <= rates[ordered[0]] * _SPARE]

    @cached_property
    def scale(self) -> Fraction:
        """About the largest tight scale over the lines; 0 without moved mass. A proposal."""
        line = self.tightest
        rate = None if line is None else line.proposed_rate(self.epsilon.at_most())
        return Fraction(0) if rate is None else self.unit / rate

    def polished(self, grid: Grid) -> Fraction:
        """Return that scale to a candidate of a grid; still a proposal."""
        line = self.tightest
        if line is None:
            return self.scale
        if grid.digits not in self._polished:
            self._polished[grid.digits] = polished(
                lambda s: line.log_gap(s, self.epsilon, self.unit), self.scale, grid
            )
        return self._polished[grid.digits]

    @property
    def may_be_closed(self) -> bool:
        """Whether the tightest line may have a closed form, as far as floats tell."""
        return self.moves and any(
            line.closed_form(self.epsilon, self.unit) is not None for line in self._tight
        )

    def closed_forms(self, above: Fraction) -> list[Number | None]:
        """Return the tight scales that are larger than a scale, in closed form, or None for one
        that has none; decided."""
        left = self.lines.shapes(self.lines.doubtful(self.unit / above, self.epsilon))
        failing = [line for line in left if line.sign(above, self.epsilon, self.unit) > 0]
        return [line.closed_form(self.epsilon, self.unit) for line in failing]

    def holds(self, scale: Fraction) -> bool:
        """Decide the condition on every line."""
        return self.sign(scale) <= 0

    def sign(self, scale: Fraction) -> int:
        """Return 1 where a line fails, 0 where all hold and one is tight, else -1, exactly.

        Lines that a float pass proves to hold strictly are not looked at again.
        """
        if scale not in self._decided:
            left = self.lines.doubtful(self.unit / scale, self.epsilon)
            found = -1
            for line in self.lines.shapes(left):
                found = max(found, line.sign(scale, self.epsilon, self.unit))
                if found == 1:
                    break
            self._decided[scale] = found
        return self._decided[scale]


class RelaxedPair:
    """Columns and rows of one pair's plan, with the scales at which they are tight."""

    def __init__(self, plan: LinePlan, epsilon: Number) -> None:
        self.plan, self.epsilon = plan, epsilon

    @cached_property
    def columns(self) -> PlanSide:
        """The lines of the second prior's atoms."""
        return PlanSide(self.plan, self.plan.y, self.epsilon)

    @cached_property
    def rows(self) -> PlanSide:
        """The lines of the first prior's atoms."""
        return PlanSide(self.plan, self.plan.x, self.epsilon)

    @cached_property
    def sufficient(self) -> Fraction | None:
        """The longest edge over epsilon (rounded down): every line holds there; None: unknown.

        No power exceeds e**epsilon there, so no mean of powers does.
        """
        about = self.epsilon.at_most()
        return self.plan.w_infinity() / about if about > 0 else None

    def covers(self, scale: Fraction) -> bool:
        """Say whether every line holds at a scale by the longest edge alone."""
        return self.sufficient is not None and scale >= self.sufficient
