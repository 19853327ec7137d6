"""The table of theorems: claim or fact, theorem, file; and the same in the README of the theory."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import FILES, PROOFS
from support.store_theorems import DIGESTS, README, digests, stored

from pfverify.errors import InputError
from pfverify.kernel.core.facts import FACTS
from pfverify.proof.theorems import TABLE, CoqTheorem, theorems

THEOREMS = theorems(PROOFS)
CLAIMS = {path.stem for path in FILES}


def name(theorem: CoqTheorem) -> str:
    return f"{Path(theorem.file).stem}.{theorem.name}"


@pytest.mark.parametrize("theorem", THEOREMS, ids=name)
def test_a_row_names_claims_and_facts_that_there_are(theorem: CoqTheorem) -> None:
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


def test_the_package_has_the_digest_of_every_file() -> None:
    assert DIGESTS.read_text("ascii") == digests(), "run python tests/support/store_theorems.py"


WEAKER = {  # what is less than the claim that a row names
    "bounded_events": "Of the six definitions of D01", "divergence_events": "six definitions",
    "post_processing": "no map here has randomness", "divergence_after": "Maps without randomness",
    "certified_events": "Fewer definitions than D01", "columns_monotone": "falls strictly",
    "w_infinity": "sufficient direction only", "relaxed_columns": "sufficient direction only",
    "largest_report_hidden": "sufficient direction only", "tails": "A consequence of F7",
    "theorem_4_is_false_with_whole_steps": "common lattice",
    "theorem_4_is_false_with_real_steps": "common lattice",
}  # fmt: skip


def test_what_is_weaker_than_its_claim_says_so() -> None:
    said = {theorem.name: theorem.says for theorem in THEOREMS}
    assert [name for name, words in WEAKER.items() if words not in said[name]] == []
    of = {"D01", "D10", "N15", "M04", "M18", "N02", "N14", "M25", "F7"}
    assert {one.name for one in THEOREMS if of & {*one.claims}} == WEAKER.keys() | {
        "admissible_half_lines"
    }


def test_editors_compile_as_the_script_does() -> None:
    flags = (PROOFS / "coq/_CoqProject").read_text("ascii").replace("-arg ", "").split()
    script = (PROOFS / "coq/compile").read_text("ascii")
    assert "coqc -w -ambiguous-paths -R . Pfverify " in script
    assert sorted(flags) == sorted(["-R", ".", "Pfverify", "-w", "-ambiguous-paths"])


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
