"""The cells of the line that steps make of it: see `stepped`.

No step but `modulo` ever decreases, with `suppressed` below all numbers, so that every output is
made of the numbers between two cuts.  Outputs to the right of all atoms, and those to the left, of
which there may be infinitely many, are one; what is suppressed is never among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from core.grammar import Malformed, bounded, canonical
from core.spans import SUPPRESSED, Part
from core.work import spend
from reader.noise import Noise
from reader.steps import HALF, ONE, Cut, End, Stage, around, image_behind

MOST = 1_000_000  # outputs, or masses of them


def before(steps: Sequence[Stage], cut: Cut) -> End | bool:
    """Where the numbers end that become less than a cut."""
    found: End | bool = cut
    for step in reversed(steps):
        if found is None or isinstance(found, bool):
            break
        found = step.before(found)
    return found


class Stretch(NamedTuple):
    """The numbers between two cuts, with their output."""

    low: End
    high: End
    output: str


class CutLine:
    """The line by outputs, for atoms between two numbers."""

    def __init__(
        self, steps: Sequence[Stage], first: Fraction, last: Fraction, lattice: Fraction | None
    ) -> None:
        self.steps, self.first, self.last, self.lattice = steps, first, last, lattice
        hidden = self._hidden()
        self.hides_all = hidden is None
        self.hidden = None if isinstance(hidden, bool) else hidden

    def cells(self, most: int) -> list[Stretch]:
        """The stretches from left to right, those beyond the atoms as one."""
        if self.hides_all:
            return [Stretch(None, None, SUPPRESSED)]
        found, more, left = self.single(most), list[Stretch](), self.hidden
        low, end, output = found[0].low, found[-1].high, found[0].output
        if output != SUPPRESSED:
            if left is not None:
                more.append(Stretch(None, left, SUPPRESSED))
            if low != left:
                more.append(Stretch(left, low, f"less than {output}"))
        if end is not None:
            one = self._begun(end)
            found.append(one if one.high is None else Stretch(end, None, f"{one.output} and more"))
        return [one for one in (*more, *found) if self.reached(one)]

    def every(self, most: int) -> list[Stretch]:
        """All stretches, of which the outermost have no end: none stands for several outputs."""
        far = sum((max(map(abs, step.edges), default=ONE) for step in self.steps), ONE)
        low, high = min(self.first, -far), max(self.last, far)
        if self.lattice is not None:
            low = self.first - ceil((self.first - low) / self.lattice) * self.lattice
        whole = CutLine(self.steps, bounded(low), high, self.lattice)
        found = whole.single(most)
        if found[0].low is not None or found[-1].high is not None:
            raise Malformed("outputs without end are judged by events")
        return [one for one in found if whole.reached(one)]

    def single(self, most: int) -> list[Stretch]:
        """Those that hold numbers from the first to the last, each as far as it goes."""
        found = [self._whole((self.first, 0))]
        while (end := found[-1].high) is not None:
            spend(64)
            if len(found) > most:
                raise Malformed("steps with too many outputs")
            if end > (self.last, 0):
                break
            found.append(self._begun(end)._replace(low=end))
        return found

    def behind(self) -> Stretch:
        """The whole output of the numbers just above the first atom, on a line."""
        return self._whole((self.first, 1))

    def _hidden(self) -> End | bool:
        """Where what is suppressed ends; False: nothing is, None: everything."""
        last: End | bool = False
        for k, step in enumerate(self.steps):
            found = False if step.hides is None else before(self.steps[:k], step.hides)
            if found is None:
                return None
            if not isinstance(found, bool):
                last = found if isinstance(last, bool) or last is None else max(last, found)
        return last

    def _side(self, at: Cut, image: Fraction | str, side: int) -> End:
        """Where the numbers begin (0) or end (1) that become what those behind a cut do."""
        *others, last = self.steps
        found: End | bool = None
        if image == SUPPRESSED:
            return self.hidden if side else None
        if isinstance(image, Fraction):
            found = before(self.steps, (image, side))
        elif last.key == "bins":
            x = image_behind(others, at)
            edge = around(last.edges, x if isinstance(x, Fraction) else at[0])[side]
            found = None if edge is None else before(others, (edge, 0))
        if found is None or isinstance(found, bool):
            return None if side else self.hidden
        return found

    def _whole(self, at: Cut) -> Stretch:
        """The stretch that holds the numbers behind a cut, from where it begins."""
        one, image = self._begun(at), image_behind(self.steps, at)
        return one._replace(low=at if image is None else self._side(at, image, 0))

    def _begun(self, at: Cut) -> Stretch:
        """The stretch from a cut on, on a lattice from the first point behind it."""
        if self.lattice is not None:
            at = self._point(at), 0
        image = image_behind(self.steps, at)
        if image is None:
            if self.lattice is None:
                raise Malformed("steps that leave numbers of a line as they are")
            return Stretch(at, (at[0], 1), canonical(at[0]))
        name = image if isinstance(image, str) else canonical(image)
        return Stretch(at, self._side(at, image, 1), name)

    def _point(self, at: Cut) -> Fraction:
        step = self.lattice or ONE
        return self.first + step * count(at, self.first, step)

    def reached(self, one: Stretch) -> bool:
        """Whether a point of the lattice lies in a stretch."""
        if self.lattice is None or one.low is None or one.high is None:
            return True
        return (self._point(one.low), 0) < one.high


def count(cut: Cut, origin: Fraction, step: Fraction) -> int:
    """The least j with origin + j step behind the cut."""
    j = ceil((cut[0] - origin) / step)
    return j + 1 if origin + j * step == cut[0] and cut[1] else j


def cells_of(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction], most: int, single: bool
) -> list[Stretch]:
    """The cells of the line, of steps without a `modulo`."""
    first, last = atoms[0], atoms[-1]
    if noise.bound is not None:
        return CutLine(steps, first - noise.bound, last + noise.bound, None).single(most)
    line = CutLine(steps, first, last, noise.step)
    return line.every(most) if single else line.cells(most)


def distance(x: Fraction, cut: End, lattice: Fraction | None) -> Fraction | None:
    """How far behind a number a cut is; on a lattice halfway between two points."""
    if cut is None or lattice is None:
        return cut and cut[0] - x
    return (count(cut, x, lattice) - HALF) * lattice


def parts_between(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction]
) -> tuple[Part, ...]:
    """The parts of the line that are the outputs of some atoms, the outermost with all that no
    noise reaches; on a lattice their ends lie halfway between two points."""
    found, lattice = cells_of(noise, steps, atoms, MOST, single=False), noise.step
    spend(16 * len(found))
    cuts, names = list[Fraction](), [found[0].output]
    for last, cell in pairwise(found):
        far = distance(atoms[0], last.high, lattice)
        if far is None:
            raise Malformed("a cell without an end before the last one")
        cut = atoms[0] + far
        if cuts and cut == cuts[-1]:  # no number of a line, or of the lattice, lies between
            names.pop()
        else:
            cuts.append(cut)
        names.append(cell.output)
    ends = pairwise([None, *cuts, None])
    return tuple(Part(*end, name) for end, name in zip(ends, names, strict=True))
