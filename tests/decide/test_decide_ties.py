"""Ties on purpose, and near-ties at relative 1e-40 on either side. Nothing is undecided."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import oracles, problems

from pfverify import Problem

NEAR = "1/1" + "0" * 40
Case = dict[str, Any]

# name -> the arguments of a problem that ties exactly
PURE: dict[str, Case] = {
    "W1 at point masses": {"p": {0: 1}, "q": {3: 1}, "scale": 6, "epsilon": "1/2"},
    "rational distance": {"p": {"1/3": 1}, "q": {"-2/7": 1}, "scale": "13/21", "epsilon": 1},
    "epsilon log 3": {"p": {0: 1}, "q": {1: 1}, "scale": "1/log(3)", "epsilon": "log(3)"},
    "log 9 by log 3": {"p": {0: 1}, "q": {2: 1}, "scale": "1/log(3)", "epsilon": "log(9)"},
    "log 12 in parts": {
        "p": {0: 1}, "q": {1: 1}, "scale": "1/(log(3)+2*log(2))", "epsilon": "log(12)",
    },
    "log and rational": {
        "p": {0: 1}, "q": {3: 1}, "scale": "3/(1/2-2*log(9/10))", "epsilon": "1/2-2*log(9/10)",
    },
    "radical": {"p": {0: 1}, "q": {"1/2": 1}, "scale": "1/log(12)", "epsilon": "log(2)+log(3)/2"},
    "Bernoulli": {
        "p": {1: 1}, "q": {0: "1/2", 1: "1/2"}, "epsilon": 1,
        "scale": "1/log((exp(1)-1/2)/(1/2))",
    },
    "Bernoulli, p and q": {
        "p": {0: "9/10", 1: "1/10"}, "q": {0: "3/10", 1: "7/10"}, "epsilon": "1/2",
        # of (E (1-p) - (1-q)) / (q - E p) and (E q - p) / ((1-p) - E (1-q)) the smaller
        "scale": "1/log((exp(1/2)*9/10-3/10)/(7/10-exp(1/2)*1/10))",
    },
    "Bernoulli at log 2": {
        "p": {1: 1}, "q": {0: "1/2", 1: "1/2"}, "epsilon": "log(2)/2",
        "scale": "1/log((exp(log(2)/2)-1/2)/(1/2))",
    },
}  # fmt: skip

DELTA: dict[str, Case] = {
    "point masses": {
        "p": {0: 1}, "q": {1: 1}, "scale": 1, "epsilon": "1/2", "delta": "1-exp(-1/4)",
    },
    "point masses, log": {
        "p": {0: 1}, "q": {2: 1}, "scale": "1/log(3)", "epsilon": "log(3)",
        "delta": "1-exp(-log(3)/2)",
    },
    "point masses, epsilon 0": {
        "p": {-4: 1}, "q": {1: 1}, "scale": 5, "epsilon": 0, "delta": "1-exp(-1/2)",
    },
    "discrete Laplace": {
        "p": {0: 1}, "q": {1: 1}, "scale": "1/log(4)", "epsilon": 0, "delta": "3/5", "step": 1,
    },
    "Laplace where discrete has 3/5": {
        "p": {0: 1}, "q": {1: 1}, "scale": "1/log(4)", "epsilon": 0, "delta": "1/2",
    },
    "pointwise density": {
        "p": {0: 1}, "q": {1: 1}, "scale": 2, "epsilon": "1/4", "form": "pointwise",
        "delta": "(1-exp(-1/4))/4",
    },
    "pointwise mass": {
        "p": {0: 1}, "q": {1: 1}, "scale": "1/log(4)", "epsilon": 0, "form": "pointwise",
        "delta": "9/20", "step": 1,
    },
    "pointwise mixture": {
        "p": {0: "1/2", 2: "1/2"}, "q": {0: "1/4", 2: "3/4"}, "scale": 1, "epsilon": 0,
        "form": "pointwise", "delta": "(1-exp(-2))/8",
    },
}  # fmt: skip


def asked(case: Case, **changed: Any) -> Problem:
    return problems.problem(**{**case, **changed})


@pytest.mark.parametrize("name", PURE)
def test_pure_ties_and_their_neighbours(name: str) -> None:
    case = PURE[name]
    result = problems.decided(asked(case))
    assert result.verdict.value == "certified"
    assert any(found.tie for found in result.pairs)
    for sign, expected in (("+", "certified"), ("-", "refuted")):
        near = f"({case['epsilon']})*(1{sign}{NEAR})"
        result = problems.decided(asked(case, epsilon=near))
        assert result.verdict.value == expected
        assert not any(found.tie for found in result.pairs)
        near = f"({case['scale']})*(1{sign}{NEAR})"
        assert problems.decided(asked(case, scale=near)).verdict.value == expected


@pytest.mark.parametrize("name", DELTA)
def test_delta_ties_and_their_neighbours(name: str) -> None:
    case = DELTA[name]
    result = problems.decided(asked(case))
    assert result.verdict.value == "certified"
    assert any(found.tie for found in result.pairs)
    for sign, expected in (("+", "certified"), ("-", "refuted")):
        for key in ("delta", "scale"):
            near = f"({case[key]})*(1{sign}{NEAR})"
            result = problems.decided(asked(case, **{key: near}))
            assert result.verdict.value == expected, (key, sign)
            assert not any(found.tie for found in result.pairs)


def test_random_point_masses_tie_at_distance_over_epsilon() -> None:
    rng = Random("point masses")
    count = 0
    for _ in range(40):
        a, b = (Fraction(rng.randint(-99, 99), rng.randint(1, 9)) for _ in range(2))
        if a == b:
            continue
        epsilon = Fraction(rng.randint(1, 50), rng.randint(1, 20))
        scale = abs(a - b) / epsilon
        assert problems.verdict({a: 1}, {b: 1}, scale, epsilon) == "certified"
        tiny = 1 - Fraction(NEAR)
        assert problems.verdict({a: 1}, {b: 1}, scale * tiny, epsilon) == "refuted"
        assert problems.verdict({a: 1}, {b: 1}, scale / tiny, epsilon) == "certified"
        count += 1
    assert count > 30


@pytest.mark.parametrize("size", [1, 3, 8])
@pytest.mark.parametrize("name", ["Bernoulli", "Bernoulli, p and q"])
def test_bernoulli_ties_with_other_users_convolved_in(name: str, size: int) -> None:
    """Independent users on both sides keep the closed form sufficient, and finite."""
    rng = Random(f"users {name} {size}")
    case = PURE[name]
    for _ in range(3):
        rest = {Fraction(0): Fraction(1)}
        for _ in range(size):
            share = Fraction(rng.randint(1, 9), 10)
            rest = oracles.convolved(rest, {Fraction(0): share, Fraction(1): 1 - share})
        p, q = (
            oracles.convolved({Fraction(a): Fraction(m) for a, m in case[side].items()}, rest)
            for side in ("p", "q")
        )
        assert problems.decided(asked(case, p=p, q=q)).verdict.value == "certified"
        # at the ends of the hull the sums factorise, so the tie is kept exactly
        for sign, expected in (("+", "certified"), ("-", "refuted")):
            near = f"({case['scale']})*(1{sign}{NEAR})"
            result = problems.decided(asked(case, p=p, q=q, scale=near))
            assert result.verdict.value == expected


@pytest.mark.parametrize("form", ["events", "pointwise"])
@pytest.mark.parametrize("step", [None, 1])
def test_equal_priors_tie_at_nothing(form: str, step: int | None) -> None:
    p = {0: "1/3", 5: "2/3"}
    for delta in (0, "1/10"):
        assert problems.verdict(p, p, 1, 0, delta, form=form, step=step) == "certified"


def test_prior_ratio_ties_through_a_far_atom() -> None:
    """The ratio tends to log 2 from below along many atoms, nearer than any fixed precision."""
    far = 10**4
    p = {**{k: Fraction(1, 40) for k in range(20)}, far: Fraction(1, 2)}
    q = {**{k: Fraction(1, 80) for k in range(20)}, far: Fraction(3, 4)}
    result = problems.decided(problems.problem(p, q, 1, "log(2)"))
    assert problems.order(result, "a").verdict.value == "certified"
    assert not problems.order(result, "a").tie
    tight = f"log(2)-{Fraction(1, 10**300)}"
    result = problems.decided(problems.problem(p, q, 1, tight))
    assert problems.order(result, "a").verdict.value == "refuted"


@pytest.mark.parametrize(
    ("epsilon", "delta", "expected"),
    [
        ("log(3)*log(2)", 0, "refuted"),  # outside the complete classes, and no tie
        ("1+log(3)*log(2)", 0, "certified"),
        ("1/2", "log(3/2)/2", "refuted"),  # 0.2027 below 1 - exp(-1/4) = 0.2212
        ("1/2", "log(3/2)", "certified"),
        ("exp(-1)", "log(3/2)", "certified"),
        ("log(1+exp(-1))", "1/10", "refuted"),
    ],
)
def test_numbers_outside_the_classes_are_decided_by_balls(
    epsilon: str, delta: Any, expected: str
) -> None:
    assert problems.verdict({0: 1}, {1: 1}, 1, epsilon, delta) == expected


def test_logarithms_of_long_numbers_do_not_hang() -> None:
    """Near-ties of relative size 1e-600 and 1e-4000: no integer is factored or rooted for long."""
    for digits in (600, 4000):
        scale = "1/log(1" + "3" * digits + ")"
        for last, expected in (("3", "certified"), ("4", "certified"), ("2", "refuted")):
            epsilon = "log(1" + "3" * (digits - 1) + last + ")"
            assert problems.verdict({0: 1}, {1: 1}, scale, epsilon) == expected
