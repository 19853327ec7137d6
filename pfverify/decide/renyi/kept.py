"""Densities that end, or that steps keep in part: R by the pieces of the line (design fact F116).

Laplace noise that is truncated, or renormalised in a window, and clamps and thresholds after noise
on a line. On a piece both densities are two exponentials, as between atoms (F91, F92), or 0: where
q is 0 and p is not, R is infinite. What becomes a single output adds its masses' term.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.decide.comparison import Orders
from pfverify.decide.kept.compared import KeptComparison, Whole
from pfverify.decide.kept.compared import compared as kept_compared
from pfverify.decide.renyi.both import both
from pfverify.decide.renyi.compared import of_events
from pfverify.decide.renyi.line import LONG, MOST_BITS, GapEnds, OnPieces, too_many_cells
from pfverify.exact.ball import Ball, Raw, raw
from pfverify.laws.bounded import BoundedAtoms
from pfverify.laws.forms import KeptPieces
from pfverify.laws.pieces import LinePiece, PieceSums
from pfverify.laws.truncated import TruncatedAtoms
from pfverify.model.target import Target

KeptForm = KeptPieces | TruncatedAtoms | BoundedAtoms
_SAME_LAW = "expected the comparison of densities that are kept"


def compared(first: KeptForm, second: KeptForm, target: Target) -> Orders:
    """Return both orders of two laws, of which the steps or the noise keep densities in part."""
    pure = kept_compared(first, second, of_events(target))
    one, other = pure
    if not (isinstance(one, KeptComparison) and isinstance(other, KeptComparison)):
        raise TypeError(_SAME_LAW)
    wholes = one.whole, other.whole
    return both(pure, lambda turned, order: OfKept(wholes[turned], order), target)


class OfKept(OnPieces):
    """Of two laws on the pieces of a line."""

    most_bits = MOST_BITS

    def __init__(self, whole: Whole, order: Fraction) -> None:
        self.order, self.whole = order, whole
        self.pieces = [x for x in whole.kept if _is_there(x.p)]
        outputs = [(p, q) for _, p, q in whole.outputs]
        self.outputs = [(p, q) for p, q in outputs if p.sign() != 0]
        signs = {q.sign() for _, q in self.outputs}
        bare = any(not _is_there(x.q) for x in self.pieces)
        unknown = None in signs or any(p.sign() is None for p, _ in outputs)
        self.infinite = True if bare or 0 in signs else None if unknown else False

    @property
    def why(self) -> str:
        """Why it may stay unknown."""
        return LONG if self._too_long else super().why

    @property
    def _rate(self) -> Raw:
        return self.whole.rate.ball().raw

    @property
    def _too_long(self) -> bool:
        unit = Ball(self._rate).midpoint()
        return too_many_cells((float(gap) * unit for gap, _ in self._gaps()), self.order)

    def _gaps(self) -> Iterator[tuple[Fraction, LinePiece]]:
        """The pieces with two ends, and their widths."""
        for piece in self.pieces:
            if piece.start is not None and piece.end is not None:
                yield piece.end - piece.start, piece

    def ball(self) -> Raw:
        """Return the sum over pieces, single outputs and tails, over all mass."""
        if self._too_long:
            return raw(1) / raw(0)
        total = self.of_cells(((gap, _ends(x)) for gap, x in self._gaps()), self._rate)
        for p, q in self.outputs:
            total += self.at(p.raw(), q.raw())
        for piece in self.pieces:
            if piece.start is None and piece.end is not None:
                total += self.at(piece.p.high.raw(), piece.q.high.raw())
            elif piece.end is None:
                total += self.at(piece.p.low.raw(), piece.q.low.raw())
        return total / self.whole.twice.raw()


def _is_there(sums: PieceSums) -> bool:
    """Whether a density is not 0 on a piece: then it is 0 nowhere on it."""
    return bool(sums.low.terms or sums.high.terms)


def _ends(piece: LinePiece) -> GapEnds:
    p, q = piece.p, piece.q
    both = (p.left_low, p.right_high, q.left_low, q.right_high)
    return GapEnds(*(x.raw() for x in both))
