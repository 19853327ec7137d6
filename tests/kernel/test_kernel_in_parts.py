"""Steps that merge parts of a line: what enclosures leave open is decided exactly, else refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core import in_parts, line_exact, signs
from core.enclose import Interval
from core.facts import FACTS
from core.grammar import Malformed
from core.in_parts import InParts
from core.line import noisy
from core.rules import Rejected
from core.spans import SUPPRESSED, Part
from reader.noise import Noise

F = Fraction
P, Q = {F(0): F(1, 2), F(1): F(1, 2)}, {F(0): F(1, 4), F(1): F(3, 4)}
PARTS = (Part(None, F(0), "less"), Part(F(0), F(1), "mid"), Part(F(1), None, SUPPRESSED))


def difference(**step: Any) -> InParts:
    noise = Noise("laplace", F(1), None)
    goal = kb.goal(P, Q, F(1, 4), 0, release=noise)
    laws = (noisy(law, noise, F(0), PARTS) for law in (P, Q))
    return InParts(goal.about(*laws), step)


def refusal(of: Callable[[], object]) -> str:
    """What is said where it is rejected."""
    try:
        of()
    except Rejected as reason:
        return str(reason)
    return ""


ENDS = [(-2, -1), (-1, -1), (-1, 0), (0, 0), (-1, 1), (0, 1), (0, 2), (1, 1), (1, 2), (-2, 3)]


@pytest.mark.parametrize(("low", "high"), ENDS)
@pytest.mark.parametrize("exact", [-1, 0, 1])
def test_an_output_has_more_than_another_law_gives_it(
    low: int, high: int, exact: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the ends of an enclosure have one sign it is that, else the exact one is decided."""
    least, most = (low > 0) - (low < 0), (high > 0) - (high < 0)
    if not least <= exact <= most:
        return
    found = difference()
    monkeypatch.setattr(found, "_excesses", lambda outputs, _: [(low, high, -70)] * len(outputs))
    monkeypatch.setattr(found, "_exact", lambda *_: {})
    monkeypatch.setattr(signs, "decided_sign", lambda _: exact)
    assert found._exceeding() == ([0, 1, 2] if exact > 0 else [])
    said = None if exact <= 0 else 'the ratio at "less" is too large'
    assert found.positive() == said


@pytest.mark.parametrize(("low", "high", "said"), [
    (1, 2, "the divergence is above delta"), (1, 1, "the divergence is above delta"),
    (0, 0, ""), (-1, 0, ""), (-1, -1, ""), (0, 1, "the divergence is not bounded by delta"),
    (-1, 1, "the divergence is not bounded by delta"),
])  # fmt: skip
def test_the_sum_of_what_exceeds_is_at_most_delta(
    low: int, high: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = difference()
    monkeypatch.setattr(found, "_exceeding", lambda: [1])
    monkeypatch.setattr(found, "_excesses", lambda *_: [(low, high, -70)])
    assert refusal(found.require_area) == said
    assert found.facts == set()


def put(monkeypatch: pytest.MonkeyPatch, *values: Interval) -> None:
    """What the next excesses are."""
    left = iter(values)
    monkeypatch.setattr(in_parts, "excess", lambda *_, **__: next(left))


@pytest.mark.parametrize(("alone", "low", "exact", "holds"), [
    (1, 1, None, True), (1, 0, None, True), (1, -1, 1, True), (1, -1, 0, True),
    (1, -1, -1, False), (1, -5, -1, False), (2, 3, None, True), (0, 5, None, False),
    (-1, 5, None, False),
])  # fmt: skip
def test_a_margin_at_an_output(
    alone: int, low: int, exact: int | None, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P must be positive there, and the excess at least 0, maybe exactly."""
    put(monkeypatch, (alone, 9, -70), (low, 9, -70))

    def decided(_: object) -> int:
        assert exact is not None
        return exact

    monkeypatch.setattr(signs, "decided_sign", decided)
    found = difference(output="mid")
    said = refusal(lambda: found.require_at(F(1, 10), ratio=True))
    assert said == ("" if holds else "no such margin is proved at the output")


@pytest.mark.parametrize(("low", "high", "exact", "holds"), [
    (1, 2, None, True), (0, 0, None, True), (0, 1, None, True), (-1, 0, 0, True),
    (-1, 0, -1, False), (-1, 1, 1, True), (-1, 1, 0, True), (-1, 1, -1, False),
    (-2, -1, None, False), (-1, -1, None, False),
])  # fmt: skip
def test_a_margin_on_an_event(
    low: int, high: int, exact: int | None, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, (low, high, -70))

    def excess(*_: object) -> int:
        return -1 if exact is None else exact

    monkeypatch.setattr(line_exact, "exact_excess", excess)
    found = difference(outputs=["mid"])
    said = refusal(lambda: found.require_on(F(1, 10)))
    assert said == ("" if holds else "no such margin is proved for the event")
    assert found.facts == ({"F45"} if holds else set())


def test_which_outputs_an_event_has() -> None:
    spans: dict[tuple[str, ...], tuple[list[Any], bool]] = {
        ("less",): ([(None, 0)], False), ("mid",): ([(0, 1)], False),
        ("mid", "less"): ([(None, 1)], False), (SUPPRESSED,): ([(1, None)], True),
        (SUPPRESSED, "less"): ([(None, 0), (1, None)], True),
        ("less", "mid", SUPPRESSED): ([(None, None)], True),
    }  # fmt: skip
    for outputs, event in spans.items():
        assert difference(outputs=[*outputs])._event() == event
    for wrong in ([], ["mid", "mid"]):
        with pytest.raises(Malformed, match=r"^outputs must be different, at least one$"):
            difference(outputs=wrong)._event()
    with pytest.raises(Rejected, match=r"^no such output$"):
        difference(outputs=["mid", "more"])._event()


def test_a_span_covers_a_part_that_is_in_it() -> None:
    ends = [None, F(0), F(1), F(2), None]
    places = range(len(ends))
    for a, b, c, d in (
        (a, b, c, d) for a in places for b in places for c in places for d in places
    ):
        if a < b and c < d:
            span, part = (ends[a], ends[b]), Part(ends[c], ends[d], SUPPRESSED)
            assert in_parts._covers(span, part) == (a <= c and d <= b), (span, part)


@pytest.mark.parametrize(("name", "facts"), [
    ("kept-pure", "F1 F45"), ("kept-delta", "F4 F45"), ("kept-tie", "F4 F45"),
    ("kept-delta-95-digits-above", "F4 F45"), ("kept-event-95-digits-below", "F45"),
])  # fmt: skip
def test_stored_certificates(name: str, facts: str) -> None:
    case = json.loads((kb.CORPUS / "accept" / f"{name}.json").read_text())
    found, message = kb.run(case["problem"], case["certificate"])
    assert found in ("certified", "refuted")
    (cited,) = (said for said in message.split("; ") if said.startswith("by "))
    assert {key for key in ("F1", "F4", "F45", "F45e") if FACTS[key] in cited} == {*facts.split()}
