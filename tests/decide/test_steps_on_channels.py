"""Steps after a channel whose outputs are numbers: the same as the channel merged by hand."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import steps_oracle, tally
from support.kernel_run import accepted_certificate, canonical_text, checker
from support.steps_cases import chain
from support.tally import Record

from pfverify import Channel, Finite, InputError, Problem, calibrate, certify, loss
from pfverify.model.digest import problem_digest

Json = dict[str, Any]
SHOWN = ("problems", "kernel", "ties")
GEOMETRIC = {"kind": "truncated-geometric", "size": 7, "ratio": "1/3"}
PROOF = canonical_text({"schema": "pfverify/certificate/1", "problem": "0" * 64, "steps": [],
                        "result": "certified", "produced_by": {}}).encode()  # of no problem


def matrix(rng: Random) -> Json:
    """A channel from three inputs to numbers, some of them written in two ways."""
    outputs = rng.sample(["0", "1", "2.0", "2", "5/2", "-3", "7", "1e1"], rng.randint(2, 8))
    rows = []
    for _ in "xyz":
        weights = [rng.choice([0, 1, 1, 2, 5]) for _ in outputs]
        weights[rng.randrange(len(outputs))] += 1
        rows.append([f"{w}/{sum(weights)}" for w in weights])
    return {"kind": "matrix", "inputs": ["x", "y", "z"], "outputs": outputs, "rows": rows}


def by_hand(channel: Json, post: Any) -> Json:
    """The matrix with equal outputs summed."""
    images = [str(steps_oracle.published(post, Fraction(y))) for y in channel["outputs"]]
    rows = []
    for row in channel["rows"]:
        masses: Counter[str] = Counter(dict.fromkeys(images, Fraction(0)))
        for y, m in zip(images, row, strict=True):
            masses[y] += Fraction(m)
        rows.append([str(m) for m in masses.values()])
    more = {key: x for key, x in channel.items() if key not in ("outputs", "rows")}
    return more | {"outputs": list(dict.fromkeys(images)), "rows": rows}


def answers(table: Json, counts: Counter[str]) -> Any:
    problem = Problem.from_table(table)
    assert Problem.from_table(problem.to_table()) == problem
    assert Problem.from_text(problem.to_toml()) == problem
    found, measured = certify(problem), loss(problem)
    assert accepted_certificate(table, problem, found)[1] == found.verdict
    counts.update(["kernel", str(found.verdict)])
    counts["ties"] += any(pair.tie for pair in found.pairs)
    pairs = [(p.from_, p.to, p.verdict, str(p.loss), str(p.delta), p.tie) for p in found.pairs]
    return sorted(pairs), str(measured.epsilon_star), str(measured.delta)


def battery(seed: str, count: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        channel = matrix(rng)
        post = chain(rng, [Fraction(0), Fraction(5, 2), Fraction(7)], {"kind": "none"})
        base: Json = {"schema": "pfverify/problem/1", "epsilon": rng.choice(["0", "1/2", "log(2)"]),
                      "delta": rng.choice(["0", "1/6", "1/2"]),
                      "form": rng.choice(["events", "events", "pointwise"])}
        notion = rng.choice(["distp", "dp", "xdp"])
        if notion == "distp":
            base["priors"] = {"a": {"kind": "finite", "mass": {"x": "1/2", "y": "1/2", "z": 0}},
                              "b": {"kind": "finite", "mass": {"y": "1/3", "z": "2/3"}}}
        else:
            channel["notion"] = notion
        if notion == "xdp":
            channel["metric"] = [["x", "y", 1], ["y", "z", 1], ["x", "z", 2]]
        table = base | {"channel": channel, "post": post}
        hand = base | {"channel": by_hand(channel, post)}
        assert answers(table, counts) == answers(hand, Counter()), json.dumps(table)
        assert problem_digest(Problem.from_table(table)) != problem_digest(Problem.from_table(hand))
        merges = len(hand["channel"]["outputs"]) < len(channel["outputs"])
        counts.update(["problems", notion, base["form"], *(["merges"] if merges else [])])
    return counts


@pytest.mark.parametrize("block", range(2))
def test_merged(block: int, record_property: Record) -> None:
    counts = battery(f"default {block}", 12)
    tally.report("steps after a channel by hand", counts, SHOWN, record_property)
    tally.reached(counts, "merges", "certified", "refuted", "pointwise", "distp", "dp", "xdp")


@pytest.mark.long
@pytest.mark.parametrize("block", range(4))
def test_merged_long(block: int, record_property: Record) -> None:
    counts = battery(f"block {block}", 250)
    tally.report("steps after a channel by hand", counts, SHOWN, record_property)
    tally.reached(counts, *SHOWN, "merges", "certified", "refuted", "pointwise", "dp", "xdp")


def test_steps_never_raise_the_loss_of_a_channel() -> None:
    channel = Channel.of({"kind": "truncated-geometric", "size": 7, "epsilon": "1/2"})
    plain = loss(Problem(channel=channel, epsilon=1)).epsilon_star
    post = [{"clamp": [1, 4]}, {"threshold": {"at": 3}}]
    merged = Problem(channel=channel, post=post, epsilon=1, delta=0)
    assert merged.release.outputs == ("suppressed", "3", "4")
    assert Fraction(loss(merged).epsilon_star.upper) <= Fraction(plain.upper)
    found = certify(merged)
    _, word, said = accepted_certificate(merged.to_table(), merged, found)
    assert (word, "notion=dp post=clamp,threshold;" in said) == (found.verdict, True)
    assert found.channel == "truncated-geometric"
    assert "then exactly these steps: clamp to [1, 4]" in found.assumed[0]
    with pytest.raises(InputError, match="no noise is added"):
        calibrate(merged)


def test_a_certificate_of_other_steps_is_rejected() -> None:
    base = {"schema": "pfverify/problem/1", "epsilon": "log(3)", "channel": GEOMETRIC}
    tables = [base | {"post": post} for post in ([{"clamp": [0, 1]}], [{"clamp": [0, 2]}])]
    problems = [Problem.from_table(table) for table in (*tables, base)]
    certificate = accepted_certificate(tables[0], problems[0], certify(problems[0]))[0]
    for table in (tables[1], base):
        word, said = checker.check_bytes(
            json.dumps(table).encode(), True, canonical_text(certificate).encode()
        )
        assert (word, "digest" in said) == ("rejected", True)


def test_what_is_no_number_is_named() -> None:
    named = {"kind": "matrix", "inputs": ["x", "y"], "outputs": ["0", "many"],
             "rows": [[1, 0], [0, 1]]}
    tuples = {"kind": "tupling", "dummies": 2, "base": named | {"outputs": ["0", "1"]}}
    responses = {"kind": "randomized-response", "inputs": ["yes", "no"], "truth": "3/4"}
    clamp, base = [{"clamp": [0, 1]}], {"schema": "pfverify/problem/1", "epsilon": 1}
    for channel, said in ((named, "'many'"), (tuples, "tupling"), (responses, "'yes'")):
        table = base | {"channel": channel, "post": clamp}
        with pytest.raises(InputError, match=said) as caught:
            Problem.from_table(table)
        assert "\n" not in str(caught.value)
        assert checker.check_bytes(json.dumps(table).encode(), True, PROOF)[0] == "malformed"
    good = base | {"channel": GEOMETRIC, "post": clamp}
    assert checker.check_bytes(json.dumps(good).encode(), True, PROOF)[0] == "rejected"
    priors = {"a": Finite({"x": 1}), "b": Finite({"y": 1})}
    with pytest.raises(InputError, match="modulo follows"):
        Problem(priors, channel=Channel.of(named | {"outputs": ["0", "1"]}), epsilon=1,
                post=[{"bins": {"edges": [1]}}, {"modulo": 2}])
    wrong = base | {"channel": GEOMETRIC, "post": [{"bins": {"edges": [1]}}, {"modulo": 2}]}
    assert checker.check_bytes(json.dumps(wrong).encode(), True, PROOF)[0] == "malformed"
