"""What steps publish of a number with noise, where each output is made of an interval of numbers.

Enough of them to hold nearly all mass; what is beyond is in none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pfverify.errors import InputError
from pfverify.exact.ball import Raw, precision, raw
from pfverify.laws.law import AtPrecision, Law, Weight
from pfverify.model.steps.cells import single_cells, steps_to
from pfverify.model.steps.chain import Cell, StepChain
from pfverify.model.steps.places import Cut
from pfverify.model.steps.step import SUPPRESSED, PostStep

_MOST = 1 << 16  # outputs
_WIDTHS = 32  # of the noise beyond all marks, where outputs are listed


class SteppedOutputs(Law[Cell]):
    """The law of single outputs behind steps; `noisy` that of the number, None without a row.

    `chance`: how likely there is a row; `hidden`: the numbers that steps suppress, None for none.
    """

    forms = ()  # what is listed of a `forms.Behind`, as which it is compared
    no_density, no_mass = "steps after the noise leave single outputs", None
    no_order = "the outputs are cells of the line"

    def __init__(
        self, noisy: Law[Fraction] | None, chance: Fraction, steps: Sequence[PostStep]
    ) -> None:
        self.noisy, self.chance, self.steps = noisy, chance, tuple(steps)
        self.hidden = StepChain(self.steps).suppressed
        self._last: dict[Cut, Fraction] = {}

    @cached_property
    def outputs(self) -> Sequence[Cell]:
        """The outputs; InputError where they are too many."""
        rest = [Cell(None, None, SUPPRESSED) if self.hidden is None else self.hidden]
        if self.noisy is None:
            return rest
        marks, lattice = self.noisy.marks, self.noisy.step
        with precision(64):
            reach = Fraction(float((self.noisy.width(Fraction(0)) * _WIDTHS).mid()))
        low, high = min(marks) - reach, max(marks) + reach
        if lattice is not None:
            low = marks[0] - ((marks[0] - low) // lattice + 1) * lattice
        found = single_cells(self.steps, low, high, lattice, _MOST)
        return found if self.chance == 1 or rest[0] in found else [*found, *rest]

    @cached_property
    def origin(self) -> Fraction:
        """A point of the lattice; ValueError where there is no row."""
        if self.noisy is None:
            raise ValueError("without a row there is no point")
        return self.noisy.marks[0]

    @property
    def on_lattice(self) -> bool:
        """Whether the number is a point of a lattice; there is none without a row."""
        return self.noisy is not None and self.noisy.step is not None

    def last(self, cut: Cut) -> Fraction:
        """Return the last number before a cut: on a lattice a point."""
        if not self.on_lattice or self.noisy is None or self.noisy.step is None:
            return cut.at
        if cut not in self._last:
            k = steps_to(cut, self.origin, self.noisy.step) - 1
            self._last[cut] = self.origin + k * self.noisy.step
        return self._last[cut]

    @property
    def size(self) -> int:
        """How many outputs are listed."""
        return len(self.outputs)

    def at_precision(self) -> AtPrecision[Cell]:
        """Return the masses at the current precision."""
        return _OutputsAtPrecision(self)


class _OutputsAtPrecision(AtPrecision[Cell]):
    def __init__(self, law: SteppedOutputs) -> None:
        self.law = law
        self.noisy = None if law.noisy is None else law.noisy.at_precision()
        self._known: dict[object, Raw] = {}

    def weight(self, y: Cell) -> Weight:
        """Return the mass of an output."""
        chance, found = self.law.chance, raw(0)
        if self.noisy is not None and not self.law.steps and y.high is not None:
            return self.noisy.weight(self.law.last(y.high))  # each point is an output
        if self.noisy is not None and (y.output != SUPPRESSED or self.law.hidden is not None):
            found = raw(chance) * (self._below(y, 1) - self._below(y, 0))
        if y.output == SUPPRESSED:
            found += raw(1 - chance)
        return Weight(raw(0), found)

    def _below(self, y: Cell, far: int) -> Raw:
        """The mass of the noisy number up to an end."""
        cut = y.high if far else y.low
        if cut is None or self.noisy is None:
            return raw(far)
        at = self.law.last(cut)
        if at not in self._known:
            self._known[at] = self.noisy.below(at)
        return self._known[at]

    def below(self, y: Cell) -> Raw:
        """Refuse: raises InputError, since outputs are cells."""
        raise InputError(f"y: {self.law.no_order}")
