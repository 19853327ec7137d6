"""``pfverify calibrate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pfverify.edge.commands.options import (
    check_output,
    loaded_problem,
    means_of,
    means_options,
    problem_options,
)
from pfverify.edge.commands.parameters import FILE
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pfverify.edge.asked import Loaded
    from pfverify.edge.plots.facts import Picture
    from pfverify.edge.render.show import Form
    from pfverify.many.means import Means


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", several=True)
@plot_option
@click.option("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate of all scales of one problem.")
@means_options
def calibrate(
    problems: tuple[str, ...],
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    output: str | None,
    plot: str | None,
    jobs: int,
    scheduler: str | None,
    results: str | None,
) -> int:
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one.

    The scale in the file is ignored. A recipe that is not private is shown as refuted, with the
    output or event at which it fails. Of a tupling channel: the least number of dummies. Of several
    problems, or a folder of problem files, all are answered.

    \b
    Examples:
      pfverify calibrate example:census
      pfverify calibrate example:census --epsilon 0.1,0.2,0.5 --csv
      pfverify calibrate example:census -o census.scales
      pfverify calibrate example:theorem-2-fails
      pfverify calibrate example:dummies
      pfverify calibrate example:census --plot ladder.svg
      pfverify calibrate problems --jobs 4 --results scales.jsonl
    """
    from pfverify.edge.many import named_problems
    from pfverify.edge.render.show import form_of

    form = form_of(as_json=as_json, as_csv=as_csv)
    means = means_of(jobs, scheduler, results, output, one_pair=plot is not None)
    overrides = epsilon, delta, ()
    names, listed = named_problems(problems)
    if not listed:
        check_output(output, names[0], epsilon, delta)
        return _one(loaded_problem(names[0], overrides), output, plot, digits, form, means)
    if output is not None or plot is not None:
        raise InputError("-o and --plot: work on one problem file at a time")
    from pfverify.edge.asked import several

    def load(name: str) -> Loaded:
        return loaded_problem(name, overrides)

    return several("calibrate", _found, _code, names, load, digits, means, form)


def _found(problem: Any, **options: Any) -> Any:
    """The scales, or the least number of dummies, as a channel has no scale."""
    from pfverify.model.channels.tupling import Tupling
    from pfverify.scales.calibrate import calibrate as find

    if isinstance(problem.channel, Tupling):
        from pfverify.scales.dummies import calibrate_dummies

        return calibrate_dummies(problem, progress=options["progress"])
    return find(problem, **options)


def _code(results: Sequence[Any]) -> int:
    """The exit code of the answers about one problem, which are all of one kind."""
    from pfverify.edge.codes import calibrate_code, dummies_code

    return (calibrate_code if results[0].problem.channel is None else dummies_code)(results)


def _one(
    loaded: Loaded, output: str | None, plot: str | None, digits: int, form: Form, means: Means
) -> int:
    """Calibrate one problem, and draw the ladder of its scales where that is asked for."""
    from pfverify.edge.asked import answers_about
    from pfverify.edge.render.show import show
    from pfverify.edge.views.registry import views_of
    from pfverify.model.channels.tupling import Tupling

    name, problems = loaded.name, loaded.problems
    check_plot(plot, form, len(problems))
    if (channel := problems[0].channel) is not None:
        if plot is not None:
            raise InputError("--plot: a channel has no scales to draw")
        if not isinstance(channel, Tupling):
            problems[0].require_noise("calibrate")
        if output is not None:
            raise InputError(
                "-o: a number of dummies has no certificate of its own; put it into the problem "
                "file, then: certify -o"
            )
    with progress("calibrating") as report:
        found = answers_about("calibrate", _found, loaded, digits, means, report)
    if output is not None:
        from pfverify.edge.certificates import save_scales

        save_scales(output, loaded.path, problems[0], found[0])

    def picture() -> Picture:
        from pfverify.edge.plots.facts import ladder

        return ladder(found[0])

    show(views_of(found, name, problems, digits), form, drawn(plot, picture), loaded.shape)
    return _code(found)
