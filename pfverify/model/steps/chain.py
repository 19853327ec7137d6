"""Steps in order: one map of the line that never decreases, as what it does to cuts.

Source: design fact F45.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from pfverify.model.steps.places import HIDDEN, Cut, End, Place, place_of
from pfverify.model.steps.step import SUPPRESSED, PostStep

Limit = Fraction | None
"""An end of a part, None where it has none."""


class Part(NamedTuple):
    """The numbers between two ends, which keep their density (None) or become one output.

    Single numbers of a line have no mass: it does not matter to which part an end belongs.
    """

    low: Limit
    high: Limit
    output: str | None


class Cell(NamedTuple):
    """The numbers between two cuts (None: no end), all published as one output."""

    low: End
    high: End
    output: str

    @property
    def limits(self) -> tuple[Limit, Limit]:
        """The numbers between which it lies."""
        return (None if self.low is None else self.low.at,
                None if self.high is None else self.high.at)  # fmt: skip


class StepChain:
    """What steps make of the line, in places over a unit.

    That is a common denominator of `numbers`: those that are given, and the steps' own.
    Example: ``StepChain([]).name(Fraction(2))`` is 2.
    """

    def __init__(self, steps: Sequence[PostStep], numbers: Iterable[Fraction] = ()) -> None:
        self.steps = tuple(steps)
        self.numbers = [*numbers, *(x for step in steps for x in step.numbers)]
        self.unit = lcm(*(x.denominator for x in self.numbers))

    def place(self, cut: Cut) -> int:
        """Return the place of a cut."""
        return place_of(cut, self.unit)

    def cut(self, place: Place) -> End:
        """Return the cut at a place; None where it is infinite."""
        if isinstance(place, float):
            return None
        return Cut(Fraction(place >> 1, self.unit), bool(place & 1))

    # ---------------------------------------------------------------- places

    def image(self, place: int) -> Place:
        """Return what becomes of the numbers behind a cut, as the place before it."""
        found: Place = place
        for step in self.steps:
            found = step.image(found, self.unit)
        return found

    def before(self, place: Place) -> Place:
        """Return the cut before which numbers become something before a place.

        -inf: none do, or, of -inf itself, none are suppressed; inf: all.
        """
        for step in reversed(self.steps):
            if step.hides or isinstance(place, int):
                place = step.before(place, self.unit)
        return place

    def ends_of(self, image: Place) -> tuple[Place, Place]:
        """Return where the numbers that become one output begin, and where they end."""
        return HIDDEN if image == HIDDEN else self.before(image), self.before(image + 1)

    def told(self, image: Place) -> str:
        """Return the output that a place stands for."""
        if isinstance(image, float):
            return SUPPRESSED
        if self.steps and self.steps[-1].naming:
            return str(self.steps[-1].images[image >> 1])
        return str(Fraction(image >> 1, self.unit))

    def stays(self, place: int) -> bool:
        """Say whether the numbers just above a cut stay what they are."""
        return self.image(place | 1) == place | 1  # no step makes an odd place of others

    @cached_property
    def hidden(self) -> Place:
        """The place before which numbers are suppressed; -inf: none are, inf: all."""
        return self.before(HIDDEN)

    # ---------------------------------------------------------------- numbers

    def cell(self, image: Place) -> Cell:
        """Return the numbers that become one output."""
        low, high = self.ends_of(image)
        return Cell(self.cut(low), self.cut(high), self.told(image))

    def behind(self, number: Fraction) -> Part | None:
        """Return the whole output of the numbers just above one; None where they stay."""
        above = self.place(Cut(number, after=True))
        if self.stays(above):
            return None
        found = self.cell(self.image(above))
        return Part(*found.limits, found.output)

    def name(self, number: Fraction) -> Fraction | str:
        """Return the name of the output behind a number, or the number where it stays."""
        found = self.behind(number)
        return number if found is None or found.output is None else found.output

    @cached_property
    def suppressed(self) -> Cell | None:
        """The numbers that are suppressed, None where none are."""
        return None if self.hidden == HIDDEN else self.cell(HIDDEN)

    @property
    def unhidden(self) -> Limit:
        """The least number above which none is suppressed, 0 where none is; None: all are."""
        found = self.suppressed
        return Fraction(0) if found is None else found.limits[1]

    @property
    def single(self) -> bool:
        """Whether all numbers are one output."""
        found = self.behind(Fraction(0))
        return found is not None and found[:2] == (None, None)

    def ends(self, side: int) -> bool:
        """Say whether all numbers far out, to the left (-1) or right (1), are one output."""
        return any(step.ends(side) for step in self.steps)

    @cached_property
    def kept(self) -> list[Part] | None:
        """The parts of the line from left to right; None where no number keeps its density."""
        places = set[Fraction]()
        for step in self.steps:
            if step.cuts is None or None not in step.images:
                return None
            places |= {cut.at for cut in step.cuts}
        limits: list[Limit] = [None, *sorted(places), None]
        found: list[Part] = []
        for low, high in pairwise(limits):
            at = (high or Fraction(0)) - 1 if low is None else low
            above = self.place(Cut(at, after=True))
            output = None if self.stays(above) else self.told(self.image(above))
            if found and found[-1].output == output:
                found[-1] = found[-1]._replace(high=high)
            else:
                found.append(Part(low, high, output))
        return found if any(part.output is None for part in found) else None

    def most(self, width: Fraction, lattice: Fraction | None) -> int | None:
        """Return a bound of the number of outputs that atoms so far apart have, None: none.

        Example: ``StepChain([]).most(Fraction(5), Fraction(1))`` is ``9``.
        """
        bounds = [step.most(width) for step in self.steps]
        known = [bound for bound in bounds if bound is not None]
        if lattice is not None:
            known.append(int(width / lattice) + 1)
        return min(known) + 3 if known else None
