"""The table of theorems: claim or fact, theorem, file; and the same in the README of the theory."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import FILES, PROOFS
from support.store_theorems import README, stored

from pfverify.errors import InputError
from pfverify.kernel.facts import FACTS
from pfverify.proof.theorems import TABLE, Theorem, theorems

THEOREMS = theorems(PROOFS)
CLAIMS = {path.stem for path in FILES}


def name(theorem: Theorem) -> str:
    return f"{Path(theorem.file).stem}.{theorem.name}"


@pytest.mark.parametrize("theorem", THEOREMS, ids=name)
def test_a_row_names_claims_and_facts_that_there_are(theorem: Theorem) -> None:
    assert theorem.claims
    assert {*theorem.claims} <= CLAIMS | FACTS.keys()
    assert theorem.fact in {"", *FACTS}
    assert theorem.fact in {"", *theorem.claims}
    assert theorem.says.endswith(".")


def test_no_theorem_has_two_rows() -> None:
    names = [name(theorem) for theorem in THEOREMS]
    assert sorted(set(names)) == sorted(names)


def test_the_readme_has_the_same_table() -> None:
    text = README.read_text("utf-8")
    assert stored(text, THEOREMS) == text, "run python tests/support/store_theorems.py"


ROW = '[[theorem]]\nclaims = ["F9"]\nname = "{}"\nfile = "{}"\nsays = "It is so."\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("theorem = ", "Invalid value"),
        (ROW.format("one_side", "Absent.v"), "Absent.v: No such file"),
        (ROW.format("one_side", "../A.v"), "expected claims, name, file"),
        (ROW.format("two_sides", "A.v"), "A.v: it states no theorem two_sides"),
        (ROW.format("one", "A.v"), "A.v: it states no theorem one"),
        (ROW.format("one_side", "A.v") + "more = 1\n", "expected claims, name, file"),
        (ROW.format("one_side", "A.v").replace('["F9"]', '"F9"'), "expected claims, name, file"),
    ],
)
def test_a_table_that_is_not_as_expected_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "coq").mkdir()
    (tmp_path / "coq/A.v").write_text("Theorem one_side : True.\nProof. exact I. Qed.\n", "utf-8")
    (tmp_path / TABLE).write_text(text, "utf-8")
    with pytest.raises(InputError, match=why):
        theorems(tmp_path)


def test_a_theorem_comes_with_its_statement(tmp_path: Path) -> None:
    (tmp_path / "coq").mkdir()
    text = "Lemma one_side : forall x, x.(a) = 2.\nLemma b : True.\nProof. exact I. Qed.\n"
    (tmp_path / "coq/A.v").write_text(
        text.replace("2.\n", "2.\nProof. reflexivity. Qed.\n"), "utf-8"
    )
    (tmp_path / TABLE).write_text(ROW.format("one_side", "A.v"), "utf-8")
    (theorem,) = theorems(tmp_path)
    assert theorem.statement == "Lemma one_side : forall x, x.(a) = 2."
