"""Points with Laplace noise on every coordinate: what is read, the grid, and sums on it."""

from __future__ import annotations

import hashlib
import json
import random
from fractions import Fraction
from itertools import product
from typing import Any

import joint_corpus as jc
import joint_truth as jt
import kernel_builder as kb
import mpmath
import pytest
from core import grid_sums, packed
from core.box import Box, Boxed
from core.coordinates import Joint
from core.enclose import Arithmetic
from core.grammar import Malformed
from core.rules import Goal
from core.work import AT_LEAST, Check
from core.zero import constant
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from reader import joint, reader
from reader.goals import goals_of

Json = dict[str, Any]
LATTICE = {"kind": "discrete-laplace", "scale": 1, "step": 1}
PURE = {"bits": 160, "ties": []}


def said(value: Json, rule: str, *ways: Json) -> tuple[str, str]:
    return kb.run(value, jc.proved(value, rule, *ways))


def word(value: Json, rule: str, *ways: Json) -> str:
    return said(value, rule, *ways)[0]


def goals(value: Json) -> list[Goal[Any, Any]]:
    found = reader.problem_of(json.loads(json.dumps(value)))
    return list(goals_of(found, found.release.at(found.release.amount), Check(0)))


def real(x: tuple[int, int, int]) -> Fraction:
    return x[0] * Fraction(2) ** x[2]


def bounds(value: Json, cuts: Any) -> tuple[Fraction, Fraction]:
    """Both sums of the first order, as grid-upper and grid-event-refuted have them."""
    goal = goals(value)[0]
    box, epsilon = Box(goal.P, goal.Q, cuts, []), goal.epsilon
    return real(grid_sums.lower(epsilon, box, 128)), real(grid_sums.upper(epsilon, box, 128))


# ---------------------------------------------------------------- reading


def test_the_digest_is_that_of_the_names_and_the_sorted_rows() -> None:
    a = jc.joint([1, 1, "1/2"], [0, "0.5", "1/4"], [0, 0, "1/4"], [2, 2, 0])
    b = jc.joint([0, 3, 1], [2, "-1/2", 2], key="counts")
    value = jc.problem(a, b, "1/2", noise={"kind": "laplace", "scale": ["3", "4/2"]})
    rows = [["0", "0", "1/4"], ["0", "1/2", "1/4"], ["1", "1", "1/2"]]
    other = [["0", "3", "1/3"], ["2", "-1/2", "2/3"]]
    names = ["x", "y"]
    written = {
        "schema": "pfverify/problem/1", "epsilon": "1/2", "delta": "0", "form": "events",
        "pairs": [["a", "b"]],
        "noise": {"kind": "laplace", "scale": ["3", "2"], "step": None},
        "beliefs": [["default", [["a", [names, *rows]], ["b", [names, *other]]]]],
    }  # fmt: skip
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    assert kb.digest(value) == hashlib.sha256(text.encode()).hexdigest()
    value["noise"]["scale"] = "3"
    written["noise"]["scale"] = "3"
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    assert kb.digest(value) == hashlib.sha256(text.encode()).hexdigest()


ROWS = [[0, 0, "1/2"], [1, 1, "1/2"]]
GAUSSIAN = {"kind": "gaussian", "scale": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ["x"]}, "1 coordinates and its weight"),
        ({"names": ["x", "x"]}, "different names"),
        ({"names": []}, "different names"),
        pytest.param({"names": [*map(str, range(1001))], "rows": [[0] * 1001 + [1]]},
                     "1 to 1000 different", id="1001 names"),
        ({"names": ["x", " "]}, "empty or not printable"),
        ({"names": ["x", 1]}, "must be a string"),
        ({"names": None}, "lacks"),
        ({"rows": None}, "either rows or counts"),
        ({"counts": [[0, 0, 1]]}, "either rows or counts"),
        ({"rows": [[0, 0, "1/2"], [1, 1]]}, "a row must have"),
        ({"rows": [[0, 0, "1/2"], [1, 1, "1/3"]]}, "do not sum to 1"),
        ({"rows": [[0, 0, "1/2"], [0, "0.0", "1/2"]]}, "occurs twice"),
        ({"rows": [[0, 0, 1], [0, 0, 0]]}, "occurs twice"),
        ({"rows": [[0, 0, "3/2"], [1, 1, "-1/2"]]}, "no weight negative"),
        ({"rows": [[0, "log(2)", 1]]}, "must be rational"),
        ({"rows": [[0, 0, "log(2)/log(2)"]]}, "must be rational"),
        ({"rows": []}, "do not sum to 1"),
        ({"rows": "x"}, "must be an array"),
        ({"rows": None, "counts": [[0, 0, "1/2"]]}, "must be integers"),
        ({"rows": None, "counts": [[0, 0, 0]]}, "do not sum to 1"),
        ({"mass": {"0": 1}}, "not supported"),
    ],
    ids=str,
)
def test_tables_that_state_no_points(change: Json, message: str) -> None:
    table = {"kind": "joint", "names": ["x", "y"], "rows": ROWS}
    stated = {key: x for key, x in {**table, **change}.items() if x is not None}
    with pytest.raises(Malformed, match=message):
        kb.digest(jc.problem(stated, jc.OTHER, 1))


def test_a_law_of_1000_coordinates_is_read() -> None:
    names = [*map(str, range(1000))]
    for key, weight in (("rows", 1), ("counts", 1), ("counts", 3)):
        found = joint.joint({"kind": "joint", "names": names, key: [[0] * 1000 + [weight]]}, "it")
        assert found == Joint(tuple(names), (((Fraction(0),) * 1000, Fraction(1)),))


def test_the_pointwise_form_beside_points_is_of_a_ratio() -> None:
    for more in ({}, {"delta": 0}, {"delta": "log(2)-log(2)"}):
        joint.require_plain({"form": "pointwise", **more}, "it")
    joint.require_plain({"form": "events", "delta": "1/2"}, "it")
    for delta, words in (
        ("1/2", "the pointwise form with a delta is not known beside it"),
        ("log(2)", "the pointwise form with a delta is not known beside it"),
        ("log(3)", "delta must lie in [0, 1]"),
        ("-log(2)", "delta must lie in [0, 1]"),
    ):
        with pytest.raises(Malformed) as refused:
            joint.require_plain({"form": "pointwise", "delta": delta}, "it")
        assert str(refused.value) == words


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"noise": {"kind": "laplace", "scale": [1]}}, "1 scales for 2 coordinates"),
        ({"noise": {"kind": "laplace", "scale": [1, 2, 3]}}, "3 scales for 2 coordinates"),
        ({"noise": {"kind": "laplace", "scale": []}}, "without one"),
        ({"noise": {"kind": "laplace", "scale": [1, 0]}}, "must be positive"),
        ({"noise": {"kind": "laplace", "scale": [1, -1]}}, "must be positive"),
        ({"noise": {"kind": "laplace", "scale": [1, "log(1)"]}}, "must be positive"),
        ({"noise": {"kind": "gaussian", "scale": [1, "exp(1)"]}}, "must be rational"),
        ({"noise": {"kind": "gaussian", "scale": [1]}}, "1 scales for 2 coordinates"),
        ({"noise": {"kind": "gaussian", "scale": [1, 2, 3]}}, "3 scales for 2 coordinates"),
        ({"noise": {"kind": "discrete-gaussian", "scale": [1, 2], "step": 2}}, "multiples"),
        ({"noise": {"kind": "truncated-laplace", "scale": [1, 2], "bound": 1}}, "an integer"),
        ({"noise": {"kind": "discrete-laplace", "scale": [1, 2]}}, "needs a step"),
        ({"noise": {"kind": "discrete-laplace", "scale": [1, 2], "step": 2}}, "multiples"),
        ({"noise": {"kind": "discrete-laplace", "scale": 1, "step": "3/4"}}, "multiples"),
        ({"noise": {"kind": "laplace", "scales": [1, 2]}}, "not with scales or fresh"),
        ({"noise": {"kind": "laplace", "scale": 1, "releases": 2, "draws": "fresh"}}, "fresh"),
        ({"noise": {"kind": "laplace", "scale": [1, 2], "releases": 2, "draws": "fresh"}},
         "fresh draws are of one number"),
        ({"noise": {"kind": "laplace", "scale": [1, 2], "total": 1}}, "stand in place"),
        ({"post": [{"round": {"to": 1}}]}, "of kind \"joint\" are not supported"),
        ({"pre": [{"round": {"to": 1}}]}, "pre is not known beside joint priors"),
        ({"form": "pointwise", "delta": "1/10"}, "the pointwise form with a delta"),
        ({"form": "pointwise", "delta": "log(2)-log(1)"}, "the pointwise form with a delta"),
        ({"priors": {"a": jc.SAME, "b": jc.ZERO}}, "all priors are joint or none"),
        ({"priors": {"a": jc.SAME, "b": jc.joint([0, 1])}}, "the same names"),
        ({"priors": {"a": jc.SAME, "b": {**jc.OTHER, "names": ["y", "x"]}}}, "the same names"),
        ({"priors": {"a": jc.ZERO, "b": jc.ONE}, "noise": {"kind": "laplace", "scale": [1]}},
         "is for joint priors"),
    ],
    ids=str,
)
def test_what_does_not_go_with_points(change: Json, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        kb.digest(jc.problem(jc.SAME, jc.OTHER, 1, **{"noise": jc.UNIT, **change}))


@pytest.mark.parametrize("noise", [
    {"kind": "truncated-laplace", "scale": 1, "bound": 1},
    {"kind": "truncated-discrete-laplace", "scale": 1, "step": 1, "bound": 1},
])
def test_other_noise_has_no_rule_for_points(noise: Json) -> None:
    value = jc.problem(jc.SAME, jc.OTHER, 1, noise=noise)
    try:
        found = {said(value, rule, keys)[0] for rule, keys in (("grid", PURE), ("no-noise", {}))}
    except Malformed:
        found = {"malformed"}
    assert found == {"malformed"}


def test_a_delta_that_is_0_goes_with_the_pointwise_form() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, "1/2", "log(2)-log(2)", form="pointwise")
    assert word(value, "grid", PURE) == "certified"
    bare = {**value, "noise": {"kind": "laplace", "scale": 0}}
    assert word(bare, "no-noise", {}) == "rejected"  # no density


def test_no_coupling_is_of_points() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, 1)
    step = {"rule": "coupling", "belief": "default", "from": "a", "to": "b", "edges": [],
            "within": "1"}  # fmt: skip
    found = kb.run(value, kb.certificate(value, "coupling", [step]))
    assert found[0] == "rejected"
    assert "not for joint priors" in found[1]


# ---------------------------------------------------------------- the grid


def random_problem(seed: int, size: int, step: bool = False, most: int = 4) -> Json:
    rnd = random.Random(seed)
    laws = []
    for _ in "ab":
        drawn = [[rnd.randint(0, most) for _ in range(size)] for _ in range(rnd.randint(1, 5))]
        points = sorted({tuple(x) for x in drawn})
        laws.append(jc.joint(*([*x, rnd.randint(1, 5)] for x in points), key="counts"))
    scales = [str(Fraction(rnd.randint(1, 9), rnd.randint(1, 5))) for _ in range(size)]
    noise: Json = {"kind": "discrete-laplace" if step else "laplace", "scale": scales}
    return jc.problem(*laws, rnd.choice([0, "1/3", 1]), noise=noise | ({"step": 1} if step else {}))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 3))
def test_slots_are_floors_with_the_error_that_they_state(seed: int, size: int) -> None:
    value = random_problem(seed, size)
    pair, (goal, _) = jt.Pair(value, "default", "a", "b"), goals(value)
    box = Box(goal.P, goal.Q, None, [])
    unit = packed.unit_for(96, packed.Scaled(1, 0), 1000)
    for k, one in enumerate(box.sheets(unit)):
        slots = [int.from_bytes(one.data[at : at + unit.width], "little")
                 for at in range(0, len(one.data), unit.width)]  # fmt: skip
        assert 0 < one.error < 1 << 20
        for slot, point in zip(slots, product(*pair.axes), strict=True):
            true = pair.densities(point)[k] * mpf(2) ** 96
            assert slot - mpf("1e-20") <= true <= slot + one.error


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 3))
def test_the_grid_has_the_largest_ratio(seed: int, size: int) -> None:
    """Certified just above it, refuted just below, and no random point beats it."""
    value = random_problem(seed, size)
    worst = [jt.Pair(value, "default", *way) for way in (("a", "b"), ("b", "a"))]
    loss = max(pair.loss() for pair in worst)
    rnd = random.Random(seed)
    for pair in worst:
        for _ in range(20):
            y = [mpf(rnd.uniform(-2, 7)) for _ in range(size)]
            p, q = pair.densities(y)
            assert mpmath.log(p / q) <= loss + mpf(10) ** -30
    above, below = kb.fraction_text(loss + mpf(10) ** -20), kb.fraction_text(loss - mpf(10) ** -20)
    assert word({**value, "epsilon": above}, "grid", PURE) == "certified"
    if loss > mpf(10) ** -19:
        assert word({**value, "epsilon": below}, "grid", PURE) == "rejected"
        for way, pair in zip(("ab", "ba"), worst, strict=True):
            for c in product(*pair.axes):
                p, q = pair.densities(c)
                gain = mpmath.log(p / q) - loss
                step = kb.step("grid-refuted", *way, bits=160, y=[*map(str, c)], margin="1e-21")
                low = {**value, "epsilon": below}
                found = kb.run(low, kb.certificate(low, "refuted", [step]))[0]
                assert found == ("refuted" if gain > -mpf(10) ** -22 else "rejected")


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 2))
def test_sums_on_a_lattice_with_all_cuts_are_the_divergence(seed: int, size: int) -> None:
    value = random_problem(seed, size, step=True, most=3)
    pair = jt.Pair(value, "default", "a", "b")
    true = pair.divergence()
    some = bounds(value, [[] for _ in pair.axes])
    cuts = [[str(x) for x in range(int(a[0]), int(a[-1])) if x not in a] for a in pair.axes]
    low, high = (kb.Release.mp(x) for x in bounds(value, cuts))
    assert low <= true + mpf(10) ** -30
    assert true <= high + mpf(10) ** -30
    assert high - low < mpf(10) ** -30
    assert kb.Release.mp(some[0]) <= true + mpf(10) ** -30
    assert kb.Release.mp(some[1]) >= true - mpf(10) ** -30


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**9))
def test_sums_on_a_line_enclose_the_closed_form(seed: int) -> None:
    value = random_problem(seed, 1)
    pair = jt.Pair(value, "default", "a", "b")
    true, widths = pair.divergence(), []
    for parts in (1, 4, 16):
        cuts = [str(Fraction(k, parts)) for k in range(parts * 4 + 1)
                if Fraction(k, parts) not in pair.axes[0]]  # fmt: skip
        low, high = (kb.Release.mp(x) for x in bounds(value, [cuts]))
        assert low - mpf(10) ** -30 <= true <= high + mpf(10) ** -30
        widths.append(high - low)
    assert widths[2] <= widths[0] + mpf(10) ** -30


def test_a_cut_at_the_zero_meets_the_closed_form() -> None:
    """0 against 1 at epsilon = 0: g has its zero at 1/2, and delta is 1 - e^(-1/2)."""
    value = jc.problem(jc.joint([0, 1]), jc.joint([1, 1]), 0)
    low, high = bounds(value, [["1/2"]])
    true = 1 - mpmath.exp(mpf("-0.5"))
    assert abs(kb.Release.mp(low) - true) < mpf(10) ** -35
    assert abs(kb.Release.mp(high) - true) < mpf(10) ** -35


@pytest.mark.parametrize("seed", range(3))
def test_sums_in_the_plane_enclose_a_quadrature(seed: int) -> None:
    mpmath.mp.dps = 20
    try:
        value = random_problem(seed + 3, 2, most=2)
        true = jt.Pair(value, "default", "a", "b").divergence()
    finally:
        mpmath.mp.dps = 60
    cuts = [[str(Fraction(k, 8)) for k in range(16) if k % 8] for _ in "xy"]
    low, high = bounds(value, [[x for x in cut if x not in {*map(str, axis)}] for cut, axis in
                               zip(cuts, goals_axes(value), strict=True)])  # fmt: skip
    assert low - Fraction(1, 10**6) <= Fraction(str(true)) <= high + Fraction(1, 10**6)
    assert high - low < Fraction(1, 50)


def goals_axes(value: Json) -> list[list[Fraction]]:
    goal = goals(value)[0]
    return Box(goal.P, goal.Q, None, []).axes


def test_the_known_values() -> None:
    least = jc.problem(jc.SAME, jc.OTHER, "log(2)", noise={"kind": "laplace",
                       "scale": "1/log(2+sqrt(3))"})  # fmt: skip
    assert abs(jt.Pair(least, "default", "a", "b").loss() - mpmath.log(2)) < mpf(10) ** -50
    ties = [["0", "0"], ["1", "1"]], [["0", "1"], ["1", "0"]]
    assert said(least, "grid", *({"bits": 160, "ties": tie} for tie in ties))[0] == "certified"
    unequal = {**least, "noise": {"kind": "laplace", "scale": ["1", "1/3"]}}  # a = 1, b = 3
    loss = mpmath.log(mpmath.cosh(2) / mpmath.cosh(1))
    met = "log((exp(2)+exp(-2))/(exp(1)+exp(-1)))"
    assert abs(jt.Pair(unequal, "default", "a", "b").loss() - loss) < mpf(10) ** -50
    assert word({**unequal, "epsilon": met}, "grid", *({"bits": 96, "ties": t} for t in ties)) == (
        "certified"
    )
    alone = jc.joint([0, "1/2"], [1, "1/2"])  # each coordinate has one law
    for scale in ("1/100", 100):
        value = jc.problem(alone, alone, 0, noise={"kind": "laplace", "scale": scale})
        assert word(value, "grid", PURE) == "certified"


@pytest.mark.parametrize("scale", ["1e-2", "1e6"])
def test_far_points_and_huge_epsilons(scale: str) -> None:
    value = jc.problem(jc.joint([0, 0, 1]), jc.joint([7, 3, 1]), "10", noise={
        "kind": "laplace", "scale": scale})  # fmt: skip
    loss = 10 / kb.real(scale)
    small, large = (kb.fraction_text(loss * (1 + mpf(10) ** -12 * k)) for k in (-1, 1))
    assert word({**value, "epsilon": large}, "grid", PURE) == "certified"
    assert word({**value, "epsilon": small}, "grid", PURE) == "rejected"
    assert word({**value, "epsilon": large, "delta": "1/2"}, "grid", PURE) == "certified"


def test_bits_that_do_not_do_never_certify() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, "0.43378083048302718702649468490012786335883293")
    assert word(value, "grid", {"bits": 64, "ties": []}) == "rejected"
    assert word(value, "grid", {"bits": 200, "ties": []}) == "certified"


def test_a_grid_that_is_too_large_is_refused_at_once() -> None:
    rows = [[k, k * k % 101, k * k * k % 103, k % 97, k % 89, "1/100"] for k in range(100)]
    others = [*rows[:-1], [7, 7, 7, 7, 7, "1/100"]]
    value = jc.problem(jc.joint(*rows), jc.joint(*others), 100)
    found = kb.checked(value, jc.proved(value, "grid", PURE))
    assert found.word == "rejected"
    assert "too much work: a grid of 100 x" in found.message
    assert found.check is not None
    assert found.check.spent < 4 * AT_LEAST
    apart = jc.joint([10**9, 0, "1/2"], [10**9, 1, "1/2"])
    wide = jc.problem(jc.joint([0, 0, 1]), apart, 10**10)
    assert "too wide" in said(wide, "grid", PURE)[1]


def test_many_ties_are_paid_for() -> None:
    size = 60
    rows = [[k, 0, f"1/{size}"] for k in range(size)]
    value = jc.problem(jc.joint(*rows), jc.joint(*rows), 0)
    ties = [[str(k), "0"] for k in range(size)]
    found = kb.checked(value, jc.proved(value, "grid", {"bits": 64, "ties": ties}))
    assert found.word == "certified"
    assert found.check is not None
    assert found.check.spent > size * size * 16


def test_steps_in_the_places_of_others() -> None:
    value = jc.problem(jc.SAME, jc.OTHER, 1)
    assert word(value, "pure", PURE) == "rejected"
    assert word(value, "no-noise", {}) == "malformed"
    line = jc.problem(jc.ZERO, jc.ONE, 2)
    assert word(line, "grid", PURE) == "rejected"
    assert word(jc.problem(jc.SAME, jc.OTHER, 1, "1/2"), "grid-upper",
                {"bits": 64, "cuts": [["1/2"], ["1/2", "1/3"]]}) == "malformed"  # fmt: skip


def test_calibrated_scales_keep_their_ratios() -> None:
    """(1, 2/3) times 1.2: the loss at theta = (1, 3/2) scaled."""
    value = jc.problem(jc.SAME, jc.OTHER, "1/2", noise={"kind": "laplace", "scale": ["4", "8"]})
    for scale, verdict in (("0.8", "certified"), ("0.5", "refuted")):
        both = {**value, "noise": {"kind": "laplace", "scale": [scale, str(2 * Fraction(scale))]}}
        holds = jt.Pair(both, "default", "a", "b").loss() <= mpf("0.5")
        assert holds is (verdict == "certified")
        steps = jc.proved(both, "grid", PURE)["steps"] if holds else [
            kb.step("grid-refuted", y=["0", "0"], margin="0.001")]  # fmt: skip
        one = {"rule": "scale", "method": "minimum", "scale": scale, "verdict": verdict,
               "steps": steps}  # fmt: skip
        assert kb.run(value, kb.certificate(value, "scales", [one]))[0] == "scales"
        wrong = {**one, "verdict": "refuted" if holds else "certified"}
        assert kb.run(value, kb.certificate(value, "scales", [wrong]))[0] != "scales"


def test_the_scale_0_is_that_of_the_points_themselves() -> None:
    close = jc.problem(jc.SAME, jc.joint([0, 0, "1/4"], [1, 1, "3/4"]), "log(2)", noise={
        "kind": "laplace"})  # fmt: skip
    step = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None,
            "upper_steps": [{"rule": "no-noise"}]}  # fmt: skip
    assert kb.run(close, kb.certificate(close, "scales", [step]))[0] == "scales"
    far = {**close, "epsilon": "0.69"}
    assert kb.run(far, kb.certificate(far, "scales", [step]))[0] == "rejected"
    never = {**jc.problem(jc.SAME, jc.OTHER, 0), "noise": {"kind": "laplace"}}
    step = {**step, "upper": "inf", "upper_steps": [{"rule": "no-scale"}]}
    assert kb.run(never, kb.certificate(never, "scales", [step]))[0] == "scales"


def test_an_empty_axis_has_no_decays() -> None:
    one = ((Fraction(3), Fraction(4)), Fraction(1))
    law = Boxed((one,), (constant(Fraction(1)),) * 2, None)
    box = Box(law, law, None, [])
    assert box.sizes == (1, 1)
    assert box.decays(0, Arithmetic(64)) == []
    p, q = box.sheets(packed.unit_for(64, packed.Scaled(1, 0), 1))
    assert p.data == q.data
    assert int.from_bytes(p.data, "little") == 1 << 64


def test_single_points_need_no_grid() -> None:
    """Their losses add, for any number of coordinates; with a second point the grid decides."""
    for noise, fact in (({"kind": "laplace", "scale": 2}, ""), (LATTICE | {"scale": 2}, "F12")):
        for size in (1, 2, 60):
            names = [f"w{k}" for k in range(size)]
            a, b = ({"kind": "joint", "names": names, "rows": [[*row, 1]]}
                    for row in ([0] * size, [3] * size))  # fmt: skip
            value = jc.problem(a, b, f"{3 * size}/2", noise=noise)
            tied = [{"bits": 64, "ties": [[x] * size]} for x in "03"]
            found = said(value, "grid", *tied)
            assert found[0] == "certified"
            assert "range over its scale (F43d)" in found[1]
            assert ("(F12)" in found[1]) == bool(fact)
            assert "(F42)" not in found[1]
            assert word(value, "grid", PURE) == "rejected"
            above = {**value, "epsilon": f"{3 * size}/2 + 1/1000"}
            assert word(above, "grid", PURE) == "certified"
            assert word({**value, "epsilon": f"{3 * size}/2 - 1/1000"}, "grid", PURE) == "rejected"
    two = jc.joint([0, 0, "1/2"], [9, 9, "1/2"])
    for a, b in ((jc.joint([0, 0, 1]), two), (two, jc.joint([0, 0, 1]))):
        value = jc.problem(a, b, 1)
        assert "not bounded" in said(value, "grid", PURE)[1]
        loose = said({**value, "epsilon": 19}, "grid", PURE)
        assert "(F42)" in loose[1]
        assert "(F43d)" not in loose[1]


def test_a_coordinate_with_one_value_is_one_piece() -> None:
    """However many there are, both sums are those without them."""
    cuts = ["1/4", "1/2", "3/4"]
    for noise in (jc.UNIT, {"kind": "discrete-laplace", "scale": 1, "step": "1/4"}):
        plain = jc.problem(jc.joint([0, 1]), jc.joint([1, 1]), "1/10", "1/2", noise)
        names = [f"w{k}" for k in range(31)]
        wide = [{"kind": "joint", "names": names, "rows": [[*[5] * 15, x, *[7] * 15, 1]]}
                for x in (0, 1)]  # fmt: skip
        more = jc.problem(wide[0], wide[1], "1/10", "1/2", noise)
        few = bounds(plain, [cuts])
        many = bounds(more, [*[[]] * 15, cuts, *[[]] * 15])
        assert few == pytest.approx(many, abs=1e-30)
        assert few[0] <= few[1] <= few[0] + Fraction(1, 10)
        assert many[0] <= many[1]


def test_a_coordinate_without_steps_is_one_part_for_all_releases() -> None:
    """Two bits of x lose at most 0.85 each, and y, which is released twice as it is, 2.01."""
    shares = [
        {"part": ["x"], "epsilon": "17/20", "delta": "0", "step": {"rule": "channel"}},
        {"part": ["y"], "epsilon": "201/100", "delta": "0",
         "step": {"rule": "pure", "bits": 128, "ties": []}},
    ]  # fmt: skip
    noise = {"kind": "laplace", "scale": 1, "releases": 2}
    steps = [{"coordinate": "x", "bins": {"edges": ["1/2"]}}]
    for epsilon, expected in (("371/100", "certified"), ("37/10", "rejected")):
        value = jc.problem(
            jc.joint([0, 0, 1]), jc.joint([1, 1, 1]), epsilon,
            noise=noise, post=steps,
        )  # fmt: skip
        certificate = jc.proved(value, "product", {"parts": shares})
        assert kb.run(value, certificate)[0] == expected
