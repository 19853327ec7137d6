"""A worked example: how the kernel learns a notion with a parameter, and what refuses a half of it.

The toy protects a group: its epsilon is that of one member times the size of the group. Two pieces:

1. pfverify/kernel/reader/grouped.py: a class as `protocols.Notion` asks for, and its
   function `notion`;
2. pfverify/kernel/reader/tables.py: its row in NOTIONS, and its key in the row of noise.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import kernel_builder as kb
import pytest
from core.grammar import Malformed, Number, combine
from core.shapes import integer
from reader import tables

# ------------------------------------------ file 1: pfverify/kernel/reader/grouped.py


class Grouped(NamedTuple):
    """One epsilon for each member of a group."""

    size: int
    name: str = "grouped"

    @property
    def written(self) -> dict[str, Any]:
        """Its keys in a digest."""
        return {"notion": self.name, "group": self.size}

    def words(self) -> str:
        """It, in a message."""
        return f"notion={self.name} group={self.size}"

    def epsilon(self, stated: Number, names: object) -> Number:
        """That of all members."""
        return combine("*", stated, Fraction(self.size))


def notion(stated: Any, name: str, release: object, source: object) -> Grouped:
    """The notion of a problem."""
    return Grouped(integer(stated.get("group"), "group", 1, 1000))


# ------------------------------------------------------------------------------- the tests

PLAIN = kb.problem({"0": 1}, {"1": 1}, "101/100", 0, "1/2")  # needs epsilon = 2
STATED = {**PLAIN, "notion": "grouped", "group": 2}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 1."""
    module = ModuleType("grouped")
    vars(module)["notion"] = notion
    monkeypatch.setitem(sys.modules, "grouped", module)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    row = tables.Row("grouped", ("priors",), ("group",))
    monkeypatch.setitem(tables.NOTIONS, "grouped", row)
    beside = ("notion", "metric", "group")
    monkeypatch.setitem(tables.RELEASES, "noise", tables.Row("reader.noise", beside))


def answer(value: kb.Json) -> tuple[str, str]:
    steps = [kb.step("pure", *way, ties=[]) for way in (("a", "b"), ("b", "a"))]
    return kb.run(value, kb.certificate(value, "certified", steps))


@pytest.mark.usefixtures("written", "listed")
def test_a_module_and_a_row_are_read_judged_and_digested() -> None:
    word, message = answer(STATED)
    assert (word, "noise=laplace notion=grouped group=2" in message) == ("certified", True)
    assert answer({**STATED, "group": 1})[0] == "rejected"
    assert answer(PLAIN)[0] == "rejected"
    assert len({kb.digest(value) for value in (PLAIN, STATED, {**STATED, "group": 1})}) == 3
    with pytest.raises(Malformed, match="group must be an integer"):
        kb.digest({**STATED, "group": 0})


@pytest.mark.usefixtures("written", "listed")
@pytest.mark.parametrize("other", ["distp", "xdistp"])
def test_another_notion_does_not_have_its_parameter(other: str) -> None:
    with pytest.raises(Malformed, match=f"the notion {other} has no group"):
        kb.digest({**PLAIN, "notion": other, "group": 2})


@pytest.mark.usefixtures("written")
def test_without_its_row_the_name_is_no_notion() -> None:
    with pytest.raises(Malformed, match='has the key "group", not supported'):
        kb.digest(STATED)
    with pytest.raises(Malformed, match='the notion "grouped" is not one for priors'):
        kb.digest({**PLAIN, "notion": "grouped"})


@pytest.mark.usefixtures("listed")
def test_without_its_module_nothing_is_accepted() -> None:
    assert kb.run(STATED, {})[0] == "malformed"
