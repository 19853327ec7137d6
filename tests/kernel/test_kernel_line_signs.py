"""Where the difference of two laws on a line is positive: by enclosures, else exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import kernel_builder as kb
import pytest
from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.kinds import Prior
from core.line_signs import Ends, Positive, enclosed_total, positive_pieces
from core.shapes import parse
from core.sweep import Piece, Swept, difference_at
from core.value import form_of
from reader.noise import Noise

F = Fraction
HALVING = Noise("laplace", parse("1/log(2)"), None)  # a decay of 1/2 for each unit
COIN: Prior = {F(0): F(1, 2), F(2): F(1, 2)}
LEFT: Prior = {F(0): F(2, 3), F(2): F(1, 3)}


def ends(p: Prior, q: Prior, found: list[Interval]) -> Ends:
    """Those of a goal where each look encloses g at both ends of each piece so."""
    looks = [Arithmetic(64 + k) for k in range(len(found))]
    goal = kb.goal(p, q, 0, 0, release=HALVING)

    def view(ar: Arithmetic) -> Swept:
        x = found[looks.index(ar)]
        return Swept([F(0), F(2)], [Piece(x, ZERO, ZERO, x, ZERO)] * 3)

    return Ends(goal, view, looks)


@pytest.mark.parametrize(
    ("found", "sign"),
    [
        ((1, 5, 0), 1),
        ((-5, -1, 0), -1),
        ((1, 1, 0), 1),
        ((-1, -1, 0), -1),
        ((0, 0, 0), 0),
        ((0, 5, 0), None),
        ((-5, 0, 0), None),
        ((-3, 5, 0), None),
    ],
)
@pytest.mark.parametrize("far", [False, True])
def test_a_sign_is_that_of_all_that_is_enclosed(
    found: Interval, sign: int | None, *, far: bool
) -> None:
    """At one precision it is not decided else, but for a tie."""
    one = ends(LEFT, COIN, [found])
    if sign is None:
        with pytest.raises(Undecided, match=r"^a sign is not decided at this precision$"):
            one.at(1, far=far)
    else:
        assert one.at(1, far=far) == sign
    assert ends(COIN, COIN, [found]).at(1, far=far) == (sign or 0)


@pytest.mark.parametrize("looks", [2, 3])
def test_more_looks_decide_exactly(looks: int) -> None:
    """P has more at 0, and less at 2."""
    for far, sign in ((False, 1), (True, -1)):
        assert ends(LEFT, COIN, [(-1, 1, 0)] * looks).at(1, far=far) == sign
        last = [(-1, 1, 0)] * (looks - 1) + [(7, 8, 0)]
        assert ends(LEFT, COIN, last).at(1, far=far) == 1


def swept_of(p: Prior, q: Prior) -> tuple[Ends, Swept, Arithmetic]:
    goal, ar = kb.goal(p, q, 0, 0, release=HALVING), Arithmetic(128)
    swept = difference_at(goal, form_of(goal.epsilon), ar)
    return Ends(goal, lambda ar: swept, [ar]), swept, ar


def law(weights: list[int]) -> Prior:
    return {F(2 * k): F(w, sum(weights)) for k, w in enumerate(weights) if w}


def difference(p: Prior, q: Prior, y: float, shape: Callable[[float], float]) -> float:
    """P - Q of a density, or of what is below y."""
    jumps = {x: float(p.get(x, F(0)) - q.get(x, F(0))) for x in {*p, *q}}
    total: float = math.fsum(m * shape(y - float(x)) for x, m in jumps.items())
    return total


def bell(x: float) -> float:
    return math.exp2(-abs(x))


def below(x: float) -> float:
    return bell(x) / 2 if x < 0 else 1 - bell(x) / 2


def test_some_pieces_that_do_not_meet() -> None:
    """P has more at 0, 4, less at 2, 6: what is known of a piece is taken for the next one only."""
    p, q = law([9, 1, 9, 1]), law([1, 9, 1, 9])
    every = {0: (True, True), 1: (True, False), 2: (False, True), 3: (True, False)}
    for pieces in ([0, 1, 2, 3, 4], [1, 3], [1, 4], [2], [1], [0, 2], [2, 4], [3], [4], [1, 2, 3]):
        one, _, _ = swept_of(p, q)
        expected = [Positive(k, *every[k]) for k in pieces if k in every]
        assert [*positive_pieces(one, pieces)] == expected


def test_the_integral_of_the_positive_part() -> None:
    """By distribution functions between the roots, which bisection finds."""
    rng, mixed = random.Random(4), 0
    for _ in range(40):
        p, q = (law([rng.randint(0, 5) for _ in range(3)] + [1]) for _ in "pq")
        if p == q:
            continue
        one, swept, ar = swept_of(p, q)
        found = [*positive_pieces(one, range(len(swept.pieces)))]
        mixed += sum(not (near and far) for _, near, far in found)
        cuts = [-80.0, *sorted(float(x) for x in {*p, *q}), 80.0]
        expected = 0.0
        for a, b in pairwise(cuts):
            low, high = a, b
            rising = difference(p, q, b, bell) > 0
            for _ in range(80):  # to the root, if there is one; else to an end
                middle = (low + high) / 2
                if (difference(p, q, middle, bell) > 0) == rising:
                    high = middle
                else:
                    low = middle
            for left, right in ((a, high), (high, b)):
                expected += max(0.0, difference(p, q, right, below) - difference(p, q, left, below))
        least, most, e = enclosed_total(found, swept, ar)
        assert abs(float(least * F(2) ** e) - 2 * expected) < 1e-9
        assert (most - least) * F(2) ** e < F(1, 2**50)
    assert mixed > 20
