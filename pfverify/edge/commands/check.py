"""``pfverify check``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import json_option, path_of, print_json


@click.command()
@click.argument("problem")
@click.argument("certificate")
@click.option("--expect", type=click.Choice(["certified", "refuted", "scales", "coupling"]),
              help="Fail (exit 1) unless the certificate proves exactly this.")
@json_option
def check(problem: str, certificate: str, expect: str | None, as_json: bool) -> int:
    """Re-check CERTIFICATE for PROBLEM with the kernel alone.

    The kernel is a small standard-library program in a fresh, isolated interpreter. The first
    word says what was proved: certified, refuted or scales (exit 0), or why not: rejected
    (exit 1), malformed (exit 2). In a pipeline always say what you expect, because a valid
    refutation is also a valid certificate.

    \b
    Example:
      pfverify check example:census census.cert --expect certified
    """
    from pfverify.edge.checked import checked

    answer = checked(path_of(problem), certificate, expect)
    if as_json:
        print_json(answer)
    else:
        click.echo(f"{answer.result}: {answer.message}")
    return answer.code
