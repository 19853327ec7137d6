"""What is said of scales: the ends as written, the number of a step, short labels."""

from __future__ import annotations

import json
from typing import Any

import kernel_builder as kb
import pytest

P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}
VALUE = kb.problem(P, Q, 1, 0, None)


def answer(steps: list[Any], value: kb.Json = VALUE) -> tuple[str, str]:
    return kb.run(value, kb.certificate(value, "scales", steps))


def scale(method: Any = "l1", at: str = "1000") -> kb.Json:
    steps = kb.both("pure", 64, {"ties": []})
    return {
        "rule": "scale", "method": method, "scale": at, "verdict": "certified", "steps": steps,
    }  # fmt: skip


def test_the_ends_of_a_minimum_are_said_as_written() -> None:
    case = json.loads((kb.CORPUS / "accept" / "minimum-pointwise.json").read_text())
    step = case["certificate"]["steps"][0]
    for lower, upper in ((step["lower"], step["upper"]), ("0", "1000.5")):
        proof = step["lower_step"] if lower != "0" else None
        changed = {**step, "lower": lower, "upper": upper, "lower_step": proof}
        word, message = answer([changed], case["problem"])
        assert word == "scales"
        assert message.startswith(f"minimum in [{lower}, {upper}]; problem=")


@pytest.mark.parametrize("label", ["a", "-a_9", "x" * 64, "x" * 63])
def test_labels_of_scales(label: str) -> None:
    word, message = answer([scale(label)])
    assert word == "scales"
    assert f'(labelled "{label[:20]}' in message


@pytest.mark.parametrize("label", ["", "x" * 65, "é", "a b", "-", 1, None, ["a"], "a\n"])
def test_what_is_no_label(label: object) -> None:
    assert answer([scale(label)]) == ("malformed", "a method must be a short ASCII name")


def test_steps_are_counted_from_1() -> None:
    wrong = {**scale(), "steps": scale()["steps"][:1]}
    assert answer([wrong]) == ("rejected", 'step 1 (scale): no step for "b" -> "a"')
    assert answer([scale(), wrong]) == ("rejected", 'step 2 (scale): no step for "b" -> "a"')
    for at, no_step in enumerate(["x", {"rule": "pure"}, {"rule": 1}, {}]):
        said = f"step {at + 1} of a scales certificate must be scale or minimum"
        assert answer([scale()] * at + [no_step]) == ("malformed", said)
    assert answer([]) == ("rejected", "a certificate of scales without a scale")


def test_every_goal_has_its_step_at_scale_0() -> None:
    """The ratios are 2 at most: no noise is needed at all."""
    free = {"rule": "no-noise"}
    zero = {**scale(at="0"), "steps": [free]}
    word, message = answer([zero])
    assert word == "scales"
    assert message.startswith('scale 0 (labelled "l1") certified; ')
    for steps in ([], [free, free], [{**free, "bits": 64}]):
        assert answer([{**zero, "steps": steps}])[0] == "malformed"
    near = kb.problem(P, Q, "log(2)-1e-30", 0, None)
    word, message = answer([zero], near)
    assert word == "rejected"
    assert message.startswith('step 1 (scale): no-noise "a" -> "b": ')
