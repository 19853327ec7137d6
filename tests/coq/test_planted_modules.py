"""A theory that was tampered with: no proof gives a statement another meaning, no file is taken."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from support import coq

from pfverify.edge.cli import main
from pfverify.edge.coq.text import coq_text
from pfverify.edge.packaged import example_path, load_example

pytestmark = pytest.mark.coq

ATTACKS = sorted((Path(__file__).parent / "attack").glob("*.v"))


@pytest.fixture
def copied(theory: Path, tmp_path: Path) -> Path:
    """A copy of the theory, compiled."""
    return Path(shutil.copytree(theory, tmp_path / "proofs/coq"))


def false_export(folder: Path) -> str:
    """An exported theorem with a scale that is too small."""
    assert main(["certify", "example:census", "-o", str(folder / "a.cert")]) == 0
    found = coq_text(load_example("census"), example_path("census"), folder / "a.cert", "t", "a.v")
    text = found.text.replace("scale : number := (23 / 20)", "scale : number := (1 / 10)")
    assert text != found.text
    return text


def test_a_false_theorem_is_refused(theory: Path, tmp_path: Path) -> None:
    assert coq.run(tmp_path, false_export(tmp_path)).returncode == 1


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_a_module_of_proofs_gives_no_word_another_meaning(
    copied: Path, tmp_path: Path, attack: Path
) -> None:
    check = copied / "Check.v"
    text = check.read_text("utf-8").replace("Theorem certified :", "Theorem honest :")
    head = "From Coq Require Import Lra.\nFrom Pfverify Require Import Release.\n"
    check.write_text(f"{text}{head}{attack.read_text('utf-8')}", "utf-8")
    done = coq.run(copied, check.read_text("utf-8"), theory=copied, name="Check.v")
    assert done.returncode == 0
    text = false_export(tmp_path)
    imported = text.replace("From Pfverify Require Check.", "From Pfverify Require Import Check.")
    assert imported != text
    assert coq.run(tmp_path, imported, theory=copied).returncode == 0, "the attack fails anyway"
    done = coq.run(tmp_path, text, theory=copied)
    assert done.returncode == 1
    assert "while it is expected to have type" in done.stderr


def test_a_compiled_file_that_was_planted_is_not_taken(
    copied: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It was made from another text, which has an axiom: what rested on it would say so."""
    monkeypatch.chdir(tmp_path)
    check = copied / "Check.v"
    text = check.read_text("utf-8")
    proof = (
        "Proof. intros bits bases d H. "
        "exact (proj2 (Checks.certify_sound Floats.PtoP bits bases d H)). Qed."
    )
    assert proof in text
    planted = text.replace("Theorem certified :", "Axiom lie : False.\nTheorem certified :")
    planted = planted.replace(proof, "Proof. destruct lie. Qed.")
    assert coq.run(copied, planted, theory=copied, name="Check.v").returncode == 0
    check.write_text(text, "utf-8")
    os.utime(check, ns=(0, 0))
    assert main(["certify", "example:census", "-o", "a.cert"]) == 0
    capsys.readouterr()
    assert main(["check", "example:census", "a.cert", "--coq", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], set(found["coq"]["axioms"])) == (True, coq.AXIOMS)
    check.write_text(planted, "utf-8")
    assert main(["check", "example:census", "a.cert", "--coq", "--json"]) == 2
    assert "Check.v is not the file that pfverify" in capsys.readouterr().err
