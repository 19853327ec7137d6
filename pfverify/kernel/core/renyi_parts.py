"""R of outputs that steps make of parts of a line.  As in `renyi`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.in_parts import masses_of_parts
from core.line import Lines
from core.line_masses import whole_of
from core.renyi import order_of, term
from core.rules import Facts
from core.spans import Part
from core.zero import Sum


class OfParts:
    """R of a goal, all of whose parts are single outputs: masses over a number that both share."""

    def __init__(self, goal: Lines) -> None:
        self.goal, self.order = goal, order_of(goal)
        self.facts: Facts = {"F90", "F45" if goal.P.noise.step is None else "F45e"}

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        parts = self.goal.P.parts
        if any(part.output is None for part in parts):
            raise Undecided("a density that is kept")
        total = of_outputs(self.goal, parts, self.order, ar)
        return None if total is None else ar.div(total, whole_of(self.goal.P, ar))

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        raise Undecided("a tie of masses of parts")


def of_outputs(
    goal: Lines, parts: Sequence[Part], order: Fraction, ar: Arithmetic
) -> Interval | None:
    """What the parts that are single outputs add, in masses over a number that both laws share.

    None: R is infinite.
    """
    outputs: dict[object, tuple[Interval, Interval]] = {}
    p, q = (masses_of_parts(law, ar) for law in (goal.P, goal.Q))
    for part, x, y in zip(parts, p, q, strict=True):
        if part.output is not None:
            one, two = outputs.get(part.output, (ZERO, ZERO))
            outputs[part.output] = ar.add(one, x), ar.add(two, y)
    total = ZERO
    for x, y in outputs.values():
        if x[:2] == (0, 0):  # exactly
            continue
        if y[:2] == (0, 0):
            if x[0] <= 0:
                raise Undecided("an output that may be impossible")
            return None
        total = ar.add(total, term(x, y, order, ar))
    return total


def moment(goal: Lines) -> OfParts:
    """That of a goal of such outputs."""
    return OfParts(goal)
