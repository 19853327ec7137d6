"""How laws of finitely many outputs with masses compose.  As in `interfaces.Profile`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from core.enclose import ZERO, Arithmetic, Interval
from core.hinges import Hinges
from core.masses import Outputs, enclose_mass, masses_of
from core.rules import Goal, Rejected
from core.work import price, spend
from core.zero import Form


class OutputsProfile:
    """Of names, atoms or points."""

    at_cuts = on_line = False

    def __init__(self, goal: Goal[Outputs, Any], ar: Arithmetic) -> None:
        self.goal, self.ar, self.facts = goal, ar, {*goal.P.by}
        self._hinges: Hinges | None = None

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`."""
        if self._hinges is None:
            p, q = (self.cells((), law) for law in (self.goal.P, self.goal.Q))
            self._hinges = Hinges(p, q, self.ar)
        return self._hinges.above(growth)

    def cells(self, cuts: Sequence[Fraction], law: Outputs) -> list[Interval]:
        """As in `Profile`: every output."""
        spend(len(law.names) * (16 + 4 * price(self.ar.bits)))
        masses = [enclose_mass(mass, self.ar) for mass in masses_of(law)]
        names = self.goal.P.names
        if law.names == names:
            return masses
        if not set(law.names) <= set(names) or any(isinstance(name, str) for name in names):
            raise Rejected("laws of different outputs")
        of_numbers = dict(zip(law.names, masses, strict=True))
        return [of_numbers.get(name, ZERO) for name in names]


def profile(goal: Goal[Outputs, Any], ar: Arithmetic) -> OutputsProfile:
    """That of a goal."""
    return OutputsProfile(goal, ar)
