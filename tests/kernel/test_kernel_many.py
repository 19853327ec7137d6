"""Many releases of one X or of fresh draws: what is read, digests, collapses and rules."""

from __future__ import annotations

import copy
import hashlib
import json
from fractions import Fraction
from typing import Any

import joint_corpus as jc
import joint_truth as jt
import kernel_builder as kb
import mpmath
import pytest
from core import grid_sums
from core.box import Box
from core.grammar import Malformed, canonical
from core.rules import Rejected
from core.work import Check
from mpmath import mpf
from reader import reader
from reader.goals import goals_of
from reader.noise import Noise
from reader.releases import SAME, Together
from reader.several import Several

Json = dict[str, Any]
LAPLACE = {"kind": "laplace", "scale": 3, "releases": 10}
PURE = {"bits": 160, "ties": []}
COARSE = {"bits": 128, "cuts": [["1/4", "1/2", "3/4"]] * 2}


def about(noise: Json, epsilon: Any = 1, delta: Any = 0, **more: Any) -> Json:
    return jc.problem(jc.SPREAD, jc.TWO, epsilon, delta, noise, **more)


def points(noise: Json, epsilon: Any = 1, delta: Any = 0, **more: Any) -> Json:
    return jc.problem(jc.ZERO, jc.ONE, epsilon, delta, noise, **more)


def said(value: Json, cert: Json) -> tuple[str, str]:
    return kb.run(value, cert)


def stated(value: Json) -> Several:
    found = reader.problem_of(json.loads(json.dumps(value))).release
    assert isinstance(found, Several)
    return found


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("noise", "written"),
    [
        ({"kind": "laplace", "scale": "6/2", "releases": 10},
         {"kind": "laplace", "scale": "3", "step": None, "releases": "10", "draws": "same"}),
        ({"kind": "laplace", "scale": 3, "releases": 1, "draws": "fresh"},
         {"kind": "laplace", "scale": "3", "step": None, "releases": "1", "draws": "fresh"}),
        ({"kind": "laplace", "releases": 2},
         {"kind": "laplace", "scale": None, "step": None, "releases": "2", "draws": "same"}),
        ({"kind": "laplace", "scales": [3, "4/2", "log(2)"], "releases": 3},
         {"kind": "laplace", "scale": None, "step": None, "scales": ["3", "2", "log(2)"],
          "draws": "same"}),
        ({"kind": "gaussian", "scales": [3, "sqrt(2)"]},
         {"kind": "gaussian", "scale": None, "step": None, "variance": None,
          "scales": ["9", "2"], "draws": "same"}),
        ({"kind": "gaussian", "variance": 5, "releases": 2},
         {"kind": "gaussian", "scale": None, "step": None, "variance": "5", "releases": "2",
          "draws": "same"}),
        ({"kind": "discrete-laplace", "step": 1, "total": "log(2)"},
         {"kind": "discrete-laplace", "scale": None, "step": "1", "total": "log(2)"}),
        ({"kind": "gaussian", "total": "0.5"},
         {"kind": "gaussian", "scale": None, "step": None, "variance": None, "total": "1/2"}),
    ],
    ids=str,
)
def test_the_digest_by_hand(noise: Json, written: Json) -> None:
    value = points(noise)
    whole = {
        "schema": "pfverify/problem/1", "epsilon": "1", "delta": "0", "form": "events",
        "pairs": [["a", "b"]], "noise": written,
        "beliefs": [["default", [["a", [["0", "1"]]], ["b", [["1", "1"]]]]]],
    }  # fmt: skip
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    assert kb.digest(value) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"kind": "laplace", "scale": 1, "releases": 0}, "an integer from 1"),
        ({"kind": "laplace", "scale": 1, "releases": 1_000_001}, "an integer from 1"),
        ({"kind": "laplace", "scale": 1, "releases": "3/2"}, "an integer from 1"),
        ({"kind": "laplace", "scale": 1, "releases": True}, "must be an integer"),
        ({"kind": "laplace", "scale": 1, "scales": [1]}, "stand in place"),
        ({"kind": "gaussian", "variance": 1, "scales": [1]}, "stand in place"),
        ({"kind": "laplace", "scales": []}, "scales must be 1"),
        ({"kind": "laplace", "scales": 3}, "must be an array"),
        ({"kind": "laplace", "scales": [1, 0]}, "must be positive"),
        ({"kind": "laplace", "scales": [[1, 2], 3]}, "must be a number"),
        ({"kind": "laplace", "scale": [[1], [2]]}, "must be a number"),
        ({"kind": "laplace", "scale": [{}]}, "an integer, a decimal or a string"),
        ({"kind": "laplace", "scales": [1, "-1"]}, "must be positive"),
        ({"kind": "laplace", "scales": [1, 2], "releases": 1}, "as many as the scales"),
        ({"kind": "laplace", "scales": [1, 2], "releases": 3}, "as many as the scales"),
        ({"kind": "laplace", "scale": 1, "draws": "same"}, "those of releases or scales"),
        ({"kind": "laplace", "scale": 1, "releases": 2, "draws": "new"}, "same or fresh"),
        ({"kind": "laplace", "scale": 1, "releases": 2, "draws": 1}, "same or fresh"),
        ({"kind": "laplace", "scale": 1, "total": 1}, "stand in place"),
        ({"kind": "laplace", "total": 0}, "must be positive"),
        ({"kind": "laplace", "total": "log(1)"}, "must be positive"),
        ({"kind": "laplace", "total": -1}, "must be positive"),
        ({"kind": "laplace", "total": 1, "draws": "fresh"}, "says all of the releases"),
        ({"kind": "laplace", "total": 1, "releases": 2}, "says all of the releases"),
        ({"kind": "laplace", "total": 1, "scales": [1]}, "says all of the releases"),
        ({"kind": "gaussian", "total": "log(2)"}, "must be rational"),
        ({"kind": "gaussian", "scales": ["exp(1)"]}, "must be rational"),
        ({"kind": "gaussian", "variance": 1, "total": 1}, "stand in place"),
        ({"kind": "discrete-laplace", "scales": [1]}, "needs a step"),
        ({"kind": "discrete-gaussian", "step": 1, "total": 1}, "one release"),
        ({"kind": "discrete-gaussian", "scale": [1], "step": 1}, "is for joint priors"),
        ({"kind": "discrete-gaussian", "scales": [1]}, "needs a step"),
        ({"kind": "truncated-laplace", "bound": 1, "total": 1}, "one release"),
        ({"kind": "truncated-laplace", "scales": [1]}, "lacks"),
        ({"kind": "truncated-laplace", "scale": [1], "bound": 1}, "must be an integer, a decimal"),
        ({"kind": "none", "releases": 2}, "one release"),
        ({"kind": "table", "weights": {"0": 1}, "scales": [2]}, "one scale"),
        ({"kind": "table", "weights": {"0": 1}, "total": 2}, "one scale"),
        ({"kind": "laplace", "scale": 1, "releases": 2, "times": 1}, "not supported"),
    ],
    ids=str,
)
def test_tables_that_state_no_releases(noise: Json, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        kb.digest(points(noise))


@pytest.mark.parametrize("noise", [LAPLACE, {"kind": "laplace", "total": 1},
                                   {"kind": "gaussian", "scales": [1, 2]}], ids=str)  # fmt: skip
@pytest.mark.parametrize("more", [
    {"pre": [{"round": {"to": 1}}]},
    {"form": "pointwise", "delta": "1/10"},
], ids=str)  # fmt: skip
def test_what_does_not_stand_beside_them(noise: Json, more: Json) -> None:
    with pytest.raises(Malformed, match="is not known beside many releases"):
        kb.digest(points(noise) | more)


# ---------------------------------------------------------------- one release for all


@pytest.mark.parametrize(
    ("noise", "kind", "amount"),
    [
        (LAPLACE, "laplace", "3/10"),
        ({"kind": "laplace", "scales": [3, 2, 3]}, "laplace", "6/7"),
        ({"kind": "laplace", "total": "6/5"}, "laplace", "5/6"),
        ({"kind": "discrete-laplace", "step": "1/2", "total": "6/5"}, "discrete-laplace", "5/12"),
        ({"kind": "discrete-laplace", "step": 1, "scales": [1, 2]}, "discrete-laplace", "2/3"),
        ({"kind": "gaussian", "scales": [1, 2]}, "gaussian", "4/5"),
        ({"kind": "gaussian", "variance": 5, "releases": 10}, "gaussian", "1/2"),
        ({"kind": "gaussian", "total": "3"}, "gaussian", "1/3"),
        ({"kind": "laplace", "scale": "1/log(2)", "releases": 3}, "laplace", "((1/log(2))/3)"),
        ({"kind": "laplace", "scale": 0, "releases": 3}, "none", None),
    ],
    ids=str,
)
def test_one_release_with_the_same_verdict(noise: Json, kind: str, amount: str | None) -> None:
    release = stated(points(noise))
    one = release.at(release.amount)
    assert type(one) is Noise
    assert (one.kind, one.amount and canonical(one.amount)) == (kind, amount)
    assert release.at(None).kind == release.at(Fraction(0)).kind == "none"


def test_another_first_amount_keeps_the_ratios() -> None:
    release = stated(points({"kind": "laplace", "scales": [3, "3*log(2)/log(2)", 2]}))
    with pytest.raises(Rejected, match="no rational ratio"):
        stated(points({"kind": "laplace", "scales": [3, "log(2)"]})).at(Fraction(6))
    assert release.at(Fraction(6)).amount == Fraction(12, 7)
    logs = stated(points({"kind": "laplace", "scales": ["log(2)", "2*log(2)"]}))
    assert logs.at(Fraction(3)).amount == 2
    normal = stated(points({"kind": "gaussian", "scales": [1, 2]}))
    assert normal.at(Fraction(4)).amount == Fraction(16, 5)  # 4 and 16
    free = stated(points({"kind": "laplace", "releases": 4}))
    assert free.at(Fraction(8)).amount == 2
    vector = stated(jc.problem(jc.SAME, jc.OTHER, 1, noise={
        "kind": "laplace", "scale": [3, 2], "releases": 2}))  # fmt: skip
    one = vector.at(Fraction(6))
    assert isinstance(one, Noise)
    assert one.each == (3, 2)


def test_the_known_values_of_ten_releases() -> None:
    """The first k at which the sum of the losses is too small is 5; epsilon*_10 by F40."""
    loss, losses = mpf("0.368199133285"), {5: "1.93298887178", 10: "5.09355455682"}
    one = jt.Pair(about({"kind": "laplace", "scale": 3}), "default", "b", "a").loss()
    other = jt.Pair(about({"kind": "laplace", "scale": 3}), "default", "a", "b").loss()
    assert abs(max(one, other) - loss) < mpf(10) ** -11
    for count, text in losses.items():
        noise = {**LAPLACE, "releases": count}
        low, high = (str(Fraction(text) + Fraction(k, 10**11)) for k in (-1, 1))
        value = about(noise, high)
        assert said(value, jc.proved(value, "pure", PURE))[0] == "certified"
        value = about(noise, low)
        assert said(value, jc.proved(value, "pure", PURE))[0] == "rejected"
        value = about(noise, canonical(Fraction(str(loss)) * count))
        found = said(value, jc.proved(value, "pure", PURE))[0]
        assert found == "rejected"  # ten times the loss of one is too small
    met = about({"kind": "laplace", "scale": "1/log(2)", "releases": 2}, "log(341/80)")
    ties = {"bits": 128, "ties": ["0", "4"]}
    assert said(met, jc.proved(met, "pure", ties, PURE))[0] == "certified"


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("step", [None, "1"])
def test_the_collapse_against_points_of_all_releases(count: int, step: str | None) -> None:
    """epsilon* of (X, .., X) by direct sums over points and grid against one release."""
    noise = {"kind": "discrete-laplace" if step else "laplace", "scales": [2, 3, "5/2"][:count]}
    noise |= {"step": 1} if step else {}
    value = about(noise)
    loss = max(jt.Pair(value, "default", *way).loss() for way in ("ab", "ba"))
    for k, word in ((-1, "rejected"), (1, "certified")):
        at = {**value, "epsilon": kb.fraction_text(loss + k * mpf(10) ** -25)}
        assert said(at, jc.proved(at, "pure", PURE))[0] == word


def test_the_words_say_what_is_released() -> None:
    for noise, words, fact in (
        (LAPLACE, "10 releases, all of one X", "(F40)"),
        ({**LAPLACE, "releases": 1}, "1 release, all of one X", "(F40)"),
        ({"kind": "laplace", "total": "1/5"},
         "releases of one X, for every way to spend a total of 1/5", "(F40)"),
    ):  # fmt: skip
        value = about(noise, 40)
        word, message = said(value, jc.proved(value, "pure", PURE))
        assert word == "certified"
        assert f"assuming ideal real-valued noise, {words}, beliefs as given" in message
        assert fact in message
        low = {**value, "epsilon": "1/100"}
        step = kb.step("pure-refuted", "b", "a", y="2", margin="0.001")
        word, message = said(low, kb.certificate(low, "refuted", [step]))
        assert word == "refuted"
        assert words.replace("every way", "the worst way") in message
    normal = points({"kind": "gaussian", "scale": 1, "releases": 4}, 1, "1/2")
    other = points({"kind": "gaussian", "variance": "1/4"}, 1, "1/2")
    event = {"event": [["-inf", "1/4"]], "margin": "0.01"}
    for value in (normal, other):
        low = {**value, "delta": "1/5"}
        word, message = said(low, jc.refuted(low, "event-refuted", bits=128, **event))
        assert word == "refuted", message
    low = {**normal, "delta": "1/5"}
    message = said(low, jc.refuted(low, "event-refuted", bits=128, **event))[1]
    assert "4 releases, all of one X" in message
    assert "(F41)" in message


@pytest.mark.parametrize("other", [
    {"releases": 11}, {"scale": "29/10"}, {"draws": "fresh"}, {"kind": "gaussian"},
    {"releases": None, "scale": None, "total": "10/3"}, {"releases": None},
    {"releases": None, "scale": None, "scales": [3] * 10},
], ids=str)  # fmt: skip
def test_a_certificate_of_other_releases(other: Json) -> None:
    value = about(LAPLACE, "5.1")
    cert = jc.proved(value, "pure", PURE)
    assert said(value, cert)[0] == "certified"
    noise = {key: x for key, x in {**LAPLACE, **other}.items() if x is not None}
    word, message = said(about(noise, "5.1"), cert)
    assert (word, "another problem" in message) == ("rejected", True)


def test_calibrated_scales_of_ten_releases() -> None:
    """Of 0 against 1 at epsilon = 1 the least scale of 10 releases is 10."""
    value = points({"kind": "laplace", "releases": 10})
    at = points({"kind": "laplace", "scale": 10, "releases": 10})
    tied = jc.proved(at, "pure", {"bits": 96, "ties": ["0"]}, {"bits": 96, "ties": ["1"]})["steps"]
    low = kb.step("pure-refuted", y="0", margin="0.000001")
    step = {"rule": "minimum", "lower": "9.99", "upper": "10", "lower_step": low,
            "upper_steps": tied}  # fmt: skip
    word, message = said(value, kb.certificate(value, "scales", [step]))
    assert (word, "minimum in [9.99, 10]" in message) == ("scales", True), message
    assert "(F40)" in message
    assert said(value, kb.certificate(value, "scales", [{**step, "upper": "9.999"}]))[0] != "scales"
    nine = points({"kind": "laplace", "releases": 9})
    assert said(nine, kb.certificate(nine, "scales", [step]))[0] != "scales"


@pytest.mark.parametrize(
    ("stated", "along"),
    [
        ({"releases": 2}, ""),
        ({"scales": ["2", "6"]}, " for the first scale, the scales of all in the ratios 2 : 6"),
    ],
)
def test_a_minimum_says_of_which_scale_it_is(stated: Json, along: str) -> None:
    """Of 0 against 1 at epsilon = 1: 2, and 4/3 where the other scale is three times the first."""
    value = points({"kind": "laplace", **stated})
    low, high = ("1.33", "1.34") if along else ("1.99", "2.01")
    held = {"bits": 96, "ties": []}
    above = jc.proved(value, "pure", held, held)["steps"]
    step = {"rule": "minimum", "lower": low, "upper": high, "upper_steps": above,
            "lower_step": kb.step("pure-refuted", y="0", margin="0.001")}  # fmt: skip
    word, message = said(value, kb.certificate(value, "scales", [step]))
    assert word == "scales"
    assert message.startswith(f"minimum in [{low}, {high}]{along}; problem=")


def test_systems_and_mixtures_collapse_too() -> None:
    normal = {"kind": "gaussian", "mean": 0, "variance": 1}
    value = jc.problem(normal, {**normal, "mean": 1}, 5, noise={**LAPLACE, "releases": 2})
    step = {"plan": [[0, 0, "1"]]}
    assert said(value, jc.proved(value, "components", step))[0] == "certified"
    value["epsilon"] = "3/5"
    assert said(value, jc.proved(value, "components", step))[0] == "rejected"  # 2/3
    part = {**value, "delta": "1/2"}  # of kind releases: by the one release, and not refuted by it
    assert said({**part, "epsilon": 5}, jc.proved({**part, "epsilon": 5}, "components", step))[
        0] == "certified"  # fmt: skip
    event = jc.refuted(part, "event-refuted", bits=96, event=[["-inf", "0"]], margin="0.01")
    assert said(part, event)[0] == "rejected"


# ---------------------------------------------------------------- with a delta


TWO = {"kind": "laplace", "scale": 1, "releases": 2}


def test_the_one_release_certifies_and_never_refutes() -> None:
    """At epsilon = 1/2 two releases of 0 against 1 have .350496, one at 1/2 has .527633."""
    true = jt.Pair(points(TWO, "1/2", "1/2"), "default", "a", "b").divergence()
    assert abs(true - mpf("0.350495989981")) < mpf(10) ** -10
    value = points(TWO, "1/2", "0.5277")
    assert said(value, jc.proved(value, "delta-upper", {"bits": 128}))[0] == "certified"
    word, message = said(value, jc.proved(value, "delta-upper", {"bits": 128}))
    assert "(F40l)" in message
    value = points(TWO, "1/2", "0.4")  # holds, though the one release fails
    one = points({"kind": "laplace", "scale": "1/2"}, "1/2", "0.4")
    event = {"bits": 128, "event": [["-inf", "1/4"]], "margin": "0.05"}
    assert said(one, jc.refuted(one, "event-refuted", **event))[0] == "refuted"
    word, message = said(value, jc.refuted(value, "event-refuted", **event))
    assert (word, "may hold" in message) == ("rejected", True)
    inner = {"rule": "event-refuted", **event}
    assert said(value, jc.refuted(value, "one-refuted", release=0, step=inner))[0] == "rejected"
    for keys in ({"cuts": [["1/4", "1/2"]]}, {"cuts": [[]]}):
        wrong = jc.refuted(value, "grid-event-refuted", bits=128, margin="0.001", **keys)
        assert said(value, wrong)[0] == "malformed"
    assert said(value, jc.proved(value, "grid-upper", COARSE))[0] == "certified"
    assert said(value, jc.proved(value, "delta-upper", {"bits": 128}))[0] == "rejected"


@pytest.mark.parametrize("draws", ["same", "fresh"])
@pytest.mark.parametrize("step", [None, 1])
def test_the_grid_of_two_releases_encloses_the_truth(draws: str, step: int | None) -> None:
    mpmath.mp.dps = 20
    noise = {"kind": "discrete-laplace" if step else "laplace", "scales": [1, 2], "draws": draws}
    noise |= {"step": 1} if step else {}
    few = {"kind": "discrete", "mass": {"0": "1/2", "2": "1/2"}}
    value = jc.problem(few, jc.ONE, "1/4", "1/2", noise)
    try:
        true = Fraction(str(jt.Pair(value, "default", "a", "b").divergence()))
    finally:
        mpmath.mp.dps = 60
    fine = [str(Fraction(k, 8)) for k in range(16) if k % 8]
    cuts = [[], []] if step else [fine, fine]
    problem = reader.problem_of(json.loads(json.dumps(value)))
    goal = next(goals_of(problem, problem.release.at(problem.release.amount), Check(0)))
    all_of_them, _ = Together(goal).whole({"rule": "grid-event-refuted", "cuts": cuts})
    box = Box(all_of_them.P, all_of_them.Q, cuts, [])
    sums = grid_sums.lower(goal.epsilon, box, 96), grid_sums.upper(goal.epsilon, box, 96)
    low, high = (x[0] * Fraction(2) ** x[2] for x in sums)
    room = Fraction(1, 10**6)  # of the quadrature
    assert low - room <= true <= high + room
    assert high - low < (room if step else Fraction(1, 250))
    below = {**value, "delta": str(low - Fraction(1, 10**9))}
    cells = jc.refuted(below, "grid-event-refuted", bits=96, cuts=cuts, margin="1e-10")
    assert said(below, cells)[0] == "refuted"
    assert said({**value, "delta": str(low)}, {**cells, "problem": kb.digest(
        {**value, "delta": str(low)})})[0] == "rejected"  # fmt: skip
    less = {**value, "delta": str(high - Fraction(1, 10**9))}
    word, message = said(less, jc.proved(less, "grid-upper", {"bits": 96, "cuts": cuts}))
    assert (word, 'grid-upper "a"' in message) == ("rejected", True)  # the first order


def test_a_grid_is_of_few_releases() -> None:
    value = points({**TWO, "releases": 5}, "1/2", "0.9")
    bits = {"bits": 96, "cuts": [[]] * 5}
    assert "at most 4" in said(value, jc.proved(value, "grid-upper", bits))[1]
    many_of_them = points({**TWO, "releases": 1_000_000}, "1/2", "1/2")
    assert said(many_of_them, jc.proved(many_of_them, "grid-upper", bits))[0] == "rejected"
    ways = {"bits": 96, "cuts": [["3/8"]]}, {"bits": 96, "cuts": [["5/8"]]}
    fine = points({**TWO, "releases": 9}, "9/4", "1/2")  # of the one release, which is enough
    assert said(fine, jc.proved(fine, "grid-upper", *ways))[0] == "rejected"
    fine = points(TWO, "1/2", "0.5277")
    assert said(fine, jc.proved(fine, "grid-upper", *ways))[0] == "certified"
    dense = {"kind": "discrete", "counts": dict.fromkeys(map(str, range(40)), 1)}
    heavy = jc.problem(dense, jc.ONE, 1, "1/2", {**TWO, "releases": 4, "draws": "fresh"})
    assert "so many draws" in said(heavy, jc.proved(heavy, "grid-upper",
                                                    {"bits": 96, "cuts": [[]] * 4}))[1]  # fmt: skip


def test_releases_of_points_with_a_delta() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, "1/10", "1/2", {**TWO, "scale": [1, 2]})
    for cuts in ([[], []], [[]] * 4):
        found = said(value, jc.proved(value, "grid-upper", {"bits": 96, "cuts": cuts}))[0]
        assert found == "certified", cuts
    assert said(value, jc.proved(value, "grid", PURE))[0] == "rejected"
    high = {**value, "epsilon": 1}
    assert said(high, jc.proved(high, "grid", PURE))[0] == "certified"
    inner = {"rule": "grid-event-refuted", "bits": 96, "cuts": [[], []], "margin": "0.001"}
    low = {**value, "delta": "0.001"}
    word, message = said(low, jc.refuted(low, "one-refuted", release=0, step=inner))
    assert (word, "one release alone" in message) == ("refuted", True)
    bare = {**value, "noise": {"kind": "laplace", "scale": 0, "releases": 2}, "delta": 1}
    assert said(bare, jc.proved(bare, "no-noise", {}))[0] == "certified"


# ---------------------------------------------------------------- fresh draws


FRESH = {"kind": "laplace", "scale": 3, "releases": 2, "draws": "fresh"}


def parts(epsilon: str, delta: str = "0", **step: Any) -> Json:
    return {"parts": [{"epsilon": epsilon, "delta": delta, "step": step}]}


def test_fresh_draws_add_and_never_collapse() -> None:
    loss = {w: jt.Pair(about(FRESH), "default", *w).loss() for w in ("ab", "ba")}
    alone = {w: jt.Pair(about({"kind": "laplace", "scale": 3}), "default", *w).loss() for w in loss}
    for way in loss:
        assert abs(loss[way] - 2 * alone[way]) < mpf(10) ** -50
    worst = max(loss.values())
    high, low = (kb.fraction_text(worst + k * mpf(10) ** -20) for k in (1, -1))
    half = canonical(Fraction(high) / 2)
    value = about(FRESH, high)
    inner = parts(half, rule="pure", **PURE)
    assert said(value, jc.proved(value, "product", inner))[0] == "certified"
    assert "(F43)" in said(value, jc.proved(value, "product", inner))[1]
    assert "each of a fresh draw of X" in said(value, jc.proved(value, "product", inner))[1]
    for wrong in (
        parts(high, rule="pure", **PURE), parts(half, "1/100", rule="pure", **PURE),
        parts(canonical(Fraction(low) / 2), rule="pure", **PURE), {"parts": []},
        {"parts": inner["parts"] * 2}, parts(half, rule="no-noise"),
        parts(half, rule="product", parts=[]), parts("-1", rule="pure", **PURE),
        parts(half, rule="pure", **PURE, belief="default"), {"parts": [{"epsilon": half}]},
    ):  # fmt: skip
        assert said(value, jc.proved(value, "product", wrong))[0] != "certified"
    assert said(value, jc.proved(value, "pure", PURE))[0] == "rejected"
    three = about({**FRESH, "releases": 3}, high)
    assert said(three, jc.proved(three, "product", inner))[0] == "rejected"
    one = about({**FRESH, "draws": "same"}, high)
    assert said(one, jc.proved(one, "product", inner))[0] == "rejected"
    way = max(loss, key=lambda w: loss[w])
    pair = jt.Pair(about({"kind": "laplace", "scale": 3}), "default", *way)
    y = max(pair.axes[0], key=lambda c: pair.densities([c])[0] / pair.densities([c])[1])
    bad = about(FRESH, low)
    shown = {"rule": "pure-refuted", "bits": 128, "y": str(y), "margin": "4e-21"}
    claim = {"epsilon": canonical(Fraction(low) / 2), "step": shown}
    step = {"rule": "product-refuted", "belief": "default", "from": way[0], "to": way[1],
            "parts": [claim], "margin": "8e-21"}  # fmt: skip
    assert said(bad, kb.certificate(bad, "refuted", [step]))[0] == "refuted"
    for key, wrong in (("margin", "9e-21"), ("margin", "0"), ("from", way[1]),
                       ("parts", [claim, claim]), ("parts", [])):  # fmt: skip
        assert said(bad, kb.certificate(bad, "refuted", [{**step, key: wrong}]))[0] != "refuted"
    forged = copy.deepcopy(step)
    forged["parts"][0]["epsilon"] = canonical(Fraction(low) / 2 - Fraction(1, 10**30))
    assert said(bad, kb.certificate(bad, "refuted", [forged]))[0] == "rejected"
    assert said(value, kb.certificate(value, "refuted", [step]))[0] == "rejected"


def test_fresh_draws_with_a_delta_and_other_noise() -> None:
    value = about(FRESH, "3/4", "1/10")
    inner = parts("3/8", "1/20", rule="delta-upper", bits=128)
    assert said(value, jc.proved(value, "product", inner))[0] == "certified"
    more = parts("3/8", "51/1000", rule="delta-upper", bits=128)
    assert said(value, jc.proved(value, "product", more))[0] == "rejected"
    normal = points({"kind": "gaussian", "scale": 2, "releases": 3, "draws": "fresh"}, 3, "1/2")
    chart = {"rule": "chart", "bits": 128, "density": [], "points": ["2"]}
    event = {"rule": "event-refuted", "bits": 128, "event": [["-inf", "0"]], "margin": "0.001"}
    low = {**normal, "epsilon": "1/10", "delta": "1/100"}
    word, message = said(low, jc.refuted(low, "one-refuted", release=0, step=event))
    assert word == "refuted", message
    assert said(normal, jc.proved(normal, "grid-upper", {"bits": 64, "cuts": [[]] * 3}))[0] == (
        "rejected"
    )
    assert said(normal, jc.proved(normal, "product", parts("1", "1/6", **chart)))[0] in (
        "certified", "rejected",
    )  # fmt: skip
    pointwise = about(FRESH, 1, form="pointwise")
    inner = parts("1/2", rule="pure", **PURE)
    assert said(pointwise, jc.proved(pointwise, "product", inner))[0] == "certified"
    with_delta = parts("1/2", "1/9", rule="pure", **PURE)
    assert said(pointwise, jc.proved(pointwise, "product", with_delta))[0] == "rejected"


def test_fresh_draws_without_noise_are_not_one() -> None:
    """{0: 1/2, 1: 1/2} against {0: 1/4, 1: 3/4}: log 2 each."""
    half = {"kind": "discrete", "mass": {"0": "1/2", "1": "1/2"}}
    other = {"kind": "discrete", "mass": {"0": "1/4", "1": "3/4"}}
    value = jc.problem(half, other, "log(4)", noise={**FRESH, "scale": 0})
    inner = parts("log(2)", rule="no-noise")
    assert said(value, jc.proved(value, "product", inner))[0] == "certified"
    assert said(value, jc.proved(value, "no-noise", {}))[0] == "rejected"
    low = {**value, "epsilon": "log(3)"}
    assert said(low, jc.proved(low, "product", inner))[0] == "rejected"
    claim = {"epsilon": "log(3)/2",
             "step": {"rule": "pure-refuted", "bits": 64, "y": "0", "margin": "0.14"}}  # fmt: skip
    step = jc.refuted(low, "product-refuted", parts=[claim], margin="0.28")
    assert said(low, step)[0] == "refuted"
    free = {**value, "noise": {"kind": "laplace", "releases": 2, "draws": "fresh"}}
    steps = jc.proved(free, "product", inner)["steps"]
    at_0 = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None}
    found = said(free, kb.certificate(free, "scales", [{**at_0, "upper_steps": steps}]))
    assert found[0] == "scales", found
    wrong = [{**at_0, "upper_steps": [{"rule": "no-noise"}]}]
    assert said(free, kb.certificate(free, "scales", wrong))[0] != "scales"


def test_fresh_draws_of_the_same_kind_in_calibrate() -> None:
    value = points({"kind": "laplace", "scales": [2, 1], "draws": "fresh"})
    inner = [{"rule": "pure", "bits": 96, "ties": [tie]} for tie in "01"]

    def step(tie: int) -> Json:
        return {"parts": [{"epsilon": e, "delta": "0", "step": inner[tie]} for e in ("1/3", "2/3")]}

    steps = jc.proved(value, "product", step(0), step(1))["steps"]  # scales 3 and 3/2
    one = {"rule": "scale", "method": "minimum", "scale": "3", "verdict": "certified",
           "steps": steps}  # fmt: skip
    word, message = said(value, kb.certificate(value, "scales", [one]))
    assert word == "scales"
    assert "each of a fresh draw of X, the other scales in proportion to the first" in message
    assert said(value, kb.certificate(value, "scales", [{**one, "scale": "2.99"}]))[0] != "scales"


def test_no_coupling_is_of_many_releases() -> None:
    value = points(LAPLACE)
    step = {"rule": "coupling", "belief": "default", "from": "a", "to": "b",
            "edges": [["0", "1", "1"]], "within": "1"}  # fmt: skip
    word, message = said(value, kb.certificate(value, "coupling", [step]))
    assert (word, "for one release" in message) == ("rejected", True)
    plain = points({"kind": "laplace", "scale": 3})
    assert said(plain, kb.certificate(plain, "coupling", [step]))[0] == "coupling"


def test_rules_of_many_are_not_those_of_one() -> None:
    value = points({"kind": "laplace", "scale": 1}, "1/2", "1/2")
    for rule, keys in (("product", parts("1/4", rule="pure", **PURE)), ("grid-upper", COARSE)):
        assert said(value, jc.proved(value, rule, keys))[0] == "rejected"
    inner = {"rule": "event-refuted", "bits": 64, "event": [["-inf", "0"]], "margin": "0.01"}
    assert said(value, jc.refuted(value, "one-refuted", release=0, step=inner))[0] == "rejected"
    assert set(SAME.refuted) == {
        "one-refuted", "grid-event-refuted", "composed-refuted", "renyi-refuted",
    }  # fmt: skip
