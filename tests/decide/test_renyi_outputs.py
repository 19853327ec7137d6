"""Divergences of several outputs of one X, of vectors and of parts, against sums and quadrature."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
from decide.test_renyi import POINT, UNIFORM, divergences, kernel_word, mp, problem
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate

from pfverify import (
    Budget,
    Coordinates,
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Joint,
    Laplace,
    Problem,
    Repeated,
    calibrate,
    certify,
    loss,
)
from pfverify.model.notion import Renyi

TWO = Repeated(Laplace("1/log(2)"), count=2)
NAMES = ["x", "y"]


def joint(law: Any) -> Joint:
    return Joint(NAMES, [[*x, mass] for x, mass in law.items()])


def vectors(p: Any, q: Any, noise: Any, order: object, epsilon: object = 1) -> Problem:
    return Problem({"a": joint(p), "b": joint(q)}, noise=noise, epsilon=epsilon, form=Renyi(order))


def test_known_value_of_two_releases_of_one_x() -> None:
    """R of the uniform law against the point is 2701/1600, more than (347/300)^2."""
    asked = problem(UNIFORM, POINT, TWO, 2, "log(2701/1600)")
    signs = {pair.from_: (pair.verdict.value, pair.tie) for pair in certify(asked).pairs}
    assert signs == {"a": ("certified", True), "b": ("certified", False)}
    assert kernel_word(asked) == "certified"
    low, high = divergences(asked)["a"]
    assert float(low) <= float(mpmath.log(mpmath.mpf(2701) / 1600)) <= float(high)
    assert high - low < Fraction(1, 10**11)
    less = asked.replaced(epsilon=Fraction("0.5236184455"))
    assert kernel_word(less) == "refuted"
    assert kernel_word(asked.replaced(epsilon="3/5")) == "certified"


def test_what_is_between_is_said_with_both_ends() -> None:
    """Of four outputs no cells are looked at."""
    many = problem(UNIFORM, POINT, Repeated(Laplace("1/log(2)"), count=4), 2, "1/2")
    (reason,) = {pair.reason for pair in certify(many).pairs if pair.from_ == "b"}
    low, high = divergences(many)["b"]
    assert reason == (
        f"the divergence lies between what is known of it from below, about {float(low):.6g}, and "
        f"from above, about {float(high):.6g}"
    )
    assert high > 2 * low


def test_cells_bound_the_other_order_closely() -> None:
    """Of two outputs, by a rule of Gauss between the atoms in floats: 0.33403.."""
    asked = problem(UNIFORM, POINT, TWO, 2)
    low, high = divergences(asked)["b"]
    scale = 1 / np.log(2)
    ends = np.array([2 - 40 * scale, 2 - 12 * scale, 2 - 5 * scale, *range(5), 2 + 5 * scale,
                     2 + 12 * scale, 2 + 40 * scale])  # fmt: skip
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half, middle = np.diff(np.sort(ends)) / 2, (np.sort(ends)[1:] + np.sort(ends)[:-1]) / 2
    at, by = (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()
    one = [np.exp(-np.abs(at - x) / scale) / (2 * scale) for x in range(5)]
    q = sum(np.multiply.outer(k, k) for k in one) / 5
    p = np.multiply.outer(one[2], one[2])
    truth = np.log((np.multiply.outer(by, by) * p * p / q).sum())
    assert float(low) < truth < float(high)
    assert high - low < Fraction(1, 500)
    near = problem(UNIFORM, POINT, TWO, 3, "7/10")  # of the order 3, by both programs
    assert kernel_word(near) in ("certified", "refuted")
    assert kernel_word(near) == str(certify(near).verdict)


def by_tuples(p: Discrete, origin: Fraction, scales: list[str], order: int) -> Any:
    """The finite sum by brute force: over all tuples, each integral by quadrature."""
    total = mpmath.mpf(0)
    for chosen in product(p.mass.items(), repeat=order):
        term = mpmath.fprod(mp(mass) for _, mass in chosen)
        for text in scales:
            width = mp(Fraction(text))

            def h(y: Any, width: Any = width, xs: Any = tuple(x for x, _ in chosen)) -> Any:
                far = mpmath.fsum(abs(y - mp(x)) for x in xs) - (order - 1) * abs(y - mp(origin))
                return mpmath.exp(-far / width) / (2 * width)

            places = sorted({mp(x) for x, _ in chosen} | {mp(origin)})
            ends = [places[0] - 45 * width, *places, places[-1] + 45 * width]
            term *= mpmath.quad(h, ends)
        total += term
    return mpmath.log(total) / (order - 1)


@pytest.mark.parametrize("order", [2, 3])
def test_releases_of_a_law_against_a_point_by_all_tuples(order: int) -> None:
    p, q = Discrete({0: "1/2", 1: "1/3", 3: "1/6"}), Discrete({1: 1})
    asked = problem(p, q, Repeated(Laplace(), scales=["1", "2"]), order)
    low, high = divergences(asked)["a"]
    with mpmath.workdps(20):
        value = by_tuples(p, Fraction(1), ["1", "2"], order)
        assert mp(low) - mpmath.mpf("1e-10") <= value <= mp(high) + mpmath.mpf("1e-10")
    assert high - low < Fraction(1, 10**10)


def on_lattice(p: Any, q: Any, scales: list[float], order: float) -> float:
    """The divergence with discrete Laplace noise of step 1, by a sum over the outputs in floats."""
    axes = [np.arange(min(x[k] for x in (*p, *q)) - 90, max(x[k] for x in (*p, *q)) + 91)
            for k in range(len(scales))]  # fmt: skip

    def masses(law: Any) -> Any:
        total: Any = 0.0
        for x, mass in law.items():
            found: Any = np.array(float(mass))
            for at, place, scale in zip(axes, x, scales, strict=True):
                t = np.exp(-1 / scale)
                one = (1 - t) / (1 + t) * t ** np.abs(at - float(place))
                found = np.multiply.outer(found, one)
            total = total + found
        return total

    one, two = masses(p), masses(q)
    return float(np.log((two * (one / two) ** order).sum()) / (order - 1))


places = st.tuples(st.integers(0, 3), st.integers(0, 3))


def laws(of: Any, size: int) -> Any:
    found = st.dictionaries(of, st.integers(1, 4), min_size=1, max_size=size)
    return found.map(lambda w: {x: Fraction(n, sum(w.values())) for x, n in w.items()})


TEXTS, ORDERS = ["1/2", "1", "2"], ["2", "3", "3/2", "5/2"]


def check(asked: Problem, p: Any, q: Any, scales: list[str]) -> None:
    order = asked.notion.order  # type: ignore[attr-defined]
    sizes = [float(Fraction(x)) for x in scales]
    found = divergences(asked)
    for (one, two), secret in (((p, q), "a"), ((q, p), "b")):
        truth = on_lattice(one, two, sizes, float(order))
        low, high = map(float, found[secret])
        assert low - 1e-9 <= truth <= high + 1e-9
        exact = len(two) == 1 and (order.denominator == 1 or len(one) == 1)
        assert not exact or high - low < 1e-9 * max(1, high)
    if not (decided := certify(asked)).reasons:
        assert accepted_certificate(asked.to_table(), asked, decided)[1] == str(decided.verdict)


@settings(max_examples=5, deadline=None)
@given(laws(st.integers(0, 3), 3), laws(st.integers(0, 3), 2), st.sampled_from(TEXTS),
       st.sampled_from(TEXTS), st.sampled_from(ORDERS))  # fmt: skip
def test_releases_of_one_x_against_a_sum_over_all_outputs(
    p: Any, q: Any, first: str, second: str, order: str
) -> None:
    noise = Repeated(DiscreteLaplace(1, step=1), scales=[first, second])
    asked = problem(Discrete(p), Discrete(q), noise, order)
    both = [{(x, x): mass for x, mass in law.items()} for law in (p, q)]
    check(asked, *both, [first, second])


@settings(max_examples=5, deadline=None)
@given(laws(places, 3), laws(places, 2), st.sampled_from(TEXTS), st.sampled_from(TEXTS),
       st.sampled_from(ORDERS))  # fmt: skip
def test_several_numbers_against_a_sum_over_all_outputs(
    p: Any, q: Any, first: str, second: str, order: str
) -> None:
    noise = Coordinates(DiscreteLaplace(1, step=1), [first, second])
    check(vectors(p, q, noise, order), p, q, [first, second])


def on_plane(p: Any, q: Any, sizes: list[float], order: float) -> float:
    """The divergence with Gaussian noise, by the trapezoidal rule in floats."""
    at = np.arange(-16, 20, 1 / 16)

    def density(law: Any) -> Any:
        total: Any = 0.0
        for x, mass in law.items():
            each = [np.exp(-(((at - float(m)) / s) ** 2) / 2) / s for m, s in zip(x, sizes,
                                                                                strict=True)]
            total = total + float(mass) * np.multiply.outer(*each)
        return total / (2 * np.pi)

    one, two = density(p), density(q)
    whole = (two * (one / two) ** order).sum() / 256
    return float(np.log(whole) / (order - 1))


@settings(max_examples=8, deadline=None)
@given(laws(places, 3), laws(places, 2), st.sampled_from(["2", "3", "3/2"]))
def test_points_with_gaussian_noise_against_a_sum_on_the_plane(p: Any, q: Any, order: str) -> None:
    asked = vectors(p, q, Coordinates(GaussianNoise(), ["3/2", "2"]), order)
    for (one, two), secret in (((p, q), "a"), ((q, p), "b")):
        truth = on_plane(one, two, [1.5, 2.0], float(Fraction(order)))
        low, high = map(float, divergences(asked)[secret])
        assert low - 1e-6 <= truth <= high + 1e-6  # the sum on the plane is off by 2e-7
    assert certify(asked).reasons or kernel_word(asked) == str(certify(asked).verdict)


def test_points_on_a_line_with_gaussian_noise_are_one_number() -> None:
    p, q = {(0, 0): "1/2", (2, 2): "1/2"}, {(1, 1): "1/3", (2, 2): "2/3"}
    asked = vectors(p, q, GaussianNoise(variance=2), "5/2")
    one = Problem(
        {"a": Discrete({0: "1/2", 2: "1/2"}), "b": Discrete({1: "1/3", 2: "2/3"})},
        noise=GaussianNoise(variance=1), epsilon=1, form=Renyi("5/2"),
    )  # fmt: skip
    found = divergences(asked)
    for secret, (low, high) in divergences(one).items():
        assert found[secret][0] <= high
        assert low <= found[secret][1]
    assert kernel_word(asked) == str(certify(asked).verdict)


def test_two_points_add_up_over_outputs_whatever_the_order() -> None:
    p, q = {(0, 0): 1}, {(1, 2): 1}
    each = [divergences(problem(Discrete({0: 1}), Discrete({d: 1}), Laplace(s), "7/3"))["a"]
            for d, s in ((1, 1), (2, 3))]  # fmt: skip
    low, high = divergences(vectors(p, q, Coordinates(Laplace(), [1, 3]), "7/3"))["a"]
    assert abs(float(low - sum(x for x, _ in each))) < 1e-10
    assert abs(float(high - sum(x for _, x in each))) < 1e-10
    tie = Repeated(Laplace("1/log(2)"), count=4)
    asked = problem(Discrete({0: 1}), Discrete({1: 1}), tie, 2, "4*log(17/12)")
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"


def test_gaussian_ties_of_several_numbers() -> None:
    """a d^2/(2 v) of either coordinate: 2*1/(2*1) + 2*4/(2*4)."""
    asked = vectors({(0, 0): 1}, {(1, 2): 1}, Coordinates(GaussianNoise(), [1, 2]), 2, 2)
    assert [pair.tie for pair in certify(asked).pairs] == [True, True]
    assert kernel_word(asked) == "certified"
    assert kernel_word(asked.replaced(epsilon="199/100")) == "refuted"


def test_releases_of_several_numbers() -> None:
    p, q = {(0, 0): "1/2", (1, 1): "1/2"}, {(0, 1): 1}
    asked = vectors(p, q, Repeated(DiscreteLaplace(2, step=1), count=2), 2)
    both = [{(*x, *x): Fraction(m) for x, m in law.items()} for law in (p, q)]
    R = 0.0  # of the order 2, over pairs of points, all outputs independent
    t = np.exp(-0.5)
    at = np.arange(-80, 81)

    def one(d: int, e: int) -> float:
        mass = (1 - t) / (1 + t) * t ** (np.abs(at - d) + np.abs(at - e) - np.abs(at))
        return float(mass.sum())

    for (x, m), (y, n) in product(both[0].items(), repeat=2):
        term = float(m * n)
        for place, origin in ((0, 0), (1, 1), (2, 0), (3, 1)):
            term *= one(x[place] - origin, y[place] - origin)
        R += term
    low, high = map(float, divergences(asked)["a"])
    assert low - 1e-9 <= np.log(R) <= high + 1e-9
    assert kernel_word(asked) == str(certify(asked).verdict)


def test_a_total_is_one_release_of_all() -> None:
    asked = problem(UNIFORM, POINT, Budget(Laplace(), "1/2"), "5/2", "1/5")
    assert divergences(asked) == divergences(problem(UNIFORM, POINT, Laplace(2), "5/2"))
    assert kernel_word(asked) == str(certify(asked).verdict)


PART = {"noise": {"kind": "laplace", "scale": "3"}, "priors": {
    "a": UNIFORM.to_table(), "b": POINT.to_table()}}  # fmt: skip


def of_parts(*parts: Any, epsilon: str = "1", order: str = "2") -> Problem:
    return Problem.from_table({"schema": "pfverify/problem/1", "epsilon": epsilon, "form": "renyi",
                               "order": order, "parts": list(parts)})  # fmt: skip


def test_divergences_of_parts_add_up() -> None:
    normal = {**PART, "noise": {"kind": "gaussian", "scale": "2"}, "times": 3}
    asked = of_parts(PART, normal, order="5/2")
    one = divergences(problem(UNIFORM, POINT, Laplace(3), "5/2"), 20)
    two = divergences(problem(UNIFORM, POINT, GaussianNoise(2), "5/2"), 20)
    for secret, (low, high) in divergences(asked, 18).items():
        assert low <= one[secret][1] + 3 * two[secret][1]
        assert one[secret][0] + 3 * two[secret][0] <= high
    assert kernel_word(asked) == str(certify(asked).verdict)


def test_a_part_that_is_known_between_bounds_stays_so() -> None:
    same = {**PART, "noise": {"kind": "laplace", "scale": "3", "releases": 2}}
    asked = of_parts(PART, same)
    one = divergences(problem(UNIFORM, POINT, Laplace(3), 2))
    two = divergences(problem(UNIFORM, POINT, Repeated(Laplace(3), count=2), 2))
    found = divergences(asked)
    for secret in "ab":
        assert abs(found[secret][0] - one[secret][0] - two[secret][0]) < Fraction(1, 10**9)
        assert abs(found[secret][1] - one[secret][1] - two[secret][1]) < Fraction(1, 10**9)
    for epsilon, verdict in (("1/2", "certified"), ("1/100", "refuted")):
        assert kernel_word(of_parts(PART, same, epsilon=epsilon)) == verdict


@pytest.mark.parametrize(
    "asked",
    [
        problem(UNIFORM, POINT, Repeated(Laplace(), count=2), 2, "1/2"),
        vectors({(0, 0): "1/2", (1, 1): "1/2"}, {(0, 1): 1}, Coordinates(Laplace(), [1, 2]), 3),
        vectors({(0, 0): "1/2", (1, 1): "1/2"}, {(0, 1): 1}, GaussianNoise(), 2),
        problem(UNIFORM, POINT, Budget(Laplace(), None), 2, "1/2"),
    ],
)
def test_the_least_scale_is_between_two_that_are_decided(asked: Problem) -> None:
    found = calibrate(asked).minimum
    assert 0 < found.lower <= found.upper
    assert certify(asked.replaced(scale=str(found.upper))).certified
    assert certify(asked.replaced(scale=str(found.lower))).refuted


def test_no_noise_is_needed_and_none_is_enough() -> None:
    near = {(0, 0): "1/2", (1, 1): "1/2"}, {(0, 0): "2/5", (1, 1): "3/5"}
    assert calibrate(vectors(*near, Laplace(), 2)).minimum.upper == 0
    assert calibrate(vectors(*near, Laplace(), 2, 0)).minimum.upper == "inf"
    same = vectors(near[0], near[0], Coordinates(Laplace(), [1, 1]), 2, 0)
    assert certify(same).certified
    assert kernel_word(same) == "certified"


@pytest.mark.parametrize(
    ("noise", "prior"),
    [
        (Repeated(Laplace(1), count=3), Gaussian(0, variance=1)),
        (Repeated(GaussianNoise(1), count=3, draws="fresh"), joint({(0, 0): 1})),
    ],
)
def test_what_is_not_known_is_refused_by_name(noise: Any, prior: Any) -> None:
    for ask in (certify, loss):
        with pytest.raises(InputError, match=r"form: renyi|draws: fresh"):
            ask(Problem({"a": prior, "b": prior}, noise=noise, epsilon=1, form=Renyi(2)))


def test_a_law_against_a_point_with_gaussian_noise_is_exact() -> None:
    """Of halves at 0 and 2 against 0, variance 2: R = (3 + e^2)/4, for the order 2."""
    law = Discrete({0: "1/2", 2: "1/2"})
    asked = problem(law, Discrete({0: 1}), GaussianNoise(variance=2), 2, "log((3 + exp(2))/4)")
    signs = {pair.from_: (pair.verdict.value, pair.tie) for pair in certify(asked).pairs}
    assert signs == {"a": ("certified", True), "b": ("certified", False)}
    assert kernel_word(asked) == "certified"
    less = asked.replaced(epsilon="log((3 + exp(2))/4) - 1/1000000000")
    assert kernel_word(less) == "refuted"


@pytest.mark.parametrize("noise", [GaussianNoise(), Laplace()])
def test_coordinates_that_are_alike_tell_nothing_and_cost_nothing(noise: Any) -> None:
    """Each alone has the divergence 0, of which no ball tells a first digit."""
    p, q = {(0, 0): "1/2", (1, 1): "1/2"}, {(0, 1): "1/2", (1, 0): "1/2"}
    asked = vectors(p, q, Coordinates(noise, [1, 2]), 2)
    for low, high in divergences(asked).values():
        assert 0 <= low < high < Fraction(1, 2)
    assert kernel_word(asked) == "certified"


@pytest.mark.parametrize("first", [{-1: "1/6", 0: "5/6"}, {-3: 1}])
@pytest.mark.parametrize("noise", [Laplace(1), DiscreteLaplace(1, step=1)])
def test_order_1_of_several_outputs_is_refused_in_one_line(first: Any, noise: Any) -> None:
    """Their numbers R are 1 at the order 1, and say nothing."""
    for asked in (
        Problem({"a": Discrete(first), "b": Discrete({0: 1})}, noise=Repeated(noise, count=2),
                epsilon=1, form=Renyi(1)),
        vectors({(x, x): mass for x, mass in first.items()}, {(0, 0): 1}, noise, 1),
    ):  # fmt: skip
        with pytest.raises(InputError, match="order: 1 is not known of several outputs"):
            loss(asked)
