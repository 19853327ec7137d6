"""Views as one CSV table with a header."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import click

from pfverify.edge.render.shape import Shape
from pfverify.edge.views.envelope import table_of
from pfverify.edge.views.view import View


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print the rows of views of one kind, of whatever shape they are."""
    rows = [row for view in views for row in table_of(view)]
    if not rows:
        return
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(out.getvalue(), nl=False)
