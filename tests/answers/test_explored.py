"""Many values of a problem: each is what certify says there, and what a formula says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    Finite,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    TruncatedLaplace,
    Verdict,
    calibrate,
    certify,
    loss,
)
from pfverify.answers.explored import Explored, explored, has_scale, places_of
from pfverify.model.channels.matrix import Matrix

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def about(problem: Problem, **asked: Any) -> Explored:
    return explored(problem, places_of(problem, **asked))


masses = st.lists(st.integers(1, 9), min_size=2, max_size=3)


@settings(max_examples=25, deadline=None)
@given(masses, masses, st.sampled_from(["1/4", "1", "log(3)"]), st.sampled_from(["0", "1/50"]),
       st.integers(1, 12))  # fmt: skip
def test_every_value_is_what_certify_says(
    first: list[int], second: list[int], epsilon: str, delta: str, values: int
) -> None:
    priors = {"a": Discrete(counts=dict(enumerate(first))),
              "b": Discrete(counts=dict(enumerate(second)))}  # fmt: skip
    problem = Problem(priors, noise=Laplace(1), epsilon=epsilon, delta=delta)
    found = about(problem, values=values)
    assert 1 <= len(found.values) == len(found.scales) * len(found.epsilons) <= values
    for k, scale in enumerate(found.scales):
        for j, at in enumerate(found.epsilons):
            value, here = found.at(k, j), problem.replaced(scale=scale, epsilon=at)
            same = certify(here)
            assert (value.scale, value.epsilon) == (scale, at)
            assert value.verdict is same.verdict
            assert value.pairs == [replace(pair, proof=None) for pair in same.pairs]
            lost = loss(here)
            assert value.loss == lost.epsilon_star
            assert value.delta == (None if delta == "0" else lost.delta)
    assert any(str(scale) == "1" for scale in found.scales)
    own = found.values[found.start]
    assert (own.scale, str(own.epsilon)) == (1, epsilon)


@settings(max_examples=40, deadline=None)
@given(st.fractions("1/20", 20), st.fractions("1/20", 20))
def test_two_points_are_private_where_the_distance_over_the_scale_is_at_most_epsilon(
    scale: Fraction, epsilon: Fraction
) -> None:
    problem = Problem(POINTS, noise=Laplace(scale), epsilon=epsilon)
    found = about(problem, values=12)
    for value in found.values:
        assert value.scale is not None
        private = 1 / Fraction(value.scale) <= Fraction(value.epsilon)
        assert value.verdict is (Verdict.CERTIFIED if private else Verdict.REFUTED)
        assert value.loss is not None
        assert value.loss.lower <= 1 / Fraction(value.scale) <= value.loss.upper


def test_both_ends_of_the_smallest_scale_are_among_the_scales() -> None:
    problem = Problem.load("example:census")
    found, least = about(problem), calibrate(problem, digits=4).minimum
    assert found.minimum is not None
    assert (found.minimum.lower, found.minimum.upper) == (least.lower, least.upper)
    below, above = (found.scales.index(end) for end in (least.lower, least.upper))
    assert above == below + 1
    own = found.start % len(found.epsilons)
    assert found.at(below, own).refuted
    assert found.at(above, own).certified
    assert len(found.values) == 60


def test_without_a_scale_the_first_value_is_the_smallest_that_is_certified() -> None:
    found = about(Problem(POINTS, noise=Laplace(), epsilon=1), values=20)
    first = found.values[found.start]
    assert (str(first.scale), str(first.epsilon), first.verdict) == ("1", "1", Verdict.CERTIFIED)


def test_where_no_fact_tells_no_smallest_scale_is_looked_for() -> None:
    problem = Problem(POINTS, noise=TruncatedLaplace(2, bound=3), epsilon=1, delta="1/2")
    found = about(problem, values=6)
    assert found.minimum is None
    assert "2" in map(str, found.scales)


def test_a_channel_and_no_noise_have_epsilons_alone() -> None:
    channel = Matrix(["x", "y"], ["x", "y"], [["3/4", "1/4"], ["1/4", "3/4"]])
    finite = {"a": Finite({"x": 1}), "b": Finite({"y": 1})}
    for problem in (Problem(finite, channel=channel, epsilon=1),
                    Problem(POINTS, noise=NoNoise(), epsilon=1)):  # fmt: skip
        assert not has_scale(problem)
        found = about(problem)
        assert found.scales == []
        assert len(found.values) == len(found.epsilons) == 15
        assert all(value.scale is None for value in found.values)
        with pytest.raises(InputError, match="scale"):
            places_of(problem, scales=[1])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"values": 0}, "values: 0, expected a number from 1 to 1000"),
        ({"values": 1001}, "expected a number from 1 to 1000"),
        ({"values": "60"}, "values: expected int, got str"),
        ({"values": True}, "values: expected int, got bool"),
        ({"values": 5, "scales": [1, 2], "epsilons": [1, 2, 3]}, "values: 6 to decide"),
        ({"scales": []}, "scale: expected one number or more"),
        ({"epsilons": []}, "epsilon: expected one number or more"),
        ({"scales": [0.5]}, "scale"),
        ({"epsilons": ["many"]}, "epsilon: cannot read 'many'"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_any_work(
    asked: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        places_of(Problem.load("example:census"), **asked)


@pytest.mark.parametrize("asked", [{"scales": ["-1"]}, {"epsilons": ["-1"]}])
def test_a_value_that_is_none_is_said(asked: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="-1"):
        about(Problem.load("example:census"), **asked)


def test_progress_counts_every_value() -> None:
    problem, seen = Problem.load("example:census"), list[tuple[int, int]]()
    explored(problem, places_of(problem, values=4), progress=lambda *at: seen.append(at))
    assert seen == [(k, len(seen)) for k in range(1, len(seen) + 1)]


def test_one_that_is_given_twice_is_decided_once() -> None:
    found = about(Problem.load("example:census"), scales=["2", 1, "1.0"], epsilons=[1])
    assert [*map(str, found.scales)] == ["1", "2"]
    assert repr(found).startswith("<Explored: 2 values about epsilon 1, delta 0\n  scale 1,")
