"""``pfverify loss``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pfverify.edge.commands.options import GivenOptions, means_options, problem_options
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.pictures import BarChart, Plot


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", "scale")
@plot_option
@means_options
def loss(plot: str | None, **options: Any) -> int:
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
    from pfverify.edge.asked import Asking
    from pfverify.edge.many import named_problems
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import views_of

    given = GivenOptions(**options)
    form = form_of(as_json=given.as_json, as_csv=given.as_csv)
    means = given.means(one_pair=plot is not None)
    names, listed = named_problems(given.problems)
    asking = Asking("loss", measure, given.load, given.digits, means)
    if listed:
        if plot is not None:
            raise InputError("--plot: works on one problem file at a time")
        return asking.several(names, lambda found: 0, form)
    loaded = given.load(names[0])
    check_plot(plot, form, len(loaded.problems))
    with progress("measuring") as report:
        found = asking.about(loaded, report)

    def picture() -> Plot | BarChart:
        from pfverify.edge.pictured import log_ratio

        return log_ratio(loaded.problems[0], found[0].worst).picture()

    views = views_of(found, loaded.name, loaded.problems, given.digits)
    show(views, form, drawn(plot, picture), loaded.shape)
    return 0
