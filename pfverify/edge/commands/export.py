"""``pfverify export``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import (
    certificate_path,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.errors import InputError


@click.command()
@click.argument("certificate", type=FILE)
@click.option("--problem", type=PROBLEM, required=True,
              help="The problem that the certificate is about.")
@click.option("--smtlib", is_flag=True, required=True, help="Write SMT-LIB 2.")
@click.option("-o", "--output", type=FILE, metavar="FILE",
              help="Write to this file, not standard output.")
def export(certificate: str, problem: str, smtlib: bool, output: str | None) -> int:
    """Write the statement of a pure-epsilon CERTIFICATE for another prover.

    The kernel checks the certificate first. Asserted is the negation of what it proves, so a
    solver should answer unsat, for a certified problem and for a refuted one.

    \b
    Example:
      pfverify export census.cert --problem example:census --smtlib -o census.smt2
    """
    from pfverify.edge.smtlib import smtlib_text
    from pfverify.files import write_text

    stated, proof = path_of(problem), certificate_path(certificate)
    if output is not None:
        refuse_inputs(output, stated, proof)
    text = smtlib_text(load(problem), stated, proof)
    if output is None:
        click.echo(text, nl=False)
        return 0
    try:
        write_text(Path(output), text)
    except OSError as error:
        raise InputError(f"{output}: cannot write: {error.strerror}") from None
    return 0
