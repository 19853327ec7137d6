"""The tupling mechanism: events of tuples by their definition, and bounds of long numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import channel_corpus as cc
import kernel_builder as kb
import pytest
from core import tupling

from core.finite import FAR
from core.masses import Outputs, Tuples, mass_of
from core.rules import Rejected
from core.shapes import MAX_COMMON_BITS, parse
from core.tupling import Ratio, Ratios, _filled, _halves, _joined, event_above, event_without
from core.work import checking
from core.zero import NIL, constant

Json = dict[str, Any]
F = Fraction
BOTH = [cc.step("tupling", *way) for way in (("a", "b"), ("b", "a"))]


def said(value: Json, *steps: Json, result: str = "certified") -> tuple[str, str]:
    return kb.run(value, kb.certificate(value, result, list(steps)))


# ---------------------------------------------------------------- long numbers


def apart(epsilon: str, delta: str, dummy: Json) -> Json:
    """At x, P is more than e^epsilon Q by far; at y only more than 2^4096 Q."""
    small = [f"1/1{'0' * n}" for n in (3100, 1300)]
    rows = [["1/2", "1/4", "1/4", "0"], [*small, f"1-{small[0]}-{small[1]}", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"xyzw"], "rows": rows}
    hidden = {"kind": "tupling", "base": base, "dummies": 1, "dummy": dummy}
    return cc.problem(hidden, epsilon, delta)


@pytest.mark.parametrize("epsilon", ["5000", "log(2)*7000"])
@pytest.mark.parametrize("dummy", [{"w": "1"}, dict.fromkeys("xyzw", "1/4")])
def test_a_bound_of_a_huge_growth_is_not_taken_for_it(epsilon: str, dummy: Json) -> None:
    """delta is 1/2 of x, of which the lower bound's event, x or y, shows nothing."""
    wrong = apart(epsilon, "1/10", dummy)
    words = 'tupling "a" -> "b": the masses of tuples are not bounded by delta'
    assert said(wrong, *BOTH) == ("rejected", words)
    step = cc.step(
        "tupling-refuted", "a", "b", bits=64, growth="1" + "0" * 2100, margin="0.1"
    )  # fmt: skip
    assert said(wrong, step, result="refuted")[0] == "refuted"
    assert said(apart(epsilon, "0.51", dummy), *BOTH)[0] == "certified"
