"""Atoms with Laplace noise: the facts by which goals hold, and the excess an event must have."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb
import pytest
from core import line_masses
from core.facts import FACTS

P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}


@pytest.mark.parametrize(("step", "form", "facts"), [
    (None, "events", ["F1"]), (1, "events", ["F1", "F12"]),
    (None, "pointwise", ["F4b"]), (1, "pointwise", ["F4b"]),
])  # fmt: skip
def test_atoms_of_a_lattice_have_a_fact_of_their_own(
    step: int | None, form: str, facts: list[str]
) -> None:
    rule, delta = ("pure", 0) if form == "events" else ("pointwise", "1/2")
    value = kb.problem(P, Q, 1, delta, 2, step, form=form)
    found = kb.checked(value, kb.certificate(value, "certified", kb.both(rule, 64, {"ties": []})))
    assert found.word == "certified"
    assert found.check is not None
    assert found.check.rules == {rule: {*facts}}
    told = ", ".join(text for key, text in FACTS.items() if key in facts)
    assert f"; by {told}; " in found.message


@pytest.mark.parametrize(("low", "word"), [(-2, "rejected"), (-1, "rejected"), (0, "refuted"),
                                           (1, "refuted")])  # fmt: skip
def test_an_event_needs_an_excess_that_is_at_least_0(
    low: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is enclosed, its lower end tells."""

    def enclosed(*_: Any, **__: Any) -> tuple[int, int, int]:
        return low, 5, -64

    monkeypatch.setattr(line_masses, "excess", enclosed)
    value = kb.problem(P, Q, "1/2", 0, "1/100")
    step = kb.step("event-refuted", event=[["-inf", "1/2"]], margin="0.01")
    found, message = kb.run(value, kb.certificate(value, "refuted", [step]))
    assert found == word
    assert ("no such margin is proved for the event" in message) == (word == "rejected")
