"""Traps of the decision for densities: extreme sizes, cancellation, and laws against mpmath."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from support.kernel_run import kernel_answer
from support.oracles import encloses
from support.slices import sliced
from support.smooth_oracle import Gap, Law, Part, ctx, mpf, real
from support.smooth_problems import (
    answered,
    contradictions,
    gaussian,
    laplace,
    lost,
    normal,
    parts_of,
    smooth_problem,
)

from pfverify import Discrete, GaussianNoise, Laplace, Problem, Verdict, certify
from pfverify.answers.outcome import CertifyResult
from pfverify.exact.ball import Raw, dyadic, precision, raw
from pfverify.laws.laplace import LaplaceLaw
from pfverify.laws.normal import NormalLaw
from pfverify.model.priors.prior import Component

ORIGIN = normal(0, 1)
MIXED = parts_of(("1/4", -2, "1/9"), ("1/2", 0, 1), ("1/4", 3, 0))


def holds(ball: Raw, value: Any, digits: int) -> None:
    """The ball contains the oracle's value, and has some digits of it."""
    ends = []
    for end in (ball.lower(), ball.upper()):
        mantissa, exponent = dyadic(end)
        ends.append(ctx.ldexp(mpf(mantissa), exponent))
    room = abs(value) * mpf(10) ** -40
    assert ends[0] - room <= value <= ends[1] + room
    assert ends[1] - ends[0] <= abs(value) * mpf(10) ** -digits


# ------------------------------------------------------------------- the laws themselves


@pytest.mark.parametrize("scale", ["1/1000000", "1/100", "1", "1000000"])
@pytest.mark.parametrize("parts", [ORIGIN, MIXED], ids=["normal", "mixture"])
def test_the_normal_laplace_law_at_any_distance(scale: str, parts: list[Part]) -> None:
    """Products e^{large} erfc(large) must neither overflow nor lose the value."""
    b = Fraction(scale)
    law = Law(parts, laplace(b))
    with precision(400):
        balls = LaplaceLaw([Component(*part) for part in parts], raw(1 / b))
        for unit in (b, Fraction(1)):
            for far in ("1/7", "16/5", "40", "1000", "1000000"):
                for y in (unit * Fraction(far), -unit * Fraction(far)):
                    if max(abs(y), 1) / b > 10**7:  # exponents of 10^13: see the next test
                        continue
                    holds(balls.density(y), law.at(y), 20)
                    holds(balls.below(y), law.below(y), 3 if abs(y) > 20 else 20)


def test_tails_do_not_overflow() -> None:
    """Far beyond what a double holds the balls still contain the value, if widely."""
    for b in (Fraction(1, 10**6), Fraction(10**6)):
        law = Law(ORIGIN, laplace(b))
        with precision(300):
            balls = LaplaceLaw([Component(*part) for part in ORIGIN], raw(1 / b))
            for y in (Fraction(10**6), Fraction(-(10**6)), Fraction(10**9)):
                value, found = law.at(y), balls.density(y)
                assert found.is_finite()
                with ctx.workdps(70):
                    holds(found, value, 1)


@pytest.mark.parametrize("added", ["0", "1/10000", "9"])
def test_the_normal_law_at_any_distance(added: str) -> None:
    parts = parts_of(("1/3", -2, "1/9"), ("2/3", 1, 4))
    law = Law(parts, gaussian(added))
    with precision(300):
        balls = NormalLaw([Component(*part) for part in parts], Fraction(added))
        for far in ("1/7", "5", "-80", "10000"):
            y = Fraction(far)
            holds(balls.density(y), law.at(y), 20)
            holds(balls.between(y, None), law.above(y), 20)
            holds(balls.between(None, y), law.below(y), 20)


def test_an_interval_keeps_its_digits_in_either_tail() -> None:
    """P(a < Y < b) far out is no difference of two numbers near 1."""
    for parts in (ORIGIN, MIXED):
        law = Law(parts, laplace(1))
        with precision(200):
            balls = LaplaceLaw([Component(*part) for part in parts], raw(1))
            for low, high in ((60, 61), (-61, -60), (-1, 1)):
                low_end, high_end = Fraction(low), Fraction(high)
                holds(balls.between(low_end, high_end), law.mass(low_end, high_end), 15)


# ------------------------------------------------------------------- sizes


def stretched(parts: list[Part], factor: Fraction, shift: Fraction) -> list[Part]:
    return [(w, m * factor + shift, v * factor * factor) for w, m, v in parts]


SIDES = MIXED, parts_of(("1/2", 0, 2), ("1/2", 1, 1))
SIZES = {"laplace": laplace, "gaussian": lambda size: gaussian(Fraction(size) ** 2)}
UNITS = (-300, 0), (-40, 0), (40, 0), (300, 0), (0, 20), (-20, 20)  # exponent, shift


@cache
def in_plain_units(kind: str, size: Fraction, delta: Any) -> CertifyResult:
    return answered(smooth_problem(*SIDES, SIZES[kind](size), 1, delta), digits=6)


@pytest.mark.parametrize(
    ("unit", "kind", "delta"), sliced(2, UNITS, ["laplace", "gaussian"], [0, "1/20"])
)
def test_any_unit_and_any_origin(unit: tuple[int, int], kind: str, delta: Any) -> None:
    exponent, shift = unit
    factor = Fraction(10) ** exponent
    origin = Fraction(10) ** shift if shift else Fraction(0)
    # a mean of 10^40 standard deviations costs seconds, so one noise has to do there
    chosen = (Fraction(6),) if shift - exponent >= 40 else (Fraction(1, 2), Fraction(6))
    for size in chosen:
        plain = in_plain_units(kind, size, delta)
        sides = [stretched(side, factor, origin) for side in SIDES]
        problem = smooth_problem(*sides, SIZES[kind](size * factor), 1, delta)
        result = answered(problem, digits=6)
        assert result.verdict is plain.verdict
        assert [f.verdict for f in result.pairs] == [f.verdict for f in plain.pairs]
        assert kernel_answer(problem, result)[0] == result.verdict.value


@pytest.mark.parametrize(
    ("scale", "variance"),
    [
        ("3", "1e-40"),
        ("1/10", "1e-300"),
        pytest.param("1/10", "1e-40", marks=pytest.mark.long),
        pytest.param("3", "1e-300", marks=pytest.mark.long),
    ],
)
def test_a_variance_next_to_nothing(scale: str, variance: str) -> None:
    """N(0, v) against N(1, v) and against N(0, 1): as if it were an atom."""
    narrow = normal(0, variance)
    for other, epsilon in ((normal(1, variance), 1), (ORIGIN, 1)):
        problem = smooth_problem(narrow, other, laplace(scale), epsilon, "1/100")
        atom = [[(w, m, v if v == 1 else Fraction(0)) for w, m, v in s] for s in (narrow, other)]
        plain = answered(smooth_problem(*atom, laplace(scale), epsilon, "1/100"), digits=6)
        result = answered(problem, digits=6)
        assert result.verdict is plain.verdict
        for one in result.pairs:
            two = next(found for found in plain.pairs if found.from_ == one.from_)
            assert Fraction(one.loss.lower) <= Fraction(two.loss.upper) + Fraction(1, 10**6)
            assert Fraction(two.loss.lower) <= Fraction(one.loss.upper) + Fraction(1, 10**6)
        assert kernel_answer(problem, result)[0] == result.verdict.value


@pytest.mark.parametrize("delta", [0, "1/100"])
@pytest.mark.parametrize(
    "ratio", ["1e-6", *(pytest.param(r, marks=pytest.mark.long) for r in ("1e-3", "1e3")), "1e6"]
)
def test_scales_far_from_the_standard_deviation(ratio: str, delta: Any) -> None:
    """b/sigma from 1e-6 to 1e6: N(0,1) against N(m,1) and N(0,1 + v), where F8 has the answer."""
    b = Fraction(ratio)
    for shift, extra in ((b, Fraction(0)), (Fraction(0), b * b), (b / 2, b * b / 3)):
        need = abs(shift) / b + extra / (2 * b * b)
        for room, expected in ((Fraction(99, 100), "refuted"), (Fraction(101, 100), "certified")):
            problem = smooth_problem(
                normal(shift, 1 + extra), ORIGIN, laplace(b), need * room, delta
            )
            result = answered(problem, digits=6)
            found = next(f for f in result.pairs if f.from_ == "a")
            assert encloses(found.loss.lower, found.loss.upper, real(need))
            if delta == 0:
                assert found.verdict.value == expected
            word, message = kernel_answer(problem, result)
            assert word == result.verdict.value, message


@pytest.mark.parametrize("size", ["1/1000", "1", "1000"])
def test_variances_that_differ_by_1e8(size: str) -> None:
    p = parts_of(("1/2", 0, "1e-8"), ("1/2", 1, 1))
    q = parts_of(("1/2", 0, 1), ("1/2", 1, "1e-8"))
    for noise in (Laplace(size), GaussianNoise(size)):
        problem = smooth_problem(p, q, noise, "1/2", "1/10")
        result = answered(problem)
        assert result.verdict.value != "undecided"
        assert kernel_answer(problem, result)[0] == result.verdict.value
        for found in result.pairs:
            sides = (p, q) if found.from_ == "a" else (q, p)
            made = laplace(size) if noise.kind == "laplace" else gaussian(Fraction(size) ** 2)
            exact = Gap(*sides, made, Fraction(1, 2)).divergence()
            assert encloses(found.delta.lower, found.delta.upper, exact, mpf(10) ** -18)


def test_components_a_million_apart() -> None:
    """What happens in one hill is not drowned by the other, however far it is."""
    for away in (10**6, 10**40):
        p = parts_of(("1/2", 0, 1), ("1/2", away, 1))
        q = parts_of(("1/2", 0, 1), ("1/2", away + 1, 1))
        for epsilon, expected in (("99/100", "refuted"), ("1", "certified")):
            problem = smooth_problem(p, q, laplace(1), epsilon)
            result = answered(problem, digits=6)
            assert result.verdict.value == expected
            assert kernel_answer(problem, result)[0] == expected


def test_nearly_equal_priors_have_a_small_loss_not_none() -> None:
    tiny = Fraction(1, 10**12)
    cases = [
        (normal(tiny, 1), real(tiny)),  # a translate: m/b
        (normal(0, 1 + tiny), real(tiny) / 2),  # wider: v/(2 b^2)
    ]
    for other, exact in cases:
        result = lost(smooth_problem(other, ORIGIN, laplace(1), tiny / 4))
        found = next(f for f in result.pairs if f.from_ == "a")
        assert encloses(found.epsilon_star.lower, found.epsilon_star.upper, exact, mpf(10) ** -50)
        refuted = answered(smooth_problem(other, ORIGIN, laplace(1), tiny / 4))
        assert refuted.verdict.value == "refuted"


@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_huge_and_tiny_epsilon_and_delta(form: str) -> None:
    other = normal(1, 2)
    tail = "5/8"  # 1/b + 1/(2 b^2) at b = 2
    for epsilon, delta, expected in (
        ("1e6", 0, "certified"),
        ("1e-300", 0, "refuted"),
        ("1e-300", "1e-300", "refuted"),
        (0, "999/1000", "certified"),
        (f"{tail}*(1+1e-9)", "1e-40", "certified"),
        (tail, "1e-40", "certified"),
        (f"{tail}*(1-1e-2)", "1e-40", "refuted"),
    ):
        problem = smooth_problem(ORIGIN, other, laplace(2), epsilon, delta, form)
        result = answered(problem, digits=6)
        assert result.verdict.value == expected, (epsilon, delta)
        assert kernel_answer(problem, result)[0] == expected


def test_many_components() -> None:
    """Ten hills on either side, none of them shared."""
    p = parts_of(*((Fraction(1, 10), 3 * k, 1) for k in range(10)))
    q = parts_of(*((Fraction(1, 10), 3 * k + 1, 2) for k in range(10)))
    problem = smooth_problem(p, q, laplace(2), 1, "1/10")
    result = answered(problem, digits=6)
    assert result.verdict.value != "undecided"
    assert kernel_answer(problem, result)[0] == result.verdict.value


def test_problems_of_both_kinds_in_one() -> None:
    """Atoms against atoms beside atoms against densities: every pair by its own decision."""
    smooth = smooth_problem(parts_of((1, 0, 0)), ORIGIN, laplace(2), 2).beliefs["default"]
    atoms = smooth_problem(parts_of(("1/2", 0, 0), ("1/2", 1, 0)), ORIGIN, laplace(2), 2).beliefs[
        "default"
    ]["a"]
    problem = Problem(priors={**smooth, "c": atoms}, noise=Laplace(2), epsilon=2)
    result = answered(problem)
    assert len(result.pairs) == 6
    rules = {frozenset((found.from_, found.to)): found.rule for found in result.pairs}
    assert rules[frozenset("ac")] == "pure"
    assert rules[frozenset("ab")] in ("chart", "components")
    assert kernel_answer(problem, result)[0] == result.verdict.value


@pytest.mark.parametrize(
    "noise", [laplace("1/1000"), gaussian("1e-8")], ids=["laplace", "gaussian"]
)
def test_pointwise_with_delta_0_has_margins_of_log_ratios(noise: Any) -> None:
    """Densities of thousands: p - e^epsilon q at the output is far above log p/q - epsilon."""
    sides = normal(0, "1e-8"), normal("1/500", "1e-8")
    pointwise, events = (
        smooth_problem(*sides, noise, 1, 0, form) for form in ("pointwise", "events")
    )
    for problem in (pointwise, events):
        result = answered(problem)
        assert contradictions(problem, result) == []
        assert kernel_answer(problem, result)[0] == "refuted"


def test_far_components_of_a_pointwise_target() -> None:
    """Log ratios of 1e11 where both densities are e^{-1e11}: the margin is the log ratio's."""
    p = parts_of(("1/8", -1, "41/10"), ("7/8", 1000006, "33/10"))
    q = parts_of(("1/2", "-57/10", "59/10"), ("1/2", "9999967/10", "27/10"))
    problem = smooth_problem(p, q, gaussian("1/16"), "log(2)", 0, "pointwise")
    result = answered(problem)
    assert result.verdict.value == "refuted"
    assert kernel_answer(problem, result)[0] == "refuted"


def test_one_law_moved_and_widened_by_next_to_nothing() -> None:
    """The change of the exponents over the line is 1e-11: a coarse bracket sees no sign at all."""
    tiny = Fraction(1, 10**12)
    moved = normal(Fraction(12, 5) + tiny, Fraction(57, 10) + tiny)
    problem = smooth_problem(normal("12/5", "57/10"), moved, laplace("7/10"), 0, tiny)
    result = answered(problem)
    assert result.verdict.value == "certified"
    assert contradictions(problem, result) == []
    assert kernel_answer(problem, result)[0] == "certified"


@pytest.mark.parametrize("scale", ["1e-6", "1/100"])
def test_a_large_epsilon_times_a_small_mass(scale: str) -> None:
    """e**epsilon multiplies a difference of masses, which must have that many more bits."""
    problem = Problem(
        priors={
            "a": Discrete({0: "1/4", "1/3": "1/4", 1: "1/2"}),
            "b": Discrete({0: "1/2", "1/3": "1/3", 2: "1/6"}),
        },
        noise=GaussianNoise(scale), epsilon=1000, delta="1/100",
    )  # fmt: skip
    result = certify(problem)
    assert [pair.verdict for pair in result.pairs] == [Verdict.REFUTED, Verdict.REFUTED]
    (delta,) = [pair.delta for pair in result.pairs if pair.from_ == "a"]
    assert delta is not None
    assert delta.upper - delta.lower < Fraction(1, 10**11)
    assert abs(delta.upper - Fraction(1, 2)) < Fraction(1, 10**11)
    assert kernel_answer(problem, result)[0] == "refuted"
