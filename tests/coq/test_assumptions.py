"""What the theorems rest on, as Coq says it: four axioms of its real numbers, at most."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import coq
from support.proofs import PROOFS

from pfverify.proof.theorems import theorems

pytestmark = pytest.mark.coq


def test_the_theorems_together_rest_on_the_four_axioms(theory: Path, tmp_path: Path) -> None:
    rows = theorems(PROOFS)
    modules = sorted({Path(row.file).stem for row in rows})
    names = [f"Pfverify.{Path(row.file).stem}.{row.name}" for row in rows]
    text = f"From Pfverify Require {' '.join(modules)}.\nTheorem all : True.\nProof.\n"
    text += "".join(f"pose proof @{name}.\n" for name in names)
    (found,) = coq.assumptions(tmp_path, f"{text}exact I.\nQed.\nPrint Assumptions all.\n", 120)
    assert found == coq.AXIOMS


def test_an_axiom_of_the_reader_is_noticed(theory: Path, tmp_path: Path) -> None:
    text = "Axiom mine : 1 = 2.\nTheorem wrong : 2 = 1.\nProof. symmetry. exact mine. Qed.\n"
    text += "Theorem all : True.\nProof. pose proof @wrong. exact I. Qed.\n"
    (found,) = coq.assumptions(tmp_path, f"{text}Print Assumptions all.\n")
    assert found == {"mine"}
