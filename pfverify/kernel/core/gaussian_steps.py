"""The inference rules for atoms with discrete Gaussian noise and steps after it: outputs are cells
of the lattice, and have names.  As in `gaussian_lattice`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from core.enclose import ZERO, Arithmetic, Undecided
from core.gaussian_lattice import Atoms, Cell, Lattice, require_delta, require_ratio
from core.grammar import Malformed
from core.kinds import EVENTS, Kind, Prior, Rule
from core.rules import Facts, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import array, canonical_rational, string
from core.value import enclose_number
from core.work import spend
from core.zero import SIGN_BITS
from reader.steps import SUPPRESSED, CutLine, End, Stage, before, count

KIND = Kind(
    {"kept": Rule("core.gaussian_steps", EVENTS)},
    {
        "output-refuted": Rule("core.gaussian_steps", EVENTS),
        "outputs-refuted": Rule("core.gaussian_steps", EVENTS),
    },
    "the rule is not for steps after discrete gaussian noise",
)


class Celled(NamedTuple):
    """A law of X, and what becomes of it."""

    atoms: Prior
    nothing: Fraction  # the mass of no row, which is suppressed
    noise: Any
    steps: Sequence[Stage]


class Stepped(Lattice):
    """A goal in steps of the lattice, of which the points of a run are one output."""

    def __init__(self, goal: Atoms) -> None:
        p, q, self.steps = goal.P, goal.Q, goal.P.steps
        self.read(goal, p.atoms, q.atoms, p.noise)
        self.nothing = p.nothing, q.nothing
        if any(self.nothing):
            line = CutLine(self.steps, self.origin, self.origin, self.step)
            end = self._point(line.hidden, -1)
            none = end is None and not line.hides_all  # no point: only no row is suppressed
            self.hidden = Cell(0, -1, SUPPRESSED) if none else Cell(None, end, SUPPRESSED)

    def runs(self, low: int, high: int) -> list[Cell]:
        """The runs of points that become one output."""
        spend(64 * (high + 1 - low))
        first, last = (self.origin + k * self.step for k in (low, high))
        line = CutLine(self.steps, first, last, self.step)
        return [
            Cell(self._point(cell.low, 0), self._point(cell.high, -1), cell.output)
            for cell in line.single(high + 1 - low) if line.reached(cell)
        ]  # fmt: skip

    def _point(self, cut: End, more: int) -> int | None:
        return None if cut is None else count(cut, self.origin, self.step) + more

    def named(self, names: Sequence[str], ar: Arithmetic) -> list[Cell]:
        """The cells of outputs: of those near the atoms, or of numbers."""
        near: dict[str, Cell] = {}
        if self.atoms:
            reach = self.reach(ar.bits)
            found = self.cells(self.atoms[0] - reach, self.atoms[-1] + reach)
            near |= {cell.output: cell for cell in found}
        if self.hidden is not None:
            near[SUPPRESSED] = self.hidden
        return [near[name] if name in near else self._far(name) for name in names]

    def _far(self, name: str) -> Cell:
        """The cell of a number that is an output."""
        if name[:1] not in "[(" and name != SUPPRESSED:
            start = before(self.steps, (canonical_rational(name, "an output"), 0))
            if isinstance(start, tuple):
                k = count(start, self.origin, self.step)
                (cell,) = self.runs(k, k)
                if cell.output == name:
                    return cell
        raise Rejected("no such output")


def kept(goal: Atoms, step: Step) -> Facts:
    """
    delta = 0:  G <= 0 for every output, as in `gaussian_lattice.pure`
    else:       that, or the sum of [G]_+, as in `gaussian_lattice.delta_upper`, is <= delta Z
    -------------------------------------------------------------------------------- F48h, F48i
    the goal holds
    """
    if goal.delta == 1:
        return set()
    lattice, tried = Stepped(goal), [Arithmetic(bits) for bits in SIGN_BITS[:4]]
    if not goal.delta_is_zero:
        for ar in tried:
            with suppress(Rejected, Undecided):
                return require_delta(lattice, ar)
    return require_ratio(lattice, tried)


def output_refuted(goal: Atoms, step: Step) -> Facts:
    """
    delta = 0     P(y) > e^(epsilon + margin) Q(y)     margin > 0
    -------------------------------------------------------- F48i
    the goal fails at the output y
    """
    if not goal.delta_is_zero:
        raise Rejected("an output refutes a pure bound only")
    lattice, ar, least = Stepped(goal), arithmetic(step), margin_of(step)
    (cell,) = lattice.named([string(step["output"], "an output")], ar)
    return lattice.require_margin(cell, least, ar) | {"F48i"}


def outputs_refuted(goal: Atoms, step: Step) -> Facts:
    """
    sum over outputs of a set of G >= (delta + margin) Z      margin > 0
    --------------------------------------------------------------- F48i
    the goal fails at them
    """
    lattice, ar, least = Stepped(goal), arithmetic(step), margin_of(step)
    names = [string(name, "an output") for name in array(step["outputs"], "outputs")]
    if not names or len(set(names)) < len(names):
        raise Malformed("outputs must be different, at least one")
    jumps, total = lattice.jumps(ar), ZERO
    for cell in lattice.named(names, ar):
        total = ar.add(total, lattice.value(cell, jumps, ar))
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not at_most(ar.mul(bound, lattice.whole(ar)), total, ar):
        raise Rejected("no such margin is proved for the event")
    return {"F48i"}
