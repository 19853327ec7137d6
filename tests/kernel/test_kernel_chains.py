"""Chains in the kernel: certificates of random ones, forged ones, and files that are refused."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from time import process_time
from typing import Any

import checker
import pytest
from core.grammar import Malformed
from core.work import checking
from reader.chain import _grid, stationary
from reader.correlated import Laws, Model
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


def grid(**axes: Any) -> dict[str, Any]:
    return {"grid": axes}


def uniform(count: int) -> dict[str, Any]:
    """So many states, each of which stays."""
    names = [f"s{k}" for k in range(count)]
    return {
        "states": {name: k for k, name in enumerate(names)}, "start": {"s0": 1},
        "transition": {name: {name: 1} for name in names},
    }  # fmt: skip


SPLIT = {"low": {"low": 1}, "high": {"high": 1}}
UNKNOWN = "not supported by this kernel"
BAD: list[tuple[dict[str, Any], str]] = [
    *(({"length": x}, "length must be an integer from 1 to 100000")
      for x in (0, 100_001, True, "5")),
    ({"start": {"low": "1/2"}}, "start: masses must be at least 0 and sum to 1"),
    ({"start": "even"}, "start must be a table"),
    ({"transition": SPLIT}, "start: there is no unique stationary law"),
    ({"transition": [SPLIT] * 10}, "transition must have a table for each step, or be one"),
    ({"transition": [BINARY["transition"]] * 10 + [SPLIT]},
     "start: stationary needs one table of transitions"),
    ({"transition": {"low": {"low": "3/2", "high": "-1/2"}, "high": {"low": 1}}},
     'transition of "low": masses must be at least 0 and sum to 1'),
    ({"states": {"low": 0}}, "a chain must have at least two states"),
    ({"states": ["low", "low"]}, "a state occurs twice"),
    ({"states": {"low": 0, " ": 1}}, 'the name " " is empty or not printable'),
    ({"states": {"low": 0, "a\n": 1}}, r'the name "a\n" is empty or not printable'),
    *(({"states": ["low", "high"], **more}, "states must have values, which are released")
      for more in ({}, {"release": "mean"}, {"release": "weighted", "weights": [1] * 12})),
    ({"release": "max"}, 'release "max" or about "state" is not known'),
    ({"release": "count"}, "count goes with the release count, and that needs it"),
    ({"count": "high"}, "count goes with the release count, and that needs it"),
    ({"release": "count", "count": "cold"}, "count names what no record may be"),
    ({"release": "weighted"}, "weights goes with the release weighted, and that needs it"),
    ({"weights": [1]}, "weights goes with the release weighted, and that needs it"),
    ({"release": "weighted", "weights": [1]}, "weights must be one for each record"),
    ({"at": []}, "no pairs: nothing to decide"),
    ({"at": [0]}, "at must be an integer from 1 to 12"),
    ({"at": [13]}, "at must be an integer from 1 to 12"),
    ({"at": [1], "secrets": "each"}, "secrets must be each, or at must list times"),
    ({"secrets": "some"}, "secrets must be each, or at must list times"),
    ({"secrets": "some", "at": [1]}, "secrets must be each, or at must list times"),
    ({"grid": {}}, "a grid without names"),
    (grid(p=[0, 1]), "grid: a name must have first, last, and how many"),
    (grid(p=[0, 1, 2, 3]), "grid: a name must have first, last, and how many"),
    (grid(**{"1p": [0, 1, 2]}), "grid: a name must have first, last, and how many"),
    (grid(p=[0, 1, 1]), "grid: how many must be an integer from 2 to 10000"),
    (grid(p=[0, 1, 10_001]), "grid: how many must be an integer from 2 to 10000"),
    (grid(p=[0, 1, 100], q=[0, 1, 101]), "a grid of too many chains"),
    ({"grid": []}, "grid must be a table"),
    ({"about": "observation"}, f'chain has the key "about", {UNKNOWN}'),
    ({"hidden": 1}, f'chain has the key "hidden", {UNKNOWN}'),
    ({"observation": {"low": {"0": 1}, "high": {"1": 1}}},
     f'chain has the key "observation", {UNKNOWN}'),
    ({**uniform(100), "length": 201}, "too many secrets"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "said"), BAD, ids=[said for _, said in BAD])
def test_files_that_are_no_chain_are_malformed(changed: dict[str, Any], said: str) -> None:
    bad = chains.problem_of({**BINARY, **changed})
    if "observation" in changed:
        bad["chain"] = bad.pop("hmm")
    assert checked(bad, {"schema": 1}) == ("malformed", said)


SEEN = {"states": ["low", "high"], "start": {"low": 1}, "transition": BINARY["transition"],
        "observation": {"low": {"0": "1/2", "1/2": "1/2"}, "high": {"1": 1}},
        "length": 3}  # fmt: skip
BAD_SEEN: list[tuple[dict[str, Any], str]] = [
    ({"about": "all"}, 'release "sum" or about "all" is not known'),
    ({"about": "all", "release": "max"}, 'release "max" or about "all" is not known'),
    ({"observation": {"low": {"0": 1}}}, 'observation lacks "high"'),
    ({"observation": {"low": {"0": 1}, "high": 1}}, 'observation of "high" must be a table'),
    ({"observation": {"low": {"1/2": "1/2", "2/4": "1/2"}, "high": {"1": 1}}},
     'observation of "low": a value occurs twice'),
    ({"release": "count", "count": "3"}, "count names what no record may be"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "said"), BAD_SEEN, ids=[said for _, said in BAD_SEEN])
def test_files_that_are_no_hidden_chain_are_malformed(changed: dict[str, Any], said: str) -> None:
    assert checked(chains.problem_of({**SEEN, **changed}), {"schema": 1}) == ("malformed", said)


def models(stated: dict[str, Any]) -> dict[str, Model]:
    return dict(_grid(stated, "hmm" if "observation" in stated else "chain"))


@pytest.mark.parametrize("seed", range(40))
def test_laws_of_a_chain_are_those_of_every_path(seed: int) -> None:
    stated = chains.table(Random(seed), hidden=seed % 2 == 0, longest=4)
    (model,) = models(stated).values()
    found = Laws(model).kept(1)
    assert {secret: found[secret] for secret in found} == chains.laws(stated)


def test_a_table_for_each_step_is_its_own() -> None:
    """Steps that differ, from the second record on; those that are alike are one table."""
    turn, stay = {"low": {"high": 1}, "high": {"low": 1}}, SPLIT
    stated = {**BINARY, "start": {"low": "1/3", "high": "2/3"}, "release": "sum"}
    for steps in ([stay], [turn], [stay, turn], [turn, stay], [turn, turn, stay], [stay] * 3):
        chain = {**stated, "transition": steps, "length": len(steps) + 1}
        (model,) = models(chain).values()
        found = Laws(model).kept(1)
        assert {secret: found[secret] for secret in found} == chains.laws(chain), steps
    one = {**BINARY, "length": 4}
    (alike,) = models({**one, "transition": [BINARY["transition"]] * 3}).values()
    assert alike.written == next(iter(models(one).values())).written
    (short,) = models({**stated, "transition": [], "length": 1}).values()
    assert short.written["transition"] == []


def test_grids_have_up_to_10000_chains() -> None:
    """Named by their points, which divide each range evenly; the first is made first."""
    cells = {"low": {"low": "1-p", "high": "p"}, "high": {"low": "1 - q", "high": "q"}}
    stated = {**BINARY, "length": 2, "transition": cells, "start": {"low": 1}}
    small = models({**stated, **grid(p=["1/4", "1/2", 3], q=[0, 1, 2])})
    points = [(p, q) for p in ("1/4", "3/8", "1/2") for q in ("0", "1")]
    assert list(small) == [f"p={p}, q={q}" for p, q in points]
    for (p, q), model in zip(points, small.values(), strict=True):
        rows = [[str(1 - Fraction(x)), x] for x in (p, q)]
        assert model.written["transition"] == [rows]
    many = _grid({**stated, **grid(p=[0, 1, 100], q=[0, 1, 100])}, "chain")
    assert next(many)[0] == "p=0, q=0"
    alone = _grid({**stated, "transition": BINARY["transition"], **grid(p=[0, 1, 10_000])}, "chain")
    assert next(alone)[0] == "p=0"


def test_a_chain_has_so_many_secrets() -> None:
    """100 states of 200 records are 2 * 10^6 ordered pairs; one record more is refused above."""
    (model,) = models({**BINARY, **uniform(100), "length": 200}).values()
    assert len(model.asked) == 200
    (model,) = models({**BINARY, **uniform(100), "length": 201, "at": [7, 201, 7]}).values()
    assert [one.name for one in model.asked] == ["t=7", "t=201"]


def law_of(rows: Any) -> dict[str, Fraction]:
    return stationary({(a,): {b: Fraction(x) for b, x in row.items()} for a, row in rows.items()})


def test_the_stationary_law_stays() -> None:
    for seed in range(20):
        draw = Random(seed)
        names = [f"s{k}" for k in range(draw.randint(2, 6))]
        rows: dict[str, dict[str, Fraction]] = {}
        for a in names:
            weights = [draw.choice((0, 1, 3, 7)) for _ in names]
            weights[0] += 1  # from everywhere to one: there is one such law
            rows[a] = {b: Fraction(w, sum(weights)) for b, w in zip(names, weights, strict=True)}
        law = law_of(rows)
        assert sum(law.values()) == 1
        assert all(sum(law[a] * rows[a][b] for a in names) == law[b] for b in names)
    with pytest.raises(Malformed, match="start: there is no unique stationary law"):
        law_of({"a": {"a": 1, "b": 0}, "b": {"a": 0, "b": 1}})


def test_a_stationary_law_is_charged_by_the_length_of_its_numbers() -> None:
    """The elimination makes numbers as long as those of all rows together."""
    spent = []
    for denominator in (2, 2**60 - 1):
        names = [f"s{k}" for k in range(24)]
        some = Fraction(denominator // 2, denominator)
        rows = {a: dict.fromkeys(names, Fraction(0)) for a in names}
        for k, a in enumerate(names):
            rows[a][a], rows[a][names[k - 1]] = some, 1 - some
        with checking(0) as check:
            law = law_of(rows)
        assert law == dict.fromkeys(names, Fraction(1, 24))
        spent.append(check.spent)
    print(spent)
    assert spent[1] > 3 * spent[0]


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
