"""Views as one CSV table with a header."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import click

from pfverify.edge.views.view import View


def render(views: Sequence[View[Any]]) -> None:
    """Print the rows of views of one kind."""
    rows = [row for view in views for row in view.rows()]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(out.getvalue(), nl=False)
