"""Vectors with Laplace noise: the grid against brute force, quadrature, one number, and itself."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from support.kernel_run import accepted_certificate

from pfverify import Discrete, DiscreteLaplace, Laplace, Problem, certify, loss
from pfverify.answers.calibrate import calibrate
from pfverify.certificate.build import kernel_word
from pfverify.decide.grid.compared import both_orders
from pfverify.decide.grid.pair import GridPair
from pfverify.decide.grid.sandwich import Sandwich, divisions, growth_of
from pfverify.decide.grid.supremum import grid_supremum
from pfverify.errors import InputError
from pfverify.exact.number import number
from pfverify.laws.rate import Rate
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.systems.system import System
from pfverify.model.target import Target

Masses = dict[tuple[Fraction, ...], Fraction]
EQUAL = Joint(["a", "b"], [[0, 0, "1/2"], [1, 1, "1/2"]])
DIFFERENT = Joint(["a", "b"], [[0, 1, "1/2"], [1, 0, "1/2"]])
P = Joint(["x", "y"], [[0, 0, "1/2"], [1, 2, "1/4"], [3, 1, "1/4"]])
Q = Joint(["x", "y"], [[0, 1, "1/3"], [2, 2, "1/3"], [3, 0, "1/3"]])


def drawn(rng: random.Random, dimensions: int) -> tuple[Masses, Masses]:
    """Two random laws that share some points."""
    values = [[Fraction(rng.randint(-6, 6), rng.choice((1, 2))) for _ in range(3)]
              for _ in range(dimensions)]  # fmt: skip
    laws = []
    for _ in range(2):
        points = {tuple(rng.choice(own) for own in values) for _ in range(rng.randint(1, 5))}
        weights = [rng.randint(1, 9) for _ in points]
        laws.append({x: Fraction(w, sum(weights))
                     for x, w in zip(points, weights, strict=True)})  # fmt: skip
    return laws[0], laws[1]


def density(law: Masses, scales: Sequence[float], y: np.ndarray) -> np.ndarray:
    """A density, up to its constant, at rows of outputs."""
    points = np.array([[float(x) for x in point] for point in law])
    masses = np.array([float(mass) for mass in law.values()])
    distance = (abs(y[:, None, :] - points[None]) / np.array(scales)).sum(axis=2)
    return np.exp(-distance) @ masses


def brute(seed: int, count: int, outputs: int) -> int:
    """Compare sup p/q on the grid with random outputs; how many pairs differed at all."""
    rng, seen = random.Random(seed), 0
    for _ in range(count):
        dimensions = rng.randint(1, 4)
        laws = drawn(rng, dimensions)
        scales = [Fraction(rng.randint(1, 12), rng.randint(1, 4)) for _ in range(dimensions)]
        pair = GridPair(laws, [Rate(number(s)) for s in scales], None, ["c"] * dimensions)
        noise = np.random.default_rng(rng.randrange(1 << 30))
        y = noise.uniform(-9, 9, size=(outputs, dimensions))
        floats = [float(s) for s in scales]
        ratio = np.log(density(laws[0], floats, y) / density(laws[1], floats, y))
        for reverse, order in enumerate(both_orders(pair, TARGET)):
            found = order.supremum.ball(64).midpoint()  # type: ignore[attr-defined]
            worst = float((-ratio if reverse else ratio).max())
            assert worst <= found + 1e-9, (laws, scales)
            seen += found > 1e-9
    return seen


TARGET = Target(number(1), number(0))


def test_no_output_beats_the_grid() -> None:
    assert brute(1, 60, 2000) > 80


@pytest.mark.long
def test_no_output_beats_the_grid_at_length() -> None:
    assert brute(2, 5000, 4000) > 8000


def test_a_point_is_asked_for_its_exact_sign_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more points than are asked one by one, and however often the precision rises."""
    rate, asked = Rate(number(1)), []
    tied = [{(Fraction(x), Fraction(y)): Fraction(1, 12) for y in range(12)} for x in (0, 1)]
    pair = GridPair((tied[0], tied[1]), [rate, rate], None, ["x", "y"])

    def unknown(_: GridPair, point: tuple[Fraction, ...], epsilon: object, **kwargs: bool) -> None:
        asked.append((point, epsilon, kwargs["reverse"]))

    top = grid_supremum(pair, reverse=False)
    assert top.decided(number(1)).sign == 0
    assert len(top.decided(number(1)).ties) == 12
    monkeypatch.setattr(GridPair, "exact_sign", unknown)
    assert grid_supremum(pair, reverse=False).against(number(1)) == (None, ())
    assert len(asked) == len({point for point, *_ in asked}) == 12


def test_known_values() -> None:
    each = Problem({"e": EQUAL, "d": DIFFERENT}, noise=Laplace(1), epsilon="1/2")
    assert str(loss(each).epsilon_star.lower).startswith("0.43378083048")  # log cosh 1
    scales = Coordinates(Laplace(), ["1", "2"])
    unequal = Problem({"e": EQUAL, "d": DIFFERENT}, noise=scales, epsilon=1)  # type: ignore[arg-type]
    a, b = 1.0, 0.5
    known = math.log(math.cosh((a + b) / 2) / math.cosh((a - b) / 2))
    assert float(loss(unequal).epsilon_star.upper) == pytest.approx(known, abs=1e-11)
    assert str(calibrate(each).minimum.upper) == "0.921626281653"
    tied = each.replaced(epsilon="log(2)", scale="1/log(2+sqrt(3))")
    result = certify(tied)
    assert result.certified
    assert result.pairs[0].tie
    other = Problem({"p": P, "q": Q}, noise=Coordinates(Laplace(), ["1", "3/2"]), epsilon=1)  # type: ignore[arg-type]
    found = loss(other)
    assert str(found.epsilon_star.lower).startswith("0.977625422994")
    assert found.worst.y == "(0, 0)"


@pytest.mark.parametrize("index", [0, 1])
def test_each_coordinate_alone_leaks_nothing(index: int) -> None:
    alone = Problem(
        {"e": EQUAL.marginal([index]), "d": DIFFERENT.marginal([index])},
        noise=Laplace("1/100"), epsilon=0,
    )  # fmt: skip
    assert certify(alone).certified
    together = Problem({"e": EQUAL, "d": DIFFERENT}, noise=Laplace(100), epsilon=0)
    assert certify(together).refuted


def test_one_coordinate_is_one_number() -> None:
    rng, seen = random.Random(3), set()
    for _ in range(40):
        p, q = drawn(rng, 1)
        joint = {"p": Joint.of(["x"], p), "q": Joint.of(["x"], q)}
        plain = {"p": Discrete({x: m for (x,), m in p.items()}),
                 "q": Discrete({x: m for (x,), m in q.items()})}  # fmt: skip
        scale, epsilon = Fraction(rng.randint(1, 9), 2), Fraction(rng.randint(1, 30), 10)
        delta = rng.choice([Fraction(0), Fraction(1, 20)])
        noise = Laplace(scale) if rng.random() < 0.5 else DiscreteLaplace(scale, "1/2")
        made = [Problem(priors, noise=noise, epsilon=epsilon, delta=delta)
                for priors in (joint, plain)]  # fmt: skip
        one, other = (certify(problem) for problem in made)
        assert one.verdict is other.verdict
        seen.add(one.verdict)
        left, right = loss(made[0]), loss(made[1])
        for name in ("epsilon_star", "delta"):
            a, b = getattr(left, name), getattr(right, name)
            assert a.lower <= b.upper
            assert b.lower <= a.upper
        assert left.epsilon_star.text == right.epsilon_star.text
    assert len(seen) == 2


def divergence(laws: tuple[Masses, Masses], scales: Sequence[float], epsilon: float) -> float:
    """The hockey-stick divergence in two coordinates by a fine sum over the middles of boxes."""
    axes = []
    for k in range(2):
        values = [float(point[k]) for law in laws for point in law]
        edge = np.linspace(min(values) - 12 * scales[k], max(values) + 12 * scales[k], 1201)
        axes.append(edge)
    middles = [(edge[1:] + edge[:-1]) / 2 for edge in axes]
    area = (axes[0][1] - axes[0][0]) * (axes[1][1] - axes[1][0])
    total = 0.0
    for x in middles[0]:
        y = np.stack([np.full(len(middles[1]), x), middles[1]], axis=1)
        gap = density(laws[0], scales, y) - math.exp(epsilon) * density(laws[1], scales, y)
        total += np.maximum(gap, 0).sum()
    return float(total * area / (4 * scales[0] * scales[1]))


def test_both_bounds_of_delta_hold_and_meet() -> None:
    rng = random.Random(4)
    for _ in range(3):
        laws = drawn(rng, 2)
        scales, epsilon = [Fraction(1), Fraction(3, 2)], Fraction(rng.randint(0, 8), 10)
        pair = GridPair(laws, [Rate(number(s)) for s in scales], None, ["x", "y"])
        growth, truth = growth_of(Target(number(epsilon), number(0))), divergence(
            laws, [float(s) for s in scales], float(epsilon)
        )
        last = None
        for cuts in divisions(pair, 1 << 15):
            ends = Sandwich(pair, cuts).ends(growth, reverse=False)
            assert ends.lower <= truth + 2e-4
            assert ends.upper >= truth - 2e-4
            if last is not None:
                assert ends.upper <= last.upper + 1e-12
            last = ends
        assert last is not None
        assert last.upper - last.lower < 1e-3


def test_on_a_lattice_both_bounds_meet() -> None:
    rng = random.Random(5)
    for _ in range(4):
        laws = drawn(rng, 2)
        scales, epsilon = [Fraction(1), Fraction(2, 3)], Fraction(1, 4)
        pair = GridPair(laws, [Rate(number(s)) for s in scales], Fraction(1, 2), ["x", "y"])
        growth = growth_of(Target(number(epsilon), number(0)))
        ends = Sandwich(pair, divisions(pair, 1 << 16)[-1]).ends(growth, reverse=False)
        steps = range(-60, 61)
        factors = [math.exp(-0.5 / float(s)) for s in scales]
        front = math.prod((1 - t) / (1 + t) for t in factors)
        y = np.array([[i / 2, j / 2] for i, j in product(steps, steps)])
        floats = [float(s) for s in scales]
        gap = density(laws[0], floats, y) - math.exp(0.25) * density(laws[1], floats, y)
        truth = front * float(np.maximum(gap, 0).sum())
        assert ends.lower == pytest.approx(truth, abs=1e-9)
        assert ends.upper == pytest.approx(truth, abs=1e-9)


def test_projections_permutations_and_units() -> None:
    rng, seen = random.Random(6), 0
    for _ in range(25):
        p, q = (Joint.of(["x", "y", "z"], law) for law in drawn(rng, 3))
        scales = [Fraction(rng.randint(1, 6)) for _ in range(3)]

        def found(p: Joint, q: Joint, scales: Sequence[Fraction]) -> tuple[float, float]:
            rates = [Rate(number(scale)) for scale in scales]
            orders = both_orders(GridPair((p.mass, q.mass), rates, None, p.names), TARGET)
            value = max(order.supremum.ball(64).midpoint() for order in orders)  # type: ignore[attr-defined]
            return value - 1e-12, value + 1e-12

        whole = found(p, q, scales)
        turned = [2, 0, 1]
        again = found(p.marginal(turned), q.marginal(turned), [scales[k] for k in turned])
        assert again == pytest.approx(whole, abs=1e-12)
        part = found(p.marginal([0, 2]), q.marginal([0, 2]), [scales[0], scales[2]])
        assert part[0] <= whole[1]
        seen += part[1] < whole[0]
        larger = [Joint.of(law.names, {tuple(3 * x for x in point): mass
                                       for point, mass in law.mass.items()})
                  for law in (p, q)]  # fmt: skip
        thrice = found(larger[0], larger[1], [3 * s for s in scales])
        assert thrice == pytest.approx(whole, abs=1e-12)
        more = found(p, q, [scales[0] * 2, scales[1], scales[2]])
        assert more[0] <= whole[1]  # F44
        reach = sum(
            (max(a) - min(a)) / s
            for a, s in zip(zip(*p.mass, *q.mass, strict=True), scales, strict=True)
        )
        assert whole[0] <= float(reach) + 1e-12  # F43
    assert seen > 10


def test_far_points_and_tiny_scales() -> None:
    far = Joint(["x", "y"], [[0, 0, "1/2"], [10**6, -(10**6), "1/2"]])
    near = Joint(["x", "y"], [[0, 1, "1/3"], [10**6, 0, "2/3"]])
    problem = Problem({"f": far, "n": near}, noise=Laplace("1/10"), epsilon="10000005")
    found = loss(problem)
    assert 9_999_990 < float(found.epsilon_star.lower) < 10_000_020
    assert certify(problem).verdict.value in ("certified", "refuted")
    tiny = Problem({"f": EQUAL, "n": DIFFERENT}, noise=Laplace("1/100000"), epsilon=99_999)
    assert float(loss(tiny).epsilon_star.lower) == pytest.approx(100_000 - math.log(2), abs=1)


def test_a_grid_that_is_too_large_names_the_coordinate_to_bin() -> None:
    rows = [[k, 2 * k, 3 * k, "1/500"] for k in range(500)]
    wide = Joint(["x", "y", "z"], rows)  # type: ignore[arg-type]
    problem = Problem({"a": wide, "b": Joint(["x", "y", "z"], [[0, 0, 0, 1]])},
                      noise=Laplace(1), epsilon=1)  # fmt: skip
    with pytest.raises(InputError, match="bin the coordinate 'x'"):
        certify(problem)


def test_without_noise_the_points_are_published() -> None:
    problem = Problem({"e": EQUAL, "d": DIFFERENT}, noise=Laplace(0), epsilon=5)
    result = certify(problem)
    assert result.refuted
    assert result.pairs[0].witness is not None
    same = Problem({"e": EQUAL, "d": Joint(["a", "b"], [[0, 0, "1/3"], [1, 1, "2/3"]])},
                   noise=Laplace(0), epsilon="log(3/2)")  # fmt: skip
    assert certify(same).certified
    assert str(calibrate(same).minimum.upper) == "0"


def test_a_growth_of_what_floats_lose_is_counted() -> None:
    """What Q has is below the normal numbers, and e**epsilon lifts it: delta is 1.1e-46."""
    lost, kept = Fraction(3, 2**1075), Fraction(7, 2**152)
    p = Joint(["x"], [[0, 1 - kept], [1, kept]])
    q = Joint(["x"], [[0, 1 - lost], [1, lost]])
    asked = Problem({"p": p, "q": q}, noise=Laplace("1/2000"), epsilon=640, delta="1e-60")
    assert not certify(asked).certified
    assert loss(asked).delta.upper >= Fraction(1, 10**46)


def test_delta_one_is_met_whatever_the_ratio() -> None:
    asked = Problem({"p": P, "q": Q}, noise=Laplace("1/1000"), epsilon=0, delta=1)
    assert kernel_word(asked.to_table()) == "certified"


def test_places_beyond_floats() -> None:
    wide = {
        "a": Joint(["x", "y"], [[0, 0, "1/2"], [10**400, 1, "1/2"]]),
        "b": Joint(["x", "y"], [[0, 1, "1/2"], [10**400, 0, "1/2"]]),
    }
    near = {
        name: Joint(["x", "y"], [[min(x, 1), y, m] for (x, y), m in law.mass.items()])
        for name, law in wide.items()
    }
    for delta, words in ((0, ("certified", "refuted")), ("1/10", ("certified", "undecided"))):
        found = certify(Problem(wide, noise=Laplace(1), epsilon=1, delta=delta))
        assert found.verdict.value in words
    # as far apart as can be, y tells x's own: the loss of y alone given x
    far = loss(Problem(wide, noise=Laplace(1), epsilon=1)).epsilon_star
    assert float(far.lower) == pytest.approx(1)
    assert float(loss(Problem(near, noise=Laplace(1), epsilon=1)).epsilon_star.upper) < 1


# ---------------------------------------------------------------- any number of coordinates


def points(rng: random.Random, size: int) -> tuple[Joint, Joint, list[Fraction]]:
    """Two single points, and a scale for every coordinate."""
    names = [f"w{k}" for k in range(size)]
    laws = [Joint(names, [[*(Fraction(rng.randint(-8, 8), 2) for _ in names), 1]])
            for _ in range(2)]  # fmt: skip
    return laws[0], laws[1], [Fraction(rng.randint(1, 9), rng.randint(1, 3)) for _ in names]


def summed(p: Joint, q: Joint, scales: Sequence[Fraction]) -> Fraction:
    """The loss of two single points: what the coordinates lose alone adds up."""
    ((x,), (y,)) = p.mass, q.mass
    return sum((abs(a - b) / s for a, b, s in zip(x, y, scales, strict=True)), Fraction(0))


def test_losses_of_points_add_whatever_their_number() -> None:
    rng, seen = random.Random(8), set()
    for size in (1, 2, 9, 33, 64):
        for way in (-1, 0, 1):
            p, q, scales = points(rng, size)
            total = summed(p, q, scales)
            noise = Laplace() if rng.random() < 0.5 else DiscreteLaplace(step="1/2")
            each = Coordinates(noise, scales)  # type: ignore[arg-type]
            epsilon = total + Fraction(way, 1000)
            asked = Problem({"p": p, "q": q}, noise=each, epsilon=max(epsilon, 0))  # type: ignore[arg-type]
            result = certify(asked)
            word = "refuted" if way < 0 < total else "certified"
            assert accepted_certificate(asked.to_table(), asked, result)[1] == word
            assert Fraction(str(loss(asked).epsilon_star.upper)) - total < Fraction(1, 10**9)
            assert Fraction(str(loss(asked).epsilon_star.lower)) <= total
            if result.refuted:
                assert result.pairs[0].witness is not None
                at = result.pairs[0].witness.point or ()
                assert [Fraction(str(x)) for x in at] == [*next(iter(p.mass))]
            seen.add((word, result.pairs[0].tie))
    assert seen == {("certified", False), ("certified", True), ("refuted", False)}


def test_the_sum_and_the_grid_are_two_routes() -> None:
    rng = random.Random(9)
    for size in (1, 2, 3, 6):
        p, q, scales = points(rng, size)
        pair = GridPair((p.mass, q.mass), [Rate(number(s)) for s in scales], None, p.names)
        total = float(summed(p, q, scales))
        for reverse in (False, True):
            assert float(pair.logs[0].max()) == pytest.approx(total)  # of all 2**size points
            assert pair.about(reverse=reverse) == pytest.approx(total)


def test_the_least_scale_of_many_points_is_exact() -> None:
    rng = random.Random(10)
    p, q, _ = points(rng, 20)
    least = summed(p, q, [Fraction(1)] * 20) / 2
    found = calibrate(Problem({"p": p, "q": q}, noise=Laplace(), epsilon=2))
    assert Fraction(str(found.methods["ranges"].scale)) == least
    assert Fraction(str(found.minimum.upper)) == least
    assert 0 < least - Fraction(str(found.minimum.lower)) < Fraction(1, 10**8)
    assert "at most 8 coordinates, and X has 20" in found.not_applicable["added"]


def test_a_delta_of_many_points_is_certified_by_the_ratio_or_left_open() -> None:
    p, q, _ = points(random.Random(11), 40)
    total = summed(p, q, [Fraction(1)] * 40)
    asked = Problem({"p": p, "q": q}, noise=Laplace(1), epsilon=total, delta="1/10")
    result = certify(asked)
    assert accepted_certificate(asked.to_table(), asked, result)[1] == "certified"
    below = certify(asked.replaced(epsilon=total - 1))
    assert below.undecided
    assert "a grid that bounds delta has too many points" in str(below.pairs[0].reason)
    assert str(loss(asked.replaced(epsilon=total - 1)).delta.upper) == "1"


@pytest.mark.parametrize(("delta", "count"), [("0", 8), ("1/20", 4)])
def test_what_both_laws_have_alike_cancels(delta: str, count: int) -> None:
    """Coordinates with one value say nothing: as many as one likes leave every answer."""
    rng, seen = random.Random(12), set()
    for _ in range(count):
        laws = drawn(rng, 2)
        small = [Joint.of(["x", "y"], law) for law in laws]
        names = [*(f"c{k}" for k in range(35)), "x", *(f"d{k}" for k in range(6)), "y"]
        wide = [Joint.of(names, {(*[Fraction(3)] * 35, x, *[Fraction(-1)] * 6, y): mass
                                 for (x, y), mass in law.items()}) for law in laws]  # fmt: skip
        noise = Laplace(2) if rng.random() < 0.5 else DiscreteLaplace(2, step="1/2")
        epsilon = Fraction(rng.randint(1, 40), 8)
        few, many = (
            Problem({"p": p, "q": q}, noise=noise, epsilon=epsilon, delta=delta)
            for p, q in (small, wide)
        )
        one, other = certify(few), certify(many)
        assert one.verdict is other.verdict
        seen.add(one.verdict.value)
        for a, b in zip(one.pairs, other.pairs, strict=True):
            assert a.loss == b.loss
            if a.delta is not None and b.delta is not None:
                assert float(a.delta.lower) == pytest.approx(float(b.delta.lower), abs=1e-9)
                assert float(a.delta.upper) == pytest.approx(float(b.delta.upper), abs=1e-9)
        if not other.undecided:
            assert accepted_certificate(many.to_table(), many, other)[1] == other.verdict
    assert {"certified", "refuted"} <= seen


@pytest.mark.parametrize(("epsilon", "word"), [("1", "certified"), ("0.99", "refuted")])
@pytest.mark.parametrize("delta", ["0", "1/1000"])
def test_a_histogram_of_any_number_of_categories(epsilon: str, word: str, delta: str) -> None:
    """One person's change moves two cells by one each: 2/scale; who is absent, one by one."""
    cells = [f"age {k}" for k in range(12)]
    user = {name: {"point": name} for name in cells} | {"away": "absent"}
    system = System(others=[{"point": "age 0", "count": 19000}], user=user, rest="any",
                    release="histogram", categories=cells)  # fmt: skip
    asked = Problem(system=system, noise=Laplace(2), epsilon=epsilon, delta=delta)
    result = certify(asked)
    assert accepted_certificate(asked.to_table(), asked, result)[1] == word
    lost = {("away" in (pair.from_, pair.to)): str(pair.loss.upper) for pair in result.pairs}
    assert lost == {False: "1", True: "0.5"}
    if delta == "0":
        least = Fraction(str(calibrate(asked).minimum.upper))
        assert 0 <= least - 2 / Fraction(epsilon) < Fraction(1, 10**10)


def test_a_wide_grid_of_no_single_points_says_what_has_no_limit() -> None:
    names = [f"w{k}" for k in range(23)]
    low, high = [0] * 23, [1] * 23
    priors = {"a": Joint(names, [[*low, "1/2"], [*high, "1/2"]]),
              "b": Joint(names, [[*low, "1/3"], [*high, "2/3"]])}  # fmt: skip
    with pytest.raises(InputError, match=r"8388608 points, more than 4000000 \(single points"):
        certify(Problem(priors, noise=Laplace(1), epsilon=1))
