"""``pfverify calibrate``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import (
    check_output,
    path_of,
    problem_options,
    swept,
)
from pfverify.edge.progress import progress


@click.command()
@problem_options("epsilon", "delta")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate of all scales.")
def calibrate(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    output: str | None,
) -> int:
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one.

    The scale in the file is ignored. A recipe that is not private is shown as refuted, with the
    output or event at which it fails.

    \b
    Examples:
      pfverify calibrate example:census
      pfverify calibrate example:census --epsilon 0.1,0.2,0.5 --csv
      pfverify calibrate example:census -o census.scales
      pfverify calibrate example:theorem-2-fails
    """
    from pfverify.edge.codes import calibrate_code
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.sweep import answers
    from pfverify.edge.views.registry import view_of
    from pfverify.scales.calibrate import calibrate as find

    form = form_of(as_json=as_json, as_csv=as_csv)
    check_output(output, problem, epsilon, delta)
    problems = swept(problem, epsilon, delta, ())
    with progress("calibrating") as report:
        results = answers(find, problems, digits, report)
    if output is not None:
        from pfverify.edge.certificates import save_scales

        save_scales(output, path_of(problem), problems[0], results[0])
    show([view_of(result, problem) for result in results], form)
    return calibrate_code(results)
