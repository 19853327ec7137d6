"""Couplings that are none, neighbours that are missed, and lines that do not fit."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import shown

HALVES = {"0": "1/2", "10": "1/2"}
SAME = [["0", "0", "1/2"], ["10", "10", "1/2"]]


def answer(p: kb.Json, q: kb.Json, *steps: kb.Json, **more: Any) -> tuple[str, str]:
    value = kb.problem(p, q, **{"epsilon": 1, "scale": 1, **more})
    found = [{"belief": "default", "from": "a", "to": "b", **step} for step in steps]
    return kb.run(value, kb.certificate(value, "coupling", found))


def rejected(said: str, *args: Any, **more: Any) -> None:
    word, message = answer(*args, **more)
    assert word == "rejected"
    assert said in message


def plan(edges: list[list[str]], within: str = "0") -> kb.Json:
    return {"rule": "coupling", "edges": edges, "within": within}


def test_masses_of_a_plan_are_positive() -> None:
    assert answer(HALVES, HALVES, plan(SAME))[0] == "coupling"
    nothing = ["0", "10", "0"]
    less = [["0", "0", "3/4"], ["10", "10", "3/4"], ["0", "10", "-1/4"], ["10", "0", "-1/4"]]
    for edges in ([*SAME, nothing], less):
        rejected("is no edge between atoms with a mass above 0", HALVES, HALVES, plan(edges, "10"))
    rejected("is longer than within", HALVES, HALVES, plan(
        [["0", "10", "1/2"], ["10", "0", "1/2"]], "9"))  # fmt: skip


@pytest.mark.parametrize("shift", [0, -25, 100])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_neighbour_of_a_set_is_seen(count: int, shift: int) -> None:
    """P = Q on atoms 10 apart: whatever the set, its mass fits into its neighbours."""
    atoms = [str(10 * k + shift) for k in range(count)]
    law = dict.fromkeys(atoms, 1)
    for members in (atoms, atoms[:1], atoms[-1:], atoms[1:]):
        if members:
            for below in ("1", "10", "1/1000"):
                step = {"rule": "no-coupling", "below": below, "set": members}
                rejected("the set's mass fits into its neighbours", law, law, step)
    beside = {str(10 * k + shift + 3): 1 for k in range(count)}
    for below, word in (("3", "coupling"), ("4", "rejected"), ("7", "rejected")):
        step = {"rule": "no-coupling", "below": below, "set": atoms}
        assert answer(law, beside, step)[0] == word, below


def test_no_member_of_a_set_counts_twice() -> None:
    step = {"rule": "no-coupling", "below": "1", "set": ["0", "0", "0"]}
    word, message = answer(HALVES, HALVES, step)
    assert word == "malformed"
    assert "the members of a set must increase" in message


@pytest.mark.parametrize("shift", [0, 10, -10])
def test_a_potential_is_not_too_steep(shift: int) -> None:
    """W_1 is 1; the crossed plan costs 2, which a steep potential would reach."""
    p, q = ({str(k + shift): "1/2" for k in ks} for ks in ((0, 3), (1, 2)))
    edges = {
        "1": [[0, 1], [3, 2]],
        "2": [[0, 2], [3, 1]],
    }
    for claimed, potential, word in (
        ("1", ["1", "0", "0", "1"], "coupling"),
        ("2", ["2", "0", "0", "2"], "too steep"),
        ("2", ["2", "0", "-1", "1"], "too steep"),
        ("2", ["1", "0", "0", "1"], "does not reach the cost"),
        ("1", ["1", "1/2", "0", "1/2"], "does not reach the cost"),
    ):
        moved = [[str(x + shift), str(z + shift), "1/2"] for x, z in edges[claimed]]
        step = {"rule": "cost", "edges": moved, "cost": claimed, "potential": potential}
        if word == "coupling":
            assert answer(p, q, step)[0] == word
        else:
            rejected(word, p, q, step)


def fit(edges: list[list[str]], side: str = "columns", scale: str = "1", bits: int = 64) -> kb.Json:
    return {"rule": "lines-fit", "edges": edges, "side": side, "scale": scale, "bits": bits}


def test_every_line_must_fit() -> None:
    """The mass at 0 stays; from 10 it goes to 11, or further."""
    for far, word in (("11", "coupling"), ("10", "coupling"), ("12", "rejected")):
        p, q = HALVES, {"0": "1/2", far: "1/2"}
        for edges in ([SAME[0], ["10", far, "1/2"]], [["10", far, "1/2"], SAME[0]]):
            for side in ("columns", "rows"):
                assert answer(p, q, fit(edges, side), epsilon=1)[0] == word, (far, side)
    edges = [SAME[0], ["10", "11", "1/2"]]
    q = {"0": "1/2", "11": "1/2"}
    for epsilon, word in (("1", "coupling"), ("1-1e-40", "rejected"), ("1+1e-40", "coupling")):
        assert answer(HALVES, q, fit(edges, bits=256), epsilon=epsilon)[0] == word
    rejected("is not bounded", HALVES, q, fit(edges, scale="0.001"))  # by e^1000
    crossed = [["0", "10", "1/2"], ["10", "0", "1/2"]]
    rejected("is not bounded", HALVES, HALVES, fit(crossed, scale="0.01"))


def test_multipliers_must_hold_everywhere_and_sum_to_more_than_0() -> None:
    """One atom against another at the distance 2, at scale 1 and epsilon 1: e^2 > e."""
    p, q = {"5": 1}, {"7": 1}
    step = {"rule": "lines-do-not-fit", "side": "columns", "scale": "1", "bits": 32}

    def told(u: str, v: str, w: str, bits: int = 32) -> str:
        return answer(p, q, {**step, "bits": bits, "u": [u], "v": [v], "w": [w]})[0]

    assert told("1", "0", "1") == "coupling"
    assert told("1", "-1", "1") == "rejected"  # the sum is 0
    assert told("0", "0", "0") == "rejected"
    assert told("5", "0", "1") == "rejected"  # e^2 - e = 4.67...
    assert told("1", "0", "-1") == "rejected"
    edge = "4.67077427047160499187"  # 21 digits of e^2 - e, cut
    parts = edge.replace(".", ""), f"1{'0' * 20}"
    near = f"{parts[0]}/{parts[1]}"
    assert told(near, "0", "1", bits=32) == "rejected"  # is not told from it with 32 bits
    assert told(near, "0", "1", bits=128) == "coupling"


@pytest.mark.parametrize("other", [
    {"noise": {"kind": "none"}}, {"noise": {"kind": "gaussian", "variance": 1}},
    {"notion": "xdistp"},
])  # fmt: skip
def test_lines_are_for_laplace_noise_and_one_epsilon(other: kb.Json) -> None:
    assert answer(HALVES, HALVES, fit(SAME))[0] == "coupling"
    value = kb.problem(HALVES, HALVES, 1, 0, 1) | other
    steps = [{"belief": "default", "from": "a", "to": "b", **fit(SAME)}]
    word, message = kb.run(value, kb.certificate(value, "coupling", steps))
    assert (word, message.partition(": ")[2]) == (
        "rejected",
        "the rule is for (discrete) Laplace noise",
    )


def test_sixteen_steps_about_one_pair() -> None:
    assert answer(HALVES, HALVES, *[plan(SAME)] * 16)[0] == "coupling"
    rejected("more than 16 steps about one pair", HALVES, HALVES, *[plan(SAME)] * 17)


def test_edges_are_between_atoms() -> None:
    for edge in (["0", "3", "1/4"], ["3", "0", "1/4"], ["3", "4", "1/4"], ["0", "10", "0"]):
        said = f"{shown(edge)} is no edge between atoms with a mass above 0"
        rejected(said, HALVES, HALVES, plan([edge, *SAME], "10"))
        rejected(said, HALVES, HALVES, plan([*SAME, edge], "10"))


@pytest.mark.parametrize("at", ["1", "2", "5", "6", "9", "12"])
def test_the_member_nearest_to_the_first_atom_is_seen(at: str) -> None:
    """Of 0, 5, 10, whatever the atom is nearest to."""
    step = {"rule": "no-coupling", "below": "3", "set": ["0", "5", "10"]}
    rejected("the set's mass fits into its", dict.fromkeys(("0", "5", "10"), "1/3"), {at: 1}, step)


@pytest.mark.parametrize("power", [0, 1, 10, 31, 40])
def test_multipliers_that_fail_by_little(power: int) -> None:
    """For equal atoms and epsilon 0 no multipliers sum to more than 0, be it 2^-power."""
    step = {"rule": "lines-do-not-fit", "side": "columns", "scale": "1", "bits": 32}
    for w in ("0", "1"):
        found = {**step, "u": [f"1/{2**power}" if power else "1"], "v": ["0"], "w": [w]}
        rejected("the multipliers fail at 5 and 5", {"5": 1}, {"5": 1}, found, epsilon=0)


def test_names_in_a_proved_line_are_cut_to_thirty_characters() -> None:
    for length in (1, 27, 28, 29, 30, 31, 40):
        a, b, belief = (letter * length for letter in "abc")
        value = kb.problem(HALVES, HALVES, epsilon=1, scale=1)
        law = value.pop("priors")["a"]
        value["beliefs"] = {belief: {"priors": {a: law, b: law}}}
        step = {"belief": belief, "from": a, "to": b, **plan(SAME)}
        word, message = kb.run(value, kb.certificate(value, "coupling", [step]))
        assert word == "coupling", message
        shorts = [shown(name, 30) for name in (a, b, belief)]
        assert f"{shorts[0]} -> {shorts[1]} of belief {shorts[2]}: W_inf" in message
