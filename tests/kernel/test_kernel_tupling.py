"""The tupling mechanism: events of tuples by their definition, and bounds of long numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import channel_corpus as cc
import kernel_builder as kb
import pytest
from core import tupling
from core.enclose import Arithmetic, Interval
from core.finite import FAR
from core.masses import Outputs, Tuples, mass_of
from core.rules import Rejected
from core.shapes import parse
from core.tupling import Ratio, Ratios, event_above, event_without
from core.work import checking
from core.zero import constant
from reader.channel_kinds import Channel
from reader.released import Channelled

Json = dict[str, Any]
F = Fraction
BOTH = [cc.step("tupling", *way) for way in (("a", "b"), ("b", "a"))]


def said(value: Json, *steps: Json, result: str = "certified") -> tuple[str, str]:
    return kb.run(value, kb.certificate(value, result, list(steps)))


# ---------------------------------------------------------------- long numbers


def apart(epsilon: str, delta: str, dummy: Json) -> Json:
    """At x, P is more than e^epsilon Q by far; at y only more than 2^4096 Q."""
    small = [f"1/1{'0' * n}" for n in (3100, 1300)]
    rows = [["1/2", "1/4", "1/4", "0"], [*small, f"1-{small[0]}-{small[1]}", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"xyzw"], "rows": rows}
    hidden = {"kind": "tupling", "base": base, "dummies": 1, "dummy": dummy}
    return cc.problem(hidden, epsilon, delta)


@pytest.mark.parametrize("epsilon", ["5000", "log(2)*7000"])
@pytest.mark.parametrize("dummy", [{"w": "1"}, dict.fromkeys("xyzw", "1/4")])
def test_a_bound_of_a_huge_growth_is_not_taken_for_it(epsilon: str, dummy: Json) -> None:
    """delta is 1/2 of x, of which the lower bound's event, x or y, shows nothing."""
    wrong = apart(epsilon, "1/10", dummy)
    words = 'tupling "a" -> "b": the masses of tuples are not bounded by delta'
    assert said(wrong, *BOTH) == ("rejected", words)
    step = cc.step(
        "tupling-refuted", "a", "b", bits=64, growth="1" + "0" * 2100, margin="0.1"
    )  # fmt: skip
    assert said(wrong, step, result="refuted")[0] == "refuted"
    assert said(apart(epsilon, "0.51", dummy), *BOTH)[0] == "certified"


def bounds(*ends: Interval) -> Any:
    """An enclosure in place of the one of a mass or of a power, one for each call."""
    left = [*ends]
    return lambda *_: left.pop(0)


@pytest.mark.parametrize(
    ("ends", "found"),
    [
        ((3, 5, 0), (3, 5)),
        ((3, 5, FAR), (F(3) * 2**FAR, F(5) * 2**FAR)),
        ((3, 5, -FAR), (F(3) / 2**FAR, F(5) / 2**FAR)),
        ((3, 5, FAR + 1), (2**FAR, None)),
        ((1, 5, FAR + 1), (2**FAR, None)),
        ((0, 5, FAR + 1), None),  # the lower end says nothing
        ((-1, 5, FAR + 1), None),
        ((3, 5, -FAR - 1), None),
    ],
)
def test_bounds_of_the_growth(
    monkeypatch: pytest.MonkeyPatch, ends: Interval, found: tuple[Any, Any] | None
) -> None:
    monkeypatch.setattr(tupling, "exp_form", bounds(ends))
    if found is None:
        with pytest.raises(Rejected, match=r"^epsilon is not known well enough$"):
            tupling._growth(constant(F(1)), Arithmetic(64))
    else:
        assert tupling._growth(constant(F(1)), Arithmetic(64)) == found


def test_bounds_of_masses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mass is at least 0, and is said to be more only where its enclosure is."""
    root = mass_of(parse("exp(-1)"))
    law = Outputs(0, (), (F(1, 3), root, root, root, root))
    ends = (0, 5, 2), (-3, 5, 2), (1, 5, 2), (3, 5, -FAR)
    monkeypatch.setattr(tupling, "enclose_mass", bounds(*ends))
    assert tupling._ends(law, Arithmetic(64)) == [
        (F(1, 3), F(1, 3)), (0, 20), (0, 20), (4, 20), (F(3, 2**FAR), F(5, 2**FAR))
    ]  # fmt: skip
    monkeypatch.setattr(tupling, "enclose_mass", bounds((3, 5, -FAR - 1)))
    with pytest.raises(Rejected, match=r"^a mass is too small$"):
        tupling._ends(Outputs(0, (), (root,)), Arithmetic(64))


# ---------------------------------------------------------------- the bound


def test_an_event_of_a_bound_of_the_growth_is_not_that_of_the_growth() -> None:
    """A ratio between e and the first lower bound of it: the excess of that bound's event is a
    little less than the divergence."""
    low, _ = tupling._growth(constant(F(1)), Arithmetic(tupling.LEVELS[0]))
    e, _ = tupling._growth(constant(F(1)), Arithmetic(1000))
    ratio = (low + e) / 2
    p, q = [ratio / 10, F(1, 2)], [F(1, 10), F(1, 100)]
    rows = [[*map(str, (*law, 1 - sum(law), 0))] for law in (p, q)]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"xyzw"], "rows": rows}
    hidden = {"kind": "tupling", "base": base, "dummies": 1, "dummy": {"w": 1}}
    step = cc.step("tupling", "a", "b")
    exact, less = p[1] - e * q[1], (e - ratio) * q[0]
    over, under = exact + less / 9, exact - less / 9
    for delta, word in ((over, "certified"), (under, "rejected")):
        value = cc.problem(hidden, "1", str(delta))
        assert said(value, step, cc.step("tupling", "b", "a"))[0] == word


def test_delta_is_met_by_fractions_at_a_growth_that_is_none() -> None:
    rows = [["1/2", "1/2", "0"], ["1/100", "99/100", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"xyw"], "rows": rows}
    hidden = {"kind": "tupling", "base": base, "dummies": 1, "dummy": {"w": 1}}
    for delta, word in (("1/2-exp(1)/100", "certified"), ("1/2-exp(1)/100-1e-40", "rejected")):
        assert said(cc.problem(hidden, "1", delta), *BOTH)[0] == word


def test_delta_is_met_beside_masses_that_are_no_fractions() -> None:
    rows = [["1/2", "exp(-1)", "1/2-exp(-1)", "0"], ["0", "exp(-1)", "1-exp(-1)", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"xyzw"], "rows": rows}
    hidden = {"kind": "tupling", "base": base, "dummies": 1, "dummy": {"w": 1}}
    for delta, word in (("1/2", "certified"), ("0.49999999", "rejected")):
        assert said(cc.problem(hidden, "2", delta), *BOTH)[0] == word


# ---------------------------------------------------------------- events of tuples


def law_of(a: list[Fraction], b: list[Fraction], nu: list[Fraction], size: int) -> Ratios:
    release = Channelled("tupling", Channel((), (), ()), None, {}, None)
    law = Tuples(Outputs(1, (), ()), size - 1, tuple(nu))
    return tupling._ratios(kb.goal(law, law, 0, 0, release=release), a, b)


def masses(rng: random.Random, count: int) -> list[Fraction]:
    weights = [rng.choice([0, 1, 1, 2, 3]) for _ in range(count - 1)]
    return [F(w, sum(weights) + 1) for w in (*weights, 1)]


def test_events_at_the_ratios_of_tuples() -> None:
    """P(B) and Q(B) of B = {P > g Q}, by all tuples, at growths that are ratios of some."""
    rng, ties = random.Random(2), 0
    for _ in range(40):
        count, size = rng.choice([(2, 3), (3, 2), (3, 3), (4, 2)])
        a, b, nu = (masses(rng, count) for _ in range(3))
        pairs = []
        for y in product(range(count), repeat=size):
            rest = [prod((nu[z] for z in y[:i] + y[i + 1 :]), start=F(1)) for i in range(size)]
            pairs.append([
                sum((law[z] * r for z, r in zip(y, rest, strict=True)), F(0)) / size
                for law in (a, b)
            ])  # fmt: skip
        law = law_of(a, b, nu, size)
        assert event_without(law) == sum(p for p, q in pairs if not q)
        for g in sorted({p / q for p, q in pairs if p and q})[:4]:
            event = [pair for pair in pairs if pair[0] > g * pair[1]]
            assert event_above(law, g) == tuple(sum(x) for x in zip(*event, (0, 0), strict=True))
            ties += 1
    assert ties > 80


def test_an_event_that_the_other_law_never_gives_has_a_chance_of_bounded_length() -> None:
    def law(size: int) -> Ratios:
        return Ratios(size, [Ratio(1, 0, 1), Ratio(1, 1, 2**255 - 1)], 1, 2**255, [])

    assert event_without(law(1 << 10)) == F(1, 2 ** (255 << 10))
    with pytest.raises(Rejected, match=r"^a chance that is too long$"):
        event_without(law((1 << 10) + 1))


def scored(count: int, rng: random.Random) -> list[tuple[Ratio, int]]:
    return [
        (Ratio(rng.randint(0, 4), 0, rng.randint(1, 3)), rng.randint(-2, 2)) for _ in range(count)
    ]


def test_sums_of_tuples_by_types() -> None:
    """Of all tuples of these outputs in all their orders: weights, and times the sums of a."""
    rng = random.Random(3)
    for count, size in ((1, 3), (2, 3), (3, 3), (4, 2), (3, 0)):
        places = scored(count, rng)
        found = tupling._filled(places, size)
        assert len(found) == size + 1
        for n, sums in enumerate(found):
            expected: dict[int, tuple[int, int]] = {}
            for y in product(places, repeat=n):
                weight, key = prod(place.weight for place, _ in y), sum(s for _, s in y)
                old = expected.get(key, (0, 0))
                more = weight * sum(place.a for place, _ in y)
                expected[key] = old[0] + weight, old[1] + more
            assert sums == expected


def test_types_of_tuples_are_charged_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for weight, charge in ((3, 5), (1 << 4000, 324)):  # a product, of 4 and of 12003 bits
        with checking(0) as check:
            tupling._filled([(Ratio(1, 0, weight), 1)], 2 if weight == 3 else 3)
        assert check.spent == charge * 17 * (3 if weight == 3 else 4)
    monkeypatch.setattr(tupling, "MAX_TYPES", 3)
    assert len(tupling._filled([(Ratio(1, 0, 1), 1)], 2)) == 3
    with pytest.raises(Rejected, match=r"^too many types of tuples$"):
        tupling._filled([(Ratio(1, 0, 1), 1)], 3)


@pytest.mark.parametrize(
    ("count", "parts"),  # 6 of 4 types, 6 of 10, 21 of 20, 21 of 35, 56 of 56, 56 of 84, 126 of 120
    [(1, 1), (2, 6), (3, 1), (4, 6), (5, 6), (6, 6), (7, 1)],
)
def test_outputs_or_places_are_halved_whatever_is_less(count: int, parts: int) -> None:
    """Of 5 places: one part where places are, of 2 and of 3; else one for each number of them."""
    places = scored(count, random.Random(count))
    with checking(0) as check:
        found = tupling._halves(places, 5)
    assert len(found) == parts
    total = sum(place.weight for place, _ in places)
    both = [
        (sum(weight for weight, _ in one.values()), sum(weight for weight, _ in other.values()))
        for _, one, other in found
    ]
    assert sum(found[c][0] * x * y for c, (x, y) in enumerate(both)) == total**5
    if parts == 1:
        assert both == [(total**2, total**3)]
        with checking(0) as alone:
            tupling._filled(places, 3)
        assert check.spent == alone.spent
