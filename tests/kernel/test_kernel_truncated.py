"""The kernel's reading of truncated Laplace noise: its bound, its scale, and no other scale."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from reader import truncated

Json = dict[str, Any]
NOISE = {"kind": "truncated-laplace", "scale": "1", "bound": "2"}
POINTS = {name: {"kind": "discrete", "mass": {x: "1"}} for name, x in (("a", "0"), ("b", "1"))}


def problem(epsilon: str, delta: str, **noise: Any) -> Json:
    stated = {key: value for key, value in {**NOISE, **noise}.items() if value is not None}
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": stated,
            "priors": POINTS}  # fmt: skip


def proof(value: Json, rule: str = "kept") -> Json:
    steps = [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    return kb.certificate(value, "certified", steps)


def said(value: Json, rule: str = "kept") -> str:
    return kb.run(value, proof(value, rule))[0]


def test_the_mass_that_one_law_alone_reaches() -> None:
    """From -2 to -1, of the whole 1 - e^-2: (e^-1 - e^-2)/2 over it, met exactly."""
    exact = "(exp(-1)-exp(-2))/2/(1-exp(-2))"
    assert said(problem("1", exact)) == "certified"
    assert said(problem("1", f"{exact} - 1e-30")) == "rejected"
    assert said(problem("1", exact, bound="19/10")) == "rejected"
    assert said(problem("1", exact, scale="11/10")) == "rejected"


@pytest.mark.parametrize("other", [{"bound": "3"}, {"bound": "1"}, {"scale": "2"}])
def test_a_certificate_of_another_noise(other: Json) -> None:
    value = problem("1", "1/2")
    word, message = kb.run(problem("1", "1/2", **other), proof(value))
    assert word == "rejected"
    assert "another problem" in message


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"bound": "0"}, "must be positive"),
        ({"bound": "-1/2"}, "must be positive"),
        ({"bound": "-3"}, "must be positive"),
        ({"bound": "exp(1)"}, "must be rational"),
        ({"bound": None}, "bound"),
        ({"scale": "-1"}, ""),
        ({"step": "1"}, "step"),
    ],
)
def test_what_states_no_such_noise(noise: Json, message: str) -> None:
    value = problem("1", "1/2", **noise)
    try:
        word, found = kb.run(value, proof(problem("1", "1/2")) | {"problem": kb.digest(value)})
    except Malformed as reason:
        word, found = "malformed", str(reason)
    assert (word, message in found) == ("malformed", True), (word, found)


def test_there_is_no_other_scale() -> None:
    value: Any = {"noise": NOISE}
    found = truncated.noise(value)
    assert found.at(found.amount) is found
    for other in (None, Fraction(2), Fraction(0)):
        with pytest.raises(Malformed, match="its own scale"):
            found.at(other)
    without = truncated.noise({"noise": {"kind": "truncated-laplace", "bound": "2"}})
    with pytest.raises(Malformed, match="its own scale"):
        without.at(None)


def test_scale_0_publishes_x_itself() -> None:
    assert said(problem("1", "1", scale="0"), "no-noise") == "certified"
    assert said(problem("1", "1", scale="0"), "kept") == "rejected"
    assert said(problem("1", "0.999", scale="0"), "no-noise") == "rejected"
