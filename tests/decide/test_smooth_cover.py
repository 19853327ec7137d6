"""The divergence of mixtures by a cover: against the chart, and with points that lie."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support.chart_orders import orders_of
from support.smooth_oracle import Noise, Part
from support.smooth_problems import gaussian, laplace, normal, parts_of, smooth_problem

from pfverify.decide.charts import covered
from pfverify.decide.charts.covered import divergence_of_mixtures
from pfverify.decide.charts.float_cover import Points, points_of
from pfverify.decide.charts.order import OneOrder
from pfverify.exact.ball import Ball, float_near, precision, raw, relative_bits
from pfverify.exact.written import written

ONE = parts_of(("1/3", 0, 2), ("2/3", 40, 1))
TWO = parts_of(("1/4", 10, 1), ("3/4", 35, 3))
WIDE = laplace(10)


def order_of(p: list[Part], q: list[Part], noise: Noise, epsilon: Any = "1/10") -> OneOrder:
    problem = smooth_problem(p, q, noise, epsilon=epsilon, delta="1/100")
    return orders_of(next(problem.questions()))[0]


def covered_at(order: OneOrder, bits: int = 96) -> Ball | None:
    with precision(bits):
        return divergence_of_mixtures(order)


def agree(order: OneOrder, ball: Ball) -> bool:
    """Whether the ball meets what the chart encloses to 20 digits."""
    found = written(order.events().delta, 20)
    with precision(128):
        return bool(raw(Fraction(found.lower)).union(raw(Fraction(found.upper))).overlaps(ball.raw))


def drawn(random: Random) -> list[Part]:
    sizes = [random.randint(1, 9) for _ in range(random.randint(1, 5))]
    return [
        (Fraction(size, sum(sizes)), Fraction(random.randint(0, 60), 2), Fraction(k + 1, 2))
        for k, size in enumerate(sizes)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_a_cover_agrees_with_the_chart(seed: int) -> None:
    random = Random(seed)
    order = order_of(drawn(random), drawn(random), laplace(random.choice([1, 3, 10, 40])))
    ball = covered_at(order)
    assert ball is not None
    assert agree(order, ball)
    assert ball.raw == 0 or relative_bits(ball) > 50


# P's weight of the middle law is e**(1/10)/2 and 1.8e-21 more: a ball of 74 bits has one digit of
# the coefficient that is left, and in the middle alone nothing exceeds e**epsilon Q
NEAR = Fraction(171016916217453375753141803, 309485009821345068724781056)
AWAY = Fraction(6578005281676019, 140979949241464)


def cancelling(middle: Fraction, away: Fraction | int = AWAY) -> OneOrder:
    sides = [(1 - middle) / 2, Fraction(1, 4)]
    p, q = (
        parts_of((weight, 0, 1), (side, -away, 1), (side, away, 1))
        for weight, side in zip((middle, Fraction(1, 2)), sides, strict=True)
    )
    return order_of(p, q, laplace(1))


def test_coefficients_that_cancel_are_not_taken_for_their_middles() -> None:
    order = cancelling(NEAR)
    truth = Fraction("9.9410509200783602356e-25"), Fraction("9.9410509200783602357e-25")
    found = {bits: covered_at(order, bits) for bits in range(40, 200)}
    known = {bits: ball for bits, ball in found.items() if ball is not None}
    assert len(known) > 20
    with precision(128):
        enclosure = raw(truth[0]).union(raw(truth[1]))
        assert [bits for bits, ball in known.items() if not ball.raw.overlaps(enclosure)] == []
    delta = written(order.events().delta, 12)
    assert Fraction(delta.lower) < truth[0] < truth[1] < Fraction(delta.upper) < 2 * truth[0]


@pytest.mark.parametrize("seed", range(4))
def test_random_coefficients_that_cancel(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So far that no float is near the one that is left, and not so far that nothing is proved."""
    random, far, counts = Random(f"cancel {seed}"), list[object](), 0

    def watched(value: Any) -> float | None:
        found = float_near(value)
        if found is None:
            far.append(value)
        return found

    monkeypatch.setattr(covered, "float_near", watched)
    with precision(200):
        half = Fraction(str(raw(Fraction(1, 10)).exp().str(60, radius=False))) / 2
    for bits in (60, 74, 96, 128):
        more = Fraction(random.randint(1000, 1999), 1000) / 2 ** (bits - random.randint(15, 40))
        order = cancelling((half + more).limit_denominator(10**60), random.randint(5, 60))
        far.clear()
        ball = covered_at(order, bits)
        if ball is not None and far:
            counts += 1
            assert agree(order, ball)
    assert counts


def moved(points: Points) -> Points:
    return points._replace(places=[x + 1e-3 for x in points.places])


def without_zeros(points: Points) -> Points:
    kept = [k for k, zero in enumerate(points.zeros) if not zero]
    return Points([points.places[k] for k in kept], [False] * len(kept), points.sign)


def of_the_other_sign(points: Points) -> Points:
    return points._replace(sign=-points.sign)


def after_the_first_zero(points: Points) -> Points:
    k = points.zeros.index(True) + 1
    return Points(points.places[k:], points.zeros[k:], -points.sign)


def before_the_last_zero(points: Points) -> Points:
    k = max(k for k, zero in enumerate(points.zeros) if zero)
    return Points(points.places[:k], points.zeros[:k], points.sign)


def ends_only(points: Points) -> Points:
    return Points([points.places[0], points.places[-1]], [False, False], points.sign)


def backwards(points: Points) -> Points:
    return points._replace(places=points.places[::-1])


@pytest.mark.parametrize(
    "lie",
    [
        moved,
        without_zeros,
        of_the_other_sign,
        after_the_first_zero,
        before_the_last_zero,
        ends_only,
        backwards,
    ],
)
@pytest.mark.parametrize(("p", "q"), [(ONE, TWO), (TWO, ONE)])
def test_points_that_lie_make_no_wrong_enclosure(
    monkeypatch: pytest.MonkeyPatch,
    lie: Callable[[Points], Points],
    p: list[Part],
    q: list[Part],
) -> None:
    order = order_of(p, q, WIDE)
    honest = covered_at(order)
    assert honest is not None
    assert any(points_that(order).zeros)

    def lying(line: Any) -> Points | None:
        found = points_of(line)
        return None if found is None else lie(found)

    monkeypatch.setattr(covered, "points_of", lying)
    ball = covered_at(order)
    assert ball is None or (ball.raw.overlaps(honest.raw) and agree(order, ball))
    if lie is moved:  # Newton's steps in balls find the zeros again
        assert ball is not None


def points_that(order: OneOrder) -> Points:
    """The points proposed for an order."""
    seen: list[Points | None] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covered, "points_of", lambda line: seen.append(points_of(line)) or seen[-1])
        covered_at(order)
    assert seen[0] is not None
    return seen[0]


@pytest.mark.parametrize(
    ("p", "q", "noise", "epsilon"),
    [
        (parts_of(("1/2", 0, 0), ("1/2", 1, 1)), TWO, WIDE, "1/10"),  # an atom
        (ONE, TWO, gaussian(3), "1/10"),
        (normal(0, 1), normal(1, 1), WIDE, "1/10"),  # a tie far out
        (normal(0, 1), normal("1e400", 1), WIDE, "1/10"),
        (ONE, TWO, WIDE, 2000),
    ],
)
def test_no_cover(p: list[Part], q: list[Part], noise: Noise, epsilon: Any) -> None:
    assert covered_at(order_of(p, q, noise, epsilon)) is None


def test_a_chart_that_goes_on_from_a_coarser_one_agrees_with_a_new_one() -> None:
    kept = 0
    for seed in range(40):
        random = Random(seed)
        noise = random.choice([gaussian(1), gaussian(5), laplace(2)])
        order = order_of(drawn(random), drawn(random), noise)
        with precision(96):
            cells = order.measured(order.target).chart(2.0**-48).cells
        found = []
        for known in ((), cells):
            with precision(300):
                measured = order.measured(order.target)
                chart = measured.chart(2.0**-150, known)
                found.append(order.divergence(measured, order.stretches(measured, chart)))
        assert found[0].raw.overlaps(found[1].raw)
        assert relative_bits(found[1]) > 120 or not found[1].raw > 0
        kept += len(set(cells) & set(chart.cells)) > 1
    assert kept > 30, "no cell was kept"
