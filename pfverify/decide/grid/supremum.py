"""The largest log ratio of two laws on their grid, in one order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pfverify.decide.grid.axes import Point
from pfverify.decide.grid.pair import GridPair
from pfverify.decide.largest import FEW, Largest, Signs
from pfverify.exact.ball import Raw
from pfverify.exact.number import Number

_FIRST_BITS = 64
_SETTLED = 4096  # terms up to which a round loss is tested exactly


def grid_supremum(pair: GridPair, *, reverse: bool) -> Largest[Point]:
    """Return sup log p/q over all outputs, which the grid reaches; with `reverse` q/p.

    Source: design facts F3 and F42.
    """

    def numbers(kept: Mapping[Point, Raw]) -> dict[Point, Raw]:
        points = list(kept)
        logs = pair.log_ratios(points)
        return dict(zip(points, [-x for x in logs] if reverse else logs, strict=True))

    def exact(bound: Number) -> Signs[Point] | None:
        if (epsilon := bound.formal) is None:
            return None
        sign = cache(lambda point: pair.exact_sign(point, epsilon, reverse=reverse))

        def signs(places: list[Point], final: bool) -> dict[Point, int]:
            del final  # a point is asked once for all precisions, and in full
            known: dict[Point, int] = {}
            for point in places:
                if (one := sign(point)) is not None:
                    known[point] = one
                if one == 1:
                    return {point: 1}
            return known

        return signs

    def settles() -> bool:
        return sum(map(len, pair.laws)) <= _SETTLED and len(found.kept) <= FEW

    found = Largest(numbers, _FIRST_BITS, pair.candidates(reverse=reverse), exact, settles)
    return found
