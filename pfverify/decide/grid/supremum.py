"""The largest log ratio of two laws on their grid, one order: sign, value, ties and margin."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pfverify.decide.breach import proved
from pfverify.decide.grid.axes import Point
from pfverify.decide.grid.pair import GridPair
from pfverify.exact.ball import Ball, Raw, largest, precision
from pfverify.exact.expsum import CAP_BITS, ZERO_TEST_BITS
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls, Refined, exactly
from pfverify.exact.rising import rising

_FIRST_BITS = 64
_SETTLED = 4096  # terms up to which a round loss is tested exactly


class GridSupremum:
    """sup log p/q over all outputs, which the grid reaches; with `reverse` q/p.

    Source: design facts F3 and F42.
    """

    def __init__(self, pair: GridPair, *, reverse: bool) -> None:
        self.pair, self.reverse = pair, reverse
        self._bits = 0

    @cached_property
    def _points(self) -> list[Point]:
        return self.pair.candidates(reverse=self.reverse)

    @cached_property
    def _logs(self) -> dict[Point, Raw]:
        return {}

    def ball(self, bits: int) -> Ball:
        """Return an enclosure at a precision; points that are surely smaller are dropped."""
        if bits > self._bits:
            points = list(self._logs or self._points)
            with precision(bits):
                logs = self.pair.log_ratios(points)
                if self.reverse:
                    logs = [-value for value in logs]
                best = largest(logs)
                vars(self)["_logs"] = {
                    point: value for point, value in zip(points, logs, strict=True)
                    if not value < best
                }  # fmt: skip
                self._enclosure = Ball(best)
            self._bits = bits
        return self._enclosure

    def balls(self, bits: int) -> Iterator[Ball]:
        """Yield better and better enclosures."""
        for working in rising(max(_FIRST_BITS + bits, self._bits), 2 * CAP_BITS):
            yield self.ball(working)

    @property
    def worst(self) -> Point:
        """A point of the grid with about the largest ratio."""
        self.ball(_FIRST_BITS)
        return max(self._logs, key=lambda point: self._logs[point].mid())

    def sign(self, epsilon: Number) -> tuple[int | None, tuple[Point, ...]]:
        """Return the sign of the supremum less epsilon, and where it is, unless -1."""
        if self.pair.equal:
            sign = epsilon.sign()
            return (None if sign is None else -sign), ()
        for bits in rising(_FIRST_BITS, 2 * CAP_BITS):
            with precision(bits):
                gap = self.ball(bits) - epsilon.ball()
                sign = gap.certain_sign()
            if sign == 1:
                return 1, (self.worst,)
            if sign == -1:
                return -1, ()
            if bits >= ZERO_TEST_BITS and epsilon.formal is not None:
                return self._exact_sign(epsilon)
        return None, ()

    def _exact_sign(self, epsilon: Number) -> tuple[int | None, tuple[Point, ...]]:
        """Decide the points that are left by the zero test."""
        signs: dict[Point, int | None] = {}
        for point in self._logs:
            if epsilon.formal is None:
                return None, ()
            signs[point] = self.pair.exact_sign(point, epsilon.formal, reverse=self.reverse)
            if signs[point] == 1:
                return 1, (point,)
        if None in signs.values():
            return None, ()
        ties = tuple(sorted(point for point, sign in signs.items() if sign == 0))
        return (0 if ties else -1), ties

    def value(self, epsilon: Number, sign: int | None) -> Refined:
        """Return the supremum; where it ties it is epsilon itself."""
        if self.pair.equal:
            return ZERO
        if sign == 0 and (exact := epsilon.fraction) is not None:
            return exactly(exact)
        return ByBalls(self.balls, is_exactly=self._is_exactly)

    def _is_exactly(self, value: object) -> bool:
        number = Number.of_rational(value)  # type: ignore[arg-type]
        if sum(map(len, self.pair.laws)) > _SETTLED or len(self._logs) > 8:
            return False
        return self._exact_sign(number)[0] == 0

    def margin(self, point: Point, epsilon: Number) -> Raw | None:
        """Return log p/q - epsilon at a point, proved to be > 0; None if that is not found."""
        for bits in rising(_FIRST_BITS):
            with precision(bits):
                value = self.pair.log_ratios([point])[0]
                gap = (-value if self.reverse else value) - epsilon.ball().raw
            if proved(gap):
                return gap
        return None
