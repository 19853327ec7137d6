"""``pfverify loss``."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from pfverify.edge.commands.options import means_options, problem_options
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.commands.sections import of_output
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", "scale")
@plot_option
@means_options
@of_output(
    "--to-delta", metavar="NUMBER",
    help="Of the form renyi: say also which epsilon follows at this delta, and which is exact.",
)
def loss(plot: str | None, to_delta: str | None, **options: Any) -> int:
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
      pfverify loss renyi.toml --to-delta 1e-5
      pfverify loss problems --jobs 4 --results losses.jsonl
    """
    from pfverify.answers.loss import loss as measure
    from pfverify.edge.problem_command import GivenOptions, ProblemCommand
    from pfverify.edge.render.show import form_of, show

    if to_delta is not None:
        measure = partial(measure, to_delta=to_delta)
    given = GivenOptions(**options)
    form = form_of(as_json=given.as_json, as_csv=given.as_csv)
    means = given.means(one_pair=plot is not None)
    if to_delta is not None and not means.plain:
        raise InputError("--to-delta: not with --jobs, --scheduler or --results; expected it alone")
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
