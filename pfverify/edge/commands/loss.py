"""``pfverify loss``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import print_data, problem_options, swept
from pfverify.edge.progress import progress


@click.command()
@problem_options("epsilon", "delta", "scale")
def loss(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Enclose the privacy loss of PROBLEM: epsilon*, delta, and the least epsilon at delta.

    \b
    Examples:
      pfverify loss example:census
      pfverify loss example:census --scale 0.5,1,2 --csv
      pfverify loss example:tie-delta --digits 30
      pfverify loss example:laplace-or-gaussian
    """
    from pfverify.decide.loss import loss as measure
    from pfverify.edge.sweep import answers

    problems = swept(problem, epsilon, delta, scale)
    with progress("measuring") as report:
        results = answers(measure, problems, digits, report)
    if not print_data(results, as_json, as_csv):
        from pfverify.edge.tables import console, print_loss

        out = console()
        for result in results:
            print_loss(out, problem, result)
    return 0
