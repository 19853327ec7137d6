"""Exported theorems through coqc, beside the kernel on the same certificate."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmark_measure import Row, ratio_row, times

from pfverify import Problem, certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.edge.packaged import example_text

THEORY = Path(__file__).resolve().parents[2] / "proofs/coq"
FAST = 500  # atoms from which the instance with primitive integers is timed as well
TARGETS = {(100, False): 4, (1_000, False): 30, (1_000, True): 6}  # seconds
EXAMPLE_TARGET = 2  # seconds
LIMIT = 300  # seconds for one coqc


def coq_rows(files: Mapping[int, str], examples: Sequence[str], repeats: int) -> list[Row]:
    """A row for each problem file by its number of atoms, and for each packaged problem.

    Without Coq there are no rows.
    """
    if shutil.which("coqc") is None or not (files or examples):
        return []
    subprocess.run(["sh", str(THEORY / "compile")], check=True, stdout=subprocess.DEVNULL)
    rows = []
    for n, text in files.items():
        for fast in (False, True) if n >= FAST else (False,):
            rows.append(_row(f"{n:,}", text, fast, TARGETS.get((n, fast)), repeats))
    return rows + [
        _row(name, example_text(name), False, EXAMPLE_TARGET, repeats) for name in examples
    ]


def _row(size: str, text: str, fast: bool, target: int | None, repeats: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        problem, certificate = Path(folder, "problem.toml"), Path(folder, "certificate")
        problem.write_text(text, "utf-8")
        loaded = Problem.load(problem)
        write_verdict(certificate, problem, loaded, certify(loaded), attest=False)
        export = [
            sys.executable, "-m", "pfverify", "export", str(certificate), "--problem", str(problem),
            "--coq", "--proofs", str(THEORY.parent), "-o", "claim.v",
        ]  # fmt: skip
        subprocess.run(export, check=True, cwd=folder)
        claim = Path(folder, "claim.v")
        if fast:
            claim.write_text(re.sub(r"\bCheck\b", "CheckFast", claim.read_text("utf-8")), "utf-8")
        coqc = ["coqc", "-q", "-R", str(THEORY), "Pfverify", "claim.v"]
        seconds, kernel = times(
            lambda: subprocess.run(
                coqc, check=True, cwd=folder, timeout=LIMIT, stdout=subprocess.DEVNULL
            ),
            lambda: check(problem, certificate),
            repeats=repeats,
        )
    name = f"coqc, exported theorem{', primitive integers' if fast else ''}"
    met = () if target is None else (f"<= {target} s", seconds <= target)
    return ratio_row(name, size, seconds, "kernel check, whole process", kernel, *met)
