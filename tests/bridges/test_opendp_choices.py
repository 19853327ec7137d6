"""OpenDP's noisy maximum: its own draws, brute force over vectors, and certificates."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import exp, log, sqrt
from typing import Any

import opendp.prelude as dp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opendp import mod
from support.kernel_run import accepted_certificate

from pfverify import InputError, Problem, certify, loss
from pfverify.bridges.opendp import map_verdict, problem_of
from pfverify.laws.kinds import law_of
from pfverify.testing import assert_sound

dp.enable_features("contrib")

PURE, ZCDP = dp.max_divergence(), dp.zero_concentrated_divergence()
F = Fraction


def vector(kind: Any = float, size: int | None = None, bounds: Any = None) -> Any:
    more = {"nan": False} if kind is float else {}
    return dp.vector_domain(dp.atom_domain(T=kind, bounds=bounds, **more), size=size)


def maximum(
    scale: float = 2.0, measure: Any = PURE, kind: Any = float, monotonic: bool = False,
    **more: Any,
) -> Any:  # fmt: skip
    negate = more.pop("negate", False)
    metric = dp.linf_distance(T=kind, monotonic=monotonic)
    return dp.m.make_noisy_max(vector(kind, **more), metric, measure, scale=scale, negate=negate)


def accepted(problem: Problem) -> str:
    result = certify(problem)
    _, word, said = accepted_certificate(problem.to_table(), problem, result)
    assert word == result.verdict, said
    return word


def chances(scores: list[int], scale: float) -> list[float]:
    """Exponential noise: permute and flip. In a random order each is taken with its chance."""
    top, n = max(scores), len(scores)

    def from_(left: frozenset[int]) -> dict[int, float]:
        found: Counter[int] = Counter()
        for k in left:
            taken = exp((scores[k] - top) / scale)
            found[k] += taken / len(left)
            for other, chance in (from_(left - {k}) if taken < 1 else {}).items():
                found[other] += (1 - taken) * chance / len(left)
        return found

    law = from_(frozenset(range(n)))
    return [law[k] for k in range(n)]


@pytest.mark.parametrize("measure", [PURE, ZCDP], ids=["exponential", "gumbel"])
@pytest.mark.parametrize("negate", [False, True])
def test_the_law_is_that_of_opendps_own_draws(measure: Any, negate: bool) -> None:
    made, scores, n = maximum(measure=measure, negate=negate), [0.0, 1.0, 3.0], 4000
    drawn = Counter(made(scores) for _ in range(n))
    problem = problem_of(made, d_in=3.0, epsilon=0, delta="1/9", inputs=(scores, [3.0, 1.0, 0.0]))
    (one,) = problem.questions()
    law: Any = law_of(one.first_prior, one.release)
    for k in range(3):
        chance = law.masses[str(k)].ball().midpoint()
        expected = chances([-int(x) if negate else int(x) for x in scores], 2.0)[k]
        if measure == ZCDP:
            weights = [exp((-x if negate else x) / 2) for x in scores]
            expected = weights[k] / sum(weights)
        assert chance == pytest.approx(expected)
        assert abs(drawn[k] / n - expected) < 6 * sqrt(expected * (1 - expected) / n)


@pytest.mark.parametrize("more", [
    {}, {"monotonic": True}, {"negate": True}, {"negate": True, "monotonic": True}, {"size": 3},
    {"bounds": (-1.0, 1.5)}, {"bounds": (-1.0, 1.5), "negate": True}, {"kind": int},
], ids=str)  # fmt: skip
def test_its_map_is_certified_and_less_refuted(more: dict[str, Any]) -> None:
    made, far = maximum(**more), 1 if more.get("kind") is int else 1.0
    least = F(1, 2) if more.get("monotonic") else F(1)
    found = map_verdict(made, far)
    assert found.verdict == "certified"
    assert found.problem is not None
    assert found.problem.epsilon.fraction == least  # the map is tight
    text = mod.serialize(made)
    assert accepted(problem_of(text, d_in=far, epsilon=least)) == "certified"
    below = problem_of(text, d_in=far, epsilon=least * F(999_999, 1_000_000))
    assert accepted(below) == "refuted"


@given(st.integers(1, 2), st.booleans(), st.sampled_from([0.5, 1.0, 3.0]), st.integers(2, 3))
@settings(max_examples=12, deadline=None)
def test_no_pair_of_vectors_loses_more(far: int, monotonic: bool, scale: float, n: int) -> None:
    made = maximum(scale, kind=int, monotonic=monotonic)
    most = float(loss(problem_of(made, d_in=far, epsilon=0)).epsilon_star.upper)
    range_ = range(4 if n == 3 else 6)
    laws = {x: chances([*x], scale) for x in product(range_, repeat=n)}
    found = 0.0
    for (x, p), (y, q) in product(laws.items(), repeat=2):
        moves = [a - b for a, b in zip(x, y, strict=True)]
        mixed = monotonic and min(moves) < 0 < max(moves)
        if not mixed and max(map(abs, moves)) <= far:
            found = max(found, *(a / b for a, b in zip(p, q, strict=True)))
    assert found <= exp(most) * (1 + 1e-9)
    if n == 2:
        assert found == pytest.approx(exp(most))


def test_two_vectors_that_are_stated_have_their_own_problem() -> None:
    made = maximum(measure=ZCDP)
    inputs = [1.0, -1.0, -1.0], [0.0, 0.0, 0.0]
    problem = problem_of(made, d_in=1.0, epsilon=1, delta="1/100", inputs=inputs)
    assert accepted(problem) == "certified"
    e = [exp(x / 2) for x in inputs[0]]
    truth = max(abs(F(log_ratio(w / sum(e), 1 / 3))) for w in e)
    assert float(loss(problem).epsilon_star.upper) == pytest.approx(float(truth))
    assert map_verdict(made, 1.0, delta=1e-6, inputs=inputs).verdict == "certified"
    refuted = problem_of(made, d_in=1.0, epsilon="1/10", inputs=inputs)
    assert accepted(refuted) == "refuted"


def log_ratio(p: float, q: float) -> float:
    return log(p / q)


def test_a_map_of_it_is_held_to_the_truth() -> None:
    assert_sound(maximum(), kind="map", d_in=[0.0, 1.0, 2.5], waste=1.000001)
    text = mod.serialize(maximum())
    with pytest.raises(AssertionError, match=r"epsilon 0\.9 is not enough: the least") as caught:
        assert_sound(text, kind="map", claims={1: 0.9})
    assert "delta is" not in str(caught.value)  # of a delta another pair may be the hardest one


def changed(old: str, new: str, **more: Any) -> str:
    text = str(mod.serialize(maximum(**more)))
    assert old in text
    return text.replace(old, new)


TWO = ([1.0, 0.0], [0.0, 1.0])
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (maximum(), {"d_in": 1.0, "delta": "1/9"}, "delta: with one no pair of inputs"),
    (maximum(measure=ZCDP), {"d_in": 1.0}, "gumbel noise: no pair of inputs is its hardest"),
    (maximum(), {"d_in": 0.0}, "nothing tells inputs apart"),
    (maximum(size=1), {"d_in": 1.0}, "nothing tells inputs apart"),
    (maximum(), {"d_in": -1.0}, "d_in: -1.0 is negative"),
    (maximum(kind=int), {"d_in": 1.5}, "is no i32"),
    (maximum(bounds=(0.0, 1.0)), {"d_in": 0.75}, "bounds: so near each other, no pair"),
    (maximum(), {"d_in": 0.5, "inputs": TWO}, "a score moves by 1, more than d_in = 0.5"),
    (maximum(monotonic=True), {"d_in": 1.0, "inputs": TWO}, "which a monotonic metric excludes"),
    (maximum(), {"d_in": 1.0, "inputs": ([1.0], [0.0])}, "1 scores, expected at least 2"),
    (maximum(), {"d_in": 1.0, "inputs": ([1.0, 2.0], [0.0, 1.0, 1.0])}, "2 and 3 scores"),
    (maximum(size=3), {"d_in": 1.0, "inputs": TWO}, "2 scores, expected 3"),
    (maximum(bounds=(0.0, 0.5)), {"d_in": 1.0, "inputs": TWO}, "1 is outside"),
    (maximum(), {"d_in": 1.0, "inputs": "ab"}, "inputs: expected two vectors"),
    (maximum(), {"d_in": 1.0, "inputs": (1, 2)}, "1 is no vector of scores"),
    (maximum(), {"d_in": 1.0, "inputs": ([None, 1], [0, 1])}, "inputs: None is no finite"),
    (dp.m.make_randomized_response_bool(0.75), {"d_in": 1, "inputs": TWO}, "its own hardest pair"),
    (changed('"scale": 2.0', '"scale": 0.0'), {"d_in": 1.0}, "scale: 0 is not > 0"),
    (changed('"negate": false', '"negate": 3'), {"d_in": 1.0}, "negate: 3 is no truth value"),
    (changed('"monotonic": false', '"monotonic": "x"'), {"d_in": 1.0}, "no truth value"),
    (changed("linf_distance", "l1_distance"), {"d_in": 1.0}, "l1_distance: this metric is not"),
    (changed('"max_divergence"', '"renyi_divergence"'), {"d_in": 1.0}, "this measure is not known"),
    (changed('"nan": false', '"nan": null'), {"d_in": 1.0}, "floats that may be nan"),
    (changed("make_noisy_max", "make_noisy_top_k"), {"d_in": 1.0}, "no single pair of inputs"),
]


@pytest.mark.parametrize(("measurement", "asked", "said"), REFUSED)
def test_what_cannot_be_taken_is_named(measurement: Any, asked: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        problem_of(measurement, **{"epsilon": 1, **asked})
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_was_called_gumbel_draws_exponential_noise_since() -> None:
    made = dp.m.make_report_noisy_max_gumbel(vector(), dp.linf_distance(T=float), scale=2.0)
    text = mod.serialize(made)
    assert map_verdict(made, 1.0).verdict == "certified"
    problem = problem_of(text, d_in=1.0, epsilon=1)
    assert problem.to_table()["noise"]["kind"] == "exponential"
    version = mod.__version__
    with pytest.raises(InputError, match=r"known as of OpenDP 0\.14, this is of version 0\.13"):
        problem_of(text.replace(f'"{version}"', '"0.13.0"'), d_in=1.0, epsilon=1)
