"""Laws on a line: exact sums against enclosures, and the positive part against both."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import kernel_builder as kb
import pytest
from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Malformed
from core.in_parts import InParts
from core.line import all_mass, noisy
from core.line_exact import exact_mass
from core.line_masses import between, excess
from core.line_signs import Ends, enclosed_total, positive_pieces
from core.line_ties import exact_total
from core.rules import Rejected
from core.sides import Sides
from core.spans import SUPPRESSED, Part
from core.sweep import difference_at, jumps_of
from core.value import form_of
from core.zero import enclose_sum, exp_form
from reader.noise import Noise

AR = Arithmetic(400)
KINDS = ["laplace", "discrete-laplace", "truncated-laplace"]


def law(rng: random.Random) -> dict[Fraction, Fraction]:
    weights = {Fraction(rng.randint(-3, 6)): rng.randint(1, 9) for _ in range(rng.randint(1, 5))}
    whole = sum(weights.values())
    return {x: Fraction(weights[x], whole) for x in sorted(weights)}


def drawn(kind: str, seed: int) -> Any:
    rng = random.Random(f"{kind} {seed}")
    bound = Fraction(rng.choice([1, 2, 5, 40]), rng.choice([1, 2])) if kind == KINDS[2] else None
    step = Fraction(1) if kind == KINDS[1] else None
    noise = Noise(kind, Fraction(rng.randint(1, 9), 2), step, bound)
    p, q = law(rng), law(rng)
    epsilon = Fraction(rng.randint(0, 3), 4)
    goal = kb.goal(p, q, epsilon, 0, release=Noise("laplace", Fraction(1), None))
    hidden = Fraction(1, 3), Fraction(1, 7)
    parts = (Part(None, None, SUPPRESSED),)
    laws = (noisy(x, noise, m, parts) for x, m in zip((p, q), hidden, strict=True))
    return rng, goal.about(*laws)


def close(x: Interval, y: Interval) -> bool:
    low, high, e = AR.sub(x, y)
    return low <= 0 <= high and Fraction(high - low) * Fraction(2) ** e < Fraction(1, 10**60)


@pytest.mark.parametrize("kind", KINDS)
def test_masses_of_spans(kind: str) -> None:
    for seed in range(40):
        rng, goal = drawn(kind, seed)
        count, growth = 2 * rng.randint(1, 3), form_of(Fraction(1, 3))
        far = Fraction(1, 2) if kind == KINDS[1] else Fraction(0)  # cuts between lattice points
        unit = 1 if kind == KINDS[1] else rng.choice([1, 2])
        places = sorted(rng.sample(range(-9, 13), count))
        ends: list[Any] = [Fraction(x, unit) + far for x in places]
        ends[0] = rng.choice([None, ends[0]])
        ends[-1] = rng.choice([None, ends[-1]])
        spans = [(ends[k], ends[k + 1]) for k in range(0, count, 2)]
        for hidden in (False, True):
            exact = enclose_sum(exact_mass(goal.P, goal.Q, spans, growth, hidden=hidden), AR)
            assert close(exact, excess(goal, spans, growth, AR, hidden=hidden)), (seed, spans)
        everything = excess(goal, [(None, None)], growth, AR)
        one_less = AR.sub(ONE, exp_form(growth, AR))
        assert close(everything, AR.mul(one_less, enclose_sum(all_mass(goal.P), AR)))


@pytest.mark.parametrize("kind", KINDS)
def test_values_at_the_ends_of_pieces(kind: str) -> None:
    for seed in range(40):
        _, goal = drawn(kind, seed)
        swept = difference_at(goal, form_of(goal.epsilon), AR, [Fraction(1, 3)])
        sides = Sides(goal.P, goal.Q, form_of(goal.epsilon))
        ends = [None, *swept.places, None]
        for k, piece in enumerate(swept.pieces):
            sides.pass_by(ends[k])
            assert close(enclose_sum(sides.value_at(ends[k]), AR), piece.near(AR))
            assert close(enclose_sum(sides.value_at(ends[k + 1]), AR), piece.far(AR))


def number(x: Interval) -> float:
    return float(Fraction(x[0]) * Fraction(2) ** x[2])


def cut_fine(goal: Any, epsilon: Any) -> float:
    """The excesses of short intervals, where they are positive: a little less than [g]_+ has."""
    ar, cuts = Arithmetic(128), [Fraction(k, 24) for k in range(-200, 300)]
    found = between(goal.P, jumps_of(goal, epsilon, ar), cuts, ar)
    return sum(max(number(x), 0) for x in found) - 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_the_positive_part(kind: str) -> None:
    """Exactly it is what enclosures have; on a lattice, the points where g is positive."""
    mixed = 0
    for seed in range(60):
        _, goal = drawn(kind, seed)
        epsilon = form_of(goal.epsilon)
        swept = difference_at(goal, epsilon, AR)
        ends = Ends(goal, lambda ar, s=swept: s, [AR])
        found = [*positive_pieces(ends, range(len(swept.pieces)))]
        total, products = exact_total(goal, swept.places, found, AR)
        exact = enclose_sum(total, AR)
        for a, b, f in products:
            root = AR.mul(AR.mul(enclose_sum(a, AR), enclose_sum(b, AR)), exp_form(f, AR))
            exact = AR.sub(exact, AR.mul((2, 2, 0), AR.sqrt(root)))
        if kind == KINDS[1]:
            cuts = [None, *(Fraction(2 * x + 1, 2) for x in range(-60, 60)), None]
            expected = ZERO
            for span in pairwise(cuts):
                value = excess(goal, [span], epsilon, AR)
                expected = AR.add(expected, value) if value[0] > 0 else expected
        else:
            expected = enclosed_total(found, swept, AR)
            assert 0 <= number(expected) - cut_fine(goal, epsilon) < 0.02, seed
        assert close(exact, expected), seed
        mixed += any(not (one.near and one.far) for one in found)
    assert mixed > 15


def test_an_output_that_an_event_cuts() -> None:
    noise = Noise("laplace", Fraction(1), None)
    parts = (Part(None, Fraction(0), "0"), Part(Fraction(0), None, None))
    one = Fraction(1)
    goal = kb.goal({one: one}, {one: one}, 0, 0, release=noise)
    goal = goal.about(*(noisy({one: one}, noise, Fraction(0), parts) for _ in range(2)))
    for event, cut in (
        ([["-inf", "0"]], False), ([["-1", "2"]], True), ([["0", "2"]], False),
        ([["-inf", "3"]], False), ([["-2", "-1"]], True), ([["-inf", "-1"], ["2", "3"]], True),
    ):  # fmt: skip
        step = {"rule": "event-refuted", "bits": 64, "event": event}
        if cut:
            with pytest.raises(Rejected, match="the event cuts an output"):
                InParts(goal, step)._event()
        else:
            assert InParts(goal, step)._event()[1] is False


def test_a_lattice_has_no_density_to_keep() -> None:
    _, goal = drawn("discrete-laplace", 1)
    goal = goal.about(*(x._replace(parts=()) for x in (goal.P, goal.Q)))
    with pytest.raises(Malformed, match="a density on a lattice"):
        InParts(goal, {"rule": "kept"}).positive()
