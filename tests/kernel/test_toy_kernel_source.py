"""A worked example: how the kernel learns a source of laws, and what refuses a half of it.

The toy states one chance, and the laws of two numbers: 1 with that chance under the first secret,
with its half under the second. Two pieces:

1. pfverify/kernel/reader/halves.py: a class as `protocols.Source` asks for, and its
   function `source`;
2. pfverify/kernel/reader/tables.py: its row in SOURCES.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from core.shapes import rational, table
from reader import reader, tables

# ------------------------------------------ file 1: pfverify/kernel/reader/halves.py

Law = dict[Fraction, Fraction]


class Halves(NamedTuple):
    """The numbers 0 and 1, by one chance."""

    chance: Fraction
    of: str = "priors"
    notion: str = "distp"
    partial: bool = False

    @property
    def beliefs(self) -> Mapping[str, Mapping[str, Law]]:
        """One belief."""
        zero, one = Fraction(0), Fraction(1)
        whole, half = self.chance, self.chance / 2
        laws = {"whole": {zero: 1 - whole, one: whole}, "half": {zero: 1 - half, one: half}}
        return {"default": laws}

    @property
    def asked(self) -> dict[str, Any]:
        """All pairs."""
        return {}

    def canonical(self) -> dict[str, Any]:
        """Its key in a digest."""
        return {"halves": str(self.chance)}

    def given(self, problem: object) -> str:
        """What is taken for granted."""
        return "a chance as given"

    def seen(self) -> tuple[str, set[str]]:
        """What its beliefs are."""
        return "belief", set()


def source(value: Any, release: object) -> Halves:
    """The chance of a problem."""
    return Halves(rational(table(value["halves"], "halves", {"chance"})["chance"], "chance"))


# ------------------------------------------------------------------------------- the tests

STATED = {
    "schema": "pfverify/problem/1",
    "epsilon": "log(3)",
    "noise": {"kind": "laplace", "scale": 1},
    "halves": {"chance": "2/3"},
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 1."""
    module = ModuleType("halves")
    vars(module)["source"] = source
    monkeypatch.setitem(sys.modules, "halves", module)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    monkeypatch.setitem(tables.SOURCES, "halves", tables.Row("halves", ("noise",)))


def answer(value: kb.Json) -> tuple[str, str]:
    steps = [
        {**kb.step("pure", *way, ties=[]), "bits": 128}
        for way in (("whole", "half"), ("half", "whole"))
    ]
    return kb.run(value, kb.certificate(value, "certified", steps))


@pytest.mark.usefixtures("written", "listed")
def test_a_module_and_a_row_are_read_judged_and_digested() -> None:
    word, message = answer(STATED)
    assert (word, message.endswith("one release, a chance as given")) == ("certified", True)
    other = {**STATED, "halves": {"chance": "1/3"}}
    assert len({kb.digest(STATED), kb.digest(other)}) == 2
    same = kb.problem({"0": "1/3", "1": "2/3"}, {"0": "2/3", "1": "1/3"}, "log(3)", 0, 1)
    same["priors"] = {"whole": same["priors"]["a"], "half": same["priors"]["b"]}
    assert answer(same)[0] == "certified"
    assert answer({**STATED, "epsilon": "log(11/10)"})[0] == "rejected"


@pytest.mark.usefixtures("written")
def test_without_its_row_the_table_is_no_key() -> None:
    with pytest.raises(Malformed, match='has the key "halves", not supported'):
        kb.digest(STATED)


@pytest.mark.usefixtures("listed")
def test_without_its_module_nothing_is_accepted() -> None:
    with pytest.raises(ModuleNotFoundError):
        kb.digest(STATED)
    word, _ = kb.run(STATED, {})
    assert word == "malformed"


@pytest.mark.usefixtures("written", "listed")
def test_two_sources_are_none() -> None:
    both = kb.problem({"0": 1}, {"1": 1}) | {"halves": STATED["halves"]}
    with pytest.raises(Malformed, match=r"exactly one of priors, .*, halves"):
        reader.problem_of(json.loads(json.dumps(both)))


@pytest.mark.usefixtures("written", "listed")
def test_a_source_beside_a_release_that_it_does_not_go_with() -> None:
    rows = [["1", "0"], ["0", "1"]]
    channel = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["c", "d"], "rows": rows}
    value = {key: STATED[key] for key in ("schema", "epsilon", "halves")} | {"channel": channel}
    with pytest.raises(Malformed, match='has the key "halves", not supported'):
        kb.digest(value)


def test_a_problem_without_a_release() -> None:
    with pytest.raises(Malformed, match="one of parts, channel, post, noise"):
        reader.problem_of({"schema": "pfverify/problem/1", "epsilon": 1, "priors": {}})
