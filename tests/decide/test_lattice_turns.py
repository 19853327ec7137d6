"""Discrete Gaussian noise: the change of sign, the ranked outputs, and what all targets share."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pfverify import Discrete, DiscreteGaussian, Problem
from pfverify.decide.gaussian_lattice.compared import GaussianLattice
from pfverify.decide.gaussian_lattice.ranked import Ranked
from pfverify.decide.gaussian_lattice.turn import excess_at, turn_of
from pfverify.decide.routes import comparison
from pfverify.exact.ball import precision, raw
from pfverify.exact.written import written
from pfverify.laws.bells import Bells
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior

F = Fraction
STEPS = ([], [{"clamp": ["-3", "4"]}], [{"round": {"to": "3"}}],
         [{"threshold": {"at": "1", "keep": "at-least"}}])  # fmt: skip


def order_of(first: Prior, second: Prior, variance: object, post: list[Any]) -> GaussianLattice:
    noise = DiscreteGaussian(variance=variance, step=1)
    problem = Problem(priors={"a": first, "b": second}, noise=noise, epsilon=1, post=post or None)
    order = comparison(next(problem.questions()))[0]
    assert isinstance(order, GaussianLattice)
    return order


@pytest.mark.parametrize("post", STEPS)
def test_both_ways_to_the_divergence_agree(post: list[Any]) -> None:
    """A difference of tails where the sign changes once, and a sum over ranked outputs."""
    rng, once, several = Random(3), 0, 0
    hides = bool(post) and "threshold" in str(post)
    for _ in range(60):
        laws = []
        for _ in "pq":
            atoms = rng.sample(range(-2, 4), rng.randint(1, 3))
            laws.append(Discrete(counts={a: rng.randint(1, 5) for a in atoms}))
        second = Nothing(laws[1], "1/3") if hides and rng.random() < 0.5 else laws[1]
        order = order_of(laws[0], second, F(rng.randint(1, 40), 3), post)
        for target in (order.target.at_epsilon(F(rng.randint(0, 20), 10)) for _ in "12"):
            one = order.against(target)
            with precision(256):
                growth = target.exp_epsilon()
                pair = one.pair
                near = pair.near(256)
                slow = sum(((p - growth * q).nonnegative_part() for _, p, q in near.of), raw(0))
                slow = slow + near.beyond[0]
                assert pair.ranked(256).excess(growth).overlaps(slow)
                turn = turn_of(pair, growth)
                if turn is None:
                    several += 1
                    continue
                once += 1
                found = excess_at(pair, growth, turn)
                assert found.overlaps(slow)
                assert found.rad() < raw(F(1, 2**200))
                with precision(300):  # the signs beside the change are as told
                    for k in (turn.low, turn.low - 1, turn.low - 9):
                        p, q = pair.at(k)
                        assert turn.before * (p - growth * q) > 0
                    for k in (turn.high, turn.high + 1, turn.high + 9):
                        p, q = pair.at(k)
                        assert turn.before * (p - growth * q) < 0
    assert once > 20
    assert several > 5


def test_a_divergence_far_out_needs_few_bits() -> None:
    """At epsilon = 1 and sigma = 100 it is 2e-2178, 100 deviations away."""
    order = order_of(Discrete({0: 1}), Discrete({1: 1}), 10_000, [])
    assert written(order.exceeding(), 12).text == "[2.30031748569e-2178, 2.3003174857e-2178]"
    assert max(order.pair._bells) <= 256


def test_all_targets_share_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(Bells):
        def __init__(self, variance: Fraction) -> None:
            made.append(variance)
            super().__init__(variance)

    monkeypatch.setattr("pfverify.decide.gaussian_lattice.laws.Bells", Counted)
    order = order_of(Discrete(counts={0: 1, 2: 1, 3: 3}), Discrete(counts={1: 1, 3: 2}), 4, [])
    for k in range(40):
        written(order.against(order.target.at_epsilon(F(k, 20))).exceeding(), 12)
    assert len(made) <= 3  # one for each precision
    assert len(order.pair._ranked) <= 3


def test_an_output_that_only_one_law_has_is_ranked_too() -> None:
    with precision(64):
        ranked = Ranked([(raw(3), raw(0)), (raw(1), raw(4)), (raw(5), raw(1)), (raw(0), raw(0))])
        assert ranked.excess(raw(2)) == 6
        assert ranked.excess(raw(6)) == 3
        assert ranked.excess(raw(0)) == 9
