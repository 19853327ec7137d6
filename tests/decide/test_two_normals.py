"""The divergence of two normal laws by counted zeros: against charts, and with zeros that lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import tally
from support.chart_orders import orders_of
from support.smooth_problems import laplace, normal, smooth_problem

from pfverify.decide.charts import two_normals
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.charts.two_normals import divergence_of_normals
from pfverify.exact.ball import Ball, precision, relative_bits

BITS = 96
EPSILONS = [0, "1/100", "1/10", "1/2", 1, 3, "log(2)"]


def order_of(first: tuple[Any, Any], second: tuple[Any, Any], b: Any, epsilon: Any) -> OneOrder:
    problem = smooth_problem(normal(*first), normal(*second), laplace(b), epsilon, "1/100")
    return orders_of(next(problem.questions()))[0]


def settled(order: OneOrder, bits: int = BITS) -> Ball | None:
    with precision(bits):
        return divergence_of_normals(order)


def agrees(order: OneOrder, ball: Ball) -> bool:
    """Whether it meets what the chart says, which counts no zeros."""
    return all(ball.raw.overlaps(other.raw) for other, _ in zip(order.charted(60), "ab"))  # noqa: B905


def shape(order: OneOrder) -> str:
    """The signs of g in the tails, which say where P exceeds."""
    with precision(BITS):
        measured = order.measured(order.target)
        tails = [measured.limit_sign(side) for side in (-1, 1)]
    names = {(1, -1): "on the left", (-1, 1): "on the right", (1, 1): "outside", (-1, -1): "inside"}
    return names.get((tails[0] or 0, tails[1] or 0), "no signs")


def drawn(random: Random) -> OneOrder:
    """Variances that are alike, or nearly, as well; means that are nothing to some widths apart."""
    variance, b = (Fraction(random.randint(1, 40), random.randint(1, 12)) for _ in "vb")
    ratio = random.choice([1, Fraction(1001, 1000), 4, Fraction(1, 4), 30, Fraction(1, 30)])
    first, second = (Fraction(random.randint(-12, 12), 4), variance), (0, variance * ratio)
    return order_of(first, second, b, random.choice(EPSILONS))


def test_counted_zeros_agree_with_the_chart() -> None:
    reached: Counter[str] = Counter()
    for seed in range(150):
        order = drawn(Random(seed))
        ball = settled(order)
        if ball is None or order.equal:
            reached["not settled"] += 1
            continue
        reached["settled"] += 1
        reached[shape(order)] += 1
        assert agrees(order, ball)
        with precision(BITS):
            assert ball.raw == 0 or relative_bits(ball) > 45
    tally.reached(reached, "on the left", "on the right", "outside", "inside", least=4)
    assert reached["settled"] > reached["not settled"]


CASES = {
    "on the left": ((0, 1), (3, 1), 1, "1/2"),
    "on the right": ((3, 1), (0, 1), 1, "1/2"),
    "outside": ((0, 4), (1, 1), 1, "1/10"),
    "inside": ((0, 1), (1, 4), 1, "1/10"),
    "inside, on its right": ((3, 1), (0, 9), 1, "1/2"),
}


@pytest.mark.parametrize("digits", [12, 60, 200])
@pytest.mark.parametrize("name", CASES)
def test_more_digits_take_newton_steps(name: str, digits: int) -> None:
    order = order_of(*CASES[name])
    assert shape(order) == name.partition(",")[0]
    ball = settled(order, 48 + 4 * digits)
    assert ball is not None
    assert agrees(order, ball)
    assert relative_bits(ball) > 3.5 * digits


def beside(x: float) -> float:
    return x + 1e-3


def far(x: float) -> float:
    return x + 40


def very_far(x: float) -> float:
    return 1e300


@pytest.mark.parametrize("lie", [beside, far, very_far])
@pytest.mark.parametrize("name", CASES)
def test_zeros_that_lie_make_no_wrong_enclosure(
    name: str, lie: Callable[[float], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = two_normals._zero
    monkeypatch.setattr(two_normals, "_zero", lambda *given: lie(honest(*given)))
    order = order_of(*CASES[name])
    ball = settled(order)
    assert ball is None or agrees(order, ball)
    assert (ball is None) == (lie is not beside), "Newton's steps find only what is near"


def test_one_zero_for_two_makes_no_wrong_enclosure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both brackets at the same zero: the direction is that of one alone."""
    honest = two_normals._zeros

    def same(*given: Any) -> Any:
        found = honest(*given)
        return [(*one[:2], found[0][2]) for one in found]

    monkeypatch.setattr(two_normals, "_zeros", same)
    for name in ("outside", "inside"):
        assert settled(order_of(*CASES[name])) is None


@pytest.mark.parametrize(
    ("first", "second", "b", "epsilon"),
    [
        ((0, 1), (0, 1), 1, 1),  # equal
        ((0, 1), (1, 1), 1, 1),  # a tie far out
        ((0, "1e-30"), (0, "1e30"), 1, 1),
        ((0, 1), ("1e200", 1), 1, 1),
        ((0, 1), ("1e400", 1), 1, 1),
        ((0, 4), (1, 1), "1e-12", 1),
        ((0, 4), (1, 1), 1, 2000),
    ],
)
def test_what_it_does_not_settle_it_leaves(
    first: tuple[Any, Any], second: tuple[Any, Any], b: Any, epsilon: Any
) -> None:
    order = order_of(first, second, b, epsilon)
    ball = settled(order)
    assert ball is None or ball.raw == 0 or relative_bits(ball) > 30
