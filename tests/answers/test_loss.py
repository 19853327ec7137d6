"""loss: enclosures contain the oracle's value and are narrow; epsilon at delta is a bracket."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import oracles, problems
from support.problems import limited

from pfverify import Discrete, Laplace, Problem, loss
from pfverify.answers.loss import LossResult


def losses(asked: Problem, digits: int = 12) -> LossResult:
    with limited():
        return loss(asked, digits=digits)


@pytest.mark.parametrize("digits", [6, 12, 30])
@pytest.mark.parametrize("step", [None, 1])
def test_enclosures_contain_the_oracle(digits: int, step: Any) -> None:
    rng = Random(f"loss {digits} {step}")
    positive = 0
    for k in range(12):
        p, q = oracles.random_pair(rng, ("lattice", "negative")[k % 2], 6)
        scale, epsilon = Fraction(rng.randint(4, 40), 9), Fraction(rng.randint(0, 12), 7)
        result = losses(problems.problem(p, q, scale, epsilon, step=step), digits)
        assert result.epsilon_at_delta is None
        tops = []
        for found in result.pairs:
            first, second = (p, q) if found.from_ == "a" else (q, p)
            star = oracles.pure_loss(first, second, scale)
            tops.append(star)
            delta = oracles.hockey_stick(
                first, second, scale, epsilon, None if step is None else Fraction(step)
            )
            positive += delta > 0
            for enclosure, value in ((found.epsilon_star, star), (found.delta, delta)):
                assert oracles.encloses(enclosure.lower, enclosure.upper, value)
                assert oracles.units_wide(enclosure.lower, enclosure.upper, digits) <= 2
        star = result.epsilon_star
        assert oracles.encloses(star.lower, star.upper, max(tops))
        assert result.worst is result.pairs[0]
    assert positive > 2


@pytest.mark.parametrize("form", ["events", "pointwise"])
@pytest.mark.parametrize("step", [None, 1])
def test_epsilon_at_delta_is_a_bracket(form: str, step: Any) -> None:
    rng = Random(f"at delta {form} {step}")
    refuted = zero = 0
    for _ in range(8):
        p, q = oracles.random_pair(rng, "lattice", 5)
        scale = Fraction(rng.randint(4, 30), 9)
        delta = Fraction(rng.choice([1, 5, 20, 60]), 100)
        asked = problems.problem(p, q, scale, 1, delta, form, step)
        for found in [(result := losses(asked)), *result.pairs]:
            bracket = found.epsilon_at_delta
            assert bracket is not None
            assert oracles.units_wide(bracket.lower, bracket.upper, 12) <= 2
        bracket = result.epsilon_at_delta
        assert bracket is not None
        at = problems.decided(asked.replaced(epsilon=bracket.upper))
        assert at.verdict.value == "certified"
        if bracket.upper == "0":
            zero += 1
            continue
        below = problems.decided(asked.replaced(epsilon=bracket.lower))
        assert below.verdict.value == "refuted"
        refuted += 1
    assert refuted > 1
    assert refuted + zero == 8


def test_epsilon_at_delta_of_point_masses_ties() -> None:
    """1 - exp(-(d/scale - epsilon)/2) = delta exactly at epsilon = 1/2."""
    result = losses(problems.problem({0: 1}, {1: 1}, 1, 1, "1-exp(-1/4)"))
    assert result.epsilon_at_delta is not None
    assert Fraction(result.epsilon_at_delta.upper) == Fraction(1, 2)


def test_largest_over_pairs_and_exact_loss() -> None:
    priors = {f"s{k}": Discrete({k * k: 1}) for k in range(4)}
    result = losses(Problem(priors=priors, noise=Laplace(2), epsilon=1))
    assert len(result.pairs) == 12
    assert oracles.encloses(result.epsilon_star.lower, result.epsilon_star.upper, oracles.mpf(4.5))
    assert {result.worst.from_, result.worst.to} == {"s0", "s3"}


def test_pointwise_loss_with_a_tiny_excess() -> None:
    asked = problems.problem({0: 1}, {1: 1}, 1, "1-1e-150", "1e-160", "pointwise")
    enclosure = losses(asked).delta
    assert oracles.units_wide(enclosure.lower, enclosure.upper, 12) <= 2
