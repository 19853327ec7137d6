"""``pfverify loss``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import (
    loaded_problem,
    means_of,
    means_options,
    problem_options,
)
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.asked import Loaded
    from pfverify.edge.plots.facts import Picture


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", "scale", several=True)
@plot_option
@means_options
def loss(
    problems: tuple[str, ...],
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    plot: str | None,
    jobs: int,
    scheduler: str | None,
    results: str | None,
) -> int:
    """Enclose the privacy loss of PROBLEM: epsilon*, delta, and the least epsilon at delta.

    Of several problems, or a folder of problem files, all are answered.

    \b
    Examples:
      pfverify loss example:census
      pfverify loss example:census --scale 0.5,1,2 --csv
      pfverify loss example:tie-delta --digits 30
      pfverify loss example:laplace-or-gaussian
      pfverify loss example:composition-breaks-distp
      pfverify loss example:gaussian-pair --plot
      pfverify loss problems --jobs 4 --results losses.jsonl
    """
    from pfverify.answers.loss import loss as measure
    from pfverify.edge.asked import answers_about, several
    from pfverify.edge.many import named_problems
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import views_of

    form = form_of(as_json=as_json, as_csv=as_csv)
    means = means_of(jobs, scheduler, results, one_pair=plot is not None)
    names, listed = named_problems(problems)

    def load(name: str) -> Loaded:
        return loaded_problem(name, (epsilon, delta, scale))

    if listed:
        if plot is not None:
            raise InputError("--plot: works on one problem file at a time")
        return several("loss", measure, lambda found: 0, names, load, digits, means, form)
    loaded = load(names[0])
    check_plot(plot, form, len(loaded.problems))
    with progress("measuring") as report:
        found = answers_about("loss", measure, loaded, digits, means, report)

    def picture() -> Picture:
        from pfverify.edge.plots.facts import log_ratio

        return log_ratio(loaded.problems[0], found[0].worst)

    views = views_of(found, loaded.name, loaded.problems, digits)
    show(views, form, drawn(plot, picture), loaded.shape)
    return 0
