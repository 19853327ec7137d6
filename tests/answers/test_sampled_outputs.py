"""What a grid looks at: the laws against sums and integrals done another way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    Problem,
    certify,
)
from pfverify.answers import sampled_outputs
from pfverify.answers.grid import grid_certify, observe
from pfverify.answers.sampled_outputs import DIGITS, SampledOutputs, number_of, sampled_outputs_of
from pfverify.edge.document import text_of
from pfverify.edge.packaged import load_example
from pfverify.edge.views.registry import view_of
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.none import NoNoise
from pfverify.model.protection import Protection

MIXED = Mixture([{"weight": "1/3", "mean": -1, "variance": "1/4"},
                 {"weight": "2/3", "mean": 2, "variance": 0}])  # fmt: skip
NORMAL = Gaussian(1, variance=2)


def problem(first: Any, second: Any, noise: Any, **more: Any) -> Problem:
    return Problem({"a": first, "b": second}, **({"noise": noise, "epsilon": 1} | more))


def sampled(asked: Problem, points: int = 9) -> SampledOutputs:
    return sampled_outputs_of(next(asked.questions()), points, points)


@pytest.mark.parametrize("noise", [Laplace("3/2"), GaussianNoise("3/2")], ids=["laplace", "normal"])
def test_densities_are_the_convolution(noise: Any) -> None:
    def kernel(z: mpmath.mpf) -> mpmath.mpf:
        size = mpmath.mpf(3) / 2
        if isinstance(noise, Laplace):
            return mpmath.exp(-abs(z) / size) / (2 * size)
        return mpmath.npdf(z, 0, size)

    with mpmath.workdps(DIGITS):
        found = sampled(problem(MIXED, NORMAL, noise))
        assert not found.every
        assert len(found.points) == 9
        for place in (Fraction(-5, 2), Fraction(0), Fraction(29, 4)):
            y = number_of(place)
            normal = convolved(kernel, y, 1, mpmath.sqrt(2))
            mixed = kernel(y - 2) * 2 / 3 + convolved(kernel, y, -1, mpmath.mpf(1) / 2) / 3
            assert mpmath.almosteq(found.laws[1](place), normal, 1e-12)
            assert mpmath.almosteq(found.laws[0](place), mixed, 1e-12)


def convolved(kernel: Any, y: mpmath.mpf, mean: int, sd: mpmath.mpf) -> mpmath.mpf:
    cuts = sorted({-12, y, mpmath.mpf(mean), 14})
    return mpmath.quad(lambda x: kernel(y - x) * mpmath.npdf(x, mean, sd), cuts)


@pytest.mark.parametrize(
    ("first", "noise", "reach"),
    [(NORMAL, Laplace("3/2"), 1.5 + 2**0.5), (NORMAL, GaussianNoise(2), 6**0.5),
     (NORMAL, NoNoise(), 2**0.5), (Discrete({1: 1}), DiscreteLaplace(4), 4)],
    ids=["laplace", "gaussian", "none", "lattice"],
)  # fmt: skip
def test_a_grid_goes_five_widths_beyond_the_priors(first: Any, noise: Any, reach: float) -> None:
    places = sampled(problem(first, first, noise), 1001).points
    assert float(places[0]) == pytest.approx(1 - 5 * reach)
    assert float(places[-1]) == pytest.approx(1 + 5 * reach)
    assert noise.step is None or places == [Fraction(k) for k in range(-19, 22)]


def test_far_out_nothing_overflows() -> None:
    narrow = problem(Gaussian(0, variance=10**6), Gaussian(1, variance=1), Laplace("1/1000"))
    with mpmath.workdps(DIGITS):
        found = sampled(narrow, 5)
        for y in found.points:
            assert 0 < found.laws[0](y) < 1


@pytest.mark.parametrize(
    "name", ["gaussian-pair", "theorem-2-fails", "census", "four-users-laws", "home-and-out"]
)
def test_no_grid_sees_more_than_the_certified_loss(name: str) -> None:
    asked = load_example(name)
    losses = {(p.from_, p.to): p.loss for p in certify(asked).pairs}
    seen = grid_certify(asked, 60)
    assert len(seen.pairs) == len(losses)
    for pair in seen.pairs:
        loss = losses[pair.from_, pair.to]
        assert loss is not None
        assert float(pair.log_ratio) <= float(loss.upper) * (1 + 1e-9)
        if seen.every:
            assert float(pair.log_ratio) >= float(loss.lower) * (1 - 1e-9)


def test_outputs_of_a_channel_are_all_looked_at() -> None:
    seen = grid_certify(load_example("home-and-out"), 9)
    assert (seen.every, seen.points) == (True, 4)
    assert seen.pairs[0].y == "'home'"
    text = " ".join(text_of(s.text) for part in view_of(seen, "p").sections() for s in part.said)
    assert "Every output was looked at (4 of a pair at most)" in text
    with pytest.raises(InputError, match="--grid: 3 points are too few for 4 outputs"):
        grid_certify(load_example("home-and-out"), 3)


def test_types_of_tuples_have_the_mass_of_a_tuple() -> None:
    asked = load_example("tupling-eta-fails")
    assert isinstance(asked.release, Tupling)
    with mpmath.workdps(DIGITS):
        found = sampled(asked, 5000)
        names = asked.release.base.outputs  # type: ignore[attr-defined]
        places = len(found.points[0])
        for law in found.laws:
            whole = mpmath.fsum(law(every) for every in product(names, repeat=places))
            assert mpmath.almosteq(whole, 1, 1e-20)


def test_too_many_tuples_are_refused() -> None:
    with pytest.raises(InputError, match=r"--grid: 40 points are too few for \d+ outputs"):
        grid_certify(load_example("dummies"), 40)


def test_without_noise_every_atom_is_looked_at() -> None:
    asked = problem(Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 7: "3/4"}), NoNoise())
    seen = grid_certify(asked, 3)
    assert (seen.every, seen.points) == (True, 3)
    assert {(p.from_, p.log_ratio, p.y) for p in seen.pairs} == {("a", "inf", "1"),
                                                                 ("b", "inf", "7")}  # fmt: skip


def test_without_noise_densities_are_compared_and_nothing_else() -> None:
    bare = problem(Gaussian(0, 1), Gaussian(1, 1), NoNoise(), delta="1/2")
    assert float(grid_certify(bare, 11).pairs[0].log_ratio) == pytest.approx(5.5)
    with pytest.raises(InputError, match="a prior with atoms beside one with a density"):
        grid_certify(problem(MIXED, NORMAL, NoNoise(), delta="1/2"), 11)


def test_a_pair_with_an_epsilon_of_its_own_is_held_to_it() -> None:
    pairs = {"a": Discrete({0: 1}), "b": Discrete({3: 1})}
    asked = Problem(pairs, noise=Laplace(1), epsilon="1/2", protection=Protection("xdistp"))
    seen = grid_certify(asked, 11)
    assert [p.epsilon for p in seen.pairs] == ["3/2", "3/2"]
    (table,) = view_of(seen, "p").sections()[0].tables
    assert [column.header for column in table.columns][2] == "epsilon"
    excess = float(seen.pairs[0].excess)
    assert excess > 0
    looser = grid_certify(asked.replaced(epsilon=1), 11)
    assert float(looser.pairs[0].excess) <= 1e-20


def test_infinity_is_seen_where_only_the_second_law_is_0() -> None:
    ratio, _ = observe(lambda y: mpmath.mpf(1), lambda y: mpmath.mpf(y), 1, [1, 0])
    assert ratio == (mpmath.inf, 0)
    with pytest.raises(InputError, match="no point where the first density is positive"):
        observe(lambda y: mpmath.mpf(0), lambda y: mpmath.mpf(1), 1, [0])


def test_numbers_are_read_to_thirty_digits() -> None:
    with mpmath.workdps(sampled_outputs.DIGITS):
        assert number_of(Fraction(1, 3)) * 3 == 1
        assert sampled_outputs.shown(mpmath.inf) == "inf"
        assert sampled_outputs.shown(-mpmath.inf) == "-inf"
