"""What answers rest on is named, and every fact has a proof file or a reason to stand without."""

from __future__ import annotations

import json
from typing import Any

import kernel_builder as kb
import pytest
from core import couplings
from core.facts import FACTS
from support.kernel_lines import alone, left_open
from support.proofs import FILES, loaded, with_used

from pfverify.proof.outcome import Result

NAMED = {*FACTS}.union(*(found for *_, found in couplings.COUPLING.values()))
DESIGN = {path.stem: path for path in FILES if path.parent.name == "design"}
# outputs or masses are compared one by one, or a density is worked out at one point
BARE = {
    *("channel", "coupling", "equal", "grid-refuted", "mass-refuted", "output-refuted"),
    *("outputs-refuted", "pure-refuted", "pointwise-refuted", "tupling", "tupling-refuted"),
}
NORMAL = "event-refuted"  # where the laws are normal: a table of their distribution function


def test_every_fact_has_a_proof_file_or_is_said_to_stand_without() -> None:
    assert NAMED - DESIGN.keys() == {*alone()} == {"CELL", "INJS", "TABLE", "X"}
    assert all(len(why) > 10 for why in alone().values())
    results = {name: loaded(DESIGN[name]).claim.result for name in NAMED & DESIGN.keys()}
    assert {name for name, result in results.items() if result is not Result.PROVED} == set()
    for name, text in FACTS.items():  # a text that cites a file cites that of the fact
        assert all(cited.startswith(name) for cited in _cited(text)), name


def _cited(text: str) -> list[str]:
    return [part for part in text.translate(str.maketrans("(),:", "    ")).split()
            if part in DESIGN and part[0] == "F" and part[1:2].isdigit()]  # fmt: skip


def test_what_proof_files_leave_open_is_said() -> None:
    found = {name: left_open(name) for name in NAMED & DESIGN.keys()}
    assert {name for name, text in found.items() if text} == {
        "F40l", "F42", "F42b", "F43i", "F61", "F75", "MGF"
    }  # fmt: skip
    from core import facts

    said = (facts.__doc__ or "").rpartition("`open`: ")[2]
    assert {part.strip(" .\n") for part in said.split(",")} == {
        "F3b (of F3)", *(name for name, text in found.items() if text)}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("F62", {"F62a", "F62b", "F62d", "F62e"}),
        ("F40k", {"F40b", "F40c", "F40d", "F40j"}),
        ("F40l", {"F40c", "F40d", "F40f", "F40g"}),
        ("F44", {"F2a"}),
        ("MIX", {"F28"}),
        ("F2G", {"F2a", "F41c"}),
    ],
)
def test_facts_are_joined_by_citation(name: str, parts: set[str]) -> None:
    assert parts <= {path.stem for path in with_used({name})}


@pytest.mark.slow
def test_rules_of_the_corpus_name_what_they_use() -> None:
    empty: dict[str, set[str]] = {}
    behind = 0
    for path in sorted((kb.CORPUS / "accept").glob("*.json")):
        case = json.loads(path.read_text())
        found = kb.checked(case["problem"], case["certificate"], case["problem_suffix"])
        assert found.word == case["expect"]
        assert found.check is not None
        used = found.check.rules
        for rule, facts in used.items():
            assert facts <= NAMED, (path.stem, rule)
            if found.word != "coupling":  # whose lines name them
                assert all(FACTS[fact] in found.message for fact in facts), (path.stem, rule)
            if not facts:
                empty.setdefault(rule, set()).add(path.stem)
        problem = case["problem"]
        if isinstance(problem, dict) and "post" in problem and "channel" not in problem:
            behind += 1
            noise, named = problem["noise"]["kind"], set().union(*used.values())
            if noise in ("laplace", "truncated-laplace") and "equal" not in used:
                assert named & {"F45", "DPI", "F6", "F43f", "F43h", "F43i"}, path.stem
    assert behind > 5
    assert empty.keys() - BARE == {NORMAL}
    gaussian = {"event-refuted-normal", "scale-and-minimum-normal", "smooth-steps-refuted",
                "smooth-row-refuted", "smooth-row-shown"}  # fmt: skip
    assert empty[NORMAL] == gaussian


P, Q = {"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"}
TWO = {"a": {"kind": "discrete", "mass": P}, "b": {"kind": "discrete", "mass": Q}}
LAPLACE = {"kind": "laplace", "scale": 1}
LATTICE = {"kind": "discrete-laplace", "scale": 1, "step": 1}
TABLE = {"kind": "table", "weights": {"0": "1/2", "1": "1/2"}}
ROUND, WRAP = {"round": {"to": 1}}, {"modulo": 2}


@pytest.mark.parametrize(
    ("noise", "steps", "facts"),
    [
        (LAPLACE, [ROUND], {"F45", "F45d"}),
        (LATTICE, [{"bins": {"edges": [0, 3]}}], {"F45e", "F45d"}),
        (LATTICE, [WRAP], {"F45e", "F49"}),
        (LAPLACE, [ROUND, WRAP], {"F45", "F49"}),
        (LAPLACE, [{"clamp": [0, 4]}, {"round": {"to": 1}}, WRAP], {"F45"}),
        (LAPLACE, [{"clamp": [0, 1]}], {"F45"}),
        ({"kind": "truncated-laplace", "scale": 1, "bound": 3}, [ROUND], {"F45"}),
        (TABLE, [WRAP], {"TABLE"}),
        ({"kind": "none"}, [WRAP], {"X"}),
    ],
)
def test_steps_name_how_their_masses_are_known(
    noise: dict[str, Any], steps: list[Any], facts: set[str]
) -> None:
    problem = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": 0, "noise": noise,
               "post": steps, "priors": TWO}  # fmt: skip
    found = kb.reader.problem_of(problem)
    assert found.release.seen("certified")[1] == facts
