"""W-infinity balls: most and least by their definition, and the largest value on a piece."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import kernel_builder as kb
import pytest
from core import spread
from core.enclose import ZERO, Arithmetic, Interval
from core.grammar import canonical
from core.kinds import Prior
from core.rules import Rejected
from core.shapes import parse
from core.spread import Balls, BallsDifference, Spread
from core.sweep import Piece
from core.zero import NIL, Sum
from reader.noise import Noise

F = Fraction
AR = Arithmetic(128)
HALVING = Noise("laplace", parse("1/log(2)"), None)  # a decay of 1/2 for each unit


def goal(p: Spread, q: Spread, growth: Fraction) -> Balls:
    """Of e^epsilon = growth."""
    return kb.goal(p, q, 0, 0, release=HALVING)._replace(epsilon=parse(f"log({growth})"))


def holds(a: Fraction, b: Fraction, c: Fraction, tau: Fraction) -> bool:
    """Whether a u + c + b/u <= 0 at u = 1 and at a maximum inside, if there is one."""
    inside = a < 0 and b < 0 and tau * tau * -a < -b < -a
    return a + b + c <= 0 and not (inside and c * c > 4 * a * b)


# ---------------------------------------------------------------- one piece


ENDS = (-17, -16, -15, -4, -2, -1, 0, 1)
MIDDLES = (0, 1, 2, 4, 7, 8, 9, 12, 16, 17)


def piece(a: Interval, b: Interval, halvings: int) -> Piece:
    return Piece(a, ZERO, b, ZERO, (1, 1, -halvings))


@pytest.mark.parametrize("e", [0, -2, 70])
def test_the_largest_value_of_a_piece_decides(e: int) -> None:
    for a, b, c, halvings in product(ENDS, ENDS, MIDDLES, (1, 2)):
        found = spread._established(piece((a, a, e), (b, b, e), halvings), (c, c, e), AR)
        assert found == holds(F(a), F(b), F(c), F(1, 1 << halvings)), (a, b, c, halvings)


def test_a_piece_is_bounded_for_all_that_its_enclosures_hold() -> None:
    rng, met = random.Random(1), 0
    for _ in range(3000):
        a, b, c = rng.randint(-20, 1), rng.randint(-6, 1), rng.randint(0, 9)
        wide = [rng.choice([0, 0, 1, 3]) for _ in "abc"]
        enclosed = [(x, x + w, -2) for x, w in zip((a, b, c), wide, strict=True)]
        if spread._established(piece(enclosed[0], enclosed[1], 2), enclosed[2], AR):
            met += 1
            every = (range(low, high + 1) for low, high, _ in enclosed)
            assert all(holds(F(x), F(y), F(z), F(1, 4)) for x, y, z in product(*every))
    assert met > 500


@pytest.mark.parametrize(
    ("a", "b", "here", "found"),
    [
        ((-1, -1, 0), (-1, -1, -3), (1, 1, -1), True),  # 1/4 <= 4/8
        ((-1, -1, 0), (-1, -1, -4), (1, 1, 0), False),  # 1 > 4/16
        ((-16, -16, -2), (-1, -1, -2), (0, 9, -2), False),  # C may be 9/4
        ((-2, 1, 0), (-3, -1, 0), ZERO, True),  # without C it is below 0, or largest at an end
    ],
)
def test_a_piece_of_other_units(a: Interval, b: Interval, here: Interval, found: bool) -> None:
    assert spread._established(piece(a, b, 3), here, AR) == found


def test_four_times_an_enclosure() -> None:
    assert spread._four((-3, 5, 7)) == (-3, 5, 9)


def test_the_largest_value_of_a_piece_by_exact_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    where = goal(Spread({F(0): F(1)}, F(1)), Spread({F(0): F(1)}, F(1)), F(2))
    for a, b, c, gap in product(ENDS, ENDS, MIDDLES, (1, 2, None)):
        sums = [{NIL: F(x)} if x else {} for x in (a, b)]
        monkeypatch.setattr(spread, "_sums", lambda *_, s=sums, c=c: (*s, F(c)))
        found = spread._exactly(where, F(0), None if gap is None else F(gap), AR)
        if gap is None:
            assert found == (a + b + c <= 0)
        else:
            assert found == holds(F(a), F(b), F(c), F(1, 1 << gap)), (a, b, c, gap)


# ---------------------------------------------------------------- two balls


def half(distance: Fraction) -> Fraction:
    return F(1, 2) ** int(distance)


def excess(p: Spread, q: Spread, growth: Fraction, y: Fraction) -> Fraction:
    """most - growth least, at a whole y."""
    most = sum(m * half(max(abs(y - x) - p.radius, F(0))) for x, m in p.centre.items())
    return most - growth * sum(m * half(abs(y - x) + q.radius) for x, m in q.centre.items())


def centre(rng: random.Random) -> Prior:
    places = sorted(rng.sample(range(-6, 8, 2), rng.randint(1, 3)))
    weights = [rng.randint(1, 4) for _ in places]
    return {F(x): F(w, sum(weights)) for x, w in zip(places, weights, strict=True)}


def value_of(total: Sum) -> Fraction:
    """A sum of whole powers."""
    terms = (c * prod((g[1] ** int(v) for g, v in f), start=F(1)) for f, c in total.items())
    return sum(terms, F(0))


def balls(count: int) -> list[tuple[Spread, Spread, list[Fraction]]]:
    """Two balls, with atoms and radii that are even; and where most or least turns."""
    rng, found = random.Random(7), []
    for _ in range(count):
        p, q = (Spread(centre(rng), F(rng.choice([0, 2, 4]))) for _ in "pq")
        turns = {x + way * p.radius for x in p.centre for way in (-1, 1)} | {*q.centre}
        found.append((p, q, sorted(turns)))
    return found


def test_a_piece_is_the_excess_behind_its_point() -> None:
    """By exact sums, and enclosed, at three outputs up to the next point."""
    for p, q, turns in balls(40):
        growth = F(3, 2)
        where = goal(p, q, growth)
        pieces = spread._pieces(where, spread._points(where), AR)
        assert [*pieces.places] == turns
        for y, one in zip(turns, pieces.pieces[1:], strict=True):
            a, b, here = spread._sums(where, y)
            for t in range(3):
                expected = excess(p, q, growth, y + t)
                assert value_of(a) * half(F(t)) + here + value_of(b) * 2**t == expected
            for exact, (low, high, e) in ((a, one.left), (b, one.right_far)):
                assert low * F(2) ** e <= value_of(exact) <= high * F(2) ** e
                assert (high - low) * F(2) ** e < F(1, 2**100)


def test_two_balls_are_bounded_at_the_largest_ratio_and_not_below() -> None:
    """Of most and least, at the outputs that are whole: below the largest ratio of these nothing
    is proved; with a little more than what is between them everything is."""
    ties = 0
    for p, q, turns in balls(25):
        outputs = [F(y) for y in range(int(turns[0]) - 1, int(turns[-1]) + 2)]
        most = max(excess(p, q, F(0), y) / -excess(Spread({}, F(0)), q, F(1), y) for y in outputs)
        for growth, proved in ((most * F(9999, 10000), False), (most * 3 / 2, True)):
            found = BallsDifference(goal(p, q, growth), {"bits": 128, "ties": []})
            assert (found.positive() is None) == proved
            assert found.facts == {"F63"}
        step = {"bits": 128, "ties": [canonical(y) for y in turns]}
        tied = BallsDifference(goal(p, q, most), step)
        assert tied.facts == {"F63"}
        inside = any(not _bounded(p, q, most, y, behind - y) for y, behind in pairwise(turns))
        assert (tied.positive() is None) != inside
        assert tied.facts == {"F63", "F3"}
        ties += not inside
    assert ties > 10


def _bounded(p: Spread, q: Spread, growth: Fraction, y: Fraction, gap: Fraction) -> bool:
    """By a, b and c of the excess at three outputs."""
    one, two, three = (excess(p, q, growth, y + t) for t in range(3))
    # a + c + b, a/2 + c + 2 b, a/4 + c + 4 b
    b = (three - two - (two - one) / 2) * F(2, 3)
    a = 2 * (one - two + b)
    return holds(a, b, one - a - b, half(gap))


def test_what_is_no_tie() -> None:
    where = goal(Spread({F(0): F(1)}, F(1)), Spread({F(0): F(1)}, F(1)), F(4))
    found = BallsDifference(where, {"bits": 64, "ties": ["-1", "1/2"]})
    with pytest.raises(Rejected, match=r'^the tie "1/2" is not a point where the bound turns$'):
        found.positive()
