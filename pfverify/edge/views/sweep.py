"""A sweep as people read it: one table, a row for each point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pfverify.edge.views.view import Column, Section, Table, View, and_more, say, title

SWEPT = ("epsilon", "delta", "scale")
_ROWS = 100  # points shown


def swept(views: Sequence[View[Any]]) -> Section | None:
    """Return the answers of a sweep as one section, None where they are shown one by one.

    What all points have in common is said once, above the table.
    Example: ``swept([])`` is None.
    """
    points = [point for view in views if (point := view.point()) is not None]
    if len(points) < max(2, len(views)):
        return None
    headers = list(dict.fromkeys(header for point in points for header in point))
    first = points[0]
    same = {name: first[name] for name in SWEPT
            if name in first and all(point.get(name) == first[name] for point in points)}
    shown = [header for header in headers if header not in same]
    rows = [[point.get(header, ()) for header in shown] for point in points[:_ROWS]]
    common = ", ".join(f"{name} {''.join(map(str, words))}" for name, words in same.items())
    at = f", all at {common}" if common else ""
    assumed = [text for view in views for text in view.sections()[0].assumed]  # by some point
    return Section(
        headline=say(title(views[0].name), f": {len(points)} points{at}", level=0),
        assumed=list(dict.fromkeys(assumed)),
        tables=[Table([Column(header, whole=True) for header in shown], rows)],
        notes=[
            *and_more(len(points) - _ROWS, "points", "--csv or --json has all"),
            say("Numbers are rounded up; --csv and --json have all digits and all pairs."),
        ],
    )
