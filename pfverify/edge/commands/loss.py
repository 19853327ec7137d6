"""``pfverify loss``."""

from __future__ import annotations

from functools import partial
from typing import Any

from pfverify.answers.loss import loss as measure
from pfverify.edge.commands.plotting import check_plot, drawn
from pfverify.edge.many import named_problems
from pfverify.edge.problem_command import GivenOptions, ProblemCommand
from pfverify.edge.progress import progress
from pfverify.edge.render.show import show
from pfverify.errors import InputError


def loss(plot: str | None, to_delta: str | None, **options: Any) -> int:
    """Enclose the privacy loss of PROBLEM: epsilon*, delta, and the least epsilon at delta."""
    given = GivenOptions(**options)
    means = given.means()
    names, listed = named_problems(given.problems)
    decide = measure if to_delta is None else partial(measure, to_delta=to_delta)
    command = ProblemCommand("loss", decide, lambda found: 0, given, means)
    if listed:
        if plot is not None:
            raise InputError("--plot: works on one problem file at a time")
        return command.several(names)
    loaded = given.load(names[0])
    check_plot(plot, given.form, len(loaded.problems))
    with progress("measuring") as report:
        found = command.about(loaded, report)
    pictures = drawn(plot, loaded.problems[0], found[0])
    show(command.views(loaded, found), given.form, pictures, loaded.shape)
    return 0
