"""``pfverify export``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import certificate_path, load, path_of, refuse_inputs
from pfverify.edge.mistaken import FileKind, kind_of
from pfverify.edge.progress import progress
from pfverify.errors import InputError, shorten
from pfverify.files import save_text


def export(certificate: str, problem: str, smtlib: bool, coq: bool, proofs: Path,
           output: str | None) -> int:
    """Write what a CERTIFICATE proves, for another prover."""
    if smtlib == coq:
        raise InputError("export: expected one of --smtlib and --coq")
    stated, proof = path_of(problem), certificate_path(certificate)
    if kind_of(stated) is FileKind.CERTIFICATE:
        raise InputError(
            f"--problem: {shorten(problem)} is a certificate, expected a problem: "
            "pfverify export CERTIFICATE --problem PROBLEM"
        )
    if output is not None:
        refuse_inputs(output, stated, proof)
    if smtlib:
        from pfverify.edge.smtlib import smtlib_text

        with progress("checking"):
            text = smtlib_text(load(problem), stated, proof)
    else:
        from pfverify.edge.coq.text import coq_text
        from pfverify.edge.coq.theory import theory_of, written_apart

        theory = theory_of(proofs)
        place = written_apart(output, stated.stem, theory)
        with progress("checking"):
            text = coq_text(load(problem), stated, proof, str(theory), place).text
    if output is None:
        click.echo(text, nl=False)
        return 0
    save_text(Path(output), text)
    return 0
