"""Randomized response of thousands of states, decided by symmetry; and outputs that are alike."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Finite, InputError, Problem, Protection, certify, loss, sample
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.grouped import GroupedOutputs, grouped
from pfverify.edge.cli import main
from pfverify.exact.number import number
from pfverify.model.channels.channel import MOST_LISTED
from pfverify.model.channels.entries import ball_of
from pfverify.model.channels.kinds import Channel
from pfverify.model.composed import NamedTimes, separately
from pfverify.model.digest import problem_digest
from pfverify.model.notion import Bound


def response(states: int, **more: Any) -> Channel:
    names = [f"s{k}" for k in range(states)]
    return Channel.of({"kind": "randomized-response", "inputs": names, **more})


def asked(states: int, epsilon: Any, delta: Any = 0, **more: Any) -> Problem:
    form, protection = more.pop("form", "events"), more.pop("protection", Protection("dp"))
    return Problem(channel=response(states, **(more or {"epsilon": 14})), epsilon=epsilon,
                   delta=delta, form=form, protection=protection)  # fmt: skip


MANY = MOST_LISTED + 1


@pytest.mark.parametrize("states", [2, 5, 24, MANY, 2925, 20_000])
def test_a_claim_of_14_is_kept_exactly_whatever_the_states(states: int) -> None:
    found = certify(asked(states, 14))
    assert found.verdict == "certified"
    assert all(pair.tie for pair in found.pairs)
    problem = asked(states, "14-1e-30")
    assert certify(problem).verdict == "refuted"


@pytest.mark.parametrize(("epsilon", "delta", "form"), [
    (14, 0, "events"), (13, 0, "events"), (1, "1/2", "events"), (0, "999/1000", "events"),
    (1, "1/2", "pointwise"), ("14-1e-9", "1e-12", "events"),
])  # fmt: skip
@pytest.mark.parametrize("states", [24, MANY, 2925])
def test_the_kernel_agrees(states: int, epsilon: Any, delta: Any, form: str) -> None:
    problem = asked(states, epsilon, delta, form=form)
    found = certify(problem)
    _, word, message = accepted_certificate(problem.to_table(), problem, found)
    assert word == found.verdict, message
    assert ("(F84)" in message) == (states > MOST_LISTED)
    assert kernel_digest(problem.to_table()) == problem_digest(problem)


def test_delta_is_what_the_masses_say() -> None:
    """Of 2,925 states with the truth told in half of all answers."""
    problem = asked(2925, 1, "1/2", truth="1/2")
    found = certify(problem)
    wanted = 0.5 - exp(1) * 0.5 / 2924
    for pair in found.pairs:
        assert pair.delta is not None
        assert float(pair.delta.upper) == pytest.approx(wanted, abs=1e-11)
    assert float(loss(problem).epsilon_star.lower) == pytest.approx(log(2924), abs=1e-9)


def test_what_one_pair_stands_for_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = asked(MANY, 14).to_table()
    (tmp_path / "a.json").write_text(json.dumps(table))
    assert main(["certify", str(tmp_path / "a.json")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "(1 pair, both orders, which stands for all 5050 by symmetry)" in said
    assert main(["report", str(tmp_path / "a.json"), "-o", str(tmp_path / "a.md")]) == 0
    assert "which stands for all 5050 by symmetry" in (tmp_path / "a.md").read_text("utf-8")


def test_any_input_is_drawn() -> None:
    found = sample(asked(MANY, 14), value="s57")
    assert found.draws[0] in [f"s{k}" for k in range(MANY)]
    with pytest.raises(InputError):
        sample(asked(MANY, 14), value="s9999")


def test_few_inputs_stated_pairs_and_distances_are_all_compared() -> None:
    assert len(asked(MOST_LISTED, 14).pairs) == MOST_LISTED * (MOST_LISTED - 1) // 2
    related = Protection("dp", inputs=[f"s{k}" for k in range(MANY)],
                         inputs_related=[["s3", "s7"], ["s8", "s9"]])  # fmt: skip
    assert asked(MANY, 14, protection=related).pairs == (("s3", "s7"), ("s8", "s9"))
    channel = response(MANY, epsilon=1)
    priors = {"a": Finite({name: Fraction(1, MANY) for name in channel.inputs}),
              "b": Finite({name: Fraction(name == "s0") for name in channel.inputs})}  # fmt: skip
    problem = Problem(priors, channel=channel, epsilon=1)
    found = certify(problem)
    assert problem.source.pairs_stand_for is None
    assert accepted_certificate(problem.to_table(), problem, found)[1] == found.verdict
    with pytest.raises(InputError, match="expected at most"):
        response(1_000_001, epsilon=1)


def test_beside_another_channel_one_pair_stands_for_no_other() -> None:
    """The channel that tells state 57 from the rest is seen."""
    names = [f"s{k}" for k in range(MANY)]
    rows = [["1/2", "1/2"] if name != "s57" else ["1/4", "3/4"] for name in names]
    other = Channel.of({"kind": "matrix", "inputs": names, "outputs": ["u", "v"], "rows": rows})
    both = [
        NamedTimes("a", Problem(channel=response(MANY, epsilon=1), epsilon=1), 1),
        NamedTimes("b", Problem(channel=other, epsilon=1), 1),
    ]
    problem = separately(both, epsilon="3/2", delta=0)
    assert len(problem.pairs) == MANY * (MANY - 1) // 2
    assert certify(problem).verdict == "refuted"


# ---------------------------------------------------------------- bits


def bits(inputs: int, epsilon: Any, delta: Any = 0, form: str = "events", **more: Any) -> Problem:
    names = [f"s{k}" for k in range(inputs)]
    channel = Channel.of({"kind": "rappor", "inputs": names, "flip": "1/2", **more})
    return Problem(channel=channel, epsilon=epsilon, delta=delta, form=form)


TWICE = {"one": "3/4", "zero": "1/4"}


@pytest.mark.parametrize("more", [{}, TWICE], ids=["once", "twice"])
@pytest.mark.parametrize(("epsilon", "delta"), [
    ("2*log(3)", 0), ("2*log(3)-1e-20", 0), (1, "1/5"), ("1/2", "1/10"), ("2*log(5/3)", 0),
])  # fmt: skip
def test_any_number_of_bits_is_decided_as_a_few_that_are_written_out(
    epsilon: Any, delta: Any, more: Any
) -> None:
    few, found = certify(bits(5, epsilon, delta, **more)), certify(bits(13, epsilon, delta, **more))
    assert found.verdict == few.verdict
    assert (str(found.pairs[0].delta), found.pairs[0].tie) == (
        str(few.pairs[0].delta), few.pairs[0].tie
    )  # fmt: skip
    many = bits(1000, epsilon, delta, **more)
    _, word, message = accepted_certificate(many.to_table(), many, certify(many))
    assert word == few.verdict, message
    assert "(F84)" in message
    assert kernel_digest(many.to_table()) == problem_digest(many)


def test_the_permanent_response_costs_two_logs() -> None:
    """2 h log((1 - f/2)/(f/2)) with one bit for each value, h = 1."""
    found = loss(bits(1000, 3))
    assert float(found.epsilon_star.lower) == pytest.approx(2 * log(3), abs=1e-10)
    assert found.worst.y == "10"


@pytest.mark.parametrize("of", [
    lambda: bits(13, 1).release.rows, lambda: bits(13, 1).release.outputs,
    lambda: certify(bits(13, 1, "1/2", "pointwise")),
    lambda: sample(bits(13, 3), value="s1"),
    lambda: Problem({"a": Finite({"s0": 1}), "b": Finite({"s1": 1})},
                    channel=bits(13, 1).release, epsilon=1),
    lambda: Problem(channel=bits(13, 1).release, epsilon=1, protection=Protection(
        "dp", inputs=[f"s{k}" for k in range(13)], inputs_related=[["s0", "s1"]])),
    lambda: Channel.of({"kind": "cascade", "parts": [bits(13, 1).release.to_table()] * 2}).rows,
    lambda: Channel.of({"kind": "tupling", "base": bits(13, 1).release.to_table(), "dummies": 1}),
    lambda: separately([NamedTimes("a", bits(13, 1), 2)], epsilon=1, delta=0),
], ids=range(9))  # fmt: skip
def test_what_needs_all_bits_says_how_many_are_written_out(of: Any) -> None:
    with pytest.raises(InputError, match="at most so many are written out"):
        of()


def test_the_kernel_takes_two_bits_for_events_alone() -> None:
    table = bits(13, 1, "1/2", "pointwise").to_table()
    with pytest.raises(Exception, match="1 to 12 bits"):
        kernel_digest(table)
    with pytest.raises(Exception, match="1 to 12 bits"):
        kernel_digest(table | {"form": "events", "channel": table["channel"] | {
            "inputs_related": [["s0", "s1"]]}})  # fmt: skip


# ---------------------------------------------------------------- outputs that are alike

H, Q = Fraction(1, 2), Fraction(1, 4)
ROOT = number("exp(-1)")


def test_outputs_with_the_same_two_masses_are_joined() -> None:
    names = NamedOutputs(["u", "v", "w", "x"])
    p, q = [Fraction(1, 8), ROOT, ROOT, ROOT], [ROOT, Q, H, Q]
    ours, theirs, outputs = grouped(p, q, names, Bound.DIVERGENCE)
    assert isinstance(outputs, GroupedOutputs)
    assert sorted(map(list, outputs.groups)) == [[0], [1, 3], [2]]
    both = outputs.groups.index([1, 3])
    assert theirs[both] == H
    assert float(ball_of(ours[both]).mid()) == pytest.approx(2 * exp(-1))
    assert outputs.place(both) == "v"
    assert outputs.event(Fraction(1), [both]).outputs == ["v", "x"]
    ours, theirs, _ = grouped(p, q, names, Bound.EXCESS)
    assert theirs[both] == Q
    assert grouped(p, [ROOT, Q, H, H - Q / 2], names, Bound.DIVERGENCE)[2] is names


def test_pairs_with_the_same_masses_have_one_order() -> None:
    names = NamedOutputs(["u", "v", "w"])
    found = {
        tuple(map(str, grouped(p, q, names, Bound.DIVERGENCE)[0]))
        for p, q in (([ROOT, Q, Q], [Q, ROOT, ROOT]), ([Q, ROOT, Q], [ROOT, Q, ROOT]))
    }  # fmt: skip
    assert len(found) == 1
