"""The divergence of order 1, the integral of p log(p/q): in `loss` alone, and near-equal laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    Problem,
    Repeated,
    calibrate,
    certify,
    loss,
)
from pfverify.edge.cli import main
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Renyi

NOISES = [NoNoise(), Laplace(1), DiscreteLaplace(1, step=1), GaussianNoise(1),
          DiscreteGaussian(variance=1, step=1), TruncatedLaplace(1, bound=3)]  # fmt: skip


def ends(p: Any, q: Any, noise: Any, order: object = 1) -> dict[str, tuple[Any, Any]]:
    asked = Problem({"a": p, "b": q}, noise=noise, epsilon=1, form=Renyi(order))
    return {x.from_: (x.divergence.lower, x.divergence.upper)  # type: ignore[union-attr]
            for x in loss(asked).pairs}  # fmt: skip


def mp(x: Any) -> Any:
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


def laws() -> Any:
    some = st.dictionaries(st.integers(0, 5), st.integers(1, 5), min_size=1, max_size=3)
    return some.map(lambda counts: Discrete(counts=counts))


@settings(max_examples=10, deadline=None)
@given(laws(), laws(), st.sampled_from(["1/2", "2"]), st.sampled_from(["line", "lattice", "bell"]))
def test_it_is_the_mean_log_ratio(p: Discrete, q: Discrete, scale: str, kind: str) -> None:
    noise = {"line": Laplace(scale), "lattice": DiscreteLaplace(scale, step=1),
             "bell": GaussianNoise(scale)}[kind]  # fmt: skip
    found = ends(p, q, noise)["a"]
    with mpmath.workdps(18):
        s = mp(scale)
        t = mpmath.exp(-1 / s)

        def density(law: Discrete, y: Any) -> Any:
            far = [(mp(m), abs(y - mp(x))) for x, m in law.mass.items()]
            if kind == "bell":
                return mpmath.fsum(m * mpmath.npdf(d, 0, s) for m, d in far)
            front = 1 / (2 * s) if kind == "line" else (1 - t) / (1 + t)
            return mpmath.fsum(m * front * mpmath.exp(-d / s) for m, d in far)

        def term(y: Any) -> Any:
            one = density(p, y)
            return one * mpmath.log(one / density(q, y))

        if kind == "lattice":
            value = mpmath.fsum(term(mpmath.mpf(y)) for y in range(-120, 126))
        else:
            reach = (45, 12, 4, 1) if kind == "line" else (10, 6, 3, 1)
            cuts = [-k * s for k in reach] + [mpmath.mpf(x) for x in range(6)]
            value = mpmath.quad(term, [*cuts, *(5 + k * s for k in reversed(reach))])
        low, high = map(mp, found)
        assert low - mpmath.mpf("1e-13") <= value <= high + mpmath.mpf("1e-13")


def test_closed_forms() -> None:
    """Two points at d scales: d + e^-d - 1; two normal laws: (d^2 + v - w)/(2 w) - log(v/w)/2."""
    points = Discrete({0: 1}), Discrete({3: 1})
    with mpmath.workdps(20):
        found = ends(*points, Laplace(2))["a"]
        assert mp(found[0]) <= mpmath.mpf("0.5") + mpmath.exp(-mpmath.mpf("1.5")) <= mp(found[1])
        value = (mpmath.mpf(9) + 2 - 5) / 10 - mpmath.log(mpmath.mpf(2) / 5) / 2
        found = ends(Gaussian(0, variance=1), Gaussian(3, variance=4), GaussianNoise(1))["a"]
        assert mp(found[0]) <= value <= mp(found[1])
        mixed = Mixture([{"weight": "1/3", "mean": 0, "variance": 1},
                         {"weight": "2/3", "mean": 2, "variance": 3}])  # fmt: skip
        normal = Gaussian(1, variance=2)

        def term(y: Any) -> Any:
            p = mpmath.npdf(y, 0, 1) / 3 + 2 * mpmath.npdf(y, 2, mpmath.sqrt(3)) / 3
            return p * mpmath.log(p / mpmath.npdf(y, 1, mpmath.sqrt(2)))

        low, high = map(mp, ends(mixed, normal, NoNoise())["a"])
        value = mpmath.quad(term, mpmath.linspace(-20, 24, 23))
        assert low - mpmath.mpf("1e-13") <= value <= high + mpmath.mpf("1e-13")


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: noise.kind)
def test_it_is_what_the_others_fall_to(noise: Any) -> None:
    """D rises with the order; and (a - 1) D is convex in a, 0 at 1, so that D_1 is close."""
    p, q = Discrete({0: "1/2", 2: "1/2"}), Discrete({0: "1/4", 2: "3/4"})
    orders = ["1", "65536/65535", "9/8", "2", "30"]
    found = [ends(p, q, noise, x)["a"] for x in orders]
    for one, two in pairwise(found):
        assert one[1] <= two[1]
    assert found[1][1] - found[0][0] < Fraction(1, 10**5)


@pytest.mark.parametrize("order", ["1", "3/2", "2", "9"])
@pytest.mark.parametrize("noise", [x for x in NOISES if x.kind != "gaussian"], ids=lambda x: x.kind)
def test_laws_that_agree_to_thirty_digits_keep_all_digits(noise: Any, order: str) -> None:
    """D is about a/2 times the mean square of p/q - 1: 4 d^2 without noise, and less with it."""
    d = Fraction(1, 10**30)
    near = Discrete({0: Fraction(1, 2) + d, 1: Fraction(1, 2) - d})
    low, high = ends(near, Discrete({0: "1/2", 1: "1/2"}), noise, order)["a"]
    most = 2 * Fraction(order) * d * d * Fraction("1.0000000001")
    assert 0 < Fraction(low) <= Fraction(high) < most
    assert (Fraction(high) - Fraction(low)) * 10**10 < Fraction(low)


def test_it_is_infinite_where_a_place_is_impossible() -> None:
    one, two = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: 1})
    for noise in (NoNoise(), TruncatedLaplace(1, bound=3)):
        assert ends(one, two, noise)["a"] == ("inf", "inf")
    assert ends(Gaussian(0, variance=9), Gaussian(0, variance=1), NoNoise())["a"][1] != "inf"


def test_of_fresh_draws_it_adds_up() -> None:
    one, two = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 1: "3/4"})
    single = ends(one, two, Laplace(2))["a"]
    three = ends(one, two, Repeated(Laplace(2), count=3, draws="fresh"))["a"]
    assert abs(3 * Fraction(single[0]) - Fraction(three[0])) < Fraction(1, 10**11)


@pytest.mark.parametrize("ask", [certify, calibrate])
def test_no_verdict_is_about_it(ask: Any) -> None:
    for noise in NOISES:
        asked = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=noise, epsilon=1,
                        form=Renyi(1))  # fmt: skip
        with pytest.raises(InputError) as found:
            ask(asked)
        assert str(found.value).count("\n") == 0
    assert "order: 1 in loss only" in str(found.value) or ask is calibrate


def test_the_commands_say_so_in_one_line(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "average.toml"
    path.write_text(
        'schema = "pfverify/problem/1"\nform = "renyi"\norder = 1\nepsilon = 1\n'
        '[noise]\nkind = "laplace"\nscale = 1\n'
        '[priors.a]\nkind = "discrete"\nmass = { "0" = 1 }\n'
        '[priors.b]\nkind = "discrete"\nmass = { "1" = 1 }\n'
    )
    for command in ("certify", "calibrate"):
        assert main([command, str(path)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "order: 1 in loss only, expected a rational number above 1" in error
    assert main(["loss", str(path)]) == 0
    assert "order 1 is between 0.367879441171 and 0.367879441172" in capsys.readouterr().out
