"""The rules without noise on small priors, against exact sums."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from core.finite import Finite
from core.rules import Rejected

TINY = Fraction(1, 10**9)


def drawn(rng: random.Random) -> dict[Fraction, Fraction]:
    """Masses of twentieths on some of the atoms -2, ..., 6."""
    atoms = rng.sample(range(-2, 7), 4)
    cuts = sorted(rng.sample(range(1, 20), 3))
    masses = [b - a for a, b in zip([0, *cuts], [*cuts, 20], strict=True)]
    return {Fraction(x): Fraction(m, 20) for x, m in zip(atoms, masses, strict=True)}


def goal_of(
    p: dict[Fraction, Fraction], q: dict[Fraction, Fraction], delta: Fraction, form: str
) -> Finite:
    return kb.goal(p, q, 0, delta, form)


def text(x: Fraction) -> str:
    """A decimal of a number of twentieths, or of so many and a tiny one."""
    return f"{x.numerator * (10**12 // x.denominator)}e-12"


def holds(rule: str, goal: Finite, **more: Any) -> bool:
    try:
        facts = goal.kind.refuted[rule].load(rule)(goal, kb.step(rule, **more))
    except Rejected:
        return False
    assert facts == {"X"}
    return True


def test_events_over_several_atoms() -> None:
    """epsilon = 0, so that P(B) - Q(B) - delta is a number of twentieths."""
    positive = 0
    for seed in range(150):
        rng = random.Random(seed)
        p, q = drawn(rng), drawn(rng)
        ends: list[Any] = sorted(rng.sample(range(-5, 19), 2 * rng.randint(1, 3)))
        ends = [Fraction(x, 2) for x in ends]
        event = [ends[i : i + 2] for i in range(0, len(ends), 2)]
        if rng.random() < 0.3:
            event = [[x, x] for x in ends]  # single outputs
        texts = [[str(low), str(high)] for low, high in event]
        if rng.random() < 0.4:
            event[0][0], texts[0][0] = Fraction(-99), "-inf"
        if rng.random() < 0.4:
            event[-1][1], texts[-1][1] = Fraction(99), "inf"
        delta = Fraction(rng.randint(0, 4), 20)
        counted = [sum((m for x, m in prior.items() if any(a <= x <= b for a, b in event)),
                       Fraction(0)) for prior in (p, q)]  # fmt: skip
        margin = counted[0] - counted[1] - delta
        goal = goal_of(p, q, delta, "events")
        if margin > 0:
            positive += 1
            assert holds("event-refuted", goal, event=texts, margin=text(margin))
        above = max(margin, Fraction(0)) + TINY
        assert not holds("event-refuted", goal, event=texts, margin=text(above))
    assert positive > 40


def test_an_event_refutes_the_pointwise_form_at_delta_0_only() -> None:
    p, q = {Fraction(0): Fraction(1)}, {Fraction(1): Fraction(1)}
    event, margin = [["0", "0"]], "0.1"
    for delta, form, answer in (
        (Fraction(0), "events", True),
        (Fraction(1, 2), "events", True),
        (Fraction(0), "pointwise", True),
        (Fraction(1, 2), "pointwise", False),
    ):
        goal = goal_of(p, q, delta, form)
        assert holds("event-refuted", goal, event=event, margin=margin) is answer


@pytest.mark.parametrize("y", ["-3", "-1/2", "0", "1", "2", "5/2", "9"])
def test_an_output_has_the_mass_of_its_atom_or_none(y: str) -> None:
    """P has 0 and 1, Q has 1 and 2: at every other output both have no mass."""
    p = {Fraction(0): Fraction(1, 4), Fraction(1): Fraction(3, 4)}
    q = {Fraction(1): Fraction(1, 4), Fraction(2): Fraction(3, 4)}
    gap = p.get(Fraction(y), Fraction(0)) - q.get(Fraction(y), Fraction(0))
    goal = goal_of(p, q, Fraction(1, 10), "pointwise")
    margin = gap - Fraction(1, 10)
    if margin > 0:
        assert holds("pointwise-refuted", goal, y=y, margin=text(margin))
    above = max(margin, Fraction(0)) + TINY
    assert not holds("pointwise-refuted", goal, y=y, margin=text(above))
    pure = goal_of(p, q, Fraction(0), "events")
    assert holds("pure-refuted", pure, y=y, margin="1") is (y in ("0", "1"))  # log 3 > 1
    assert holds("pure-refuted", pure, y=y, margin="1.1") is (y == "0")  # log 3 < 1.1


def test_a_margin_that_is_met_exactly() -> None:
    """P = 2 Q at 0, and e^(epsilon + 1/4) = 2: proved by the zero test; a little more is not."""
    value = kb.problem({"0": "2/3", "1": "1/3"}, {"0": "1/3", "1": "2/3"}, "log(2)-1/4", 0, None)
    value |= {"noise": {"kind": "none"}}
    for margin, said in (("0.25", "refuted"), ("0.2500000001", "rejected")):
        step = kb.step("pure-refuted", y="0", margin=margin)
        assert kb.run(value, kb.certificate(value, "refuted", [step]))[0] == said


N01, ATOM = {"kind": "gaussian", "mean": 0, "variance": 1}, {"kind": "discrete", "mass": {"0": 1}}
MIXED = {"kind": "mixture", "components": [
    {"weight": "1/2", "mean": 0, "variance": 0}, {"weight": "1/2", "mean": 0, "variance": 1},
]}  # fmt: skip


@pytest.mark.parametrize("noise", [{"kind": "none"}, {"kind": "gaussian", "variance": 0}])
def test_a_density_that_there_is_not_is_never_bounded(noise: kb.Json) -> None:
    """The pointwise form without noise: both priors must have densities, without an atom."""
    for p, q, said in (
        (N01, N01, None),
        (N01, ATOM, "an atom has no density"),
        (ATOM, N01, "an atom has no density"),
        (MIXED, MIXED, "an atom has no density"),
        (N01, MIXED, "an atom has no density"),
        (MIXED, N01, "an atom has no density"),
        (ATOM, ATOM, None if noise["kind"] == "none" else "the priors' atoms have no density"),
    ):
        value = kb.problem({"0": 1}, {"0": 1}, 0, 0, 1, form="pointwise")
        value |= {"noise": noise, "priors": {"a": p, "b": q}}
        rule = "no-noise" if p == q == ATOM else "equal"
        steps = [kb.step(rule, *way) for way in (("a", "b"), ("b", "a"))]
        for step in steps:
            del step["bits"]
        word, message = kb.run(value, kb.certificate(value, "certified", steps))
        assert (word, said or "") == ("rejected" if said else "certified", said or ""), message
        assert said is None or said in message


def test_a_margin_of_many_digits_beside_an_irrational_delta() -> None:
    value = kb.problem({"0": 1}, {"1": 1}, 1, "exp(-1)", None) | {"noise": {"kind": "none"}}
    for margin in ("1e-9999", "1e-40000"):
        step = kb.step("event-refuted", event=[["0", "0"]], margin=margin)
        word, message = kb.run(value, kb.certificate(value, "refuted", [step]))
        assert word == "refuted", message
