"""A fine grid in mpmath: for teaching, and for densities that only exist as functions.

A grid never certifies: what lies between its points is not looked at, and mpmath does not
enclose. Its outcome is called "observed on a grid".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import mpmath

from pfverify.decide.outcome import Verdict
from pfverify.decide.routes import comparison
from pfverify.errors import InputError, require, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem, as_problem, discrete_priors

Density = Callable[[mpmath.mpf], mpmath.mpf]

DIGITS = 30
MAX_POINTS = 100_000
_ATOMS_ONLY = "--grid: only sums over atoms with Laplace noise are looked at"


@dataclass(frozen=True)
class Observation(NoTruth, ask="a grid proves nothing, use certify"):
    """What a grid saw of one ordered pair: the largest log ratio and the largest excess."""

    belief: str
    from_: str
    to: str
    log_ratio: str
    y: str
    excess: str
    excess_y: str


@dataclass(frozen=True)
class GridResult(NoTruth, ask="a grid proves nothing, use certify"):
    """Observations of every ordered pair; the verdict is never a certificate."""

    verdict: Verdict
    points: int
    pairs: list[Observation]


def observe(
    p: Density, q: Density, epsilon: object, points: Sequence[mpmath.mpf]
) -> tuple[tuple[mpmath.mpf, mpmath.mpf], tuple[mpmath.mpf, mpmath.mpf]]:
    """Return ``((largest log p/q, its y), (largest p - e**epsilon q, its y))`` over the points.

    `p` and `q` are positive densities or masses of an mpmath number.
    Example: ``observe(mpmath.npdf, mpmath.npdf, 1, [mpmath.mpf(0)])[0][0]`` is 0.
    """
    growth = mpmath.exp(mpmath.mpf(epsilon))
    ratio = excess = None
    for y in points:
        a, b = p(y), q(y)
        if a > 0 and b > 0:
            log_ratio = mpmath.log(a) - mpmath.log(b)
            if ratio is None or log_ratio > ratio[0]:
                ratio = (log_ratio, y)
        gap = a - growth * b
        if excess is None or gap > excess[0]:
            excess = (gap, y)
    if ratio is None or excess is None:
        raise InputError("the grid met no point where both densities are positive")
    return ratio, excess


def grid_certify(problem: Problem | str | Path, points: int) -> GridResult:
    """Enumerate every ordered pair of a problem on an even grid of `points` outputs.

    The grid runs from 5 scales below the lowest atom to 5 above the highest (for discrete
    Laplace noise: lattice points nearest to it). Raises InputError for fewer than 2 points,
    Gaussian noise or none, a prior with a density, and as `comparison`.
    """
    problem = as_problem(problem)
    require(points, int, "points")
    if not 2 <= points <= MAX_POINTS:
        raise InputError(f"--grid: {shorten(points)} points, expected 2 to {MAX_POINTS}")
    problem.require_noise("--grid")
    if problem.noise.adds_nothing:
        raise InputError("--grid: without noise (scale 0) the release has no density to look at")
    observations = []
    with mpmath.workdps(DIGITS):
        scale = _mpf(problem.scale())
        epsilon = _mpf(problem.one_epsilon)
        for item in problem.pairs_of_priors():
            priors = discrete_priors(item, _ATOMS_ONLY, problem.noise)
            comparison(problem, item)  # what no route takes is not looked at either
            low = min(prior.atoms[0] for prior in priors)
            high = max(prior.atoms[-1] for prior in priors)
            grid = _grid(low, high, scale, points, problem.noise.step)
            for reverse in (False, True):
                sides = list(zip((item.first, item.second), priors, strict=True))
                (a, prior_a), (b, prior_b) = sides[::-1] if reverse else sides
                step = problem.noise.step
                ratio, excess = observe(
                    _density(prior_a, scale, step), _density(prior_b, scale, step), epsilon, grid
                )
                texts = [mpmath.nstr(value, 10) for value in (*ratio, *excess)]
                observations.append(Observation(item.belief, a, b, *texts))
    observations.sort(key=lambda o: -float(o.log_ratio))
    return GridResult(Verdict.OBSERVED, points, observations)


def _mpf(value: object) -> mpmath.mpf:
    from pfverify.exact.ball import precision
    from pfverify.exact.number import Number

    if not isinstance(value, Number):
        return mpmath.mpf(value)
    with precision(4 * DIGITS + 32):
        return mpmath.mpf(value.ball().raw.str(DIGITS + 5, radius=False))


def _grid(
    low: Fraction, high: Fraction, scale: mpmath.mpf, points: int, step: Fraction | None
) -> list[mpmath.mpf]:
    bottom, top = _exact(low) - 5 * scale, _exact(high) + 5 * scale
    grid = [bottom + (top - bottom) * k / (points - 1) for k in range(points)]
    if step is None:
        return grid
    unit = _exact(step)
    return sorted({_exact(low) + unit * mpmath.nint((y - _exact(low)) / unit) for y in grid})


def _exact(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def _density(prior: Discrete, scale: mpmath.mpf, step: Fraction | None) -> Density:
    masses = [(_exact(atom), _exact(mass)) for atom, mass in prior.mass.items()]
    if step is None:
        front = 1 / (2 * scale)
    else:
        t = mpmath.exp(-_exact(step) / scale)
        front = (1 - t) / (1 + t)

    def density(y: mpmath.mpf) -> mpmath.mpf:
        return front * mpmath.fsum(m * mpmath.exp(-abs(y - x) / scale) for x, m in masses)

    return density
