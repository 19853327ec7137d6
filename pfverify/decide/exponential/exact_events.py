"""The hockey-stick divergence as an exact sum with square roots, for ties with delta (F3, F4)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.radical import RadicalSum
from pfverify.laws.pieces import (
    Amount,
    Excess,
    LinePiece,
    PieceSums,
    line_pieces,
    positive,
    positive_parts,
)
from pfverify.laws.sweep.positive import run

_ONE = ExpSum.constant(1)


def exact_divergence(
    pair: Pair, rate: Exponent, epsilon: Exponent, reverse: bool
) -> tuple[RadicalSum, ExpSum] | None:
    """Return ``(numerator, denominator)`` of the divergence of one order, exactly.

    None where a sign inside the sum could not be decided. The number of terms grows with the
    square of the number of atoms.

    Example: ``exact_divergence(points, Exponent.rational(1), Exponent({}), False)[0].ball()``,
    which is 2 (1 - exp(-1/2)), contains 0.78693..., for point masses at 0 and 1; the denominator
    is 2.
    Source: design facts F3, F4 and F12.
    """
    p, q = ([*prior.mass.items()] for prior in pair.priors[:: -1 if reverse else 1])
    growth, step = ExpSum.power(epsilon), pair.step
    pieces = line_pieces(p, q, rate, ())
    if step is None:
        total, denominator = Excess.total(positive_parts(pieces, growth)), ExpSum.constant(2)
    else:
        lattice = _Lattice(rate, step)
        total = Excess.total(part for piece in pieces for part in lattice.parts(piece, growth))
        denominator = _ONE + lattice.power(1)
    return None if total is None else (total.exact(), denominator)


class _Lattice:
    """1 - s times the sum of the positive part over a lattice, with s = e**(-step rate)."""

    def __init__(self, rate: Exponent, step: Fraction) -> None:
        self._rate, self._step = rate, step

    def power(self, j: int) -> ExpSum:
        """Return s**j."""
        return ExpSum.power(self._rate.times(-j * self._step))

    def parts(self, piece: LinePiece, growth: ExpSum) -> Iterator[Excess | None]:
        """Yield it for a piece with the atom at its start; beyond all atoms g has one sign."""
        g, s = piece.p.minus(piece.q, growth), self.power(1)
        if piece.start is None:
            yield positive(g.right_high, s)
        elif piece.end is None:
            yield positive(g.left_low)
        else:
            yield positive(g.low, _ONE - s)
            yield self._inside(g, int((piece.end - piece.start) / self._step))

    def _inside(self, g: PieceSums, m: int) -> Excess | None:
        """The points strictly inside a gap of m steps, of which a run from one end is positive."""
        before, behind = (0, 0) if m == 1 else (g.left_low.sign(), g.right_high.sign())
        if before is None or behind is None:
            return None
        if max(before, behind) <= 0:
            return Excess()
        a, b = g.left_low.make(), g.right_high.make()
        if before < 0:
            a, b = b, a
        count = m - 1 if min(before, behind) >= 0 else self._count(a, b, m)
        if count is None:
            return None
        return Excess((Amount.of(run(_ONE, self.power, a, b, count, m)),))

    def _count(self, a: ExpSum, b: ExpSum, m: int) -> int | None:
        """With a > 0 > b the terms decrease: count the positive ones; None: not decided."""
        low, high = 0, m - 1
        while low < high:
            middle = (low + high + 1) // 2
            sign = (a * self.power(middle) + b * self.power(m - middle)).sign()
            if sign is None:
                return None
            low, high = (middle, high) if sign > 0 else (low, middle - 1)
        return low
