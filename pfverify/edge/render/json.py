"""Views as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from pfverify.edge.views.view import View


def render(views: Sequence[View[Any]]) -> None:
    """Print the data of one view, or of a sweep as ``{"sweep": [...]}``."""
    found = [view.data() for view in views]
    data = found[0] if len(found) == 1 else {"sweep": found}
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
