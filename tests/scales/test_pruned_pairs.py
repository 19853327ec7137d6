"""Pairs that a bound leaves undecided: the answers are those of deciding every pair."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    Laplace,
    Problem,
    calibrate,
    certify,
)
from pfverify.answers.decided import decided_scale
from pfverify.answers.methods import CalibrateResult
from pfverify.certificate import build
from pfverify.decide.comparison import Orders
from pfverify.decide.exponential.scaled import ExponentialScaled
from pfverify.exact.number import number
from pfverify.scales import minimum
from pfverify.scales.coupling.best import CouplingPair
from pfverify.scales.leading import leading
from pfverify.scales.plan_line import PlanLine
from pfverify.scales.recipes import averages
from pfverify.scales.relaxed import RelaxedPair
from pfverify.transport.line_plan import LinePlan

NOISES = (Laplace(), DiscreteLaplace(step=1))
PRIOR = st.dictionaries(st.integers(0, 9), st.integers(1, 9), min_size=1, max_size=4)
NEAR = {"a": {0: 9, 1: 1}, "b": {0: 8, 1: 2}, "c": {0: 7, 1: 3}, "far": {5: 1, 9: 1}}


def problem_of(counts: dict[str, dict[int, int]], **more: Any) -> Problem:
    priors = {name: Discrete(counts=table) for name, table in counts.items()}
    return Problem(priors, **({"noise": Laplace(), "epsilon": 1} | more))


def everything(size: int, *stages: Callable[[int], Fraction | None]) -> dict[int, Fraction]:
    """The last stage of every question: nothing is left out."""
    found = {number: stages[-1](number) for number in range(size)}
    return {number: value for number, value in found.items() if value is not None}


def unpruned(problem: Problem) -> CalibrateResult:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ExponentialScaled, "sufficient", None)
        patched.setattr(RelaxedPair, "sufficient", None)
        patched.setattr(CouplingPair, "fits", lambda pair, scale: False)
        for module in (minimum, averages):
            patched.setattr(module, "leading", everything)
        return calibrate(problem)


def test_pruned_scales_are_those_of_every_pair() -> None:
    pruned = []

    @settings(max_examples=15, deadline=None, derandomize=True, database=None)
    @given(
        st.lists(PRIOR, min_size=3, max_size=5),
        st.sampled_from(NOISES),
        st.sampled_from(["1e-6", "1/3", 1, "log(3)", 4]),
        st.sampled_from([(0, "events"), (0, "events"), ("1/20", "events"), ("1/20", "pointwise")]),
    )
    def holds(counts: list[dict[int, int]], noise: Any, epsilon: Any, target: Any) -> None:
        tables = {str(name): table for name, table in enumerate(counts)}
        problem = problem_of(
            tables, noise=noise, epsilon=epsilon, delta=target[0], form=target[1]
        )
        found, whole = calibrate(problem), unpruned(problem)
        assert found.methods == whole.methods
        assert found.minimum == whole.minimum
        assert found.not_applicable == whole.not_applicable
        assert found.decisions == whole.decisions
        assert whole.pairs_bounded == 0
        assert found.pairs_decided + found.pairs_bounded == whole.pairs_decided
        pruned.append(found.pairs_bounded > 0)

    holds()
    assert sum(pruned) >= 4


def test_the_counts_are_those_of_the_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = set()
    for name in ("at", "bare"):
        honest = getattr(ExponentialScaled, name)

        def noted(self: ExponentialScaled, *scale: Fraction, honest: Any = honest) -> Orders:
            decided.add((self.item.first, self.item.second))
            found: Orders = honest(self, *scale)
            return found

        monkeypatch.setattr(ExponentialScaled, name, noted)
    found = calibrate(problem_of(NEAR))
    assert decided == {("a", "far"), ("b", "far"), ("c", "far")}
    assert (found.pairs_decided, found.pairs_bounded) == (3, 3)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("delta", [0, "1/100"])
def test_the_kernel_accepts_the_scales_of_bounded_pairs(
    tmp_path: Any, noise: Any, delta: Any
) -> None:
    """Every pair is in the certificate, whether it was decided or bounded."""
    problem = problem_of(NEAR, noise=noise, delta=delta)
    result = calibrate(problem)
    assert result.pairs_bounded > 0
    place = tmp_path / "problem.json"
    problem.save(place)
    build.write_scales(tmp_path / "scales", place, problem, result)
    assert build.check(place, tmp_path / "scales").word == "scales"
    assert {len(one.proofs) for one in result.decisions.values()} == {12}


def test_a_refuted_scale_names_the_worst_of_all_pairs() -> None:
    problem = problem_of(NEAR)
    lower = str(calibrate(problem).minimum.lower)
    assert decided_scale(problem, lower).worst == certify(problem.replaced(scale=lower)).pairs[0]


def test_equal_pairs_of_several_beliefs_are_one_question() -> None:
    priors = {name: Discrete(counts=table) for name, table in NEAR.items()}
    twice = {"one": priors, "two": dict(priors)}
    problem = Problem(beliefs=twice, noise=Laplace(), epsilon=1)
    single, double = calibrate(problem_of(NEAR)), calibrate(problem)
    assert double.methods == single.methods
    counts = double.pairs_decided, double.pairs_bounded
    assert counts == (2 * single.pairs_decided, 2 * single.pairs_bounded)


def test_laws_with_densities_are_all_decided() -> None:
    priors = {str(mean): Gaussian(mean, variance=1) for mean in (0, 1, 5)}
    for noise in (Laplace(), GaussianNoise()):
        found = calibrate(Problem(priors, noise=noise, epsilon=1, delta="1/10"), digits=4)
        assert (found.pairs_decided, found.pairs_bounded) == (3, 0)


def test_the_leading_questions() -> None:
    """What cannot be the largest is not asked further; ties are all there, in their order."""
    asked = []

    def dear(number: int) -> Fraction | None:
        asked.append(number)
        return [Fraction(5), Fraction(7), None, Fraction(7), Fraction(1)][number]

    cheap = [None, Fraction(9), Fraction(8), Fraction(7), Fraction(6)]
    assert leading(5, lambda k: cheap[k], dear) == {0: 5, 1: 7, 3: 7}
    assert sorted(asked) == [0, 1, 2, 3]
    assert leading(0, dear) == {}
    assert leading(3, lambda k: None) == {}


@pytest.mark.parametrize("epsilon", ["1e-400", "1e-13", "1e-6", "1", "40", "1e9", "1e400"])
def test_the_tightest_line_is_found_among_all(epsilon: str) -> None:
    """Lines of which all mass moves, or nearly all, are as good as their bounds in floats."""
    rng, about = Random(epsilon), number(epsilon)
    for _ in range(30):
        lines = [
            PlanLine(tuple((d, rng.randint(1, 10 ** rng.choice([1, 20, 400]))) for d in distances))
            for distances in (
                sorted(rng.sample(range(1000), rng.randint(1, 3))) for _ in range(rng.randint(1, 6))
            )
        ]
        moving = [line for line in lines if max(line.masses)[0]]
        edges = [(2000 * k + d, 2000 * k, m) for k, one in enumerate(lines) for d, m in one.masses]
        plan = LinePlan.of_edges(edges, 7, sum(m for *_, m in edges))
        side = RelaxedPair(plan, about).columns
        rates = [line.proposed_rate(about.at_most()) for line in moving]
        assert side.tightest == (moving[rates.index(min(rates))].shape if moving else None)
