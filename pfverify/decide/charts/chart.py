"""A sign chart of g, the density of the released P - e**epsilon Q: where it is >= 0 and <= 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from pfverify.decide.charts.density import SignCell
from pfverify.decide.step import Step

End = Fraction | None
"""A finite end of an interval, or None for an infinite one."""
Ends = tuple[End, End]


@dataclass(frozen=True)
class Piece:
    """A closed interval on which g is >= 0 (1), <= 0 (-1), or of unknown sign (None)."""

    low: End
    high: End
    sign: int | None


@dataclass
class Chart:
    """The pieces from left to right, and what a certificate needs to repeat the inference.

    `places` are outputs at which p - e**epsilon q is large, for witnesses and searches.
    """

    pieces: list[Piece]
    cells: list[SignCell]
    points: list[Fraction]
    places: list[Fraction] = field(default_factory=list)

    def step(self) -> Step:
        """Return what a certificate says of the chart: the cells of h, and points of the line."""
        cells = [
            [_end(cell.low, "-inf"), _end(cell.high, "inf"), cell.degree, cell.reference]
            for cell in self.cells
        ]
        return {"density": cells, "points": [str(y) for y in self.points]}

    def runs(self, sign: int | None) -> list[Ends]:
        """Return the maximal intervals made of pieces with one sign."""
        return joined((piece.low, piece.high) for piece in self.pieces if piece.sign == sign)

    def worth_looking(self) -> list[Fraction]:
        """Return outputs to look at: inside every interval of positive or unknown sign too."""
        places = list(self.places)
        span = max(places) - min(places) if places else Fraction(0)
        for low, high in [*self.runs(1), *self.runs(None)]:
            if low is not None and high is not None:
                places.append((low + high) / 2)
            elif high is not None:
                places += [high - (span or 1), high - 16 * (span or 1)]
            elif low is not None:
                places += [low + (span or 1), low + 16 * (span or 1)]
        return places


def joined(spans: Iterable[Ends]) -> list[Ends]:
    """Return intervals that come from left to right, those that touch as one."""
    found: list[Ends] = []
    for low, high in spans:
        last = found[-1][1] if found else None
        if low is not None and last is not None and low <= last:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found


def _end(end: End, infinite: str) -> str:
    return infinite if end is None else str(end)


class OneSign:
    """Where h keeps one sign: touching cells of equal sign, merged."""

    def __init__(self, cells: list[SignCell], nothing: bool) -> None:
        self.nothing, self.cells = nothing, cells
        self.runs = [
            (*span, sign)
            for sign in (1, -1)
            for span in joined((cell.low, cell.high) for cell in cells if cell.sign == sign)
        ]

    def at(self, a: Fraction, b: Fraction) -> int | None:
        """Return the sign of h on all of [a, b] (0: h is 0 everywhere), None where unknown."""
        if self.nothing:
            return 0
        for low, high, sign in self.runs:
            if (low is None or low <= a) and (high is None or b <= high):
                return sign
        return None

    def ends(self) -> list[Fraction]:
        """Return where a run of one sign ends (one point at least, if there is a cell)."""
        ends = [end for low, high, _ in self.runs for end in (low, high) if end is not None]
        return ends or [cell.high for cell in self.cells[:1] if cell.high is not None]

    def outside(self, side: int) -> int | None:
        """Return the sign of h from the outermost cell's end outward."""
        if self.nothing:
            return 0
        if not self.cells:
            return None
        return self.cells[-1 if side > 0 else 0].sign
