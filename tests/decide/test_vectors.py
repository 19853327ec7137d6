"""Gaussian and discrete Gaussian noise on several numbers: one number, parts, couplings, and what
the kernel says."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import erf, exp, inf, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.kernel_run import accepted_certificate

from pfverify import (
    Coordinates,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    Joint,
    Laplace,
    Problem,
    Repeated,
    calibrate,
    certify,
)
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict
from pfverify.exact.refined import ends_of
from pfverify.model.digest import problem_digest
from pfverify.model.priors.discrete import Discrete

KNOWN = 0.241425713088802  # of the differences 1, 2, 1 with the scales 2, 3, 1 at epsilon 1


def joint(*rows: list[Any]) -> Joint:
    return Joint([f"x{k}" for k in range(len(rows[0]) - 1)], list(rows))


def asked(a: Any, b: Any, noise: Any, epsilon: Any = 1, delta: Any = "1/10") -> Problem:
    return Problem({"a": a, "b": b}, noise=noise, epsilon=epsilon, delta=delta)


def scaled(*scales: Any) -> Coordinates:
    return Coordinates(GaussianNoise(), scales)


def ends(problem: Problem, side: int = 0) -> tuple[float, float]:
    (item,) = problem.questions()
    low, high = ends_of(comparison(item)[side].exceeding(), 60)
    return float(low), float(high)


def normal(mu: float, epsilon: float) -> float:
    def below(x: float) -> float:
        return (1 + erf(x / sqrt(2))) / 2

    return below(mu / 2 - epsilon / mu) - exp(epsilon) * below(-mu / 2 - epsilon / mu)


ORIGIN, FAR = joint([0, 0, 0, 1]), joint([1, 2, 1, 1])


def test_two_points_are_one_number() -> None:
    low, high = ends(asked(ORIGIN, FAR, scaled(2, 3, 1)))
    assert low - 1e-14 <= KNOWN <= high + 1e-14
    assert high - low < 1e-12
    mu = sqrt(1 / 4 + 4 / 9 + 1)
    assert abs(normal(mu, 1) - KNOWN) < 1e-14


def test_the_order_of_the_coordinates_does_not_matter() -> None:
    wanted = ends(asked(ORIGIN, FAR, scaled(2, 3, 1)))
    for order in permutations(range(3)):
        far = joint([*([1, 2, 1][k] for k in order), 1])
        found = ends(asked(ORIGIN, far, scaled(*([2, 3, 1][k] for k in order))))
        assert found == pytest.approx(wanted, rel=1e-12)


def test_a_coordinate_is_two_of_half_its_precision() -> None:
    """One number with variance 4 is told as well as twice with variance 8, or with 12 and 6."""
    one = ends(asked(Discrete({0: 1}), Discrete({3: 1}), GaussianNoise(variance=4)))
    for first, second in ((8, 8), (12, 6)):
        roots = [f"exp(log({v})/2)" for v in (first, second)]
        two = ends(asked(joint([0, 0, 1]), joint([3, 3, 1]), scaled(*roots)))
        assert two == pytest.approx(one, rel=1e-12)


def test_points_on_a_line_are_one_number() -> None:
    """t -> (t, 2t) with the scales 2 and 3 is t with the variance 1/(1/4 + 4/9)."""
    a, b = {0: Fraction(1, 3), 1: Fraction(2, 3)}, {1: Fraction(1, 2), 3: Fraction(1, 2)}
    laws = [joint(*([t, 2 * t + 1, m] for t, m in law.items())) for law in (a, b)]
    noise = GaussianNoise(variance=Fraction(36, 25))
    for side in (0, 1):
        one = ends(asked(Discrete(a), Discrete(b), noise), side)
        assert ends(asked(*laws, scaled(2, 3)), side) == pytest.approx(one, rel=1e-12)


def test_one_scale_is_that_of_all() -> None:
    assert ends(asked(ORIGIN, FAR, GaussianNoise(2))) == ends(asked(ORIGIN, FAR, scaled(2, 2, 2)))


SPREAD = joint([0, 0, "1/3"], [1, 2, "2/3"]), joint([1, 0, "1/2"], [3, 6, "1/2"])


def cases(count: int) -> list[tuple[Joint, Joint]]:
    rng, found = Random(75), []
    for _ in range(count):
        laws = []
        for _ in range(2):
            points = rng.sample([*product(range(4), range(3))], rng.randint(2, 4))
            sizes = [rng.randint(1, 5) for _ in points]
            laws.append(joint(*([*x, Fraction(m, sum(sizes))]
                                for x, m in zip(points, sizes, strict=True))))  # fmt: skip
        found.append((laws[0], laws[1]))
    return found


def on_grid(laws: tuple[Joint, Joint], scales: tuple[float, float], epsilon: float) -> float:
    """The divergence of two coordinates by a sum over a fine grid."""
    step, total = 0.08, 0.0
    axes = [[k * step for k in range(int(-9 * s / step), int((4 + 9 * s) / step))] for s in scales]
    bells = [
        {v: [exp(-((y - v) ** 2) / (2 * s * s)) / (s * sqrt(2 * 3.141592653589793)) for y in axis]
         for v in range(5)}
        for axis, s in zip(axes, scales, strict=True)
    ]  # fmt: skip
    rows = [
        [(float(m), bells[0][int(x[0])], bells[1][int(x[1])]) for x, m in law.mass.items()]
        for law in laws
    ]
    for i in range(len(axes[0])):
        weights = [[(m * a[i], b) for m, a, b in row] for row in rows]
        for j in range(len(axes[1])):
            p, q = (sum(w * b[j] for w, b in row) for row in weights)
            total += max(0.0, p - exp(epsilon) * q) * step * step
    return total


@pytest.mark.parametrize("laws", cases(3), ids=repr)
def test_the_truth_lies_between_a_coupling_and_what_sums_tell(laws: tuple[Joint, Joint]) -> None:
    low, high = ends(asked(*laws, scaled(1, "3/2"), "1/2"))
    assert low - 1e-6 <= on_grid(laws, (1.0, 1.5), 0.5) <= high + 1e-6


@pytest.mark.parametrize("laws", cases(8), ids=repr)
def test_a_coupling_is_at_least_what_sums_tell(laws: tuple[Joint, Joint]) -> None:
    for epsilon, side in product(("0", "1/4", "log(3)"), (0, 1)):
        low, high = ends(asked(*laws, scaled(1, "3/2"), epsilon), side)
        assert 0 <= low <= high <= 1


def test_equal_laws_show_nothing() -> None:
    law = joint([0, 0, "1/3"], [1, 2, "1/3"], [1, 0, "1/3"])
    for noise, delta in product((scaled(2, 3), DiscreteGaussian(2)), (0, "1/100")):
        assert certify(asked(law, law, noise, 0, delta)).verdict is Verdict.CERTIFIED


def test_equal_coordinates_are_no_equal_laws() -> None:
    """Each coordinate alone has one law, and both together have two."""
    a = joint([0, 0, "1/2"], [3, 3, "1/2"])
    b = joint([0, 3, "1/2"], [3, 0, "1/2"])
    for noise in (GaussianNoise(1), DiscreteGaussian(1), Repeated(DiscreteGaussian(1), count=2)):
        problem = asked(a, b, noise, "1/10", "1/100")
        found = certify(problem)
        assert found.verdict is Verdict.REFUTED
        assert found.pairs[0].delta is not None
        assert found.pairs[0].delta.lower > Fraction(1, 10)
        assert accepted_certificate(problem.to_table(), problem, found)[1] == "refuted"


# ---------------------------------------------------------------- products of coordinates


def lattice(far: tuple[int, int], variances: tuple[float, float], epsilon: float) -> float:
    """The divergence of two points with discrete Gaussian noise, output by output."""
    axes = []
    for d, v in zip(far, variances, strict=True):
        values = range(-60, 61)
        whole = sum(exp(-(y * y) / (2 * v)) for y in values)
        axes.append([
            (exp(-(y * y) / (2 * v)) / whole, exp(-((y - d) ** 2) / (2 * v)) / whole)
            for y in values
        ])
    return sum(max(0.0, p * r - exp(epsilon) * q * s) for p, q in axes[0] for r, s in axes[1])


@pytest.mark.parametrize("epsilon", ["1/2", "1"])
def test_coordinates_of_a_point_are_independent(epsilon: str) -> None:
    noise = Coordinates(DiscreteGaussian(), [2, 3])
    low, high = ends(asked(joint([0, 0, 1]), joint([1, 2, 1]), noise, epsilon))
    truth = lattice((1, 2), (4.0, 9.0), float(Fraction(epsilon)))
    assert low - 1e-12 <= truth <= high + 1e-12
    assert high - low <= 2e-3 * high


def test_equal_coordinates_are_many_releases_of_one() -> None:
    """A point (x, x) with one noise is two releases of x."""
    for noise in (DiscreteGaussian(3), Laplace(5), DiscreteLaplace(5, 1)):
        one = Repeated(noise, count=6)
        two = Repeated(noise, count=3)
        released = ends(asked(Discrete({0: 1}), Discrete({1: 1}), one))
        coordinates = ends(asked(joint([0, 0, 1]), joint([1, 1, 1]), two))
        assert released == pytest.approx(coordinates, rel=3e-3)
        assert max(released[0], coordinates[0]) <= min(released[1], coordinates[1])


def test_many_releases_of_a_point_are_decided() -> None:
    problem = asked(
        joint([0, 0, 1]), joint([1, 2, 1]),
        Repeated(Coordinates(Laplace(), [20, 30]), count=50), 2, "1/1000",
    )  # fmt: skip
    assert certify(problem).verdict is Verdict.CERTIFIED
    assert certify(problem.replaced(delta="1/10000")).verdict is Verdict.REFUTED
    found = certify(problem).pairs[0].loss
    assert float(found.lower) <= 50 * (1 / 20 + 2 / 30) <= float(found.upper)


# ---------------------------------------------------------------- certificates


NOISES = {
    "gaussian": scaled(2, 3),
    "one scale": GaussianNoise(2),
    "roots": scaled("exp(log(2)/2)", 3),
    "three": Repeated(scaled(4, 5), count=3),
    "discrete": Coordinates(DiscreteGaussian(), [2, 3]),
    "discrete, twice": Repeated(Coordinates(DiscreteGaussian(), [4, 5]), count=2),
    "laplace, often": Repeated(Coordinates(Laplace(), [20, 30]), count=20),
    "lattice, often": Repeated(DiscreteLaplace(8, 1), count=5),
}
LAWS = {
    "points": (joint([0, 0, 1]), joint([1, 2, 1])),
    "same": (joint([1, 2, 1]), joint([1, 2, 1])),
    "one moves": (joint([0, 1, 1]), joint([0, 3, 1])),
    "line": (joint([0, 0, "1/3"], [1, 2, "2/3"]), joint([1, 2, "1/2"], [2, 4, "1/2"])),
    "spread": (joint([0, 0, "1/3"], [1, 2, "2/3"]), joint([1, 0, "1/2"], [3, 3, "1/2"])),
}
STEPS = [{"coordinate": "x1", "round": {"to": 1}}]


def agreed(problem: Problem, folder: Path) -> Verdict:
    """The verdict, whose certificate the kernel accepts."""
    found = certify(problem)
    if found.verdict is not Verdict.UNDECIDED:
        problem.save(folder / "problem.toml")
        found.write(folder / "a.cert", problem=folder / "problem.toml")
    return found.verdict


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.usefixtures("kernel_here")
def test_the_kernel_agrees(name: str, laws: str, tmp_path: Path) -> None:
    first = asked(*LAWS[laws], NOISES[name], "1/2", "9/20")
    assert agreed(first, tmp_path) is Verdict.CERTIFIED
    less = first.replaced(delta="1/100000")
    wanted = Verdict.CERTIFIED if laws == "same" else Verdict.REFUTED
    assert agreed(less, tmp_path) is wanted


@pytest.mark.parametrize("name", ["gaussian", "discrete"])
@pytest.mark.parametrize("laws", ["points", "line", "spread"])
@pytest.mark.usefixtures("kernel_here")
def test_the_kernel_agrees_behind_steps(name: str, laws: str, tmp_path: Path) -> None:
    """What certifies the numbers before the steps is told from what certifies the outputs."""
    priors = dict(zip("ab", LAWS[laws], strict=True))
    problem = Problem(priors, noise=NOISES[name], epsilon="1/2", delta="9/20", post=STEPS)
    assert agreed(problem, tmp_path) is Verdict.CERTIFIED
    assert agreed(problem.replaced(delta=0), tmp_path) is Verdict.REFUTED


def test_variances_stand_in_a_digest() -> None:
    roots = asked(ORIGIN, FAR, scaled("exp(log(4)/2)", 3, 1))
    assert problem_digest(roots) == problem_digest(asked(ORIGIN, FAR, scaled(2, 3, 1)))


# ---------------------------------------------------------------- scales


@pytest.mark.usefixtures("kernel_here")
def test_the_least_scale_is_that_of_the_one_number(tmp_path: Path) -> None:
    """mu is in inverse proportion to the first scale."""
    one = asked(Discrete({0: 1}), Discrete({1: 1}), GaussianNoise(), 1, "1/100")
    least = float(calibrate(one).minimum.upper)
    problem = asked(ORIGIN, FAR, scaled(2, 3, 1), 1, "1/100")
    found = calibrate(problem)
    mu = 2 * sqrt(1 / 4 + 4 / 9 + 1)  # at the first scale 1
    assert float(found.minimum.upper) == pytest.approx(least * mu, rel=1e-9)
    problem.save(tmp_path / "problem.toml")
    found.write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")


@pytest.mark.usefixtures("kernel_here")
def test_no_scale_meets_delta_0(tmp_path: Path) -> None:
    problem = asked(ORIGIN, FAR, scaled(2, 3, 1), 1, 0)
    found = calibrate(problem)
    assert found.minimum.upper == inf
    problem.save(tmp_path / "problem.toml")
    found.write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")


@pytest.mark.usefixtures("kernel_here")
def test_points_on_no_line_have_a_least_scale_between_two(tmp_path: Path) -> None:
    """The lower end is refuted, the upper one certified, and what is between is undecided."""
    problem = asked(*SPREAD, scaled(2, 3))
    found = calibrate(problem)
    least = found.minimum
    lower, upper = Fraction(least.lower), Fraction(least.upper)
    assert 0 < lower < upper < 2 * lower
    wanted = {lower: "refuted", (lower + upper) / 2: "undecided", upper: "certified"}
    for scale, verdict in wanted.items():
        assert certify(problem.replaced(scale=scale)).verdict == verdict
    assert "undecided" in str(least.reason)
    problem.save(tmp_path / "problem.toml")
    found.write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")


def test_points_on_no_line_need_no_noise_where_delta_allows_all() -> None:
    assert calibrate(asked(*SPREAD, scaled(2, 3), 1, 1)).minimum.upper == "0"


CROSSED = joint([0, 0, "1/2"], [1, 1, "1/2"]), joint([0, 1, "1/2"], [1, 0, "1/2"])


@pytest.mark.parametrize("laws", [SPREAD, CROSSED], ids=["a coordinate", "a sum"])
@pytest.mark.usefixtures("kernel_here")
def test_a_sum_says_that_no_scale_meets_delta_0(laws: tuple[Joint, Joint], tmp_path: Path) -> None:
    problem = asked(*laws, scaled(2, 3), 1, 0)
    found = calibrate(problem)
    assert found.minimum.upper == inf
    assert "delta = 0" in str(found.minimum.reason)
    problem.save(tmp_path / "problem.toml")
    found.write(tmp_path / "a.cert", problem=tmp_path / "problem.toml")


def test_with_delta_0_a_scale_off_a_line_is_not_searched_for() -> None:
    """Extreme points have the same mass, and what is inside differs: nothing is known of it."""
    corners = [[0, 0, "1/4"], [2, 0, "1/4"], [0, 2, "1/4"]]
    laws = (joint(*corners, [y, y, "1/4"]) for y in ("1/2", "1/3"))
    least = calibrate(asked(*laws, scaled(1, 2), "1/10", 0)).minimum
    assert least.verdict is Verdict.UNDECIDED
    assert "several directions" in str(least.reason)


def test_discrete_gaussian_scales_are_tried_one_by_one() -> None:
    noise = Coordinates(DiscreteGaussian(), [20, 30])
    found = calibrate(asked(joint([0, 0, 1]), joint([1, 2, 1]), noise, 1, "1/100"), digits=3)
    assert found.methods["tried"].certified
