"""Sets of laws on finitely many places: their extreme laws, and those with most mass near a place.

A law is a tuple of integers, its masses times `whole`, in the order of the places.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from pfverify.model.families.clipped import Row, extreme_points

Law = tuple[int, ...]
Keys = Sequence[int]
"""How near each place is to where mass is wanted: the larger, the nearer."""


class Region(ABC):
    """A convex set of laws. Attribute: `whole`, the sum of the integers of every law."""

    whole: int

    @property
    @abstractmethod
    def count(self) -> int:
        """A bound of how many corners are yielded, which is known without them."""

    @abstractmethod
    def corners(self) -> Iterable[Law]:
        """Return laws of which all others are averages, perhaps some of them twice."""


class OrderedRegion(Region):
    """A region of which a law with most mass near a place depends on nothing but what is nearer."""

    @abstractmethod
    def fullest(self, keys: Keys) -> Law:
        """Return a law with the largest sum of mass times key, for all keys in this order.

        Of places with equal keys the first comes first.
        """


def in_order(keys: Keys) -> list[int]:
    """Return the places from the largest key to the smallest, of equal ones the first before.

    Example: ``in_order([0, 2, 2])`` is ``[1, 2, 0]``.
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=True)


class Box(OrderedRegion):
    """The laws whose mass at every place is between two bounds; ValueError where there is none.

    Example: ``sorted(Box([0, 0], [2, 2], 3).corners())`` is ``[(1, 2), (2, 1)]``.
    """

    def __init__(self, low: Sequence[int], high: Sequence[int], whole: int) -> None:
        if any(a > b for a, b in zip(low, high, strict=True)) or not sum(low) <= whole <= sum(high):
            raise ValueError("there is no such law")
        self.low, self.high, self.whole = low, high, whole

    @property
    def _free(self) -> list[int]:
        return [k for k, (a, b) in enumerate(zip(self.low, self.high, strict=True)) if a < b]

    @property
    def count(self) -> int:
        """So many choices of one place, and of a bound at every other."""
        size = len(self._free)
        return size << (size - 1) if size else 1

    def corners(self) -> Iterator[Law]:
        """Yield the laws with at most one mass that is not at a bound."""
        if not self._free:
            yield tuple(self.low)
        ends = [sorted({a, b}) for a, b in zip(self.low, self.high, strict=True)]
        for place in self._free:
            for law in product(*ends[:place], [0], *ends[place + 1 :]):
                mass = self.whole - sum(law)
                if self.low[place] <= mass <= self.high[place]:
                    yield (*law[:place], mass, *law[place + 1 :])

    def fullest(self, keys: Keys) -> Law:
        """Return the bounds below, filled up to those above from the nearest place on."""
        law, left = list(self.low), self.whole - sum(self.low)
        for place in in_order(keys):
            more = min(left, self.high[place] - law[place])
            law[place] += more
            left -= more
            if not left:
                break
        return tuple(law)


class TotalVariation(OrderedRegion):
    """The laws at a total variation of at most `radius` / `whole` from a centre.

    Example: ``TotalVariation((2, 2), 1).fullest([1, 0])`` is ``(3, 1)``.
    """

    def __init__(self, centre: Law, radius: int) -> None:
        self.centre, self.whole, self.radius = centre, sum(centre), radius

    def _without(self, place: int) -> Box:
        """What may be taken from the other places, to be added to one."""
        most = [0 if k == place else mass for k, mass in enumerate(self.centre)]
        return Box([0] * len(most), most, min(self.radius, sum(most)))

    @property
    def count(self) -> int:
        """The centre, and what is taken from the others for every place."""
        return 1 + sum(self._without(place).count for place in range(len(self.centre)))

    def corners(self) -> Iterator[Law]:
        """Yield the centre, and those where all that is moved goes to one place."""
        yield self.centre
        for place in range(len(self.centre)):
            box = self._without(place)
            for taken in box.corners():
                law = [mass - less for mass, less in zip(self.centre, taken, strict=True)]
                law[place] += box.whole
                yield tuple(law)

    def fullest(self, keys: Keys) -> Law:
        """Return the centre with what is farthest moved to the nearest place."""
        top, *others = in_order(keys)
        law, left = list(self.centre), self.radius
        for place in reversed(others):
            less = min(left, law[place])
            law[place] -= less
            law[top] += less
            left -= less
        return tuple(law)


class Moved(OrderedRegion):
    """The laws that a coupling with a centre reaches by moves that are allowed: W-infinity balls.

    `moves`: for every place those to which its mass may go, in order, itself among them.
    """

    def __init__(self, centre: Law, moves: Sequence[Sequence[int]]) -> None:
        self.centre, self.whole, self.moves = centre, sum(centre), moves

    @property
    def _choices(self) -> list[Sequence[int]]:
        return [m if mass else m[:1] for mass, m in zip(self.centre, self.moves, strict=True)]

    @property
    def count(self) -> int:
        """So many ways to move the whole mass of every place."""
        return prod(map(len, self._choices))

    def _after(self, chosen: Iterable[int]) -> Law:
        law = [0] * len(self.centre)
        for place, mass in zip(chosen, self.centre, strict=True):
            law[place] += mass
        return tuple(law)

    def corners(self) -> Iterator[Law]:
        """Yield the laws where the mass of every place goes to one place."""
        return map(self._after, product(*self._choices))

    def fullest(self, keys: Keys) -> Law:
        """Return the law where every place moves its mass to the nearest one allowed."""
        rank = {place: k for k, place in enumerate(in_order(keys))}
        return self._after(min(move, key=rank.__getitem__) for move in self.moves)


class Clipped(Region):
    """The laws that meet linear constraints; ValueError where there is none, or far too many.

    `rows`: coefficients of the masses, and what their sum is at most.
    """

    def __init__(self, size: int, rows: Sequence[Row]) -> None:
        points = extreme_points(size, rows)
        self.whole, self._laws = points

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._laws)

    def corners(self) -> Iterable[Law]:
        """Return the extreme laws."""
        return self._laws
