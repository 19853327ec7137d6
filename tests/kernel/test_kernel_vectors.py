"""Systems that release several numbers: the kernel's joint laws and digests, and the package's."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import comb
from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from hypothesis import given, settings
from hypothesis import strategies as st
from reader import reader
from test_kernel_systems import read, stated

from pfverify import Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.model.digest import problem_digest
from pfverify.model.priors.joint import Joint

Table = dict[str, Any]
CELLS = ["b", "a", "c"]
LISTS = [["sum", "count"], ["count", "mean"], ["mean", "sum", "count"]]
CHANCES = st.sampled_from(["1", "1/2", "3/4"])


@st.composite
def laws(draw: Any, places: list[str]) -> Table:
    kind = draw(st.sampled_from(["point", "mass", "counts"]))
    if kind == "point":
        return {"point": draw(st.sampled_from(places))}
    named = draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True))
    weights = [draw(st.integers(0 if k else 1, 3)) for k in range(len(named))]
    if kind == "counts":
        return {"counts": dict(zip(named, weights, strict=True))}
    whole = sum(weights)
    return {"mass": {x: f"{w}/{whole}" for x, w in zip(named, weights, strict=True)}}


@st.composite
def systems(draw: Any) -> Table:
    cells = draw(st.booleans())
    places = [*CELLS, "d"] if draw(st.integers(0, 9)) == 0 else CELLS
    one = laws(places if cells else ["0", "1", "-2", "1/2", "7/3"])
    others = [
        draw(one) | {"count": draw(st.integers(1, 4)), "presence": draw(CHANCES)}
        for _ in range(draw(st.integers(0, 3)))
    ]
    each = draw(st.booleans())
    user = {name: draw(st.one_of(one, st.just("absent"))) for name in ("u" if each else "uv")}
    found = {"others": others, "user": user,
             "presence_model": draw(st.sampled_from(["all", "independent"])),
             "rest": draw(st.sampled_from(["known", "any"]))}  # fmt: skip
    sets = ["values", "values-absent", "laws-absent"]
    found |= {"pair_set": draw(st.sampled_from(sets)), "protect": "each"} if each else {}
    if each and user["u"] == "absent":
        del found["user"]
    told = {"release": "histogram", "categories": CELLS} if cells else {
        "release": draw(st.sampled_from(LISTS))}  # fmt: skip
    return found | told


SEEN: Counter[str] = Counter()


@settings(deadline=None, max_examples=80, derandomize=True)
@given(systems())
def agree(system: Table) -> None:
    kernel, package = read(stated(system))
    assert (kernel is None) == (package is None)
    if kernel is None or package is None:
        SEEN["refused"] += 1
        return
    assert reader.digest(kernel) == problem_digest(package)
    assert tuple(kernel.pairs) == package.pairs
    theirs, ours = package.beliefs["default"], kernel.beliefs["default"]
    assert list(theirs) == list(ours)
    for name, prior in theirs.items():
        assert isinstance(prior, Joint)
        assert ours[name].names == prior.names
        assert dict(ours[name].rows) == prior.mass
        assert [point for point, _ in ours[name].rows] == [*prior.mass]
    for key in ("presence_model", "rest", "protect"):
        SEEN[str(system.get(key))] += 1
    SEEN["cells" if "categories" in system else "list"] += 1


def test_both_derivations_agree() -> None:
    agree()
    wanted = ("all", "independent", "known", "any", "each", "None", "cells", "list", "refused")
    assert min(SEEN[key] for key in wanted) >= 4, SEEN


def test_many_alike_are_multinomial() -> None:
    users = {"mass": {"a": "1/2", "b": "3/10", "c": "1/5"}, "count": 12}
    told = {"release": "histogram", "categories": ["a", "b", "c"], "others": [users]}
    kernel, _ = read(stated(told | {"user": {"u": {"point": "a"}, "v": "absent"}}))
    assert kernel is not None
    rows = dict(kernel.beliefs["default"]["v"].rows)
    for i, j in product(range(13), repeat=2):
        ways = comb(12, i) * comb(12 - i, j) if i + j < 13 else 0
        expected = ways * 5**i * 3**j * 2 ** max(0, 12 - i - j)
        assert rows.get((i, j, 12 - i - j), 0) * 10**12 == expected


BASE: Table = {
    "release": "histogram", "categories": ["x", "y"], "presence_model": "independent",
    "others": [{"mass": {"x": "1/3", "y": "2/3"}, "count": 3, "presence": "1/2"}],
    "user": {"a": {"point": "x"}, "b": {"mass": {"x": "1/4", "y": "3/4"}}},
}  # fmt: skip


def problem(change: Table, **more: Any) -> Table:
    return stated(BASE | change, **{"noise": {"kind": "laplace", "scale": "3/4"}, **more})


OTHERS: list[Table] = [
    {"user": {"a": {"point": "x"}, "b": {"point": "y"}}},
    {"user": {"a": {"point": "x"}, "b": "absent"}},
    {"others": []},
    {"rest": "any"},
    {"release": ["count", "sum"], "categories": None,
     "others": [], "user": {"a": {"point": 0}, "b": {"point": 3}}},
]  # fmt: skip


def without(value: Table) -> Table:
    system = {key: part for key, part in value["system"].items() if part is not None}
    return value | {"system": system}


def test_a_proof_of_one_system_is_none_of_another(tmp_path: Any) -> None:
    """With the digest of the other: the goal is worked out from the problem again."""
    asked = problem({}, epsilon="2.402")
    read_back = Problem.from_text(json.dumps(asked), json_format=True)
    result = certify(read_back)
    assert result.certified
    path = tmp_path / "p.json"
    path.write_text(json.dumps(asked), "utf-8")
    write_verdict(tmp_path / "p.cert", path, read_back, result, attest=False)
    cert = json.loads((tmp_path / "p.cert").read_text("utf-8"))
    assert kb.run(asked, cert)[0] == "certified"
    found = []
    for change in OTHERS:
        other = without(problem(change, epsilon="2.402"))
        assert kb.run(other, cert)[0] == "rejected"
        forged = cert | {"problem": kb.digest(other)}
        true = certify(Problem.from_text(json.dumps(other), json_format=True)).certified
        assert kb.run(other, forged)[0] == ("certified" if true else "rejected"), change
        found.append(true)
    assert found == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"categories": None}, "release must be one of sum, mean"),
        ({"release": "sum"}, "a histogram, and nothing else, has categories"),
        ({"release": ["sum", "count"]}, "a histogram, and nothing else"),
        ({"categories": ["x", "y", "x"]}, "1 to 1000 different names"),
        ({"categories": []}, "1 to 1000 different names"),
        ({"categories": [*map(str, range(1001))]}, "1 to 1000 different names"),
        ({"categories": ["x", "\u200b"]}, "empty or not printable"),
        ({"categories": ["x"]}, '"y" is no category'),
        ({"others": [{"bernoulli": "1/2"}]}, "bernoulli"),
        ({"others": [{"point": 1}]}, "must be a string"),
        ({"others": [{"point": "x", "mass": {"x": 1}}]}, "exactly one of point"),
        ({"others": [{"mass": {"x": "1/2"}}]}, 'the weights sum to "1/2"'),
        ({"categories": None, "release": ["sum", "max"]}, "a list must name two or more"),
        ({"categories": None, "release": ["sum"]}, "a list must name two or more"),
        ({"categories": None, "release": ["sum", "count"], "others": [{"mean": 1, "sd": 1}]},
         "has a density"),
    ],
)  # fmt: skip
def test_what_is_malformed(change: Table, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        reader.problem_of(without(problem(change)))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"post": [{"round": {"to": 1}}]}, "post is not known beside joint"),
        ({"pre": [{"round": {"to": 1}}]}, "pre is not known beside joint"),
        ({"form": "pointwise", "delta": "1/9"}, "the pointwise form with a delta"),
        ({"noise": {"kind": "laplace", "scale": [1, 2, 3]}}, "3 scales for 2 coordinates"),
        ({"noise": {"kind": "laplace", "scales": [1, 2]}}, "joint priors go with releases"),
    ],
)
def test_what_stands_not_beside_several_numbers(more: Table, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        reader.problem_of(problem({}, **more))
