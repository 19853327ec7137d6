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

from pfverify.errors import InputError, shorten
from pfverify.model.steps.chain import Cell, StepChain
from pfverify.model.steps.places import Cut, Place
from pfverify.model.steps.step import SUPPRESSED, PostStep


def cells(
    steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None, most: int
) -> list[Cell]:
    """Return the cells from left to right, for atoms from `first` to `last`.

    `lattice`: the noisy number differs from `first` by multiples of it; None: it is any number.
    Raises InputError for more than `most` cells, and where numbers on a line stay as they are.
    """
    walk = Walk(steps, first, last, lattice)
    chain, hidden = walk.chain, walk.chain.suppressed
    if hidden is not None and hidden.high is None:
        return [hidden]
    found, less = walk.between(most), list[Cell]()
    if found[0].output != SUPPRESSED:
        if hidden is not None:
            less.append(hidden)
        if walk.point(chain.hidden) < walk.begin:
            low, high = chain.cut(chain.hidden), found[0].low
            less.append(Cell(low, high, f"less than {found[0].output}"))
    if (end := found[-1].high) is not None:
        run = walk.run(chain.place(end))
        more = "" if run.high is None else " and more"
        found.append(Cell(end, None, f"{run.output}{more}"))
    return [*less, *found]


def single_cells(
    steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None, most: int
) -> list[Cell]:
    """Return the cells that hold numbers from `first` to `last`, each with its own output.

    For noise that reaches no further, or of which the ratio changes further out too. As `cells`.
    """
    return Walk(steps, first, last, lattice).between(most)


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
    found = Walk(steps, low, high, lattice).between(most)
    if found[0].low is not None or found[-1].high is not None:
        raise InputError(
            "form: outputs without end are decided together, as events; with single outputs "
            'expected form = "events", or steps that leave finitely many (clamp, bins)'
        )
    return found


class Walk:
    """Single cells from a first number to a last one, one after the other, in places of a chain.

    Attribute: `every`, how far points of the lattice are apart, None on a line.
    """

    def __init__(
        self, steps: Sequence[PostStep], first: Fraction, last: Fraction, lattice: Fraction | None
    ) -> None:
        halves = [] if lattice is None else [lattice / 2]
        self.chain = StepChain(steps, [first, last, *halves])
        self.first, self.last = (self.chain.place(Cut(x)) for x in (first, last))
        self.every = None if lattice is None else self.chain.place(Cut(lattice))

    @property
    def begin(self) -> Place:
        """Where the output of the first number begins."""
        return self.chain.ends_of(self.chain.image(self.first))[0]

    def between(self, most: int) -> list[Cell]:
        """Return the cells from the one of the first number to that of the last."""
        place, low, found = self.first, self.chain.cut(self.begin), list[Cell]()
        while place <= self.last:
            found.append(run := self.run(place)._replace(low=low))
            if run.high is None:
                break
            low, place = run.high, self.chain.place(run.high)
            if len(found) > most:
                raise InputError(
                    f"post: more than {most} outputs lie between the smallest number and the "
                    "largest; expected steps that leave fewer"
                )
        return found

    def run(self, place: int) -> Cell:
        """Return the cell of the numbers behind a place, on a lattice of the first point there."""
        place, chain = int(self.point(place)), self.chain
        if self.every is None and chain.stays(place):
            raise InputError(
                f"post: numbers from {shorten(Fraction(place >> 1, chain.unit), 24)} on are "
                "published as they are; with noise on a line, expected steps that leave single "
                "outputs: round, floor, ceil or bins"
            )
        return chain.cell(chain.image(place))

    def point(self, place: Place) -> Place:
        """Return the first place behind a cut that a noisy number can have."""
        if self.every is None or isinstance(place, float):
            return place
        return place + (self.first - place) % self.every


def steps_to(cut: Cut, origin: Fraction, step: Fraction) -> int:
    """Return the least k for which origin + k step lies behind a cut."""
    k = ceil((cut.at - origin) / step)
    return k + 1 if cut.after and origin + k * step == cut.at else k
