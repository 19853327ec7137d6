"""A sign chart of g, the density of the released P - e**epsilon Q: where it is >= 0 and <= 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from pfverify.decide.charts.density import SignCell
from pfverify.decide.step import Step

End = Fraction | None
"""A finite end of an interval, or None for an infinite one."""



@dataclass(frozen=True)
class Piece:
    """A closed interval on which g is >= 0 (1), <= 0 (-1), or of unknown sign (None)."""

    low: End
    high: End
    sign: int | None


@dataclass
class Chart:
    """The pieces from left to right, and what a certificate needs to repeat the inference.

    `places` are outputs at which p - e**epsilon q is large, for witnesses and searches; `tie`
    says that a tail of p/q tends to e**epsilon exactly.
    """

    pieces: list[Piece]
    cells: list[SignCell]
    points: list[Fraction]
    places: list[Fraction] = field(default_factory=list)
    tie: bool = False

    @property
    def never_positive(self) -> bool:
        """Whether g <= 0 is proved everywhere."""
        return all(piece.sign == -1 for piece in self.pieces)

    def step(self) -> Step:
        """Return what a certificate says of the chart: the cells of h, and points of the line."""
        cells = [
            [_end(cell.low, "-inf"), _end(cell.high, "inf"), cell.degree, cell.reference]
            for cell in self.cells
        ]
        return {"density": cells, "points": [str(y) for y in self.points]}

    def runs(self, sign: int | None) -> list[tuple[End, End]]:
        """Return the maximal intervals made of pieces with one sign."""
        merged: list[tuple[End, End]] = []
        last: Piece | None = None
        for piece in self.pieces:
            if piece.sign == sign:
                if last is not None and last.sign == sign:
                    merged[-1] = (merged[-1][0], piece.high)
                else:
                    merged.append((piece.low, piece.high))
            last = piece
        return merged


def _end(end: End, infinite: str) -> str:
    return infinite if end is None else str(end)


class OneSign:
    """Where h keeps one sign: touching cells of equal sign, merged."""

    def __init__(self, cells: list[SignCell], nothing: bool) -> None:
        self.nothing = nothing
        self.first = (cells[0].high,) if cells else ()
        self.runs: list[tuple[End, End, int]] = []
        for cell in cells:
            if self.runs and self.runs[-1][1] == cell.low and self.runs[-1][2] == cell.sign:
                self.runs[-1] = (self.runs[-1][0], cell.high, cell.sign)
            else:
                self.runs.append((cell.low, cell.high, cell.sign))

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
        return ends or [end for end in self.first if end is not None]

    def outside(self, side: int) -> int | None:
        """Return the sign of h from the outermost cell's end outward."""
        if self.nothing:
            return 0
        if not self.runs:
            return None
        return self.runs[-1][2] if side > 0 else self.runs[0][2]
