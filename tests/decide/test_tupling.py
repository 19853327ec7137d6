"""The tupling mechanism's exact laws and divergences, against full enumeration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import exp, lcm, prod
from random import Random

import pytest
from support.tuples import by_places, tuple_law

from pfverify import Finite
from pfverify.decide.excess import excess_margin
from pfverify.decide.tupling import types
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.decide.tupling.order import TuplingComparison
from pfverify.decide.tupling.types import halves, sums
from pfverify.errors import InputError
from pfverify.exact.ball import precision, raw
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number
from pfverify.exact.written import written
from pfverify.laws.masses import Tuples
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.tupling import Tupling
from pfverify.model.target import Target

F = Fraction
NAMES = "abcde"
Law = tuple[Fraction, ...]


def some_law(rng: Random, outputs: int, zeros: float) -> Law:
    """A random law with small denominators and some masses 0."""
    while True:
        weights = [0 if rng.random() < zeros else rng.randint(1, 12) for _ in range(outputs)]
        if any(weights):
            return tuple(F(weight, sum(weights)) for weight in weights)


def integers(law: Law) -> tuple[list[int], int]:
    """The masses times their common denominator."""
    whole = lcm(*(mass.denominator for mass in law))
    return [int(mass * whole) for mass in law], whole


def cases(tuples: int) -> Iterator[tuple[Law, Law, Law, int]]:
    """Laws of the value, of the dummies, and how many, until so many tuples are used up."""
    rng, left = Random("tupling"), tuples
    while left > 0:
        outputs, dummies = rng.randint(1, 5), rng.randint(0, 5)
        size = outputs ** (dummies + 1)
        if size > 4000:
            continue
        left -= 2 * size
        first, second = (some_law(rng, outputs, 0.25) for _ in range(2))
        uniform = (F(1, outputs),) * outputs
        yield first, second, rng.choice([uniform, some_law(rng, outputs, 0.25)]), dummies


def order_of(
    laws: tuple[Law, Law, Law, int], epsilon: object, delta: object = 0, *, reverse: bool = False
) -> TuplingComparison:
    target = Target(number(epsilon), number(delta))
    return TuplingComparison(TupleLaws(*laws), NAMES, target, reverse=reverse)


def largest_ratio(order: TuplingComparison) -> Fraction | None:
    p, q = order.value.masses(order.value.worst)
    return p / q if q else None


def divergence(laws: tuple[Law, Law, Law, int], growth: Fraction) -> Fraction:
    p, q = TupleLaws(*laws).event(growth, reverse=False)
    return p - growth * q


def holds(found: Enclosure, value: float, slack: float = 1e-9) -> bool:
    return float(found.lower) - slack <= value <= float(found.upper) + slack


@pytest.mark.parametrize("tuples", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_every_event_and_ratio_is_that_of_full_enumeration(tuples: int) -> None:
    checked = 0
    rng = Random("growths")
    for first, second, dummy, dummies in cases(tuples):
        masses, whole = integers((*first, *second))
        weights, dummy_whole = integers(dummy)
        scale = (dummies + 1) * whole * dummy_whole**dummies
        count = len(first)
        both = [
            list(by_places(law, weights, dummies).values())
            for law in (masses[:count], masses[count:])
        ]
        assert [sum(law) for law in both] == [scale, scale]
        laws = TupleLaws(first, second, dummy, dummies)
        for reverse in (False, True):
            pairs = list(zip(*(both[::-1] if reverse else both), strict=True))
            finite = sorted({F(p, q) for p, q in set(pairs) if q})
            impossible = F(sum(p for p, q in pairs if not q), scale)
            assert laws.never(reverse=reverse) == impossible
            assert finite[-1] <= laws.most(reverse=reverse)
            assert max(r.denominator for r in finite) <= laws.finest(reverse=reverse)
            order = TuplingComparison(laws, NAMES, Target(number(0), number(0)), reverse=reverse)
            assert largest_ratio(order) == (None if impossible else finite[-1])
            tied = rng.sample(finite, min(2, len(finite)))  # ratios that are met exactly
            for growth in (F(0), F(1), F(rng.randint(10, 40), 10), *tied):
                up, down = growth.numerator, growth.denominator
                event = [(p, q) for p, q in pairs if down * p > up * q]
                expected = sum(p for p, _ in event), sum(q for _, q in event)
                found = laws.event(growth, reverse=reverse)
                assert (found[0] * scale, found[1] * scale) == expected
                checked += 1
    assert checked > tuples / 200


def test_the_law_of_tuples_is_that_of_full_enumeration() -> None:
    rng, checked = Random("types"), 0
    for _ in range(40):
        outputs, dummies = rng.randint(1, 4), rng.randint(1, 4)
        law, dummy = (some_law(rng, outputs, 0.25) for _ in range(2))
        names = [f"o{k}" for k in range(outputs)]
        base = Matrix(["a"], names, [law])
        channel = Tupling(base, dummies, dict(zip(names, dummy, strict=True)))
        found = Tuples(Finite({"a": 1}), channel)
        assert found.size == len(found.outputs)
        at = found.at_precision()
        for entries, mass in tuple_law(law, dummy, dummies).items():
            value = at.value(tuple(names[k] for k in entries))
            with precision(200):
                assert value.contains(raw(mass))
            checked += 1
    assert checked > 1000


def test_sums_are_those_of_all_draws() -> None:
    weights = {(3, 0): 2, (1, 1): 1, (0, 3): 5}
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for drawn in product(weights, repeat=4):
        total = sum(a for a, _ in drawn), sum(b for _, b in drawn)
        found[total] += prod(weights[value] for value in drawn)
    assert sums(weights, 4) == found


@pytest.mark.parametrize(
    ("outputs", "places", "count"), [(4, 20, 21), (4, 25, 26), (6, 9, 10), (7, 4, 1), (3, 20, 1)]
)
def test_tuples_in_two_parts_are_all_tuples(outputs: int, places: int, count: int) -> None:
    """By half of the places or of the values, as is less: the sums of whole tuples."""
    rng = Random(f"parts {outputs} {places}")
    weights = {(rng.randint(0, 9), k): rng.randint(1, 5) for k in range(outputs)}
    whole: defaultdict[tuple[int, int], int] = defaultdict(int)
    parts = halves(weights, places)
    for part in parts:
        for a, b, ways in part.left:
            for c, d, more in part.right:
                whole[a + c, b + d] += part.ways * ways * more
    assert whole == sums(weights, places)
    assert len(parts) == count


@pytest.mark.parametrize("epsilon", ["0", "1/2", "log(8)/3", "sqrt(2)", "3000", "ratio"])
@pytest.mark.parametrize("delta", ["1/10", "exp(-3)", "0"])
def test_signs_amounts_and_least_epsilons_hold_against_floats(epsilon: str, delta: str) -> None:
    rng = Random(f"{epsilon} {delta}")
    for _ in range(12):
        outputs, dummies = rng.randint(2, 3), rng.randint(0, 3)
        first, second = (some_law(rng, outputs, 0.2) for _ in range(2))
        dummy = some_law(rng, outputs, 0.2)
        if first == second:
            continue
        laws = (first, second, dummy, dummies)
        p, q = (tuple_law(law, dummy, dummies) for law in (first, second))
        ratios = [p[t] / q[t] for t in p if q[t] and p[t] >= q[t]]
        text = f"log({rng.choice(ratios or [F(2)])})" if epsilon == "ratio" else epsilon
        order = order_of(laws, text, delta)
        bound = float(order.target.delta.ball().midpoint())

        def excess(at: float, p=p, q=q) -> float:
            return sum(max(0.0, float(p[t]) - exp(min(at, 600)) * float(q[t])) for t in p)

        true = excess(order.target.epsilon.ball().midpoint())
        found = order.area
        assert holds(written(order.exceeding(), 8), true)
        if abs(true - bound) > 1e-9:
            assert found.sign == (1 if true > bound else -1)
        if found.sign == 1:
            event = max(order.events, key=lambda event: event.p)
            margin = excess_margin(event.p, event.q, order.target)
            assert margin is not None
            assert 0 < float(margin) <= true - bound + 1e-9
        least = written(order.least_epsilon(), 8)
        if least.upper == "inf":
            assert sum(p[t] for t in p if not q[t]) > bound
            continue
        assert excess(float(least.upper) + 1e-6) <= bound + 1e-9
        if least.lower != "0":
            assert excess(float(least.lower) - 1e-5) > bound


def test_a_tie_at_a_ratio_is_outside_the_event_and_exact() -> None:
    laws = ((F(1, 2), F(1, 2), F(0)), (F(1, 8), F(3, 8), F(1, 2)), (F(1, 3),) * 3, 2)
    for ratio in (F(4), F(12, 5), F(12, 7), F(4, 3)):  # of the tuples aaa, aab, abb and bbb
        order = order_of(laws, f"log({ratio})", divergence(laws, ratio))
        assert order.area.sign == 0
        p, q = TupleLaws(*laws).event(ratio, reverse=False)
        assert [(event.p, event.q) for event in order.events] == [(p, q)]
        below = divergence(laws, ratio) - F(1, 10**30)
        assert order_of(laws, f"log({ratio})", below).area.sign == 1


def test_an_epsilon_just_beside_a_ratio_is_told_from_it() -> None:
    """The logarithm of 2 to 60 digits, cut: e to it is below the ratio 2 by about 1e-60."""
    laws = ((F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 4), F(1, 2)), (F(1, 3),) * 3, 2)
    cut = "0.693147180559945309417232121458176568075500134360255254120680"
    assert order_of(laws, cut).value.signs.sign == 1
    assert order_of(laws, "log(2)").value.signs.sign == 0
    above = order_of(laws, cut[:-1] + "1")
    assert above.value.signs.sign == -1
    assert [event.q for event in above.events] == [0]
    assert [event.q > 0 for event in order_of(laws, cut).events] == [True]


def test_the_largest_ratio_is_that_of_the_value_alone_whatever_the_dummies() -> None:
    first, second = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))
    for dummies in (0, 1, 7, 40):
        assert largest_ratio(order_of((first, second, (F(1, 2),) * 2, dummies), 1)) == 3


def worst_delta(outputs: int, most: Fraction, growth: Fraction, dummies: int) -> Fraction:
    """The largest divergence over laws of the value with no mass above `most` = 1/2 or 3/4."""
    size = most.denominator
    extreme = {
        law
        for law in product([F(n, size) for n in range(size + 1)], repeat=outputs)
        if sum(law) == 1 and max(law) <= most
    }
    dummy = (F(1, outputs),) * outputs
    return max(divergence((p, q, dummy, dummies), growth) for p in extreme for q in extreme)


def test_the_published_bound_is_loose() -> None:
    """Ledger row D22: the exact delta beside .611 and .0996."""
    assert worst_delta(2, F(3, 4), F(13, 2), 3) == 0
    found = worst_delta(3, F(1, 2), F(8), 6)
    assert F("6.855e-4") < found < F("6.865e-4")


def test_the_published_bound_fails_for_two_points() -> None:
    """Ledger row D23: value a against b among three outputs, one dummy, e**epsilon = 29/14."""
    laws = ((F(1), F(0), F(0)), (F(0), F(1), F(0)), (F(1, 3),) * 3, 1)
    assert TupleLaws(*laws).event(F(29, 14), reverse=False) == (F(2, 3), 0)
    order = order_of(laws, "log(29/14)", "0.3340042586")
    found = order.area
    assert found.sign == 1
    (event,) = order.events
    margin = excess_margin(event.p, event.q, order.target)
    assert margin is not None
    assert event.breach(margin).growth == "inf"
    assert float(margin) > 0.33266


def test_more_dummies_never_lose_more() -> None:
    """Ledger row D27: dropping a dummy at random is post-processing."""
    rng = Random("more")
    fell = 0
    for _ in range(60):
        outputs = rng.randint(2, 4)
        first, second, dummy = (some_law(rng, outputs, 0.2) for _ in range(3))
        growth = F(rng.randint(10, 30), 10)
        found = [divergence((first, second, dummy, k), growth) for k in range(7)]
        assert found == sorted(found, reverse=True)
        fell += found[-1] < found[0]
    assert fell > 20


def test_the_value_is_shown_by_what_is_no_dummy() -> None:
    """An output without dummy mass is published as it is, whatever the number of dummies."""
    first, second = (F(1, 2), F(1, 4), F(1, 4)), (F(1, 4), F(1, 4), F(1, 2))
    dummy = (F(0), F(1, 2), F(1, 2))
    for dummies in (0, 1, 5, 50):
        assert divergence((first, second, dummy, dummies), F(3, 2)) >= F(1, 2) - F(3, 8)
        assert largest_ratio(order_of((first, second, dummy, dummies), 1)) == 2


def test_equal_values_are_one_however_many_outputs_there_are() -> None:
    """Two kinds of outputs among a thousand cost as much as two outputs."""
    first = (F(1, 500),) * 500 + (F(0),) * 500
    second = first[::-1]
    many = TupleLaws(first, second, (F(1, 1000),) * 1000, 60).event(F(3, 2), reverse=False)
    two = TupleLaws((F(1), F(0)), (F(0), F(1)), (F(1, 2),) * 2, 60).event(F(3, 2), reverse=False)
    assert many == two


def test_a_size_that_does_not_fit_is_refused_with_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(types, "MOST_SUMS", 1000)
    rng = Random("size")
    first, second = (some_law(rng, 8, 0.0) for _ in range(2))
    laws = TupleLaws(first, second, (F(1, 8),) * 8, 20)
    with pytest.raises(InputError, match="more than 1,000 different sums"):
        laws.event(F(2), reverse=False)


@pytest.mark.parametrize("dummies", [10**5, 10**30])
def test_dummies_beyond_all_bounds_are_refused_at_once(dummies: int) -> None:
    """But not where the ratio of the value alone decides."""
    laws = ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), (F(1, 2),) * 2, dummies)
    with pytest.raises(InputError, match="give fewer dummies"):
        order_of(laws, 1, "1/100").exceeding()
    assert order_of(laws, 2, "1/100").area.sign == -1
    assert order_of(laws, 1).value.signs.sign == 1


def test_one_value_is_one_sum_of_any_number_of_draws() -> None:
    assert sums({(3, 2): 2}, 100_000) == {(300_000, 200_000): 1 << 100_000}


def test_every_event_of_two_outputs_is_a_binomial_tail() -> None:
    """Value a against b, uniform dummies: only the number of a's counts."""
    laws = TupleLaws((F(1), F(0)), (F(0), F(1)), (F(1, 2),) * 2, 3)
    p, q = laws.event(F(1), reverse=False)
    ways = [len(list(combinations(range(3), a - 1))) if a else 0 for a in range(5)]
    assert p == F(sum(ways[3:]), 8)  # at least 3 of 4 places are a
    assert q == F(sum(ways[::-1][3:]), 8)
