"""The positive part of the difference of two laws on a line, exactly, and a delta equal to it."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import kernel_builder as kb
import pytest
from core import line_ties
from core.enclose import Arithmetic
from core.kinds import Prior
from core.line_signs import Ends, Positive, positive_pieces
from core.rules import Rejected
from core.shapes import parse
from core.sweep import difference_at
from core.value import form_of
from core.zero import NIL, Form, Sum, add, constant, is_zero, multiply, times
from reader.noise import Noise

F = Fraction
AR = Arithmetic(128)
LOG_2 = form_of(parse("log(2)"))


def halving(step: Fraction) -> Noise:
    """On a lattice, with a decay of 1/2 for each unit."""
    return Noise("discrete-laplace", parse("1/log(2)"), step)


def value_of(total: Sum) -> float:
    """A sum of powers of 2."""
    return math.fsum(float(c) * math.prod(g[1] ** float(v) for g, v in f) for f, c in total.items())


def number(x: Fraction) -> Sum:
    return {NIL: x} if x else {}


def half_power(n: int) -> Form:
    """2^(n/2)."""
    return times(LOG_2, F(n, 2))


# ---------------------------------------------------------------- on a lattice


def law(weights: list[int], places: list[Fraction]) -> Prior:
    return {x: F(w, sum(weights)) for x, w in zip(places, weights, strict=True) if w}


@pytest.mark.parametrize("step", [F(1), F(2), F(1, 2)])
def test_the_positive_part_is_that_of_all_points(step: Fraction) -> None:
    """In its unit, s^(1/2) + s^(-1/2) for the decay s of a step."""
    rng, cut = random.Random(6), 0
    s = 2.0 ** -float(step)
    unit, constant_ = s**0.5 + s**-0.5, (1 - s) / (1 + s)
    for _ in range(25):
        places = [step * k for k in sorted(rng.sample(range(-12, 13), 4))]
        p, q = (law([rng.randint(0, 5) for _ in range(3)] + [1], places) for _ in "pq")
        goal = kb.goal(p, q, 0, 0, release=halving(step))
        swept = difference_at(goal, NIL, AR)
        ends = Ends(goal, dict.fromkeys([AR], swept).__getitem__, [AR])
        found = [*positive_pieces(ends, range(len(swept.pieces)))]
        cut += sum(not (near and far) for _, near, far in found)
        total, products = line_ties.exact_total(goal, swept.places, found, AR)
        jumps = [(x / step, float(p.get(x, F(0)) - q.get(x, F(0)))) for x in places]
        g = (math.fsum(m * s ** abs(j - x) for x, m in jumps) for j in range(-90, 91))
        expected = constant_ * math.fsum(max(0.0, x) for x in g)
        assert products == []
        assert abs(value_of(total) - unit * expected) < 1e-12
    assert cut > 15


@pytest.mark.parametrize("step", [F(1), F(2), F(1, 2)])
def test_the_last_point_that_is_not_negative(step: Fraction) -> None:
    """A zero counts: of 2^-j a - 2^-(6-j) 2^n at j = (6 - n)/2 and a = 1."""
    where = kb.goal({F(0): F(1)}, {F(0): F(1)}, 0, 0, release=halving(step))
    decay = 2.0 ** -float(step)
    ties = 0
    for steps in range(1, 8):
        for n in range(-9, 10):
            a, b = {NIL: F(1)}, {times(LOG_2, step * n): F(-1)}
            if n >= steps:  # not positive at the first point
                continue
            last = max(j for j in range(steps) if 2 * j <= steps - n)
            ties += 2 * last == steps - n
            assert line_ties._last_index(where, a, b, steps, AR) == last, (steps, n, decay)
    assert ties > 10


def test_runs_are_of_pieces_that_meet_where_g_is_not_negative() -> None:
    def one(k: int, ends: str) -> Positive:
        return Positive(k, ends[0] == "+", ends[1] == "+")

    a, b, c, d, e = one(0, "++"), one(1, "++"), one(2, "+-"), one(4, "-+"), one(5, "++")
    assert line_ties._runs([]) == []
    assert line_ties._runs([a, b, c, d, e]) == [(a, c), (d, e)]
    assert line_ties._runs([a, b, d]) == [(a, b), (d, d)]
    assert line_ties._runs([c, e]) == [(c, c), (e, e)]
    assert line_ties._runs([c, one(3, "++")]) == [(c, c), (one(3, "++"), one(3, "++"))]
    assert line_ties._runs([b, one(2, "-+")]) == [(b, b), (one(2, "-+"), one(2, "-+"))]


# ---------------------------------------------------------------- equal to delta


def require(total: Fraction, products: list[line_ties.Product], delta: str) -> None:
    line_ties.require_equal(number(total), products, {NIL: F(2)}, parse(delta), AR)


NOT_EQUAL = r"^the divergence is not proved equal to delta$"
ROOT: Sum = {half_power(1): F(1), NIL: F(1)}  # the root of 2, and 1
SQUARE: Sum = {half_power(1): F(2), NIL: F(3)}  # of ROOT
LESS: Sum = {half_power(1): F(1), NIL: F(-1)}


@pytest.mark.parametrize(
    ("products", "delta"),  # A = 10, and 2 in place of 1
    [
        ([], "5"),
        ([({NIL: F(2)}, {NIL: F(8)}, NIL)], "1"),  # a root of 16
        ([(ROOT, LESS, NIL)], "4"),  # of (2^(1/2) + 1) (2^(1/2) - 1) = 1
        ([(ROOT, LESS, NIL)] * 2, "3"),
        ([(ROOT, {f: 9 * c for f, c in ROOT.items()}, NIL)], "5-3*(exp(log(2)/2)+1)"),
        ([(SQUARE, {NIL: F(1)}, NIL)], "4-exp(log(2)/2)"),  # by squares of both sides
        ([(SQUARE, {NIL: F(1)}, NIL)] * 2, "3-2*exp(log(2)/2)"),
    ],
)
def test_the_positive_part_less_its_roots_is_delta(
    products: list[line_ties.Product], delta: str
) -> None:
    require(F(10), products, delta)
    with pytest.raises(Rejected):
        require(F(10) + F(1, 10**30), products, delta)
    with pytest.raises(Rejected):
        require(F(10) - F(1, 10**30), products, delta)


def test_a_root_that_is_none_is_compared_by_squares() -> None:
    """Whose signs must agree: A - 2 delta is 0, 2, less than 0, and -2 (2^(1/2) + 1)."""
    one = [(ROOT, {NIL: F(1)}, NIL)]
    with pytest.raises(Rejected, match=NOT_EQUAL):
        require(F(10), one, "5")  # A - 2 delta = 0
    with pytest.raises(Rejected, match=NOT_EQUAL):
        require(F(10), one, "4")
    with pytest.raises(Rejected, match=r"^the divergence is not delta$"):
        require(F(10), one, "6")
    with pytest.raises(Rejected, match=r"^the divergence is not delta$"):
        require(F(10), [(SQUARE, {NIL: F(1)}, NIL)], "6+exp(log(2)/2)")
    other = [({**ROOT, constant(F(1)): F(1)}, {NIL: F(1)}, NIL)]
    with pytest.raises(Rejected, match=r"^more than one distinct radical in an exact equality"):
        require(F(10), one + other, "4")


# ---------------------------------------------------------------- roots of squares


def scaled(s: Sum, c: Fraction, f: Form) -> Sum:
    return multiply(s, {f: c})


SHORT: Sum = {constant(F(0)): F(3)}
ORDERS: list[Sum] = [  # with the greatest exponent first, or not
    {constant(F(2)): F(3), constant(F(1)): F(1)},
    {constant(F(1)): F(1), constant(F(2)): F(3)},
    {NIL: F(1), constant(F(1)): F(3)},
    {constant(F(-1)): F(1), constant(F(-2)): F(5), constant(F(3)): F(-2)},
]


@pytest.mark.parametrize("a", [SHORT, *ORDERS])
def test_the_root_of_a_square(a: Sum) -> None:
    """b = c e^h a, in another order: the root of a b e^f is that of c e^(h+f), times a."""
    for c, h, f in ((4, 0, 2), (F(1, 9), 2, 0), (1, -4, 6), (F(1, 4), 0, 0)):
        turned = dict(reversed(a.items()))
        b = scaled(turned, F(c), constant(F(h)))
        root = {constant(F(h + f, 2)): F(math.isqrt(F(c).numerator), math.isqrt(F(c).denominator))}
        found = line_ties._root_of_square(a, b, constant(F(f)), AR)
        assert found is not None
        assert is_zero(add(found, multiply(a, root), F(-1)))
        for less in (scaled(b, F(-1), NIL), scaled(b, F(-1, 4), NIL)):
            assert line_ties._root_of_square(a, less, NIL, AR) is None
    assert line_ties._root_of_square(a, {**a, constant(F(7)): F(1)}, NIL, AR) is None
    if len(a) > 1:
        first = next(iter(a))
        assert line_ties._root_of_square(a, {**a, first: a[first] + 1}, NIL, AR) is None
