"""``pfverify export``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import (
    PROOFS,
    certificate_path,
    load,
    path_of,
    proofs_option,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.progress import progress
from pfverify.errors import InputError, shorten


@click.command()
@click.argument("certificate", type=FILE)
@click.option("--problem", type=PROBLEM, required=True,
              help="The problem that the certificate is about.")
@click.option("--smtlib", is_flag=True, help="Write SMT-LIB 2.")
@click.option("--coq", is_flag=True, help="Write theorems for Coq.")
@proofs_option
@click.option("-o", "--output", type=FILE, metavar="FILE",
              help="Write to this file, not standard output.")
def export(
    certificate: str, problem: str, smtlib: bool, coq: bool, proofs: Path | None, output: str | None
) -> int:
    """Write what a CERTIFICATE proves, for another prover.

    The kernel checks the certificate first. With --smtlib, asserted is the negation of what it
    proves, so a solver should answer unsat, for a certified problem and for a refuted one. With
    --coq, what it proves is stated as theorems, each with one line of proof; the first line of the
    file is the command that has Coq check them (check --coq does so at once).

    \b
    Examples:
      pfverify export census.cert --problem example:census --smtlib -o census.smt2
      pfverify export census.cert --problem example:census --coq -o census.v
    """
    from pfverify.edge.mistaken import FileKind, kind_of
    from pfverify.files import save_text

    if smtlib == coq:
        raise InputError("export: expected one of --smtlib and --coq")
    if proofs is not None and not coq:
        raise InputError("--proofs: only with --coq")
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

        theory = theory_of(proofs or PROOFS)
        place = written_apart(output, stated.stem, theory)
        with progress("checking"):
            text = coq_text(load(problem), stated, proof, str(theory), place).text
    if output is None:
        click.echo(text, nl=False)
        return 0
    save_text(Path(output), text)
    return 0
