"""What --plot asks for, which several commands have: in the terminal, or to a file that it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pfverify.edge.commands.shape import HERE
from pfverify.edge.render.picture_names import check_file
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.pictured import Drawable
    from pfverify.edge.render.show import Form
    from pfverify.edge.views.view import View
    from pfverify.model.problem import Problem


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
