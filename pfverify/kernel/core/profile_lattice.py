"""How atoms with discrete Gaussian noise compose, bare or with steps after it.  As in
`gaussian_lattice` and `interfaces.Profile`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from core.enclose import ZERO, Arithmetic, Interval, upper_end
from core.gaussian_lattice import Celled, Lattice, Run
from core.hinges import Hinges
from core.rules import Goal, Rejected
from core.zero import Form

NOTHING = Fraction(0)


class LatticeProfile:
    """Of the outputs of a window of the lattice, which holds nearly all mass."""

    at_cuts = on_line = False

    def __init__(self, goal: Goal[Celled, Any], ar: Arithmetic) -> None:
        self.goal, self.facts = goal, {"F48i"}
        self.lattice = Lattice(goal, {"bits": ar.bits})
        (self.ar,) = self.lattice.precisions
        if not self.lattice.atoms:
            raise Rejected("without atoms nothing composes")
        self.places = dict(zip(self.lattice.found, self.lattice.atoms, strict=True))

    @cached_property
    def _window(self) -> tuple[int, int]:
        return self.lattice.window(self.ar.bits)

    @cached_property
    def _runs(self) -> list[Run]:
        """The outputs, each once: what is suppressed is at most one."""
        found = self.lattice.runs(*self._window)
        hidden = self.lattice.hidden
        return found if hidden is None or hidden in found else [*found, hidden]

    @cached_property
    def _whole(self) -> Interval:
        return self.lattice.whole(self.ar)

    @cached_property
    def _hinges(self) -> Hinges:
        """Of the outputs in the window, and all beyond it as one that Q never has."""
        ar, (low, high), lattice = self.ar, self._window, self.lattice
        p, q = (self._masses(law) for law in (self.goal.P, self.goal.Q))
        tails = ZERO
        for x, mass in self.goal.P.atoms.items():
            a = self.places[x]
            both = ar.add(lattice.beyond(a - low, ar), lattice.beyond(high - a, ar))
            tails = ar.add(tails, ar.mul(ar.of(mass), both))
        return Hinges([*p, upper_end(ar.div(tails, self._whole))], [*q, ZERO], ar)

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`."""
        return self._hinges.above(growth)

    def _masses(self, law: Celled) -> list[Interval]:
        """Those of all outputs in the window."""
        ar, lattice = self.ar, self.lattice
        atoms = [ar.of(law.atoms.get(x, NOTHING)) for x in self.places]
        masses = [*atoms, ar.of(law.nothing)]
        return [ar.div(lattice.value(run, masses, ar), self._whole) for run in self._runs]

    def cells(self, cuts: Sequence[Fraction], law: Celled) -> list[Interval]:
        """As in `Profile`: each output of the window."""
        if law.post != self.goal.P.post or not law.atoms.keys() <= self.places.keys():
            raise Rejected("laws of different outputs")
        found = dict[object, Interval]()
        for run, mass in zip(self._runs, self._masses(law), strict=True):
            name = run.output or run.low
            found[name] = self.ar.add(found.get(name, ZERO), mass)
        return [*found.values()]


def profile(goal: Goal[Celled, Any], ar: Arithmetic) -> LatticeProfile:
    """That of a goal."""
    return LatticeProfile(goal, ar)
