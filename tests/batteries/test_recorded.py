"""The recorded problems are there, and the command line answers them as it did."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from support import (
    recorded_chains,
    recorded_families,
    recorded_several,
    recorded_steps,
    tally,
)
from support.recorded import HASHES, answer, line, short_hash
from support.recorded_channels import KINDS
from support.recorded_compared import WRITTEN, Answer, changes, compared
from support.recorded_problems import COUNT, FAMILIES, Family, Recorded, recorded
from support.tally import Record

BLOCKS = 60
LEAST = 6_000
STEPS = ("clamp", "round", "floor", "ceil", "threshold", "bins", "modulo")
RELEASES = ("sum", "mean", "count", "weighted")
PACE = 199  # the default run asks every so many


def told(table: Any, key: str) -> Iterator[str]:
    """What stands under a key, wherever it is in a table."""
    parts = table.values() if isinstance(table, dict) else table if isinstance(table, list) else ()
    if isinstance(table, dict) and isinstance(table.get(key), str):
        yield table[key]
    for part in parts:
        yield from told(part, key)


def counted(counts: Counter[str], problem: Recorded, found: Answer) -> None:
    """What was asked, and how it ended."""
    table = problem.table
    counts["problems"] += 1
    counts[f"form {table.get('form')}"] += 1
    counts.update(f"kind {kind}" for kind in set(told(table, "kind")))
    counts.update(f"notion {notion}" for notion in set(told(table, "notion")))
    for command in problem.commands:
        code, out, err = found[command]
        name = command.split()[0]
        counts[f"{name} exit {code}"] += 1
        assert (code in (0, 1, 3)) or (out == "" and err.count("\n") == 1), (problem, found)
        assert "Traceback" not in err
        if name == "check":  # what was written is accepted; nothing is, where nothing was proved
            assert (code == 0) == (WRITTEN in found), (problem, found)
            counts["certificates"] += code == 0


def test_a_slice_of_the_record() -> None:
    """Every kind of problem, answered twice in the same bytes."""
    counts: Counter[str] = Counter()
    for k, index in enumerate(range(0, COUNT, PACE)):
        problem = recorded(index)
        found = answer(problem)
        counted(counts, problem, found)
        if k % 4 == 0:
            assert line(answer(problem)) == line(found)
    tally.reached(counts, "form events", "form pointwise", "certify exit 0", "certify exit 1",
                  "certify exit 2", "loss exit 0", "calibrate exit 0", "certificates")  # fmt: skip
    for kind in ("laplace", "discrete-laplace", "gaussian", "discrete", "mixture", "finite"):
        tally.reached(counts, f"kind {kind}")


WIDER = [family for family in FAMILIES if set(family.name.split("-")) & {
    "channel", "input", "tupling", "xdistp", "system", "coupling", "lifting", "certificate",
    "scales", "undecided",
}]  # fmt: skip


@pytest.mark.parametrize("family", WIDER, ids=[family.name for family in WIDER])
def test_every_family_is_of_its_kind(family: Family) -> None:
    """The tables alone, without an answer: all kinds of channel, of notions, of users."""
    first = sum(one.count for one in FAMILIES[: FAMILIES.index(family)])
    problems = [recorded(first + k) for k in range(family.count)]
    counts = Counter[str]()
    for problem in problems:
        counts.update(f"notion {notion}" for notion in set(told(problem.table, "notion")))
        counts.update(set(told(problem.table, "kind")))
        counts.update(list(problem.table.get("system", ())))
        assert problem.name.startswith(family.name)
        assert set(problem.commands) == set(family.commands)
    if family.name in ("channel", "input", "channel-xdistp", "certificate"):
        tally.reached(counts, *KINDS, least=2)
    names = {"channel-xdistp": ["xdistp"], "noise-xdistp": ["xdistp"], "input": ["dp", "xdp"]}
    for notion in names.get(family.name, ()):
        tally.reached(counts, f"notion {notion}", least=10)
    if family.name == "system":
        keys = ("user", "others", "release", "rest", "presence_model", "pair_set", "protect")
        noises = ("laplace", "discrete-laplace", "gaussian", "none")
        tally.reached(counts, *keys, *noises, least=5)
    if family.name == "undecided":
        tally.reached(counts, "user", least=family.count // 2)
    if family.name == "tupling":
        tally.reached(counts, "tupling", least=family.count)


def tables(name: str) -> list[Any]:
    """The tables of one family."""
    places = [(family.name, k) for family in FAMILIES for k in range(family.count)]
    return [recorded(at).table for at, (found, _) in enumerate(places) if found == name]


def test_each_noise_meets_each_step() -> None:
    """Behind every noise every step that it takes, in both forms, with delta and without."""
    counts = Counter[str]()
    for table in tables("steps"):
        kind = table["noise"]["kind"]
        counts.update({f"{kind} {key}" for step in table["post"] for key in step})
        counts.update([f"{kind} {table['form']}", f"{kind} delta {table['delta'] != '0'}"])
        counts[f"{kind} steps {len(table['post'])}"] += 1
    assert {key for stated in recorded_steps.CHAINS for key in stated} == set(STEPS)
    for kind in {stated["kind"] for stated in recorded_steps.NOISES}:
        taken = [key for key in STEPS if "gaussian" not in kind or key != "modulo"]
        tally.reached(counts, *(f"{kind} {key}" for key in taken), least=2)
        tally.reached(counts, f"{kind} delta True", f"{kind} delta False", f"{kind} steps 2")
        if "gaussian" not in kind:
            tally.reached(counts, f"{kind} pointwise")


def test_each_kind_of_chain_meets_each_noise() -> None:
    """With steps behind it, and for each number that is released."""
    for name, word in (("chain", "chain"), ("chain-hidden", "hmm"), ("chain-network", "network")):
        counts = Counter[str]()
        for table in tables(name):
            noise, stated = table["noise"]["kind"], table[word]
            counts.update([f"{noise} {stated.get('release', 'sum')}", f"{noise} {table['form']}"])
            counts.update(f"{noise} {key}" for key in ("post", "pre") if key in table)
        for noise in {stated["kind"] for stated in recorded_chains.NOISES}:
            tally.reached(counts, f"{noise} events", f"{noise} post")
            if word != "network":
                tally.reached(counts, *(f"{noise} {release}" for release in RELEASES))
    kinds = {table["noise"]["kind"] for table in tables("chain") if "pre" in table}
    assert kinds == {stated["kind"] for stated in recorded_chains.NOISES}


def test_each_family_meets_each_noise() -> None:
    counts = Counter[str]()
    for table in tables("families"):
        kinds = {prior["kind"] for prior in table["priors"].values()}
        counts.update(f"{table['noise']['kind']} {kind}" for kind in kinds)
    for noise in {stated["kind"] for stated in recorded_families.NOISES}:
        kinds = {kind.replace("line", "ball") for kind in recorded_families.KINDS}
        tally.reached(counts, *(f"{noise} {kind}" for kind in kinds), least=3)


def test_each_way_to_release_again_has_each_noise() -> None:
    counts = Counter[str]()
    for table in tables("several-releases"):
        noise = table["noise"]
        keys = [key for key in ("releases", "scales", "total") if key in noise]
        draws = noise.get("draws", "same")
        counts.update(f"{noise['kind']} {key} {draws}" for key in keys)
        counts[f"{noise['kind']} post"] += "post" in table
    for kind in set(recorded_several.REPEATED):
        ways = ("releases same", "releases fresh", "scales same", "scales fresh", "total same")
        tally.reached(counts, *(f"{kind} {way}" for way in ways), f"{kind} post", least=3)


ENDS = {"lower": "0.123456789012", "upper": "0.123456789013"}


def said(**ends: str) -> Answer:
    """An answer about one enclosure."""
    pairs = [{"loss": {**ENDS, **ends}, "tie": True}]
    out = {"verdict": "certified", "digest": "d", "pairs": pairs}
    return {"name": "p", "certify": [0, json.dumps(out), ""], WRITTEN: "bytes"}


@pytest.mark.parametrize(("ends", "kinds"), [
    ({}, []),
    ({"lower": "0.123456789011"}, ["moved"]),
    ({"lower": "0.123456789013", "upper": "0.123456789015"}, ["moved", "moved"]),
    ({"lower": "0.123456789010"}, ["differs"]),  # three units
    ({"lower": "0.123456789014", "upper": "0.123456789015"}, ["differs"]),  # they do not overlap
    ({"upper": "inf"}, ["differs"]),
    ({"lower": "0.123456789013", "upper": "0.123456789012"}, ["differs"]),  # upside down
    ({"upper": "0.1234567890130"}, ["differs"]),  # the same number in other words
])  # fmt: skip
def test_ends_may_move_within_what_the_design_says(ends: dict[str, str], kinds: list[str]) -> None:
    assert [found.kind for found in changes(said(), said(**ends))] == kinds
    assert compared({"p": said()}, {"p": said(**ends)}).differ == ("differs" in kinds)


def test_a_wide_enclosure_stays_as_wide() -> None:
    wide = said(lower="0", upper="1")
    assert [found.kind for found in changes(wide, said(lower="0", upper="0.9"))] == ["moved"]
    assert [found.kind for found in changes(wide, said(lower="0", upper="2"))] == ["differs"]
    infinite = said(lower="inf", upper="inf")
    assert [found.kind for found in changes(infinite, said(lower="1", upper="inf"))] == ["differs"]


@pytest.mark.parametrize(("old", "new"), [
    ("certified", "refuted"),
    ('"digest": "d"', '"digest": "e"'),
    ('"digest": "d", ', ""),
    ("true", "1"),
    ("[", "[1, "),
    ('"0.123456789013"', "1"),
    ("{", "not JSON"),
])  # fmt: skip
def test_anything_else_that_changed_differs(old: str, new: str) -> None:
    code, out, err = said()["certify"]
    assert old in out
    for found in ([code, out.replace(old, new), err], [1, out, err], [code, out, "warned\n"],
                  [code, "", err], [None, out, err]):  # fmt: skip
        kinds = {one.kind for one in changes(said(), said() | {"certify": found})}
        assert kinds == {"differs"}


def test_a_certificate_may_have_other_bytes() -> None:
    other = said() | {WRITTEN: "others"}
    assert [found.kind for found in changes(said(), other)] == ["certificate"]
    assert short_hash(other) == short_hash(said())
    gone = {key: part for key, part in said().items() if key != WRITTEN}
    assert [found.kind for found in changes(said(), gone)] == ["differs"]


def test_a_lost_problem_is_found() -> None:
    assert compared({"p": said(), "q": said()}, {"p": said()}).differ
    assert not compared({"p": said(), "q": said()}, {"p": said()}, some=True).differ
    assert compared({"p": said()}, {"p": said(), "q": said()}, some=True).differ


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_record(block: int, record_property: Record) -> None:
    """Line by line as in `recorded.txt`; another version of python-flint or scipy may move the last
    digit of an enclosure: then record both trees with it, and compare."""
    known = dict(text.split() for text in HASHES.read_text("ascii").splitlines())
    assert len(known) == COUNT >= LEAST
    counts: Counter[str] = Counter()
    changed = []
    for index in range(block, COUNT, BLOCKS):
        problem = recorded(index)
        found = answer(problem)
        counted(counts, problem, found)
        if short_hash(found) != known[problem.name]:
            changed.append(problem.name)
    counts["changed"] = len(changed)
    shown = ("problems", "certificates", "changed")
    tally.report("recorded answers", counts, shown, record_property)
    assert counts["problems"] >= LEAST // BLOCKS
    tally.reached(counts, "certify exit 0", "certify exit 1", "certify exit 2", "certificates")
    assert changed == []
