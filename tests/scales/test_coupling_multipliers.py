"""Exact multipliers from floats: u is rounded down, and by no more than it says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.oracles import ctx, real

from pfverify import Discrete
from pfverify.exact.ball import precision
from pfverify.exact.number import Number
from pfverify.scales.coupling import farkas
from pfverify.scales.coupling.programme import Programme

F = Fraction
EPSILON = Number.parse("1")
WEIGHTS = st.sampled_from([0.0, 5e-324, 1e-290, 1e-9, 1.0, 1e9, 1e300])
VALUES = st.sampled_from([-1e308, -1.0, -1e-300, 0.0, 5e-324, 1e-12, 1.0, 1e308])


def test_u_is_the_largest_that_v_and_w_allow() -> None:
    """By mpmath: weights from the least float on, values that cancel, costs that are cut."""
    reached: Counter[str] = Counter()

    @settings(max_examples=80, deadline=None, derandomize=True, database=None)
    @given(
        st.lists(st.tuples(WEIGHTS, VALUES), min_size=3, max_size=3),
        st.sampled_from([1, 7, 10**6, 10**12]),
        st.sampled_from([F(1, 3), F(5, 7), F(10**6)]),
        st.sampled_from([F(1, 2**80), F(1, 2**1200), F(3, 7)]),
    )
    def holds(parts: list[tuple[float, float]], far: int, scale: Fraction, grid: Fraction) -> None:
        first = Discrete({0: "1/2", far: "1/2"})
        second = Discrete({0: "1/4", 1: "1/4", far + 1: "1/2"})
        programme = Programme(first, second, EPSILON)
        w, v = ([F(part[k]) for part in parts] for k in (0, 1))
        with precision(160):
            limit = EPSILON.ball().raw.exp()
            found = farkas._best_u(programme, scale, limit, v, w, grid)
        assert found is not None
        with ctx.workdps(1500):
            for x, u in zip(programme.xs, found, strict=True):
                costs = [ctx.exp(real(abs(x - z) / scale)) for z in programme.zs]
                rooms = [
                    real(b) * (cost - ctx.exp(1)) - real(a)
                    for cost, a, b in zip(costs, v, w, strict=True)
                ]
                assert real(u) <= min(rooms)
                errors = [real(b) * (cost + 3) for cost, b in zip(costs, w, strict=True)
                          if cost < ctx.mpf(2) ** 4096]  # fmt: skip
                lost = min(rooms) - real(u)
                assert lost <= 2 * real(grid) + max(errors) * ctx.mpf(2) ** -150
                note(reached, costs, w, rooms)

    holds()
    assert all(reached[name] for name in ("cut", "least", "ties", "large")), reached


def note(reached: Counter[str], costs: list[Any], w: list[Fraction], rooms: list[Any]) -> None:
    """Count what a case is about."""
    cut = [b for cost, b in zip(costs, w, strict=True) if cost > ctx.mpf(2) ** 4096]
    reached["cut"] += any(cut)
    reached["least"] += F(5e-324) in cut
    reached["ties"] += len({*rooms}) < len(rooms)
    reached["large"] += min(rooms) < -1e300


def test_no_weight_below_0_is_taken() -> None:
    """A lower end of a bracket is one of the product only where w >= 0."""
    first, second = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 1: "3/4"})
    programme = Programme(first, second, EPSILON)
    scale = programme.scale(1.5 * programme.feasible_rate)
    found = programme.solution(programme.rate(scale))
    assert found is not None
    found.w[0] = -1e-9
    assert farkas.multipliers(programme, scale, found) is None
