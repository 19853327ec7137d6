"""``pfverify calibrate``."""

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
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.plots.facts import Picture
    from pfverify.edge.render.shape import Shape
    from pfverify.edge.render.show import Form
    from pfverify.model.problem import Problem


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta")
@plot_option
@click.option("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate of all scales.")
def calibrate(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    output: str | None,
    plot: str | None,
) -> int:
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one.

    The scale in the file is ignored. A recipe that is not private is shown as refuted, with the
    output or event at which it fails. Of a tupling channel: the least number of dummies.

    \b
    Examples:
      pfverify calibrate example:census
      pfverify calibrate example:census --epsilon 0.1,0.2,0.5 --csv
      pfverify calibrate example:census -o census.scales
      pfverify calibrate example:theorem-2-fails
      pfverify calibrate example:dummies
      pfverify calibrate example:census --plot ladder.svg
    """
    from pfverify.edge.codes import calibrate_code
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.sweep import answers
    from pfverify.edge.views.registry import views_of
    from pfverify.scales.calibrate import calibrate as find

    form = form_of(as_json=as_json, as_csv=as_csv)
    check_output(output, problem, epsilon, delta)
    problems, shape = swept(problem, epsilon, delta, ())
    check_plot(plot, form, len(problems))
    if problems[0].channel is not None:
        if plot is not None:
            raise InputError("--plot: a channel has no scales to draw")
        return _dummies(problem, problems, output, digits, form, shape)
    with progress("calibrating") as report:
        results = answers(find, problems, digits, report)
    if output is not None:
        from pfverify.edge.certificates import save_scales

        save_scales(output, path_of(problem), problems[0], results[0])

    def picture() -> Picture:
        from pfverify.edge.plots.facts import ladder

        return ladder(results[0])

    show(views_of(results, problem, problems, digits), form, drawn(plot, picture), shape)
    return calibrate_code(results)


def _dummies(
    name: str, problems: list[Problem], output: str | None, digits: int, form: Form, shape: Shape
) -> int:
    """Find the least number of dummies, as a channel has no scale."""
    from pfverify.edge.codes import dummies_code
    from pfverify.edge.render.show import show
    from pfverify.edge.views.registry import views_of
    from pfverify.model.channels.tupling import Tupling
    from pfverify.scales.dummies import calibrate_dummies

    if not isinstance(problems[0].channel, Tupling):
        problems[0].require_noise("calibrate")
    if output is not None:
        raise InputError(
            "-o: a number of dummies has no certificate of its own; put it into the problem file, "
            "then: certify -o"
        )
    with progress("counting dummies") as report:
        results = [calibrate_dummies(one, progress=report) for one in problems]
    show(views_of(results, name, problems, digits), form, shape=shape)
    return dummies_code(results)
