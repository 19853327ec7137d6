"""How laws on a line compose, behind steps or not.  As in `sweep` and `interfaces.Profile`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from core.enclose import ONE, ZERO, Arithmetic, Interval, upper_end
from core.grammar import Malformed, canonical, shown
from core.hinges import Hinges
from core.line import Lines, Noisy
from core.line_area import piece_upper, positive_part_upper
from core.line_masses import between, whole_of
from core.line_refuted import require_reached
from core.rules import Rejected
from core.shapes import in_order
from core.spans import SUPPRESSED
from core.sweep import difference_at, unit
from core.zero import Form


class LineProfile:
    """Of atoms with (discrete, or truncated) Laplace noise."""

    at_cuts = False

    def __init__(self, goal: Lines, ar: Arithmetic) -> None:
        self.goal, self.ar, self.facts = goal, ar, set[str]()
        self.parts, self.noise = goal.P.parts, goal.P.noise
        self.ends = [part.high for part in self.parts if part.high is not None]

    @property
    def on_line(self) -> bool:
        """Whether anything keeps its density, or is a point of a lattice."""
        return not self.parts or any(part.output is None for part in self.parts)

    # ------------------------------------------------------------ from above

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """As in `Profile`."""
        ar = self.ar
        if not self.parts and self.noise.bound is None:
            self.facts.add("F4" if self.noise.step is None else "F4L")
            swept = difference_at(self.goal, growth, ar)
            twice = positive_part_upper(self.noise, swept, ar)
            return upper_end(ar.div(twice, ar.add(ONE, unit(self.noise, ar))))
        total = self._hinges.above(growth)
        if self.on_line:
            kept = ar.div(self._kept(growth), whole_of(self.goal.P, ar))
            total = ar.add(total, upper_end(kept))
        return upper_end(total)

    @cached_property
    def _hinges(self) -> Hinges:
        """Of the outputs that have masses."""
        p, q = (self._by_output(self._masses(law, self.ends), law, self.ends)
                for law in (self.goal.P, self.goal.Q))  # fmt: skip
        return Hinges(p, q, self.ar)

    def _kept(self, growth: Form) -> Interval:
        """At least twice the integral of [g]_+ where densities are kept."""
        if self.noise.step is not None:
            raise Malformed("a density on a lattice")
        self.facts.add("F4")
        ar, total = self.ar, ZERO
        swept = difference_at(self.goal, growth, ar, self.ends)
        for low, piece in zip([None, *swept.places], swept.pieces, strict=True):
            if self._output(low) is None:  # how long a piece is matters on lattices alone
                total = ar.add(total, piece_upper(self.noise, None, piece, ONE, ar))
        return total

    # ------------------------------------------------------------ from below

    def _output(self, low: Fraction | None) -> str | None:
        """What becomes of the numbers behind one, or of the lowest; None: they stay."""
        if not self.parts:
            return None
        return self.parts[0 if low is None else bisect_right(self.ends, low)].output

    def _masses(self, law: Noisy, cuts: Sequence[Fraction]) -> list[Interval]:
        """Those between cuts, of all mass but no row's."""
        ar = self.ar
        jumps, whole = {x: ar.of(m) for x, m in law.atoms.items()}, whole_of(law, ar)
        return [ar.div(mass, whole) for mass in between(law, jumps, cuts, ar)]

    def _by_output(
        self, masses: Sequence[Interval], law: Noisy, cuts: Sequence[Fraction]
    ) -> list[Interval]:
        """Of these masses those of outputs, of which each is one cell."""
        ar, found = self.ar, dict[str, Interval]()
        for low, mass in zip([None, *cuts], masses, strict=True):
            name = self._output(low)
            if name is not None:
                found[name] = ar.add(found.get(name, ZERO), mass)
        if SUPPRESSED in found:
            found[SUPPRESSED] = ar.add(found[SUPPRESSED], ar.of(law.nothing))
        return [*found.values()]

    def cells(self, cuts: Sequence[Fraction], law: Noisy) -> list[Interval]:
        """As in `Profile`: outputs, and between cuts what is no output."""
        if law.parts != self.parts:
            raise Rejected("laws of different outputs")
        self.facts.add("F45" if self.noise.step is None else "F45e")
        if self.noise.step is not None:  # up to a point of the lattice
            for cut in cuts:
                require_reached(self.goal, cut, "the cut")
            cuts = [cut + self.noise.step / 2 for cut in cuts]
        for cut in cuts:
            if self._output(cut) is not None and cut not in self.ends:
                raise Rejected(f"the cut {shown(canonical(cut))} cuts an output")
        every = in_order(cuts, self.ends)
        masses = self._masses(law, every)
        kept = [mass for low, mass in zip([None, *every], masses, strict=True)
                if self._output(low) is None]  # fmt: skip
        return kept + self._by_output(masses, law, every)


def profile(goal: Lines, ar: Arithmetic) -> LineProfile:
    """That of a goal."""
    return LineProfile(goal, ar)
