"""The cells of the line that steps make of it, in arrays: names are made when they are asked for.

Source: design fact F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import InputError
from pfverify.model.steps.arrays import HIDDEN, LARGEST, InArrays
from pfverify.model.steps.cells import Cell, Walk
from pfverify.model.steps.limits import Clamp
from pfverify.model.steps.step import SUPPRESSED, Cut, hidden_before

Integers = NDArray[np.int64]


class CellLine:
    """The cells that steps make, for atoms from `first` to `last`: the same as `cells` finds.

    Attributes: `cuts` between neighbouring cells, increasing integers over `unit`, on a lattice
    halfway between its points; `hides`: the first cell is what is suppressed.
    Raises InputError for more than `most` cells, and for numbers with too many digits.
    """

    def __init__(
        self,
        steps: Sequence[InArrays],
        first: Fraction,
        last: Fraction,
        lattice: Fraction | None,
        most: int,
    ) -> None:
        self._walk, self._steps, self._most = Walk(steps, first, lattice), steps, most
        numbers = [first, last, *(x for step in steps for x in step.numbers)]
        if lattice is not None:
            numbers.append(lattice / 2)
        self.unit = lcm(*(x.denominator for x in numbers))
        if 8 * max(abs(x) for x in numbers) * self.unit > LARGEST:
            raise InputError(
                "post: the steps and the atoms have too many digits together for so many outputs"
            )
        hidden = hidden_before(steps)
        self.hides = hidden is not False
        low, high = (2 * int(x * self.unit) for x in (first, last))
        self._starts = np.zeros(0, np.int64)
        if hidden is not None:
            self._starts = self._between(low, high, hidden)
        self.cuts = self._places()

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def _between(self, first: int, last: int, hidden: Cut | bool) -> Integers:
        """The cuts of the line between the cells."""
        at = end = first
        if isinstance(hidden, Cut):
            end = 2 * int(hidden.at * self.unit) + hidden.after
            at = max(first, end)
        jumps = self._jumps(at, max(at, last))
        start, stop = jumps.searchsorted([at, last], "right").tolist()
        if at == first:
            start = max(start - 1, 0)
        found = jumps[start : stop + 1] if at <= last else jumps[:0]
        if self.hides and (not len(found) or found[0] > end):
            found = np.append(end, found)
        return found

    def _jumps(self, first: int, last: int) -> Integers:
        """The cuts at which what is published changes: between two cuts, and around them."""
        ends, unit, lattice = np.array([first, last]), self.unit, self._walk.lattice
        found = []
        for k, step in enumerate(self._steps):
            low, high = (int(end) for end in ends)
            if (step.most(Fraction(high - low, 2 * unit)) or 0) > self._most:
                raise self._too_many()
            cuts = step.breaks(low, high, unit)
            for earlier in reversed(self._steps[:k]):
                cuts = earlier.before(cuts, unit)
                cuts = cuts[abs(cuts) < LARGEST]
            found.append(cuts)
            ends = self._published(step, ends)
        if lattice is not None and all(step.most(lattice) is None for step in self._steps):
            every = 2 * int(lattice * unit)
            if (last - first) // every > self._most:
                raise self._too_many()
            found.append(np.arange(first, last + every + 1, every))
        cuts = _different(found)
        if len(found) == 1 and not isinstance(self._steps[0], Clamp):
            return cuts  # of one step each is a change
        here, before = cuts, cuts - 1
        for step in self._steps:
            here, before = self._published(step, here), self._published(step, before)
        changed: Integers = cuts[here != before]
        return changed

    def _published(self, step: InArrays, cuts: Integers) -> Integers:
        hidden = cuts == HIDDEN
        found = step.images(cuts, self.unit)
        return np.where(hidden, HIDDEN, found)

    def _too_many(self) -> InputError:
        return InputError(
            f"post: more than {self._most} outputs lie between the smallest atom and the largest; "
            "expected steps that leave fewer"
        )

    def _places(self) -> Integers:
        """The places of the cuts; of those without a number between them the last is kept."""
        cuts, lattice, unit = self._starts, self._walk.lattice, self.unit
        if lattice is None:
            places = cuts >> 1
        else:
            every, origin = int(lattice * unit), int(self._walk.first * unit)
            points = -((2 * origin - cuts) // (2 * every))  # the first behind each cut
            places = origin + points * every - every // 2
        if len(places):
            chosen = np.append(places[1:] != places[:-1], True)
            self._starts, places = cuts[chosen], places[chosen]
        return places

    def name(self, index: int) -> str:
        """Return the output of a cell."""
        if index == 0 and self.hides:
            return SUPPRESSED
        first = self._walk.first
        if index < len(self.cuts) and self._starts[index] <= 2 * first * self.unit:
            return f"less than {self._walk.run(Cut(first)).output}"
        if 0 < index < len(self.cuts) and not self._steps[-1].naming:
            return str(Fraction(self._image(index - 1), self.unit))
        run = self._run(index)
        more = index == len(self.cuts) and run.high is not None
        return f"{run.output} and more" if more else run.output

    def _image(self, cut: int) -> int:
        """What becomes of the numbers behind a cut, times the unit."""
        found, lattice = self._starts[cut : cut + 1], self._walk.lattice
        if lattice is not None:
            found = 2 * self.cuts[cut : cut + 1] + int(lattice * self.unit)
        for step in self._steps:
            found = self._published(step, found)
        return int(found[0]) >> 1

    def _run(self, index: int) -> Cell:
        if not index:
            return self._walk.run(Cut(self._walk.first))
        start = int(self._starts[index - 1])
        return self._walk.run(Cut(Fraction(start >> 1, self.unit), bool(start & 1)))


def _different(parts: Sequence[Integers]) -> Integers:
    """The different numbers of arrays that are sorted, sorted: runs of them are merged fast."""
    found = parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts), kind="stable")
    chosen: Integers = found[np.append(True, found[1:] != found[:-1])] if len(found) else found
    return chosen
