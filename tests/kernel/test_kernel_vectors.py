"""Points with normal noise on every coordinate, and coordinates as parts: what is read, rejected,
and taken."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import joint_corpus as jc
import kernel_builder as kb
import pytest
from composed_builder import levels, said

Json = dict[str, Any]
SIGMAS = {"kind": "gaussian", "scale": [2, 3, 1]}
ORIGIN, FAR = jc.joint([0, 0, 0, 1]), jc.joint([1, 2, 1, 1])
SPREAD = jc.joint([0, 0, "1/3"], [1, 2, "2/3"]), jc.joint([1, 0, "1/2"], [3, 6, "1/2"])
WEIGHTS = ["9/61", "8/61", "36/61"]  # v/sigma^2 over its sum with v
LOW = {"rule": "event-refuted", "bits": 128, "event": [["-inf", "-451/5000"]], "margin": "0.00002"}


def points(delta: Any = "0.2414", noise: Json = SIGMAS) -> Json:
    return jc.problem(ORIGIN, FAR, 1, delta, noise)


def word(value: Json, rule: str, **keys: Any) -> tuple[str, str]:
    return kb.run(value, jc.refuted(value, rule, **keys))


def test_the_digest_has_all_variances() -> None:
    value = points("1/4", {"kind": "gaussian", "scale": ["2", "exp(log(9)/2)", "1.0"]})
    written = {
        "schema": "pfverify/problem/1", "epsilon": "1", "delta": "1/4", "form": "events",
        "pairs": [["a", "b"]],
        "noise": {"kind": "gaussian", "scale": None, "step": None, "variance": ["4", "9", "1"]},
        "beliefs": [["default", [["a", [["x", "y", "z"], ["0", "0", "0", "1"]]],
                                 ["b", [["x", "y", "z"], ["1", "2", "1", "1"]]]]]],
    }  # fmt: skip
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    assert kb.digest(value) == hashlib.sha256(text.encode()).hexdigest()


def test_a_sum_of_the_outputs_refutes() -> None:
    found = word(points(), "part-refuted", part={"direction": WEIGHTS}, step=LOW)
    assert found[0] == "refuted"
    assert "with the weights 9/61, 8/61, 36/61 alone" in found[1]
    # any multiple of the weights, with the event in its units
    times = {**LOW, "event": [["-inf", "-451/5000"]]}
    times["event"][0][1] = "-27511/5000"
    assert word(points(), "part-refuted", part={"direction": ["9", "8", "36"]}, step=times)[0] == (
        "refuted"
    )


@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ({"direction": ["1", "0", "0"]}, "rejected"),  # alone it tells less
        ({"direction": ["0", "0", "0"]}, "malformed"),
        ({"direction": ["1", "1"]}, "malformed"),
        ({"direction": ["1", "1", "1", "1"]}, "malformed"),
        ({"direction": "1"}, "malformed"),
        ({"direction": WEIGHTS, "rest": "0"}, "malformed"),
        ({}, "malformed"),
        (0, "rejected"),
        (1, "malformed"),
        (True, "malformed"),
        (["x"], "malformed"),
    ],
    ids=repr,
)
def test_what_is_no_direction(part: Any, wanted: str) -> None:
    assert word(points(), "part-refuted", part=part, step=LOW)[0] == wanted


def test_more_is_not_refuted() -> None:
    """The divergence is 0.241425713088802."""
    value = points("0.2415")
    assert word(value, "part-refuted", part={"direction": WEIGHTS}, step=LOW)[0] == "rejected"


def test_points_on_no_line_have_no_chart() -> None:
    value = jc.problem(*SPREAD, 1, 1, {"kind": "gaussian", "scale": [2, 3]})
    for rule, keys in (("equal", {}), ("chart", {"bits": 128, "density": [], "points": []})):
        found = kb.run(value, jc.proved(value, rule, keys))
        assert found[0] == "rejected"
        assert "on no line" in found[1]


PLAN = [[["0", "0"], ["1", "0"], "1/3"], [["1", "2"], ["1", "0"], "1/6"],
        [["1", "2"], ["3", "6"], "1/2"]]  # fmt: skip


def coupled(delta: Any, plan: list[Any], place: int = 1, grid: Any = 1) -> str:
    value = jc.problem(*SPREAD, 1, delta, {"kind": "gaussian", "scale": [2, 3]})
    keys = {**said(grid, 2, levels(place, place)), "plan": plan}
    back = {**keys, "plan": [[y, x, mass] for x, y, mass in plan]}
    return kb.run(value, jc.proved(value, "composed-coupled", keys, back))[0]


def test_a_coupling_bounds_points_in_several_directions() -> None:
    assert coupled("0.2005", PLAN) == "certified"
    assert coupled("0.2004", PLAN) == "rejected"  # 0.20042513
    assert coupled("0.2005", PLAN, place=2) == "rejected"  # a level beyond epsilon says little
    assert coupled("1/2", PLAN[:2]) == "rejected"  # some mass is in no plan
    swapped = [[*PLAN[0][:2], "1/2"], *PLAN[1:]]
    assert coupled("1/2", swapped) == "rejected"


def test_equal_laws_need_no_divergence() -> None:
    law = jc.joint([0, 0, "1/3"], [1, 2, "1/3"], [1, 0, "1/3"])
    plan = [[[str(a), str(b)]] * 2 + ["1/3"] for a, b in ((0, 0), (1, 2), (1, 0))]
    for noise in ({"kind": "gaussian", "scale": 1},
                  {"kind": "discrete-gaussian", "scale": 1, "step": 1}):  # fmt: skip
        value = jc.problem(law, law, 0, 0, noise)
        keys = {**said(1, 1, levels(0, 0)), "plan": plan}
        assert kb.run(value, jc.proved(value, "composed-coupled", keys))[0] == "certified"


# ---------------------------------------------------------------- coordinates as parts


def often(delta: Any, count: int = 50) -> Json:
    noise = {"kind": "laplace", "scale": [20, 30], "releases": count}
    return jc.problem(jc.joint([0, 0, 1]), jc.joint([1, 2, 1]), 2, delta, noise)


ALL = [levels(-2, 2), levels(-2, 2)]


def composed(value: Json, *parts: Json, grid: Any = "1/60") -> str:
    return kb.run(value, jc.proved(value, "composed", said(grid, 400, *parts)))[0]


def test_releases_of_a_point_have_a_part_for_each_coordinate() -> None:
    """The losses are 1/20 and 1/15 in size at most."""
    wide = levels(-4, 4)
    assert composed(often("1/1000"), wide, wide) == "certified"
    assert composed(often("1/10000"), wide, wide) == "rejected"  # 0.0001026
    assert composed(often("1/1000"), wide) == "rejected"
    assert composed(often("1/1000"), wide, wide, wide) == "rejected"
    assert composed(often("1/1000"), {**wide, "part": ["x"]}, {**wide, "part": ["y"]}) == (
        "malformed"
    )


def test_labels_of_each_coordinate_refute() -> None:
    cuts = ["0", "1/4", "1/2", "3/4", "1"], ["0", "1/2", "1", "3/2", "2"]
    keys = said("1/60", 400, *({"cuts": one} for one in cuts))
    value = often("1/20000")
    assert word(value, "composed-refuted", margin="0.00001", **keys)[0] == "refuted"
    assert word(often("1/1000"), "composed-refuted", margin="0.00001", **keys)[0] == "rejected"


LATTICE = {"kind": "discrete-gaussian", "scale": [2, 3], "step": 1}


def test_coordinates_with_discrete_gaussian_noise() -> None:
    value = jc.problem(jc.joint([0, 0, 1]), jc.joint([1, 2, 1]), 1, "1/10", LATTICE)
    wide = levels(-40, 40)
    assert composed(value, wide, wide, grid="1/20") == "certified"
    assert composed(value, wide, grid="1/20") == "rejected"
    y = {"rule": "event-refuted", "bits": 128, "event": [["6", "28"]], "margin": "0.01"}
    less = jc.problem(jc.joint([0, 0, 1]), jc.joint([1, 2, 1]), 1, "1/100", LATTICE)
    step = {"rule": "part-refuted", "belief": "default", "from": "b", "to": "a",
            "part": ["y"], "step": y}  # fmt: skip
    assert kb.run(less, kb.certificate(less, "refuted", [step]))[0] == "refuted"
    for part in (["x"], ["z"], ["x", "y"], [], 7):
        bad = kb.certificate(less, "refuted", [{**step, "part": part}])
        assert kb.run(less, bad)[0] in ("rejected", "malformed"), part


def test_several_points_are_no_independent_coordinates() -> None:
    """Each coordinate has one law under both secrets, and both together have two."""
    for noise in (LATTICE, {**LATTICE, "releases": 2}):
        value = jc.problem(jc.SAME, jc.OTHER, 1, "1/10", noise)
        wide = levels(-40, 40)
        assert composed(value, wide, wide, grid="1/20") == "rejected"
        parts = [{"epsilon": "1/2", "delta": "0", "step": {"rule": "pure", "bits": 64, "ties": []}}]
        for count in (1, 2):
            keys = {"parts": parts * count}
            assert kb.run(value, jc.proved(value, "product", keys))[0] in ("rejected", "malformed")
