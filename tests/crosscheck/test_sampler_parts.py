"""Parts of the outputs: draws are counted as their words say, and chances are those of the law."""

from __future__ import annotations

import random
from fractions import Fraction
from math import exp, nextafter

import numpy as np
import pytest
from scipy.stats import laplace, norm

from pfverify import (
    Channel,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    GaussianNoise,
    Laplace,
    TruncatedLaplace,
)
from pfverify.crosscheck.samplers.claim import worst_event
from pfverify.crosscheck.samplers.parts import (
    MAKERS,
    Event,
    Intervals,
    Parts,
    SingleOutputs,
    parts_of,
)
from pfverify.errors import InputError
from pfverify.exact.number import number
from pfverify.laws.kinds import law_of
from pfverify.laws.law import Law
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.noises.none import NoNoise
from pfverify.model.target import Target

ZERO = Discrete({0: 1})
MIXED = Discrete({"-1/3": "1/2", 0: "1/4", 7: "1/4"})
LINE: list[Law[Fraction]] = [
    law_of(ZERO, Laplace(1)),
    law_of(MIXED, Laplace("1/5")),
    law_of(MIXED, GaussianNoise(2)),
    law_of(Discrete({0: "1/2", 10**9: "1/2"}), GaussianNoise("1/100")),
    law_of(MIXED, TruncatedLaplace(2, bound=5)),
]
LATTICE = [
    law_of(ZERO, DiscreteLaplace(1, step=1)),
    law_of(ZERO, DiscreteLaplace(30, step="1/10")),
    law_of(Discrete({"1/3": "1/2", "4/3": "1/2"}), DiscreteLaplace("1/4", step=1)),
    law_of(Discrete({0: "1/2", 5: "1/2"}), DiscreteGaussian(3, step=1)),
]


def within(words: str, y: float) -> bool:
    """Whether an output is in an event, as its words are read."""
    return bool(eval(words, {"y": y}))


@pytest.mark.parametrize("law", [*LINE, *LATTICE], ids=lambda law: type(law).__name__)
def test_draws_are_counted_as_the_words_say(law: Law[Fraction]) -> None:
    parts = parts_of([law], 5000)
    events = parts.events(parts.chances(law))
    assert len(events) > 15
    source = random.Random(1)
    if law.step is None:
        assert isinstance(parts, Intervals)
        ends = [y for edge in parts.edges for y in (edge, nextafter(edge, 1e9))]
        draws = [*ends, *(source.gauss(0, 9) for _ in range(50))]
    else:
        shift = Fraction(1, 3) if "1/3" in repr(getattr(law, "prior", "")) else Fraction(0)
        draws = [float(shift + source.randint(-40, 40) * law.step) for _ in range(80)]
    counts = parts.counts(np.array(draws))
    assert counts[-1] == 0
    for event in events:
        expected = sum(within(parts.words(event), y) for y in draws)
        assert sum(counts[k] for k in event) == expected


def test_chances_are_those_of_scipy() -> None:
    gaussian = law_of(ZERO, GaussianNoise(2))
    for law, cdf in ((LINE[0], laplace(0, 1).cdf), (gaussian, norm(0, 2).cdf)):
        parts = parts_of([law], 10**6)
        assert isinstance(parts, Intervals)
        chances = parts.chances(law)
        for k, edge in enumerate(parts.edges):
            low, high = chances.of(frozenset(range(k + 1)))
            assert low <= high <= low + Fraction(1, 10**12)
            assert float(low) == pytest.approx(cdf(edge), rel=1e-9)


@pytest.mark.parametrize("law", [*LINE, *LATTICE], ids=lambda law: type(law).__name__)
def test_chances_add_up_and_enclose(law: Law[Fraction]) -> None:
    parts = parts_of([law], 1000)
    chances = parts.chances(law)
    whole = frozenset(range(parts.size))
    assert chances.of(whole) == (1, 1)
    assert chances.of(parts.impossible) == (0, 0)
    for event in parts.events(chances):
        low, high = chances.of(event)
        other_low, other_high = chances.of(whole - event)
        assert 0 <= low <= high <= 1
        assert low + other_low <= 1 <= high + other_high


def test_chances_on_a_lattice_are_geometric_sums() -> None:
    law, q = LATTICE[0], exp(-1)
    parts = parts_of([law], 1000)
    assert isinstance(parts, Intervals)
    chances = parts.chances(law)
    for k, edge in enumerate(parts.edges):
        if edge < 0:
            found = float(chances.of(frozenset(range(k + 1)))[0])
            assert found == pytest.approx(q ** -np.floor(edge) / (1 + q), rel=1e-12)


def test_tails_reach_as_far_as_the_draws_do() -> None:
    few, many = (parts_of([LINE[0]], draws) for draws in (100, 10**6))
    assert few.size < many.size
    least = min(many.chances(LINE[0]).each)
    assert 2.0**-50 < least < 2.0**-46


def test_lattices_take_the_nearest_float_of_a_point_and_nothing_else() -> None:
    law = LATTICE[2]
    parts = parts_of([law], 100)
    assert parts.counts(np.array([1 / 3, 4 / 3, -2 / 3]))[-1] == 0
    assert parts.counts(np.array([0.333, 1.0, np.inf]))[-1] == 3


def test_names_are_found_by_their_text_or_their_number() -> None:
    channel = Channel.of(
        {"kind": "matrix", "inputs": ["a"], "outputs": ["suppressed", "5", "6.5", "x"],
         "rows": [["1/2", "1/4", "1/4", 0]]}
    )  # fmt: skip
    law = law_of(Finite({"a": 1}), channel)
    parts = parts_of([law], 100)
    assert parts.counts(["suppressed", "5", "5.0", "13/2", "x", "7", "nan", ""]) == [1, 2, 1, 1, 3]
    assert parts.counts(np.array([5.0, 6.5, 7.0, np.nan])) == [0, 1, 1, 0, 2]
    events = parts.events(parts.chances(law))
    assert frozenset({3}) in events  # an output without a chance
    assert parts.words(frozenset({0, 4})) == "'suppressed' or no output of the release"


def test_many_outputs_are_tested_in_runs_too() -> None:
    law = law_of(Discrete({k: Fraction(1, 200) for k in range(200)}),
                 NoNoise())
    parts = parts_of([law], 100)
    assert isinstance(parts, SingleOutputs)
    events = parts.events(parts.chances(law))
    assert {len(event) for event in events} >= {1, 12, 152}
    assert parts.counts(np.arange(200.0)) == [1] * 200 + [0]


def chosen(first: Law[Fraction], second: Law[Fraction], epsilon: str) -> tuple[Parts, Event]:
    parts = parts_of([first, second], 10**5)
    target = Target(number(epsilon), number(0))
    return parts, worst_event(parts.chances(first), parts.chances(second), target)


def test_the_worst_event_comes_near_the_divergence() -> None:
    """Two points at distance 1 under Laplace noise: delta is 1 - e^(-(1 - epsilon)/2)."""
    first, second = law_of(ZERO, Laplace(1)), law_of(Discrete({1: 1}), Laplace(1))
    for epsilon in ("0", "1/4", "1/2", "9/10"):
        parts, event = chosen(first, second, epsilon)
        p, q = (float(parts.chances(law).of(event)[0]) for law in (first, second))
        exact = 1 - exp((float(Fraction(epsilon)) - 1) / 2)
        assert 0.98 * exact <= p - exp(float(Fraction(epsilon))) * q <= exact + 1e-12


def test_where_no_ratio_reaches_epsilon_the_event_has_the_largest() -> None:
    first, second = law_of(ZERO, Laplace(1)), law_of(Discrete({1: 1}), Laplace(1))
    parts, event = chosen(first, second, "3")
    assert parts.words(event) == "y <= 0"


def test_every_law_has_parts_or_is_refused_by_name() -> None:
    made = {type(law) for law in (*LINE, *LATTICE)} | {type(law_of(ZERO, NoNoise()))}
    assert made <= set(MAKERS)
    tuples = Channel.of(
        {"kind": "tupling", "dummies": 1, "dummy": "uniform",
         "base": {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}}
    )  # fmt: skip
    assert "tupling" in CHANNELS
    with pytest.raises(InputError, match="draws of a Tuples law cannot be tested"):
        parts_of([law_of(Finite({"a": 1}), tuples)], 10)
    with pytest.raises(InputError, match="outputs of different kinds"):
        parts_of([LINE[0], law_of(ZERO, NoNoise())], 10)
