"""Certificates of curves: places that verdicts prove, and what follows between them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from fractions import Fraction
from math import exp, log, sqrt
from typing import Any

import kernel_builder as kb
import pytest
from core import curve
from core.curve import Known
from core.grammar import Malformed
from reader import curves

Json = dict[str, Any]
ONE = Fraction(1)
# points 1 apart, Laplace noise of the scale 1: H(E) = 1 - sqrt(E) e^(-1/2) up to E = e, then 0
PROBLEM = kb.problem({"0": 1}, {"1": 1}, epsilon=3, delta=0)
HEIGHTS = {  # E -> bounds of H, and up to where the first law is likelier than E times the second
    "1": ("0.39346", "0.39348", "1/2"),
    "2": ("0.14223", "0.14225", "76713/500000"),
    "3": ("0", "0", ""),
}


def point(at: str, source: str, target: str) -> Json:
    lower, upper, end = HEIGHTS[at]
    event = [["-inf", end]] if source == "a" else [[str(1 - Fraction(end or 0)), "inf"]]
    margin = {"event": event, "margin": "0.000001"}
    below = kb.step("event-refuted", source, target, **margin) if end else None
    above = kb.step("delta-upper", source, target) if end else kb.step("pure", source, target) | {
        "ties": []
    }
    return {"at": at, "lower": lower, "upper": upper, "below": below, "above": above}


def certificate(kind: str = "profile", low: str = "1", high: str = "3", gap: str = "1") -> Json:
    pairs = [
        {"belief": "default", "from": a, "to": b, "points": [point(at, a, b) for at in HEIGHTS]}
        for a, b in (("a", "b"), ("b", "a"))
    ]
    step = {"rule": "curve", "kind": kind, "from": low, "to": high, "gap": gap, "pairs": pairs}
    return kb.certificate(PROBLEM, "curve", [step])


def answer(value: Json, problem: Json = PROBLEM) -> tuple[str, str]:
    return kb.run(problem, value)


def height(growth: float) -> float:
    return max(0.0, 1 - sqrt(growth) * exp(-0.5))


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("profile", "1", "3"), ("profile", "2", "2"), ("odds", "1/4", "3/4"),
     ("trade-off", "0", "1"), ("trade-off", "1/2", "1/2")],
)  # fmt: skip
def test_a_curve_is_accepted_and_says_so(kind: str, low: str, high: str) -> None:
    word, message = answer(certificate(kind, low, high))
    assert word == "curve", message
    assert "bounds at most 1 apart" in message
    assert "(F99)" in message
    assert "epsilon=" not in message


def test_the_gap_is_the_least_that_is_accepted() -> None:
    known = [Known(Fraction(at), *map(Fraction, ends[:2])) for at, ends in HEIGHTS.items()]
    both = curve.both(known, known)
    gaps = {
        ("profile", "1", "3"): curve.apart(both, ONE, Fraction(3), lambda e: ONE),
        ("trade-off", "0", "1"): curve.apart_of_tests(both, Fraction(0), ONE),
    }
    for (kind, low, high), gap in gaps.items():
        up, down = (f"0.{int(gap * 10**9) + more:09d}" for more in (1, 0))
        assert answer(certificate(kind, low, high, up))[0] == "curve"
        word, message = answer(certificate(kind, low, high, down))
        assert word == "rejected"
        assert "farther apart" in message


Change = Callable[[Json], object]
FIRST = ("steps", 0, "pairs", 0)


def put(*path: Any, to: Any) -> Change:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


def pairs(value: Json) -> list[Any]:
    found: list[Any] = value["steps"][0]["pairs"]
    return found


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (put(*FIRST, "points", 1, "upper", to="0.14223"), "upper bound below H"),
        (put(*FIRST, "points", 1, "lower", to="0.14225"), "lower bound above H"),
        (put(*FIRST, "points", 1, "at", to="3/2"), "another place"),
        (put(*FIRST, "points", 1, "at", to="5/2"), "another place"),
        (put(*FIRST, "points", 2, "at", to="5/2"), "not pure there"),
        (put(*FIRST, "points", 1, "below", "event", to=[["1/2", "inf"]]), "another event"),
        (put(*FIRST, "points", 1, "below", "margin", to="0.001"), "too much"),
        (put(*FIRST, "points", 1, "below", to=None), "nothing proves the lower bound"),
        (put(*FIRST, "points", 1, "above", to=None), "nothing proves the upper bound"),
        (put(*FIRST, "points", 1, "above", "to", to="a"), "a step of another pair"),
        (put(*FIRST, "points", 1, "below", "from", to="b"), "a step of another pair"),
        (put(*FIRST, "from", to="b"), "another pair"),
        (put("steps", 0, "gap", to="0.01"), "farther apart"),
        (lambda value: pairs(value).pop(), "a pair is missing"),
        (lambda value: pairs(value).reverse(), "the pairs in another order"),
        (lambda value: pairs(value).append(pairs(value)[0]), "a pair too many"),
        (lambda value: value.update(problem="0" * 64), "another problem"),
    ],
)
def test_what_is_not_proved_is_rejected(change: Change, why: str) -> None:
    value = copy.deepcopy(certificate())
    change(value)
    assert answer(value)[0] == "rejected", why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda value: pairs(value)[0]["points"].reverse(), "places must increase"),
        (lambda value: pairs(value)[0]["points"].append(pairs(value)[0]["points"][2]), "twice"),
        (put(*FIRST, "points", 0, "at", to="1/2"), "below 1"),
        (put(*FIRST, "points", 0, "at", to="2/2"), "not canonical"),
        (put(*FIRST, "points", 0, "at", to=f"1{'0' * 200}"), "too long"),
        (put(*FIRST, "points", 0, "upper", to="0.3"), "the upper bound below the lower"),
        (put(*FIRST, "points", 0, "upper", to="1.5"), "above 1"),
        (put(*FIRST, "points", 0, "above", "rule", to="event-refuted"), "no rule for this"),
        (put(*FIRST, "points", 0, "below", "rule", to="delta-upper"), "no rule for this"),
        (put(*FIRST, "points", 0, "more", to=1), "another key"),
        (put(*FIRST, "points", to={}), "no array"),
        (put("steps", 0, "to", to="4"), "farther than what is known"),
        (put("steps", 0, "from", to="1/2"), "below 1"),
        (put("steps", 0, "from", to="4"), "the end before the beginning"),
        (put("steps", 0, "kind", to="renyi?"), "another kind"),
        (put("steps", 0, "kind", to=["profile"]), "no text"),
        (put("steps", 0, "rule", to="scale"), "another rule"),
        (put("steps", to=[]), "no step"),
    ],
)
def test_what_is_no_curve_is_malformed(change: Change, why: str) -> None:
    value = copy.deepcopy(certificate())
    change(value)
    assert answer(value)[0] == "malformed", why


@pytest.mark.parametrize("kind", ["odds", "trade-off"])
@pytest.mark.parametrize("ends", [("-1", "1/2"), ("1/2", "2"), ("3/4", "1/4")])
def test_ends_are_chances(kind: str, ends: tuple[str, str]) -> None:
    assert answer(certificate(kind, *ends))[0] == "malformed"


def test_the_weights_0_and_1_have_no_odds() -> None:
    assert answer(certificate("odds", "0", "1/2"))[0] == "malformed"
    assert answer(certificate("odds", "1/2", "1"))[0] == "malformed"


@pytest.mark.parametrize(
    "more",
    [{"form": "pointwise"}, {"form": "renyi", "order": "2"}, {"notion": "xdp", "metric": "abs"}],
)
def test_a_curve_is_of_events_at_one_epsilon(more: Json) -> None:
    other = PROBLEM | more
    try:
        value = certificate() | {"problem": kb.certificate(other, "curve", [])["problem"]}
    except Exception:  # the kernel reads no such problem at all
        value = certificate()
    assert answer(value, other)[0] in ("rejected", "malformed")


def law(rng: random.Random, n: int) -> list[Fraction]:
    weights = [rng.randint(0, 9) for _ in range(n)]
    weights[rng.randrange(n)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def divergence(p: list[Fraction], q: list[Fraction], growth: Fraction) -> Fraction:
    return sum((max(a - growth * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def trade_off(p: list[Fraction], q: list[Fraction], alarm: Fraction) -> Fraction:
    """The least type II error of a test of P, output by output (Neyman and Pearson)."""
    left, power = alarm, Fraction(0)
    for a, b in sorted(zip(p, q, strict=True), key=lambda one: (one[0] / one[1] if one[1] else 99)):
        share = min(ONE, left / a) if a else ONE
        left, power = left - share * a, power + share * b
    return 1 - power


@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_as_far_apart_as_is_said_and_hold_the_truth(seed: int) -> None:
    rng = random.Random(seed)
    p, q = law(rng, 6), law(rng, 6)
    slack = Fraction(rng.choice((0, 1)), 1000)

    def found(first: list[Fraction], second: list[Fraction]) -> list[Known]:
        places = sorted({ONE, *(1 + Fraction(rng.randint(1, 400), 100) for _ in range(5))})
        return [
            Known(at, max(Fraction(0), h - slack), min(ONE, h + slack))
            for at in places for h in (divergence(first, second, at),)
        ]  # fmt: skip

    own, other = found(p, q), found(q, p)
    known = curve.both(own, other)
    low, high = ONE, min(own[-1].at, other[-1].at)
    gap = curve.apart(known, low, high, lambda e: ONE)
    tests = curve.apart_of_tests(curve.both(other, own), Fraction(0), ONE)
    for k in range(200):
        growth = low + (high - low) * Fraction(k, 199)
        right = next(i for i, one in enumerate(known) if one.at >= growth and i)
        a, b = known[right - 1], known[right]
        upper = a.upper + (b.upper - a.upper) * (growth - a.at) / (b.at - a.at)
        assert upper - gap <= divergence(p, q, growth) <= upper
        alarm = Fraction(k, 199)
        least = max(0, *(1 - one.upper - one.at * alarm for one in curve.both(other, own)))
        assert least <= trade_off(p, q, alarm) <= least + tests


def test_what_is_known_of_one_order_tells_of_the_other() -> None:
    p, q = [Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 2), Fraction(1, 2)]
    growth = Fraction(3, 2)
    exact = divergence(q, p, growth)
    found = curve.both([], [Known(growth, exact, exact)])
    assert [one.at for one in found] == [0, 1 / growth]
    assert found[1].lower == found[1].upper == divergence(p, q, 1 / growth)


# U uniform on 0..4, T = 2, Laplace noise of the scale 3: D_3/2 and D_2 of both orders
ORDERS = {
    "3/2": {"a": ("0.01619", "0.01620"), "b": ("0.01811", "0.01812")},
    "2": {"a": ("0.02095", "0.02096"), "b": ("0.02476", "0.02477")},
}
SPREAD = kb.problem({str(k): "1/5" for k in range(5)}, {"2": 1}, epsilon=3, delta=0, scale=3)


def order_point(at: str, source: str, target: str) -> Json:
    lower, upper = ORDERS[at][source]
    below = kb.step("renyi-refuted", source, target, margin="0.0000001")
    above = kb.step("renyi", source, target)
    return {"at": at, "lower": lower, "upper": upper, "below": below, "above": above}


def of_orders(low: str = "3/2", high: str = "2", gap: str = "0.01") -> Json:
    pairs = [
        {"belief": "default", "from": a, "to": b,
         "points": [order_point(at, a, b) for at in ORDERS]}
        for a, b in (("a", "b"), ("b", "a"))
    ]  # fmt: skip
    step = {"rule": "curve", "kind": "renyi", "from": low, "to": high, "gap": gap, "pairs": pairs}
    return kb.certificate(SPREAD, "curve", [step])


def test_divergences_at_two_orders_bound_all_between() -> None:
    word, message = answer(of_orders(), SPREAD)
    assert word == "curve", message
    assert "(F104)" in message
    renyi = SPREAD | {"form": "renyi", "order": "7"}
    other = of_orders() | {"problem": kb.digest(renyi)}
    assert answer(other, renyi)[0] == "curve"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (put(*FIRST, "points", 0, "at", to="7/4"), "rejected"),
        (put(*FIRST, "points", 0, "at", to="5/4"), "rejected"),
        (put(*FIRST, "points", 1, "upper", to="0.02095"), "rejected"),
        (put(*FIRST, "points", 1, "lower", to="0.02096"), "rejected"),
        (put(*FIRST, "points", 1, "above", to=None), "rejected"),
        (put(*FIRST, "points", 1, "below", to=None), "rejected"),
        (put(*FIRST, "points", 1, "below", "margin", to="inf"), "rejected"),
        (put("steps", 0, "gap", to="0.0001"), "rejected"),
        (put("steps", 0, "kind", to="profile"), "rejected"),
        (lambda value: pairs(value).pop(), "rejected"),
        (put(*FIRST, "points", 0, "at", to="1"), "malformed"),
        (put(*FIRST, "points", 0, "at", to="70000"), "malformed"),
        (put(*FIRST, "points", 0, "lower", to="0.5"), "malformed"),
        (put("steps", 0, "from", to="1"), "malformed"),
        (put("steps", 0, "to", to="3"), "malformed"),
    ],
)
def test_divergences_that_are_not_proved_are_refused(change: Change, word: str) -> None:
    value = copy.deepcopy(of_orders())
    change(value)
    assert answer(value, SPREAD)[0] == word


def loosely(rng: random.Random, at: Fraction, exact: Fraction) -> Known:
    """What may be known of a number: from both sides, not alike."""
    slack = [Fraction(rng.choice((0, 1, 9, 30)), 200) for _ in range(2)]
    return Known(at, max(Fraction(0), exact - slack[0]), min(ONE, exact + slack[1]))


@pytest.mark.parametrize("seed", range(60))
def test_bounds_that_are_loose_hold_the_truth(seed: int) -> None:
    rng = random.Random(seed)
    p, q = law(rng, 5), law(rng, 5)

    def found(first: list[Fraction], second: list[Fraction]) -> list[Known]:
        places = sorted({ONE, *(1 + Fraction(rng.randint(1, 300), 100) for _ in range(4))})
        return [loosely(rng, at, divergence(first, second, at)) for at in places]

    own, other = found(p, q), found(q, p)
    known, turned = curve.both(own, other), curve.both(other, own)
    for laws, one in (((p, q), known), ((q, p), turned)):
        for at, lower, upper in one:
            assert lower <= divergence(*laws, at) <= upper
        for k in range(1, len(one)):
            a, b = one[k - 1].at, one[k].at
            for x in (a + (b - a) * Fraction(j, 16) for j in range(17)):
                exact = divergence(*laws, x)
                assert all(c + m * x <= exact for c, m in curve._below(one, k))
    tests = curve.apart_of_tests(turned, Fraction(0), ONE)
    for k in range(101):
        alarm = Fraction(k, 100)
        least = max(0, *(1 - one.upper - one.at * alarm for one in turned))
        assert least <= trade_off(p, q, alarm) <= least + tests


@pytest.mark.parametrize("seed", range(60))
def test_lines_below_divergences_are_below(seed: int) -> None:
    rng = random.Random(seed)
    p, q = ([float(x) + 0.01 for x in law(rng, 4)] for _ in "pq")

    def grown(a: float) -> float:
        total = sum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True))
        return log(total * sum(p) ** -a * sum(q) ** (a - 1))

    orders = sorted({1 + Fraction(rng.randint(1, 40), 10) for _ in range(4)})
    slack = Fraction(rng.choice((0, 1, 9)), 100)
    known = [Known(ONE, Fraction(0), Fraction(0))] + [
        Known(a, max(Fraction(0), exact - slack), exact + Fraction(rng.randint(0, 9), 50))
        for a in orders for exact in (Fraction(grown(float(a))),)
    ]  # fmt: skip
    for k in range(1, len(known)):
        low, high = known[k - 1].at, known[k].at
        for x in (low + (high - low) * Fraction(j, 16) for j in range(17)):
            assert all(c + m * x <= grown(float(x)) + 1e-9 for c, m in curve.below_orders(known, k))


def test_bounds_are_known_from_one_end_to_the_other() -> None:
    known = [Known(Fraction(x), Fraction(0), ONE) for x in (1, 2)]
    for low, high in (("1/2", 2), (1, 3)):
        with pytest.raises(Malformed):
            curve.apart(known, Fraction(low), Fraction(high), lambda e: ONE)


@pytest.mark.parametrize("kind", ["odds", "renyi"])
def test_a_gap_is_weighed_where_it_is(kind: str) -> None:
    """Of numbers known at both ends of a curve, which are straight between them, as 0."""
    if kind == "odds":  # H(1) = 0 to 1: the chance is 1/2 to 1
        own = [Known(ONE, Fraction(0), ONE), Known(Fraction(3), Fraction(0), ONE)]
        gap = curves.CURVES[kind].apart(own, own, Fraction(1, 4), Fraction(1, 2))
        assert gap == Fraction(1, 2)  # at the weight 1/2; 1/4 of what H is at 1/4
        gap = curves.CURVES[kind].apart(own, own, Fraction(1, 4), Fraction(1, 3))
        assert gap == Fraction(1, 3)
        own[0] = Known(ONE, Fraction(0), Fraction(0))
        gap = curves.CURVES[kind].apart(own, own, Fraction(1, 4), Fraction(1, 2))
        assert gap == Fraction(1, 4)  # at the weight 1/4 alone
        return
    own = [Known(Fraction(2), Fraction(0), ONE), Known(Fraction(3), Fraction(0), ONE)]
    assert curves.CURVES[kind].apart(own, [], Fraction(2), Fraction(3)) == 1
    with pytest.raises(Malformed):
        curves.CURVES[kind].apart(own, [], ONE, Fraction(3))


def test_a_curve_of_tests_is_of_the_other_order() -> None:
    loose, tight = (
        [Known(Fraction(0), ONE, ONE), Known(ONE, Fraction(0), x), Known(Fraction(2), x * 0, x)]
        for x in (ONE, Fraction(0))
    )
    gaps = [
        curves.CURVES["trade-off"].apart(a, b, Fraction(0), ONE)
        for a, b in ((tight, loose), (loose, tight))
    ]
    assert gaps == [curve.apart_of_tests(x, Fraction(0), ONE) for x in (loose, tight)]
    assert gaps[0] > gaps[1]


def test_the_loosest_pair_is_what_is_said() -> None:
    for k in (0, 1):
        value = copy.deepcopy(certificate("profile", "1", "1", "0.001"))
        assert answer(value)[0] == "curve"
        pairs(value)[k]["points"][0] |= {"lower": "0", "below": None}
        assert answer(value)[0] == "curve", "the other order says it"
        pairs(value)[1 - k]["points"][0] |= {"lower": "0", "below": None}
        assert answer(value)[0] == "rejected"


def test_a_curve_without_a_bound_of_a_divergence_is_rejected() -> None:
    value = of_orders()
    pairs(value)[0]["points"][0] |= {"lower": "0", "below": None, "above": None}
    assert answer(value, SPREAD)[0] == "rejected"
