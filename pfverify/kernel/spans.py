"""Events of steps: unions of intervals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from files import array, canonical_rational
from grammar import Malformed

Spans = list[tuple[Fraction | None, Fraction | None]]


def spans_of(value: Any) -> Spans:
    """Disjoint closed intervals in increasing order; [a, a] is the one output a."""
    spans: Spans = []
    for entry in array(value, "event"):
        ends = array(entry, "an interval")
        if len(ends) != 2:
            raise Malformed("an interval must have two ends")
        low = None if ends[0] == "-inf" else canonical_rational(ends[0], "an end")
        high = None if ends[1] == "inf" else canonical_rational(ends[1], "an end")
        if low is not None and high is not None and low > high:
            raise Malformed("an interval must not be empty")
        if spans:
            last = spans[-1][1]
            if last is None or low is None or last >= low:
                raise Malformed("intervals must be disjoint and increasing")
        spans.append((low, high))
    if not spans:
        raise Malformed("an event must not be empty")
    return spans
