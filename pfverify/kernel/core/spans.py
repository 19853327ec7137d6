"""Intervals of steps, and the walk of points through them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from core.grammar import Malformed
from core.shapes import array, canonical_rational

End = Fraction | None  # None: infinite
Span = tuple[End, End]
SUPPRESSED = "suppressed"


class Part(NamedTuple):
    """The numbers between two ends: their output, or None where they stay what they are."""

    low: End
    high: End
    output: str | None


def event_of(value: Any, points: bool = True) -> list[Span]:
    """The event of a step: disjoint closed intervals in increasing order, maybe with single
    `points`, [a, a] for the one output a."""
    spans = spans_of(array(value, "event"), "an interval", canonical_rational, points=points)
    if not spans:
        raise Malformed("an event must not be empty")
    return spans


def spans_of(
    entries: list[Any],
    what: str,
    read: Callable[[Any, str], Fraction],
    more: int = 0,
    touching: bool = False,
    points: bool = False,
) -> list[Span]:
    """Increasing intervals: of each its two ends, whatever `more` it has."""
    spans: list[Span] = []
    for entry in entries:
        if len(array(entry, what)) != 2 + more:
            raise Malformed(f"{what} must have two ends" + (f" and {more} more" if more else ""))
        low = None if entry[0] == "-inf" else read(entry[0], "an end")
        high = None if entry[1] == "inf" else read(entry[1], "an end")
        if low is not None and high is not None and (low > high or (low == high and not points)):
            raise Malformed(f"{what} must not be empty")
        if spans:
            last = spans[-1][1]
            if last is None or low is None or low < last or (low == last and not touching):
                raise Malformed("intervals must be disjoint and increasing")
        spans.append((low, high))
    return spans


def walk(spans: list[Span]) -> Callable[[Fraction], tuple[End, End, bool]]:
    """What tells of increasing points, one after the other, the interval that they lie in or that
    comes next (beyond the last an empty one), and whether they lie in it."""
    left = spans[::-1]

    def at(x: Fraction) -> tuple[End, End, bool]:
        while left and (end := left[-1][1]) is not None and end < x:
            left.pop()
        low, high = left[-1] if left else (x + 1, x + 1)
        return low, high, low is None or low <= x

    return at
