"""A right sampler is refuted as rarely as the level says, and planted faults are found."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from pfverify import (
    Channel,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    Laplace,
    NoNoise,
    Problem,
    TruncatedLaplace,
)
from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import SamplerPlan, planned, priors_of, refuted
from pfverify.exact.binomial import chance_above, chance_below, rarely_at_least
from pfverify.sampling.bits import Bits
from pfverify.sampling.gaussian import steps as gaussian_steps

RUNS, LEVEL = 10_000, Fraction(1, 20)
A, B = ("default", "a"), ("default", "b")
Drawing = Callable[[np.random.Generator, int], dict[tuple[str, str], Draws]]


def points(noise: object, epsilon: object = 1, delta: object = 0) -> Problem:
    return Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=noise, epsilon=epsilon,
                   delta=delta)  # fmt: skip


def around(draw: Callable[[np.random.Generator, int], NDArray[np.float64]]) -> Drawing:
    """Noise on the points 0 and 1."""
    return lambda source, n: {A: draw(source, n), B: 1 + draw(source, n)}


def geometric(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Discrete Laplace noise of scale 2: a difference of two geometric numbers."""
    p = 1 - np.exp(-0.5)
    return (source.geometric(p, n) - source.geometric(p, n)).astype(np.float64)


def bell(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Discrete Gaussian noise of sigma 2 by this package's own sampler, from seeded bits."""
    bits = Bits(lambda count: int.from_bytes(source.bytes(count // 8)))
    return np.array([*map(float, islice(gaussian_steps(Fraction(4), bits), n))])


def within(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Laplace noise of scale 1 that is drawn until it is at most 3 in size."""
    noise = source.laplace(0, 1, 2 * n + 200)
    return noise[np.abs(noise) <= 3][:n]


ANSWERS = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})


def answers(source: np.random.Generator, n: int) -> dict[tuple[str, str], Draws]:
    true, other = (np.where(source.random(n) < p, "a", "b").tolist() for p in (0.75, 0.25))
    return {A: true, B: other}


RIGHT: dict[str, tuple[Problem, Drawing]] = {
    "laplace": (points(Laplace(1)), around(lambda source, n: source.laplace(0, 1, n))),
    "discrete-laplace": (points(DiscreteLaplace(2, step=1)), around(geometric)),
    "gaussian": (
        Problem({"a": Gaussian(0, variance=1), "b": Gaussian(1, variance=1)},
                noise=GaussianNoise("1"), epsilon=1, delta="1/10"),
        around(lambda source, n: source.normal(0, np.sqrt(2), n)),
    ),
    "discrete-gaussian": (points(DiscreteGaussian(2), delta="1/2"), around(bell)),
    "truncated-laplace": (points(TruncatedLaplace(1, bound=3), delta="1/2"), around(within)),
    "channel": (
        Problem({"a": Finite({"a": 1}), "b": Finite({"b": 1})}, channel=ANSWERS, epsilon=2),
        answers,
    ),
}  # fmt: skip


def refuted_runs(plan: SamplerPlan, draw: Drawing, n: int, runs: int) -> int:
    """How many runs of a right sampler are refuted, by the plan's own events and level."""
    @cache
    def failed(key: tuple[str, str], number: int, count: int) -> bool:
        chance = plan.tested[key].events[number][1]
        return refuted(n, count, chance, plan.event_level) is not None

    source, found = np.random.default_rng(29), 0
    sets = {
        key: np.array([[k in event for k in range(one.parts.size + 1)] for event, _ in one.events])
        for key, one in plan.tested.items()
    }
    for _ in range(runs):
        draws = draw(source, n)
        counts = {
            key: rows @ np.array(plan.tested[key].parts.counts(draws[key]))
            for key, rows in sets.items()
        }
        found += any(
            failed(key, number, int(count))
            for key, found_there in counts.items()
            for number, count in enumerate(found_there)
        )
    return found


@pytest.mark.parametrize(
    ("name", "runs"),
    [("channel", RUNS), ("laplace", RUNS // 20),
     *(pytest.param(name, RUNS, marks=pytest.mark.long) for name in RIGHT if name != "channel")],
)  # fmt: skip
def test_a_right_sampler_keeps_the_level(name: str, runs: int) -> None:
    """10,000 runs at level 1/20: far more than 500 have a chance of one in a million."""
    problem, draw = RIGHT[name]
    n = 300
    plan = planned(problem, "sampler", dict.fromkeys(priors_of(problem), n), LEVEL)
    found = refuted_runs(plan, draw, n, runs)
    assert found > 0
    assert not rarely_at_least(runs, found, LEVEL, Fraction(1, 10**6))


@pytest.mark.long
def test_a_claim_that_is_met_exactly_keeps_the_level() -> None:
    """Two points under Laplace noise at delta exactly, where half of the level is for the claim."""
    problem = points(Laplace(1), "1/2", "1-exp(-1/4)")
    n = 300
    plan = planned(problem, "release", dict.fromkeys(priors_of(problem), n), Fraction(1, 5))
    runs = RUNS // 20
    bounds = cache(lambda count: (chance_above(n, count, plan.claim_level),
                                  chance_below(n, count, plan.claim_level)))
    growth, delta = np.exp(0.5), 1 - np.exp(-0.25)
    source, found = np.random.default_rng(5), 0
    for _ in range(runs):
        draws = RIGHT["laplace"][1](source, n)
        for claim in plan.claims:
            counts = [claim.parts.counts(draws[key]) for key in (claim.first, claim.second)]
            first, second = (sum(one[k] for k in claim.event) for one in counts)
            # floats are right to 1e-15, and no bound is as near to delta
            found += float(bounds(first)[0]) - growth * float(bounds(second)[1]) > delta
    assert found <= runs / 10


def drawn(name: str, fault: Drawing, n: int, seed: int, kind: str = "sampler") -> list[str]:
    """The events that are refuted of a faulty sampler."""
    problem = RIGHT[name][0]
    plan = planned(problem, kind, dict.fromkeys(priors_of(problem), n))
    events, _ = plan.held(fault(np.random.default_rng(seed), n))
    return [one.event for one in events if one.refuted]


def cut(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Laplace noise without its tails: beyond 2^-10 of the mass nothing is drawn."""
    noise = source.laplace(0, 1, 2 * n)
    return noise[np.abs(noise) < 10 * np.log(2)][:n]


def wide(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    return source.laplace(0, 1.01, n)


def halved(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Off its lattice by one draw in 1000."""
    return geometric(source, n) + 0.5 * (source.random(n) < 0.001)


def broken(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    found = source.laplace(0, 1, n)
    found[n // 2] = np.nan
    return found


def rounded(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """A normal number that is rounded, in place of discrete Gaussian noise."""
    return np.round(source.normal(0, 2, n))


def clipped(source: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Laplace noise that is moved to the bound where it is beyond."""
    return np.clip(source.laplace(0, 1, n), -3, 3)


def test_the_own_sampler_of_discrete_gaussian_noise_is_not_refuted() -> None:
    assert not drawn("discrete-gaussian", around(bell), 4_000, 1)


@pytest.mark.parametrize(
    ("name", "fault", "found", "missed"),
    [("laplace", cut, 21_000, 8_000), ("laplace", wide, 1_000_000, 60_000),
     ("discrete-laplace", halved, 10_000, 1), ("discrete-gaussian", rounded, 1_000_000, 500),
     ("truncated-laplace", clipped, 100, None), ("laplace", broken, 100, None)],
    ids=["a tail cut at 2^-10", "the scale 1% too large", "off the lattice",
         "rounded, not discrete", "clipped, not drawn again", "not a number"],
)  # fmt: skip
def test_planted_faults_are_found(
    name: str, fault: Callable[[np.random.Generator, int], NDArray[np.float64]], found: int,
    missed: int | None,
) -> None:  # fmt: skip
    for seed in range(2):
        assert drawn(name, around(fault), found, seed)
        assert missed is None or not drawn(name, around(fault), missed, seed)


def test_what_is_no_output_refutes_at_once() -> None:
    for bad in (np.nan, np.inf, -np.inf):
        found = drawn("laplace", lambda _, n, bad=bad: {A: np.full(n, bad), B: np.ones(n)}, 1, 0)
        assert "no output of the release" in found
    events = drawn("channel", lambda _, n: {A: ["c"] * n, B: ["b"] * n}, 1, 0)
    assert "no output of the release" in events


def test_a_claim_that_no_chances_break_needs_no_search_for_a_number_of_draws() -> None:
    """Where delta + e**epsilon q is 1 or more, as many draws as one likes show nothing."""
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: 1})}
    stated = Problem(priors, noise=NoNoise(), epsilon=1, delta="1/10")
    keys = [("default", "a"), ("default", "b")]
    plan, seen = planned(stated, "release", dict.fromkeys(keys, 1000)), set()
    for claim in plan.claims:
        found = claim.enough(Fraction(1, 10), plan.claim_level)
        shown = [claim.seen(draws, plan.claim_level) for draws in (10, 10**3, 10**5)]
        assert (found is None) == (shown[-1] == 1)
        seen.add(found is None)
    assert seen == {True, False}
