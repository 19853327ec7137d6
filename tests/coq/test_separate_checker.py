"""Coq's separate checker on a theorem, its theory and the libraries: some minutes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from support import coq

from pfverify.edge.cli import main

pytestmark = pytest.mark.long


def test_coqchk_accepts_a_theorem_on_the_four_axioms(theory: Path, tmp_path: Path) -> None:
    assert main(["certify", "example:census", "-o", str(tmp_path / "a.cert")]) == 0
    export = ["export", str(tmp_path / "a.cert"), "--problem", "example:census", "--coq"]
    assert main([*export, "-o", str(tmp_path / "claim.v")]) == 0
    assert coq.run(tmp_path, (tmp_path / "claim.v").read_text("ascii")).returncode == 0
    command = ["coqchk", "-silent", "-o", "-R", str(theory), "Pfverify", "-Q", ".", "", "claim"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0
    axioms = re.findall(r"(?m)^    Coq\.\w+\.(\S+)$", f"{done.stdout}{done.stderr}")
    assert {*axioms} == coq.AXIOMS
    assert "relying on type-in-type: <none>" in f"{done.stdout}{done.stderr}"
