"""Chains of records: their laws against every path, the digest, and what is refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import chains
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Chain, Discrete, Laplace, Problem, System, certify, loss
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.model.chains.paths import ChainLaws
from pfverify.model.chains.stationary import closed_classes, stationary_law
from pfverify.model.digest import problem_digest

from reader import chain as kernel_chain  # isort: skip

BINARY: dict[str, Any] = {
    "states": {"low": 0, "high": 1}, "start": "stationary",
    "transition": {"low": {"low": "7/10", "high": "3/10"}, "high": {"low": "3/10", "high": "7/10"}},
    "length": 5,
}  # fmt: skip


def binary(**more: Any) -> Chain:
    return Chain(**{**BINARY, **more})


def problem(**more: Any) -> Problem:
    return Problem(chain=binary(**more), noise=Laplace(3), epsilon=1)


def compared(seeds: range, longest: int) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        draw = Random(seed)
        stated = chains.table(draw, hidden=seed % 2 == 1, longest=longest)
        truth = chains.laws(stated)
        found = ChainLaws(Chain.from_table(stated))
        assert {**found}.keys() == truth.keys(), seed
        for secret, law in truth.items():
            assert found[secret] == Discrete(law), (seed, secret)
        kind = "hmm" if "observation" in stated else "chain"
        kernel = kernel_chain.source({kind: stated, "pairs": []}, None).beliefs["default"]
        assert {**kernel} == truth, seed
        met[stated["release"]] += 1
        met[stated.get("about", "chain")] += 1
        met["steps"] += isinstance(stated["transition"], list)
        met["impossible"] += len(truth) < len(stated["states"]) * stated["length"]
        try:
            whole = Problem.from_table(chains.problem_of(stated))
        except InputError as error:
            assert "nothing is to be told apart" in str(error), seed  # noqa: PT017
            met["nothing"] += 1
            continue
        assert Problem.from_table(whole.to_table()) == whole
        assert problem_digest(whole) == kernel_digest(chains.problem_of(stated)), seed
        assert problem_digest(whole) == kernel_digest(whole.to_table()), seed
    return met


def test_laws_of_random_chains_are_those_of_every_path_in_package_and_kernel() -> None:
    met = compared(range(160), 5)
    kinds = ("sum", "mean", "count", "weighted", "state", "observation", "chain", "steps",
             "impossible", "nothing")  # fmt: skip
    assert all(met[name] >= 5 for name in kinds), met


@pytest.mark.long
def test_laws_of_many_random_chains() -> None:
    met = compared(range(1_000, 3_100), 6)
    assert sum(met[name] for name in ("sum", "mean", "count", "weighted")) == 2_100


def test_long_chains_are_those_of_a_short_sweep() -> None:
    # blocks of times are made anew, in any order
    found, again = (ChainLaws(binary(length=40)) for _ in range(2))
    backward = {name: again[name] for name in reversed(list(again))}
    assert {**found} == backward
    assert found["t=1:low"] == found["t=40:low"]  # this chain is reversible
    turned = {f"t={41 - t}:{s}" for t in range(1, 41) for s in ("low", "high")}
    assert all(found[name] == found[f"t={41 - int(name[2:].split(':')[0])}:{name.split(':')[1]}"]
               for name in turned)  # fmt: skip


def test_independent_records_are_a_system_of_users() -> None:
    row = {"low": "1/4", "high": "3/4"}
    chain = binary(transition={"low": row, "high": row}, start=row, length=6)
    users = System(others=[{"bernoulli": "3/4", "count": 5}],
                   user={"low": {"point": 0}, "high": {"point": 1}})  # fmt: skip
    crowd = Problem(system=users, noise=Laplace(3), epsilon=1).beliefs["default"]
    laws = ChainLaws(chain)
    for time in range(1, 7):
        assert laws[f"t={time}:low"] == crowd["low"]
        assert laws[f"t={time}:high"] == crowd["high"]


def test_one_record_is_its_value() -> None:
    laws = ChainLaws(binary(length=1))
    assert laws["t=1:low"] == Discrete({0: 1})
    assert laws["t=1:high"] == Discrete({1: 1})


def test_the_known_losses() -> None:
    found = Problem(chain=binary(length=100, at=[1, 28, 50]), noise=Laplace("2.25722797066"),
                    epsilon=1)  # fmt: skip
    least = Problem(chain=binary(length=100), noise=Laplace("2.25722797065"), epsilon=1)
    assert certify(found).verdict is Verdict.CERTIFIED
    assert certify(least).verdict is Verdict.REFUTED
    assert loss(found).worst.from_.startswith("t=28")


def test_the_law_at_the_ends_of_absorbing_and_periodic_chains() -> None:
    stays = {"low": {"low": 1}, "high": {"low": "1/2", "high": "1/2"}}
    assert binary(transition=stays).start == {"low": 1, "high": 0}
    turns = {"low": {"high": 1}, "high": {"low": 1}}
    laws = ChainLaws(binary(transition=turns, length=4))
    assert all(law == Discrete({2: 1}) for law in laws.values())
    assert stationary_law("ab", [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]) == [
        Fraction(1, 2), Fraction(1, 2)
    ]  # fmt: skip
    assert closed_classes([[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]) == [[0]]


def test_impossible_secrets_are_left_out_and_listed() -> None:
    found = problem(start={"low": 1})
    assert ("t=1:low", "t=1:high") not in found.pairs
    assert len(found.pairs) == 4
    assert any("probability 0: t=1:high" in words for words in certify(found).assumed)
    with pytest.raises(InputError, match="'t=1:high' has probability 0"):
        Problem(chain=binary(start={"low": 1}), noise=Laplace(3), epsilon=1,
                pairs=[("t=1:low", "t=1:high")])  # fmt: skip
    with pytest.raises(InputError, match="nothing is to be told apart"):
        problem(start={"low": 1}, at=[1])
    one = Problem(chain=binary(), noise=Laplace(3), epsilon=1, pairs=[("t=2:low", "t=2:high")])
    assert Problem.from_table(one.to_table()) == one


def test_beliefs_that_rule_out_different_secrets() -> None:
    chains_of = {"dry": binary(start={"low": 1}), "wet": binary()}
    found = Problem(chain=chains_of, noise=Laplace(3), epsilon=1)
    assert len(found.pairs) == 5
    assert len(list(found.questions())) == 9
    assert len(certify(found).pairs) == 18
    assert Problem.from_table(found.to_table()) == found
    with pytest.raises(InputError, match="must have the same secrets"):
        Problem(chain={"a": binary(), "b": binary(length=4)}, noise=Laplace(3), epsilon=1)


def test_a_grid_is_the_list_of_its_chains() -> None:
    cells = {"low": {"low": "1 - p", "high": "p"}, "high": {"low": "q", "high": "1-q"}}
    grid = {"p": ["1/4", "3/4", 3], "q": ["1/5", "2/5", 2]}
    stated = chains.problem_of({**BINARY, "transition": cells, "grid": grid})
    found = Problem.from_table(stated)
    assert list(found.beliefs) == [
        f"p={p}, q={q}" for p in ("1/4", "1/2", "3/4") for q in ("1/5", "2/5")
    ]
    one = {"low": {"low": "1/2", "high": "1/2"}, "high": {"low": "2/5", "high": "3/5"}}
    assert found.source.models["p=1/2, q=2/5"] == binary(transition=one)
    assert any("one of these 6 Markov chains" in words for words in certify(found).assumed)
    assert Problem.from_table(found.to_table()) == found
    assert problem_digest(found) == kernel_digest(stated)
    assert problem_digest(found) == kernel_digest(found.to_table())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"transition": {"low": {"low": "7/10"}, "high": {"high": 1}}},
         "transition.low: the masses sum to 7/10"),
        ({"transition": {"low": {"low": 1}, "high": {"high": 1}}},
         "no unique stationary law, since the chain never leaves {low} and {high}"),
        ({"start": {"cold": 1}}, "'cold' is no state"),
        ({"transition": {"low": {"low": 1}}}, "no row for the state 'high'"),
        ({"length": 0}, "length: 0 is no number of records"),
        ({"release": "median"}, "release: 'median' is unknown"),
        ({"release": "count"}, "count: release count needs it"),
        ({"count": "high"}, "count: release sum goes without it"),
        ({"release": "count", "count": "cold"}, "'cold' is nothing that a record may be"),
        ({"release": "weighted", "weights": [1]}, "weights: 1, expected one for each of 5"),
        ({"at": [6]}, "at: 6 is no time from 1 to 5"),
        ({"at": [1], "secrets": "each"}, "at: secrets is stated too"),
        ({"states": ["low", "high"]}, "since values are released"),
        ({"states": {"low": 0}}, "states: expected at least two"),
        ({"about": "observation"}, "about: observation needs the table observation"),
        ({"observation": {"low": {"0": 1}}}, "for each of the states"),
        ({"transition": [BINARY["transition"]]}, "1 tables, expected one, or 4"),
        ({"length": 2_000_000}, "secrets: more than 1000000"),
    ],
)  # fmt: skip
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        problem(**changed)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"p": ["1/4", "3/4", 1]}, "chain.grid.p: expected first, last and how many"),
        ({"1p": ["1/4", "3/4", 2]}, "no name of letters"),
        ({"p": [0, 1, 200], "q": [0, 1, 200]}, "40000 chains, expected at most 10000"),
        ({"p": [0, 2, 2]}, "a mass below 0"),
    ],
)
def test_grids_that_are_refused(grid: dict[str, Any], message: str) -> None:
    cells = {"low": {"low": "1-p", "high": "p"}, "high": {"low": "1/2", "high": "1/2"}}
    stated = chains.problem_of({**BINARY, "transition": cells, "grid": grid})
    with pytest.raises(InputError) as error:
        Problem.from_table(stated)
    assert message in str(error.value)


def test_a_release_that_is_too_large_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"exact masses .* expected fewer records"):
        problem(length=20_000, at=[1])
    weights = [str(Fraction(1, 10**6 + k)) for k in range(5)]
    with pytest.raises(InputError, match="coarser lattice"):
        problem(release="weighted", weights=weights)


def test_steps_before_the_noise_act_on_what_is_released() -> None:
    whole = problem(start={"low": 1})
    found = Problem(chain=binary(start={"low": 1}), noise=Laplace(3), epsilon=1,
                    pre=[{"clamp": ["1", "3"]}])  # fmt: skip
    assert found.pairs == whole.pairs
    for secret, law in whole.beliefs["default"].items():
        clamped: Counter[Fraction] = Counter()
        for x, mass in law.mass.items():
            clamped[min(max(x, Fraction(1)), Fraction(3))] += mass
        assert found.beliefs["default"][secret] == Discrete(clamped)
    table = found.to_table()
    assert problem_digest(found) == kernel_digest(table)
    result = certify(found)
    assert accepted_certificate(table, found, result)[1] == result.verdict


@pytest.mark.parametrize(
    ("beliefs", "message"),
    [
        ({"a": {**BINARY, "grid": {"p": [0, 1, 2]}}, "a, p=0": BINARY}, "two beliefs would be"),
        ({"a": {**BINARY, "grid": {"p": [1, 1, 2]}}}, "the point p=1 occurs twice"),
    ],
)
def test_no_belief_stands_for_two(beliefs: dict[str, Any], message: str) -> None:
    table = chains.problem_of(BINARY)
    del table["chain"]
    table["beliefs"] = {name: {"chain": one} for name, one in beliefs.items()}
    with pytest.raises(InputError, match=message):
        Problem.from_table(table)
    with pytest.raises(Exception, match="two beliefs are called"):
        kernel_digest(table)


def test_one_belief_called_default_has_one_digest() -> None:
    table = chains.problem_of(BINARY)
    named = {key: value for key, value in table.items() if key != "chain"}
    named["beliefs"] = {"default": {"chain": table["chain"]}}
    digests = {problem_digest(Problem.from_table(one)) for one in (table, named)}
    assert digests == {kernel_digest(table)} == {kernel_digest(named)}
    grid = {**BINARY, "grid": {"p": [0, 1, 2]}}
    named["beliefs"] = {"default": {"chain": grid}}
    assert problem_digest(Problem.from_table(named)) == kernel_digest(named)


def test_noise_on_a_lattice_under_beliefs_that_rule_secrets_out() -> None:
    table = chains.problem_of(BINARY, noise={"kind": "discrete-laplace", "scale": "3", "step": 1})
    dry = {**BINARY, "start": {"low": 1}}
    table["beliefs"] = {"dry": {"chain": dry}, "any": {"chain": table.pop("chain")}}
    found = Problem.from_table(table)
    result = certify(found)
    assert accepted_certificate(table, found, result)[1] == result.verdict
