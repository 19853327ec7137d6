"""The packaged problems with steps after the noise, and the numbers that their files tell."""

from __future__ import annotations

from typing import Any

import pytest
from support.examples import stepped_examples
from support.kernel_run import accepted_certificate

from pfverify import certify, loss
from pfverify.edge.packaged import load_example

TOLD = {"rounded-count": "0", "threshold": "0.01338980"}  # delta
CHANGED: list[tuple[str, dict[str, Any], str]] = [
    ("threshold", {"delta": "exp(-5)/(1+exp(-1))"}, "0.01338980"),
    ("rounded-count", {"scale": 1}, "0.117"),
    ("rounded-count", {"scale": "1/100"}, "0.0000226"),
]


def test_all_are_here() -> None:
    assert {*TOLD} == {*stepped_examples()}


@pytest.mark.parametrize("name", TOLD)
def test_each_is_a_tie_that_the_kernel_accepts(name: str) -> None:
    problem, delta = load_example(name), TOLD[name]
    found = certify(problem)
    assert (found.verdict, any(pair.tie for pair in found.pairs)) == ("certified", True)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == "certified"
    told = loss(problem).delta
    assert told is not None
    assert str(told.lower).startswith(delta)


@pytest.mark.parametrize(("name", "change", "delta"), CHANGED)
def test_what_the_files_tell_of_other_numbers(
    name: str, change: dict[str, Any], delta: str
) -> None:
    problem = load_example(name).replaced(**change)
    assert certify(problem).verdict == "refuted"
    told = loss(problem).delta
    assert told is not None
    assert str(told.lower).startswith(delta)
