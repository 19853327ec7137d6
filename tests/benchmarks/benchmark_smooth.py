"""Speed with normal priors, mixtures and Gaussian noise."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
from benchmark_measure import Row, ratio_row, repeated, times
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from pfverify import Discrete, Gaussian, GaussianNoise, Laplace, Mixture, Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.decide.charts.delta import divergence_of
from pfverify.decide.charts.order import orders_of
from pfverify.decide.targets import target_of
from pfverify.edge.packaged import example_path, load_example
from pfverify.exact.grid import Grid
from pfverify.exact.written import written
from pfverify.laws.kinds import forms_of
from pfverify.scales.minimum import minimum_scale

PAIR_TARGET, MIXTURE_TARGET = 1, 2  # delta to 12 digits, in units of the float grid
MINIMUM_TARGET = 5  # minimum scale to 12 digits, in units of one certify() call
KERNEL_TARGET = 10  # kernel process, in units of the deciding process
FLOATS = "float64 grid and brentq, no proof"


def problems() -> dict[str, tuple[Problem, bool]]:
    """Name -> (problem, whether it is the reverse order that has the larger divergence)."""
    return {
        "normal pair, Laplace noise": (
            Problem(
                priors={"wide": Gaussian(1, 4), "narrow": Gaussian(0, 1)},
                noise=Laplace(1), epsilon=1, delta="1/100",
            ),
            False,
        ),
        "points, Gaussian noise": (
            Problem(
                priors={"one": Discrete(mass={1: 1}), "zero": Discrete(mass={0: 1})},
                noise=GaussianNoise(1), epsilon=1, delta="1/100",
            ),
            False,
        ),
        "education, Laplace noise": (
            load_example("education").replaced(scale=1, delta="1/100"), True,
        ),
        "mixtures, Laplace noise": (mixtures(10), False),
    }  # fmt: skip


def mixtures(laws: int) -> Problem:
    """Two mixtures of `laws` normal laws each, Laplace noise."""
    rng = Random(laws)

    def prior() -> Mixture:
        return Mixture(
            [
                {"weight": f"1/{laws}", "mean": rng.randint(0, 100), "variance": rng.randint(1, 9)}
                for _ in range(laws)
            ]
        )

    return Problem(
        priors={"a": prior(), "b": prior()}, noise=Laplace(10), epsilon="1/10", delta="1/100"
    )


class FloatDelta:
    """The divergence of one order in float64: zeros on a grid, closed forms, no proof."""

    def __init__(self, problem: Problem, reverse: bool) -> None:
        item = next(problem.questions())
        priors = (item.first_prior, item.second_prior)
        self.laws = [
            np.array([[float(x) for x in part] for part in prior.components]).T
            for prior in (priors[::-1] if reverse else priors)
        ]
        self.growth = float(np.exp(float(problem.epsilon.fraction)))
        noise = problem.noise
        self.b = None if isinstance(noise, GaussianNoise) else float(noise.scale.fraction)
        self.added = float(noise.variance) if isinstance(noise, GaussianNoise) else 0.0
        means = np.concatenate([law[1] for law in self.laws])
        spread = max(float(np.sqrt(law[2] + self.added).max()) for law in self.laws)
        reach = 12 * (spread + (self.b or 0.0))
        self.grid = np.linspace(means.min() - reach, means.max() + reach, 800)

    def delta(self) -> float:
        """P(B) - e^epsilon Q(B) on the event that the grid shows."""
        values = self._gap(self.grid)
        changes = np.nonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)[0]
        zeros = [
            brentq(lambda y: float(self._gap(np.array([y]))[0]), *self.grid[k : k + 2])
            for k in changes
        ]
        ends = np.array([-np.inf, *zeros, np.inf])
        p, q = (np.diff(self._below(law, ends)) for law in self.laws)
        return float(np.maximum(p - self.growth * q, 0).sum())

    def _gap(self, y: np.ndarray) -> np.ndarray:
        p, q = (self._density(law, y) for law in self.laws)
        return p - self.growth * q

    def _parts(self, law: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
        """Weights, (y - m)/s, and the two one-sided terms of the convolution."""
        weights, means, variances = law[:, :, None]
        s = np.sqrt(variances + self.added)
        z = (y - means) / s
        if self.b is None:
            return weights, z, s
        t = s / self.b
        left, right = (
            np.exp(t * t / 2 + sign * t * z + log_ndtr(-t - sign * z)) for sign in (-1, 1)
        )
        return weights, z, left, right

    def _density(self, law: np.ndarray, y: np.ndarray) -> np.ndarray:
        weights, z, *rest = self._parts(law, y)
        if self.b is None:
            return (weights * np.exp(-z * z / 2) / (rest[0] * np.sqrt(2 * np.pi))).sum(0)
        return (weights * (rest[0] + rest[1])).sum(0) / (2 * self.b)

    def _below(self, law: np.ndarray, ends: np.ndarray) -> np.ndarray:
        inner = ends[1:-1]
        weights, z, *rest = self._parts(law, inner)
        found = weights * ndtr(z)
        if self.b is not None:
            found = found - weights * (rest[0] - rest[1]) / 2
        return np.array([0.0, *found.sum(0), 1.0])


def smooth_rows(whole: bool, repeats: int) -> list[Row]:
    """delta, the minimum scale and the kernel, for every problem or the first one."""
    chosen = list(problems().items())[: None if whole else 1]
    rows = [_delta_row(name, *found, repeats) for name, found in chosen]
    rows += [_minimum_row(name, problem, repeats) for name, (problem, _) in chosen]
    names = ("gaussian-pair", "education") if whole else ("gaussian-pair",)
    return rows + [row for name in names for row in _kernel_rows(name, repeats)]


def _size(problem: Problem) -> str:
    item = next(problem.questions())
    return " + ".join(str(len(p.components)) for p in (item.first_prior, item.second_prior))


def _delta_row(name: str, problem: Problem, reverse: bool, repeats: int) -> Row:
    item = next(problem.questions())
    orders = orders_of(*forms_of(item), target_of(item))
    plain = FloatDelta(problem, reverse)
    loops = 20
    exact, floats = (
        seconds / loops
        for seconds in times(
            repeated(lambda: written(divergence_of(orders[reverse]), 12), loops),
            repeated(plain.delta, loops),
            repeats=repeats,
        )
    )
    ends = written(divergence_of(orders[reverse]), 12)
    if not abs(Fraction(ends.upper) - Fraction(plain.delta())) < Fraction(1, 10**9):
        raise RuntimeError(f"{name}: float64 and the enclosure disagree")
    target = PAIR_TARGET if _size(problem) == "1 + 1" else MIXTURE_TARGET
    return ratio_row(
        f"delta(epsilon), 12 digits: {name}", _size(problem), exact, FLOATS, floats,
        f"<= {target}", exact <= target * floats,
    )  # fmt: skip


def _minimum_row(name: str, problem: Problem, repeats: int) -> Row:
    minimum, verdict = times(
        lambda: minimum_scale(problem, Grid(12)), lambda: certify(problem), repeats=min(repeats, 5)
    )
    return ratio_row(
        f"minimum scale, 12 digits: {name}", _size(problem), minimum, "whole certify() call",
        verdict, f"<= {MINIMUM_TARGET}", minimum <= MINIMUM_TARGET * verdict,
    )  # fmt: skip


def _kernel_rows(name: str, repeats: int) -> list[Row]:
    path, problem = example_path(name), load_example(name)
    result = certify(problem)
    with tempfile.TemporaryDirectory() as folder:
        certificate = Path(folder) / "certificate"
        write_verdict(certificate, path, problem, result, attest=False)
        command = [sys.executable, "-m", "pfverify", "certify", str(path)]
        kernel, decide = times(
            lambda: check(path, certificate),
            lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
            repeats=repeats,
        )
    return [
        ratio_row(
            f"kernel check, whole process: {name}", _size(problem), kernel,
            "pfverify certify, whole process", decide, f"<= {KERNEL_TARGET}",
            kernel <= KERNEL_TARGET * decide,
        )
    ]  # fmt: skip
