"""The outputs that steps make of a noisy number: each is a cell of the line.

To the right of all atoms the laws of Y under two priors are multiples of one law, and to the left
of them too: every set of outputs there has one ratio. So outputs without end are taken together, as
"X and more" or "less than X"; no loss and no divergence changes.
Source: design fact F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.steps.limits import ToBins
from pfverify.model.steps.step import (
    SUPPRESSED,
    Before,
    Cut,
    End,
    PostStep,
    hidden_before,
    piece_of,
    pulled_through,
)


class Cell(NamedTuple):
    """The numbers between two cuts (None: no end), all published as one output."""

    low: End
    high: End
    output: str


def cells(
    steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None, most: int
) -> list[Cell]:
    """Return the cells from left to right, for atoms from `first` to `last`.

    `lattice`: the noisy number differs from `first` by multiples of it; None: it is any number.
    Raises InputError for more than `most` cells, and where numbers on a line stay as they are.
    """
    walk = Walk(steps, first, lattice)
    if walk.hides_all:
        return [Cell(None, None, SUPPRESSED)]
    found, left = walk.between(last, most), walk.hidden
    begin, more = found[0].low, list[Cell]()
    if found[0].output != SUPPRESSED:
        if left is not None:
            more.append(Cell(None, left, SUPPRESSED))
        if begin != left:
            more.append(Cell(left, begin, f"less than {found[0].output}"))
    if (end := found[-1].high) is not None:
        run = walk.run(end)
        found.append(run if run.high is None else Cell(end, None, f"{run.output} and more"))
    return [cell for cell in (*more, *found) if walk.is_reached(cell)]


def single_cells(
    steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None, most: int
) -> list[Cell]:
    """Return the cells that hold numbers from `first` to `last`, each with its own output.

    For noise that reaches no further, or of which the ratio changes further out too. As `cells`.
    """
    walk = Walk(steps, first, lattice)
    return [cell for cell in walk.between(last, most) if walk.is_reached(cell)]


def every_cell(
    steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None, most: int
) -> list[Cell]:
    """Return all cells, each with its own output, where they are finitely many; as `cells`.

    Raises InputError too where outputs are without end.
    """
    far = sum((step.reach for step in steps), Fraction(1))
    low, high = min(first, -far), max(last, far)
    if lattice is not None:
        low = first - ceil((first - low) / lattice) * lattice
    walk = Walk(steps, low, lattice)
    found = walk.between(high, most)
    if found[0].low is not None or found[-1].high is not None:
        raise InputError(
            "form: outputs without end are decided together, as events; with single outputs "
            'expected form = "events", or steps that leave finitely many (clamp, bins)'
        )
    return [cell for cell in found if walk.is_reached(cell)]


def output_behind(steps: Sequence[PostStep], number: Fraction) -> Cell | None:
    """Return the whole output of the numbers just above one; None where they stay as they are.

    Example: ``output_behind([], Fraction(1, 2)) is None`` is ``True``.
    """
    at = Cut(number, after=True)
    if piece_of(steps, at).image is None:
        return None
    walk = Walk(steps, number, None)
    return walk.run(at)._replace(low=walk.side(at, above=False))


class Walk:
    """Single cells, one after the other."""

    def __init__(
        self, steps: Sequence[PostStep], first: Fraction, lattice: Fraction | None
    ) -> None:
        self.steps, self.first, self.lattice = steps, first, lattice
        hidden = hidden_before(steps)
        self.hides_all = hidden is None
        self.hidden = hidden if isinstance(hidden, Cut) else None

    def between(self, last: Fraction, most: int) -> list[Cell]:
        """Return the cells from the one of the first number to that of another."""
        at, found = Cut(self.first), list[Cell]()
        begin = at if piece_of(self.steps, at).image is None else self.side(at, above=False)
        while at <= Cut(last):
            found.append(run := self.run(at)._replace(low=begin))
            if run.high is None:
                break
            at = begin = run.high
            if len(found) > most:
                raise InputError(
                    f"post: more than {most} outputs lie between the smallest number and the "
                    "largest; expected steps that leave fewer"
                )
        return found

    def side(self, at: Cut, *, above: bool) -> End:
        """Return where what becomes of the numbers behind a cut begins, or (`above`) ends."""
        *before, last = self.steps
        image = piece_of(self.steps, at).image
        found: Before = None
        if image == SUPPRESSED:
            return self.hidden if above else None
        if isinstance(image, Fraction):
            found = pulled_through(self.steps, Cut(image, after=above))
        elif isinstance(last, ToBins):
            number = piece_of(before, at).image
            edge = last.around(number if isinstance(number, Fraction) else at.at)[above]
            found = None if edge is None else pulled_through(before, Cut(edge))
        return found if isinstance(found, Cut) else None if above else self.hidden

    def run(self, at: Cut) -> Cell:
        """Return the cell that begins at a cut, on a lattice with the first point behind it."""
        if self.lattice is not None:
            at = Cut(self._point(at))
        image = piece_of(self.steps, at).image
        if image is not None:
            return Cell(at, self.side(at, above=True), str(image))
        if self.lattice is None:
            raise InputError(
                f"post: numbers from {shorten(at.at, 24)} on are published as they are; with "
                "noise on a line, expected steps that leave single outputs: round, floor, ceil "
                "or bins"
            )
        return Cell(at, at._replace(after=True), str(at.at))

    def _point(self, at: Cut) -> Fraction:
        """The first point of the lattice behind a cut."""
        step = self.lattice or Fraction(1)
        return self.first + step * steps_to(at, self.first, step)

    def is_reached(self, cell: Cell) -> bool:
        """Whether a noisy number can lie in a cell."""
        if self.lattice is None or cell.low is None or cell.high is None:
            return True
        return Cut(self._point(cell.low)) < cell.high


def steps_to(cut: Cut, origin: Fraction, step: Fraction) -> int:
    """Return the least k for which origin + k step lies behind a cut."""
    k = ceil((cut.at - origin) / step)
    return k + 1 if cut.after and origin + k * step == cut.at else k
