"""A worked example: how to add a notion with a parameter, and what a missing piece leads to.

The toy protects a group: its epsilon is that of one member times the size of the group. Three files
are touched:

1. pfverify/model/protection.py: its row in KINDS, with its parameter and what that multiplies
   epsilon by. Files, the schema, digests, targets and answers per unit come with that;
2. pfverify/kernel/reader/grouped.py: the same for the kernel, as `protocols.Notion` asks for;
3. pfverify/kernel/reader/tables.py: its row in NOTIONS, and its key in the row of noise.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from support.kernel_run import accepted_certificate

from pfverify import Discrete, InputError, Laplace, Problem, certify, loss
from pfverify.model import protection
from pfverify.model.protection import Protection

from reader import tables as kernel_tables  # isort: skip
from core import shapes as kernel_files  # isort: skip
from core import grammar as kernel_grammar  # isort: skip

# ------------------------------------------ file 1: model/protection.py

ROW = protection.ProtectionKind(
    False, None, "privacy of groups", {"group": "how many members"}, lambda own: own["group"]
)


# ------------------------------------------ file 2: pfverify/kernel/reader/grouped.py


class Grouped(NamedTuple):
    """One epsilon for each member of a group."""

    size: Fraction
    name: str = "grouped"

    @property
    def written(self) -> dict[str, Any]:
        return {"notion": self.name, "group": str(self.size)}

    def words(self) -> str:
        return f"notion={self.name} group={self.size}"

    def epsilon(self, stated: Any, names: object) -> Any:
        del names
        return kernel_grammar.combine("*", stated, self.size)


def notion(stated: Any, name: str, release: object, source: object) -> Grouped:
    del name, release, source
    if "group" not in stated:
        raise kernel_grammar.Malformed("the notion grouped has a group")
    return Grouped(kernel_files.rational(stated["group"], "group"))


# ------------------------------------------------------------------------------- the pieces


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 1."""
    monkeypatch.setitem(protection.KINDS, "grouped", ROW)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    module = ModuleType("grouped")
    vars(module)["notion"] = notion
    monkeypatch.setitem(sys.modules, "grouped", module)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 3."""
    row = kernel_tables.Row("grouped", ("priors",), ("group",))
    monkeypatch.setitem(kernel_tables.NOTIONS, "grouped", row)
    beside = ("notion", "metric", "group")
    monkeypatch.setitem(kernel_tables.RELEASES, "noise", kernel_tables.Row("reader.noise", beside))


PRIORS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def grouped(size: object, **changes: Any) -> Problem:
    kept = Protection("grouped", group=size)
    target = {"noise": Laplace("1/2"), "epsilon": 1, "protection": kept}
    return Problem(PRIORS, **(target | changes))


def kernel_word(problem: Problem) -> tuple[str, str]:
    return accepted_certificate(problem.to_table(), problem, certify(problem))[1:]


# ------------------------------------------------------------------------------- the tests


def test_what_is_not_registered_is_no_notion() -> None:
    with pytest.raises(InputError, match="notion: 'grouped' is unknown, expected one of distp"):
        grouped(2)


@pytest.mark.usefixtures("registered", "written", "listed")
def test_in_three_files_it_is_read_decided_measured_and_proved() -> None:
    for size, verdict in ((2, "certified"), ("199/100", "refuted")):
        asked = grouped(size)
        found = certify(asked)
        assert (found.verdict, found.notion) == (verdict, "grouped")
        assert found.pairs[0].epsilon == Fraction(size)
        word, message = kernel_word(asked)
        assert (word, f"group={Fraction(size)}" in message) == (verdict, True)
        assert Problem.from_text(asked.to_toml()) == asked
    assert certify(Problem(PRIORS, noise=Laplace("1/2"), epsilon=1)).refuted
    per_unit = loss(grouped(4)).epsilon_star_per_unit
    assert per_unit is not None
    assert (per_unit.lower, per_unit.upper) == (Fraction(1, 2), Fraction(1, 2))
    assert grouped(2) != grouped(3)


@pytest.mark.usefixtures("registered")
def test_its_parameter_is_its_own_and_needed() -> None:
    with pytest.raises(InputError, match="group: missing, the notion grouped has this parameter"):
        Protection("grouped")
    with pytest.raises(InputError, match="group: not with the notion distp"):
        Protection("distp", group=2)
    with pytest.raises(InputError, match="group: -1, expected a number >= 0"):
        Protection("grouped", group=-1)
    table = Problem(PRIORS, noise=Laplace(1), epsilon=1).to_table()
    with pytest.raises(InputError, match="group: not with the notion distp"):
        Problem.from_table(table | {"group": 2})


@pytest.mark.usefixtures("registered", "written")
def test_without_its_row_the_kernel_refuses_the_key() -> None:
    word, message = kernel_word(grouped(2))
    assert (word, "group" in message) == ("malformed", True)


@pytest.mark.usefixtures("registered", "listed")
def test_without_its_module_the_kernel_accepts_nothing() -> None:
    assert kernel_word(grouped(2))[0] == "malformed"
