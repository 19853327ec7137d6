"""The pieces of a difference of two laws on a line, of noise with an end and without."""

from __future__ import annotations

from fractions import Fraction

from core import sweep
from core.enclose import ZERO, Arithmetic, Interval
from core.shapes import parse
from reader.noise import Noise

F = Fraction
AR = Arithmetic(64)
SCALE = parse("1/log(2)")  # a decay of 1/2 for each unit


def holds(x: Interval, value: Fraction) -> bool:
    low, high, e = x
    return low * F(2) ** e <= value <= high * F(2) ** e <= value + F(1, 1 << 50)


def test_where_no_noise_comes_it_is_exactly_0() -> None:
    """Of atoms at 0, 1 and 10 that move by 3 at most; -3 to 4 and 7 to 13 are reached."""
    noise = Noise("laplace", SCALE, None, F(3))
    masses = {F(0): F(1, 3), F(1): F(-1, 7), F(10): F(2, 5)}
    jumps = {x: AR.of(m) for x, m in masses.items()}
    places = sweep.turns(noise, jumps, [F(2), F(5)])
    assert places == [F(y) for y in (-3, -2, 0, 1, 2, 3, 4, 5, 7, 10, 13)]
    found = sweep.sweep(noise, places, jumps, AR)
    assert len(found.pieces) == len(places) + 1
    for k, piece in enumerate(found.pieces):
        low, high = places[k - 1] if k else None, places[k] if k < len(places) else None
        for at, left, right in (
            (low, piece.left, piece.right_far), (high, piece.left_far, piece.right)
        ):  # fmt: skip
            if at is None:
                assert left[:2] == right[:2] == (0, 0)
                continue
            behind, ahead = list[Fraction](), list[Fraction]()  # whose noise covers the piece
            if low is not None and high is not None:
                behind = [x for x in masses if x <= low and high <= x + 3]
                ahead = [x for x in masses if high <= x and x - 3 <= low]
            for side, atoms in ((left, behind), (right, ahead)):
                assert holds(side, sum((masses[x] / 2 ** int(abs(at - x)) for x in atoms), F(0)))
                assert atoms or side[:2] == (0, 0)


def test_without_places_there_is_one_piece() -> None:
    found = sweep.swept(Noise("laplace", SCALE, None), [], [], [], AR)
    assert found == sweep.Swept([], [sweep.Piece(ZERO, ZERO, ZERO, ZERO, ZERO)])
