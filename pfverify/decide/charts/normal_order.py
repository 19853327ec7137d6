"""P against e**epsilon Q under Gaussian noise, or none: g is a sum of normal densities itself."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.charts.chart import Chart, End, Piece, interval_mass
from pfverify.decide.charts.density import Density, sign_cells
from pfverify.decide.charts.normal import NormalLaw
from pfverify.decide.charts.signed import Signed
from pfverify.exact.ball import Raw


class NormalOrder:
    """P against e**epsilon Q (plus the flat part) under Gaussian noise, or none (variance 0)."""

    def __init__(self, signed: Signed) -> None:
        self.signed = signed
        self.factor = signed.factor()
        self.p = NormalLaw(signed.first, signed.added)
        self.q = NormalLaw(signed.second, signed.added)
        self.flat = None if signed.flat is None else signed.flat.ball().raw

    def values(self, y: Fraction) -> tuple[Raw, Raw]:
        """Return the released densities of both sides at y."""
        q = self.q.density(y) * self.factor
        return self.p.density(y), q if self.flat is None else q + self.flat

    def mass(self, low: End, high: End) -> tuple[Raw, Raw]:
        """Return the released mass of an interval under P and under Q (without e**epsilon)."""
        return interval_mass(self.p, low, high), interval_mass(self.q, low, high)

    def chart(self, tolerance: float) -> Chart:
        """Return the sign chart of the density (atoms, without noise, are not part of it)."""
        density = Density(self.signed, tolerance)
        hints = [part.mean for part in (*self.signed.first, *self.signed.second)]
        cells = sign_cells(density, tolerance, hints)
        if not len(density):
            return Chart([Piece(None, None, -1)], [], [])
        pieces: list[Piece] = []
        reached: End = None
        for cell in cells:
            if pieces and reached != cell.low:
                pieces.append(Piece(reached, cell.low, None))
            pieces.append(Piece(cell.low, cell.high, cell.sign))
            reached = cell.high
        places = [end for c in cells for end in (c.low, c.high) if end is not None]
        places += [
            (c.low + c.high) / 2
            for c in cells
            if c.low is not None and c.high is not None and c.sign > 0
        ]
        if not pieces:
            pieces = [Piece(None, None, None)]
        return Chart(pieces, cells, [], places)
