"""Intervals of steps, and the walk of points through them, against the definition."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from core.grammar import Malformed
from core.shapes import canonical_rational
from core.spans import Span, spans_of, walk


def drawn(rng: random.Random) -> list[Span]:
    """Disjoint intervals, some of one point, maybe with infinite ends."""
    ends = sorted(rng.sample(range(-12, 13), 2 * rng.randint(1, 4)))
    spans: list[Span] = []
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        at = Fraction(low, 2)
        spans.append((at, at if rng.random() < 0.3 else Fraction(high, 2)))
    if rng.random() < 0.4:
        spans[0] = None, spans[0][1]
    if rng.random() < 0.4:
        spans[-1] = spans[-1][0], None
    return spans


def test_points_are_told_their_interval_or_the_next() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        spans = drawn(rng)
        at = walk(spans)
        for k in sorted(rng.choices(range(-15, 16), k=12)):
            x = Fraction(k, 2)
            low, high, inside = at(x)
            left = [(a, b) for a, b in spans if b is None or b >= x]
            assert inside is any(a is None or a <= x for a, _ in left)
            if left:
                assert (low, high) == left[0]
            else:
                assert low is not None
                assert high is not None


def test_cells_may_touch_and_are_not_empty() -> None:
    def cells(*entries: list[object]) -> list[Span]:
        return spans_of([*entries], "a cell", canonical_rational, more=2, touching=True)

    one, two = Fraction(1), Fraction(2)
    assert cells(["-inf", "1", 0, 0], ["1", "2", 3, 1]) == [(None, one), (one, two)]
    for wrong, said in (
        ([["1", "1", 0, 0]], "a cell must not be empty"),
        ([["1", "2", 0]], "a cell must have two ends and 2 more"),
        ([["1", "2"]], "a cell must have two ends and 2 more"),
        ([["0", "2", 0, 0], ["1", "3", 0, 0]], "disjoint and increasing"),
    ):
        with pytest.raises(Malformed, match=said):
            cells(*wrong)
    with pytest.raises(Malformed, match=r"an interval must have two ends$"):
        spans_of([["1"]], "an interval", canonical_rational)
