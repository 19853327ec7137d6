"""Losses on a grid, in whole numbers: what bounds a divergence from above, and from below.

From above, masses at losses j * step, and one at infinity, whose divergence is nowhere less than
that of two laws. From below, masses of labels under both laws: functions of the outputs. Products
are convolutions of whole numbers, rounded on the safe side.

Source: design facts F70 to F73.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from math import exp, floor, lcm
from typing import Protocol, Self, TypeVar

from pfverify.exact.ball import Raw, dyadic, fraction_of, precision, raw
from pfverify.exact.polynomials import Polynomial


@dataclass(frozen=True)
class LossGrid:
    """Losses at whole multiples of a step from `low` to `high`, and masses in 10**-digits.

    `little`: so many units at either end of a product are not worth their places; what looks at
    fewer places finds bounds that are so much wider, and no others.
    """

    step: Fraction
    digits: int
    low: int
    high: int
    little: int = 0

    @property
    def unit(self) -> int:
        """How many of the smallest masses are 1."""
        return int(10**self.digits)

    @property
    def bits(self) -> int:
        """The precision of balls, at which nothing is lost that masses would show."""
        return 4 * self.digits + 64


_MOST_EXPONENT = 700.0  # of a float


class _Composable(Protocol):
    def times(self, other: Self) -> Self: ...


M = TypeVar("M", bound=_Composable)


def power(measure: M, count: int) -> M:
    """Return the product of so many of the same, by squaring."""
    found = measure
    for digit in bin(count)[3:]:
        found = found.times(found)
        if digit == "1":
            found = found.times(measure)
    return found


@dataclass(frozen=True)
class LossMasses:
    """Masses at losses (first + k) * step, and one at infinity: no divergence is underestimated."""

    grid: LossGrid
    first: int
    masses: Polynomial
    infinite: int

    @cached_property
    def total(self) -> int:
        """All mass, which is at least 1."""
        return self.masses.total + self.infinite

    def times(self, other: LossMasses) -> LossMasses:
        """Return the product of two.

        What falls under the grid is moved up to its lowest place, what leaves it at the top goes to
        infinity.
        """
        unit = self.grid.unit
        found = (self.masses * other.masses).divided_up(unit)
        first = self.first + other.first
        both = self.infinite * other.total + other.infinite * (self.total - self.infinite)
        infinite = -(-both // unit)
        start, stop = max(0, self.grid.low - first), self.grid.high - first + 1
        low, high = found.within(self.grid.little) if self.grid.little else (0, found.length)
        start, stop = max(start, low), min(stop, high)
        kept = found.cut(start, stop)
        under = found.cut(0, min(start, stop))
        infinite += found.total - kept.total - under.total
        lowest = under.total
        if lowest:
            kept = kept + Polynomial([lowest])
        return LossMasses(self.grid, first + start, kept, infinite)

    @cached_property
    def _beyond(self) -> tuple[list[int], list[Raw]]:
        """Of each place the mass from there on, and that mass with e**-(distance) of each."""
        sums, falls = [0], [raw(0)]
        with precision(self.grid.bits):
            fall = (-raw(self.grid.step)).exp()
            for mass in reversed(self.masses.coefficients()):
                sums.append(sums[-1] + mass)
                falls.append(falls[-1] * fall + mass)
        return sums[::-1], falls[::-1]

    def ball(self, growth: Raw) -> Raw:
        """Return the divergence at the epsilon `growth`, at the current precision.

        Of places that may be on either side of it those on the far side count: what is counted too
        much is not negative.
        """
        at = growth / raw(self.grid.step)
        start = floor(fraction_of(dyadic(at.lower()))) + 1 - self.first
        sums, falls = self._beyond
        start = min(max(start, 0), len(sums) - 1)
        apart = growth - raw(self.grid.step) * (self.first + start)
        found = raw(sums[start] + self.infinite) - apart.exp() * falls[start]
        return found / self.grid.unit


def dotted(grid: LossGrid, levels: Sequence[int], table: Sequence[int]) -> LossMasses:
    """Return the least masses at the levels whose divergence is at least that of a table there.

    `levels` increase; `table` has the divergence at epsilon = level * step in 10**-digits, rounded
    up. What no level needs the lowest one has, so that all mass is at least 1.
    Source: design fact F71.
    """
    masses = [0] * (levels[-1] - levels[0] + 1)
    infinite = total = table[-1]
    with precision(grid.bits):
        falls: dict[int, Raw] = {}
        near = raw(0)  # e**-(distance) of each mass from the level
        for k in range(len(levels) - 1, 0, -1):
            gap = levels[k] - levels[k - 1]
            if gap not in falls:
                falls[gap] = (-raw(grid.step) * gap).exp()
            fall = falls[gap]
            near *= fall
            missing = raw(table[k - 1] - total) + near
            mass = max(0, -floor(fraction_of(dyadic((-missing / (1 - fall)).lower()))))
            masses[levels[k] - levels[0]] = mass
            total += mass
            near += mass * fall
    masses[0] = max(0, grid.unit - total)
    return LossMasses(grid, levels[0], Polynomial(masses), infinite)


@dataclass(frozen=True)
class LabelMasses:
    """Masses of labels first + k under two laws, less and more than they are.

    Sums over the grid have its highest label; what falls below it is in no event, and left out.
    Source: design facts F72 and F73.
    """

    grid: LossGrid
    first: int
    less: Polynomial
    more: Polynomial

    def times(self, other: LabelMasses) -> LabelMasses:
        """Return the product of two."""
        unit = self.grid.unit
        first = min(self.first + other.first, self.grid.high)  # where all are over the grid
        less, more = self.less * other.less, self.more * other.more
        start, stop = max(0, self.grid.low - first), self.grid.high - first + 1
        less, more = _told(less, start, stop), _told(more, start, stop)
        less, more = less.divided_down(unit), more.divided_up(unit)
        low, high = less.within(0)  # what is left out is in no event, and P hardly has it
        return LabelMasses(self.grid, first + start + low, less.cut(low, high), more.cut(low, high))

    @cached_property
    def _both(self) -> list[tuple[int, int]]:
        less, more = self.less.coefficients(), self.more.coefficients()
        return list(zip_longest(less, more, fillvalue=0))

    def ball(self, growth: Raw) -> Raw:
        """Return what labels exceed e**growth by, at the current precision: floats say which."""
        factor = exp(min(_MOST_EXPONENT, float(growth.mid())))
        top, bottom = factor.as_integer_ratio()  # masses may be beyond what a float holds
        less = more = 0
        for a, b in self._both:
            if a * bottom > top * b:
                less, more = less + a, more + b
        return (raw(less) - growth.exp() * more) / self.grid.unit


def _told(masses: Polynomial, start: int, stop: int) -> Polynomial:
    """The masses in a window, those over it in its highest place."""
    kept = masses.cut(start, stop)
    over = masses.cut(stop, masses.length).total
    return kept + Polynomial([over]).moved(stop - 1 - start) if over else kept


def labelled(grid: LossGrid, cells: Sequence[tuple[int, int, int]]) -> LabelMasses:
    """Return the masses of labels, of cells: a label, less than P has, and more than Q has.

    A label over the grid is its highest, one below it its lowest.
    """
    found: dict[int, tuple[int, int]] = {}
    for label, less, more in cells:
        place = min(max(label, grid.low), grid.high)
        a, b = found.get(place, (0, 0))
        found[place] = a + less, b + more
    first, last = min(found, default=grid.low), max(found, default=grid.low)
    both = [found.get(label, (0, 0)) for label in range(first, last + 1)]
    return LabelMasses(grid, first, *(Polynomial([masses[k] for masses in both]) for k in (0, 1)))


def mixed_above(measures: Sequence[tuple[Fraction, LossMasses]]) -> LossMasses:
    """Return the mixture of measures on one grid: its divergence is that of theirs."""
    whole = lcm(*(weight.denominator for weight, _ in measures))
    first = min(one.first for _, one in measures)
    masses, infinite = Polynomial([]), 0
    for weight, one in measures:
        share = int(weight * whole)
        infinite += share * one.infinite
        masses = masses + one.masses.moved(one.first - first) * Polynomial([share])
    infinite = -(-infinite // whole)
    return LossMasses(measures[0][1].grid, first, masses.divided_up(whole), infinite)


def mixed_below(
    p: Sequence[Fraction], q: Sequence[Fraction], measures: Sequence[LabelMasses]
) -> LabelMasses:
    """Return the labels of mixtures: under P of what is `less`, under Q of what is `more`."""
    whole = lcm(*(weight.denominator for weight in (*p, *q)))
    first = min(one.first for one in measures)
    less = more = Polynomial([])
    for a, b, one in zip(p, q, measures, strict=True):
        less = less + one.less.moved(one.first - first) * Polynomial([int(a * whole)])
        more = more + one.more.moved(one.first - first) * Polynomial([int(b * whole)])
    grid = measures[0].grid
    return LabelMasses(grid, first, less.divided_down(whole), more.divided_up(whole))


def expanded(spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the levels of spans (first, last, stride). Example: ``expanded([(0, 4, 2)])``."""
    return [level for first, last, stride in spans for level in range(first, last + 1, stride)]
