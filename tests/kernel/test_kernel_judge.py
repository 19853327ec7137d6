"""What the kernel says of goals and steps, and how it reads delta."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import shown
from core.judge import apply
from core.rules import Rejected
from core.work import TooMuchWork
from reader.noise import Noise

P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}  # log 2 apart at most
LONG = {name: name * 40 for name in "abk"}


def answer(value: Any, result: str, steps: list[Any]) -> tuple[str, str]:
    return kb.run(value, kb.certificate(value, result, steps))


def named() -> kb.Json:
    """A problem of two secrets in one belief, all with long names."""
    value = kb.problem(P, Q, 1, 0, 1)
    priors = {LONG[name]: prior for name, prior in value.pop("priors").items()}
    return value | {"beliefs": {LONG["k"]: {"priors": priors}}}


def step(source: str, target: str, belief: str = "k", rule: str = "pure") -> kb.Json:
    names = {"belief": LONG[belief], "from": LONG[source], "to": LONG[target]}
    return {"rule": rule, **names, "bits": 64, "ties": []}


def test_goals_and_steps_are_named() -> None:
    a, b, k = (shown(LONG[name], 30) for name in "abk")
    assert a not in (shown(LONG["a"], 29), shown(LONG["a"], 31))
    value = named()
    there, back = step("a", "b"), step("b", "a")
    assert answer(value, "certified", [there, back])[0] == "certified"
    word, message = answer(value, "certified", [there])
    assert (word, message) == ("rejected", f"no step for {b} -> {a}")
    word, message = answer(value, "certified", [back, there])
    assert (word, message) == (
        "rejected",
        f"pure {b} -> {a}: the step due here is {a} -> {b} of belief {k}",
    )
    assert answer(value, "certified", [there, back, back]) == (
        "rejected",
        "more steps than goals",
    )
    refuting = {**step("a", "b"), "rule": "pure-refuted", "y": "0", "margin": "1"}
    del refuting["ties"]
    word, message = answer(value, "refuted", [{**refuting, "from": LONG["b"]}])
    assert (word, message) == (
        "rejected",
        f"pure-refuted {b} -> {b}: the problem has no such goal",
    )


@pytest.mark.parametrize("wrong", ["x", [], 1, {}, {"rule": 1}, {"rule": None}, None])
def test_a_step_is_a_table_with_a_rule(wrong: object) -> None:
    value = kb.problem(P, Q, 1, 0, 1)
    for result in ("certified", "refuted"):
        word, message = answer(value, result, [wrong])
        assert (word, message) == ("malformed", "a step must be a table with a rule")


def test_no_noise_is_said_where_there_is_none() -> None:
    said = "no noise: the release is X itself"
    value = kb.problem(P, P, 1, 0, 1)
    assert said not in answer(value, "certified", kb.both("pure", 64, {"ties": []}))[1]
    value["noise"] = {"kind": "none"}
    steps = [kb.step("no-noise", *way) for way in (("a", "b"), ("b", "a"))]
    for bare in steps:
        del bare["bits"]
    word, message = answer(value, "certified", steps)
    assert word == "certified"
    assert said in message


def test_a_delta_that_is_proved_0_or_1_is_as_written_so() -> None:
    """One output refutes at delta = 0 only, and delta = 1 needs no premise."""
    nothing = "log(4)-2*log(2)"
    far = {"0": 1}, {"1": 1}  # no enclosure tells their divergence from 1
    for delta, word in ((f"1+{nothing}", "certified"), ("1-1e-300", "rejected")):
        value = kb.problem(*far, 0, delta, "1/1000")
        assert answer(value, "certified", kb.both("delta-upper", 64))[0] == word, delta
    value = kb.problem(P, Q, 0, nothing, 1)
    y = kb.step("pure-refuted", "a", "b", y="0", margin="0.01")
    assert answer(value, "refuted", [y])[0] == "refuted"


@pytest.mark.parametrize("key", ["belief", "from", "to"])
@pytest.mark.parametrize("wrong", [1, None, ["a"], {}])
def test_a_step_names_its_goal_by_strings(key: str, wrong: object) -> None:
    value = kb.problem(P, Q, 1, 0, 1)
    for result, one in (
        ("certified", kb.step("pure", ties=[])),
        ("refuted", kb.step("pure-refuted", y="0", margin="0.1")),
    ):
        word, message = answer(value, result, [{**one, key: wrong}])
        assert word == "malformed"
        assert message.startswith(f"{key} must be ")


@pytest.mark.parametrize(("rule", "ties", "enclosed", "known"), [
    ("pure", [], True, True), ("pure", ["0"], True, False), ("delta-upper", None, True, True),
    ("delta-tie", None, True, False), ("pure", [], False, True), ("pure", ["0"], False, True),
    ("delta-tie", None, False, True),
])  # fmt: skip
def test_bounds_of_priors_do_for_rules_of_measures_without_ties(
    rule: str, ties: list[str] | None, enclosed: bool, known: bool
) -> None:
    p, q = ({Fraction(k): Fraction(m) for k, m in enumerate(law.values())} for law in (P, Q))
    noise = Noise("laplace", Fraction(1), None)
    goal = kb.goal(p, q, 1, 0 if rule == "pure" else 1, release=noise)._replace(enclosed=enclosed)
    more: kb.Json = {} if ties is None else {"ties": ties}
    step = kb.step(rule, **more)
    said = "too much work: this needs exact priors, and they are too long"
    refused = ""
    try:
        apply(goal, step, goal.kind.certified)
    except TooMuchWork as reason:
        refused = str(reason)
    except Rejected:  # what a rule itself says of the step
        assert known
    assert refused == ("" if known else said)
