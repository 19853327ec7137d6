"""Where the difference of two laws on a line is positive.  As in `sweep`.

At the zero of g of a piece whose low end is positive, e^(-2 (y-a) rho) = -R'/L, so that up to there
twice its integral is L - R' less 2 sqrt(-L R'); mirrored likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.line import Lines
from core.sweep import Swept
from core.value import form_of
from core.zero import is_zero

if TYPE_CHECKING:
    from core.sides import Sides

View = Callable[[Arithmetic], Swept]  # of all pieces


class Ends:
    """The signs of g at the ends of pieces, from left to right: by enclosures, else exactly."""

    def __init__(self, goal: Lines, view: View, looks: Sequence[Arithmetic]) -> None:
        self.goal, self.view, self.looks = goal, view, looks
        self.sides: Sides | None = None

    def at(self, k: int, *, far: bool) -> int:
        """The sign at the low or at the far end of a piece."""
        for ar in self.looks:
            piece = self.view(ar).pieces[k]
            low, high, _ = piece.far(ar) if far else piece.near(ar)
            if low > 0 or high < 0 or low == high:  # of equal ends it is the number
                return (low > 0) - (high < 0)
        from core.sides import Sides

        self.sides = self.sides or Sides(self.goal.P, self.goal.Q, form_of(self.goal.epsilon))
        low_end, high_end = ends_of(self.view(self.looks[0]).places, k)
        self.sides.pass_by(low_end)
        value = self.sides.value_at(high_end if far else low_end)
        if len(self.looks) > 1:
            from core.signs import decided_sign

            return decided_sign(value)
        if is_zero(value):
            return 0
        raise Undecided("a sign is not decided at this precision")


class Positive(NamedTuple):
    """A piece on which g is positive somewhere, and whether it is not negative at its ends."""

    piece: int
    near: bool
    far: bool


def ends_of(places: Sequence[Fraction], k: int) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a piece."""
    return places[k - 1] if k else None, places[k] if k < len(places) else None


def positive_pieces(ends: Ends, pieces: Iterable[int]) -> Iterator[Positive]:
    """Those of some pieces, from left to right, on which g is positive."""
    jumps, before, last = ends.goal.P.noise.bound is not None, -1, 0
    for k in pieces:
        near = last if before == k - 1 and not jumps else ends.at(k, far=False)
        before, last = k, ends.at(k, far=True)
        if max(near, last) > 0:
            yield Positive(k, near >= 0, last >= 0)


def enclosed_total(found: Sequence[Positive], swept: Swept, ar: Arithmetic) -> Interval:
    """Twice the integral of [g]_+ on a line."""
    total = ZERO
    for k, near, far in found:
        piece = swept.pieces[k]
        if near:
            total = ar.add(total, ar.sub(piece.left, piece.right_far))
        if far:
            total = ar.add(total, ar.sub(piece.right, piece.left_far))
        if not (near and far):
            mine, other = (piece.left, piece.right_far) if near else (piece.right, piece.left_far)
            root = ar.sqrt(ar.neg(ar.mul(mine, other)))
            total = ar.sub(total, ar.add(root, root))
    return total
