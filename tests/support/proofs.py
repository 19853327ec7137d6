"""The files in proofs/, each read once by a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pfverify.proof.files import proof_files
from pfverify.proof.loader import ProofFile, load_proof

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
FILES = proof_files(PROOFS)


@cache
def loaded(path: Path) -> ProofFile:
    """A file of proofs/ as the loader reads it. Tests do not change it."""
    return load_proof(path)
