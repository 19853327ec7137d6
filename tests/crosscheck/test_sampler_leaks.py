"""Events about digits: the level holds whatever is chosen, and what is said to be seen is seen."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    Laplace,
    NoNoise,
    Problem,
)
from pfverify.crosscheck.samplers.floats import Floats
from pfverify.crosscheck.samplers.leaks import (
    Halves,
    LeakPair,
    halves,
    leaks_of,
    seen_alone,
    seen_at_all,
)
from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import planned, priors_of
from pfverify.crosscheck.samplers.result import SamplerFindings
from pfverify.crosscheck.samplers.wired import ReturnedDraws, read_draws, written_draws
from pfverify.exact.binomial import chance_above, chance_below, rarely_at_least
from pfverify.exact.number import number
from pfverify.model.target import Target

A, B = ("default", "a"), ("default", "b")
LEVEL = Fraction(1, 10**6)


def pair(epsilon: str = "0", allowed: Fraction = Fraction(0), **more: Any) -> LeakPair:
    given = {"places": (0.0, 1.0), "scale": 1.0} | more
    return LeakPair((A, B), Target(number(epsilon), number(0)), (allowed, allowed), **given)


def points(**more: Any) -> Problem:
    given: dict[str, Any] = {"noise": Laplace(1), "epsilon": 1} | more
    return Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, **given)


def refutes(found: list[Any]) -> bool:
    return any(one.refuted for one in found)


def few_digits(source: np.random.Generator, n: int) -> Floats:
    """Outputs with many classes, so that much can be chosen: every kind of event has some."""
    return source.integers(-40, 40, n) * 2.0 ** source.integers(-9, 0, n)


@pytest.mark.parametrize("runs", [50, pytest.param(1000, marks=pytest.mark.long)])
def test_the_level_holds_where_every_event_meets_its_bound_exactly(runs: int) -> None:
    """One law for both secrets at epsilon = 0: P(B) = Q(B) for all events that may be chosen."""
    level, asked = Fraction(1, 5), pair()
    source, found, cheated = np.random.default_rng(7), 0, 0
    for run in range(runs):
        split = {key: halves(few_digits(source, 120), run) for key in (A, B)}
        found += refutes(leaks_of(asked, split, level / (2 * asked.tests)))
        same: dict[Any, Halves] = {key: (one[0], one[0]) for key, one in split.items()}
        cheated += refutes(leaks_of(asked, same, level / (2 * asked.tests)))
    assert not rarely_at_least(runs, found, level, LEVEL)
    # with one half for both, which proves nothing, nearly every run is refuted: much was chosen
    assert cheated > 0.9 * runs


def test_draws_that_come_value_by_value_are_halved_at_random() -> None:
    """A function is called at one X after the other; the halves of a right sampler are alike."""
    grouped = np.repeat([0.0, 1.0], 500)
    means = [[half.mean() for half in halves(grouped, seed)] for seed in range(300)]
    assert abs(np.mean(means) - 0.5) < 1e-12
    assert np.std(np.array(means)[:, 0]) == pytest.approx(np.sqrt(0.25 / 500 / 2), rel=0.2)
    split = {A: halves(grouped, 3), B: halves(grouped, 4)}
    assert not refutes(leaks_of(pair(), split, LEVEL))


def test_halves_are_all_the_draws_and_the_same_for_a_seed() -> None:
    draws = np.arange(101.0)
    first, second = halves(draws, 5)
    assert (len(first), len(second)) == (50, 51)
    assert sorted([*first, *second]) == draws.tolist()
    assert np.array_equal(halves(draws, 5)[0], first)
    assert not np.array_equal(halves(draws, 6)[0], first)
    assert [len(one) for one in halves([], None)] == [0, 0]
    assert halves(np.array([-0.0, -0.0]), -3)[0].tobytes() == np.zeros(1).tobytes()


def planted(y: Floats, chance: float, source: np.random.Generator) -> Floats:
    """Outputs of which some have a digit that the others have not."""
    return np.where(source.random(len(y)) < chance, y + 2.0**-30, y)


@pytest.mark.parametrize(("epsilon", "n"), [("1", 2000), ("3", 4000), ("1/10", 1000)])
def test_what_is_said_to_be_seen_alone_is_seen(epsilon: str, n: int) -> None:
    asked, runs = pair(epsilon, places=(), scale=None), 30
    source = np.random.default_rng(11)
    level = LEVEL / (2 * asked.tests)
    alone = seen_alone(asked.target, Fraction(0), (n // 2, n // 2), level)
    assert 0 < alone < 1
    missed = 0
    for run in range(runs):
        whole = [source.integers(-3, 3, n).astype(np.float64) for _ in range(2)]
        split = {A: halves(planted(whole[0], float(alone), source), run), B: halves(whole[1], run)}
        missed += not refutes(leaks_of(asked, split, level))
    assert not rarely_at_least(runs, missed, Fraction(1, 100), LEVEL)
    small = [source.integers(-3, 3, n).astype(np.float64) for _ in range(2)]
    split = {A: halves(planted(small[0], float(alone) / 5, source), 0), B: halves(small[1], 0)}
    assert not refutes(leaks_of(asked, split, level))


@pytest.mark.parametrize(("epsilon", "other"), [("0", 0.2), ("1/2", 0.01), ("1", 0.2)])
def test_what_is_said_to_be_seen_at_all_is_seen(epsilon: str, other: float) -> None:
    n, runs, source = 8000, 50, np.random.default_rng(13)
    level, target = LEVEL / 32, pair(epsilon).target
    growth = np.exp(target.epsilon.ball().midpoint())
    first = growth * other + float(seen_at_all(target, (n, n), level))
    assert first < 1
    missed = sum(
        float(chance_above(n, int(k), level)) - growth * float(chance_below(n, int(j), level)) <= 0
        for k, j in zip(
            source.binomial(n, first, runs), source.binomial(n, other, runs), strict=True
        )
    )
    assert not rarely_at_least(runs, missed, Fraction(1, 100), LEVEL)


def test_so_few_draws_show_nothing_and_refute_nothing() -> None:
    for n in (0, 1, 2, 5):
        split = {A: halves(np.zeros(n), 0), B: halves(np.full(n, 0.1), 0)}
        found = leaks_of(pair("1"), split, LEVEL)
        assert len(found) == pair().tests
        assert not refutes(found)
        assert {one.alone for one in found} == {1}
        assert {one.seen for one in found} == {1}
    assert seen_alone(pair("50").target, Fraction(0), (10**4, 10**4), LEVEL) == 1
    assert seen_alone(pair("0").target, Fraction(1), (10**4, 10**4), LEVEL) == 1


def test_what_is_no_number_is_in_no_event() -> None:
    strange = np.array([np.nan, np.inf, -np.inf, 5e-324, 1.7e308, -1.7e308, 0.0, -0.0] * 200)
    split = {A: halves(strange, 0), B: halves(np.full(1600, np.nan), 1)}
    found = leaks_of(pair("1"), split, LEVEL)
    assert refutes(found)  # that a number comes at all is told by its digits
    assert all(one.drawn == (800, 800) for one in found)
    assert max(one.counts[0] for one in found) <= 800
    assert not refutes([one for one in found if one.keys[0] == B])


def test_a_delta_that_is_allowed_is_no_leak() -> None:
    source = np.random.default_rng(17)
    split = {
        A: halves(planted(np.zeros(4000), 0.3, source), 0), B: halves(np.zeros(4000), 0)
    }
    assert refutes(leaks_of(pair("1", Fraction(1, 5)), split, LEVEL))
    assert not refutes(leaks_of(pair("1", Fraction(3, 10)), split, LEVEL))


def test_texts_and_short_floats_are_the_numbers_that_they_write() -> None:
    short = [np.float32(0.1), np.float16(0.5), np.float64(0.3)]
    found = read_draws(*written_draws(short))
    assert isinstance(found, ReturnedDraws)
    assert np.array(found.draws).tolist() == [float(np.float32(0.1)), 0.5, 0.3]
    texts = [repr(y) for y in np.random.default_rng(1).normal(size=20).tolist()]
    for one, other in zip(halves(texts, 2), halves(np.array([*map(float, texts)]), 2), strict=True):
        assert np.array_equal(one, other)
    assert np.isnan(halves(["suppressed", "1/3"], 0)).sum() == 1


def planned_for(problem: Problem, kind: str = "sampler", n: int = 1000) -> Any:
    return planned(problem, kind, dict.fromkeys(priors_of(problem), n), LEVEL)


@pytest.mark.parametrize("kind", ["sampler", "release"])
def test_the_level_is_shared_by_what_is_tested(kind: str) -> None:
    plan = planned_for(points(), kind)
    events = sum(len(one.events) for one in plan.tested.values())
    parts = [2 * events * plan.event_level, 2 * 16 * plan.leak_level]
    if plan.claims:
        parts.append(2 * len(plan.claims) * plan.claim_level)
    assert sum(parts) == LEVEL
    assert len(set(parts)) == 1
    assert plan.tests == 2 * (events + len(plan.claims) + 16)


def test_every_event_is_allowed_what_the_law_has_or_less_if_that_is_claimed() -> None:
    """Two points at distance 1, scale 1, epsilon 1/2: delta is 1 - e^(-1/4) in both orders."""
    exact = 1 - np.exp(-0.25)
    for delta, sampler, release in (("1/2", exact, exact), ("1/10", exact, 0.1)):
        problem = points(epsilon="1/2", delta=delta)
        for kind, expected in (("sampler", sampler), ("release", release)):
            (one,) = planned_for(problem, kind).pairs
            assert [float(end) for end in one.allowed] == pytest.approx([expected] * 2, rel=1e-9)
            assert min(one.allowed) >= Fraction(expected) - Fraction(1, 10**15)


def test_where_digits_say_nothing_that_is_said() -> None:
    answers = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
    names = Problem({"a": Finite({"a": 1}), "b": Finite({"b": 1})}, channel=answers, epsilon=2)
    assert planned_for(names).left_out == "of any pair, as outputs are names"
    pointwise = planned_for(points(form="pointwise"))
    assert pointwise.left_out == "of any pair, as the form pointwise is not about events"
    assert pointwise.pairs == []
    draws: dict[Any, Draws] = {A: np.zeros(1000), B: np.ones(1000)}
    result = pointwise.result(draws, "", called=True, seed=0)
    assert result.leaks == []
    assert result.assumed[-1].endswith("not tested of any pair, as the form pointwise is not about"
                                       " events")  # fmt: skip


def test_of_many_pairs_some_are_looked_at_and_that_is_said() -> None:
    priors = {str(k): Discrete({k: 1}) for k in range(10)}
    plan = planned_for(Problem(priors, noise=DiscreteLaplace(1), epsilon=1))
    assert len(plan.pairs) == 32
    assert plan.left_out == "of 13 of 45 pairs"


@pytest.mark.parametrize("kind", ["sampler", "release"])
def test_what_is_sure_is_tested_by_what_is_no_output(kind: str) -> None:
    """A law of one output has no events to share the level with; it was a division by 0."""
    plan = planned_for(points(noise=NoNoise(), delta=1), kind)
    draws: dict[Any, Draws] = {A: np.zeros(1000), B: np.ones(1000)}
    found = plan.result(draws, "", called=True, seed=0)
    assert found.found is SamplerFindings.NOT_REFUTED
    draws = {A: np.full(1000, 0.5), B: np.ones(1000)}
    assert plan.result(draws, "", called=True, seed=0).found is SamplerFindings.REFUTED


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("epsilon", ["700", "10000"])
def test_no_epsilon_is_too_large(epsilon: str) -> None:
    split = {A: halves(np.zeros(1000), 0), B: halves(np.full(1000, 0.1), 0)}
    assert not refutes(leaks_of(pair(epsilon), split, LEVEL))


def test_a_scale_beyond_all_floats_is_none() -> None:
    (one,) = planned_for(points(noise=Laplace(10**400))).pairs
    assert one.scale is None
    assert one.tests == 10


def test_values_of_x_are_those_whose_chances_differ() -> None:
    priors = {"a": Discrete(dict.fromkeys(range(20), "1/20")),
              "b": Discrete(dict.fromkeys(range(1, 20), "1/20") | {30: "1/20"})}  # fmt: skip
    (one,) = planned_for(Problem(priors, noise=Laplace("1/3"), epsilon=1)).pairs
    assert one.places[:3] == (0.0, 30.0, 1.0)
    assert one.scale == 1 / 3
    dense = Problem({"a": Gaussian(0, variance=1), "b": Gaussian(1, variance=1)},
                    noise=GaussianNoise(2), epsilon=1, delta="1/10")  # fmt: skip
    (one,) = planned_for(dense).pairs
    assert one.places == ()
    assert one.tests == 12


def test_a_prior_of_several_values_leaks_through_each() -> None:
    """X itself is within epsilon here, so that its digits may be seen; it is not at less."""
    def drawn(chance: float, source: np.random.Generator, n: int) -> Floats:
        x = np.sort(source.random(n) < chance).astype(np.float64)  # value by value
        return x + source.laplace(0, 1, n)

    priors = {"a": Discrete({0: "3/4", 1: "1/4"}), "b": Discrete({0: "1/4", 1: "3/4"})}
    source = np.random.default_rng(19)
    draws: dict[Any, Draws] = {A: drawn(0.25, source, 20_000), B: drawn(0.75, source, 20_000)}
    expected = {"12/10": SamplerFindings.NOT_REFUTED, "1/2": SamplerFindings.REFUTED}
    for epsilon, found in expected.items():
        problem = Problem(priors, noise=Laplace(1), epsilon=epsilon)
        assert planned_for(problem, n=20_000).result(draws, "", called=True, seed=0).found is found
