"""The files in proofs/, each read once by a process; by default tests read some of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pfverify.proof.files import proof_files
from pfverify.proof.loader import ProofFile, load_proof

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
FILES = proof_files(PROOFS)


def with_used(names: set[str]) -> list[Path]:
    """The files of these names, and those whose theorems they use."""
    known = {path.stem: path for path in FILES}
    found: set[str] = set()
    while new := names - found:
        found |= new
        texts = [known[name].read_text("utf-8") for name in new]
        names = found.union(*(re.findall(r'theorem\(\s*"(\w+)"', text) for text in texts))
    return [path for path in FILES if path.stem in found]


# quick to check; together they use every word of the language, every result and every part
KINDS = {
    *("N09", "N14", "N20", "N22", "N49", "G04", "G07", "G11", "G12", "G21", "G25", "G41"),
    *("M06", "M11", "M16", "D03", "D19", "F3", "F3b", "F10a", "F10c", "F12", "F14", "F16"),
    *("F16b", "F8c", "F19", "F19b", "F31"),
}
SOME = with_used(KINDS)
# every file as a parameter: what is not among some is in the batteries
EACH = [pytest.param(path, id=path.stem, marks=() if path in SOME else pytest.mark.long)
        for path in FILES]  # fmt: skip


@cache
def loaded(path: Path) -> ProofFile:
    """A file of proofs/ as the loader reads it. Tests do not change it."""
    return load_proof(path)
