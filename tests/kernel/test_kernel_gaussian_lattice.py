"""Discrete Gaussian noise in the kernel against sums over the lattice in 60 digits.

Each random problem is asked at the divergence, at the largest ratio, at the excess of the worst
event and at the ratio of one output: a little more is accepted, a little less is not.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import kernel_builder as kb
import pytest
import steps_truth as st
from core.grammar import Malformed
from mpmath import exp, inf, log, mpf, nstr

Json = dict[str, Any]
NEAR = mpf(10) ** -12
WAYS = ("ab", "ba")
BELL = {"kind": "discrete-gaussian", "variance": "1", "step": "1"}


def problem(priors: Json, epsilon: Any, delta: Any, **noise: str) -> Json:
    return {"schema": "pfverify/problem/1", "epsilon": str(epsilon), "delta": str(delta),
            "noise": {**BELL, **noise}, "priors": priors}  # fmt: skip


def certified(value: Json, rule: str, bits: int = 128, **more: Any) -> tuple[str, str]:
    steps = [kb.step(rule, *way, bits=bits, **more) for way in WAYS]
    return kb.run(value, kb.certificate(value, "certified", steps))


def refuted(value: Json, way: str, rule: str, margin: Any, **more: Any) -> tuple[str, str]:
    step = kb.step(rule, *way, margin=str(margin), **more)
    return kb.run(value, kb.certificate(value, "refuted", [step]))


def atoms(*masses: str, first: str = "0", step: str = "1") -> Json:
    """A law on points of the lattice one after the other; those without mass are left out."""
    places = [str(Fraction(first) + k * Fraction(step)) for k in range(len(masses))]
    return {"kind": "discrete", "mass": {x: m for x, m in zip(places, masses, strict=True) if m}}


def drawn(rng: Random) -> tuple[Json, Json]:
    noise = {"variance": rng.choice(["1/4", "1", "9/4"]), "step": rng.choice(["1", "1/2"])}
    step, first = Fraction(noise["step"]), rng.choice([Fraction(0), Fraction(1, 3)])
    shared = rng.random() < 0.5  # the ends, so that a ratio bounds the loss
    priors = {}
    for name in "ab":
        places = {rng.randint(-2, 2) for _ in range(2)} | ({-2, 2} if shared else set())
        weights = {str(first + k * step): rng.randint(1, 5) for k in sorted(places)}
        priors[name] = {"kind": "discrete", "counts": weights}
    return noise, priors


@pytest.mark.parametrize("k", range(10))
def test_a_little_more_is_proved_and_a_little_less_is_not(k: int) -> None:
    rng = Random(f"gaussian lattice {k}")
    noise, priors = drawn(rng)
    epsilon = rng.choice(["0", "1/4", "1"])
    growth, laws = exp(kb.real(epsilon)), {name: st.law(x) for name, x in priors.items()}
    lattice = st.Lattice(problem(priors, 0, 0, **noise))
    places = [y for y in lattice.points(*laws.values()) if abs(y) < 12 * max(1, lattice.variance)]
    mass = {name: {y: lattice.mass(law, y) for y in places} for name, law in laws.items()}
    worst, top = mpf(0), mpf(0)
    for way in WAYS:
        p, q = mass[way[0]], mass[way[1]]
        gaps = {y: p[y] - growth * q[y] for y in places}
        event = [y for y in places if gaps[y] > 0]
        excess = sum((gaps[y] for y in event), mpf(0))
        worst = max(worst, excess)
        ends = [f(laws[way[0]].keys() | laws[way[1]].keys()) for f in (min, max)]
        limits = [(laws[way[0]].get(x, mpf(0)), laws[way[1]].get(x, mpf(0))) for x in ends]
        ratios = [a / b if b else inf for a, b in limits] + [p[y] / q[y] for y in places]
        top = max(top, *ratios)
        if excess > 0.02:
            value = problem(priors, epsilon, nstr(excess - 0.01, 40), **noise)
            for part, word in ((-NEAR, "refuted"), (NEAR, "rejected")):
                spans = [[str(y), str(y)] for y in event]
                said = refuted(value, way, "event-refuted", 0.01 * (1 + part), event=spans)
                assert said[0] == word, (value, way, said)
        y = max(places, key=lambda y: p[y] / q[y])
        margin = log(p[y] / q[y]) - kb.real(epsilon)
        if margin > NEAR:
            value = problem(priors, epsilon, 0, **noise)
            for part, word in ((-NEAR, "refuted"), (NEAR, "rejected")):
                shown = nstr(margin * (1 + part), 40)
                said = refuted(value, way, "pure-refuted", shown, y=str(y))
                assert said[0] == word, (value, way, said)
    if NEAR < worst < 0.999:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(priors, epsilon, nstr(worst * (1 + part), 40), **noise)
            assert certified(value, "delta-upper")[0] == word, value
    if top == inf:
        value = problem(priors, 20, 0, **noise)
        assert certified(value, "pure", ties=[])[0] == "rejected"
    elif top > 1 + NEAR:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(priors, nstr(log(top) * (1 + part), 40), 0, **noise)
            assert certified(value, "pure", ties=[])[0] == word, value


SHARED = {"a": atoms("1/2", "1/4", "1/4"), "b": atoms("1/4", "1/4", "1/2")}


def test_a_tie_far_out_is_decided_by_the_next_atom() -> None:
    """At log 2 the outer atom of each order has no difference, the next one has a negative one."""
    assert certified(problem(SHARED, "log(2)", 0), "pure", ties=[])[0] == "certified"
    assert certified(problem(SHARED, "log(2) - 1e-30", 0), "pure", ties=[])[0] == "rejected"
    positive = {"a": atoms("3/8", "4/8", "1/8"), "b": atoms("1/8", "1/8", "6/8")}
    word, message = certified(problem(positive, "log(3)", 0), "pure", ties=[])
    assert (word, "not bounded far out" in message) == ("rejected", True)


def test_an_inner_output_may_exceed() -> None:
    """Both ends are shared evenly, the middle is not: the ratio is largest between them."""
    priors = {"a": atoms("1/4", "1/2", "1/4"), "b": atoms("1/2", "", "1/2")}
    for variance, word in (("1/100", "rejected"), ("100", "certified")):
        value = problem(priors, "1", 0, variance=variance)
        assert certified(value, "pure", ties=[])[0] == word


@pytest.mark.parametrize(
    ("rule", "more", "said"),
    [
        ("pure-refuted", {"y": "1/2"}, "is not a point of the lattice"),
        ("pure-refuted", {"y": "-1"}, "no such margin"),
        ("pure-refuted", {"y": "1"}, "an output refutes a pure bound only"),
        ("event-refuted", {"event": [["1", "inf"]]}, "finitely many outputs"),
        ("event-refuted", {"event": [["-inf", "1"]]}, "finitely many outputs"),
        ("event-refuted", {"event": [["1/2", "3"]]}, "not a point of the lattice"),
        ("event-refuted", {"event": [["1", "7/2"]]}, "not a point of the lattice"),
        ("event-refuted", {"event": [["1", "10000000"]]}, "too many outputs"),
        ("event-refuted", {"event": [["-5", "0"]]}, "no such margin"),
    ],
)
def test_what_refutes_nothing(rule: str, more: Json, said: str) -> None:
    """0 against 1, with the order in which large numbers are more probable."""
    delta = 0 if rule == "pure-refuted" and more["y"] != "1" else "1/1000"
    value = problem({"a": atoms("1"), "b": atoms("1", first="1")}, "1/10", delta)
    word, message = refuted(value, "ba", rule, "0.001", **more)
    assert (word, said in message) == ("rejected", True), message


def test_runs_of_points_are_events_like_single_ones() -> None:
    value = problem({"a": atoms("1"), "b": atoms("1", first="1")}, 0, "0.38")
    runs: Any
    for runs, word in (
        ([["1", "9"]], "refuted"), ([["2", "9"]], "rejected"), ([["0", "9"]], "rejected"),
        ([["1", "3"], ["4", "9"]], "refuted"), ([[str(k)] * 2 for k in range(1, 9)], "refuted"),
    ):  # fmt: skip
        assert refuted(value, "ba", "event-refuted", "0.0001", event=runs)[0] == word


@pytest.mark.parametrize(
    ("rule", "noise", "more", "word", "said"),
    [
        ("delta-upper", {"variance": "1e14"}, {}, "rejected", "too wide"),
        ("pure", {"variance": "1e14"}, {"ties": []}, "rejected", "too wide"),
        ("pure", {}, {"ties": ["0"]}, "malformed", "no list of ties"),
        ("channel", {}, {}, "malformed", "not one for this place"),
    ],
)
def test_what_proves_nothing(rule: str, noise: Json, more: Json, word: str, said: str) -> None:
    value = problem(SHARED, 1, "1/10" if rule != "pure" else 0, **noise)
    found, message = certified(value, rule, **more)
    assert (found, said in message) == (word, True), message


@pytest.mark.parametrize("step", ["3", "3/2"])
def test_atoms_off_the_lattice(step: str) -> None:
    with pytest.raises(Malformed, match="multiples of the step"):
        certified(problem(SHARED, 1, "1/10", step=step), "delta-upper")


def test_delta_1_asks_for_nothing() -> None:
    value = problem(SHARED, 0, 1, variance="1e14")
    assert certified(value, "delta-upper")[0] == "certified"


def test_two_laws_that_are_one() -> None:
    same = {"a": SHARED["a"], "b": SHARED["a"]}
    assert certified(problem(same, 0, 0), "pure", ties=[])[0] == "certified"
    assert certified(problem(same, 0, "1e-20"), "delta-upper")[0] == "certified"
