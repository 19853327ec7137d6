"""A worked example: how to add a source of laws, and what happens where a piece is left out.

The toy states one chance, and the laws of two numbers: 1 with that chance under the first secret,
with its half under the second. It is its laws, so that its digest is that of the same laws typed as
priors. Four files are touched:

1. pfverify/model/sources/halves.py: the class below (one job: the laws, how they are written, and
   what they assume);
2. pfverify/model/sources/kinds.py: its row in SOURCES, with its part of the schema. Files, digests,
   both orders of every pair, every route and answer come with that;
3. pfverify/kernel/reader/halves.py: the same for the kernel, as `protocols.Source` asks for;
4. pfverify/kernel/reader/tables.py: its row in SOURCES.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from support.kernel_run import accepted_certificate

from pfverify import Discrete, InputError, Laplace, Problem, calibrate, certify, loss
from pfverify.edge.views.data import as_data
from pfverify.exact.number import rational
from pfverify.model.protection import Protection
from pfverify.model.requirement import Requirement
from pfverify.model.sources import kinds
from pfverify.model.sources.source import DEFAULT_BELIEF, OfLaws, Source

from reader import tables as kernel_tables  # isort: skip
from reader.priors import canonical_prior  # isort: skip
from core import shapes as kernel_files  # isort: skip

# ------------------------------------------ file 1: model/sources/halves.py


class Halves(OfLaws):
    """The numbers 0 and 1, by one chance."""

    chance: Fraction

    def __init__(self, chance: Any) -> None:
        whole = rational(chance, "halves.chance")
        laws = {name: Discrete({0: 1 - p, 1: p}) for name, p in
                (("whole", whole), ("half", whole / 2))}  # fmt: skip
        self._keep(chance=whole, laws={DEFAULT_BELIEF: laws})

    def assumed(self) -> list[str]:
        return ["a chance as given"]

    def tables(self) -> dict[str, Any]:
        return {"halves": {"chance": str(self.chance)}}


ROW = kinds.SourceTable(
    lambda table: Halves(table["chance"]), Halves,
    {
        "type": "object", "required": ["chance"], "additionalProperties": False,
        "properties": {"chance": {"$ref": "#/$defs/number"}},
    },
)  # fmt: skip


# ------------------------------------------ file 3: pfverify/kernel/reader/halves.py


class KernelHalves(NamedTuple):
    """The numbers 0 and 1, by one chance."""

    chance: Fraction
    of: str = "priors"
    notion: str = "distp"
    partial: bool = False

    @property
    def beliefs(self) -> dict[str, dict[str, dict[Fraction, Fraction]]]:
        zero, one = Fraction(0), Fraction(1)
        chances = {"whole": self.chance, "half": self.chance / 2}
        return {"default": {name: {zero: 1 - p, one: p} for name, p in chances.items()}}

    @property
    def asked(self) -> dict[str, Any]:
        return {}

    def canonical(self) -> dict[str, Any]:
        ((name, laws),) = self.beliefs.items()
        return {"beliefs": [[name, [[one, canonical_prior(law)] for one, law in laws.items()]]]}

    def given(self, problem: object) -> str:
        del problem
        return "a chance as given"

    def seen(self) -> tuple[str, set[str]]:
        return "belief", set()


def source(value: Any, release: object) -> KernelHalves:
    del release
    stated = kernel_files.table(value["halves"], "halves", {"chance"})
    return KernelHalves(kernel_files.rational(stated["chance"], "chance"))


# ------------------------------------------------------------------------------- the pieces

TABLE = {
    "schema": "pfverify/problem/1",
    "epsilon": "log(3)",
    "noise": {"kind": "laplace", "scale": "1"},
    "halves": {"chance": "2/3"},
}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    monkeypatch.setitem(kinds.SOURCES, "halves", ROW)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 3."""
    module = ModuleType("halves")
    vars(module)["source"] = source
    monkeypatch.setitem(sys.modules, "halves", module)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 4."""
    monkeypatch.setitem(kernel_tables.SOURCES, "halves", kernel_tables.Row("halves", ("noise",)))


def typed(**changes: Any) -> Problem:
    """The same laws, typed as priors."""
    priors = {"whole": Discrete({0: "1/3", 1: "2/3"}), "half": Discrete({0: "2/3", 1: "1/3"})}
    return Problem(priors, **({"noise": Laplace(1), "epsilon": "log(3)"} | changes))


def kernel_word(problem: Problem) -> tuple[str, str]:
    return accepted_certificate(problem.to_table(), problem, certify(problem))[1:]


# ------------------------------------------------------------------------------- the tests


def test_what_is_not_registered_is_no_key() -> None:
    with pytest.raises(InputError, match="halves"):
        Problem.from_table(TABLE)


@pytest.mark.usefixtures("registered", "written", "listed")
def test_in_four_files_it_is_read_decided_measured_calibrated_and_proved() -> None:
    asked = Problem.from_table(TABLE)
    assert Problem.from_table(asked.to_table()) == asked
    assert Problem.from_text(asked.to_toml()) == asked == typed()
    made = Problem.of(Halves("2/3"), Laplace(1), Requirement("log(3)", 0, "events",
                                                            Protection("distp")))  # fmt: skip
    assert made == asked
    for changes in ({}, {"epsilon": "log(11/10)"}, {"delta": "1/100"}):
        one, two = asked.replaced(**changes), typed().replaced(**changes)
        for ask in (certify, loss, calibrate):
            found, expected = as_data(ask(one)), as_data(ask(two))
            assumed = found.pop("assumed"), expected.pop("assumed")
            assert [x for x in assumed[0] if x not in assumed[1]] == ["a chance as given"]
            assert found == expected
        word, message = kernel_word(one)
        assert word == certify(one).verdict, message
        assert "a chance as given" in message


@pytest.mark.usefixtures("registered")
def test_two_sources_are_refused() -> None:
    priors = {"a": {"kind": "discrete", "mass": {"0": 1}}}
    with pytest.raises(InputError, match=r"exactly one of priors, .*, system and halves"):
        Problem.from_table(TABLE | {"priors": priors})
    with pytest.raises(InputError, match=r"exactly one of priors, .*, system and halves"):
        Problem.from_table({key: part for key, part in TABLE.items() if key != "halves"})


@pytest.mark.usefixtures("registered", "listed")
def test_without_its_module_the_kernel_accepts_nothing() -> None:
    assert kernel_word(Problem.from_table(TABLE))[0] == "malformed"


@pytest.mark.usefixtures("registered", "written")
def test_without_its_row_the_kernel_knows_no_such_key() -> None:
    word, message = kernel_word(Problem.from_table(TABLE))
    assert (word, "halves" in message) == ("malformed", True)


def test_a_source_that_leaves_a_piece_out_cannot_be_made() -> None:
    class Silent(Halves):
        """It does not say what it assumes."""

        assumed = Source.assumed  # type: ignore[assignment]

    Silent.__abstractmethods__ = frozenset({"assumed"})
    with pytest.raises(TypeError, match="abstract"):
        Silent("1/2")
