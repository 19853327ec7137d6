"""P against e**epsilon Q under Gaussian noise, or none: g is a sum of normal densities itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pfverify.decide.breach import Place
from pfverify.decide.charts.chart import Chart, End, Piece
from pfverify.decide.charts.density import Density, SignCell, sign_cells
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.signed import Signed, Term
from pfverify.decide.excess import excess_sign
from pfverify.exact.ball import Raw, raw
from pfverify.laws.normal import NormalLaw
from pfverify.model.priors.prior import Component


class NormalMeasured(Measured):
    """P against e**epsilon Q (plus the flat part) under Gaussian noise, or none (variance 0)."""

    def __init__(self, signed: Signed) -> None:
        self.signed = signed
        self.factor = signed.target.exp_epsilon()
        self.p = NormalLaw(signed.first, signed.added)
        self.q = NormalLaw(signed.second, signed.added)
        self.flat = None if signed.flat is None else signed.flat.ball().raw

    def values(self, y: Fraction) -> tuple[Raw, Raw]:
        """Return the released densities of both sides at y."""
        q = self.q.density(y) * self.factor
        return self.p.density(y), q if self.flat is None else q + self.flat

    def log_ratio(self, y: Fraction) -> Raw:
        """Return the logarithm of their quotient."""
        p, q = self.values(y)
        return (p / q).log()

    def bare_atoms(self) -> list[tuple[Term, Raw]]:
        """Return the atoms (there are some without noise only), each with p - e**epsilon q."""
        return [(atom, atom.coefficient(self.factor)) for atom in self.signed.atoms]

    def limits(self) -> list[tuple[Raw, Place]]:
        """Return the ratios of bare atoms, and the limits in tails that one law dominates."""
        found: list[tuple[Raw, Place]] = [
            ((raw(atom.p / atom.q) / self.factor).log(), atom.mean)
            for atom in self.signed.atoms
            if atom.q
        ]
        for side, name in ((1, "inf"), (-1, "-inf")):
            p, q = (dominating(parts, side) for parts in (self.signed.first, self.signed.second))
            if p[:2] == q[:2]:
                found.append(((raw(p[2] / q[2]) / self.factor).log(), name))
        return found

    def exact_sign(self, chart: Chart) -> int | None:
        """Return the sign of divergence - delta where the density has one sign everywhere.

        The masses are sums of weights then, and rational.
        """
        signs = {piece.sign for piece in chart.pieces}
        if len(signs) != 1 or None in signs:
            return None
        terms = [atom for atom, value in self.bare_atoms() if value > 0]
        if signs == {1}:
            terms += self.signed.terms
        p = sum((term.p for term in terms), Fraction(0))
        q = sum((term.q for term in terms), Fraction(0))
        return excess_sign(p, q, self.signed.target, self.signed.target.delta)

    def chart(self, tolerance: float, known: Sequence[SignCell] = ()) -> Chart:
        """Return the sign chart of the density (atoms, without noise, are not part of it)."""
        density = Density(self.signed, tolerance)
        hints = [part.mean for part in (*self.signed.first, *self.signed.second)]
        cells = sign_cells(density, tolerance, hints, known)
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


def dominating(components: Iterable[Component], side: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return (variance, side * mean, weight) of the normal law that dominates a tail."""
    return max((part.variance, side * part.mean, part.weight) for part in components)
