"""Samplers in floats: textbooks and libraries leak by their digits, remedies do not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from pfverify import Discrete, DiscreteLaplace, GaussianNoise, Laplace, Problem
from pfverify.crosscheck.samplers.plan import SamplerPlan, planned, priors_of
from pfverify.crosscheck.samplers.result import SamplerFindings, SamplerResult
from pfverify.model.releases.release import Noise
from pfverify.sampling.bits import Bits
from pfverify.sampling.noises import drawer
from pfverify.subjects import float_samplers as subject

A, B = ("default", "a"), ("default", "b")
DRAWS = 20_000
SNAP = [{"round": {"to": "1"}}, {"clamp": ["-64", "64"]}]
Sampler = Callable[[float, int, int, float], Any]


@cache
def plan_of(noise: Noise, scale: int, snapped: bool) -> SamplerPlan:
    points = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    more: dict[str, Any] = {"post": SNAP} if snapped else {}
    problem = Problem(points, noise=noise, epsilon=Fraction(1, scale), delta="1/4", **more)
    return planned(problem, "sampler", dict.fromkeys(priors_of(problem), DRAWS))


def result(sampler: Sampler, plan: SamplerPlan, seed: int, scale: float) -> SamplerResult:
    draws = {A: sampler(0, DRAWS, 2 * seed, scale), B: sampler(1, DRAWS, 2 * seed + 1, scale)}
    taken = {key: np.asarray(one, dtype=np.float64) for key, one in draws.items()}
    return plan.result(taken, "", called=True, seed=seed)


LEAKING: list[tuple[Sampler, Callable[[int], Noise]]] = [
    (subject.inverse, Laplace), (subject.inverse_float32, Laplace),
    (subject.exponentials, Laplace), (subject.numpy_laplace, Laplace),
    (subject.numpy_gaussian, GaussianNoise),
]  # fmt: skip


@pytest.mark.parametrize(("sampler", "noise"), LEAKING, ids=lambda one: one.__name__)
@pytest.mark.parametrize("scale", [1, 10])
def test_textbook_noise_leaks_by_its_digits_and_by_nothing_else(
    sampler: Sampler, noise: Callable[[int], Noise], scale: int
) -> None:
    plan = plan_of(noise(scale), scale, False)
    for seed in range(2):
        found = result(sampler, plan, seed, float(scale))
        assert found.found is SamplerFindings.REFUTED
        assert not any(one.refuted for one in found.events)
        assert any(one.refuted for one in found.leaks)


def exact(x: float, n: int, seed: int, scale: float) -> Any:
    """Draws of this package, from seeded bits."""
    source = np.random.default_rng(seed)
    bits = Bits(lambda count: int.from_bytes(source.bytes(count // 8)))
    return np.array([x + float(y) for y in islice(drawer(DiscreteLaplace(int(scale)))(bits), n)])


def rounded(x: float, n: int, seed: int, scale: float) -> Any:
    """Textbook noise whose sum is rounded to a lattice that is coarse beside what floats miss."""
    return np.rint(subject.inverse(x, n, seed, scale) * 2**24) / 2**24


@pytest.mark.parametrize(("sampler", "noise", "snapped"), [
    (exact, DiscreteLaplace, False), (subject.discrete_laplace, DiscreteLaplace, False),
    (subject.snapped, Laplace, True), (rounded, Laplace, False),
])  # fmt: skip
def test_remedies_are_not_refuted(
    sampler: Sampler, noise: Callable[[int], Noise], snapped: bool
) -> None:
    plan = plan_of(noise(1), 1, snapped)
    for seed in range(2):
        found = result(sampler, plan, seed, 1.0)
        assert found.found is SamplerFindings.NOT_REFUTED
        assert len(found.leaks) == 16


def test_whole_noise_on_values_between_whole_numbers_leaks() -> None:
    """A right draw of discrete noise, on the wrong lattice: what is after the point is X's."""
    points = {"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}
    problem = Problem(points, noise=Laplace(1), epsilon=1)
    plan = planned(problem, "sampler", dict.fromkeys(priors_of(problem), 2000))
    draws = {A: subject.discrete_laplace(0, 2000), B: subject.discrete_laplace(0, 2000, 1) + 0.5}
    leaks = plan.result(draws, "", called=True, seed=0).leaks
    assert {one.looked_at for one in leaks if one.refuted} >= {
        "lowest bit", "part after the point", "floats that were drawn before",
    }  # fmt: skip


def test_few_random_bits_come_again() -> None:
    """Noise from 15 bits: its floats are told by having been drawn before, far from 0 too."""
    def coarse(x: float, seed: int) -> Any:
        u = (np.random.default_rng(seed).integers(0, 2**15, DRAWS) + 0.5) / 2**15 - 0.5
        return x - np.sign(u) * np.log(1 - 2 * np.abs(u))

    points = {"a": Discrete({1000: 1}), "b": Discrete({1001: 1})}
    problem = Problem(points, noise=Laplace(1), epsilon=1)
    plan = planned(problem, "sampler", dict.fromkeys(priors_of(problem), DRAWS))
    leaks = plan.result({A: coarse(1000, 1), B: coarse(1001, 2)}, "", called=True, seed=0).leaks
    assert {one.looked_at for one in leaks if one.refuted} == {"floats that were drawn before"}


def test_snapped_outputs_are_what_is_stated() -> None:
    found = subject.snapped(70.0, 1000, 3, 1.5)
    assert set(found % 2) == {0.0}
    assert found.max() == subject.BOUND
    assert subject.inverse_float32(0.5, 3).dtype == np.float32
