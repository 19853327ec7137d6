"""Channels in the kernel: against enumeration in fractions, against the oracle, and forged."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod
from typing import Any

import channel_corpus as cc
import channel_truth as truth
import kernel_builder as kb
import pytest
from core.masses import Outputs, Tuples
from core.tupling import _ratios, event_above, event_without
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from reader import reader
from reader.channel_kinds import Channel
from reader.distances import of_numbers, on_numbers, w_infinity
from reader.released import Channelled

Json = dict[str, Any]
Rng = random.Random
TINY = "1e-30"


def masses(rng: Rng, count: int, least: int = 0) -> list[Fraction]:
    while True:
        weights = [rng.choice([least, 1, 1, 2, 3, 5]) for _ in range(count)]
        if sum(weights):
            return [Fraction(w, sum(weights)) for w in weights]


def matrix(rng: Rng, inputs: str = "ab", outputs: int = 4) -> Json:
    names = [f"y{k}" for k in range(outputs)]
    rows = [[str(m) for m in masses(rng, outputs)] for _ in inputs]
    return {"kind": "matrix", "inputs": list(inputs), "outputs": names, "rows": rows}


def laws(channel: Json) -> list[list[Fraction]]:
    return [[Fraction(m) for m in row] for row in channel["rows"]]


def answer(value: Json, result: str, steps: list[Json]) -> str:
    return kb.run(value, kb.certificate(value, result, steps))[0]


# ---------------------------------------------------------------- enumeration


def worst_event(p: list[Fraction], q: list[Fraction], g: Fraction) -> tuple[Fraction, list[int]]:
    """The greatest P(B) - g Q(B), over all events B one by one."""
    places = range(len(p))
    events = chain.from_iterable(combinations(places, r) for r in range(len(p) + 1))
    found = [(sum((p[k] - g * q[k] for k in event), Fraction(0)), list(event)) for event in events]
    return max(found)


@pytest.mark.parametrize("seed", range(40))
def test_the_worst_of_all_events_decides(seed: int) -> None:
    """At delta itself, a little below it, and with margins up to it."""
    rng = Rng(seed)
    channel, g = matrix(rng), Fraction(rng.randint(4, 12), 4)
    (p, q), ways = laws(channel), [("a", "b"), ("b", "a")]
    both = [worst_event(p, q, g), worst_event(q, p, g)]
    delta = max(excess for excess, _ in both)
    epsilon = f"log({g})"

    def at(value: Any) -> Json:
        return cc.problem(channel, epsilon, value)

    steps = [cc.step("channel", *way) for way in ways]
    assert answer(at(str(delta)), "certified", steps) == "certified"
    if not delta:
        return
    assert answer(at(f"{delta}-{TINY}"), "certified", steps) == "rejected"
    for (excess, event), way in zip(both, ways, strict=True):
        if excess <= 0:
            continue
        names = [channel["outputs"][k] for k in event]
        low = excess / 3
        step = cc.step("outputs-refuted", *way, bits=64, outputs=names, margin="1e-40")
        assert answer(at(str(low)), "refuted", [step]) == "refuted"
        assert answer(at(f"{excess}-1e-40"), "refuted", [step]) == "refuted"
        assert answer(at(f"{excess}-0.9e-40"), "refuted", [step]) == "rejected"
        changed = {**at(str(low)), "epsilon": f"{epsilon}+10"}
        assert answer(changed, "refuted", [step]) == (
            "rejected" if any((q if way[0] == "a" else p)[k] for k in event) else "refuted"
        )


@pytest.mark.parametrize("seed", range(40))
def test_pure_bounds_and_single_masses(seed: int) -> None:
    rng = Rng(1000 + seed)
    channel = matrix(rng)
    p, q = laws(channel)
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x]
    steps = [cc.step("channel", "a", "b"), cc.step("channel", "b", "a")]
    if all(x and y for x, y in zip(p, q, strict=True)):
        top = max(max(x / y, y / x) for x, y in pairs)
        for epsilon, word in ((f"log({top})", "certified"), (f"log({top})-{TINY}", "rejected")):
            if top > 1:
                assert answer(cc.problem(channel, epsilon), "certified", steps) == word
    else:
        assert answer(cc.problem(channel, 10**6), "certified", steps) == "rejected"
    g = Fraction(rng.randint(4, 9), 4)
    excess = max(max(x - g * y, y - g * x) for x, y in zip(p, q, strict=True))
    if excess > 0:
        value = cc.problem(channel, f"log({g})", str(excess), form="pointwise")
        assert answer(value, "certified", steps) == "certified"
        below = {**value, "delta": f"{excess}-{TINY}"}
        assert answer(below, "certified", steps) == "rejected"
        ways = {("a", "b"): (p, q), ("b", "a"): (q, p)}
        k, way = next((k, way) for k in range(4) for way, (x, y) in ways.items()
                      if x[k] - g * y[k] == excess)  # fmt: skip
        half = {**value, "delta": str(excess / 2)}
        step = cc.step("mass-refuted", *way, bits=64, output=f"y{k}", margin="1e-20")
        assert answer(half, "refuted", [step]) == "refuted"
        assert answer(value, "refuted", [step]) == "rejected"


def test_a_fraction_beside_a_mass_that_is_none() -> None:
    """1/2 against 1/e: the largest ratio is e/2, met exactly."""
    rows = [["1/2", "1/2"], ["exp(-1)", "1-exp(-1)"]]
    channel = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["y", "z"], "rows": rows}
    steps = [cc.step("channel", *way) for way in (("a", "b"), ("b", "a"))]
    for epsilon, word in (("1-log(2)", "certified"), ("1-log(2)-1e-30", "rejected")):
        assert answer(cc.problem(channel, epsilon), "certified", steps) == word
    for margin, word in (("0.3068528194", "refuted"), ("0.3068528195", "rejected")):
        step = cc.step("output-refuted", "a", "b", bits=64, output="y", margin=margin)
        assert answer(cc.problem(channel, 0), "refuted", [step]) == word  # 1 - log 2


# ---------------------------------------------------------------- all kinds, near the edge


def rational(rng: Rng) -> str:
    return str(Fraction(rng.randint(1, 7), 8))


def any_kind(rng: Rng, depth: int = 1) -> Json:
    """A channel of any kind; all but two of them have the inputs a and b."""
    inputs = ["a", "b"]
    budget = {"epsilon": rng.choice(["1/2", "log(3)", "2*log(2)", "sqrt(2)", "1/log(5)"])}
    makers: list[Any] = [
        lambda: matrix(rng, outputs=3),
        lambda: {"kind": "randomized-response", "inputs": inputs, **budget},
        lambda: {"kind": "randomized-response", "inputs": inputs, "truth": rational(rng)},
        lambda: {"kind": "rappor", "inputs": inputs, "flip": rational(rng)},
        lambda: {"kind": "rappor", "inputs": inputs, "flip": rational(rng), "one": rational(rng),
                 "zero": rational(rng), "codes": {"a": "011", "b": "110"}},
        lambda: {"kind": "exponential", "inputs": inputs, "outputs": ["u", "v", "w"],
                 "scores": [[0, rng.randint(1, 3), 1], [2, "1/2", rng.randint(0, 2)]], **budget},
        lambda: {"kind": "planar", "points": {"a": [0, 0], "b": [1, rng.randint(0, 2)]}, **budget,
                 "grid": {"u": [0, 1], "v": ["1/2", 2], "w": [0, 0]}},
    ]  # fmt: skip
    if depth:
        part, other = any_kind(rng, 0), any_kind(rng, 0)
        names = truth.matrix(part)[1]
        after = {"kind": "matrix", "inputs": names[::-1], "outputs": ["s", "t"],
                 "rows": [[str(m) for m in masses(rng, 2)] for _ in names]}  # fmt: skip
        share = rational(rng)
        makers += [
            lambda: {"kind": "truncated-geometric", "size": 3, **budget},
            lambda: {"kind": "product", "parts": [part, matrix(rng, outputs=2)]},
            lambda: {"kind": "composition", "parts": [part, other]},
            lambda: {"kind": "cascade", "parts": [part, after]},
            lambda: {"kind": "mixture", "parts": [part, other],
                     "weights": [share, str(1 - Fraction(share))]},
        ]  # fmt: skip
    return dict(rng.choice(makers)())


MET: Counter[str] = Counter()


def near_the_edge(seed: int) -> None:
    """A delta 1e-25 above and below the oracle's."""
    rng = Rng(seed)
    channel = any_kind(rng)
    value = cc.problem(channel, rng.choice(["0", "1/3", "log(2)"]))
    inputs, outputs, _ = truth.matrix(channel)
    if rng.random() < 0.5:
        value["priors"] = {
            s: {"kind": "finite", "mass": dict(zip(inputs, map(str, part), strict=True))}
            for s, part in (("p", masses(rng, len(inputs))), ("q", masses(rng, len(inputs))))
        }
    goals = truth.goals(value)
    rule = "channel"
    if rng.random() < 0.3:
        if len(outputs) ** 2 <= 64:
            value["channel"] = {"kind": "tupling", "dummies": 1, "base": channel}
            rule = "tupling"
    elif rng.random() < 0.3:
        value["form"] = "pointwise"
    worst = max(truth.worst(value, *goal) for goal in goals)
    if not 0 < worst < 1:
        return
    MET[channel["kind"]] += 1
    steps = [cc.step(rule, a, b) for _, a, b in goals]
    unit = Fraction(1, 10**25)
    edge = Fraction(int(worst * mpf(10) ** 40), 10**40)
    for delta, word in ((edge + unit, "certified"), (edge - unit, "rejected")):
        if 0 < delta < 1:
            close = {**value, "delta": str(delta)}
            assert answer(close, "certified", steps) == word, close


@pytest.mark.parametrize("seed", range(60))
def test_all_kinds_near_the_edge(seed: int) -> None:
    near_the_edge(seed)


@pytest.mark.long
def test_many_of_all_kinds_near_the_edge() -> None:
    for seed in range(100, 1600):
        near_the_edge(seed)
    assert len(MET) == 10, MET
    assert min(MET.values()) > 20, MET


@pytest.mark.parametrize("distance", ["2*sqrt(2)", "sqrt(18)", "sqrt(1/3)"])
def test_ties_with_roots_in_the_exponents(distance: str) -> None:
    """1/(1 + e^(d/2)) against 1/2, d a root."""
    rows = [["1/2", "1/2"], [f"1/(1+exp(-({distance})/2))", f"1/(1+exp(({distance})/2))"]]
    channel = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["u", "v"], "rows": rows}
    steps = [cc.step("channel", *way) for way in (("a", "b"), ("b", "a"))]
    tie = f"log(1/2*(1+exp(({distance})/2)))"
    assert answer(cc.problem(channel, tie), "certified", steps) == "certified"
    assert answer(cc.problem(channel, f"{tie}-{TINY}"), "certified", steps) == "rejected"


@pytest.mark.parametrize(("size", "root"), [(2, "2*sqrt(2)"), (3, "sqrt(18)"), (4, "sqrt(32)")])
def test_places_on_a_diagonal(size: int, root: str) -> None:
    """Two places: e^0 over e^(-d/2), their rows' sums being equal."""
    plane = {"kind": "planar", "points": {"a": [0, 0], "b": [size, size]}, "epsilon": "1/2"}
    steps = [cc.step("channel", *way) for way in (("a", "b"), ("b", "a"))]
    for epsilon, word in ((f"{root}/2", "certified"), (f"{root}/2-{TINY}", "rejected")):
        assert answer(cc.problem(plane, epsilon), "certified", steps) == word
    apart = {**plane, "notion": "xdp"}
    for epsilon, word in (("1/2", "certified"), (f"1/2-{TINY}", "rejected")):
        assert answer(cc.problem(apart, epsilon), "certified", steps) == word


# ---------------------------------------------------------------- W-infinity


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**6))
def test_w_infinity_is_that_of_hall(seed: int) -> None:
    rng = Rng(seed)
    names = [str(k * k) for k in range(4)]
    p, q = (
        {x: m for x, m in zip(names, masses(rng, 4), strict=True) if m} for _ in range(2)
    )
    expected = truth.w_infinity({"kind": "matrix"}, p, q)
    ground = of_numbers({x: Fraction(x) for x in names})
    flow = w_infinity(p, q, ground)
    monotone = on_numbers(*({Fraction(x): m for x, m in law.items()} for law in (p, q)))
    assert flow == monotone == Fraction(int(expected))


@pytest.mark.parametrize("seed", range(40))
def test_w_infinity_of_places_and_tables(seed: int) -> None:
    """epsilon is met at the oracle's W-infinity, and not below it: any ratio of laws will do."""
    rng = Rng(seed)
    names = list("abcd")
    channel: Json = {"kind": "randomized-response", "inputs": names, "epsilon": 3,
                     "notion": "xdistp"}  # fmt: skip
    where = rng.choice(["euclidean", "manhattan", "table"])
    if where == "table":
        channel["distance"] = [
            [a, b, rng.choice(["1/2", "1", "7/5", "12/11"])] for a, b in combinations(names, 2)
        ]
    else:
        channel |= {"points": {x: [rng.randint(0, 3), rng.randint(0, 3)] for x in names}}
        channel["distance"] = where
    value = cc.problem(channel, 1, priors={
        s: {"kind": "finite", "mass": dict(zip(names, map(str, masses(rng, 4)), strict=True))}
        for s in "pq"})  # fmt: skip
    found = truth.secrets(value)["default"]
    if any(all(x not in law for law in found.values()) for x in names):
        for prior in value["priors"].values():
            prior["mass"] = {x: prior["mass"][x] for x in names}  # zeros cover an input
    problem = reader.problem_of(json.loads(json.dumps(value)))
    epsilon = problem.target.notion.epsilon(Fraction(1), ("default", "p", "q"))
    expected = truth.w_infinity(channel, found["p"], found["q"])
    assert abs(kb.real(reader.canonical(epsilon)) - expected) < mpf(10) ** -40


# ---------------------------------------------------------------- tuples


def tuples(rng: Rng) -> tuple[list[Fraction], list[Fraction], list[Fraction], int]:
    count = rng.randint(1, 4)
    places = rng.randint(2, 4 if count < 4 else 3)
    return masses(rng, count), masses(rng, count), masses(rng, count), places


TUPLES = Channelled("tupling", Channel((), (), ()), None, {}, None)


@pytest.mark.parametrize("seed", range(60))
def test_events_of_tuples_are_those_of_all_tuples(seed: int) -> None:
    rng = Rng(seed)
    a, b, nu, places = tuples(rng)
    law = Tuples(Outputs(1, (), ()), places - 1, tuple(nu))
    pair = kb.goal(law, law, 0, 0, release=TUPLES)
    found = _ratios(pair, a, b)
    p, q = (
        truth._tuples({"dummies": places - 1, "dummy": {str(k): m for k, m in enumerate(nu)}},
                      {str(k): mpf(m.numerator) / m.denominator for k, m in enumerate(masses)})
        for masses in (a, b)
    )  # fmt: skip
    g = Fraction(rng.randint(1, 12), rng.randint(1, 7)) + Fraction(1, 1009)
    real = mpf(g.numerator) / g.denominator
    event = [y for y in p if p[y] > real * q[y]]
    for mine, theirs in zip(event_above(found, g), (p, q), strict=True):
        expected = sum((theirs[y] for y in event), mpf(0))
        assert abs(mpf(mine.numerator) / mine.denominator - expected) < mpf(10) ** -50
    never = sum((p[y] for y in p if q[y] == 0), mpf(0))
    alone = event_without(found)
    assert abs(mpf(alone.numerator) / alone.denominator - never) < mpf(10) ** -50


def test_sorted_tuples_have_the_mass_of_all_their_orders() -> None:
    law = {"x": mpf(1) / 7, "y": mpf(2) / 7, "z": mpf(4) / 7}
    dummy = {"x": mpf(1) / 2, "y": mpf(0), "z": mpf(1) / 2}
    found = truth._tuples({"dummies": 3, "dummy": {"x": "1/2", "z": "1/2"}}, law)
    every = dict.fromkeys(found, mpf(0))
    for t in product(law, repeat=4):
        places = [law[y] * prod(dummy[z] for z in t[:i] + t[i + 1 :]) for i, y in enumerate(t)]
        every["\n".join(sorted(t))] += sum(places, mpf(0)) / 4
    assert all(abs(found[t] - mass) < mpf(10) ** -50 for t, mass in every.items())


def test_many_outputs_and_many_places_are_quick() -> None:
    rng = Rng(3)
    weights = [[rng.randint(1, 10**6) for _ in range(10)] for _ in range(3)]
    rows = [[str(Fraction(w, sum(row))) for w in row] for row in weights]
    names = [f"y{k}" for k in range(10)]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": names, "rows": rows[:2]}
    hidden = {"kind": "tupling", "base": base, "dummies": 20,
              "dummy": dict(zip(names, rows[2], strict=True))}  # fmt: skip
    steps = [cc.step("tupling", *way) for way in (("a", "b"), ("b", "a"))]
    start = time.process_time()
    assert answer(cc.problem(hidden, "1/4", "1/5"), "certified", steps) == "certified"
    assert time.process_time() - start < 10
    many = {"kind": "tupling", "dummies": 400, "base": cc.BITS}
    assert answer(cc.problem(many, "1/10", "1/100"), "certified", steps) == "certified"
    assert answer(cc.problem(many, "1/1000", "1/100"), "certified", steps) == "rejected"


def test_a_law_of_a_thousand_outputs_is_quick() -> None:
    rng = Rng(4)
    names = [f"y{k}" for k in range(1000)]
    weights = [[rng.randint(100, 199) for _ in names] for _ in "ab"]
    rows = [[str(Fraction(w, sum(row))) for w in row] for row in weights]
    channel = {"kind": "matrix", "inputs": ["a", "b"], "outputs": names, "rows": rows}
    steps = [cc.step("channel", *way) for way in (("a", "b"), ("b", "a"))]
    start = time.process_time()
    assert answer(cc.problem(channel, "1/10", "1/5"), "certified", steps) == "certified"
    assert time.process_time() - start < 2


def test_long_numbers_beside_an_irrational_delta() -> None:
    long = "1/" + "9" * 600
    channel = {**cc.BITS, "rows": [[long, f"1-{long}"], ["1/3", "2/3"]]}
    hidden = {"kind": "tupling", "base": channel, "dummies": 40}
    steps = [cc.step("tupling", *way) for way in (("a", "b"), ("b", "a"))]
    assert answer(cc.problem(hidden, "1/2", "exp(-1)"), "certified", steps) == "certified"
    step = cc.step("outputs-refuted", "b", "a", bits=64, outputs=["no"], margin="1e-9999")
    assert answer(cc.problem(channel, "1/2", "exp(-3)"), "refuted", [step]) == "refuted"


# ---------------------------------------------------------------- digests


def test_digests_of_literal_problems() -> None:
    """What is hashed, written out."""
    stated = b"""schema = "pfverify/problem/1"
epsilon = 0.50
[channel]
kind = "matrix"
outputs = ["y", "n"]
inputs = ["a", "b"]
rows = [["0.5", "1/2"], [1, "0"]]
inputs_related = [["b", "a"]]
"""
    text = (
        '{"beliefs":[["default",[["a",[["a","1"]]],["b",[["b","1"]]]]]],"channel":{"inputs":'
        '["a","b"],"inputs_related":[["b","a"]],"kind":"matrix","notion":"dp","outputs":["y","n"],'
        '"rows":[["1/2","1/2"],["1","0"]]},"delta":"0","epsilon":"1/2","form":"events","noise":'
        '{"kind":"none","scale":null,"step":null},"pairs":[["b","a"]],"schema":"pfverify/problem/1"}'
    )
    problem = reader.parse_problem(stated, is_json=False)
    assert reader.digest(problem) == hashlib.sha256(text.encode()).hexdigest()
    hidden = {
        "kind": "tupling", "dummies": 2, "dummy": {"b": "0.0", "a": 1}, "notion": "xdistp",
        "base": {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "log(3)"},
        "distance": [["a", "b", "2.50"]], "metric": "winf",
    }  # fmt: skip
    value = cc.problem(hidden, 1, "0.10", priors={
        "s": {"kind": "finite", "counts": {"b": 3, "a": 1}},
        "t": {"kind": "finite", "mass": {"a": 0, "b": "1"}}})  # fmt: skip
    text = (
        '{"beliefs":[["default",[["s",[["a","1/4"],["b","3/4"]]],["t",[["b","1"]]]]]],"channel":'
        '{"base":{"epsilon":"log(3)","inputs":["a","b"],"kind":"randomized-response"},"distance":'
        '[["a","b","5/2"]],"dummies":2,"dummy":{"a":"1","b":"0"},"kind":"tupling","metric":"winf",'
        '"notion":"xdistp"},"delta":"1/10","epsilon":"1","form":"events","noise":{"kind":"none",'
        '"scale":null,"step":null},"pairs":[["s","t"]],"schema":"pfverify/problem/1"}'
    )
    assert kb.digest(value) == hashlib.sha256(text.encode()).hexdigest()
    noisy = kb.problem({"0": 1}, {"1": 1}, notion="xdistp", metric=[["a", "b", "1.5"]])
    text = (
        '{"beliefs":[["default",[["a",[["0","1"]]],["b",[["1","1"]]]]]],"delta":"0","epsilon":"1",'
        '"form":"events","metric":[["a","b","3/2"]],"noise":{"kind":"laplace","scale":"1","step":'
        'null},"notion":"xdistp","pairs":[["a","b"]],"schema":"pfverify/problem/1"}'
    )
    assert kb.digest(noisy) == hashlib.sha256(text.encode()).hexdigest()
    plain = kb.problem({"0": 1}, {"1": 1})
    assert kb.digest({**plain, "notion": "distp"}) == kb.digest(plain)


def test_every_change_of_a_channel_changes_the_digest() -> None:
    value = cc.problem({**cc.PLANE, "notion": "xdp"}, 1)
    found = {kb.digest(value)}
    for change in (
        {"notion": "dp"}, {"epsilon": "0.51"}, {"points": {**cc.PLANE["points"], "c": [2, 3]}},
        {"grid": {"x": [0, 0]}}, {"metric": "distance"}, {"distance": "euclidean"},
        {"distance": "manhattan"}, {"inputs_related": "all"}, {"inputs_related": [["b", "a"]]},
        {"inputs_related": [["a", "b"]]}, {"metric": [["a", "b", 1], ["a", "c", 1], ["b", "c", 1]]},
    ):  # fmt: skip
        found.add(kb.digest({**value, "channel": {**value["channel"], **change}}))
    assert len(found) == 12
