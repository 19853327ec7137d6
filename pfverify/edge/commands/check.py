"""``pfverify check``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import certificate_path, json_option, loadable, path_of
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.errors import InputError, shorten


@click.command()
@click.argument("problem", type=PROBLEM)
@click.argument("certificate", type=FILE)
@click.option("--expect", type=click.Choice(["certified", "refuted", "scales", "coupling"]),
              help="Fail (exit 1) unless the certificate proves exactly this.")
@click.option("--trusts", is_flag=True,
              help="Also show the kernel's files and the facts that the answer rests on.")
@json_option
def check(
    problem: str, certificate: str, expect: str | None, trusts: bool, as_json: bool
) -> int:
    """Re-check CERTIFICATE for PROBLEM with the kernel alone.

    The kernel is a small standard-library program in a fresh, isolated interpreter. The first
    word says what was proved: certified, refuted or scales (exit 0), or why not: rejected
    (exit 1), malformed (exit 2). In a pipeline always say what you expect, because a valid
    refutation is also a valid certificate. One of the two may be -, for standard input.

    \b
    Example:
      pfverify check example:census census.cert --expect certified
    """
    from pfverify.edge.checked import checked
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.model.problem_file import require_problem_file

    form, asked = form_of(as_json=as_json), None
    path = path_of(problem)
    try:
        require_problem_file(path)
    except InputError as error:
        raise InputError(f"{shorten(problem)}: {error}") from None
    answer = checked(path, certificate_path(certificate), expect, trusts=trusts)
    if form == "json":
        from pfverify.edge.views.view import Asked

        asked = Asked(problem, loadable(problem))
    show([view_of(answer, problem, asked)], form)
    return answer.code
