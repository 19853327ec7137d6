"""What is known of both orders of a pair: the divergence at every growth that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from pfverify.answers.profile import Known, merged, turned
from pfverify.decide.comparison import Comparison, Orders
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.number import Number
from pfverify.exact.refined import ends_of
from pfverify.model.notion import EVENTS
from pfverify.model.target import Target

_ZERO = Number.of_rational(0)
_BITS = 96
_BESIDE = Fraction(1, 10)  # of a unit: how near a number may be to an end that is rounded outward


def log_of(growth: Fraction) -> Number:
    """Return the epsilon of a growth e**epsilon.

    Example: ``log_of(Fraction(1)).text`` is ``"0"``.
    """
    return _ZERO if growth == 1 else Number.of_rational(growth).log()


def outward(lower: Fraction, upper: Fraction, places: int) -> tuple[Fraction, Fraction]:
    """Return decimals strictly around two ends, the lower one at least 0.

    Example: ``outward(Fraction(1, 3), Fraction(1, 3), 2)`` is ``(33/100, 34/100)``.
    """
    unit = 10**places
    low = max(0, floor(lower * unit - _BESIDE))
    return Fraction(low, unit), Fraction(ceil(upper * unit + _BESIDE), unit)


class KnownPair:
    """Both orders of a pair of one belief, known to so many decimal places.

    `found[k]` is what is known of order k at each growth >= 1 that was asked for.
    """

    def __init__(
        self, names: tuple[str, str, str], orders: Callable[[bool], Orders], places: int
    ) -> None:
        """Take both orders by whether delta is above 0: they may then be compared otherwise."""
        self.belief, self.first, self.second = names
        self.places, self._orders = places, orders
        self.found: tuple[dict[Fraction, Known], dict[Fraction, Known]] = ({}, {})
        self._losses: dict[int, Fraction | None] = {}

    def afresh(self) -> KnownPair:
        """Return the same pair, of which nothing is known yet."""
        return KnownPair(self.names(0), self._orders, self.places)

    def names(self, order: int) -> tuple[str, str, str]:
        """Return the belief, and the secrets of an order."""
        ends = (self.first, self.second)
        return self.belief, ends[order], ends[1 - order]

    def compared(self, order: int, *, positive: bool) -> Comparison:
        """Return an order as it is compared where delta is above 0, or is 0."""
        return self._orders(positive)[order]

    def find(self, order: int, gamma: Fraction) -> None:
        """Find the divergence of an order at a growth; below 1 that is what the other one says."""
        if gamma < 1:
            order, gamma = 1 - order, 1 / gamma
        if gamma not in self.found[order]:
            self.found[order][gamma] = Known(gamma, *self.bounds(order, log_of(gamma)))

    def known(self, order: int) -> list[Known]:
        """Return all that both orders say about one."""
        own, other = self.found[order].values(), self.found[1 - order].values()
        return merged([*own], [turned(one) for one in other])

    def bounds(self, order: int, epsilon: Number) -> tuple[Fraction, Fraction]:
        """Return proved bounds of the divergence of an order at an epsilon >= 0, as it is."""
        target = Target(epsilon, _ZERO, EVENTS)
        # as with a delta: of many releases no other comparison may know of events
        found = self.compared(order, positive=True).against(target).exceeding()
        low, high = ends_of(found, 4 * self.places + 16)
        low = Fraction(0) if not low > 0 else Fraction(low)
        high = Fraction(1) if not high <= 1 else Fraction(high)
        if low == 0 and (high == 0 or self._beyond(order, epsilon)):
            return Fraction(0), Fraction(0)
        lower, upper = outward(low, high, self.places)
        return lower, min(upper, Fraction(1))

    def _beyond(self, order: int, epsilon: Number) -> bool:
        """Whether the log ratio is known to be nowhere above an epsilon."""
        if order not in self._losses:
            loss = ends_of(self.compared(order, positive=False).loss().value)[1]
            self._losses[order] = Fraction(loss) if loss < 1 << 20 else None
        most = self._losses[order]
        if most is None:
            return False
        with precision(_BITS):
            return (Ball(most) - epsilon.ball()).is_negative() is Answer.YES
