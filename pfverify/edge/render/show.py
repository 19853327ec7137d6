"""Show views in the form that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from pfverify.edge.render.shape import Shape
from pfverify.edge.views.view import View
from pfverify.errors import InputError

Form = Literal["terminal", "csv", "json"]

@dataclass(frozen=True)
class _Renderer:
    """The module whose `render` prints views, and whether remarks have a place beside them."""

    module: str
    remarks: bool


FORMS: dict[Form, _Renderer] = {
    "terminal": _Renderer("pfverify.edge.render.terminal", remarks=True),
    "csv": _Renderer("pfverify.edge.render.csv", remarks=False),
    "json": _Renderer("pfverify.edge.render.json", remarks=False),
}


def form_of(*, as_json: bool, as_csv: bool = False) -> Form:
    """Return the form that options ask for; InputError for two of them."""
    if as_json and as_csv:
        raise InputError("--json and --csv exclude each other")
    return "json" if as_json else "csv" if as_csv else "terminal"


def show(
    views: Sequence[View[Any]],
    form: Form,
    remarks: Sequence[View[Any]] = (),
    shape: Shape = Shape.ONE,
) -> None:
    """Print views on standard output; data is printed alone, without remarks."""
    renderer = FORMS[form]
    shown = [*views, *remarks] if renderer.remarks else views
    import_module(renderer.module).render(shown, shape)
