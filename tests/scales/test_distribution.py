"""The properties of distribution privacy on random exact channels, against all events.

Nothing here shares code with what it tests but the channels: laws are summed, and events are tried
one by one. The long version has 5,000 instances of each property.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import exp, log
from random import Random

import pytest
from support.channels import channel, largest_excess, law, lifted, masses

from pfverify import InputError, Problem, loss
from pfverify.model.channels.combined import Composition
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.tupling import Tupling
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.scales.distribution import (
    Judgement,
    bayes_factor,
    close_beliefs,
    extended_channel,
    independent_inputs,
    post_processing,
    pre_processing,
    private_channel,
    same_input,
    tupled,
)
from pfverify.scales.tupling_bound import Reading

ZERO = Fraction(0)
GROWTHS = (Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))
Laws = tuple[list[Fraction], list[Fraction]]
Case = tuple[Judgement, Laws, Callable[[], None]]


def names(count: int) -> list[str]:
    return [str(k) for k in range(count)]


def excess_of(laws: Laws, growth: Fraction) -> Fraction:
    return largest_excess(*laws, growth)


def both(base: Matrix, pair: tuple[Finite, Finite]) -> Laws:
    return lifted(base, pair[0]), lifted(base, pair[1])


def rational(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value


def checked(found: Judgement, laws: Laws, counts: Counter[str]) -> None:
    """What a judgement says of one pair of laws, from the definition."""
    delta = excess_of(laws, found.published.growth)
    assert found.delta == delta
    assert found.holds == (delta <= rational(found.published.delta))
    if found.true is not None:
        assert found.delta_at_true == excess_of(laws, found.true.growth)
        assert found.delta_at_true <= rational(found.true.delta), found
        counts["tight"] += found.delta_at_true == found.true.delta > 0
    if found.ratio is None:
        assert any(a and not b for a, b in zip(*laws, strict=True))
    else:
        assert excess_of(laws, found.ratio) == 0
        assert found.ratio == 1 or excess_of(laws, found.ratio - Fraction(1, 10**6)) > 0
    counts["positive delta"] += delta > 0
    counts["fails as printed"] += not found.holds
    counts["cases"] += 1


def pure(rng: Random) -> Fraction | None:
    return rng.choice((None, *GROWTHS))


def on_same_input(rng: Random, counts: Counter[str]) -> None:
    inputs = names(rng.choice((2, 3)))
    first, second = channel(rng, inputs, 2), channel(rng, inputs, rng.choice((2, 3)))
    pair = law(rng, inputs), law(rng, inputs)
    growths = None if rng.random() < 0.3 else (rng.choice(GROWTHS), rng.choice(GROWTHS))
    found = same_input(first, second, pair, growths)
    laws: list[list[Fraction]] = []
    for prior in pair:
        joint = {}
        for x, mass in prior.mass.items():
            for y, z in product(range(len(first.outputs)), range(len(second.outputs))):
                entry = rational(first.row(x)[y]) * rational(second.row(x)[z])
                joint[y, z] = joint.get((y, z), ZERO) + mass * entry
        laws.append(list(joint.values()))
    checked(found, (laws[0], laws[1]), counts)
    if growths is not None:  # the premises, from the definition
        parts = [excess_of(both(part, pair), growth)
                 for part, growth in zip((first, second), growths, strict=True)]  # fmt: skip
        assert found.published.growth == growths[0] * growths[1]
        assert found.published.delta == sum(parts) * len(inputs) ** 2


def on_independent_inputs(rng: Random, counts: Counter[str]) -> None:
    parts, pairs = [], []
    for _ in range(2):
        inputs = names(rng.choice((2, 3)))
        parts.append(channel(rng, inputs, 2))
        pairs.append((law(rng, inputs), law(rng, inputs)))
    growths = None if rng.random() < 0.3 else (rng.choice(GROWTHS), rng.choice(GROWTHS))
    found = independent_inputs(parts[0], parts[1], (pairs[0], pairs[1]), growths)
    alone = [both(part, pair) for part, pair in zip(parts, pairs, strict=True)]
    laws = [[a * b for a in alone[0][side] for b in alone[1][side]] for side in (0, 1)]
    checked(found, (laws[0], laws[1]), counts)
    assert found.holds


def on_post_processing(rng: Random, counts: Counter[str]) -> None:
    inputs = names(rng.choice((2, 3)))
    first = channel(rng, inputs, 3)
    then = channel(rng, first.outputs, rng.choice((2, 3)))
    pair = law(rng, inputs), law(rng, inputs)
    found = post_processing(first, then, pair, pure(rng))
    released = [Finite(dict(zip(first.outputs, lifted(first, prior), strict=True)))
                for prior in pair]  # fmt: skip
    checked(found, (lifted(then, released[0]), lifted(then, released[1])), counts)
    assert found.holds


def on_pre_processing(rng: Random, counts: Counter[str]) -> None:
    inputs = names(3)
    base = channel(rng, inputs, rng.choice((2, 3)))
    steps = [law(rng, inputs) for _ in range(rng.choice((2, 3, 4)))]
    growth = pure(rng)
    found = pre_processing(base, steps, growth)
    checked(found, both(base, (steps[0], steps[-1])), counts)
    if found.published.delta == 0:
        assert found.holds
        counts["delta = 0"] += 1


def coupled(rng: Random) -> tuple[list[str], set[tuple[str, str]], tuple[Finite, Finite]]:
    """A relation, and two laws with a coupling inside it."""
    inputs = names(rng.choice((2, 3, 4)))
    related = rng.sample([*product(inputs, inputs)], rng.randint(1, 4))
    flow = dict(zip(related, masses(rng, len(related)), strict=True))
    pair = [Finite({x: sum((m for edge, m in flow.items() if edge[side] == x), ZERO)
                    for x in inputs}) for side in (0, 1)]  # fmt: skip
    return inputs, set(related), (pair[0], pair[1])


def on_private_channels(rng: Random, counts: Counter[str]) -> None:
    inputs, related, pair = coupled(rng)
    base = channel(rng, inputs, 3)
    growth = rng.choice(GROWTHS)
    found = private_channel(base, related, pair, growth)
    checked(found, both(base, pair), counts)
    assert found.holds
    points = [both(base, (Finite({x: 1}), Finite({z: 1}))) for x, z in related]
    assert found.true is not None
    assert found.true.delta == max(excess_of(laws, growth) for laws in points)
    assert found.published.delta == found.true.delta * len(related)


def on_extended_channels(rng: Random, counts: Counter[str]) -> None:
    inputs, related, pair = coupled(rng)
    base, ground = channel(rng, inputs, 3), Ground.of(inputs, None, None)
    growth = rng.choice(GROWTHS)
    found = extended_channel(base, ground, related, pair, growth)
    checked(found, both(base, pair), counts)
    assert found.holds
    cumulative = [[sum((prior.mass.get(y, ZERO) for y in inputs[: k + 1]), ZERO)
                   for k in range(len(inputs))] for prior in pair]  # fmt: skip
    levels = sorted({*cumulative[0], *cumulative[1]})
    reach = max(abs(_quantile(cumulative[0], level) - _quantile(cumulative[1], level))
                for level in levels if level)  # fmt: skip
    assert found.published.growth == growth**reach


def _quantile(cumulative: list[Fraction], level: Fraction) -> int:
    return next(k for k, mass in enumerate(cumulative) if mass >= level)


def on_close_beliefs(rng: Random, counts: Counter[str]) -> None:
    inputs = names(rng.choice((2, 3)))
    base, ground = channel(rng, inputs, 3), Ground.of(inputs, None, None)
    pair = law(rng, inputs), law(rng, inputs)
    beliefs = law(rng, inputs), law(rng, inputs)
    growth = rng.choice((Fraction(2), Fraction(4), Fraction(8)))
    promised = [pair] if rng.random() < 0.5 else [pair, beliefs]
    found = close_beliefs(base, ground, growth, promised, pair, beliefs)
    checked(found, both(base, beliefs), counts)
    if beliefs in promised:
        assert found.holds
        counts["repaired"] += 1


def on_bayes_factors(rng: Random, counts: Counter[str]) -> None:
    inputs = names(2)
    base = channel(rng, inputs, 3)
    pair = law(rng, inputs), law(rng, inputs)
    found = bayes_factor(base, pair, Fraction(rng.randint(1, 9), 10))
    checked(found, both(base, pair), counts)
    assert found.holds
    assert found.ratio == found.published.growth


def on_tuples(rng: Random, counts: Counter[str]) -> None:
    """Small tuples, each of them with its chance; both readings of the class of Theorem 3."""
    size, dummies = rng.choice((2, 3)), rng.choice((1, 2))
    inputs = names(size)
    base = Matrix(inputs, inputs, [[int(x == y) for y in inputs] for x in inputs])
    pair = law(rng, inputs), law(rng, inputs)
    alpha = Fraction(dummies, size) * Fraction(rng.randint(1, 6), 8)
    beta, eta = Fraction(rng.randint(1, 4), 4), Fraction(rng.choice((0, 1, 2, 3)), 4)
    reading = rng.choice([*Reading])
    found = tupled(base, dummies, pair, alpha, beta, eta, reading)
    laws: list[list[Fraction]] = []
    for prior in both(base, pair):
        whole = size**dummies * (dummies + 1)
        laws.append([sum((prior[y] for y in shown), ZERO) / whole
                     for shown in product(range(size), repeat=dummies + 1)])  # fmt: skip

    def delta(growth: Fraction) -> Fraction:
        return sum((max(a - growth * b, ZERO) for a, b in zip(*laws, strict=True)), ZERO)

    assert found.delta == delta(found.published.growth)
    promised = 2 * exp(-2 * float(alpha) ** 2 / (dummies * float(beta) ** 2)) + float(eta)
    assert found.holds == (float(found.delta) <= promised)
    if found.true is not None:
        assert found.delta_at_true == delta(found.true.growth)
        if isinstance(found.true.delta, Fraction):
            assert found.delta_at_true <= found.true.delta
            counts["eta = 0"] += 1
        else:
            assert float(found.delta_at_true) <= promised
            counts["repaired"] += 1
    counts["fails as printed"] += not found.holds
    counts["cases"] += 1


PROPERTIES = {
    "same input": (on_same_input, ("fails as printed", "positive delta")),
    "independent inputs": (on_independent_inputs, ("positive delta",)),
    "post-processing": (on_post_processing, ("positive delta", "tight")),
    "pre-processing": (on_pre_processing, ("fails as printed", "delta = 0", "tight")),
    "Theorem 1": (on_private_channels, ("positive delta", "tight")),
    "Theorem 2": (on_extended_channels, ("positive delta", "tight", "W-infinity only outside")),
    "Proposition 1": (on_close_beliefs, ("fails as printed", "repaired", "no promise")),
    "Theorem 3": (on_tuples, ("eta = 0", "repaired", "outside the class")),
    "Bayes factor": (on_bayes_factors, ("no finite epsilon",)),
}
REFUSED = {
    "growth: missing": "no finite epsilon",
    "lifting": "W-infinity only outside",  # of the relation
    "promised": "no promise",
    "is not in the class": "outside the class",
}
NEVER_FAIL = {"independent inputs", "post-processing", "Theorem 1", "Theorem 2", "Bayes factor"}


def battery(name: str, count: int) -> Counter[str]:
    """Draw until so many instances were judged."""
    judge, reached = PROPERTIES[name]
    rng, counts = Random(f"distribution {name}"), Counter[str]()
    for _ in range(40 * count):
        try:
            judge(rng, counts)
        except InputError as error:
            counts[next(why for words, why in REFUSED.items() if words in str(error))] += 1
        if counts["cases"] == count:
            break
    assert counts["cases"] == count
    assert all(counts[case] for case in reached), counts
    assert name not in NEVER_FAIL or not counts["fails as printed"]
    return counts


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_of_random_channels(name: str) -> None:
    battery(name, 150)


@pytest.mark.long
@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_of_many_random_channels(name: str) -> None:
    print(name, dict(battery(name, 5000)))


def test_the_route_of_channels_finds_the_same_numbers() -> None:
    """`loss` of the composed channel, and of tuples: both ends of its enclosures."""
    rng, judged = Random("by loss"), 0
    while judged < 40:
        inputs = names(rng.choice((2, 3)))
        first, second = channel(rng, inputs, 2), channel(rng, inputs, 2)
        pair, growths = (law(rng, inputs), law(rng, inputs)), (rng.choice(GROWTHS), Fraction(1))
        priors = {"P": pair[0], "Q": pair[1]}
        if any(all(name not in prior.support for prior in pair) for name in inputs):
            continue
        found = same_input(first, second, pair, growths)
        beta = Fraction(max(mass for prior in pair for mass in prior.mass.values()))
        shown = Matrix(inputs, inputs, [[int(x == y) for y in inputs] for x in inputs])
        hidden = tupled(shown, 2, pair, Fraction(1, 2), beta)
        for judgement, released in (
            (found, Composition([first, second])), (hidden, Tupling(shown, 2)),
        ):
            epsilon = f"log({judgement.published.growth})"
            losses = loss(Problem(priors, channel=released, epsilon=epsilon))
            one = next(one for one in losses.pairs if one.from_ == "P")
            assert Fraction(one.delta.lower) <= judgement.delta <= Fraction(one.delta.upper)
            infinite = one.epsilon_star.upper == "inf"
            assert infinite == (judgement.ratio is None)
            if judgement.ratio is not None and not infinite:
                assert float(one.epsilon_star.upper) == pytest.approx(log(judgement.ratio))
        judged += 1


def test_a_pair_outside_the_lifting_is_bad_input() -> None:
    base = Matrix(["0", "1"], ["y"], [[1], [1]])
    pair = Finite({"0": 1}), Finite({"1": 1})
    for related in ([("1", "0")], [("0", "0"), ("1", "1")]):
        with pytest.raises(InputError, match="lifting"):
            private_channel(base, related, pair, Fraction(1))


def test_only_rational_channels_are_judged() -> None:
    base = Matrix(["0", "1"], ["y", "z"], [["exp(-1)", "1-exp(-1)"], [1, 0]])
    with pytest.raises(InputError, match="rational"):
        pre_processing(base, [Finite({"0": 1}), Finite({"1": 1})], Fraction(1))


def test_other_bad_input_is_one_line() -> None:
    base = Matrix(["0", "1"], ["y", "z"], [[1, 0], [0, 1]])
    pair = Finite({"0": 1}), Finite({"1": 1})
    with pytest.raises(InputError, match="'7' is no input of the channel"):
        pre_processing(base, [Finite({"7": 1}), pair[1]], Fraction(1))
    with pytest.raises(InputError, match="'7' is no input of the channel"):
        private_channel(base, [("0", "1"), ("7", "1")], pair, Fraction(1))
    with pytest.raises(InputError, match="growth: 1/2, expected"):
        pre_processing(base, pair, Fraction(1, 2))
    with pytest.raises(InputError, match="growth: missing"):
        pre_processing(base, pair)
    with pytest.raises(InputError, match="at least two"):
        pre_processing(base, pair[:1])
    with pytest.raises(InputError, match="chance: 1, expected"):
        bayes_factor(base, (pair[0], pair[0]), Fraction(1))
    ground = Ground.of(base.inputs, None, None)
    with pytest.raises(InputError, match="none of the promised"):
        close_beliefs(base, ground, Fraction(2), [], pair, pair)


def test_laws_outside_the_class_of_theorem_3_are_bad_input() -> None:
    base = Matrix(["0", "1"], ["y", "z"], [[1, 0], [0, 1]])
    pair = Finite({"0": 1}), Finite({"1": 1})
    with pytest.raises(InputError, match="class"):
        tupled(base, 3, pair, Fraction(1), Fraction(3, 4))


def test_distances_are_whole() -> None:
    base = Matrix(["0", "1/2"], ["y"], [[1], [1]])
    ground = Ground.of(base.inputs, None, None)
    pair = Finite({"0": 1}), Finite({"1/2": 1})
    with pytest.raises(InputError, match="whole"):
        extended_channel(base, ground, [("0", "1/2")], pair, Fraction(2))
