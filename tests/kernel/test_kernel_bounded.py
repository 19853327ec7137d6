"""The kernel's reading of Laplace noise in a window, and the masses that atoms have there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.line import all_mass, noisy
from core.line_masses import whole_of
from core.window import others, within
from core.zero import NIL, enclose_sum, is_zero, multiply
from mpmath import exp, mpf
from reader import bounded, truncated
from reader.bounded import Bounded

Json = dict[str, Any]
NOISE = {"kind": "bounded-laplace", "scale": "2", "low": "0", "high": "6"}
ENDS = {name: {"kind": "discrete", "mass": {x: "1"}} for name, x in (("a", "0"), ("b", "6"))}
F = Fraction


def problem(epsilon: str, delta: str, **noise: Any) -> Json:
    stated = {key: value for key, value in {**NOISE, **noise}.items() if value is not None}
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": stated,
            "priors": ENDS}  # fmt: skip


def proof(value: Json, rule: str = "kept") -> Json:
    steps = [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    return kb.certificate(value, "certified", steps)


def said(value: Json, rule: str = "kept") -> str:
    return kb.run(value, proof(value, rule))[0]


def test_both_ends_have_the_width_over_the_scale_as_loss() -> None:
    assert said(problem("3", "0")) == "certified"
    assert said(problem("3 - 1e-30", "0")) == "rejected"
    assert said(problem("3", "0", scale="19/10")) == "rejected"
    assert said(problem("3", "0", high="13/2")) == "rejected"  # the other C is another one


def test_a_window_may_begin_anywhere() -> None:
    """The same moved by 5/2, and mirrored at 0."""
    for low, high in (("5/2", "17/2"), ("-6", "0")):
        value = problem("3", "0", low=low, high=high)
        value["priors"] = {
            name: {"kind": "discrete", "mass": {x: "1"}}
            for name, x in zip("ab", (low, high), strict=True)
        }
        assert said(value) == "certified"
        assert said(value | {"epsilon": "3 - 1e-30"}) == "rejected"
        assert within(Bounded(F(2), F(low), F(high)), F(low)) == within(
            Bounded(F(2), F(0), F(6)), F(6))  # fmt: skip


def test_a_delta_that_is_nearly_met() -> None:
    """At epsilon = 0 the mass up to the middle: (1 - t)/(1 + t), t = e^(-3/2)."""
    delta = "(1-exp(-3/2))/(1+exp(-3/2))"
    assert said(problem("0", f"{delta} + 1e-20")) == "certified"
    assert said(problem("0", f"{delta} - 1e-20")) == "rejected"


@pytest.mark.parametrize("x", [F(0), F(1, 3), F(3), F(6)])
def test_twice_the_mass_in_the_window(x: Fraction) -> None:
    noise = Bounded(F(2), F(0), F(6))
    low, _, e = enclose_sum(within(noise, x), Arithmetic(128))
    expected = 2 - exp(-mpf(x.numerator) / x.denominator / 2)
    expected -= exp(-(6 - mpf(x.numerator) / x.denominator) / 2)
    assert abs(low * mpf(2) ** e - expected) < mpf(10) ** -30


def test_the_common_denominator_is_that_of_all_atoms() -> None:
    noise = Bounded(F(2), F(0), F(6))
    one, two = (noisy({F(x): F(1)}, noise) for x in (0, 3))
    whole = multiply(within(noise, F(0)), within(noise, F(3)))
    assert all_mass(one, two) == all_mass(two, one) == whole
    assert others(noise, [F(0), F(3)], F(3)) == within(noise, F(0))
    assert others(noise, []) == {NIL: F(1)}
    assert all_mass(one, one) == within(noise, F(0))
    assert not is_zero(whole)
    ar = Arithmetic(64)
    assert whole_of(one, ar) == ar.of(F(1))
    short = truncated.noise({"noise": {"kind": "truncated-laplace", "scale": 1, "bound": 1}})
    assert all_mass(noisy({F(0): F(1)}, short)) == all_mass(noisy({F(0): F(1)}, short), two)


@pytest.mark.parametrize("other", [{"low": "-1"}, {"high": "7"}, {"scale": "3"}])
def test_a_certificate_of_another_noise(other: Json) -> None:
    value = problem("3", "0")
    word, message = kb.run(problem("3", "0", **other), proof(value))
    assert word == "rejected"
    assert "another problem" in message


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"low": "6"}, "must end above"), ({"low": "7"}, "must end above"),
        ({"low": "1"}, "not in the window"), ({"high": "5"}, "not in the window"),
        ({"low": "exp(-1)"}, "must be rational"), ({"low": None}, "low"), ({"high": None}, "high"),
        ({"scale": "-1"}, ""), ({"step": "1"}, "step"), ({"releases": 2}, "one scale"),
        ({"scale": ["1", "2"]}, ""),
    ],
)  # fmt: skip
def test_what_states_no_such_noise(noise: Json, message: str) -> None:
    value = problem("3", "0", **noise)
    try:
        word, found = kb.run(value, proof(problem("3", "0")) | {"problem": kb.digest(value)})
    except Malformed as reason:
        word, found = "malformed", str(reason)
    assert (word, message in found) == ("malformed", True), (word, found)


def test_it_takes_atoms() -> None:
    value = problem("3", "0")
    value["priors"] = {**ENDS, "b": {"kind": "gaussian", "mean": 0, "variance": 1}}
    with pytest.raises(Malformed, match="needs priors of atoms"):
        kb.digest(value)
    value["priors"] = ENDS
    with pytest.raises(Malformed, match=r"steps after noise of kind .* are not known"):
        kb.digest(value | {"post": [{"round": {"to": "1"}}]})


def test_all_others_are_known() -> None:
    """Of a sum known in part the noise is not that of the part."""
    for rest in ("any", "known"):
        value = {"noise": NOISE, "system": {"rest": rest}}
        if rest == "known":
            assert bounded.noise(value).window == (0, 6)
            continue
        with pytest.raises(Malformed, match="rest = any needs noise that does not depend on X"):
            bounded.noise(value)


def test_there_is_no_other_scale() -> None:
    found = bounded.noise({"noise": NOISE})
    assert found.at(found.amount) is found
    assert found.made_of_x
    assert not found.same_for_all
    for other in (None, F(3), F(0)):
        with pytest.raises(Malformed, match="its own scale"):
            found.at(other)
    without = bounded.noise({"noise": {key: NOISE[key] for key in ("kind", "low", "high")}})
    with pytest.raises(Malformed, match="its own scale"):
        without.at(None)


def test_scale_0_publishes_x_itself() -> None:
    assert said(problem("1", "1", scale="0"), "no-noise") == "certified"
    assert said(problem("1", "1", scale="0")) == "rejected"
    assert said(problem("1", "0.999", scale="0"), "no-noise") == "rejected"


@pytest.mark.parametrize("rule", ["pure", "channel", "delta-upper"])
def test_one_rule_proves_it(rule: str) -> None:
    value = problem("3", "1/2")
    more = {"bits": 128} if rule != "channel" else {}
    more |= {"ties": []} if rule == "pure" else {}
    steps = [
        {"rule": rule, "belief": "default", "from": a, "to": b, **more} for a, b in ("ab", "ba")
    ]
    assert kb.run(value, kb.certificate(value, "certified", steps))[0] == "rejected"


@pytest.mark.parametrize(
    ("event", "word"),
    [([["0", "3"]], "refuted"), ([["0", "1"], ["2", "3"]], "refuted"),
     ([["-1", "3"]], "rejected"), ([["-inf", "3"]], "rejected"), ([["0", "inf"]], "rejected"),
     ([["3", "6"]], "rejected")],
)  # fmt: skip
def test_events_lie_in_the_window(event: list[list[str]], word: str) -> None:
    value = problem("0", "1/4")
    step = kb.step("event-refuted", "a", "b", event=event, margin="0.001")
    assert kb.run(value, kb.certificate(value, "refuted", [step]))[0] == word
