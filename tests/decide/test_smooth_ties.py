"""Ties of priors with densities, on purpose, and their neighbours at relative 1e-40."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from support.kernel_run import kernel_answer
from support.smooth_oracle import Part, gaussian_mechanism
from support.smooth_problems import (
    answered,
    gaussian,
    normal,
    parts_of,
    smooth_problem,
    smooth_verdict,
)

from pfverify import GaussianNoise, Laplace, Problem

NEAR = "1/1" + "0" * 40
Case = dict[str, Any]


def moved(parts: list[Part], shift: Any) -> list[Part]:
    return [(w, m + Fraction(shift), v) for w, m, v in parts]


HILLS = parts_of(("1/6", -3, "1/2"), ("1/2", 0, 4), ("1/3", 7, "1/9"))
SPIKED = parts_of(("1/4", 0, 0), ("1/4", "5/2", 0), ("1/2", 1, 1))
ORIGIN = normal(0, 1)

# name -> a problem whose loss is exactly epsilon: p, q, b, epsilon
TIES: dict[str, Case] = {
    "translate": {"p": ORIGIN, "q": normal(1, 1), "scale": 2, "epsilon": "1/2"},
    "translate, fractions": {
        "p": normal("1/3", "2/7"), "q": normal("-1/7", "2/7"), "scale": "10/21", "epsilon": 1,
    },
    "translate, logarithm": {
        "p": ORIGIN, "q": normal(3, 1), "scale": "3/log(5)", "epsilon": "log(5)",
    },
    "translate of a mixture": {
        "p": HILLS, "q": moved(HILLS, "3/2"), "scale": 3, "epsilon": "1/2",
    },
    "translate with atoms": {
        "p": SPIKED, "q": moved(SPIKED, -2), "scale": 4, "epsilon": "1/2",
    },
    "wider": {"p": normal(0, 3), "q": ORIGIN, "scale": 2, "epsilon": "1/4"},
    "wider and moved": {
        "p": normal("1/2", 2), "q": ORIGIN, "scale": 1, "epsilon": 1,
    },
    "wider and moved, fractions": {
        # 2/3 / (5/2) + (1/3) / (2 * 25/4) = 4/15 + 2/75
        "p": normal("-2/3", "4/3"), "q": ORIGIN, "scale": "5/2", "epsilon": "22/75",
    },
    "every component wider": {
        "p": parts_of(("1/3", 0, 2), ("2/3", 5, 3)), "q": parts_of(("1/3", 0, 1), ("2/3", 5, 2)),
        "scale": 1, "epsilon": "1/2",
    },
    "normal law over an atom": {
        # the tail: 1/b + 4/(2 b^2) at b = 1
        "p": normal(1, 4), "q": parts_of((1, 0, 0)), "scale": 1, "epsilon": 3,
    },
    "tail of one component of two": {
        # E e^{X/b} is (1 + 3)/2 times as large, 3 = e^{2/b}
        "p": parts_of(("1/2", 0, 1), ("1/2", 2, 1)), "q": ORIGIN, "scale": "2/log(3)",
        "epsilon": "log(2)",
    },
    "tails of different weights": {
        # 1/4 + 3/4 * 2 against 3/4 + 1/4 * 2
        "p": parts_of(("1/4", 0, 5), ("3/4", 1, 5)), "q": parts_of(("3/4", 0, 5), ("1/4", 1, 5)),
        "scale": "1/log(2)", "epsilon": "log(7/5)",
    },
}  # fmt: skip


def asked(case: Case, **changed: Any) -> Problem:
    case = {**case, **changed}
    return smooth_problem(
        case["p"], case["q"], Laplace(case["scale"]), case["epsilon"], case.get("delta", 0)
    )


@pytest.mark.parametrize("name", TIES)
def test_ties_are_certified_and_their_neighbours_told_apart(name: str) -> None:
    case = TIES[name]
    problem = asked(case)
    result = answered(problem)
    assert result.verdict.value == "certified"
    assert any(found.tie for found in result.pairs)
    assert kernel_answer(problem, result)[0] == "certified"
    for key in ("epsilon", "scale"):
        for sign, expected in (("+", "certified"), ("-", "refuted")):
            near = asked(case, **{key: f"({case[key]})*(1{sign}{NEAR})"})
            result = answered(near)
            assert result.verdict.value == expected, (key, sign)
            assert not any(found.tie for found in result.pairs)
            assert kernel_answer(near, result)[0] == expected


@pytest.mark.parametrize("name", ["translate of a mixture", "wider and moved"])
def test_ties_hold_with_any_delta(name: str) -> None:
    """The bound holds everywhere with delta = 0: the divergence is exactly 0."""
    result = answered(asked(TIES[name], delta="1e-30"))
    assert result.verdict.value == "certified"
    assert all(found.delta.upper == "0" for found in result.pairs)


# ------------------------------------------------------------------- ties inside the line


@pytest.mark.parametrize("delta", [0, "1e-20"])
@pytest.mark.parametrize("scale", ["2", "10"])
def test_a_double_zero_of_the_prior_difference(scale: str, delta: Any) -> None:
    """p - e^{1/2} q = p (1 - cosh x) for N(0,1) against 1/2 N(-1,1) + 1/2 N(1,1): 0 at 0, <= 0."""
    q = parts_of(("1/2", -1, 1), ("1/2", 1, 1))
    problem = smooth_problem(ORIGIN, q, Laplace(scale), "1/2", delta)
    result = answered(problem)
    assert result.verdict.value == "certified"
    assert kernel_answer(problem, result)[0] == "certified"


def test_a_double_zero_under_narrow_noise() -> None:
    """Near 0 the gap is as small as the noise lets it be; the order from a holds at any scale."""
    q = parts_of(("1/2", -1, 1), ("1/2", 1, 1))
    for noise in (Laplace("1/100"), GaussianNoise("1/100")):
        result = answered(smooth_problem(ORIGIN, q, noise, "1/2"))
        verdicts = {found.from_: found.verdict.value for found in result.pairs}
        assert verdicts == {"a": "certified", "b": "refuted"}


COMMON = (
    parts_of(("2/3", 0, 1), ("1/3", 5, 1)),
    parts_of(("1/3", 0, 1), ("2/3", 5, 1)),
)


@pytest.mark.parametrize("noise", [Laplace("1/10"), Laplace(30), GaussianNoise("1/3")])
@pytest.mark.parametrize("delta", [0, "1/1000"])
def test_coefficients_that_cancel_exactly(noise: Any, delta: Any) -> None:
    """Weights 2/3 and 1/3 of one law at epsilon = log 2: the difference loses that law."""
    problem = smooth_problem(*COMMON, noise, "log(2)", delta)
    result = answered(problem)
    assert result.verdict.value == "certified"
    assert kernel_answer(problem, result)[0] == "certified"


def test_what_nearly_cancels_does_not() -> None:
    """Under Gaussian noise the supremum is log 2, reached in both tails: no smaller epsilon."""
    for near, expected in (("log(2)+" + NEAR, "certified"), ("log(2)-" + NEAR, "refuted")):
        problem = smooth_problem(*COMMON, gaussian(1), near)
        result = answered(problem)
        assert result.verdict.value == expected
        assert kernel_answer(problem, result)[0] == expected


def test_atoms_that_cancel_exactly() -> None:
    p = parts_of(("1/2", 0, 0), ("1/2", 1, 1))
    q = parts_of(("1/4", 0, 0), ("3/4", 1, 1))
    for noise in (Laplace("1/1000"), GaussianNoise("1/1000")):
        problem = smooth_problem(p, q, noise, "log(2)")
        result = answered(problem)
        assert result.verdict.value == "certified"
        assert kernel_answer(problem, result)[0] == "certified"


# ------------------------------------------------------------------- nothing to tell apart


@pytest.mark.parametrize("noise", [Laplace("1/10"), GaussianNoise(3)])
@pytest.mark.parametrize("form", ["events", "pointwise"])
@pytest.mark.parametrize("delta", [0, "1/10", 1])
def test_equal_priors_tie_at_nothing(noise: Any, form: str, delta: Any) -> None:
    for parts in (HILLS, SPIKED):
        problem = smooth_problem(parts, parts, noise, 0, delta, form)
        result = answered(problem)
        assert result.verdict.value == "certified"
        assert {found.rule for found in result.pairs} == {"equal"}
        assert all(found.tie == (delta == 0) for found in result.pairs)
        assert kernel_answer(problem, result)[0] == "certified"


@pytest.mark.parametrize("noise", [Laplace("1/10"), GaussianNoise("1/10")])
@pytest.mark.parametrize("epsilon", [0, 1])
def test_delta_1_bounds_nothing(noise: Any, epsilon: Any) -> None:
    assert smooth_verdict(normal(-40, 1), normal(40, 2), noise, epsilon, 1) == "certified"


@pytest.mark.parametrize("noise", [Laplace(10), GaussianNoise(10)])
def test_epsilon_and_delta_0_ask_for_equality(noise: Any) -> None:
    tiny = Fraction(1, 10**12)
    for other in (normal(tiny, 1), normal(0, 1 + tiny), parts_of((1 - tiny, 0, 1), (tiny, 0, 2))):
        problem = smooth_problem(ORIGIN, other, noise, 0)
        result = answered(problem)
        assert result.verdict.value == "refuted"
        assert kernel_answer(problem, result)[0] == "refuted"


def test_epsilon_0_is_the_total_variation() -> None:
    """2 Phi(1/2) - 1 for N(0,1) and N(1,1), whatever part of the variance is the noise's."""
    exact = gaussian_mechanism(1, 1, 0)
    near = Fraction(10) ** -40
    digits = Fraction(str(exact))
    for delta, expected in ((digits + near, "certified"), (digits - near, "refuted")):
        problem = smooth_problem(normal(0, "1/2"), normal(1, "1/2"), gaussian("1/2"), 0, delta)
        assert answered(problem).verdict.value == expected
