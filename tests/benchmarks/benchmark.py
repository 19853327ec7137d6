"""The speed table: every time beside its yardstick, measured in one run on one machine.

Run from a checkout (takes some ten minutes; with the extra `benchmarks` also beside
dp-accounting)::

    python tests/benchmarks/benchmark.py            # prints the table
    python tests/benchmarks/benchmark.py --write    # and stores it in RESULTS.md beside this file

A time is the median of several warm repetitions, taken in turns with its yardstick, so that a
slow moment of the machine hits both. Nothing here fails on a slow machine: the table states each
target and whether it was met. The workload is a pair of random priors on the atoms 0 .. n-1 with
integer weights 1 .. 1000 drawn from a fixed seed, Laplace noise of scale 10, epsilon 1.

One "verdict" is `pure_orders` on a `Pair` that is already built, with its masses as floats: it
decides the density ratio for all outputs and in both orders, and encloses both losses to 12 digits.
"Without floats" leaves out the float pass with a proved error bound that clears most atoms first,
as on atoms that are on no lattice: a pass of whole numbers does, and the losses are enclosed too.
"Whole certify()" starts from the problem, so it also merges the supports.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import mpmath
import numpy as np
import scipy  # whose folders load when they are used
from benchmark_accounting import Accuracy, accuracy_rows, accuracy_version
from benchmark_chains import chain_rows
from benchmark_channels import channel_rows, tuple_rows
from benchmark_choices import ChoiceSizes, choice_rows
from benchmark_composed import ComposedSizes, composed_rows
from benchmark_coq import coq_rows
from benchmark_correlated import CorrelatedSizes, correlated_rows
from benchmark_curves import curve_rows
from benchmark_families import FamilySizes, family_rows
from benchmark_forms import FormSizes, form_rows
from benchmark_growth import ATOMS_OF_SECRETS, Growth, GrowthSizes, growth_lines, growth_rows
from benchmark_measure import Row, ratio_row, repeated, seconds_text, times
from benchmark_renyi import RenyiSizes, renyi_rows
from benchmark_sampling import sampling_rows
from benchmark_secrets import secrets_rows
from benchmark_several import SeveralSizes, several_rows
from benchmark_smooth import smooth_rows
from benchmark_steps import step_rows
from benchmark_systems import system_rows
from benchmark_views import ViewSizes, view_rows
from benchmark_whole_curves import CurveSizes, whole_curve_rows

from pfverify import Discrete, Laplace, Problem, calibrate, certify
from pfverify.answers.grid import observe
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.decide.exponential.events import events_order
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pure import pure_orders
from pfverify.decide.verdict import Verdict, verdict_of
from pfverify.edge.packaged import load_example
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid
from pfverify.exact.written import written
from pfverify.laws.rate import Rate
from pfverify.model.digest import problem_digest
from pfverify.model.problem_file import table_of_text
from pfverify.model.target import Target
from pfverify.model.toml import toml_text
from pfverify.proof.files import proof_files
from pfverify.proof.run import prove
from pfverify.scales.coupling.best import coupling_lp
from pfverify.scales.minimum import minimum_scale
from pfverify.transport.arrays import monotone_arrays
from pfverify.transport.cost import w_1
from pfverify.transport.flow import w_infinity
from pfverify.transport.line import monotone_plan
from pfverify.transport.metric import EuclideanPlane

RESULTS = Path(__file__).with_name("RESULTS.md")
SCALE, EPSILON, DELTA = 10, 1, "1/1000"
LIBRARIES = ("pfverify", "numpy", "scipy", "mpmath", "python-flint", "POT", "z3-solver")
# atoms -> target, in units of the plain float64 pass
VERDICT_TARGETS, WHOLE_TARGETS = {1_000: 5, 1_000_000: 3}, {100_000: 8, 1_000_000: 8}
WHOLE_SUMS_TARGETS = {100_000: 40}
GRID_TARGET = 10_000  # mpmath grid of 1000 points at n = 100, in units of one verdict
COUNTS_TARGET, FILE_TARGET = 1, 3  # seconds for a million counts, as they are and in a file
DELTA_TARGET = 8  # delta to 12 digits at n = 10**4, in units of one verdict
MINIMUM_TARGET = 5  # minimum scale to 12 digits, in units of one certify() call
CALIBRATE_TARGET = 20  # every scale with its verdict, in the same unit
ROOT = Path(__file__).resolve().parents[2]
BOUNDED_BY = {  # beginning of a row's work -> why it misses its target
    "the same, without floats": "Two products of Python's integers an atom, some 170 ns with "
    "shift, mask and sum, and as much again around them; the float pass takes 22 ns in all.",
    "minimum scale, 12 digits": "Some ten float passes that look for the scale, two verdicts that "
    "prove both ends, and one pass over the bare masses: each is about a call.",
    "whole calibrate()": "Of ten atoms, the linear programmes of the best couplings. Of many: the "
    "minimum, a verdict for each of four scales, the monotone plan and the lines of its columns "
    "and rows, some thirty passes over arrays of the atoms.",
    "every record of a chain": "Twenty thousand orders of half a millisecond each: the floats of "
    "two records in every window, their ratio, and balls around it.",
    "problem and digest of a .toml": "Two fifths are the reading of the text, in Python.",
    "kernel check, whole process": "The kernel is Python without libraries, in a process of its "
    "own: an empty one alone takes several of these calls; then it reads every number as a "
    "fraction, about 10 µs an atom, and works in integers, 5 µs.",
    "whole certify(), rounded": "More passes over arrays than the bare verdict needs: those that "
    "find the cells, the sums of either side apart, and the decays to either end of each cell.",
    "delta = 1/10, rounded": "As for the whole call; each sign change takes two more decays.",
}
PLAN_TARGET = 2  # exact monotone plan at n = 10**4, in units of POT's float plan
PROOFS_TARGET = 300  # seconds for all proof files on two cores
KERNEL_TARGET = 0.5  # kernel process, in units of the deciding process
BARE_TARGET = 10  # the same, in units of one certify() call
CENSUS_TARGET = 15  # pfverify certify example:census, in units of an empty Python program
# processes start as those of users do, who keep what is compiled
STARTED = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Sizes:
    """How large each row of the table is, and how often it is repeated."""

    verdict: Sequence[int] = (100, 1_000, 10_000, 100_000, 1_000_000)
    balls: int = 100_000  # the most atoms without floats, and of a refutation
    grid: int = 100
    grid_points: int = 1000
    minimum: Sequence[int] = (10, 1_000, 10_000, 100_000)
    delta: Sequence[int] = (100, 10_000)
    counts: int = 1_000_000
    kernel: Sequence[int] = (100, 1_000, 10_000)
    coq: Sequence[int] = (100, 1_000)
    coq_examples: Sequence[str] = ("census", "tie-point-masses", "tie-bernoulli", "bank")
    plan: int = 10_000
    plane: int = 300
    proofs: Sequence[str] = ()  # the ids to check, all of them if there are none
    memory: int = 100_000
    secrets: int = 42
    users: int = 10_000  # of a system
    channels: tuple[int, ...] = (100, 1_000)  # inputs of a channel
    tuples: tuple[tuple[int, int], ...] = (  # outputs and dummies
        (10, 5), (10, 10), (10, 20), (5, 20), (3, 20), (2, 1_000)
    )  # fmt: skip
    draws: int = 1_000  # of noise
    smooth: bool = True  # all problems with normal priors, or the smallest
    intervals: tuple[float, float] = (1e-4, 1e-3)  # of PLDs: one normal law, mixtures
    curve: int = 200  # values of epsilon
    sigmas: tuple[int, ...] = (1, 10, 100, 1_000)  # of discrete Gaussian noise
    steps: tuple[int, ...] = (1_000, 100_000)
    correlated: CorrelatedSizes = field(default_factory=CorrelatedSizes)
    records: int = 10_000  # of a chain
    several: SeveralSizes = field(default_factory=SeveralSizes)
    composed: ComposedSizes = field(default_factory=ComposedSizes)
    choices: ChoiceSizes = field(default_factory=ChoiceSizes)
    renyi: RenyiSizes = field(default_factory=RenyiSizes)
    curves_whole: CurveSizes = field(default_factory=CurveSizes)
    forms: FormSizes = field(default_factory=FormSizes)
    families: FamilySizes = field(default_factory=FamilySizes)
    views: ViewSizes = field(default_factory=ViewSizes)
    growth: GrowthSizes = field(default_factory=GrowthSizes)
    repeats: int = 7
    starts: int = 9


def random_problem(size: int, *, delta: object = 0, epsilon: object = EPSILON) -> Problem:
    """Two random priors on the atoms 0 .. size-1, the same ones in every run."""
    rng = Random(size)
    priors = {
        name: Discrete(counts={k: rng.randint(1, 1000) for k in range(size)}) for name in ("a", "b")
    }
    return Problem(priors=priors, noise=Laplace(SCALE), epsilon=epsilon, delta=delta)


class Workload:
    """One problem with everything that a verdict needs, built beforehand."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        item = next(problem.questions())
        self.pair = Pair(item.first_prior, item.second_prior, problem.noise.step)
        self.sparse = Pair(item.first_prior, item.second_prior, problem.noise.step)
        self.sparse.lattice = None
        self.rate = Rate(problem.scale())
        self.target = Target(problem.epsilon, problem.delta)

    def verdict(self) -> list[Verdict]:
        """Decide the density ratio, both orders, all outputs."""
        epsilon = self.target.epsilon
        return [verdict_of(o.sign) for o in pure_orders(self.pair, self.rate, epsilon)]

    def without_floats(self) -> list[Enclosure]:
        """The same where atoms are on no lattice, so that no float pass clears most of them."""
        epsilon = self.target.epsilon
        orders = pure_orders(self.sparse, self.rate, epsilon)
        return [written(order.amount, 12) for order in orders]

    def events(self) -> list[Enclosure]:
        """Decide delta(epsilon) <= delta in both orders and enclose it to 12 digits."""
        rate = Rate(self.rate.scale)  # a new one: nothing is known of the sums at it
        return [
            written(events_order(self.pair, rate, self.target, reverse, None).delta, 12)
            for reverse in (False, True)
        ]


class FloatPass:
    """The same sums in float64 with scipy's `lfilter`: fast, and it certifies nothing."""

    def __init__(self, problem: Problem) -> None:
        item = next(problem.questions())
        self.weights = [
            np.array(prior.weights, dtype=float) / prior.total
            for prior in (item.first_prior, item.second_prior)
        ]
        self.decay = float(np.exp(-1 / float(problem.scale().fraction)))

    def losses(self) -> tuple[float, float]:
        """Return the largest log ratio over the atoms, in each order."""
        feedback = [1.0, -self.decay]
        sums = []
        for weights in self.weights:
            left = scipy.signal.lfilter([1.0], feedback, weights)
            right = scipy.signal.lfilter([1.0], feedback, weights[::-1])[::-1]
            sums.append(left + right - weights)
        ratio = sums[0] / sums[1]
        return float(np.log(ratio.max())), float(-np.log(ratio.min()))


def verdict_rows(sizes: Sizes) -> list[Row]:
    """The verdict and the whole call, beside the float64 pass."""
    rows = []
    for n in sizes.verdict:
        problem = random_problem(n)
        work, plain = Workload(problem), FloatPass(problem)
        ways = {
            "verdict, all outputs": (work.verdict, VERDICT_TARGETS),
            "the same, without floats": (work.without_floats, WHOLE_SUMS_TARGETS),
            "whole certify() call": (lambda problem=problem: certify(problem), WHOLE_TARGETS),
        }
        if n > sizes.balls:
            del ways["the same, without floats"]
        loops = max(1, 2_000 // n)
        floats, *found = (
            seconds / loops
            for seconds in times(
                repeated(plain.losses, loops),
                *(repeated(way, loops) for way, _ in ways.values()),
                repeats=sizes.repeats,
            )
        )
        for (name, (_, targets)), seconds in zip(ways.items(), found, strict=True):
            target = targets.get(n)
            rows.append(
                ratio_row(
                    name, n, seconds, "float64 pass (lfilter), no proof", floats,
                    *(() if target is None else (f"<= {target}", seconds <= target * floats)),
                )
            )  # fmt: skip
        if n == min(max(sizes.verdict), sizes.balls):
            rows.append(refuted_row(n, work, found[0], sizes))
    return rows


def refuted_row(n: int, work: Workload, verdict: float, sizes: Sizes) -> Row:
    """A refutation also computes a margin at its witness, in both orders."""
    refuted = Workload(work.problem.replaced(epsilon="1/10"))
    (seconds,) = times(refuted.verdict, repeats=sizes.repeats)
    return ratio_row("verdict, refuted with margins", n, seconds, "one certified verdict", verdict)


def grid_row(sizes: Sizes) -> Row:
    """The verdict beside an mpmath grid, which looks at a few outputs only."""
    problem = random_problem(sizes.grid)
    work = Workload(problem)
    (verdict,) = times(repeated(work.verdict, 20), repeats=sizes.repeats)
    (grid,) = times(lambda: mpmath_grid(problem, sizes.grid_points), repeats=3)
    gain = grid / (verdict / 20)
    return Row(
        "verdict, all outputs",
        f"{sizes.grid:,}",
        seconds_text(verdict / 20),
        f"mpmath grid, {sizes.grid_points} points, no proof",
        seconds_text(grid),
        f"{gain:,.0f} times faster",
        f">= {GRID_TARGET} times faster",
        gain >= GRID_TARGET,
    )


def mpmath_grid(problem: Problem, points: int) -> None:
    """Look at both orders of a pair under Laplace noise at even outputs, by sums over the atoms."""
    item = next(problem.questions())
    with mpmath.workdps(30):
        scale = mpmath.mpf(problem.scale().ball().midpoint())

        def law(prior: Any) -> Any:
            parts = [(mpmath.mpf(float(x)), mpmath.mpf(w.numerator) / w.denominator)
                     for x, w in prior.mass.items()]  # fmt: skip
            return lambda y: mpmath.fsum(w * mpmath.exp(-abs(y - x) / scale) for x, w in parts)

        p, q = law(item.first_prior), law(item.second_prior)
        end = item.first_prior.size + 5 * scale
        places = [-5 * scale + (end + 5 * scale) * k / points for k in range(points)]
        for first, second in ((p, q), (q, p)):
            observe(first, second, problem.epsilon.ball().midpoint(), places)


def minimum_rows(sizes: Sizes) -> list[Row]:
    """The bracketed minimum scale, and all scales, in units of one verdict, from the problem."""
    rows = []
    for n in sizes.minimum:
        problem = random_problem(n)
        found = minimum_scale(problem, Grid(12)).upper or Fraction(SCALE)
        work = Workload(problem.replaced(scale=found or SCALE))
        loops = max(1, 500 // n)
        minimum, every, verdict = (
            seconds / loops
            for seconds in times(
                repeated(lambda problem=problem: minimum_scale(problem, Grid(12)), loops),
                repeated(lambda problem=problem: calibrate(problem), loops),
                repeated(lambda problem=problem: certify(problem), loops),
                repeats=sizes.repeats,
            )
        )
        if work.verdict() != [Verdict.CERTIFIED] * 2:
            raise RuntimeError("the minimum scale is not certified")
        for name, seconds, target in (
            ("minimum scale, 12 digits", minimum, MINIMUM_TARGET),
            ("whole calibrate() call", every, CALIBRATE_TARGET),
        ):
            rows.append(
                ratio_row(
                    name, n, seconds, "whole certify() call", verdict,
                    f"<= {target}", seconds <= target * verdict,
                )
            )  # fmt: skip
    return rows


def delta_rows(sizes: Sizes) -> list[Row]:
    """The divergence delta(epsilon), both orders, in units of one pure verdict."""
    rows = []
    for n in sizes.delta:
        work = Workload(random_problem(n, delta=DELTA, epsilon="1/10"))
        loops = max(1, 1_000 // n)
        events, verdict = (
            seconds / loops
            for seconds in times(
                repeated(work.events, loops), repeated(work.verdict, loops), repeats=sizes.repeats
            )
        )
        name = "delta(epsilon), 12 digits, both orders"
        target = f"<= {DELTA_TARGET}" if n == 10_000 else ""
        met = events <= DELTA_TARGET * verdict if target else None
        rows.append(ratio_row(name, n, events, "one verdict", verdict, target, met))
    return rows


def counts_rows(sizes: Sizes) -> list[Row]:
    """From counts to a prior, and from a file of two priors to a problem and its digest."""
    n = sizes.counts
    rng = np.random.default_rng(n)
    atoms, counts = np.arange(n), rng.integers(1, 1001, n)
    table = dict(zip(atoms.tolist(), counts.tolist(), strict=True))
    arrays, python, plain = times(
        lambda: Discrete.from_arrays(atoms, counts),
        lambda: Discrete(counts=table),
        lambda: dict(zip(atoms.tolist(), counts.tolist(), strict=True)),
        repeats=sizes.repeats,
    )
    yardstick = "the same as a dict of Python"
    rows = [
        ratio_row(f"Discrete of counts, {kind}", n, seconds, yardstick, plain,
                  f"<= {COUNTS_TARGET} s", seconds <= COUNTS_TARGET)
        for kind, seconds in (("arrays", arrays), ("a dict", python))
    ]  # fmt: skip
    as_file = _as_file(random_problem(n // 2))
    for suffix, text in ((".json", json.dumps(as_file)), (".toml", toml_text(as_file))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"problem{suffix}")
            path.write_text(text, "utf-8")
            whole, parsed = times(
                lambda path=path: problem_digest(Problem.load(path)),
                lambda text=text, suffix=suffix: table_of_text(
                    text, json_format=suffix == ".json"
                ),
                repeats=min(sizes.repeats, 3),
            )
        rows.append(
            ratio_row(f"problem and digest of a {suffix} file", 2 * (n // 2), whole,
                      "reading it as tables", parsed, f"<= {FILE_TARGET} s", whole <= FILE_TARGET)
        )  # fmt: skip
    return rows


def kernel_rows(sizes: Sizes) -> list[Row]:
    """The kernel's process beside the deciding one, both from a problem file."""
    rows = []
    for n in sizes.kernel:
        problem = random_problem(n)
        with tempfile.TemporaryDirectory() as folder:
            path, certificate = Path(folder) / "problem.json", Path(folder) / "certificate"
            path.write_text(json.dumps(_as_file(problem)), "utf-8")
            write_verdict(certificate, path, problem, certify(problem), attest=False)
            decide = [sys.executable, "-m", "pfverify", "certify", str(path)]
            kernel, command, bare = times(
                lambda path=path, certificate=certificate: check(path, certificate),
                lambda decide=decide: subprocess.run(
                    decide, check=True, stdout=subprocess.DEVNULL, env=STARTED
                ),
                lambda problem=problem: certify(problem),
                repeats=sizes.repeats,
            )
        rows.append(
            ratio_row(
                "kernel check, whole process", n, kernel, "pfverify certify, whole process",
                command, f"<= {KERNEL_TARGET}", kernel <= KERNEL_TARGET * command,
            )
        )  # fmt: skip
        rows.append(
            ratio_row(
                "kernel check, whole process", n, kernel, "whole certify() call", bare,
                f"<= {BARE_TARGET}", kernel <= BARE_TARGET * bare,
            )
        )  # fmt: skip
    return rows


def _as_file(problem: Problem) -> dict[str, object]:
    priors = {
        secret: {
            "kind": "discrete",
            "counts": dict(zip(map(str, prior.points), prior.weights, strict=True)),
        }
        for secret, prior in next(iter(problem.beliefs.values())).items()
    }
    return {
        "schema": "pfverify/problem/1",
        "epsilon": EPSILON,
        "noise": {"kind": "laplace", "scale": SCALE},
        "priors": priors,
    }


def plan_rows(sizes: Sizes) -> list[Row]:
    """Exact plans and distances beside POT's float ones, on the same sorted input."""
    import ot

    rng, n = Random(11), sizes.plan
    first, second = (
        Discrete(counts={k: rng.randint(1, 1000) for k in range(n)}) for _ in range(2)
    )
    points = np.arange(n, dtype=float)
    p, q = (np.array(d.weights, dtype=float) / d.total for d in (first, second))
    exact, tuples, floats = times(
        lambda: monotone_arrays(first, second),
        lambda: monotone_plan(first, second).edges,
        lambda: ot.emd_1d(points, points, p, q, dense=False),
        repeats=sizes.repeats,
    )
    side = sizes.plane
    left, right = (
        {(rng.randint(0, 999), rng.randint(0, 999)): 1 for _ in range(2 * side)} for _ in range(2)
    )
    laws = [{xy: Fraction(1, side) for xy in list(law)[:side]} for law in (left, right)]
    places = [np.array(list(law), dtype=float) for law in laws]
    costs = np.linalg.norm(places[0][:, None] - places[1][None], axis=2)
    even = np.full(side, 1 / side)
    plane = EuclideanPlane()
    infinity, mean, emd = times(
        lambda: w_infinity(*laws, plane),
        lambda: w_1(*laws, plane),
        lambda: ot.emd(even, even, costs),
        repeats=3,
    )
    name = f"{side} x {side}"
    census = load_example("census")
    (item,) = census.questions()
    lines, verdict = times(
        lambda: coupling_lp(item.first_prior, item.second_prior, census.epsilon),
        lambda: certify(census),
        repeats=sizes.repeats,
    )
    return [
        ratio_row("exact monotone plan, arrays", n, exact, "POT emd_1d(dense=False), floats",
                   floats, f"<= {PLAN_TARGET}", exact <= PLAN_TARGET * floats),
        ratio_row("exact monotone plan, tuples", n, tuples, "POT emd_1d(dense=False), floats",
                   floats),
        Row("W-infinity in the plane, with Hall set", name, seconds_text(infinity),
            "POT emd (W1), floats, no proof", seconds_text(emd), f"{infinity / emd:,.0f}",
            "seconds", infinity < 10),
        Row("W1 in the plane, both bounds", name, seconds_text(mean),
            "POT emd (W1), floats, no proof", seconds_text(emd), f"{mean / emd:,.0f}"),
        ratio_row("best coupling (census), both proofs", 9, lines, "whole certify() call",
                   verdict),
    ]  # fmt: skip


def proof_row(sizes: Sizes) -> Row:
    """All proof files, in parallel."""
    paths = proof_files(ROOT / "proofs", sizes.proofs)
    start = perf_counter()
    outcomes = prove(paths)
    seconds = perf_counter() - start
    if any(outcome.failure for outcome in outcomes):
        raise RuntimeError("a proof file fails")
    total = sum(outcome.seconds for outcome in outcomes)
    return Row(
        "pfverify prove, all files", f"{len(paths)} files", seconds_text(seconds),
        "their seconds added up", seconds_text(total), f"{seconds / total:.1f}",
        f"<= {PROOFS_TARGET} s", seconds <= PROOFS_TARGET,
    )  # fmt: skip


def memory_row(sizes: Sizes) -> Row:
    """Peak of the memory that Python objects take during one verdict (tracemalloc)."""
    tracemalloc.start()
    work = Workload(random_problem(sizes.memory))
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    work.verdict()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Row(
        "extra memory of one verdict, at its peak",
        f"{sizes.memory:,}",
        f"{(peak - before) / 2**20:.3g} MiB",
        "priors and pair, already built",
        f"{before / 2**20:.3g} MiB",
        f"{(peak - before) / sizes.memory:,.0f} bytes per atom",
    )


def start_rows(sizes: Sizes) -> list[Row]:
    """Start-up times of fresh processes, beside an empty Python program."""
    commands = {
        "": ["-c", "pass"],
        "import pfverify": ["-c", "import pfverify"],
        "from pfverify import certify": ["-c", "from pfverify import certify"],
        "pfverify --help": ["-m", "pfverify", "--help"],
        "pfverify certify example:census": ["-m", "pfverify", "certify", "example:census"],
    }

    def start(arguments: list[str]) -> Callable[[], object]:
        return lambda: subprocess.run(
            [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=STARTED
        )

    empty, *others, census = times(*map(start, commands.values()), repeats=sizes.starts)
    rows = [
        Row(name, "", seconds_text(seconds), "empty Python program", seconds_text(empty),
            f"+{seconds_text(seconds - empty)}")
        for name, seconds in zip([*commands][1:-1], others, strict=True)
    ]  # fmt: skip
    asked = f"<= {CENSUS_TARGET}", census <= CENSUS_TARGET * empty
    return [*rows, ratio_row([*commands][-1], "", census, "empty Python program", empty, *asked)]


def all_rows(sizes: Sizes) -> list[Row]:
    """Measure the whole table."""
    return [
        *verdict_rows(sizes),
        grid_row(sizes),
        *minimum_rows(sizes),
        *delta_rows(sizes),
        *counts_rows(sizes),
        *kernel_rows(sizes),
        *coq_rows({n: toml_text(_as_file(random_problem(n))) for n in sizes.coq},
                  sizes.coq_examples, min(sizes.repeats, 3)),
        *plan_rows(sizes),
        *secrets_rows(sizes.secrets, min(sizes.repeats, 3)),
        *smooth_rows(sizes.smooth, sizes.repeats),
        *curve_rows(sizes.curve, sizes.sigmas, sizes.repeats),
        *system_rows(sizes.users, sizes.repeats),
        *view_rows(toml_text(_as_file(random_problem(sizes.views.atoms))), sizes.views,
                   min(sizes.repeats, 3)),
        *channel_rows(sizes.channels, min(sizes.repeats, 3)),
        *tuple_rows(sizes.tuples, min(sizes.repeats, 3)),
        *chain_rows(sizes.records),
        *several_rows(sizes.several, min(sizes.repeats, 5)),
        *composed_rows(sizes.composed, min(sizes.repeats, 3)),
        *choice_rows(sizes.choices),
        *renyi_rows(sizes.renyi),
        *whole_curve_rows(sizes.curves_whole),
        *form_rows(sizes.forms),
        *family_rows(sizes.families, min(sizes.repeats, 3)),
        *step_rows(sizes.steps, min(sizes.repeats, 5)),
        *correlated_rows(sizes.correlated, min(sizes.repeats, 3)),
        *sampling_rows(sizes.draws, min(sizes.repeats, 3)),
        proof_row(sizes),
        memory_row(sizes),
        *start_rows(sizes),
    ]


def machine() -> str:
    """One line: processor, cores, Python and library versions."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, load {os.getloadavg()[1]:.1f}; "
        f"Python {platform.python_version()}; {libraries}"
    )


def markdown(rows: list[Row]) -> str:
    """The table as aligned markdown, the same text on the terminal and in RESULTS.md."""
    head = ["work", "size", "pfverify", "yardstick", "its time", "ratio", "target", "met"]
    answers = {None: "", True: "yes", False: "NO"}
    lines = [
        [r.work, r.size, r.time, r.yardstick, r.yardstick_time, r.ratio, r.target, answers[r.met]]
        for r in rows
    ]
    return aligned(head, lines, {1, 2, 4, 5})


def accuracy_markdown(rows: list[Accuracy]) -> str:
    """The table of what each way says about delta, beside the truth."""
    head = ["problem", "way", "time", "delta", "minus the truth", "says", "keeps it"]
    answers = {None: "", True: "yes", False: "NO"}
    lines = [
        [r.problem, r.way, r.time, r.value, r.gap, r.claim, answers[r.kept]] for r in rows
    ]
    return aligned(head, lines, {2, 3, 4})


def aligned(head: list[str], lines: list[list[str]], right: set[int]) -> str:
    """A markdown table with padded cells; `right` are the columns that end at the right."""
    widths = [max(len(line[k]) for line in [head, *lines]) for k in range(len(head))]

    def text(line: list[str]) -> str:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return "| " + " | ".join(cells) + " |"

    rule = [
        "-" * (width - 1) + ":" if k in right else "-" * width for k, width in enumerate(widths)
    ]
    return "\n".join([text(head), text(rule), *map(text, lines)])


def missed_markdown(rows: list[Row]) -> str:
    """What bounds each row that misses its target; a row without a reason says so."""
    lines = []
    for row in rows:
        if row.met is False:
            why = next((why for work, why in BOUNDED_BY.items() if row.work.startswith(work)), "?")
            lines.append(f"- {row.work} ({row.size}): {row.ratio} against {row.target}. {why}")
    return "\n".join(lines) or "None."


def growth_markdown(rows: list[Growth]) -> str:
    """The table of how each work grows."""
    return aligned(*growth_lines(rows), right=set())


def report(
    rows: list[Row], growth: list[Growth], accuracy: list[Accuracy], today: datetime.date
) -> str:
    """The whole of RESULTS.md."""
    return (
        "# Speed\n\n"
        f"Measured on {today.isoformat()} by `python tests/benchmarks/benchmark.py --write`, all "
        "in one run.\n\n"
        f"Machine: {machine()}.\n\n"
        "Times are medians of warm repetitions, taken in turns with the yardstick. A verdict "
        "decides the\ndensity ratio for all outputs, in both orders, and encloses both losses to "
        "12 digits. Two random\npriors on the atoms 0 .. n-1, Laplace noise of scale "
        f"{SCALE}, epsilon = {EPSILON}\n(certified at every size), except where a row says "
        f"otherwise. Size: atoms, or normal laws of both priors.\n\n{markdown(rows)}\n\n"
        f"## Targets that are missed, and what bounds them\n\n{missed_markdown(rows)}\n\n"
        "## Growth\n\n"
        "Each work at several sizes: the exponent is the slope of log time over log size by least "
        "squares\n(1: proportional), and that of the last step alone. Memory is the peak of the "
        "Python objects that the work\nadds to what it is given, in a run of its own. Pairs are "
        f"those of 5 to 42 secrets with {ATOMS_OF_SECRETS} atoms each.\n\n"
        f"{growth_markdown(growth)}\n\n"
        "## delta(1) beside an accountant\n\n"
        "Three problems under Gaussian noise of variance 1, at epsilon = 1. `normal`: 0 against 1, "
        "`discrete`: the\nsame under discrete Gaussian noise. `mixture`: the atoms 0, 1, 2 with "
        "mass 1/4, 1/2, 1/4 against 0, and\n`, reverse` the other order; a PLD answers with the "
        f"larger of the two. The truth is mpmath's to 50 digits.\n\n"
        f"{accuracy_version()}\n\n{accuracy_markdown(accuracy)}\n"
    )


def main() -> None:
    """Print the table; with --write, store it too."""
    parser = argparse.ArgumentParser(description="Measure pfverify beside its yardsticks.")
    parser.add_argument("--write", action="store_true", help=f"store the table in {RESULTS.name}")
    options = parser.parse_args()
    sizes = Sizes()
    growth = growth_rows(sizes.growth)
    accuracy = accuracy_rows(sizes.intervals)
    text = report(all_rows(sizes), growth, accuracy, datetime.date.today())
    print(text)
    if options.write:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
