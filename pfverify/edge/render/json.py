"""Views as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from pfverify.edge.render.shape import Shape
from pfverify.edge.views.envelope import envelope, object_of
from pfverify.edge.views.view import View


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print the data of one view, of a sweep as ``{"sweep": [...]}``, of problems as results."""
    found: list[dict[str, Any]] = [object_of(view) for view in views]
    match shape:
        case Shape.ONE:
            (data,) = found
        case Shape.SWEEP | Shape.RESULTS:
            data = {**envelope(shape.value), shape.value: found}
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
