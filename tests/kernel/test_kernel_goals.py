"""The goals of a problem, and the facts by which steps prove or refute them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.kinds import Enclosed
from core.work import Check, TooMuchWork
from reader import goals
from reader.reader import problem_of

P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}  # log 2 apart at most
BARE = "no noise: the release is X itself"


def by_facts(value: kb.Json, result: str, steps: list[Any]) -> str:
    word, message = kb.run(value, kb.certificate(value, result, steps))
    assert word == result, message
    return ", ".join(said for said in message.split("; ") if said.startswith("by "))


def bare(epsilon: Any, **more: Any) -> kb.Json:
    return {**kb.problem(P, Q, epsilon, **more), "noise": {"kind": "none"}}


def test_that_there_is_no_noise_is_cited_where_there_is_none() -> None:
    proof = [{k: v for k, v in step.items() if k != "bits"} for step in kb.both("no-noise")]
    assert by_facts(bare(1), "certified", proof) == f"by {BARE}"
    fails = [kb.step("pure-refuted", y="0", margin="0.1")]
    assert by_facts(bare("1/2"), "refuted", fails) == f"by {BARE}"
    ratio = "by the ratio of releases is extremal at atoms (F1)"
    assert by_facts(kb.problem(P, Q, 1), "certified", kb.both("pure", 64, {"ties": []})) == ratio
    small = kb.problem(P, Q, "1/2", scale="1/100")
    assert by_facts(small, "refuted", fails) == ""
    event = [kb.step("event-refuted", event=[["-inf", "1/2"]], margin="0.01")]
    cells = "by masses of cells of Laplace noise (F45, of half lines F45f)"
    assert by_facts(small, "refuted", event) == cells


def test_a_refutation_is_one_step() -> None:
    step = kb.step("pure-refuted", y="0", margin="0.1")
    for steps in ([], [step, step]):
        answer = kb.run(bare("1/2"), kb.certificate(bare("1/2"), "refuted", steps))
        assert answer == ("malformed", "a refutation has exactly one step")


def test_a_pair_of_which_a_belief_has_one_secret_is_no_goal_of_it() -> None:
    problem = problem_of(kb.problem(P, Q))
    laws = problem.beliefs["default"]
    parts = {
        "a": {"a": laws["a"]}, "b": {"b": laws["b"]}, "both": dict(laws), "none": {},
    }  # fmt: skip
    found = goals.goals_of(problem._replace(beliefs=parts), problem.release, Check(0))
    assert [goal.names for goal in found] == [("both", "a", "b"), ("both", "b", "a")]


def test_bounds_of_a_prior_stand_for_it_only_where_a_side_is_named() -> None:
    low, high = {Fraction(0): Fraction(1, 3)}, {Fraction(0): Fraction(1, 2)}
    prior = Enclosed(low, high)
    assert [goals._bound(prior, k, goals.ABOVE) for k in (0, 1)] == [high, low]
    assert [goals._bound(prior, k, goals.BELOW) for k in (0, 1)] == [low, high]
    for by in (None, goals.ABOVE):
        assert goals._bound(low, 0, by) is low
    with pytest.raises(TooMuchWork, match="needs exact priors"):
        goals._bound(prior, 0, None)
