"""Convex sets of laws on finitely many places: extreme laws, and those with most mass on the first.

Laws are integers that sum to `whole`, masses times it.  Box: a law of which two masses are inside
their bounds is an average of two that move mass from one to the other, so all but one are at
bounds.  Near: of what is added to a centre, all may go to one place, and what is taken is a law of
a box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

Masses = tuple[int, ...]


class Box(NamedTuple):
    """Masses between bounds."""

    low: Sequence[int]
    high: Sequence[int]
    whole: int

    @property
    def free(self) -> list[int]:
        """The places whose mass is not told."""
        return [k for k in range(len(self.low)) if self.low[k] < self.high[k]]

    @property
    def size(self) -> int:
        """A bound of the number of corners: one place takes what the others, at bounds, leave."""
        n = len(self.free)
        return n * 2 ** (n - 1) if n else 1

    def corners(self) -> Iterator[Masses]:
        """Laws of which all others are averages: all masses but one are bounds."""
        if not self.free:
            yield (*self.low,)
        for k in self.free:
            ends = [[0] if i == k else [*{self.low[i], self.high[i]}] for i in range(len(self.low))]
            for law in product(*ends):
                rest = self.whole - sum(law)
                if self.low[k] <= rest <= self.high[k]:
                    yield tuple(rest if i == k else m for i, m in enumerate(law))

    def fullest(self, order: Sequence[int]) -> Masses:
        """The law with most mass on the first places of an order: filled up from there on."""
        law, left = [*self.low], self.whole - sum(self.low)
        for k in order:
            add = min(left, self.high[k] - self.low[k])
            law[k], left = law[k] + add, left - add
        return (*law,)


class Near(NamedTuple):
    """Laws that differ from a centre by at most a radius in every event."""

    centre: Masses
    radius: int
    whole: int

    def _taken(self, k: int) -> Box:
        """What the other places lose to one."""
        most = [0 if i == k else m for i, m in enumerate(self.centre)]
        return Box([0] * len(most), most, min(self.radius, sum(most)))

    @property
    def size(self) -> int:
        """Of the centre, and of every place that gains."""
        return 1 + sum(self._taken(k).size for k in range(len(self.centre)))

    def corners(self) -> Iterator[Masses]:
        """The centre, and one place with all that the others lose."""
        yield self.centre
        for k, mass in enumerate(self.centre):
            taken = self._taken(k)
            for law in taken.corners():
                left = [m - less for m, less in zip(self.centre, law, strict=True)]
                yield (*left[:k], mass + taken.whole, *left[k + 1 :])

    def fullest(self, order: Sequence[int]) -> Masses:
        """The last places lose, the first one gains."""
        law, left = [*self.centre], self.radius
        for k in order[:0:-1]:
            less = min(left, law[k])
            law[k], left = law[k] - less, left - less
        law[order[0]] += self.radius - left
        return (*law,)


class Moved(NamedTuple):
    """Laws that moves of a centre's masses reach: of every place, where its mass may go."""

    centre: Masses
    ways: Sequence[Sequence[int]]
    whole: int

    @property
    def size(self) -> int:
        """One way for every mass."""
        return prod(len(ways) for m, ways in zip(self.centre, self.ways, strict=True) if m)

    def _to(self, chosen: Sequence[int]) -> Masses:
        law = [0] * len(self.centre)
        for k, m in zip(chosen, self.centre, strict=True):
            law[k] += m
        return (*law,)

    def corners(self) -> Iterator[Masses]:
        """Every mass moves as a whole."""
        ways = [way if m else way[:1] for m, way in zip(self.centre, self.ways, strict=True)]
        return map(self._to, product(*ways))

    def fullest(self, order: Sequence[int]) -> Masses:
        """Every mass moves to the first place that it may."""
        return self._to([min(way, key=order.index) for way in self.ways])


class Listed(NamedTuple):
    """Averages of several laws, of which no order tells the fullest."""

    laws: Sequence[Masses]
    whole: int

    @property
    def size(self) -> int:
        """So many laws."""
        return len(self.laws)


Region = Box | Near | Moved | Listed


def extreme_laws(region: Region) -> Sequence[Masses]:
    """Laws of which all others are averages: in order, unless they are listed."""
    return region.laws if isinstance(region, Listed) else sorted({*region.corners()})
