"""The least scale for priors with densities: both ends decided, the audit's numbers, the cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support.oracles import encloses, units_wide
from support.problems import limited
from support.slices import sliced
from support.smooth_cases import random_priors
from support.smooth_oracle import Part, ctx, mpf, real
from support.smooth_problems import (
    answered,
    gap_of,
    normal,
    parts_of,
    smooth_problem,
)

from pfverify import GaussianNoise, Laplace, Problem
from pfverify.decide.charts.measured_laplace import LaplaceMeasured
from pfverify.decide.charts.measured_normal import NormalMeasured
from pfverify.decide.routes import at_any_scale
from pfverify.decide.verdict import Verdict
from pfverify.exact.grid import Grid
from pfverify.scales.minimum import Bracket, minimum_scale, verdict_at

DIGITS = 12
ORIGIN = normal(0, 1)


def least(problem: Problem, digits: int = DIGITS) -> Bracket:
    with limited(60):
        return minimum_scale(problem, Grid(digits))


def shown(bracket: Bracket, problem: Problem, digits: int = DIGITS) -> tuple[Fraction, Fraction]:
    """The two ends, after checking that they are neighbours and decided as they claim."""
    assert bracket.upper is not None
    assert bracket.reason is None
    assert units_wide(str(bracket.lower), str(bracket.upper), digits) == 1
    for end, expected in ((bracket.lower, "refuted"), (bracket.upper, "certified")):
        assert answered(problem.replaced(scale=end), digits=3).verdict.value == expected
    return bracket.lower, bracket.upper


@pytest.mark.parametrize(
    ("mean", "delta", "low", "high"),
    [
        (0, "1/100", "1.0682", "1.0695"),
        (0, "1/10", ".5880", ".5889"),
        (0, "3/10", "0", ".0506"),
        (1, "1/100", "1.6309", "1.6328"),
        (1, "1/10", ".9431", ".9445"),
    ],
)
def test_g07_brackets(mean: int, delta: str, low: str, high: str) -> None:
    """N(., 4) and N(., 1) at epsilon = 1: far below the published scales (audit row G07)."""
    problem = smooth_problem(normal(0, 4), normal(mean, 1), Laplace(), 1, delta)
    bracket = least(problem)
    assert bracket.upper is not None
    assert Fraction(low) <= bracket.lower <= bracket.upper <= Fraction(high)
    if bracket.upper > 0:
        shown(bracket, problem)


def test_f8_the_tail_binds() -> None:
    """N(0,1) and N(1,4) at epsilon = 1: (1 + sqrt 7)/2."""
    problem = smooth_problem(ORIGIN, normal(1, 4), Laplace(), 1)
    low, high = shown(least(problem), problem)
    assert real(low) < (1 + ctx.sqrt(7)) / 2 <= real(high)


def test_f8_the_interior_binds() -> None:
    """N(0,1) and N(0,4) at epsilon = 1/10: 7.276, where the tail alone asks for 3.873."""
    problem = smooth_problem(ORIGIN, normal(0, 4), Laplace(), "1/10")
    low, high = shown(least(problem), problem)
    assert Fraction("7.2755") < low < high < Fraction("7.2765")


@pytest.mark.parametrize("shift", ["1", "7/3"])
def test_translates_need_their_distance_over_epsilon(shift: str) -> None:
    parts = parts_of(("1/3", 0, 1), ("2/3", 4, "1/2"))
    other = [(w, m + Fraction(shift), v) for w, m, v in parts]
    problem = smooth_problem(parts, other, Laplace(), "1/2")
    low, high = shown(least(problem), problem)
    assert low < 2 * Fraction(shift) <= high


def test_the_gaussian_mechanism() -> None:
    """Equal variances: the least sigma is where the Balle-Wang delta is met."""
    problem = smooth_problem(normal(0, "1/4"), normal(1, "1/4"), GaussianNoise(1), 1, "1/100")
    low, high = shown(least(problem), problem)

    def excess(sigma: Fraction) -> Any:
        s = ctx.sqrt(real(sigma * sigma + Fraction(1, 4)))
        return ctx.ncdf(1 / (2 * s) - s) - ctx.e * ctx.ncdf(-1 / (2 * s) - s) - mpf(1) / 100

    assert excess(low) > 0 >= excess(high)


def problems(noise: str, count: int) -> Iterator[Problem]:
    rng = Random(f"smooth minimum {noise}")
    for k in range(count):
        p, q = (side[:2] for side in random_priors(rng, ("plain", "atoms", "shift")[k % 3]))
        p, q = ([(w / sum(x for x, *_ in s), m, v) for w, m, v in s] for s in (p, q))
        epsilon = Fraction(rng.randint(2, 20), 10)
        delta = Fraction(rng.choice([0, 1, 2]) if noise == "laplace" else 1, 20)
        made = Laplace() if noise == "laplace" else GaussianNoise(1)
        yield smooth_problem(p, q, made, epsilon, delta)


@pytest.mark.parametrize("rounds", [3, pytest.param(6, marks=pytest.mark.long)])
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_random_minimum_scales_are_brackets(noise: str, rounds: int) -> None:
    positive = 0
    for problem in problems(noise, rounds):
        bracket = least(problem, 9)
        if bracket.upper == 0:
            continue
        low, high = shown(bracket, problem, 9)
        positive += 1
        for end, holds in ((low, False), (high, True)):
            at = problem.replaced(scale=end)
            gaps = [gap_of(at, name) for name in "ab"]
            if problem.delta.sign() == 0:
                loss = max(gap.largest_ratio() for gap in gaps)
                assert (loss <= real(problem.epsilon.text)) == holds
            else:
                excess = max(gap.divergence() for gap in gaps)
                assert (excess <= real(problem.delta.text)) == holds
    assert positive >= rounds / 2


@pytest.mark.parametrize(
    ("asked_of", "digits"),
    sliced(
        3, [(Laplace(), 0), (Laplace(), "1/100"), (GaussianNoise(1), "1/100")], [3, 12, 25]
    ),
)
def test_a_minimum_costs_twelve_verdicts(
    asked_of: tuple[Any, Any], digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Charts of a minimum, against those of the verdicts at its two ends."""
    noise, delta = asked_of
    charts = 0

    def counted(self: Any, tolerance: float, chart: Any = None) -> Any:
        nonlocal charts
        charts += 1
        return originals[type(self)](self, tolerance)

    originals = {kind: kind.chart for kind in (LaplaceMeasured, NormalMeasured)}
    for kind in originals:
        monkeypatch.setattr(kind, "chart", counted)
    p, q = parts_of(("1/3", 0, 1), ("2/3", 3, 2)), parts_of(("1/2", 0, 2), ("1/2", 4, 1))
    problem = smooth_problem(p, q, noise, 1, delta)
    bracket = least(problem, digits)
    asked, charts = charts, 0
    assert asked > 0
    (item,) = problem.questions()
    scaled = at_any_scale(item)
    assert verdict_at(scaled, bracket.lower) is Verdict.REFUTED
    assert bracket.upper is not None
    assert verdict_at(scaled, bracket.upper) is Verdict.CERTIFIED
    # two verdicts were counted now
    assert asked <= 12 * max(1, charts) / 2


# ------------------------------------------------------------------- no scale, or none needed


def test_gaussian_noise_never_gives_pure_privacy_to_different_tails() -> None:
    """Audit rows G11 and F2: the tails of two normal laws have an unbounded ratio."""
    cases: list[tuple[list[Part], list[Part]]] = [
        (ORIGIN, normal(1, 1)),
        (ORIGIN, normal(0, 2)),
        (ORIGIN, parts_of((1, 0, 0))),
        (parts_of((1, 0, 0)), parts_of((1, 1, 0))),
        (ORIGIN, parts_of(("1/2", 0, 1), ("1/2", 3, 1))),
        # one dominating law, but weights whose ratio exceeds e
        (parts_of(("1/9", 0, 4), ("8/9", 0, 1)), parts_of(("8/9", 0, 4), ("1/9", 0, 1))),
    ]
    for p, q in cases:
        bracket = least(smooth_problem(p, q, GaussianNoise(1), 1))
        assert bracket.upper is None
        assert "Gaussian noise of any scale" in (bracket.reason or "")
        refuted = answered(smooth_problem(p, q, GaussianNoise(1000), 1), digits=3)
        assert refuted.verdict.value == "refuted"


def test_gaussian_noise_may_give_pure_privacy_to_different_mixtures() -> None:
    """1/2 N(0,1) + 1/2 N(0,4) and 1/4 N(0,1) + 3/4 N(0,4), delta = 0.

    The design's fact F2 says that Gaussian noise with delta = 0 and different laws is always
    refuted. Not so for mixtures: here the dominating law is the same and only its weight differs,
    so that the ratio lies between 1/1.2 and 3/2 without noise, and nearer to 1 with any.
    """
    p = parts_of(("1/2", 0, 1), ("1/2", 0, 4))
    q = parts_of(("1/4", 0, 1), ("3/4", 0, 4))
    for sigma in ("1/10", "1", "50"):
        result = answered(smooth_problem(p, q, GaussianNoise(sigma), "log(3/2)"))
        assert result.verdict.value == "certified"  # a tie in both tails
        found = next(f for f in result.pairs if f.from_ == "b")
        assert encloses(found.loss.lower, found.loss.upper, ctx.log(mpf(3) / 2))
    assert least(smooth_problem(p, q, GaussianNoise(1), "log(3/2)")).upper == 0
    # the tails' ratio is 3/2 at every scale: at a smaller epsilon no scale works
    assert least(smooth_problem(p, q, GaussianNoise(1), "2/5")).upper is None


@pytest.mark.parametrize("noise", [Laplace(), GaussianNoise(1)])
def test_priors_that_meet_the_target_need_no_noise(noise: Any) -> None:
    p = parts_of(("2/3", 0, 1), ("1/3", 5, 1))
    q = parts_of(("1/3", 0, 1), ("2/3", 5, 1))
    for asked in (
        smooth_problem(p, q, noise, "log(2)"),  # a tie in both tails
        smooth_problem(p, p, noise, 0),
        smooth_problem(ORIGIN, normal("1/100", 1), noise, 0, "1/10"),
        smooth_problem(ORIGIN, normal(9, 1), noise, 0, 1),
        smooth_problem(
            parts_of(("1/2", 0, 0), ("1/2", 1, 1)), parts_of(("1/4", 0, 0), ("3/4", 1, 1)),
            noise, "log(2)",
        ),
    ):  # fmt: skip
        bracket = least(asked)
        assert (bracket.lower, bracket.upper) == (0, 0)
        assert "no noise is needed" in (bracket.reason or "")


@pytest.mark.parametrize("noise", [Laplace(), GaussianNoise(1)])
def test_epsilon_and_delta_0_have_no_scale(noise: Any) -> None:
    bracket = least(smooth_problem(ORIGIN, normal(0, "1.000001"), noise, 0))
    assert bracket.upper is None
    assert "epsilon = delta = 0" in (bracket.reason or "")


@pytest.mark.parametrize(
    "factor",
    [
        Fraction(1, 10**30),
        *(pytest.param(Fraction(k), marks=pytest.mark.long) for k in ("1/7", 10**30)),
    ],
)
def test_the_minimum_scales_with_the_line(factor: Fraction) -> None:
    p, q = parts_of(("1/2", 0, 1), ("1/2", 1, 0)), normal(2, 1)
    for noise, delta in ((Laplace(), 0), (Laplace(), "1/50"), (GaussianNoise(1), "1/50")):
        one = least(smooth_problem(p, q, noise, 1, delta), 9)
        sides = [[(w, m * factor, v * factor**2) for w, m, v in side] for side in (p, q)]
        two = least(smooth_problem(*sides, noise, 1, delta), 9)
        assert one.upper is not None
        assert two.upper is not None
        assert two.lower <= one.upper * factor
        assert one.lower * factor <= two.upper


def test_several_pairs_take_the_largest() -> None:
    problem = smooth_problem(ORIGIN, normal(1, 1), Laplace(), 1)
    priors = {**problem.beliefs["default"], "c": problem.beliefs["default"]["a"]}
    wide = smooth_problem(ORIGIN, normal(3, 1), Laplace(), 1).beliefs["default"]["b"]
    asked = Problem(priors={**priors, "d": wide}, noise=Laplace(), epsilon=1)
    low, high = least(asked).lower, least(asked).upper
    assert high is not None
    assert low < 3 <= high
