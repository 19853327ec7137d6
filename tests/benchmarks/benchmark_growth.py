"""How times and memory grow with the number of atoms, pairs of secrets and normal laws."""

from __future__ import annotations

import math
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from time import perf_counter

from benchmark_channels import random_channel, ring
from benchmark_curves import first_order, points
from benchmark_measure import seconds_text, times
from benchmark_smooth import mixtures
from benchmark_systems import USER, decided, wide_laws

from pfverify import Discrete, DiscreteGaussian, Laplace, Problem, System, calibrate, certify, loss
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.decide.charts.delta import divergence_of
from pfverify.decide.charts.order import orders_of
from pfverify.decide.targets import target_of
from pfverify.exact.grid import Grid
from pfverify.exact.written import written
from pfverify.laws.kinds import forms_of
from pfverify.scales.coupling.best import coupling_lp
from pfverify.scales.minimum import minimum_scale
from pfverify.transport.arrays import monotone_arrays

SCALE = 10
_LONG = 5  # seconds
ATOMS_OF_SECRETS = 16  # atoms of each prior where there are many secrets

Work = Callable[[], object]


@dataclass(frozen=True)
class GrowthSizes:
    """The sizes at which each work is measured."""

    atoms: Sequence[int] = (1_000, 10_000, 100_000, 1_000_000)
    fewer: Sequence[int] = (100, 1_000, 10_000)  # atoms, where a million would take minutes
    secrets: Sequence[int] = (5, 10, 20, 42)
    inputs: Sequence[int] = (100, 300, 1_000)  # of a channel
    users: Sequence[int] = (100, 300, 1_000)
    laws: Sequence[int] = (1, 3, 10, 30)
    sigmas: Sequence[int] = (100, 1_000, 10_000)
    repeats: int = 3


@dataclass(frozen=True)
class Growth:
    """Seconds and peak bytes of one work at each size."""

    work: str
    of: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    peak: int  # bytes that the last size takes more than before

    @property
    def exponent(self) -> float | None:
        """The slope of log time over log size, by least squares; None for one size."""
        if len(self.sizes) < 2:
            return None
        x, y = ([math.log(v) for v in values] for values in (self.sizes, self.seconds))
        mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
        return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum(
            (a - mean_x) ** 2 for a in x
        )

    @property
    def last_exponent(self) -> float | None:
        """The slope between the two largest sizes; None for one size."""
        return None if len(self.sizes) < 2 else math.log(
            self.seconds[-1] / self.seconds[-2]
        ) / math.log(self.sizes[-1] / self.sizes[-2])  # fmt: skip


def counts(size: int, seed: int) -> dict[int, int]:
    """Random counts 1 .. 1000 at the atoms 0 .. size-1."""
    rng = Random(seed)
    return {k: rng.randint(1, 1000) for k in range(size)}


def two_secrets(size: int, **more: object) -> Problem:
    """Two random priors, new ones at every call, so that nothing is remembered of them."""
    priors = {name: Discrete(counts=counts(size, size + k)) for k, name in enumerate("ab")}
    return Problem(priors=priors, noise=Laplace(SCALE), **{"epsilon": 1, **more})


def many_secrets(count: int) -> Problem:
    """Random priors of `count` secrets on 16 atoms: count (count - 1) / 2 pairs."""
    priors = {f"s{k}": Discrete(counts=counts(ATOMS_OF_SECRETS, k)) for k in range(count)}
    return Problem(priors=priors, noise=Laplace(SCALE), epsilon=1)


def growth_rows(sizes: GrowthSizes) -> list[Growth]:
    """Measure every work at its sizes."""
    pairs = [k * (k - 1) // 2 for k in sizes.secrets]
    rows = []
    for work, of, shown, asked, prepare in (
        ("Discrete from counts", "atoms", sizes.atoms, sizes.atoms, _built),
        ("whole certify() call", "atoms", sizes.atoms, sizes.atoms, _certified),
        ("loss, 12 digits", "atoms", sizes.atoms, sizes.atoms, _lost),
        ("loss and delta, 12 digits", "atoms", sizes.fewer, sizes.fewer, _delta),
        ("minimum scale, 12 digits", "atoms", sizes.atoms, sizes.atoms, _minimum),
        ("whole calibrate() call", "atoms", sizes.atoms, sizes.atoms, _calibrated),
        ("kernel check, whole process", "atoms", sizes.fewer, sizes.fewer, _checked),
        ("exact monotone plan, arrays", "atoms", sizes.fewer, sizes.fewer, _planned),
        ("losses of a ring of inputs", "inputs", sizes.inputs, sizes.inputs, _ring_lost),
        ("verdict, users of 16-point laws", "users", sizes.users, sizes.users, _crowd),
        ("whole certify() call", "pairs", pairs, sizes.secrets, _all_certified),
        ("calibrate", "pairs", pairs, sizes.secrets, _all_calibrated),
        ("best couplings", "pairs", pairs[:-1], sizes.secrets[:-1], _all_coupled),
        ("delta, 12 digits, mixtures", "normal laws", sizes.laws, sizes.laws, _mixture_delta),
        ("delta, discrete Gaussian", "sigma", sizes.sigmas, sizes.sigmas, _lattice_delta),
        ("whole certify() call, mixtures", "normal laws", sizes.laws, sizes.laws, _mixed),
    ):
        found = [_measured(prepare, size, sizes.repeats) for size in asked]
        seconds, peaks = zip(*found, strict=True)
        rows.append(Growth(work, of, tuple(shown), seconds, peaks[-1]))
    return rows


def _lattice_delta(sigma: int) -> Work:
    problem = points(DiscreteGaussian(sigma)).replaced(epsilon=Fraction(1, sigma))
    return lambda: written(first_order(problem).exceeding(), 12)


def growth_lines(rows: list[Growth]) -> tuple[list[str], list[list[str]]]:
    """The head and the lines of the table."""
    head = ["work", "over", "sizes", "times", "exponent", "last step", "memory at the largest"]
    lines = [
        [
            row.work,
            row.of,
            ", ".join(f"{size:,}" for size in row.sizes),
            ", ".join(map(seconds_text, row.seconds)),
            _slope(row.exponent),
            _slope(row.last_exponent),
            f"{row.peak / 2**20:.3g} MiB",
        ]
        for row in rows
    ]
    return head, lines


def _slope(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _measured(prepare: Callable[[int], Work], size: int, repeats: int) -> tuple[float, int]:
    """Median seconds, and the bytes of Python objects at the peak of one more run.

    Work of many seconds is timed once.
    """
    work = prepare(size)
    start = perf_counter()
    work()
    seconds = perf_counter() - start
    if seconds < _LONG:
        (seconds,) = times(work, repeats=repeats)
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, peak


def _built(size: int) -> Work:
    table = counts(size, size)
    return lambda: Discrete(counts=table)


def _certified(size: int) -> Work:
    problem = two_secrets(size)
    return lambda: certify(problem)


def _lost(size: int) -> Work:
    problem = two_secrets(size)
    return lambda: loss(problem)


def _delta(size: int) -> Work:
    problem = two_secrets(size, epsilon="1/10", delta="1/1000")
    return lambda: loss(problem)


def _minimum(size: int) -> Work:
    problem = two_secrets(size)
    return lambda: minimum_scale(problem, Grid(12))


def _calibrated(size: int) -> Work:
    problem = two_secrets(size)
    return lambda: calibrate(problem)


def _ring_lost(inputs: int) -> Work:
    problem = ring(random_channel(inputs), "1/1000")
    return lambda: loss(problem)


def _crowd(users: int) -> Work:
    system = System(wide_laws(users), USER)
    return lambda: decided(system)


def _checked(size: int) -> Work:
    problem = two_secrets(size)
    folder = tempfile.TemporaryDirectory()
    path, certificate = Path(folder.name) / "problem.json", Path(folder.name) / "certificate"
    problem.save(path)
    write_verdict(certificate, path, problem, certify(problem), attest=False)

    def work() -> object:
        return check(path, certificate), folder  # which must stay until it was read

    return work


def _planned(size: int) -> Work:
    first, second = two_secrets(size).beliefs["default"].values()
    return lambda: monotone_arrays(first, second)


def _all_certified(count: int) -> Work:
    problem = many_secrets(count)
    return lambda: certify(problem)


def _all_calibrated(count: int) -> Work:
    problem = many_secrets(count)
    return lambda: calibrate(problem)


def _all_coupled(count: int) -> Work:
    problem = many_secrets(count)

    def work() -> object:
        return [
            coupling_lp(item.first_prior, item.second_prior, problem.epsilon)
            for item in problem.questions()
        ]

    return work


def _mixture_delta(laws: int) -> Work:
    problem = mixtures(laws)
    item = next(problem.questions())
    orders = orders_of(*forms_of(item), target_of(item))
    return lambda: written(divergence_of(orders[0]), 12)


def _mixed(laws: int) -> Work:
    problem = mixtures(laws)
    return lambda: certify(problem)
