"""Packaged problems as theorems: coqc accepts them, from the four axioms alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import coq

from pfverify.edge.cli import main
from pfverify.edge.packaged import example_names, load_example
from pfverify.model.priors.discrete import Discrete

pytestmark = pytest.mark.coq


FEW = 5_000  # atoms of a problem in all, whose tables Coq reads


def atomic(name: str) -> bool:
    """Whether all priors are tables of a few atoms, and the noise is Laplace's."""
    problem = load_example(name)
    several = problem.numbers or problem.release.several is not None
    if problem.release.named or several or not problem.noise.exponential:
        return False
    laws = [prior for priors in problem.beliefs.values() for prior in priors.values()]
    atoms = [law.size if isinstance(law, Discrete) else FEW for law in laws]
    return sum(atoms) < FEW


ATOMIC = [name for name in example_names() if atomic(name)]
SCALES = (
    "census", "tie-point-masses", "tie-bernoulli", "student", "four-users-values", "students-mean"
)  # fmt: skip


def exported(command: str, name: str, folder: Path) -> tuple[int, str]:
    """The exit code of a command that writes a certificate, and its theorem in Coq."""
    code = main([command, f"example:{name}", "-o", str(folder / "a.cert")])
    export = ["export", str(folder / "a.cert"), "--problem", f"example:{name}", "--coq"]
    assert main([*export, "-o", str(folder / "a.v")]) == 0
    return code, (folder / "a.v").read_text("utf-8")


def test_there_are_enough_packaged_problems() -> None:
    assert len(ATOMIC) >= 14
    assert any(load_example(name).delta.sign() for name in ATOMIC)
    assert {*SCALES} <= {*ATOMIC}


@pytest.mark.parametrize("name", ATOMIC)
def test_a_packaged_problem_is_proved_as_it_was_decided(
    theory: Path, tmp_path: Path, name: str
) -> None:
    code, text = exported("certify", name, tmp_path)
    assert code in (0, 1)
    assert ("_is_private" in text, "_is_not_private" in text) == (code == 0, code == 1)
    done = coq.run(tmp_path, text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", SCALES)
def test_the_bracket_of_the_minimum_and_every_scale_are_proved(
    theory: Path, tmp_path: Path, name: str
) -> None:
    _, text = exported("calibrate", name, tmp_path)
    names = re.findall(r"^Theorem (\w+)", text, re.M)
    assert len(names) > 3
    all_of_them = f"Definition theorems := ({', '.join(names)}).\nPrint Assumptions theorems.\n"
    (axioms,) = coq.assumptions(tmp_path, text + all_of_them)
    assert axioms == coq.AXIOMS
