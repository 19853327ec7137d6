"""The rules of normal forms: what no probability exceeds is no bound of densities."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb
import pytest

FAR = {"0": 1}, {"10": 1}


def answer(form: str, delta: Any, scale: Any, rule: str) -> tuple[str, str]:
    value = kb.problem(*FAR, "1/10", delta, scale, form=form)
    ties: kb.Json = {} if rule == "delta-upper" else {"ties": []}
    return kb.run(value, kb.certificate(value, "certified", kb.both(rule, 64, ties)))


def test_a_delta_of_1_bounds_no_density() -> None:
    """The density of Laplace noise of the scale s is 1 / (2 s) where it is largest."""
    word, message = answer("pointwise", 1, "1/10", "pointwise")
    assert word == "rejected"
    assert message.startswith('pointwise "a" -> "b": ')
    word, message = answer("pointwise", 1, "3/5", "pointwise")
    assert word == "certified"
    assert "by the excess is convex between atoms where it is positive (F4b)" in message


@pytest.mark.parametrize("scale", ["1/1000", "1/10"])
def test_no_event_exceeds_a_delta_of_1_by_no_fact(scale: str) -> None:
    word, message = answer("events", 1, scale, "delta-upper")
    assert word == "certified"
    assert "; by " not in message
    word, message = answer("events", "99/100", scale, "delta-upper")
    assert word == "rejected"
