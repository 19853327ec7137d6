"""Laws written in different ways are seen to be equal: no scale is called too small for them."""

from __future__ import annotations

import pytest
from support.kernel_run import accepted_certificate

from pfverify import (
    Discrete,
    DiscreteGaussian,
    Gaussian,
    GaussianNoise,
    Joint,
    Laplace,
    Mixture,
    Problem,
    TableNoise,
    TruncatedLaplace,
    certify,
)
from pfverify.decide.comparison import Scaled
from pfverify.decide.routes import at_any_scale
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated

ATOMS = Discrete({0: "1/2", 1: "1/2"})
NORMAL = Gaussian(0, variance=1)


def mixture(*parts: tuple[str, str, str]) -> Mixture:
    keys = ("weight", "mean", "variance")
    return Mixture([dict(zip(keys, part, strict=True)) for part in parts])


def scaled(one: Prior, other: Prior, noise: Noise) -> Scaled:
    return at_any_scale(next(Problem({"a": one, "b": other}, noise=noise, epsilon=0).questions()))


@pytest.mark.parametrize("noise", [Laplace(), GaussianNoise()])
@pytest.mark.parametrize(("one", "other"), [
    (ATOMS, Discrete(counts={0: 3, 1: 3})),
    (ATOMS, Discrete({"0.0": "0.5", "4/4": "2/4", 7: 0})),
    (ATOMS, mixture(("1/2", "0", "0"), ("1/2", "1", "0"))),
    (NORMAL, mixture(("1", "0", "1"))),
    (NORMAL, mixture(("1/2", "0", "1"), ("1/2", "0/3", "1.0"))),
    (mixture(("1/3", "0", "1"), ("2/3", "1", "1")), mixture(("2/3", "1", "1"), ("1/3", "0", "1"))),
    (Gaussian(0, variance=0), Discrete({0: 1})),
])  # fmt: skip
def test_equal_laws_need_no_scale_however_they_are_written(
    noise: Noise, one: Prior, other: Prior
) -> None:
    same, apart = scaled(one, other, noise), scaled(one, Gaussian(5, variance=2), noise)
    assert same.equal
    assert same.never() is None
    assert not apart.equal
    assert apart.never() is not None


def test_so_do_equal_laws_of_several_numbers() -> None:
    one = Joint(["x", "y"], [[0, 1, "1/2"], [1, 0, "1/2"]])
    same = scaled(one, Joint(["x", "y"], counts=[[1, 0, 2], [0, 1, 2]]), Laplace())
    assert same.equal
    assert same.never() is None
    assert scaled(one, Joint(["x", "y"], [[0, 1, 1]]), Laplace()).never() is not None


@pytest.mark.parametrize("delta", ["0", "1/1000"])
@pytest.mark.parametrize("draws", ["same", "fresh"])
@pytest.mark.parametrize("noise", [
    Laplace(2), GaussianNoise(2), DiscreteGaussian(2, step=1), TruncatedLaplace(2, bound=5),
    TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"}),
])  # fmt: skip
def test_equal_laws_are_private_however_often_they_are_released(
    noise: Noise, draws: str, delta: str
) -> None:
    released = Repeated(noise, count=3, draws=draws)
    problem = Problem({"a": ATOMS, "b": ATOMS}, noise=released, epsilon="1/10", delta=delta)
    found = certify(problem)
    assert found.certified
    _, word, message = accepted_certificate(problem.to_table(), problem, found)
    assert word == "certified", message
