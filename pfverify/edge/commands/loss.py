"""``pfverify loss``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import problem_options, swept
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress

if TYPE_CHECKING:
    from pfverify.edge.plots.facts import Picture


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", "scale")
@plot_option
def loss(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    plot: str | None,
) -> int:
    """Enclose the privacy loss of PROBLEM: epsilon*, delta, and the least epsilon at delta.

    \b
    Examples:
      pfverify loss example:census
      pfverify loss example:census --scale 0.5,1,2 --csv
      pfverify loss example:tie-delta --digits 30
      pfverify loss example:laplace-or-gaussian
      pfverify loss example:composition-breaks-distp
      pfverify loss example:gaussian-pair --plot
    """
    from pfverify.decide.loss import loss as measure
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.sweep import answers
    from pfverify.edge.views.registry import views_of

    form = form_of(as_json=as_json, as_csv=as_csv)
    problems, shape = swept(problem, epsilon, delta, scale)
    check_plot(plot, form, len(problems))
    with progress("measuring") as report:
        results = answers(measure, problems, digits, report)

    def picture() -> Picture:
        from pfverify.edge.plots.facts import log_ratio

        return log_ratio(problems[0], results[0].worst)

    show(views_of(results, problem, problems, digits), form, drawn(plot, picture), shape)
    return 0
