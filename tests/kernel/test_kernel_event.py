"""The mass of an event under (discrete) Laplace noise, against distribution functions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import kernel_builder as kb
from core.enclose import Arithmetic, Interval
from core.line_masses import event_spans, excess, whole_of
from core.value import form_of
from core.work import Check
from mpmath import mpf
from reader import reader
from reader.goals import goals_of


def inside(found: Interval, value: mpf) -> bool:
    """Whether a narrow enclosure has the value in it."""
    low, high, e = found
    ends = mpf(low) * mpf(2) ** e, mpf(high) * mpf(2) ** e
    return ends[0] - kb.TOLERANCE <= value <= ends[1] + kb.TOLERANCE < ends[0] + mpf(10) ** -30


def drawn_event(rng: random.Random, lattice: bool) -> list[list[Any]]:
    """Disjoint closed intervals, increasing, often half-lines and often over several atoms."""
    unit = 1 if lattice else rng.choice([1, 2, 3])
    count = 2 * rng.randint(1, 3)
    ends: list[Any] = sorted(rng.sample(range(-4 * unit, 11 * unit), count))
    ends = [Fraction(x, unit) for x in ends]
    if rng.random() < 0.5:
        ends[0] = None
    if rng.random() < 0.5:
        ends[-1] = None
    return [ends[i : i + 2] for i in range(0, count, 2)]


def texts(event: list[list[Any]]) -> list[list[str]]:
    """The same as a step has it."""
    return [
        ["-inf" if low is None else str(low), "inf" if high is None else str(high)]
        for low, high in event
    ]


def found(goal: Any, event: list[list[Any]]) -> Interval:
    """P(Y in B) - e^epsilon P'(Y in B) - delta, as the rule encloses it."""
    ar = Arithmetic(160)
    spans = event_spans(goal, {"event": texts(event)})
    value = excess(goal, spans, form_of(goal.epsilon), ar, (goal.delta,))
    return ar.div(value, whole_of(goal.P, ar))


def one(seed: int) -> None:
    rng = random.Random(seed)
    lattice = seed % 2 == 0
    p, q = ({str(rng.randint(-2, 9)): rng.randint(1, 9) for _ in range(4)} for _ in range(2))
    value = kb.problem(p, q, "1/3", "1/10", rng.choice(["1/2", 2, 7]), 1 if lattice else None)
    for name, counts in (("a", p), ("b", q)):
        value["priors"][name] = {"kind": "discrete", "counts": counts}
    problem = reader.problem_of(value)
    goal = next(goals_of(problem, problem.release, Check(0)))
    truth = kb.Release(value, "default", "a", "b", kb.real(value["noise"]["scale"]))
    for _ in range(4):
        event = drawn_event(rng, lattice)
        expected = kb.probability_excess(truth, texts(event)) - truth.delta
        assert inside(found(goal, event), expected), (value, event)


def test_the_mass_of_an_event() -> None:
    for seed in range(40):
        one(seed)


def test_half_lines_over_all_atoms() -> None:
    """A half-line counts its tail once, however many atoms are on it."""
    value = kb.problem({"0": 1, "1": 1, "4": 2}, {"0": 2, "2": 1, "4": 1}, "1/3", 0, 2)
    problem = reader.problem_of(value)
    goal = next(goals_of(problem, problem.release, Check(0)))
    truth = kb.Release(value, "default", "a", "b", mpf(2))
    event: list[list[Any]]
    for event in ([[None, Fraction(3)]], [[Fraction(1, 2), None]], [[None, None]]):
        expected = kb.probability_excess(truth, texts(event)) - truth.delta
        assert inside(found(goal, event), expected)
