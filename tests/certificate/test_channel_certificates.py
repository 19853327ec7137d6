"""The kernel says of random problems about channels what the package says, and never more."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from contract.channel_cases import KINDS, MAKERS, law, matrix, names, problem
from support import tally

from pfverify.answers.certify import certify
from pfverify.certificate.build import kernel_word
from pfverify.model.channels.channel import Channel
from pfverify.model.problem import Problem

pytestmark = pytest.mark.usefixtures("kernel_here")

PLACES = {"x0": ["0", "0"], "x1": ["1", "1"], "x2": ["3", "1/2"]}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kernel_accepts_what_is_decided(kind: str) -> None:
    rng, counts = Random(f"accepted {kind}"), Counter[str]()
    for _ in range(10):
        asked = problem(rng, kind)
        verdict = certify(asked).verdict.value
        assert kernel_word(asked.to_table()) == verdict
        counts[verdict] += 1
    assert not counts["undecided"]
    tally.reached(counts, "certified", "refuted")


def _table(rng: Random, **held: Any) -> dict[str, Any]:
    inputs = list(PLACES)
    channel = matrix(rng, inputs, names("y", 3))
    mixed = [["9/10" if k == j else "1/20" for k in range(3)] for j in range(3)]
    if rng.random() < 0.6:
        channel["rows"] = mixed  # no zeros: losses are finite
    return {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice(["1/2", "1", "log(18)", "6"]),
        "delta": rng.choice(["0", "1/10"]),
        "channel": {**channel, **held},
    }


def _priors(rng: Random) -> dict[str, Any]:
    return {
        name: {"kind": "finite", "mass": dict(zip(PLACES, map(str, law(rng, 3)), strict=True))}
        for name in ("home", "out", "else")
    }


NOTIONS: dict[str, dict[str, Any]] = {
    "dp": {},
    "dp related": {"notion": "dp", "inputs_related": [["x0", "x2"]]},
    "xdp plane": {"notion": "xdp", "points": PLACES},
    "xdp streets": {"notion": "xdp", "points": PLACES, "distance": "manhattan"},
    "xdp table": {
        "notion": "xdp", "metric": [["x0", "x1", "1/2"], ["x1", "x2", "log(2)"], ["x0", "x2", 1]],
    },
    "distp": {"notion": "distp"},
    "xdistp plane": {"notion": "xdistp", "points": PLACES},
    "xdistp table": {
        "notion": "xdistp", "distance": [["x0", "x1", "1/2"], ["x1", "x2", 2], ["x0", "x2", 1]],
    },
    "xdistp of secrets": {
        "notion": "xdistp",
        "metric": [["home", "out", "1/2"], ["home", "else", 1], ["out", "else", "sqrt(2)"]],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NOTIONS)
def test_the_kernel_and_the_package_agree_on_every_notion(name: str) -> None:
    rng, counts = Random(f"notion {name}"), Counter[str]()
    for _ in range(10):
        table = _table(rng, **NOTIONS[name])
        if "distp" in name:
            table["priors"] = _priors(rng)
        asked = Problem.from_table(table)
        assert Problem.from_table(asked.to_table()) == asked
        assert Problem.from_text(asked.to_toml()) == asked
        verdict = certify(asked).verdict.value
        assert kernel_word(asked.to_table()) == verdict
        counts[verdict] += 1
    assert not counts["undecided"]
    tally.reached(counts, "certified", "refuted")


def test_noise_with_an_extended_notion() -> None:
    """Distribution-privacy paper, 5.2: at the W-infinity rule's half the scale still does (D18)."""
    table = {
        "schema": "pfverify/problem/1",
        "epsilon": "log(2)",
        "notion": "xdistp",
        "noise": {"kind": "laplace", "scale": "1/log(3)"},
        "priors": {
            "half": {"kind": "discrete", "mass": {"0": "1/2", "1": "1/2"}},
            "one": {"kind": "discrete", "mass": {"0": 1}},
        },
    }
    found = certify(Problem.from_table(table))
    assert found.certified
    assert {pair.tie for pair in found.pairs} == {True, False}
    assert kernel_word(table) == "certified"
    assert kernel_word({**table, "epsilon": "log(2)-1/10000"}) == "refuted"
    twice = {"0": "1/2", "2": "1/2"}  # twice as far: twice epsilon
    farther = {**table, "priors": {**table["priors"], "half": {"kind": "discrete", "mass": twice}}}
    result = certify(Problem.from_table(farther))
    assert {str(pair.epsilon) for pair in result.pairs} == {"(log(2)*2)"}
    assert kernel_word(farther) == result.verdict.value


def test_every_kind_is_tried() -> None:
    assert set(KINDS) == set(MAKERS)
    assert Channel.of(MAKERS["matrix"](Random(0))).kind == "matrix"
