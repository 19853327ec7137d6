"""``pfverify calibrate``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pfverify.answers.calibrate import calibrate as find
from pfverify.answers.footing import footing
from pfverify.answers.largest_radius import largest_radius
from pfverify.answers.least_size import SIZES, least_size
from pfverify.answers.most_releases import most_releases
from pfverify.edge.certificates import AskedCertificate
from pfverify.edge.codes import calibrate_code, size_code
from pfverify.edge.commands.options import check_output
from pfverify.edge.commands.plotting import check_plot, drawn
from pfverify.edge.many import named_problems
from pfverify.edge.problem_command import GivenOptions, LoadedProblem, ProblemCommand
from pfverify.edge.progress import progress
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import show
from pfverify.edge.scaled import WantedScale, check_method, check_written, write_found
from pfverify.errors import InputError
from pfverify.model.channels.tupling import Tupling
from pfverify.model.counted import counts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pfverify.answers.largest_radius import Ball


def calibrate(
    output: str | None, size: str | None, radius: Ball | None, write: str | None,
    method: str | None, places: int | None, lattice: str | None, plot: str | None, few: int,
    **options: Any,
) -> int:  # fmt: skip
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one."""
    given = GivenOptions(**options)
    means = given.means(output)
    names, listed = named_problems(given.problems)
    if radius is not None:
        size = "radius"
    if size is not None:
        other = (output, method, places, lattice, plot)
        if listed or other != (None,) * 5 or not means.plain:
            raise InputError(f"--{size}: works on one problem, beside --write, --json and --csv")
        return _least(given, names[0], size, write, radius)
    command = ProblemCommand("calibrate", find, calibrate_code, given, means)
    if not listed:
        check_output(output, names[0], *given.overrides)
        wanted = None if write is None else WantedScale(Path(write), method, places)
        loaded = given.load(names[0])
        if lattice is not None:
            problems = [one.on_lattice(lattice) for one in loaded.problems]
            loaded = loaded._replace(problems=problems)
        return _one(command, loaded, output, wanted, plot, few)
    if (output, write, plot) != (None, None, None):
        raise InputError("-o, --write and --plot: work on one problem file at a time")
    return command.several(names)


def _least(
    given: GivenOptions, name: str, size: str, write: str | None, radius: Ball | None
) -> int:
    """Find a threshold, bound, number of releases or radius; write the problem with it, if asked.
    """
    means = given.means()
    finders: dict[str, Callable[..., Any]] = {
        "releases": most_releases, **{one: partial(least_size, size=one) for one in SIZES}
    }  # fmt: skip
    if radius is not None:
        finders["radius"] = partial(largest_radius, ball=radius)
    command = ProblemCommand("calibrate", finders[size], size_code, given, means)
    loaded = given.load(name)
    if write is not None:
        check_written(Path(write), loaded.path, loaded.problems)
    with progress("calibrating") as report:
        found = command.about(loaded, report)
    told = None if write is None else write_found(Path(write), loaded.path, found[0])
    show(command.views(loaded, found), given.form, [], loaded.shape)
    if told is not None:
        click.echo(told, err=given.form != "terminal")
    return command.code(found)


def _one(
    command: ProblemCommand, loaded: LoadedProblem, output: str | None, wanted: WantedScale | None,
    plot: str | None, few: int,
) -> int:  # fmt: skip
    """Calibrate one problem; draw the ladder of its scales, or write it, where that is asked for.
    """
    problems, problem, form = loaded.problems, loaded.problems[0], command.given.form
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
    certificate = AskedCertificate(output, loaded.path)
    certificate.tell_refused(problem)
    with progress("calibrating") as report:
        found = command.about(loaded, report)
    if not problem.release.named and loaded.shape is Shape.ONE and (
        form == "terminal" or (form == "json" and (problem.tells_records or counts_of(problem)))
    ):
        with progress("counts"):
            found = [replace(found[0], rests_on=footing(problem, found[0].minimum, few))]
    with progress("checking the certificate"):
        certificate.save(problem, found[0])
    written: list[str] = []
    if wanted is not None:
        with progress("deciding") as report:
            written = wanted.write(loaded.path, problem, found[0], report)
    show(command.views(loaded, found), form, drawn(plot, problem, found[0]), loaded.shape)
    for line in written:  # standard output may be data
        click.echo(line, err=form != "terminal")
    return certificate.code(command.code(found))
