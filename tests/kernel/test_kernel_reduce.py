"""Goals that follow from others: the facts of both are cited, and what may stand inside a step."""

from __future__ import annotations

import json

import kernel_builder as kb
import pytest
from core.facts import FACTS

CITED = {
    "product": "F1 F3 F43",
    "product-deltas": "F4 F43",
    "product-parts": "F45 F45d F40 F43",
    "product-parts-one": "F45 F45d F40 F43",
    "product-parts-points": "F45 F45d F43 F43h",
    "product-parts-refuted": "F45 F45d F40 F43",
    "product-refuted": "F43",
    "one-refuted": "F45 DPI",
    "part-refuted": "F45 F45d DPI",
    "part-refuted-coordinate": "F45 F45d DPI",
    "any-rest-far": "F40 F43i",
    "any-rest-far-one": "DPI F43i",
    "any-rest-steps": "F1 F3 DPI",
    "minimum-pointwise": "F4b F2",
}


def stored(name: str) -> tuple[kb.Json, kb.Json]:
    case = json.loads((kb.CORPUS / "accept" / f"{name}.json").read_text())
    return case["problem"], case["certificate"]


@pytest.mark.parametrize("name", CITED)
def test_the_facts_of_what_a_goal_follows_from_are_cited(name: str) -> None:
    message = kb.run(*stored(name))[1]
    (cited,) = (said for said in message.split("; ") if said.startswith("by "))
    assert cited == "by " + ", ".join(FACTS[key] for key in CITED[name].split())


@pytest.mark.parametrize(("name", "inside", "answer"), [
    ("one-refuted", {"rule": "one-refuted", "release": 0}, "rejected"),
    ("one-refuted", {"rule": "part-refuted", "part": 0}, "rejected"),
    ("part-refuted", {"rule": "part-refuted", "part": 0}, "malformed"),
])  # fmt: skip
def test_a_part_of_a_part_is_no_step(name: str, inside: kb.Json, answer: str) -> None:
    problem, certificate = stored(name)
    (step,) = certificate["steps"]
    word, message = kb.run(
        problem, {**certificate, "steps": [{**step, "step": {**inside, "step": step["step"]}}]}
    )
    assert word == answer
    said = {
        "rejected": f'one-refuted "a" -> "b": {inside["rule"]} "a" -> "b": '
        "the rule is for priors with densities, or gaussian noise",
        "malformed": 'the rule "part-refuted" is not one for this place',
    }
    assert message == said[answer]


@pytest.mark.parametrize("key", ["belief", "from", "to"])
def test_a_step_inside_another_names_no_pair(key: str) -> None:
    problem, certificate = stored("part-refuted")
    (step,) = certificate["steps"]
    for inside in ({**step["step"], key: step[key]}, [step["step"]], None):
        changed = {**certificate, "steps": [{**step, "step": inside}]}
        said = "a step inside another must be a table that names no pair"
        assert kb.run(problem, changed) == ("malformed", said)
