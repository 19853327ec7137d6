"""``pfverify certify``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import (
    check_output,
    path_of,
    print_data,
    print_json,
    problem_options,
    swept,
)
from pfverify.edge.progress import progress
from pfverify.errors import InputError
from pfverify.model.problem import Problem


@click.command()
@problem_options("epsilon", "delta", "scale")
@click.option("--explain", is_flag=True,
              help="Write out the inequality at the worst output (priors of atoms).")
@click.option("--grid", type=int, metavar="POINTS",
              help="Only look at a grid (exit code 3; priors of atoms).")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
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
      pfverify certify example:census --epsilon 0.1,0.5,1 --csv
      pfverify certify example:census -o census.cert
      pfverify certify example:gaussian-pair
    """
    from pfverify.decide.certify import certify as decide
    from pfverify.edge.codes import certify_code
    from pfverify.edge.sweep import answers

    if attest and output is None:
        raise InputError("--attest: say where with -o FILE")
    check_output(output, problem, epsilon, delta, scale)
    problems = swept(problem, epsilon, delta, scale)
    if explain and (as_json or as_csv):
        raise InputError("--explain: is for people; leave out --json and --csv")
    if explain:
        from pfverify.edge.explain import check_explainable

        for one in problems:
            check_explainable(one)
    if grid is not None:
        if len(problems) > 1 or explain or as_csv or output:
            raise InputError("--grid: works on one problem, without --explain, --csv or -o")
        return _looked_at(problem, problems[0], grid, as_json)
    with progress("deciding") as report:
        results = answers(decide, problems, digits, report)
    if output is not None:
        from pfverify.edge.certificates import save_verdict

        save_verdict(output, path_of(problem), problems[0], results[0], attest=attest)
    if not print_data(results, as_json, as_csv):
        from pfverify.edge.explain import explained
        from pfverify.edge.tables import console, print_certify

        out = console()
        for one, result in zip(problems, results, strict=True):
            print_certify(out, problem, result)
            if explain:
                out.print()
                for line in explained(one, result):
                    out.print(f"  {line}", markup=False, soft_wrap=True)
    return certify_code(results)


def _looked_at(name: str, problem: Problem, points: int, as_json: bool) -> int:
    from pfverify.decide.grid import grid_certify
    from pfverify.edge.codes import decided

    result = grid_certify(problem, points)
    if as_json:
        print_json(result)
    else:
        from pfverify.edge.tables import console, print_grid

        print_grid(console(), name, result)
    return decided(result.verdict)
