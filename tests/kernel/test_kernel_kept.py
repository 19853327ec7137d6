"""Clamps and thresholds after Laplace noise, truncated or not, against the law in 50 digits.

Each random problem is asked at the divergence, at the largest ratio and at the excess of the worst
event: a little more is accepted, a little less is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import kernel_builder as kb
import pytest
import steps_truth as st
from core.grammar import Malformed
from mpmath import exp, inf, log, mpf, nstr, workdps

Json = dict[str, Any]
NEAR = mpf(10) ** -12
WAYS = ("ab", "ba")
LAPLACE, CLAMP = {"kind": "laplace", "scale": "1"}, [{"clamp": ["0", "2"]}]
STEPS = (
    [{"clamp": ["0", "2"]}], [{"threshold": {"at": "1"}}], [{"clamp": ["-1", "5/2"]}],
    [{"threshold": {"at": "1/2", "keep": "above"}}, {"clamp": ["0", "2"]}],
    [{"clamp": ["0", "3"]}, {"threshold": {"at": "2"}}], [{"clamp": ["1", "1"]}],
)  # fmt: skip


class Piece(NamedTuple):
    """A piece of the line, the masses of both laws on it, and what it becomes."""

    low: mpf
    high: mpf
    output: str  # "" where numbers stay what they are
    p: mpf
    q: mpf
    ends: tuple[tuple[mpf, mpf], ...]  # the densities of both laws inside both ends


def problem(noise: Json, priors: Json, post: Any, epsilon: Any, delta: Any) -> Json:
    found = {"schema": "pfverify/problem/1", "epsilon": str(epsilon), "delta": str(delta),
             "noise": noise, "priors": priors}  # fmt: skip
    return found | ({"post": post} if post else {})


def certified(value: Json) -> str:
    steps = [{"rule": "kept", "belief": "default", "from": a, "to": b} for a, b in WAYS]
    return kb.run(value, kb.certificate(value, "certified", steps))[0]


def refuted(value: Json, way: str, event: Any, margin: Any) -> str:
    return answer(value, way, event, margin)[0]


def answer(value: Json, way: str, event: Any, margin: Any) -> tuple[str, str]:
    step = kb.step("event-refuted", *way, event=event, margin=str(margin))
    return kb.run(value, kb.certificate(value, "refuted", [step]))


def prior(rng: Random, hides: bool) -> Json:
    atoms = {str(Fraction(rng.randint(-2, 8), 2)): rng.randint(1, 4) for _ in range(3)}
    law = {"kind": "discrete", "counts": atoms}
    if hides and rng.random() < 0.5:
        more = {"or": law, "chance": "3/4"} if rng.random() < 0.5 else {}
        return {"kind": "nothing", **more}
    return law


def drawn(rng: Random) -> tuple[Json, Json, Any]:
    noise = {"kind": "laplace", "scale": rng.choice(["1", "1/2", "2"])}
    post: Any = rng.choice(STEPS[:5])
    if rng.random() < 0.4:
        noise |= {"kind": "truncated-laplace", "bound": rng.choice(["1/2", "1", "3/2", "7"])}
        post = rng.choice([None, post])
    hides = any("threshold" in step for step in post or [])
    return noise, {"a": prior(rng, hides), "b": prior(rng, hides)}, post


def pieces(line: st.Line, p: st.Law, q: st.Law, growth: mpf) -> Iterator[Piece]:
    """The pieces on which p - growth q has one sign, where numbers stay what they are."""
    for a, b in pairwise(line.places(p, q)):
        y = line.inside(a, b)
        image = st.published(line.value, y)
        if image != y:
            yield piece(line, p, q, a, b, str(image))
            continue
        ends = [a, b]
        if -inf < a and b < inf:  # g is A e^(-y) + B e^y, told from two places
            s, places = line.scale, (a + (b - a) / 4, b - (b - a) / 4)
            g, h = (line.density(p, y) - growth * line.density(q, y) for y in places)
            u, v = (exp(-y / s) for y in places)
            A, B = (g / v - h / u) / (u / v - v / u), (g * v - h * u) / (v / u - u / v)
            zero = s * log(-A / B) / 2 if A * B < 0 else a
            ends = [a, *([zero] if a < zero < b else []), b]
        for c, d in pairwise(ends):
            yield piece(line, p, q, c, d, "")


def piece(line: st.Line, p: st.Law, q: st.Law, a: mpf, b: mpf, output: str) -> Piece:
    masses = (line.below(law, b) - line.below(law, a) for law in (p, q))
    near = mpf(10) ** -40
    ends = tuple(
        (line.density(p, y), line.density(q, y)) for y in (a + near, b - near) if abs(y) < inf
    )
    return Piece(a, b, output, *masses, ends)


def outputs(found: list[Piece], p: st.Law, q: st.Law) -> dict[str, tuple[mpf, mpf]]:
    """The masses of both laws at each single output."""
    sums = {"suppressed": (p.get(None, mpf(0)), q.get(None, mpf(0)))}
    for one in found:
        if one.output:
            mine, theirs = sums.get(one.output, (mpf(0), mpf(0)))
            sums[one.output] = mine + one.p, theirs + one.q
    return sums


def text(x: mpf) -> str:
    return {inf: "inf", -inf: "-inf"}.get(x) or str(Fraction(nstr(x, 30)))


def event_of(found: list[Piece], taken: set[str], growth: mpf) -> list[list[str]]:
    """The worst event, as intervals that do not touch."""
    spans: list[list[str]] = []
    for one in found:
        if one.output in taken or (not one.output and one.p > growth * one.q):
            low, high = text(one.low), text(one.high)
            spans[-1:] = [[spans[-1][0], high]] if spans and spans[-1][1] == low else [
                *spans[-1:], [low, high]]  # fmt: skip
    return spans


FAR = {  # against 0 the last output has most of what is lost
    "a": {"kind": "discrete", "mass": {"0": "1"}},
    "b": {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}},
}


@pytest.mark.parametrize("k", range(12))
def test_a_little_more_is_proved_and_a_little_less_is_not(k: int) -> None:
    rng = Random(f"kept {k}")
    noise, priors, post = drawn(rng) if k else (LAPLACE, FAR, CLAMP)
    epsilon = rng.choice(["0", "1/4", "1"]) if k else "1"
    growth, laws = exp(kb.real(epsilon)), {name: st.law(x) for name, x in priors.items()}
    line = st.Line(problem(noise, priors, post, 0, 0))
    worst, top = mpf(0), mpf(0)
    for way in WAYS:
        p, q = laws[way[0]], laws[way[1]]
        found = list(pieces(line, p, q, growth))
        kept = [one for one in found if not one.output]
        single = outputs(found, p, q)
        taken = {name for name, (mine, theirs) in single.items() if mine > growth * theirs}
        gaps = [single[name][0] - growth * single[name][1] for name in taken]
        excess = sum([*gaps, *(max(one.p - growth * one.q, mpf(0)) for one in kept)], mpf(0))
        worst = max(worst, excess)
        for mine, theirs in [*single.values(), *(end for one in kept for end in one.ends)]:
            top = max(top, mine / theirs if theirs else inf if mine else mpf(0))
        event = event_of(found, taken, growth)
        if excess > 0.02 and event:
            value = problem(noise, priors, post, epsilon, nstr(excess - 0.01, 40))
            assert refuted(value, way, event, 0.01 * (1 - NEAR)) == "refuted", (value, event)
            assert refuted(value, way, event, 0.01 * (1 + NEAR)) == "rejected", (value, event)
    if NEAR < worst < 0.999:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(noise, priors, post, epsilon, nstr(worst * (1 + part), 40))
            assert certified(value) == word, value
    if top == inf:
        assert certified(problem(noise, priors, post, 20, 0)) == "rejected"
    elif top > 1 + NEAR:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(noise, priors, post, nstr(log(top) * (1 + part), 40), 0)
            assert certified(value) == word, value
    else:
        assert certified(problem(noise, priors, post, 0, 0)) == "certified"


def points(a: int, b: int) -> Json:
    return {name: {"kind": "discrete", "mass": {str(x): "1"}} for name, x in (("a", a), ("b", b))}


def test_no_rounding_lets_through_what_is_false() -> None:
    """0 against 1 at epsilon = 0: delta is 1 - e^(-1/2), from a root that no number of bits has."""
    with workdps(120):
        truth = 1 - exp(mpf(-1) / 2)
        for bits in (63, 64, 65, 255):
            below = int(truth * mpf(2) ** bits)
            for k in range(-2, 4):
                value = problem(LAPLACE, points(0, 1), CLAMP, 0, Fraction(below + k, 1 << bits))
                assert certified(value) == ("certified" if k > 0 else "rejected"), (bits, k)


def test_a_delta_that_takes_more_digits() -> None:
    """About 0.4 and 0.3: at 64 bits the divisor may be 0."""
    for top, word in ((4, "certified"), (3, "rejected")):
        delta = f"{top}e-31/(exp(1e-30)-1)"
        assert certified(problem(LAPLACE, points(0, 1), CLAMP, 0, delta)) == word


def test_a_ratio_may_be_met_exactly() -> None:
    """0 against 1: both outputs, and the densities up to 0 and from 1 on, have the ratio e."""
    assert certified(problem(LAPLACE, points(0, 1), CLAMP, 1, 0)) == "certified"
    assert certified(problem(LAPLACE, points(0, 1), CLAMP, "1 - 1e-30", 0)) == "rejected"


@pytest.mark.parametrize(
    ("scale", "q", "delta"),
    [("1", 2, "1-exp(-1)"), ("1/log(4)", 4, "15/16"), ("2", 3, "1-exp(-3/4)")],
)
def test_a_delta_may_be_met_where_the_sign_changes(scale: str, q: int, delta: str) -> None:
    """0 against q at epsilon = 0: the sign changes halfway, where the root is that of one power."""
    noise, post = LAPLACE | {"scale": scale}, [{"threshold": {"at": "-5", "keep": "above"}}]
    assert certified(problem(noise, points(0, q), post, 0, delta)) == "certified"
    assert certified(problem(noise, points(0, q), post, 0, f"{delta}-1e-40")) == "rejected"


def test_delta_1_asks_for_nothing() -> None:
    """Thirds have no exact sum in bits, and 1 - 1e-30 is less than 1 - e^(-1e9)."""
    priors = {"a": {"kind": "discrete", "mass": {"0": "1/3", "1": "2/3"}}, "b": points(4, 4)["a"]}
    value = problem(LAPLACE | {"scale": "1e-9"}, priors, CLAMP, 0, 1)
    assert certified(value) == "certified"
    assert certified(value | {"delta": "1 - 1e-30"}) == "rejected"


@pytest.mark.parametrize(
    ("event", "word", "said"),
    [
        ([["-inf", "0"]], "refuted", ""),
        ([["-inf", "0"], ["0", "1"]], "malformed", "disjoint"),
        ([["-inf", "1/2"]], "refuted", ""),
        ([["-1", "1/2"]], "rejected", "cuts an output"),
        ([["-inf", "-1"]], "rejected", "cuts an output"),
        ([["-inf", "1/2"], ["3", "inf"]], "rejected", "cuts an output"),
        ([["-inf", "1/2"], ["2", "inf"]], "refuted", ""),
        ([["-inf", "1/2"], ["1", "3"]], "rejected", "cuts an output"),
        ([["2", "inf"]], "rejected", "no such margin"),
        ([["1/2", "1/2"]], "malformed", "must not be empty"),
        ([["1", "1/2"]], "malformed", "must not be empty"),
        ([], "malformed", "must not be empty"),
        ([["-inf", "NaN"]], "malformed", ""),
    ],
)
def test_an_event_holds_whole_outputs(event: Any, word: str, said: str) -> None:
    value = problem(LAPLACE, points(0, 1), CLAMP, 0, "1/100")
    found, message = answer(value, "ab", event, "0.001")
    assert (found, said in message) == (word, True), message


def test_an_event_may_be_met_exactly() -> None:
    """No row against a row of 1: the mass from 5 on is e^-4/2, of what is hidden 1 - e^-4/2."""
    hidden, kept = [["-inf", "5"]], [["5", "inf"]]
    priors = {"a": points(1, 1)["a"], "b": {"kind": "nothing"}}
    value = problem(LAPLACE, priors, [{"threshold": {"at": "5"}}], 0, "exp(-4)/2 - 1/1000")
    for way, event in (("ab", kept), ("ba", hidden)):
        assert refuted(value, way, event, "0.001") == "refuted"
        assert refuted(value, way, event, "0.00100000000000000000000000000001") == "rejected"
        assert refuted(value, way[::-1], event, "0.001") == "rejected"
    assert "cuts an output" in answer(value, "ba", [["-inf", "4"]], "0.001")[1]
    assert certified(value | {"delta": "exp(-4)/2"}) == "certified"
    assert certified(value | {"delta": "exp(-4)/2 - 1e-40"}) == "rejected"


def test_nothing_needs_a_threshold_that_hides() -> None:
    post = [{"threshold": {"at": "5"}}, {"clamp": ["6", "9"]}]
    priors = {"a": points(1, 1)["a"], "b": {"kind": "nothing"}}
    assert certified(problem(LAPLACE, priors, post, 0, "1/2")) == "certified"
    value = problem(LAPLACE, priors, [{"clamp": ["6", "9"]}, {"threshold": {"at": "5"}}], 0, "1/2")
    with pytest.raises(Malformed, match="hides"):
        certified(value)
