"""Speed of many releases together: bounds of delta and of epsilon, beside dp-accounting's.

dp-accounting's distributions are built and composed anew in each run, at its own discretization
and truncation, its upper and its lower estimate: two sides as well, in floats, without a proof.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmark_measure import Row, ratio_row, seconds_text, times

from pfverify import Discrete, GaussianNoise, Laplace, Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.decide.routes import comparison
from pfverify.model.releases.repeated import Repeated

SCALE, DELTA = 10, Fraction(1, 10**6)
RATE, SIGMA = Fraction(1, 100), Fraction(4, 5)
POINTS = {"p": Discrete({0: 1}), "q": Discrete({1: 1})}
SAMPLED = {"p": Discrete({0: 1 - RATE, 1: RATE}), "q": Discrete({0: 1})}
MISSING = "dp-accounting is not installed"
_LONG = 20.0  # seconds from which one run is enough


@dataclass(frozen=True)
class ComposedSizes:
    """Numbers of Laplace releases, of sampled Gaussian ones, and of releases of each part."""

    releases: tuple[int, ...] = (100, 1_000, 10_000)
    steps: int = 10_000
    each: int = 100
    parts: int = 10


def laplace(count: int) -> Problem:
    """Releases of a point under Laplace noise, at an epsilon that four deviations reach."""
    epsilon = Fraction(count, 2 * SCALE**2) + Fraction(round(40 * count**0.5), 100)
    noise = Repeated(Laplace(SCALE), count=count)
    return Problem(POINTS, noise=noise, epsilon=epsilon, delta=Fraction(1, 1000))


def sampled(steps: int) -> Problem:
    """Releases of a point that is there once in a hundred, under Gaussian noise."""
    noise = Repeated(GaussianNoise(SIGMA), count=steps, draws="fresh")
    epsilon = Fraction(max(1, round(8 * (steps / 10_000) ** 0.5)))
    return Problem(SAMPLED, noise=noise, epsilon=epsilon, delta=Fraction(1, 1000))


def parts(sizes: ComposedSizes) -> Problem:
    """Laplace releases of several scales, as many of each."""
    scales = [SCALE + k for k in range(sizes.parts) for _ in range(sizes.each)]
    noise = Repeated(Laplace(SCALE), scales=scales)
    return Problem(POINTS, noise=noise, epsilon=_parts_epsilon(sizes), delta=Fraction(1, 1000))


def _parts_epsilon(sizes: ComposedSizes) -> Fraction:
    total = sum(Fraction(sizes.each, (SCALE + k) ** 2) for k in range(sizes.parts))
    return total / 2 + Fraction(round(400 * float(total) ** 0.5), 100)


def deltas(problem: Problem) -> list[Any]:
    """Both bounds of delta, of both orders."""
    return [order.exceeding() for order in comparison(next(problem.questions()))]


def epsilons(problem: Problem) -> list[Any]:
    """Both bounds of the least epsilon at the delta, of both orders."""
    question = next(problem.replaced(delta=DELTA).questions())
    return [order.least_epsilon() for order in comparison(question)]


def composed_rows(sizes: ComposedSizes, repeats: int) -> list[Row]:
    """Every number of releases; then sampled ones, and parts, and what the kernel takes."""
    rows = []
    for count in sizes.releases:
        problem, shown = laplace(count), f"{count:,} releases"
        theirs = _estimates(
            lambda d, s, count=count: d.from_laplace_mechanism(SCALE, **s).self_compose(count)
        )
        rows += [
            _beside("delta of Laplace releases", shown, problem, deltas, theirs, repeats),
            _beside("epsilon of Laplace releases", shown, problem, epsilons, theirs, repeats),
            _checked("kernel check, Laplace releases", shown, problem, repeats),
        ]
    problem, shown = sampled(sizes.steps), f"{sizes.steps:,} steps"
    theirs = _estimates(
        lambda d, s: d.from_gaussian_mechanism(
            float(SIGMA), sampling_prob=float(RATE), **s
        ).self_compose(sizes.steps)
    )
    rows.append(_beside("delta of sampled Gaussian steps", shown, problem, deltas, theirs, repeats))
    problem, shown = parts(sizes), f"{sizes.parts} scales x {sizes.each}"

    def together(d: Any, s: dict[str, bool]) -> Any:
        found = [
            d.from_laplace_mechanism(SCALE + k, **s).self_compose(sizes.each)
            for k in range(sizes.parts)
        ]
        whole = found[0]
        for one in found[1:]:
            whole = whole.compose(one)
        return whole

    return [
        *rows,
        _beside("delta of unlike releases", shown, problem, deltas, _estimates(together), repeats),
        _checked("kernel check, unlike releases", shown, problem, repeats),
    ]


def _estimates(build: Callable[..., Any]) -> Callable[[Problem], object] | None:
    """What dp-accounting says of a problem from both sides; None where it is absent."""
    try:
        from dp_accounting.pld import privacy_loss_distribution as distributions
    except ImportError:
        return None

    def both(problem: Problem) -> object:
        epsilon, found = problem.epsilon.ball().midpoint(), []
        for upper in (True, False):
            sides = {"pessimistic_estimate": upper, "use_connect_dots": upper}
            found.append(build(distributions, sides).get_delta_for_epsilon(float(epsilon)))
        return found

    return both


def _beside(
    work: str, size: str, problem: Problem, ours: Callable[[Problem], object],
    theirs: Callable[[Problem], object] | None, repeats: int,
) -> Row:  # fmt: skip
    if theirs is None:
        (seconds,) = _times(lambda: ours(problem), repeats=repeats)
        return Row(work, size, seconds_text(seconds), MISSING, "", "")
    seconds, other = _times(lambda: ours(problem), lambda: theirs(problem), repeats=repeats)
    return ratio_row(work, size, seconds, "dp-accounting PLD, both estimates, no proof", other)


def _times(*works: Callable[[], object], repeats: int) -> list[float]:
    """Median seconds, or those of one run of what takes long."""
    found = []
    for work in works:
        start = perf_counter()
        work()
        found.append(perf_counter() - start)
    return found if max(found) > _LONG else times(*works, repeats=repeats)


def _checked(work: str, size: str, problem: Problem, repeats: int) -> Row:
    """The kernel's check of a certificate, beside the decision."""
    with tempfile.TemporaryDirectory() as folder:
        path, certificate = Path(folder) / "problem.json", Path(folder) / "certificate"
        path.write_text(json.dumps(problem.to_table()), "utf-8")
        write_verdict(certificate, path, problem, certify(problem), attest=False)
        seconds, decided = _times(
            lambda: check(path, certificate), lambda: certify(problem), repeats=repeats
        )
    return ratio_row(work, size, seconds, "whole certify() call", decided)
