"""``pfverify loss``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import problem_options, swept
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
      pfverify loss example:composition-breaks-distp
    """
    from pfverify.decide.loss import loss as measure
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.sweep import answers
    from pfverify.edge.views.registry import views_of

    form = form_of(as_json=as_json, as_csv=as_csv)
    problems, shape = swept(problem, epsilon, delta, scale)
    with progress("measuring") as report:
        results = answers(measure, problems, digits, report)
    show(views_of(results, problem, problems, digits), form, shape=shape)
    return 0
