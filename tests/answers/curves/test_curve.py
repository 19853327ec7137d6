"""Whole curves against computations that share nothing with them, at thousands of places."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, GaussianNoise, InputError, Laplace, NoNoise, Problem, check
from pfverify.answers.curves import alarms
from pfverify.answers.curves.curve import curve
from pfverify.answers.curves.result import CurveResult
from pfverify.answers.profile import band
from pfverify.edge.packaged import example_path
from pfverify.exact.enclosure import Enclosure

DENSE = 10_000
UNIFORM, POINT = Discrete(dict.fromkeys(range(5), "1/5")), Discrete({2: 1})
FIVE = Problem(priors={"U": UNIFORM, "T": POINT}, noise=Laplace(3), epsilon=1)
GAUSSIAN = Problem(
    priors={"a": Discrete({0: "1/2", 2: "1/2"}), "b": Discrete({0: "1/4", 1: "3/4"})},
    noise=GaussianNoise(variance="4"), epsilon=1, delta="1/10",
)  # fmt: skip


def packaged(name: str) -> Problem:
    return Problem.load(example_path(name))


Densities = tuple[np.ndarray, np.ndarray]


def densities(problem: Problem) -> Densities:
    """The masses of many small cells under both laws, in floats."""
    (item,) = problem.questions()
    x = np.linspace(-60, 64, 400_001)
    middle = (x[1:] + x[:-1]) / 2
    scale = float(Fraction(problem.scale().text))
    laplace = problem.noise.kind == "laplace"

    def law(prior: object) -> np.ndarray:
        assert isinstance(prior, Discrete)
        found = np.zeros_like(middle)
        for atom, mass in prior.mass.items():
            far = np.abs(middle - float(atom)) / scale
            found += float(mass) * np.exp(-far if laplace else -far * far / 2)
        return found / found.sum()

    return law(item.first_prior), law(item.second_prior)


class Truth:
    """The divergences and tests of two laws of many cells, sorted by their ratio."""

    def __init__(self, p: np.ndarray, q: np.ndarray) -> None:
        by = np.argsort(-p / np.maximum(q, 1e-300))
        self.ratio = (p / np.maximum(q, 1e-300))[by]
        self.p = np.concatenate([[0], np.cumsum(p[by])])
        self.q = np.concatenate([[0], np.cumsum(q[by])])

    def delta(self, growth: np.ndarray) -> np.ndarray:
        at = np.searchsorted(-self.ratio, -growth)
        return self.p[at] - growth * self.q[at]

    def misses(self, alarm: np.ndarray) -> np.ndarray:
        """The least chance of keeping Q though P is true, if Q is rejected with this chance."""
        return 1 - np.interp(alarm, self.q, self.p)


def truths(problem: Problem) -> tuple[Truth, Truth]:
    p, q = densities(problem)
    return Truth(p, q), Truth(q, p)


TINY = 1e-6  # by which the cells may be off


@pytest.mark.parametrize("problem", [FIVE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_delta_is_between_its_bounds_everywhere(problem: Problem) -> None:
    found = curve(problem)
    assert found.widest.upper <= Fraction(1, 10_000)
    largest = np.zeros(DENSE)
    top = float(found.curve[-1].growth)
    growths = np.linspace(1, top, DENSE)
    for pair, truth in zip(found.pairs, truths(problem), strict=True):
        at = [float(point.growth) for point in pair.points]
        above = np.interp(growths, at, [float(point.delta.upper) for point in pair.points])
        exact = truth.delta(growths)
        assert np.all(exact <= above + TINY)
        assert np.all(exact >= above - float(pair.widest.upper) - TINY)
        largest = np.maximum(largest, exact)
    at = [float(point.growth) for point in found.curve]
    above = np.interp(growths, at, [float(point.delta.upper) for point in found.curve])
    assert np.all(largest <= above + TINY)
    lower = np.array([float(point.delta.lower) for point in found.curve])
    exact = np.maximum(*(truth.delta(np.array(at)) for truth in truths(problem)))
    assert np.all(lower <= exact + TINY)


@pytest.mark.parametrize("problem", [FIVE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_errors_of_tests_are_between_their_bounds_everywhere(problem: Problem) -> None:
    found = curve(problem, "trade-off")
    assert found.widest.upper <= Fraction(1, 10_000)
    chances = np.linspace(0, 1, DENSE)
    (known,) = found.known
    for order, truth in ((0, truths(problem)[1]), (1, truths(problem)[0])):
        exact = truth.misses(chances)  # P is rejected where q is larger
        bottom, top = (f(known.known(1 - order)) for f in (alarms.below, alarms.above))
        for alarm, value in list(zip(chances, exact, strict=True))[:: DENSE // 500]:
            at = Fraction(float(alarm))
            assert float(bottom.at(at)) - TINY <= value <= float(top.at(at)) + TINY
        points = found.pairs[order].points
        ends = [float(point.type_1) for point in points]
        above = np.interp(chances, ends, [float(point.type_2.upper) for point in points])
        assert np.all(exact <= above + TINY)


@pytest.mark.parametrize("problem", [FIVE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_chances_of_a_guess_are_between_their_bounds_everywhere(problem: Problem) -> None:
    found = curve(problem, "odds")
    assert found.widest.upper <= Fraction(1, 10_000)
    weights = np.linspace(0.01, 0.99, DENSE)
    for pair, (p, q) in zip(found.pairs, both_ways(densities(problem)), strict=True):
        at = [float(point.weight) for point in pair.points]
        assert at == sorted(at)
        above = np.interp(weights, at, [float(point.success.upper) for point in pair.points])
        truth = Truth(p, q)
        exact = 1 - weights + weights * truth.delta((1 - weights) / weights)
        assert np.all(exact <= above + TINY)
        assert np.all(exact >= above - float(pair.widest.upper) - TINY)


def both_ways(laws: Densities) -> tuple[Densities, Densities]:
    return laws, laws[::-1]


def test_divergences_are_between_their_bounds_everywhere() -> None:
    found = curve(FIVE, "renyi", start="5/4", end=8, gap="1/1000")
    assert found.widest.upper <= Fraction(1, 1000)
    orders = np.linspace(1.25, 8, DENSE)
    p, q = densities(FIVE)
    for pair, (a, b) in zip(found.pairs, both_ways((p, q)), strict=True):
        ratio = np.log(a / b)
        at = [float(point.order) for point in pair.points]
        some = orders[:: DENSE // 200]
        exact = np.array([np.log(np.sum(a * np.exp((x - 1) * ratio))) / (x - 1) for x in some])
        upper = np.array([float(point.divergence.upper) for point in pair.points])
        grown = (np.array(at) - 1) * upper
        above = np.interp(some, at, grown) / (some - 1)
        assert np.all(exact <= above + TINY)
        assert np.all(exact >= above - float(pair.widest.upper) - TINY)
        dense = np.interp(orders, at, grown) / (orders - 1)
        assert np.all(np.diff(dense) >= -float(pair.widest.upper))


def test_the_divergence_of_an_order_is_what_loss_says() -> None:
    found = curve(FIVE, "renyi", start="3/2", end=2, gap="1/1000")
    divergences = {(pair.from_, point.order): point.divergence
                   for pair in found.pairs for point in pair.points}  # fmt: skip
    known = {("U", Fraction(2)): "0.0209575773157", ("T", Fraction(2)): "0.0247692003518",
             ("U", Fraction(3, 2)): "0.0161974872328", ("T", Fraction(3, 2)): "0.0181175420005"}
    for key, value in known.items():
        one = divergences[key]
        assert one.lower <= Fraction(value) + Fraction(1, 10**12)
        assert one.upper >= Fraction(value) - Fraction(1, 10**12)
        assert one.width < Fraction(1, 10**9)


def test_the_error_where_a_threshold_test_jumps() -> None:
    found = curve(FIVE, "trade-off", start="1/2", end="1/2", gap="1e-12")
    by_name = {(pair.from_, pair.to): pair.points for pair in found.pairs}
    ((point,), other) = by_name["T", "U"], by_name["U", "T"]
    assert point.type_1 == Fraction(1, 2)
    assert point.type_2 == Enclosure("0.442670510425", "0.442670510426")
    assert other[0].type_2.lower > point.type_2.upper


masses = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)


@settings(max_examples=30, deadline=None)
@given(masses, masses, st.integers(1, 300))
def test_what_a_channel_tells_is_between_the_bounds(
    first: list[int], second: list[int], k: int
) -> None:
    rows = [[Fraction(x, sum(law)) for x in law] for law in (first, second)]
    table = {"kind": "matrix", "inputs": ["a", "b"], "outputs": list("wxyz"), "notion": "dp",
             "rows": [[str(x) for x in row] for row in rows]}  # fmt: skip
    problem = Problem.from_table(
        {"schema": "pfverify/problem/1", "epsilon": "1", "channel": table}
    )
    found = curve(problem, end=1, gap="1/100")
    (pair,) = found.known
    growth = 1 + Fraction(k, 300)
    for order, (p, q) in ((0, rows), (1, rows[::-1])):
        exact = sum(max(a - growth * b, Fraction(0)) for a, b in zip(p, q, strict=True))
        lower, upper = band(pair.known(order), growth)
        assert lower <= exact <= upper <= lower + Fraction(1, 100)


def test_points_of_the_problem_are_the_largest_of_all_pairs() -> None:
    found = curve(packaged("noisy-max"), gap="1e-3")
    assert found.curve[0].delta.upper == max(pair.points[0].delta.upper for pair in found.pairs)
    growths = [point.growth for point in found.curve]
    assert growths == sorted(growths)
    assert growths[0] == 1
    assert all(a.delta.upper >= b.delta.upper for a, b in pairwise(found.curve))


@pytest.mark.parametrize("kind", ["profile", "trade-off", "odds", "renyi"])
@pytest.mark.parametrize("problem", [FIVE, GAUSSIAN], ids=["laplace", "gaussian"])
def test_the_kernel_accepts_the_whole_curve(kind: str, problem: Problem, tmp_path: Path) -> None:
    found: CurveResult = curve(problem, kind, gap="1/100")
    file, proof = tmp_path / "problem.toml", tmp_path / "curve.cert"
    problem.save(file)
    found.write(proof, problem=file)
    answer = check(file, proof)
    assert answer.word == "curve"
    assert answer.valid
    assert not answer.certified


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("profile", {"start": -1}, "--from: -1 is below 0"),
        ("profile", {"start": 2, "end": 1}, "2 is above 1"),
        ("profile", {"end": 101}, "above 100"),
        ("profile", {"gap": 0}, "--gap"),
        ("profile", {"gap": 1}, "--gap"),
        ("profile", {"start": "zero"}, "--from"),
        ("trade-off", {"end": 2}, "chances in"),
        ("trade-off", {"start": "sqrt(1/2)"}, "rational"),
        ("odds", {"start": 0}, "weights in"),
        ("odds", {"end": 1}, "weights in"),
        ("power", {}, "none of profile"),
        ("renyi", {"start": 1}, "orders above 1"),
        ("renyi", {"end": 1001}, "up to 1000"),
    ],
)
def test_a_range_that_is_none_is_refused(
    kind: str, options: dict[str, int | str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        curve(FIVE, kind, **options)  # type: ignore[arg-type]


def test_a_problem_without_such_curves_is_refused() -> None:
    pointwise = Problem(priors={"U": UNIFORM, "T": POINT}, noise=Laplace(3), epsilon=1,
                        form="pointwise")  # fmt: skip
    with pytest.raises(InputError, match="pointwise has no curve"):
        curve(pointwise)
    with pytest.raises(InputError, match="multiplied by a distance"):
        curve(packaged("close-beliefs-fail"))
    with pytest.raises(InputError, match="scale"):
        curve(Problem(priors={"U": UNIFORM, "T": POINT}, noise=Laplace(), epsilon=1))


def test_a_logarithm_is_an_exact_end() -> None:
    found = curve(FIVE, start="log(3/2)", end="log(2)", gap="1/100")
    assert (found.curve[0].growth, found.curve[-1].growth) == (Fraction(3, 2), 2)


def test_an_output_of_one_law_alone_leaves_the_bound_at_0_open() -> None:
    half = Problem(priors={"a": Discrete({0: "1/2", 1: "1/2"}), "b": POINT}, noise=NoNoise(),
                   epsilon=1)  # fmt: skip
    found = curve(half, "trade-off", start="1/100", gap="1/100")
    assert found.widest.upper <= Fraction(1, 100)
    assert len(curve(half, "trade-off", gap="1/100").known[0].found[0]) < 60


def test_equal_laws_have_the_curve_of_no_difference() -> None:
    same = Problem(priors={"a": UNIFORM, "b": UNIFORM}, noise=Laplace(3), epsilon=1)
    assert [point.delta.upper for point in curve(same).curve] == [0] * len(curve(same).curve)
    (point,) = curve(same, "trade-off", start="1/4", end="1/4").curve
    assert point.type_2 == Enclosure("0.75", "0.75")
