"""What data says about itself: the schema that it keeps, who wrote it, and about which problem."""

from __future__ import annotations

from typing import Any

from pfverify.edge.views.nearest import nearest, with_nearest
from pfverify.edge.views.view import Asked, Row, View
from pfverify.results import DEFAULT_DIGITS
from pfverify.version import __version__


def object_of(view: View[Any]) -> dict[str, Any]:
    """Return the data of a view as one JSON object: the envelope, then the published keys.

    Beside exact numbers stands the nearest decimal. Raises TypeError for a view that is for people
    alone, and for one whose keys would replace those of the envelope.
    Example: ``object_of(view)["schema"]``.
    """
    data = view.data()
    if not view.schema or not isinstance(data, dict):
        raise TypeError(f"{type(view).__name__} has no JSON: say which schema its data keeps")
    found = envelope(view.schema, view.asked)
    if twice := sorted(found.keys() & data.keys()):
        raise TypeError(f"{type(view).__name__}: the data has keys of its envelope: {twice}")
    return {**found, **with_nearest(data, view.exact, _digits(view), view.named())}


def envelope(schema: str, asked: Asked | None = None) -> dict[str, Any]:
    """Return the first keys of data: schema, version and, where one was asked about, the problem.

    Example: ``envelope("demo")["schema"]`` is ``"pfverify/demo/1"``.
    """
    found: dict[str, Any] = {"schema": f"pfverify/{schema}/1", "version": __version__}
    return found if asked is None else found | {"problem": asked.name, "digest": asked.digest}


def table_of(view: View[Any]) -> list[Row]:
    """Return the rows of a view, then the nearest decimals, and last the envelope.

    Columns keep their places: what reads them by position goes on working.
    Example: ``table_of(view)[0]["epsilon_decimal"]``.
    """
    about = envelope(view.schema, view.asked)
    last = {key: about[key] or "" for key in ("problem", "digest", "version", "schema")
            if key in about}  # fmt: skip
    return [row | _decimals(view, row) | last for row in view.rows()]


def _decimals(view: View[Any], row: Row) -> Row:
    return {
        f"{name}_decimal": "" if name in view.named()
        else nearest(str(row[name]), _digits(view)) or ""
        for name, path in view.columns.items() if path in view.exact
    }  # fmt: skip


def _digits(view: View[Any]) -> int:
    return DEFAULT_DIGITS if view.asked is None else view.asked.digits
