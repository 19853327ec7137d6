"""Densities, masses, distribution functions and log ratios, against mpmath from definitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from oracle_truth import (
    LATTICE,
    Truth,
    ctx,
    mpf,
    of_text,
    random_output,
    random_truth,
    real,
    rounded,
)

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Enclosure,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    oracle,
)

KINDS = {
    "laplace": ["few atoms", "tiny masses", "normals", "both"],
    "discrete-laplace": ["few atoms", "tiny masses"],
    "gaussian": ["few atoms", "tiny masses", "normals", "both"],
    "none": ["few atoms", "normals"],
    "discrete-gaussian": ["few atoms", "tiny masses"],
    "truncated-laplace": ["few atoms", "tiny masses"],
}
HALF = Fraction(1, 2**53)  # half a unit in the last place of 1
RESPONSE = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
LOCAL = Channel.of(
    {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "log(3)/2"}
)


def holds(found: Enclosure, truth: Any, digits: int) -> bool:
    """Whether an enclosure has the number (up to its rounding), and is as narrow as it says."""
    slack = abs(truth) / mpf(10) ** 90
    low, high = of_text(found.lower), of_text(found.upper)
    narrow = (high - low) * mpf(10) ** (digits - 1) <= 2.001 * max(abs(low), abs(high))
    return low <= truth + slack and truth - slack <= high and narrow


def cases() -> list[tuple[str, str, Random]]:
    return [
        (kind, shape, Random(f"{kind} {shape} {k}"))
        for kind, shapes in KINDS.items() for shape in shapes for k in range(6)
    ]  # fmt: skip


def test_laws_are_those_of_mpmath() -> None:
    reached: Counter[str] = Counter()
    for kind, shape, random in cases():
        truth = random_truth(random, kind, shape)
        places = [random_output(random, truth) for _ in range(5)]
        ys = [y for _, y in places]
        masses = kind in LATTICE or (kind == "none" and shape == "few atoms")
        weigh = oracle.mass if masses else oracle.density
        for ask, value in ((weigh, truth.weight), (oracle.cdf, truth.below)):
            floats = ask(truth.prior, truth.noise, ys, nearest=True)
            found = ask(truth.prior, truth.noise, ys, digits=20)
            for (where, y), near, enclosure in zip(places, floats, found, strict=True):
                real_value = value(y)
                assert near == rounded(real_value), (truth, y)
                assert holds(enclosure, real_value, 20), (truth, y)
                reached.update([kind, shape, where, f"{kind} {where}"])
                reached["underflow"] += near == 0 < real_value
                reached["tiny scale"] += truth.scale < Fraction(1, 10**4)
                reached["huge scale"] += truth.scale > 10**5
    assert len(reached) == 6 + 4 + 3 + 18 + 3
    assert min(reached.values()) >= 10, reached


def test_log_ratios_are_those_of_mpmath() -> None:
    reached: Counter[str] = Counter()
    for kind, shape, random in cases():
        p, q = (random_truth(random, kind, shape) for _ in range(2))
        shares = [w for w, _, _ in reversed(p.parts)]  # the same places, other weights
        same = [(w, m, v) for w, (_, m, v) in zip(shares, p.parts, strict=True)]
        q = Truth(random.choice([same, q.parts]), kind, p.scale)
        places = [random_output(random, p) for _ in range(3)]
        ys = [y for _, y in places if p.weight(y) + q.weight(y)]
        if not ys:
            continue
        floats = oracle.log_ratio(p.prior, q.prior, p.noise, ys, nearest=True)
        backward = oracle.log_ratio(q.prior, p.prior, p.noise, ys, nearest=True)
        either = oracle.log_ratio(p.prior, q.prior, p.noise, ys, nearest=True, both=True)
        assert (floats == -backward).all()
        assert (either == abs(floats)).all()
        for y, near in zip(ys, floats, strict=True):
            above, under = p.weight(y), q.weight(y)
            if above and under:
                assert near == rounded(ctx.log(above / under)), (p, q, y)
                reached[f"{kind} {shape}"] += 1
            else:
                assert near == (np.inf if above else -np.inf)
                reached["infinite"] += 1
    assert len(reached) == 16 + 1, reached
    assert sum(reached.values()) > 150


def test_the_distribution_function_rises_from_0_to_1_with_the_density_as_its_slope() -> None:
    for kind, shape in (("laplace", "both"), ("gaussian", "few atoms"), ("laplace", "few atoms")):
        truth = random_truth(Random(kind), kind, shape)
        truth = Truth(truth.parts, kind, Fraction(3))
        ys = [Fraction(k, 2) for k in range(-200, 200, 7)]
        assert (np.diff(oracle.cdf(truth.prior, truth.noise, ys, nearest=True)) >= 0).all()
        ends = oracle.cdf(truth.prior, truth.noise, [-(10**5), 10**5])
        assert ends[0].upper < Fraction(1, 10**100)
        assert ends[1].lower > 1 - Fraction(2, 10**11)
        assert ends[1].upper <= 1
        h = Fraction(1, 10**12)
        for y in (Fraction(1, 3), Fraction(-25, 7)):
            low, high = oracle.cdf(truth.prior, truth.noise, [y - h, y + h], digits=60)
            slope = (Fraction(high.lower) - Fraction(low.upper)) / (2 * h)
            here = Fraction(oracle.density(truth.prior, truth.noise, y, digits=30).lower)
            assert abs(slope / here - 1) < Fraction(1, 10**9)


def test_masses_on_a_lattice_are_the_jumps_of_the_distribution_function() -> None:
    prior, noise = Discrete({0: "1/3", 3: "2/3"}), DiscreteLaplace("5/2")
    below = oracle.cdf(prior, noise, [-3, "-5/2", -2, "-3/2"], digits=30)
    assert below[0].text == below[1].text
    assert below[2].text == below[3].text
    jump = Fraction(below[2].lower) - Fraction(below[1].lower)
    assert abs(jump - Fraction(oracle.mass(prior, noise, -2, digits=30).lower)) < 10**-25
    assert oracle.mass(prior, noise, "1/2").text == "0"


# ------------------------------------------------------------------- half-way between two floats


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # 1/(2 scale) is half-way from 1 to the next float, and from that to the one after
        (lambda: oracle.density(Discrete({0: 1}), Laplace(1 / (2 + 2 * HALF)), 0, nearest=True),
         1.0),
        (lambda: oracle.density(Discrete({0: 1}), Laplace(1 / (2 + 6 * HALF)), 0, nearest=True),
         1 + 2.0**-51),
        # a little more, or less, than that
        (lambda: oracle.density(Discrete({0: 1}), Laplace(1 / (2 + 2 * HALF + HALF**9)), 0,
                                nearest=True), 1 + 2.0**-52),
        (lambda: oracle.density(Discrete({0: 1}), Laplace(1 / (2 + 6 * HALF - HALF**9)), 0,
                                nearest=True), 1 + 2.0**-52),
        # |y| / scale
        (lambda: oracle.log_ratio(Discrete({0: 1}), Discrete({1: 1}), Laplace(1 / (1 + HALF)), -3,
                                  nearest=True), 1.0),
        (lambda: oracle.log_ratio(Discrete({1: 1}), Discrete({0: 1}), Laplace(1 / (1 + 3 * HALF)),
                                  -3, nearest=True), -1 - 2.0**-51),
        # 1/2 - y for normal laws of variance 1 around 0 and 1
        (lambda: oracle.log_ratio(Gaussian(0, 1), Gaussian(1, 1), NoNoise(),
                                  -Fraction(1, 2) - HALF, nearest=True), 1.0),
        (lambda: oracle.log_ratio(Discrete({0: 1}), Discrete({1: 1}), GaussianNoise(1),
                                  -Fraction(1, 2) - 3 * HALF, nearest=True), 1 + 2.0**-51),
        # t = 1/2: the mass at 0 is (1 + P(0))/6 = 1/4 + 2**-55
        (lambda: oracle.mass(Discrete({0: Fraction(1, 2) + 3 * HALF / 2,
                                       1: Fraction(1, 2) - 3 * HALF / 2}),
                             DiscreteLaplace("1/log(2)"), 0, nearest=True), 0.25),
        # half of a normal law, and an atom below it
        (lambda: oracle.cdf(Mixture([{"weight": 1 - HALF, "mean": 0, "variance": 1},
                                     {"weight": HALF, "mean": -5, "variance": 0}]), NoNoise(), 0,
                            nearest=True), 0.5),
        (lambda: oracle.mass(Discrete({0: HALF + 1 - 2 * HALF, 1: HALF}), NoNoise(), 0,
                             nearest=True), 1 - 2.0**-53),
        # half of the smallest float, and thrice that
        (lambda: oracle.density(Discrete({0: 1}), Laplace(2**1074), 0, nearest=True), 0.0),
        (lambda: oracle.density(Discrete({0: 1}), Laplace(Fraction(2**1074, 3)), 0, nearest=True),
         2.0**-1073),
        # log(p/q) exactly 0, where it is no rational number at sight
        (lambda: oracle.log_ratio(Gaussian(0, 1), Gaussian(1, 1), Laplace(1), "1/2", nearest=True),
         0.0),
    ],
)  # fmt: skip
def test_a_number_half_way_between_two_floats_goes_to_the_even_one(
    found: Any, expected: float
) -> None:
    assert found() == expected


def test_too_large_for_a_float_is_infinite_and_what_rounds_down_is_the_largest() -> None:
    largest = Fraction(2) ** 1024 - Fraction(2) ** 971
    half = largest + Fraction(2) ** 970
    point = Discrete({0: 1})
    for value, expected in ((half, np.inf), (half - 1, float(largest)), (10**400, np.inf)):
        assert oracle.density(point, Laplace(Fraction(1, 2) / value), 0, nearest=True) == expected


def test_what_is_too_small_to_write_is_near_0_and_what_is_far_is_worked_out() -> None:
    """Outputs of the size of the largest float; mixtures and atoms."""
    far = np.array([1e300, -1e300])
    for prior in (Gaussian(0, 1), Discrete({0: 1})):
        found = oracle.density(prior, Laplace(3), far, exact=True)
        assert (found.lower[0], found.upper[0]) == (0, Fraction(1, 10**5000))
        assert not oracle.density(prior, Laplace(3), far, exact=True, nearest=True).any()
        levels = oracle.cdf(prior, Laplace(3), far, exact=True, nearest=True)
        assert levels.tolist() == [1, 0]
    third = oracle.log_ratio(Gaussian(0, 1), Gaussian(1, 1), Laplace(3), far, exact=True)
    assert (third[0].upper < -0.33, third[1].lower > 0.33) == (True, True)
    normals = Gaussian(0, 1), Gaussian(1, 1)
    line = oracle.log_ratio(*normals, NoNoise(), far, exact=True, nearest=True)
    assert line.tolist() == [-1e300, 1e300]


# ------------------------------------------------------------------- channels, shapes, floats


def test_outputs_of_a_channel_have_masses() -> None:
    p, q = Finite({"a": "1/3", "b": "2/3"}), Finite({"a": 1, "b": 0})
    assert oracle.mass(p, RESPONSE, ["a", "b"], nearest=True).tolist() == [5 / 12, 7 / 12]
    assert oracle.log_ratio(q, p, RESPONSE, "a", nearest=True) == rounded(
        ctx.log(real(Fraction(9, 5)))
    )
    root = ctx.sqrt(3)
    assert oracle.mass(q, LOCAL, "a", nearest=True) == rounded(root / (1 + root))
    for ask, why in (
        (lambda: oracle.density(p, RESPONSE, "a"), "ask for oracle.mass"),
        (lambda: oracle.cdf(p, RESPONSE, "a"), "no order"),
        (lambda: oracle.mass(p, RESPONSE, "c"), "y: .*'c'"),
        (lambda: oracle.mass(p, RESPONSE, 0), "not the name of an output"),
        (lambda: oracle.mass(p, RESPONSE, "a", scale=1), "a channel has none"),
    ):
        with pytest.raises(InputError, match=why):
            ask()


def test_answers_have_the_shape_of_what_was_asked() -> None:
    p, ys = Discrete({0: 1}), np.arange(6).reshape(2, 3)
    one = oracle.density(p, Laplace(2), 1)
    assert isinstance(one, Enclosure)
    many = oracle.density(p, Laplace(), ys, scale=[1, "2", 3, Fraction(7, 2)])
    assert many.shape == (4, 2, 3)
    assert many[1, 0, 1] == one
    assert many[1].shape == (2, 3)
    floats = oracle.density(p, Laplace(), ys, scale=[1, "2", 3, Fraction(7, 2)], nearest=True)
    assert floats.shape == (4, 2, 3)
    assert floats.dtype == np.float64
    low, high = many.floats()
    assert ((low <= floats) & (floats <= high)).all()
    assert floats[2, 1, 1] == oracle.density(p, Laplace(3), 4, nearest=True)
    with pytest.raises(TypeError, match="no truth value"):
        bool(many)


def test_floats_are_refused_unless_they_are_meant() -> None:
    p = Discrete({0: 1})
    for y in (0.5, np.float64(0.5), [0.5], np.array([0.5])):
        with pytest.raises(InputError, match="exact=True"):
            oracle.density(p, Laplace(1), y)
        found = oracle.density(p, Laplace(1), y, exact=True)
        assert np.array_equal(found.lower, oracle.density(p, Laplace(1), "1/2").lower) or (
            found[0] == oracle.density(p, Laplace(1), "1/2")
        )
    tenth = oracle.density(p, Laplace(1), 0.1, exact=True, digits=40)
    assert tenth == oracle.density(p, Laplace(1), Fraction(0.1), digits=40)
    assert tenth.upper < oracle.density(p, Laplace(1), "0.1", digits=40).lower


def test_arrays_of_floats_are_divided_by_their_exact_sum() -> None:
    atoms, masses = np.array([0.1, 2.5, -3.0]), np.array([0.1, 0.2, 1e-300])
    total = sum(map(Fraction, masses))
    prior = Discrete({Fraction(a): Fraction(m) / total for a, m in zip(atoms, masses, strict=True)})
    assert oracle.density((atoms, masses), Laplace(1), 0, exact=True, digits=40) == oracle.density(
        prior, Laplace(1), 0, digits=40
    )
    rows = (np.array([0.25, 0.25]), [0, 1], np.array([1.5, 0.0]))
    mixture = Mixture([{"weight": "1/2", "mean": 0, "variance": "3/2"},
                       {"weight": "1/2", "mean": 1, "variance": 0}])  # fmt: skip
    assert oracle.cdf(rows, Laplace(1), 0, exact=True) == oracle.cdf(mixture, Laplace(1), 0)


POINT, NORMAL = Discrete({0: 1}), Gaussian(0, 1)
ATOM_AND_NORMAL = Mixture([{"weight": "1/2", "mean": 0, "variance": 0},
                           {"weight": "1/2", "mean": 1, "variance": 1}])  # fmt: skip


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: oracle.density(POINT, NoNoise(), 0), "atoms without noise have masses"),
        (lambda: oracle.density(POINT, Laplace(0), 0), "atoms without noise have masses"),
        (lambda: oracle.density(POINT, DiscreteLaplace(1), 0), "ask for oracle.mass"),
        (lambda: oracle.density(POINT, Laplace(), 0), "it has no scale"),
        (lambda: oracle.density(POINT, GaussianNoise(), 0), "it has no scale"),
        (lambda: oracle.density(ATOM_AND_NORMAL, NoNoise(), 0), "neither a density nor masses"),
        (lambda: oracle.mass(ATOM_AND_NORMAL, NoNoise(), 0), "neither a density nor masses"),
        (lambda: oracle.mass(POINT, Laplace(1), 0), "ask for oracle.density"),
        (lambda: oracle.mass(NORMAL, NoNoise(), 0), "ask for oracle.density"),
        (lambda: oracle.density(NORMAL, DiscreteLaplace(1), 0), "needs atoms on a lattice"),
        (lambda: oracle.density(Finite({"a": 1}), Laplace(1), 0), "finite|Finite"),
        (lambda: oracle.density(POINT, RESPONSE, "a"), "finite|Finite"),
        (lambda: oracle.log_ratio(POINT, NORMAL, NoNoise(), 0), "no ratio of the two"),
        (lambda: oracle.log_ratio(POINT, POINT, NoNoise(), 1), "neither law has it"),
        (lambda: oracle.log_ratio(POINT, POINT, DiscreteLaplace(1), "1/2"), "neither law has it"),
        (lambda: oracle.density("a", Laplace(1), 0), "p: expected Discrete"),
        (lambda: oracle.density(POINT, "laplace", 0), "noise: expected Laplace"),
        (lambda: oracle.density(POINT, Laplace(1), []), "y: the sequence is empty"),
        (lambda: oracle.density(POINT, Laplace(1), np.array([])), "y: the array is empty"),
        (lambda: oracle.density(POINT, Laplace(1), [[1], [2]]), "array of numpy"),
        (lambda: oracle.density(POINT, Laplace(1), [float("nan")], exact=True), "not finite"),
        (lambda: oracle.density(POINT, Laplace(1), "inf"), "y: "),
        (lambda: oracle.density(POINT, Laplace(1), "log(2)"), "expected a rational number"),
        (lambda: oracle.density(POINT, Laplace(1), None), "y: None is not a number"),
        (lambda: oracle.density(POINT, Laplace(1), 0, digits=0), "digits: "),
        (lambda: oracle.density(POINT, Laplace(1), 0, nearest=1), "nearest: "),
        (lambda: oracle.density(POINT, Laplace(1), 0, exact="yes"), "exact: "),
        (lambda: oracle.density(POINT, Laplace(1), 0, scale=-1), "scale: .*negative"),
        (lambda: oracle.density(POINT, NoNoise(), 0, scale=1), "none has no scale"),
        (lambda: oracle.density(([0], [1]), Laplace(1), 0), "p: expected Discrete"),
        (lambda: oracle.density(([0], [1], [0], [0]), Laplace(1), 0, exact=True), "4 arrays"),
        (lambda: oracle.density(([0], [1, 2]), Laplace(1), 0, exact=True), "the same length"),
        (lambda: oracle.density(([0], [0.0]), Laplace(1), 0, exact=True), "masses are all 0"),
        (lambda: oracle.density(([0], [-0.5]), Laplace(1), 0, exact=True), "negative"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(ask: Any, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        ask()
    assert "\n" not in str(caught.value)
