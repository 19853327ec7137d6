"""A sweep as people read it: one table, a row for each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pfverify.edge.document import Column, Inline, Paragraph, Section, Table, and_more, say, title
from pfverify.edge.views.view import View

SWEPT = ("epsilon", "delta", "scale")
_ROWS = 100  # points shown
_REASONS = 10  # why some are undecided


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
    rows = [[(point.get(header, ""),) for header in shown] for point in points[:_ROWS]]
    common = ", ".join(f"{name} {said}" for name, said in same.items())
    at = f", all at {common}" if common else ""
    firsts = [view.sections()[0] for view in views]
    assumed = [text for section in firsts for text in section.assumed]  # by some point
    why = [_at(point, same, sentence)
           for point, section in zip(points, firsts, strict=True) for sentence in section.undecided]
    return Section(
        headline=say(title(views[0].name), f": {len(points)} points{at}", level=0),
        assumed=list(dict.fromkeys(assumed)),
        undecided=why[:_REASONS],
        tables=[Table([Column(header, whole=True) for header in shown], rows)],
        notes=[
            *and_more(len(why) - _REASONS, "reason", "--json has all"),
            *and_more(len(points) - _ROWS, "point", "--csv or --json has all"),
            say("Numbers are rounded up; --csv and --json have all digits and all pairs."),
        ],
    )


def _at(point: Mapping[str, Inline], same: Mapping[str, Inline], sentence: Paragraph) -> Paragraph:
    """A sentence about one point, which begins with what is its own."""
    own = ", ".join(f"{name} {point[name]}" for name in SWEPT if name in point and name not in same)
    return say(f"{own}: " if own else "", *sentence.text)
