"""The cells of the line that steps make of it, in arrays: names are made when they are asked for.

Source: design fact F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import InputError
from pfverify.model.steps.cells import Walk
from pfverify.model.steps.places import HIDDEN, LARGEST
from pfverify.model.steps.step import SUPPRESSED, PostStep

Integers = NDArray[np.int64]


class CellLine:
    """The cells that steps make, for atoms from `first` to `last`: the same as `cells` finds.

    Attributes: `cuts` between neighbouring cells, increasing integers over `unit`, on a lattice
    halfway between its points; `hides`: the first cell is what is suppressed.
    Raises InputError for more than `most` cells, and for numbers with too many digits.
    """

    def __init__(
        self,
        steps: Sequence[PostStep],
        first: Fraction,
        last: Fraction,
        lattice: Fraction | None,
        most: int,
    ) -> None:
        self._walk, self._most = Walk(steps, first, last, lattice), most
        self._chain, self._lattice = self._walk.chain, lattice
        self.unit = self._chain.unit
        if 8 * max(abs(x) for x in self._chain.numbers) * self.unit > LARGEST:
            raise InputError(
                "post: the steps and the atoms have too many digits together for so many outputs"
            )
        self.hides = self._chain.hidden != HIDDEN
        self._starts = np.zeros(0, np.int64)
        if self._chain.hidden != inf:
            self._starts = self._between(self._walk.first, self._walk.last)
        self.cuts = self._places()

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def _between(self, first: int, last: int) -> Integers:
        """The cuts of the line between the cells."""
        end = max(self._chain.hidden, -LARGEST)
        at = int(max(first, end))
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
        steps, unit, every = self._chain.steps, self.unit, self._walk.every
        ends, found = np.array([first, last]), []
        for k, step in enumerate(steps):
            low, high = ends.tolist()
            if (step.most(Fraction(high - low, 2 * unit)) or 0) > self._most:
                raise self._too_many()
            cuts = step.breaks(low, high, unit)
            for earlier in reversed(steps[:k]):
                cuts = earlier.before(cuts, unit)
                cuts = cuts[abs(cuts) < LARGEST]
            found.append(cuts)
            ends = step.image(ends, unit)
        if self._lattice is not None and every is not None and all(
            step.most(self._lattice) is None for step in steps
        ):
            if (last - first) // every > self._most:
                raise self._too_many()
            found.append(np.arange(first, last + every + 1, every))
        cuts = _different(found)
        if len(found) == 1 and None not in steps[0].images:
            return cuts  # of one step each is a change
        here, before = cuts, cuts - 1
        for step in steps:
            here, before = step.image(here, unit), step.image(before, unit)
        changed: Integers = cuts[here != before]
        return changed

    def _too_many(self) -> InputError:
        return InputError(
            f"post: more than {self._most} outputs lie between the smallest atom and the largest; "
            "expected steps that leave fewer"
        )

    def _places(self) -> Integers:
        """The places of the cuts; of those without a number between them the last is kept."""
        cuts, every, origin = self._starts, self._walk.every, self._walk.first
        if every is None:
            places = cuts >> 1
        else:
            points = -((origin - cuts) // every)  # the first behind each cut
            places = (origin + points * every - every // 2) >> 1
        if len(places):
            chosen = np.append(places[1:] != places[:-1], True)
            self._starts, places = cuts[chosen], places[chosen]
        return places

    def name(self, index: int) -> str:
        """Return the output of a cell."""
        if index == 0 and self.hides:
            return SUPPRESSED
        first = self._walk.first
        if index < len(self.cuts) and self._starts[index] <= first:
            return f"less than {self._walk.run(first).output}"
        run = self._walk.run(int(self._starts[index - 1]) if index else first)
        more = index == len(self.cuts) and run.high is not None
        return f"{run.output} and more" if more else run.output


def _different(parts: Sequence[Integers]) -> Integers:
    """The different numbers of arrays that are sorted, sorted: runs of them are merged fast."""
    found = parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts), kind="stable")
    chosen: Integers = found[np.append(True, found[1:] != found[:-1])] if len(found) else found
    return chosen
