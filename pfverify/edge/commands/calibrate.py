"""``pfverify calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pfverify.edge.commands.options import (
    check_output,
    few_option,
    means_options,
    problem_options,
)
from pfverify.edge.commands.parameters import FILE
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.commands.sections import of_certificate, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pfverify.answers.largest_radius import Ball
    from pfverify.edge.problem_command import GivenOptions, LoadedProblem, ProblemCommand
    from pfverify.edge.render.show import Form
    from pfverify.edge.scaled import WantedScale


_take = section("Take a scale")
_size = section("In place of scales")


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta")
@plot_option
@of_certificate("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate of all scales of one problem.")
@_size("--threshold", "size", flag_value="threshold",
              help="The least threshold at the scale of the file, where it is the last step.")
@_size("--bound", "size", flag_value="bound",
              help="The least bound of truncated-laplace noise at that scale, for single points.")
@_size("--releases", "size", flag_value="releases",
              help="The largest number of releases of one X that the scale of the file allows.")
@_size("--radius", type=click.Choice(["tv", "winf"]),
              help="How far the priors may be off at the scale of the file: the largest radius of "
              "balls around them, in total variation or W-infinity.")
@_take("--write", type=FILE, metavar="FILE",
              help="Write the problem with a scale that was found (.toml, or .json), rounded up "
              "and decided again.")
@_take("--method", metavar="NAME",
              help="With --write: whose scale. For priors that are counts of records say minimum "
              "(of the counts, taken as exact) or region (for all laws that they leave possible "
              "at 95 %); of a sum of records minimum or every-value (whatever is believed of one "
              "record).  [else minimum]")
@_take("--places", type=click.IntRange(0, 40), metavar="N",
              help="With --write: decimal places of the scale.  [default: as the table shows it]")
@_take("--lattice", metavar="STEP",
              help="With --write: discrete Laplace noise on multiples of STEP in place of Laplace "
              "noise, which sample draws exactly.")
@few_option
@means_options
def calibrate(
    output: str | None,
    size: str | None,
    radius: Ball | None,
    write: str | None,
    method: str | None,
    places: int | None,
    lattice: str | None,
    plot: str | None,
    few: int,
    **options: Any,
) -> int:
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one.

    The scale in the file is ignored, but for --threshold, --bound, --releases and --radius. A
    recipe that is not private is shown as refuted, with the output or event at which it fails. Of a
    tupling channel: the least number of dummies. Of several problems, or a folder of problem files,
    all are answered.

    \b
    Examples:
      pfverify calibrate example:census
      pfverify calibrate example:census --epsilon 0.1,0.2,0.5 --csv
      pfverify calibrate example:census -o census.scales
      pfverify calibrate example:census --write mine.toml --method region
      pfverify calibrate example:census --write mine.toml --method relaxed_rows --places 2
      pfverify calibrate example:census --write mine.toml --lattice 1
      pfverify calibrate example:theorem-2-fails
      pfverify calibrate example:dummies
      pfverify calibrate example:threshold --delta 1e-6 --threshold --write mine.toml
      pfverify calibrate example:census --epsilon 2 --releases
      pfverify calibrate example:census --epsilon 2 --radius tv
      pfverify calibrate example:census --plot ladder.svg
      pfverify calibrate problems --jobs 4 --results scales.jsonl
    """
    from pfverify.answers.calibrate import calibrate as find
    from pfverify.edge.codes import calibrate_code
    from pfverify.edge.problem_command import GivenOptions, ProblemCommand
    from pfverify.edge.render.show import form_of

    given = GivenOptions(**options)
    form = form_of(as_json=given.as_json, as_csv=given.as_csv)
    means = given.means(output, one_pair=plot is not None)
    if write is None and (method, places, lattice) != (None, None, None):
        raise InputError(
            "--method, --places and --lattice: say where to write the problem, with --write FILE"
        )
    if lattice is not None and (output is not None or not means.plain):
        raise InputError(
            "--lattice: what is written is another problem; not with -o (certify that file), "
            "--jobs, --scheduler and --results"
        )
    names, listed = given.named()
    if radius is not None:
        if size is not None:
            raise InputError(f"--radius: not with --{size}")
        size = "radius"
    if size is not None:
        other = (output, method, places, lattice, plot)
        if listed or other != (None,) * 5 or not means.plain:
            raise InputError(f"--{size}: works on one problem, beside --write, --json and --csv")
        return _least(given, names[0], size, write, form, radius)
    command = ProblemCommand("calibrate", find, calibrate_code, given, means, form)
    if not listed:
        check_output(output, names[0], *given.overrides)
        wanted = None
        if write is not None:
            from pfverify.edge.scaled import WantedScale

            wanted = WantedScale(Path(write), method, places)
        loaded = given.load(names[0])
        if lattice is not None:
            loaded = loaded.on_lattice(lattice)
        return _one(command, loaded, output, wanted, plot, few)
    if (output, write, plot) != (None, None, None):
        raise InputError("-o, --write and --plot: work on one problem file at a time")
    return command.several(names)


def _least(
    given: GivenOptions, name: str, size: str, write: str | None, form: Form, radius: Ball | None
) -> int:
    """Find a threshold, bound, number of releases or radius; write the problem with it, if asked.
    """
    from functools import partial

    from pfverify.answers.largest_radius import largest_radius
    from pfverify.answers.least_size import SIZES, least_size
    from pfverify.answers.most_releases import most_releases
    from pfverify.edge.codes import size_code
    from pfverify.edge.problem_command import ProblemCommand
    from pfverify.edge.render.show import show
    from pfverify.edge.scaled import check_written, write_found

    means = given.means(one_pair=False)
    finders: dict[str, Callable[..., Any]] = {
        "releases": most_releases, **{one: partial(least_size, size=one) for one in SIZES}
    }  # fmt: skip
    if radius is not None:
        finders["radius"] = partial(largest_radius, ball=radius)
    command = ProblemCommand("calibrate", finders[size], size_code, given, means, form)
    loaded = given.load(name)
    if write is not None:
        check_written(Path(write), loaded.path, loaded.problems)
    with progress("calibrating") as report:
        found = command.about(loaded, report)
    told = None if write is None else write_found(Path(write), loaded.path, found[0])
    show(command.views(loaded, found), form, [], loaded.shape)
    if told is not None:
        click.echo(told, err=form != "terminal")
    return command.code(found)


def _one(
    command: ProblemCommand, loaded: LoadedProblem, output: str | None, wanted: WantedScale | None,
    plot: str | None, few: int,
) -> int:  # fmt: skip
    """Calibrate one problem; draw the ladder of its scales, or write it, where that is asked for.
    """
    from dataclasses import replace

    from pfverify.answers.footing import footing
    from pfverify.edge.render.shape import Shape
    from pfverify.edge.render.show import show
    from pfverify.edge.scaled import check_method, check_written
    from pfverify.model.channels.tupling import Tupling
    from pfverify.model.counted import counts_of

    problems, problem, form = loaded.problems, loaded.problems[0], command.form
    check_plot(plot, form, len(problems))
    no_least = problem.release.more_scale is None and (
        problem.release.noise.has_size or not problem.release.plain
    )
    if no_least and not isinstance(problem.release, Tupling):
        if (plot, wanted, output) != (None, None, None):
            raise InputError(
                "-o, --plot and --write: with steps after the noise, and with truncated or "
                "discrete Gaussian noise, there is no smallest scale; put a scale into the problem "
                "file, then: certify -o"
            )
    elif problem.release.named:
        if plot is not None or wanted is not None:
            raise InputError("--plot and --write: a channel has no scales to draw or to write")
        if not isinstance(problem.release, Tupling):
            problem.release.require_scale("calibrate")
        if output is not None:
            raise InputError(
                "-o: a number of dummies has no certificate of its own; put it into the problem "
                "file, then: certify -o"
            )
    if wanted is not None:
        check_written(wanted.output, loaded.path, problems)
        check_method(wanted, problem)
    refused = None
    if output is not None:
        from pfverify.edge.certificates import tell_refused

        tell_refused(loaded.path, problem)
    with progress("calibrating") as report:
        found = command.about(loaded, report)
    if not problem.release.named and loaded.shape is Shape.ONE and (
        form == "terminal" or (form == "json" and (problem.tells_records or counts_of(problem)))
    ):
        with progress("counts"):
            found = [replace(found[0], rests_on=footing(problem, found[0].minimum, few))]
    if output is not None:
        from pfverify.edge.certificates import save

        with progress("checking the certificate"):
            refused = save(output, loaded.path, problem, found[0])
    written: list[str] = []
    if wanted is not None:
        with progress("deciding") as report:
            written = wanted.write(loaded.path, problem, found[0], report)
    show(command.views(loaded, found), form, drawn(plot, problem, found[0]), loaded.shape)
    for line in written:  # standard output may be data
        click.echo(line, err=form != "terminal")
    if output is None:
        return command.code(found)
    from pfverify.edge.certificates import ended

    return ended(command.code(found), refused)
