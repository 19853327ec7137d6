"""Show views in the form that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple

from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import View

Form = Literal["terminal", "csv", "json", "junit", "markdown", "sarif"]


class _Renderer(NamedTuple):
    """The module whose `render` prints views.

    `remarks`: whether they have a place, before or after the views; `failures`: whether problems
    that failed have one (standard error names them in any case).
    """

    module: str
    remarks: Literal["before", "after"] | None = None
    failures: bool = True


FORMS: dict[Form, _Renderer] = {
    "terminal": _Renderer("pfverify.edge.render.terminal", remarks="after", failures=False),
    "csv": _Renderer("pfverify.edge.render.csv", failures=False),
    "json": _Renderer("pfverify.edge.render.json"),
    "junit": _Renderer("pfverify.edge.render.junit"),
    "markdown": _Renderer("pfverify.edge.render.markdown", remarks="before"),
    "sarif": _Renderer("pfverify.edge.render.sarif"),
}


WRITTEN: dict[str, Form] = {
    "text": "terminal", "json": "json", "csv": "csv", "junit": "junit", "sarif": "sarif",
    "markdown": "markdown",
}
"""What is written after --format -> the form."""
SERVICES: frozenset[Form] = frozenset({"junit", "markdown", "sarif"})
"""Forms for services, which take a problem that fails for an answer too."""


def show(
    views: Sequence[View[Any]],
    form: Form,
    remarks: Sequence[View[Any]] = (),
    shape: Shape = Shape.ONE,
) -> None:
    """Print views on standard output; data is printed alone, without remarks."""
    renderer = FORMS[form]
    shown = [view for view in views if renderer.failures or not view.failed]
    match renderer.remarks:
        case "before":
            shown = [*remarks, *shown]
        case "after":
            shown = [*shown, *remarks]
    import_module(renderer.module).render(shown, shape)
