"""Chains in the kernel: certificates of random ones, forged ones, and files that are refused."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from time import process_time
from typing import Any

import checker
import pytest
from support import chains
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Problem, certify
from pfverify.certificate.statement import canonical_text
from pfverify.errors import InputError

BINARY: dict[str, Any] = {
    "states": {"low": 0, "high": 1}, "start": "stationary",
    "transition": {"low": {"low": "7/10", "high": "3/10"}, "high": {"low": "3/10", "high": "7/10"}},
    "length": 12,
}  # fmt: skip


def told(table: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
    problem = Problem.from_table(table)
    return accepted_certificate(table, problem, certify(problem))


def checked(table: dict[str, Any], certificate: dict[str, Any]) -> tuple[str, str]:
    return checker.check_bytes(
        json.dumps(table).encode(), True, canonical_text(certificate).encode()
    )


def test_certificates_of_random_chains_are_accepted() -> None:
    met: Counter[str] = Counter()
    for seed in range(60):
        draw = Random(seed)
        noise = draw.choice((
            {"kind": "laplace", "scale": draw.choice(("1/2", "2", "5"))},
            {"kind": "gaussian", "variance": "4"},
        ))  # fmt: skip
        delta = draw.choice(("0", "1/100")) if noise["kind"] == "laplace" else "1/10"
        stated = chains.table(draw, hidden=seed % 2 == 0, longest=6)
        table = chains.problem_of(stated, noise=noise, delta=delta)
        try:
            _, word, message = told(table)
        except InputError:
            continue
        assert word in ("certified", "refuted"), (seed, message)
        assert "Markov chain" in message
        met[word] += 1
        met[noise["kind"]] += 1
    assert all(met[name] >= 8 for name in ("certified", "refuted", "laplace", "gaussian")), met


def test_a_long_chain_is_checked() -> None:
    table = chains.problem_of({**BINARY, "length": 60}, noise={"kind": "laplace", "scale": "9/4"})
    certificate, word, _ = told(table)
    assert word == "refuted"
    table["noise"]["scale"] = "3"
    certificate, word, _ = told(table)
    assert word == "certified"
    assert len(certificate["steps"]) == 120


FORGED: list[tuple[str, dict[str, Any]]] = [
    ("a transition", {"transition": {"low": {"low": "7/10", "high": "3/10"},
                                     "high": {"low": "2/10", "high": "8/10"}}}),
    ("the start", {"start": {"low": "1/3", "high": "2/3"}}),
    ("the length", {"length": 13}),
    ("the release", {"release": "mean"}),
    ("the times", {"at": [1, 2]}),
    ("a value", {"states": {"low": 0, "high": 2}}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "changed"), FORGED)
def test_a_certificate_is_for_its_chain_alone(what: str, changed: dict[str, Any]) -> None:
    table = chains.problem_of(BINARY)
    certificate, word, _ = told(table)
    assert word == "certified", what
    other = chains.problem_of({**BINARY, **changed})
    assert checked(other, certificate) == (
        "rejected", "the certificate belongs to another problem (digest)"
    )  # fmt: skip


def test_steps_of_another_chain_do_not_certify() -> None:
    # with the right digest: what is proved is proved of the chain in the file
    weak = {"low": {"low": "99/100", "high": "1/100"}, "high": {"low": "1/100", "high": "99/100"}}
    steps = told(chains.problem_of(BINARY))[0]["steps"]
    table = chains.problem_of({**BINARY, "transition": weak})
    certificate, word, _ = told(table)
    assert word == "refuted"
    forged = {**certificate, "result": "certified", "steps": steps}
    word, message = checked(table, forged)
    assert word == "rejected"
    assert message.startswith('pure "t=1:low" -> "t=1:high": the ratio')


def test_an_impossible_secret_is_left_out_but_a_pair_is_never_empty() -> None:
    table = chains.problem_of({**BINARY, "start": {"low": 1}, "length": 3})
    certificate, word, message = told(table)
    assert word == "certified"
    assert "impossible secrets left out" in message
    named = {**table, "pairs": [["t=1:low", "t=1:high"], ["t=2:low", "t=2:high"]]}
    word, message = checked(named, certificate)
    assert (word, "no belief has both secrets" in message) == ("malformed", True)
    two = {"dry": {"low": 1}, "wet": {"high": 1}}
    apart = {key: value for key, value in table.items() if key != "chain"} | {
        "beliefs": {b: {"chain": {**table["chain"], "start": s}} for b, s in two.items()},
        "pairs": [["t=1:low", "t=1:high"]],
    }
    word, message = checked(apart, certificate)
    assert (word, "no belief has both secrets" in message) == ("malformed", True)


def test_goals_are_counted_where_a_belief_knows_fewer_secrets() -> None:
    known, dry = ({**BINARY, "length": 2, "start": s} for s in (BINARY["start"], {"low": 1}))
    table = chains.problem_of(known)
    del table["chain"]
    table["beliefs"] = {"known": {"chain": known}, "dry": {"chain": dry}}
    certificate, word, message = told(table)
    assert word == "certified"
    assert len(certificate["steps"]) == 6
    told_so = "every belief (2), pair (2) and order (6 goals, as not every belief has every secret)"
    assert told_so in message
    assert "goals" not in told(chains.problem_of(known))[2]


def test_several_beliefs_and_grids_are_checked() -> None:
    cells = {"low": {"low": "1-p", "high": "p"}, "high": {"low": "1/2", "high": "1/2"}}
    grid = {**BINARY, "transition": cells, "grid": {"p": ["1/4", "3/4", 3]}, "length": 4}
    assert told(chains.problem_of(grid))[1] == "certified"
    table = chains.problem_of(BINARY)
    table["beliefs"] = {"a": {"chain": table["chain"]},
                        "b": {"chain": {**table.pop("chain"), "start": {"low": 1}}}}  # fmt: skip
    assert told(table)[1] == "certified"


BAD: list[dict[str, Any]] = [
    {"length": 0}, {"length": True}, {"length": "5"}, {"start": {"low": "1/2"}}, {"start": "even"},
    {"transition": {"low": {"low": 1}, "high": {"high": 1}}}, {"transition": []},
    {"transition": {"low": {"low": "3/2", "high": "-1/2"}, "high": {"low": 1}}},
    {"states": {"low": 0}}, {"states": ["low", "low"]}, {"states": ["low", "high"]},
    {"release": "max"}, {"count": "high"}, {"release": "count", "count": "cold"},
    {"weights": [1]}, {"release": "weighted", "weights": [1]}, {"at": []}, {"at": [0]},
    {"at": [13]}, {"at": [1], "secrets": "each"}, {"secrets": "some"}, {"grid": {}},
    {"grid": {"p": [0, 1]}}, {"grid": {"p": [0, 1, 1]}}, {"grid": {"1p": [0, 1, 2]}}, {"grid": []},
    {"grid": {"p": [0, 1, 9999], "q": [0, 1, 9999]}}, {"about": "observation"}, {"hidden": 1},
    {"observation": {"low": {"0": 1}, "high": {"1": 1}}},
]  # fmt: skip


@pytest.mark.parametrize("changed", BAD, ids=str)
def test_files_that_are_no_chain_are_malformed(changed: dict[str, Any]) -> None:
    certificate = told(chains.problem_of(BINARY))[0] if changed == BAD[0] else {"schema": 1}
    bad = chains.problem_of({**BINARY, **changed})
    if "observation" in changed:
        bad["chain"] = bad.pop("hmm")
    word, _ = checked(bad, certificate)
    assert word == "malformed"


@pytest.mark.parametrize(
    "changed",
    [
        {"length": 100_000, "at": [50_000]},
        {"length": 2_000, "transition": {"low": {"low": "1/999999999989", "high":
         "999999999988/999999999989"}, "high": {"low": "1/2", "high": "1/2"}}},
        {"length": 400, "states": {"low": 1, "high": 2**61, "mid": 2**62}, "start": {"low": 1},
         "transition": {a: {"low": "1/3", "high": "1/3", "mid": "1/3"}
                        for a in ("low", "high", "mid")}},
        {"length": 3, "states": {f"s{k}": k for k in range(60)}, "transition": {
            f"s{k}": {f"s{j}": f"1/{59 + k}" if j else f"{k}/{59 + k}" for j in range(60)}
            for k in range(60)}},
        {"length": 100_000, "states": {f"s{k}": k for k in range(30)}, "start": {"s0": 1},
         "transition": {f"s{k}": {f"s{j}": "1/30" for j in range(30)} for k in range(30)}},
    ],
    ids=("long", "fine", "one hash", "stationary", "many"),
)  # fmt: skip
def test_hostile_chains_end_early(changed: dict[str, Any]) -> None:
    certificate = told(chains.problem_of(BINARY))[0]
    table = chains.problem_of({**BINARY, **changed})
    began = process_time()
    if changed["length"] < 100_000 or "at" in changed:
        certificate["problem"] = kernel_digest(table)
    word, message = checked(table, certificate)
    assert word in ("rejected", "malformed"), message
    assert process_time() - began < 10
