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
from pfverify.errors import InputError


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print the rows of views of one kind, of whatever shape they are."""
    rows = [row for view in views for row in table_of(view)]
    if not rows:
        return
    columns = list(rows[0])
    if any(list(row) != columns for row in rows):
        raise InputError("--csv: the answers are tables of several kinds; use --json")
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(out.getvalue(), nl=False)
