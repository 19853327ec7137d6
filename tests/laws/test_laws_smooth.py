"""Metamorphic laws for priors with densities, and two routes to one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.chart_orders import orders_of
from support.oracles import encloses
from support.smooth_cases import random_priors
from support.smooth_oracle import Law, Noise, Part, ctx, real, two_normals
from support.smooth_problems import answered, gaussian, laplace, normal, smooth_problem

from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.decide.charts.order import OneOrder
from pfverify.model.problem import Problem

Case = tuple[list[Part], list[Part], Noise, Fraction, Fraction, str]
DIGITS = 9
FEW = pytest.mark.parametrize("count", [6, pytest.param(20, marks=pytest.mark.long)])


def few(parts: list[Part], count: int = 2) -> list[Part]:
    kept = parts[:count]
    total = sum(w for w, _, _ in kept)
    return [(w / total, m, v) for w, m, v in kept]


def cases(name: str, count: int) -> Iterator[Case]:
    rng = Random(f"smooth laws {name}")
    made = 0
    while made < count:
        kind = ("plain", "atoms", "shift", "shared")[made % 4]
        p, q = (few(side) for side in random_priors(rng, kind))
        if sorted(p) == sorted(q) or not any(v for _, _, v in [*p, *q]):
            continue
        size = Fraction(rng.randint(3, 40), 7)
        noise = gaussian(size) if rng.random() < 0.35 else laplace(size)
        epsilon = Fraction(rng.randint(0, 30), 13)
        delta = Fraction(rng.choice([0, 0, 1, 2, 5, 20]), 100)
        yield p, q, noise, epsilon, delta, rng.choice(("events", "pointwise"))
        made += 1


def decided(case: Case) -> CertifyResult:
    return answered(smooth_problem(*case), digits=DIGITS)


def by_order(result: CertifyResult, swapped: bool = False) -> dict[str, Directed]:
    names = {"a": "b", "b": "a"} if swapped else {"a": "a", "b": "b"}
    return {names[found.from_]: found for found in result.pairs}


def overlap(one: Any, two: Any, factor: Any = 1) -> bool:
    """Whether two enclosures can hold one number (the second one times `factor`)."""
    if one is None or two is None:
        return one is two
    ends = [
        Fraction(10) ** 999 if str(t) == "inf" else Fraction(t)
        for e in (one, two)
        for t in (e.lower, e.upper)
    ]
    return ends[0] <= ends[3] * factor and ends[2] * factor <= ends[1]


def same(one: CertifyResult, two: CertifyResult, swapped: bool = False, unit: Any = 1) -> None:
    """Equal verdicts and ties, losses and deltas that agree (the second deltas times `unit`)."""
    first, second = by_order(one), by_order(two, swapped)
    for name in "ab":
        assert first[name].verdict is second[name].verdict
        assert first[name].tie == second[name].tie
        assert overlap(first[name].loss, second[name].loss)
        assert overlap(first[name].delta, second[name].delta, unit)


def both(counts: Counter[str]) -> None:
    assert set(counts) == {"certified", "refuted"}


def placed(parts: list[Part], factor: Any, shift: Any = 0) -> list[Part]:
    return [(w, m * factor + shift, v * factor * factor) for w, m, v in parts]


def noise_times(noise: Noise, factor: Fraction) -> Noise:
    kind, size = noise
    return kind, size * (factor * factor if kind == "gaussian" else abs(factor))


@FEW
def test_translation_changes_nothing(count: int) -> None:
    counts: Counter[str] = Counter()
    for p, q, *rest in cases("translation", count):
        result = decided((p, q, *rest))
        for shift in (Fraction(-22, 7), Fraction(10**6)):
            same(result, decided((placed(p, 1, shift), placed(q, 1, shift), *rest)))
        counts[result.verdict.value] += 1
    both(counts)


@FEW
def test_scaling_the_line_with_the_noise(count: int) -> None:
    counts: Counter[str] = Counter()
    for p, q, noise, epsilon, delta, form in cases("scaling", count):
        result = decided((p, q, noise, epsilon, delta, form))
        for factor in (Fraction(3), Fraction(-2, 7), Fraction(10**5)):
            # a density has the unit of 1/output
            unit = abs(factor) if form == "pointwise" else Fraction(1)
            if delta / unit > 1:
                continue
            grown = decided((
                placed(p, factor), placed(q, factor), noise_times(noise, factor),
                epsilon, delta / unit, form,
            ))  # fmt: skip
            same(result, grown, unit=unit)
        counts[result.verdict.value] += 1
    both(counts)


@FEW
def test_reflection_and_swapped_priors(count: int) -> None:
    counts: Counter[str] = Counter()
    for p, q, *rest in cases("reflection", count):
        result = decided((p, q, *rest))
        same(result, decided((placed(p, -1), placed(q, -1), *rest)))
        same(result, decided((q, p, *rest)), swapped=True)
        counts[result.verdict.value] += 1
    both(counts)


def test_splitting_a_component_changes_nothing() -> None:
    for p, q, *rest in cases("splitting", 4):
        split = [(w / 3, m, v) for w, m, v in p] + [(2 * w / 3, m, v) for w, m, v in reversed(p)]
        one, two = (smooth_problem(side, q, *rest) for side in (p, split))
        assert one.beliefs == two.beliefs
        assert answered(one, digits=DIGITS) == answered(two, digits=DIGITS)


@FEW
@pytest.mark.parametrize("which", ["scale", "epsilon", "delta"])
def test_more_noise_or_a_weaker_target_keeps_certified(which: str, count: int) -> None:
    counts: Counter[str] = Counter()
    for p, q, noise, epsilon, delta, form in cases(f"monotone {which}", count):
        verdicts = []
        for factor in (Fraction(1, 5), Fraction(1), Fraction(3)):
            changed = {
                "scale": (noise_times(noise, factor), epsilon, delta),
                "epsilon": (noise, epsilon * factor, delta),
                "delta": (noise, epsilon, min(delta * factor, Fraction(1))),
            }[which]
            verdicts.append(decided((p, q, *changed, form)).verdict.value)
        counts.update(verdicts)
        held = [verdict == "certified" for verdict in verdicts]
        assert held == sorted(held), verdicts
    both(counts)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_losses_fall_as_the_scale_grows(kind: str) -> None:
    """Fact F2: more noise is post-processing, for the loss and for the divergence."""
    for p, q, *_ in cases(f"falling {kind}", 4):
        before: dict[str, Any] = {}
        for size in ("1/2", "2", "9"):
            noise = laplace(size) if kind == "laplace" else gaussian(size)
            for name, found in by_order(
                decided((p, q, noise, Fraction(1, 4), Fraction(1, 10), "events"))
            ).items():
                if name in before:
                    assert Fraction(found.delta.lower) <= Fraction(before[name].delta.upper)
                    if before[name].loss.upper != "inf":
                        assert found.loss.lower <= before[name].loss.upper
                before[name] = found


@FEW
def test_a_common_part_never_makes_it_worse(count: int) -> None:
    """Joint convexity: half of each prior replaced by one law halves delta at least."""
    counts: Counter[str] = Counter()
    common = [
        (Fraction(1, 2), Fraction(2), Fraction(3)),
        (Fraction(1, 2), Fraction(-9), Fraction(0)),
    ]
    half = Fraction(1, 2)
    for p, q, noise, epsilon, delta, _ in cases("mixing", count):
        result = decided((p, q, noise, epsilon, delta, "events"))
        mixed = [[(w * half, m, v) for w, m, v in (*side, *common)] for side in (p, q)]
        after = decided((*mixed, noise, epsilon, delta, "events"))
        counts[result.verdict.value] += 1
        if result.verdict.value == "certified":
            assert after.verdict.value == "certified"
        for name, found in by_order(after).items():
            whole = by_order(result)[name]
            if found.delta is not None and whole.delta is not None:
                assert Fraction(found.delta.lower) <= half * Fraction(whole.delta.upper)
    both(counts)


@FEW
def test_events_agree_with_the_pure_bound(count: int) -> None:
    """delta = 0 holds iff the loss is at most epsilon, and then every divergence is 0."""
    counts: Counter[str] = Counter()
    for p, q, noise, epsilon, _, _ in cases("consistent", count):
        pure = decided((p, q, noise, epsilon, Fraction(0), "events"))
        events = decided((p, q, noise, epsilon, Fraction(1, 50), "events"))
        pointwise = decided((p, q, noise, epsilon, Fraction(0), "pointwise"))
        counts[pure.verdict.value] += 1
        for name in "ab":
            one, two = by_order(pure)[name], by_order(events)[name]
            assert one.verdict is by_order(pointwise)[name].verdict
            assert overlap(one.loss, two.loss)
            if one.verdict.value == "certified":
                assert Fraction(one.loss.lower) <= epsilon
                assert (two.verdict.value, two.delta.upper) == ("certified", "0")
            else:
                assert one.loss.upper == "inf" or Fraction(one.loss.upper) >= epsilon
                assert Fraction(two.delta.upper) > 0
    both(counts)


# ------------------------------------------------------------------- two routes


class NoPlan(OneOrder):
    """An order that finds no plan of components, so that a chart has to prove it."""

    plan = None


def charted(problem: Problem, reverse: bool) -> tuple[int | None, str]:
    (item,) = problem.questions()
    order = orders_of(item)[reverse]
    found = NoPlan(order.p, order.q, order.target, order.release).pure_sign(order.target)
    return found.sign, found.evidence.rule


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    shift=st.fractions(-5, 5, max_denominator=6),
    extra=st.fractions(0, 4, max_denominator=5),
    scale=st.fractions(Fraction(1, 3), 6, max_denominator=4),
    room=st.sampled_from([Fraction(-1, 1000), Fraction(0), Fraction(1, 1000)]),
)
def test_a_chart_agrees_with_fact_f8(
    shift: Fraction, extra: Fraction, scale: Fraction, room: Fraction
) -> None:
    """The wider law over the narrower one holds iff |m|/b + v/(2 b^2) <= epsilon."""
    need = abs(shift) / scale + extra / (2 * scale * scale)
    if need == 0:
        return
    problem = smooth_problem(
        normal(shift, 1 + extra), normal(0, 1), laplace(scale), need * (1 + room)
    )
    sign, rule = charted(problem, reverse=False)
    assert rule == "chart"
    assert sign == (1 if room < 0 else -1 if room > 0 else 0)
    found = by_order(answered(problem, digits=DIGITS))["a"]
    assert found.verdict.value == ("refuted" if room < 0 else "certified")
    assert encloses(found.loss.lower, found.loss.upper, real(need))


def test_a_chart_agrees_with_a_plan_of_components() -> None:
    planned = 0
    for k, (p, q, _, _, delta, _) in enumerate(cases("plans", 24)):
        if k % 4 != 2:  # translates: a plan exists
            continue
        shift = abs(p[0][1] - q[0][1])
        for room in (Fraction(99, 100), Fraction(1), Fraction(101, 100)):
            scale = shift * room
            problem = smooth_problem(p, q, laplace(scale), 1, delta)
            (item,) = problem.questions()
            order = orders_of(item)[0]
            if order.plan is None:
                assert room < 1
                continue
            planned += 1
            assert charted(problem, reverse=False)[0] in (-1, 0)
    assert planned >= 8


@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    mean=st.fractions(-4, 4, max_denominator=5),
    wide=st.fractions(Fraction(1, 4), 8, max_denominator=4),
    added=st.fractions(Fraction(1, 9), 4, max_denominator=9),
    epsilon=st.fractions(0, 2, max_denominator=10),
)
def test_gaussian_noise_agrees_with_the_two_zeros_of_a_quadratic(
    mean: Fraction, wide: Fraction, added: Fraction, epsilon: Fraction
) -> None:
    if wide == 1:
        return
    sides = normal(0, 1), normal(mean, wide)
    result = answered(smooth_problem(*sides, gaussian(added), epsilon, "1/10"), digits=DIGITS)
    for name, found in by_order(result).items():
        first, second = (side[0] for side in (sides if name == "a" else sides[::-1]))
        exact = two_normals(first, second, added, epsilon)
        assert encloses(found.delta.lower, found.delta.upper, exact)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    variance=st.fractions(Fraction(1, 9), 9, max_denominator=9),
    scale=st.fractions(Fraction(1, 4), 5, max_denominator=4),
)
def test_an_atom_over_a_normal_law_at_its_centre(variance: Fraction, scale: Fraction) -> None:
    """The interior maximum of F8 in closed form: -log E e^{-|G|/b} at the atom itself."""
    atom = [(Fraction(1), Fraction(0), Fraction(0))]
    result = answered(smooth_problem(atom, normal(0, variance), laplace(scale), 1), digits=DIGITS)
    kernel = Law(normal(0, variance), laplace(scale)).at(0) * 2 * real(scale)
    found = by_order(result)["a"]
    assert encloses(found.loss.lower, found.loss.upper, -ctx.log(kernel))
    assert found.worst_y == 0 or abs(found.worst_y) < Fraction(1, 1000)
