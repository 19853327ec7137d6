"""One result, shown with its view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, Remark, View

if TYPE_CHECKING:
    from pfverify.model.problem import Problem


def show_result(
    result: object, form: Form, name: str = "", problem: Problem | None = None,
    *, done: Sequence[str | View[str]] = (),
) -> None:  # fmt: skip
    """Show a result about what was named, with the problem that was asked about, if any.

    `done` is what was done beside it, in sentences. Raises TypeError for a result without a view.
    Example: ``show_result(1, "terminal")`` raises.
    """
    asked = None if problem is None else Asked(name, problem)
    remarks = [Remark(one) if isinstance(one, str) else one for one in done]
    show([view_of(result, name, asked)], form, remarks)
