"""Speed of delta over many values of epsilon on one pair, and of discrete Gaussian noise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp

import numpy as np
from benchmark_measure import Row, ratio_row, repeated, times

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    Laplace,
    Problem,
)
from pfverify.decide.comparison import Comparison
from pfverify.decide.routes import comparison
from pfverify.exact.written import written
from pfverify.model.releases.release import Noise

SHARED_TARGET = 1  # a value of a curve, in units of a single call
SIGMA_TARGET = 50  # delta at one sigma, in units of the sum in floats
_LOOPS = 5


def points(noise: Noise) -> Problem:
    """0 against 1."""
    priors = {"zero": Discrete({0: 1}), "one": Discrete({1: 1})}
    return Problem(priors=priors, noise=noise, epsilon=1, delta="1/100")


def first_order(problem: Problem) -> Comparison:
    """The first order of the only pair."""
    return comparison(next(problem.questions()))[0]


def curve(problem: Problem, epsilons: list[Fraction]) -> list[str]:
    """Delta at every epsilon, of one order."""
    order = first_order(problem)
    return [
        written(order.against(order.target.at_epsilon(x)).exceeding(), 12).text for x in epsilons
    ]


def one_by_one(problem: Problem, epsilons: list[Fraction]) -> list[str]:
    """The same by a problem for each."""
    return [
        written(first_order(problem.replaced(epsilon=x)).exceeding(), 12).text for x in epsilons
    ]


def float_delta(sigma: int, epsilon: float) -> float:
    """The same of discrete Gaussian noise by a sum in floats."""
    y = np.arange(-40 * sigma, 40 * sigma + 1)
    weights = np.exp(-(y**2) / (2 * sigma**2))
    moved = np.exp(-((y - 1) ** 2) / (2 * sigma**2))
    return float(np.maximum(weights - exp(epsilon) * moved, 0).sum() / weights.sum())


def curve_rows(values: int, sigmas: tuple[int, ...], repeats: int) -> list[Row]:
    """A curve beside single calls, for each noise; and one delta at each sigma."""
    epsilons = [Fraction(k, values) for k in range(1, values + 1)]
    rows = []
    for name, noise in (
        ("Laplace", Laplace(1)),
        ("discrete Laplace", DiscreteLaplace(1)),
        ("Gaussian", GaussianNoise(1)),
        ("discrete Gaussian", DiscreteGaussian(1)),
    ):
        problem = points(noise)
        together, apart = times(
            _asked(curve, problem, epsilons), _asked(one_by_one, problem, epsilons),
            repeats=repeats,
        )  # fmt: skip
        rows.append(
            ratio_row(f"delta at many epsilons, {name} noise", values, together,
                      "the same by single calls", apart, f"< {SHARED_TARGET}", together < apart)
        )  # fmt: skip
    for sigma in sigmas:
        problem = points(DiscreteGaussian(sigma)).replaced(epsilon=Fraction(1, sigma))
        exact, floats = times(
            repeated(lambda p=problem: written(first_order(p).exceeding(), 12), _LOOPS),
            repeated(lambda s=sigma: float_delta(s, 1 / s), _LOOPS),
            repeats=repeats,
        )
        rows.append(
            ratio_row("delta, discrete Gaussian noise, epsilon 1/sigma", f"sigma {sigma:,}",
                      exact / _LOOPS, "sum in floats", floats / _LOOPS, f"<= {SIGMA_TARGET}",
                      exact <= SIGMA_TARGET * floats)
        )  # fmt: skip
    return rows


def _asked(
    work: Callable[[Problem, list[Fraction]], list[str]], problem: Problem, epsilons: list[Fraction]
) -> Callable[[], object]:
    return lambda: work(problem, epsilons)
