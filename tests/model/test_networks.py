"""Networks of records: their laws against every assignment, the digest, and what is refused."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from support import chains
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Chain, Discrete, Laplace, Network, Problem, certify
from pfverify.errors import InputError
from pfverify.model.chains.paths import ChainLaws
from pfverify.model.digest import problem_digest
from pfverify.model.networks.elimination import NetworkLaws

from reader import correlated as kernel_models, network as kernel_network  # isort: skip

STORM: dict[str, Any] = {
    "storm": {"table": {"yes": "1/4", "no": "3/4"}, "value": {"yes": 1}},
    "flood": {"parents": ["storm"], "value": {"yes": 2},
              "table": {"yes": {"yes": "1/2", "no": "1/2"}, "no": {"yes": "1/10", "no": "9/10"}}},
}  # fmt: skip


def problem_of(stated: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"schema": "pfverify/problem/1", "epsilon": "1", "network": stated,
            "noise": {"kind": "laplace", "scale": "3"}, **more}  # fmt: skip


def compared(seeds: range, most: int) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        stated = chains.network_table(Random(seed), most)
        truth = chains.network_laws(stated)
        found = NetworkLaws(Network.from_table(stated))
        assert {**found} == {name: Discrete(law) for name, law in truth.items()}, seed
        model = kernel_network.network(stated)
        kernel = kernel_network.source({"network": stated, "pairs": []}, None).beliefs["default"]
        assert {**kernel} == truth, seed
        assert kernel_models.Laws(model).secrets.keys() == truth.keys()
        met["impossible"] += len(truth) < len({n for pair in model.every() for n in pair})
        met["hidden"] += any(one.get("secret") is False for one in stated.values())
        met["two parents"] += any(len(one.get("parents", [])) == 2 for one in stated.values())
        try:
            whole = Problem.from_table(problem_of(stated))
        except InputError as error:
            assert "nothing is to be told apart" in str(error), seed  # noqa: PT017
            met["nothing"] += 1
            continue
        met["decided"] += 1
        assert Problem.from_table(whole.to_table()) == whole
        assert problem_digest(whole) == kernel_digest(problem_of(stated)), seed
        assert problem_digest(whole) == kernel_digest(whole.to_table()), seed
    return met


def test_laws_of_random_networks_are_those_of_every_assignment() -> None:
    met = compared(range(120), 5)
    assert all(met[name] >= 5 for name in
               ("impossible", "hidden", "two parents", "nothing", "decided")), met  # fmt: skip


@pytest.mark.long
def test_laws_of_many_random_networks() -> None:
    assert compared(range(1_000, 2_000), 5)["decided"] > 500


def test_certificates_of_random_networks_are_accepted() -> None:
    met: Counter[str] = Counter()
    for seed in range(50):
        table = problem_of(chains.network_table(Random(seed)))
        table["noise"]["scale"] = ("1/2", "5")[seed % 2]
        try:
            problem = Problem.from_table(table)
        except InputError:
            continue
        result = certify(problem)
        _, word, message = accepted_certificate(table, problem, result)
        assert word == result.verdict, (seed, message)
        assert "Bayesian network" in message
        met[word] += 1
    assert min(met["certified"], met["refuted"]) >= 8, met


def test_a_chain_is_a_network() -> None:
    turn = {"dry": {"dry": "7/10", "wet": "3/10"}, "wet": {"dry": "2/5", "wet": "3/5"}}
    start = {"dry": "1/3", "wet": "2/3"}
    nodes: dict[str, Any] = {"t=1": {"table": start, "value": {"wet": 1}}}
    for t in range(2, 9):
        nodes[f"t={t}"] = {"parents": [f"t={t - 1}"], "table": turn, "value": {"wet": 1}}
    chain = ChainLaws(Chain({"dry": 0, "wet": 1}, start, turn, 8))
    assert {**NetworkLaws(Network(nodes))} == {**chain}


def test_thirty_nodes_of_treewidth_three() -> None:
    nodes: dict[str, Any] = {}
    draw = Random(3)
    for k in range(30):
        parents = [f"n{j}" for j in range(max(0, k - 3), k)]
        nodes[f"n{k}"] = {"parents": parents, "value": {"yes": 1},
                          "table": _grown(draw, len(parents))}  # fmt: skip
    laws = NetworkLaws(Network(nodes))
    assert len(laws) == 60
    assert all(law.total for law in map(laws.__getitem__, laws) if isinstance(law, Discrete))


def _grown(draw: Random, depth: int) -> dict[str, Any]:
    if not depth:
        k = draw.randint(1, 9)
        return {"yes": f"{k}/10", "no": f"{10 - k}/10"}
    return {state: _grown(draw, depth - 1) for state in ("yes", "no")}


def test_several_beliefs() -> None:
    other = {**STORM, "storm": {"table": {"yes": "1/2", "no": "1/2"}, "value": {"yes": 1}}}
    found = Problem(network={"a": Network(STORM), "b": Network(other)}, noise=Laplace(9), epsilon=1)
    assert len(certify(found).pairs) == 8
    table = found.to_table()
    assert Problem.from_table(table) == found
    assert problem_digest(found) == kernel_digest(table)
    result = certify(found)
    assert accepted_certificate(table, found, result)[1] == result.verdict
    assert "one of these 2 Bayesian networks" in " ".join(result.assumed)


FLOOD = STORM["flood"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"storm": {"table": {"yes": "1/4", "no": "1/4"}}}, "storm.table: the masses sum to 1/2"),
        ({"storm": {**FLOOD, "parents": ["flood"]}}, "are a cycle"),
        ({"flood": {**FLOOD, "parents": ["hail"]}}, "flood.parents: 'hail' is no node"),
        ({"flood": {**FLOOD, "parents": ["storm", "storm"]}}, "all different"),
        ({"flood": {**FLOOD, "table": {"yes": {"yes": 1}}}}, "for each state of the parent: yes"),
        ({"flood": {**FLOOD, "value": {"maybe": 1}}}, "flood.value: unknown key 'maybe'"),
        ({"storm": {}}, "storm.table: missing"),
        ({"storm": {"table": {"yes": "3/2", "no": "-1/2"}}}, "storm.table: a mass below 0"),
        ({"storm": {"table": {"yes": 1}, "secret": 1}}, "storm.secret: expected true or false"),
        ({"storm": 1}, "storm: expected a table"),
        ({"a": {"table": {"b:c": 1}}, "a:b": {"table": {"c": 1}}}, "would be called the same"),
    ],
)  # fmt: skip
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    stated = {**STORM, **changed}
    with pytest.raises(InputError) as error:
        Network(stated)
    assert message in str(error.value)
    bad = problem_of(stated)
    with pytest.raises(Exception, match=r".") as kernel:
        kernel_digest(bad)
    assert type(kernel.value).__name__ == "Malformed"


def test_a_network_that_is_too_tangled_says_so() -> None:
    nodes: dict[str, Any] = {f"n{k}": {"table": {"yes": "1/2", "no": "1/2"}} for k in range(17)}
    for k in range(17):
        for j in range(k):
            nodes[f"m{j},{k}"] = {"parents": [f"n{j}", f"n{k}"], "table": _grown(Random(k), 2)}
    with pytest.raises(InputError, match="too tangled: a table of"):
        NetworkLaws(Network(nodes))


def test_a_certificate_is_for_its_network_alone() -> None:
    table = problem_of(STORM)
    problem = Problem.from_table(table)
    certificate, word, _ = accepted_certificate(table, problem, certify(problem))
    assert word == "certified"
    for changed in ({"value": {"yes": 3}}, {"secret": False}):
        other = Problem.from_table(problem_of({**STORM, "flood": {**FLOOD, **changed}}))
        assert problem_digest(other) != certificate["problem"]
