"""The option --plot, which several commands share: in the terminal, or to a file that it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from pfverify.edge.commands.parameters import FILE
from pfverify.edge.commands.sections import SectionCommand, of_output
from pfverify.edge.render.picture_names import SUFFIXES, check_file
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.pictured import Drawable
    from pfverify.edge.render.show import Form
    from pfverify.edge.views.view import View
    from pfverify.model.problem import Problem

HERE = "-"
"""What a --plot without a file stands for: in the terminal."""


plot_option = of_output(
    "--plot", is_flag=False, flag_value=HERE, type=FILE, metavar="[FILE]",
    help="Draw it in the terminal, or to a file .svg, .png or .pdf.",
)  # fmt: skip
"""--plot, as `plot`: None, or what `check_plot` and `drawn` understand."""


class PlotCommand(SectionCommand):
    """A command whose --plot takes the next word only where that is the name of a picture."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments of which a lone --plot has been marked."""
        after = [*args[1:], ""][: len(args)]
        marked = [
            f"{word}={HERE}"
            if word == "--plot" and not follower.lower().endswith(SUFFIXES)
            else word
            for word, follower in zip(args, after, strict=True)
        ]
        return super().parse_args(ctx, marked)


def check_plot(plot: str | None, form: Form, count: int = 1) -> None:
    """Refuse, before any work, what cannot be drawn: a sweep, data beside it, or such a file."""
    if plot is None:
        return
    if count > 1:
        raise InputError("--plot: draws one problem at a time")
    if plot != HERE:
        check_file(plot)
    elif form != "terminal":
        raise InputError(
            "--plot: draws in the terminal; name a file, as in --plot loss.svg, or leave out "
            "--json, --csv and --format"
        )


def drawn(plot: str | None, problem: Problem, result: Drawable) -> Sequence[View[Any]]:
    """Return the view of the picture of a result, or of the remark that it was written to a file.

    There is none without --plot.
    """
    if plot is None:
        return []
    from pfverify.edge.pictured import NOTE, picture_of
    from pfverify.edge.views.plain import PictureView
    from pfverify.edge.views.view import Remark

    picture = picture_of(problem, result)
    if plot == HERE:
        return [PictureView(picture)]
    from pfverify.edge.render.picture_file import save

    save(picture, plot)
    return [Remark(f"{plot}: {NOTE}", level=1)]
