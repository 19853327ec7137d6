"""What the published scales divide by epsilon: differences of means and standard deviations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pfverify.exact.ball import Ball, Raw, current_precision, raw
from pfverify.exact.number import Number
from pfverify.model.priors.prior import Component
from pfverify.scales.closed_form import Value, distance_over


@dataclass(frozen=True)
class ScaledSpread:
    """weight * |sd - sd'| for two variances."""

    weight: Fraction
    first: Fraction
    second: Fraction

    def ball(self) -> Raw:
        """Enclose it without cancellation: |v - v'| / (sd + sd')."""
        roots = raw(self.first).sqrt() + raw(self.second).sqrt()
        return raw(self.weight * abs(self.first - self.second)) / roots


@dataclass(frozen=True)
class Reach:
    """distance + factor * (sum of spreads), what the published scales divide by epsilon."""

    distance: Fraction
    spreads: tuple[ScaledSpread, ...]

    @classmethod
    def of(cls, edges: Iterable[tuple[Fraction, Component, Component]]) -> Reach:
        """Sum weight * (|dmu| + factor |dsd|) over weighted pairs of normal laws."""
        distance, spreads = Fraction(0), list[ScaledSpread]()
        for weight, a, b in edges:
            distance += weight * abs(a.mean - b.mean)
            if a.variance != b.variance:
                low, high = sorted((a.variance, b.variance))
                spreads.append(ScaledSpread(weight, low, high))
        return cls(distance, tuple(spreads))

    def ball(self, factor: Raw) -> Raw:
        """Enclose it for a factor such as tau*."""
        return raw(self.distance) + factor * sum((s.ball() for s in self.spreads), raw(0))


class Quantile:
    """tau* or a bound of it, evaluated once per precision."""

    def __init__(self, ball: Callable[[Number], Ball], delta: Number) -> None:
        self.delta = delta
        self._ball = ball
        self._known: dict[int, Raw] = {}

    def ball(self) -> Raw:
        """Enclose it at the current precision."""
        bits = current_precision()
        if bits not in self._known:
            self._known[bits] = self._ball(self.delta).raw
        return self._known[bits]

    def require(self) -> None:
        """Raise InputError where it is not defined: unless delta is in (0, 1]."""
        self.ball()

    @cached_property
    def vanishes(self) -> bool:
        """Whether it is exactly 0 (tau* at delta = 1)."""
        return bool(self.ball().is_zero())

    def over(self, reach: Reach, epsilon: Number) -> Value:
        """Return reach / epsilon with this factor."""
        if not reach.spreads or self.vanishes:
            return distance_over(reach.distance, epsilon)
        return Value(lambda: reach.ball(self.ball()) / epsilon.ball().raw)
