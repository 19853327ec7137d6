"""``pfverify certify``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import (
    check_output,
    path_of,
    problem_options,
    swept,
)
from pfverify.edge.commands.parameters import FILE
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pfverify.decide.outcome import CertifyResult
    from pfverify.model.problem import Problem

    Check = Callable[[Problem], None]
    Write = Callable[[Problem, CertifyResult], object]


@click.command()
@problem_options("epsilon", "delta", "scale")
@click.option("--explain", is_flag=True,
              help="Write out the inequality at the worst output (priors of atoms).")
@click.option("--latex", is_flag=True,
              help="With --explain: print the inequality as LaTeX, and nothing else.")
@click.option("--grid", type=int, metavar="POINTS",
              help="Only look at so many outputs (exit code 3).")
@click.option("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate to this file.")
@click.option("--attest", is_flag=True, help="With -o: wrap it as an in-toto Statement.")
def certify(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    explain: bool,
    latex: bool,
    grid: int | None,
    output: str | None,
    attest: bool,
) -> int:
    """Decide whether the noise scale of PROBLEM is private, for all outputs.

    Exit code 0: certified. 1: refuted, with an output or event that breaks the bound.
    3: undecided, with the reason.

    \b
    Examples:
      pfverify certify example:census
      pfverify certify example:census --scale 0.55 --explain
      pfverify certify example:tie-delta --explain --latex
      pfverify certify example:census --epsilon 0.1,0.5,1 --csv
      pfverify certify example:census -o census.cert
      pfverify certify example:gaussian-pair
    """
    from pfverify.decide.certify import certify as decide
    from pfverify.edge.codes import certify_code, decided
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.sweep import answers
    from pfverify.edge.views.registry import view_of, views_of

    if attest and output is None:
        raise InputError("--attest: say where with -o FILE")
    if attest and problem == "-":
        raise InputError("--attest: names the problem file, expected one, not standard input")
    if latex and not explain:
        raise InputError("--latex: prints what --explain writes out; add --explain")
    form = form_of(as_json=as_json, as_csv=as_csv)
    check_output(output, problem, epsilon, delta, scale)
    problems, shape = swept(problem, epsilon, delta, scale)
    if explain and form != "terminal":
        raise InputError("--explain: is for people; leave out --json and --csv")
    if explain:
        check, write_out = _explanations(latex=latex)
        for one in problems:
            check(one)
    if grid is not None:
        from pfverify.decide.grid import grid_certify

        if len(problems) > 1 or explain or as_csv or output:
            raise InputError("--grid: works on one problem, without --explain, --csv or -o")
        seen = grid_certify(problems[0], grid)
        show(views_of([seen], problem, problems, digits), form, shape=shape)
        return decided(seen.verdict)
    with progress("deciding") as report:
        results = answers(decide, problems, digits, report)
    if output is not None:
        from pfverify.edge.certificates import save_verdict

        save_verdict(output, path_of(problem), problems[0], results[0], attest=attest)
    views = views_of(results, problem, problems, digits)
    if explain:
        told = [view_of(write_out(*both)) for both in zip(problems, results, strict=True)]
        views = told if latex else [view for both in zip(views, told, strict=True) for view in both]
    show(views, form, shape=shape)
    return certify_code(results)


def _explanations(*, latex: bool) -> tuple[Check, Write]:
    """What refuses a problem that cannot be written out, and what writes it out."""
    if latex:
        from pfverify.edge.latex import check_latex, fragment

        return check_latex, fragment
    from pfverify.edge.explain import check_explainable, explained

    return check_explainable, explained
