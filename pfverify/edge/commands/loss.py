"""``pfverify loss``."""

from __future__ import annotations

from typing import Any

import click

from pfverify.edge.commands.options import means_options, problem_options
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError


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
    from pfverify.edge.problem_command import GivenOptions, ProblemCommand
    from pfverify.edge.render.show import form_of, show

    given = GivenOptions(**options)
    form = form_of(as_json=given.as_json, as_csv=given.as_csv)
    means = given.means(one_pair=plot is not None)
    names, listed = given.named()
    command = ProblemCommand("loss", measure, lambda found: 0, given, means, form)
    if listed:
        if plot is not None:
            raise InputError("--plot: works on one problem file at a time")
        return command.several(names)
    loaded = given.load(names[0])
    check_plot(plot, form, len(loaded.problems))
    with progress("measuring") as report:
        found = command.about(loaded, report)
    pictures = drawn(plot, loaded.problems[0], found[0])
    show(command.views(loaded, found), form, pictures, loaded.shape)
    return 0
