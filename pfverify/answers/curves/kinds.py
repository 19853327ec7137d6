"""The kinds of curves that follow from divergences of events, in a table.

Each says from where to where it goes, between which growths a divergence has to be known for that,
how far apart its bounds are, and what its points are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from pfverify.answers.curves import alarms, orders
from pfverify.answers.curves.between import Open, Range, opens
from pfverify.answers.curves.numbers import around, between, exactly, growth_of
from pfverify.answers.curves.pair import KnownPair, log_of
from pfverify.answers.curves.result import CurvePoint
from pfverify.answers.profile import Known, band
from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, rational

ONE = Fraction(1)
_MOST_ORDER = 1000
_LONGEST = 100  # epsilon, beyond which growths are too long


class CurveKind(ABC):
    """A kind of curve, between two places that are asked for as they are written."""

    name: ClassVar[str]
    what: ClassVar[str]  # what its places are
    usual: ClassVar[tuple[str, str | None]]  # from where to where; None: it depends

    def __init__(self, start: Number, end: Number) -> None:
        """Take both ends. Raises InputError where they are no range of the kind."""
        self.start, self.end = start, end
        above = (end - start).sign()
        if above is None or above < 0:
            raise InputError(
                f"--from and --to: {shorten(start.text)} is above {shorten(end.text)}, expected "
                f"a range of {self.what}"
            )

    @property
    @abstractmethod
    def growths(self) -> Range:
        """Between which growths a divergence is to be known."""

    @property
    @abstractmethod
    def places(self) -> Range:
        """From where to where the curve goes, exactly; of a profile growths."""

    @abstractmethod
    def known(self, pair: KnownPair, order: int) -> list[Known]:
        """Return what is known of the divergence that the curve of an order is made of."""

    @abstractmethod
    def opens(self, known: Sequence[Known]) -> list[Open]:
        """Return how far apart its bounds are, part by part."""

    @abstractmethod
    def points(self, every: Sequence[Sequence[Known]]) -> list[CurvePoint]:
        """Return points of the largest of some curves (of tests: of the least)."""

    def starts(self) -> list[Fraction]:
        """Return growths at which a divergence is looked at first."""
        low, high = self.growths
        return sorted({low, high, *([ONE] if low < 1 < high else [])})

    def side(self, order: int) -> int:
        """Return the order whose divergence the curve of an order is made of."""
        return order


class PrivacyProfile(CurveKind):
    """delta at every epsilon."""

    name, what, usual = "profile", "epsilon >= 0", ("0", None)

    def __init__(self, start: Number, end: Number) -> None:
        super().__init__(start, end)
        if start.sign() not in (0, 1):
            raise InputError(f"--from: {shorten(start.text)} is below 0, expected epsilon >= 0")
        if (Number.of_rational(_LONGEST) - end).sign() not in (0, 1):
            raise InputError(f"--to: {shorten(end.text)} is above {_LONGEST}, the most there is")
        low, high = growth_of(start, up=False), growth_of(end, up=True)
        self._growths = max(low, ONE), high

    @property
    def growths(self) -> Range:
        """e**epsilon of both ends."""
        return self._growths

    @property
    def places(self) -> Range:
        """The same."""
        return self._growths

    def known(self, pair: KnownPair, order: int) -> list[Known]:
        """Return what is known of the order itself."""
        return pair.known(order)

    def opens(self, known: Sequence[Known]) -> list[Open]:
        """Return how far apart bounds of delta are."""
        return opens(known, self.growths, lambda growth: ONE)

    def points(self, every: Sequence[Sequence[Known]]) -> list[CurvePoint]:
        """Return delta at every growth at which a curve is known."""
        return [
            CurvePoint(
                growth=exactly(growth), epsilon=around(log_of(growth)), delta=between(*ends)
            )
            for growth, ends in _largest(every, self.growths)
        ]


class Odds(CurveKind):
    """The largest chance of guessing right which law it was, at every weight of P."""

    name, what, usual = "odds", "weights in (0, 1)", ("1/100", "99/100")

    def __init__(self, start: Number, end: Number) -> None:
        super().__init__(start, end)
        self._places = rational(start, "--from"), rational(end, "--to")
        if not 0 < self._places[0] <= self._places[1] < 1:
            raise InputError(f"--from and --to: expected {self.what}")

    @property
    def growths(self) -> Range:
        """The odds of Q against P at both ends."""
        low, high = self._places
        return (1 - high) / high, (1 - low) / low

    @property
    def places(self) -> Range:
        """Both ends."""
        return self._places

    def known(self, pair: KnownPair, order: int) -> list[Known]:
        """Return what is known of the order itself."""
        return pair.known(order)

    def opens(self, known: Sequence[Known]) -> list[Open]:
        """Return how far apart bounds of the chance are: weight times those of the divergence."""
        return opens(known, self.growths, lambda growth: 1 / (1 + growth))

    def points(self, every: Sequence[Sequence[Known]]) -> list[CurvePoint]:
        """Return the chance at every weight at which a curve is known."""
        found = []
        for growth, (lower, upper) in reversed(_largest(every, self.growths)):
            weight = 1 / (1 + growth)
            ends = (1 - weight + weight * end for end in (lower, upper))
            found.append(CurvePoint(weight=exactly(weight), success=between(*ends)))
        return found


class TradeOff(CurveKind):
    """The least chance of a type II error of a test, at every chance of a type I error."""

    name, what, usual = "trade-off", "chances in [0, 1]", ("0", "1")

    def __init__(self, start: Number, end: Number) -> None:
        super().__init__(start, end)
        self._places = rational(start, "--from"), rational(end, "--to")
        if not 0 <= self._places[0] <= self._places[1] <= 1:
            raise InputError(f"--from and --to: expected {self.what}")

    @property
    def growths(self) -> Range:
        """Where it begins: more is found on the way."""
        return ONE / 2, ONE * 2

    @property
    def places(self) -> Range:
        """Both ends."""
        return self._places

    def known(self, pair: KnownPair, order: int) -> list[Known]:
        """Return what is known of Q against P: a test of P rejects it where q is above growth p."""
        return pair.known(1 - order)

    def side(self, order: int) -> int:
        """Return the other order."""
        return 1 - order

    def opens(self, known: Sequence[Known]) -> list[Open]:
        """Return how far apart bounds of the type II error are."""
        return alarms.opens(known, self._places)

    def points(self, every: Sequence[Sequence[Known]]) -> list[CurvePoint]:
        """Return the least errors of any of them, where the bounds have corners."""
        low, high = self._places
        bottoms, tops = [[of(known) for known in every] for of in (alarms.below, alarms.above)]
        places = {low, high, *(_rounded(kink) for bottom in bottoms for kink in bottom.kinks)}
        return [
            CurvePoint(
                type_1=exactly(alarm),
                type_2=between(*(min(one.at(alarm) for one in of) for of in (bottoms, tops))),
            )
            for alarm in sorted(places) if low <= alarm <= high
        ]  # fmt: skip


class RenyiOrders:
    """The Renyi divergence at every order."""

    name, what, usual = "renyi", "orders above 1", ("3/2", "10")

    def __init__(self, start: Number, end: Number) -> None:
        """Take both ends. Raises InputError where they are no range of orders."""
        self.start, self.end = start, end
        self.places = rational(start, "--from"), rational(end, "--to")
        if not 1 < self.places[0] <= self.places[1] <= _MOST_ORDER:
            raise InputError(f"--from and --to: expected {self.what}, up to {_MOST_ORDER}")

    def opens(self, known: Sequence[Known]) -> list[Open]:
        """Return how far apart bounds of the divergence are."""
        return orders.opens_of(known, self.places)

    def points(self, every: Sequence[Sequence[Known]]) -> list[CurvePoint]:
        """Return the largest divergence at every order at which one is known."""
        found = []
        for order in _places(every, self.places):
            ends = [orders.bounds(known, order) for known in every]
            largest = max(low for low, _ in ends), max(high for _, high in ends)
            found.append(CurvePoint(order=exactly(order), divergence=between(*largest)))
        return found


KINDS: dict[str, type[CurveKind]] = {kind.name: kind for kind in (PrivacyProfile, TradeOff, Odds)}
"""Name of a kind -> the kind."""


def _rounded(alarm: Fraction) -> Fraction:
    return Fraction(round(alarm * 10**6), 10**6)


def _places(every: Sequence[Sequence[Known]], within: Range) -> list[Fraction]:
    low, high = within
    inside = {one.gamma for known in every for one in known if low <= one.gamma <= high}
    return sorted({*inside, low, high})


def _largest(
    every: Sequence[Sequence[Known]], within: Range
) -> list[tuple[Fraction, tuple[Fraction, Fraction]]]:
    """The bounds of the largest of some divergences, where one of them is known."""
    found = []
    for growth in _places(every, within):
        ends = [band(known, growth) for known in every]
        found.append((growth, (max(low for low, _ in ends), max(high for _, high in ends))))
    return found
