"""Proposals for the least scale of priors with densities: so near that few exact decisions do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from support.chart_orders import orders_of
from support.oracles import units_wide
from support.problems import limited
from support.smooth_problems import normal, parts_of, smooth_problem

from pfverify import GaussianNoise, Laplace, Problem
from pfverify.decide.charts.float_start import start_of
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.comparison import Scaled
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict
from pfverify.exact.grid import Grid
from pfverify.exact.written import written
from pfverify.scales import minimum
from pfverify.scales.minimum import Bracket, minimum_scale

MOST_DECISIONS = 8


def counted(
    problem: Problem, digits: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Bracket, list[Verdict]]:
    """The bracket, and the verdicts that were decided exactly on the way to it."""
    verdicts: list[Verdict] = []
    decide = minimum.verdict_at

    def verdict(scaled: Scaled, scale: Fraction) -> Verdict:
        verdicts.append(decide(scaled, scale))
        return verdicts[-1]

    monkeypatch.setattr(minimum, "verdict_at", verdict)
    with limited(60):
        return minimum_scale(problem, Grid(digits)), verdicts


@pytest.mark.parametrize("digits", [3, 12, 30])
def test_far_apart_laws_of_very_different_widths(
    digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event of one scale says little of the next: its roots creep by 1 % a round."""
    p = parts_of(("2/9", 2, "1/500"), ("7/9", 20000, 0))
    q = parts_of((1, -2 * 10**9, 3))
    problem = smooth_problem(p, q, GaussianNoise(1), 100, "1e-6")
    bracket, verdicts = counted(problem, digits, monkeypatch)
    assert bracket.upper is not None
    assert bracket.reason is None
    known, near = Fraction("195675969.985486"), Fraction(1, 10**6)
    assert bracket.lower - near < known < bracket.upper + near
    assert {Verdict.REFUTED, Verdict.CERTIFIED} == set(verdicts)
    assert len(verdicts) <= MOST_DECISIONS


FAR_FROM_THE_START: list[tuple[Any, Any, Any, Any, Any, str]] = [
    (  # 2**33 is where the search starts: halvings alone do not come down to 0.66
        [(1, -1, 1)],
        [("1/2", 22, 6), ("1/4", 19, "6/7"), ("1/4", 5 * 10**9, 0)],
        GaussianNoise(1),
        "log(3)",
        "1/3",
        "pointwise",
    ),
    (
        [("100/201", -15, 0), ("1/201", 7, 1), ("100/201", 6 * 10**9, 1)],
        [(1, -30, 0)],
        Laplace(),
        "1/10",
        "1/3",
        "pointwise",
    ),
    (  # at the least scale the witness of that scale is none at the half of it
        [(1, "19/7", 9 * 10**6)],
        [("1/2", 25, 4), ("1/2", 20, 0)],
        GaussianNoise(1),
        100,
        "1e-30",
        "events",
    ),
]


@pytest.mark.parametrize(("p", "q", "noise", "epsilon", "delta", "form"), FAR_FROM_THE_START)
def test_least_scales_far_below_the_spread(
    p: Any, q: Any, noise: Any, epsilon: Any, delta: Any, form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    problem = smooth_problem(parts_of(*p), parts_of(*q), noise, epsilon, delta, form)
    bracket, verdicts = counted(problem, 12, monkeypatch)
    assert bracket.upper is not None
    assert bracket.reason is None
    assert {Verdict.REFUTED, Verdict.CERTIFIED} == set(verdicts)
    assert len(verdicts) <= MOST_DECISIONS


@pytest.mark.parametrize("noise", [Laplace(1), GaussianNoise(1)])
def test_the_least_epsilon_pointwise_at_many_digits(
    noise: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output that asks for most is found to half of the digits, so that few decisions do."""
    asked = 0
    decide = OneOrder.pure_sign

    def pure_sign(self: OneOrder, target: Any) -> Any:
        nonlocal asked
        asked += 1
        return decide(self, target)

    monkeypatch.setattr(OneOrder, "pure_sign", pure_sign)
    problem = smooth_problem(normal(0, 1), normal(1, 4), noise, 1, "1/100", "pointwise")
    (item,) = problem.questions()
    order, _ = comparison(item)
    with limited(60):
        short = written(order.least_epsilon(), 12)
        asked = 0
        found = written(order.least_epsilon(), 60)
    assert units_wide(found.lower, found.upper, 60) == 1
    assert Fraction(short.lower) <= Fraction(found.lower) < Fraction(found.upper)
    assert Fraction(found.upper) <= Fraction(short.upper)
    assert 2 < asked <= MOST_DECISIONS


@pytest.mark.parametrize(
    ("p", "q", "epsilon", "delta"),
    [
        (parts_of((1, 0, 0)), parts_of((1, 1, 0)), 1, "1/1000"),
        (parts_of((1, 10**40, 0)), parts_of((1, 3 * 10**40, 0)), "1/10", "1e-9"),
        (parts_of(("1/3", 0, 1), ("2/3", 5, 2)), parts_of((1, 2, 4)), "1/2", "1/50"),
        (parts_of(("1/2", -3, 0), ("1/2", 3, 0)), parts_of((1, 0, 0)), 0, "1/20"),
    ],
)
def test_floats_start_next_to_the_least_scale_of_normal_noise(
    p: Any, q: Any, epsilon: Any, delta: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = smooth_problem(p, q, GaussianNoise(1), epsilon, delta)
    start = start_of(orders_of(next(problem.questions()))[0])
    bracket, verdicts = counted(problem, 12, monkeypatch)
    assert start is not None
    assert bracket.upper is not None
    assert abs(start - bracket.upper) * 10**6 < bracket.upper
    assert len(verdicts) <= 3


@pytest.mark.parametrize(
    ("p", "q", "noise", "epsilon", "delta"),
    [
        (parts_of((1, 0, 0)), parts_of((1, 1, 0)), GaussianNoise(1), 1000, "1/10"),
        (parts_of((1, 0, 1)), parts_of((1, 0, 1)), GaussianNoise(1), 1, "1/10"),
        (parts_of((1, 0, 1)), parts_of((1, 1, 2)), Laplace(1), 1, "1/10"),
        (parts_of((1, 0, 1)), parts_of((1, 1, 2)), GaussianNoise(1), 1, 0),
    ],
)
def test_floats_say_nothing_of_what_they_do_not_reach(
    p: Any, q: Any, noise: Any, epsilon: Any, delta: Any
) -> None:
    problem = smooth_problem(p, q, noise, epsilon, delta)
    assert start_of(orders_of(next(problem.questions()))[0]) is None
