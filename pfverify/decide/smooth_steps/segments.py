"""A sign chart of the noisy number, cut where steps make outputs of it.

Steps never decrease, so that every output is an interval of the noisy number, or a number that is
kept. Where the chart's sign changes inside an output, that output is looked at as a whole; all else
is made of whole outputs, or of kept density, with one sign. So finitely many outputs are looked at,
however many there are.
Source: design facts F5 and F45.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pfverify.decide.breach import Place
from pfverify.decide.charts.chart import End, Piece
from pfverify.model.steps.cells import Cell, output_behind
from pfverify.model.steps.kept import Part, kept_parts
from pfverify.model.steps.limits import Clamp, Threshold, ToBins
from pfverify.model.steps.step import SUPPRESSED, Cut, PostStep, hidden_before


@dataclass(frozen=True)
class CutPiece:
    """An interval of the noisy number.

    One `output` (its name), or whole outputs and kept density (None). `sign`: of g there, where it
    is known to be one.
    """

    low: End
    high: End
    output: str | None
    sign: int | None


class SmoothOutputs:
    """What steps make of a number with a density."""

    def __init__(self, steps: Sequence[PostStep]) -> None:
        self.steps = tuple(steps)

    @cached_property
    def parts(self) -> list[Part] | None:
        """The parts of the line where some of it keeps its density; else None."""
        return kept_parts(self.steps)

    @property
    def single(self) -> bool:
        """Whether all numbers are one output."""
        found = self.behind(Fraction(0))
        return found is not None and found[:2] == (None, None)

    @property
    def hides(self) -> bool:
        """Whether some number is suppressed."""
        return hidden_before(self.steps) is not False

    @property
    def unhidden(self) -> Fraction | None:
        """The least number above which none is suppressed, 0 where none is; None: all are."""
        hidden = hidden_before(self.steps)
        if hidden is False:
            return Fraction(0)
        return None if hidden is None else hidden.at

    def name(self, number: Fraction) -> Place:
        """Return the name of the output behind a number, or the number where it is kept."""
        found = self.behind(number)
        return number if found is None else found[2]

    def ends(self, side: int) -> bool:
        """Say whether all numbers far out, to the left (-1) or right (1), are one output."""
        last = (Clamp, ToBins) if side > 0 else (Clamp, ToBins, Threshold)
        return any(isinstance(step, last) for step in self.steps)

    def behind(self, number: Fraction) -> tuple[End, End, str] | None:
        """Return the output of the numbers just above one, None where they are kept."""
        found = output_behind(self.steps, number)
        return None if found is None else (*limits_of(found), found.output)

    def segments(self, pieces: Sequence[Piece]) -> list[CutPiece]:
        """Return a chart cut into outputs, from left to right."""
        places = [piece.high for piece in pieces if piece.high is not None]
        singles = self._parts() if self.parts is not None else self._touched(places)
        cuts: set[Fraction] = set(places)
        for low, high, _ in singles:
            cuts.difference_update(_between(places, low, high))
            cuts |= {x for x in (low, high) if x is not None}
        limits: list[End] = [None, *sorted(cuts), None]
        names = {(low, high): name for low, high, name in singles}
        found = []
        for low, high in pairwise(limits):
            start = 0 if low is None else bisect_right(places, low)
            stop = len(places) if high is None else bisect_left(places, high)
            signs = {piece.sign for piece in pieces[start : stop + 1]}
            sign = signs.pop() if len(signs) == 1 else None
            found.append(CutPiece(low, high, names.get((low, high)), sign))
        return found

    def _parts(self) -> list[tuple[End, End, str]]:
        parts = self.parts or []
        return [(one.low, one.high, one.output) for one in parts if one.output is not None]

    def _touched(self, places: Sequence[Fraction]) -> list[tuple[End, End, str]]:
        """The outputs that hold a place inside, and what is suppressed."""
        hidden = hidden_before(self.steps)
        found: list[tuple[End, End, str]] = []
        if hidden is not False:
            found.append((None, _at(hidden), SUPPRESSED))
        for place in places:
            if found and (found[-1][1] is None or place < found[-1][1]):
                continue  # inside the last one
            one = self.behind(place)
            if one is not None and one[0] != place:
                found.append(one)
        return found


def limits_of(cell: Cell) -> tuple[End, End]:
    """Return the numbers between which a cell lies; single numbers have no mass."""
    return _at(cell.low), _at(cell.high)


def _at(cut: Cut | None) -> End:
    return None if cut is None else cut.at


def _between(places: Sequence[Fraction], low: End, high: End) -> Sequence[Fraction]:
    """The places inside an interval, without its ends."""
    start = 0 if low is None else bisect_right(places, low)
    return places[start : len(places) if high is None else bisect_left(places, high)]
