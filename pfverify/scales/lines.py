"""All columns, or all rows, of a plan at once, in floats with a proved error bound.

A line holds where S = sum of mass/total e**(distance rate) <= e**epsilon. All terms are positive,
so rounding errors stay relative. With u = 2**-53, distances of L digits to the base B = 1024 and
lines of at most k edges:

- a power e**(digit B**j rate) is rounded from a ball (checked): <= 2u, or infinite. A product of L
  of them: <= 3 L u. None is below 1, so nothing underflows;
- a share mass/total, both rounded and divided: <= 3u, as none is below 1e-290;
- a product and a sum of at most k such terms, in any order: <= k u;
- e**epsilon is rounded from a ball: <= 2u.

Second-order terms are covered by one per cent and two u that are added. An infinite or undefined
sum clears no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pfverify.exact.ball import precision, proved_float, raw
from pfverify.exact.number import Number
from pfverify.scales.plan_line import PlanLine

if TYPE_CHECKING:
    from pfverify.transport.line_plan import Column

_U = 2.0**-53
_DIGIT = 10  # bits of a digit of a distance
_BASE = 1 << _DIGIT
_BITS = 96
_LEAST = 1e-290

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of one side of a plan, edge by edge: those of a line stand together.

    Attributes: `distance` and `mass` of every edge, integers; `starts`, the first edge of every
    line, and `lengths`, how many it has; `farthest`, its largest distance.
    """

    distance: Column
    mass: Column
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]
    farthest: Column

    @classmethod
    def of(cls, points: Column, distance: Column, mass: Column) -> Lines:
        """Return the lines of edges, of which `points` says what line each is on."""
        if not (points[1:] >= points[:-1]).all():
            order = points.argsort(kind="stable")
            points, distance, mass = points[order], distance[order], mass[order]
        starts = np.flatnonzero(np.append(True, points[1:] != points[:-1]))
        lengths = np.diff(starts, append=len(mass))
        return cls(distance, mass, starts, lengths, np.maximum.reduceat(distance, starts))

    def where(self, chosen: NDArray[np.bool_]) -> Lines:
        """Return some of the lines alone."""
        if chosen.all():
            return self
        lengths = self.lengths[chosen]
        starts = np.cumsum(lengths) - lengths
        kept = np.repeat(self.starts[chosen] - starts, lengths) + np.arange(lengths.sum())
        return Lines(self.distance[kept], self.mass[kept], starts, lengths, self.farthest[chosen])

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> PlanLine:
        """Return one line, equal distances together."""
        here = slice(self.starts[index], self.starts[index] + self.lengths[index])
        table: dict[int, int] = {}
        for distance, mass in zip(
            self.distance[here].tolist(), self.mass[here].tolist(), strict=True
        ):
            table[distance] = table.get(distance, 0) + mass
        return PlanLine(tuple(sorted(table.items())))

    def shapes(self, chosen: NDArray[np.intp]) -> Iterator[PlanLine]:
        """Yield the different shapes of some lines: what one of a shape needs, all of it do."""
        alone = self.lengths[chosen] == 1  # of one edge: alike where that is as long
        _, first = np.unique(self.farthest[chosen[alone]], return_index=True)
        places = np.append(np.flatnonzero(~alone), np.flatnonzero(alone)[first])
        seen = set[PlanLine]()
        for k in chosen[np.sort(places)].tolist():
            shape = self[k].shape
            if shape not in seen:
                seen.add(shape)
                yield shape

    def _totals(self, mass: Any) -> Any:
        """The sum over each line."""
        return np.add.reduceat(mass, self.starts)

    @cached_property
    def _shares(self) -> Floats | None:
        """What part of its line's mass each edge has; None where one is too small for floats."""
        totals = np.repeat(self._totals(self.mass), self.lengths)
        found: Floats = (self.mass / totals).astype(float)
        return found if found.min() >= _LEAST else None

    def doubtful(self, rate: Fraction, epsilon: Number) -> NDArray[np.intp]:
        """Return the indices of the lines that may not hold strictly, the largest sum first.

        A line does where its farthest mass alone has a power below e**epsilon, exactly, and where
        floats prove it.
        """
        least = -(-epsilon.at_most() // rate)  # of a distance whose power may be e**epsilon
        far = self.farthest >= least
        kept, left = np.flatnonzero(far), self.where(far)
        with precision(_BITS):
            goal = proved_float(epsilon.ball().raw.exp())
        if not len(kept) or goal is None or left._shares is None:
            return kept
        digits = -(-int(left.farthest.max()).bit_length() // _DIGIT)
        with np.errstate(over="ignore"):
            sums = left._totals(left._shares * _powers(left.distance, rate, digits))
        bound = 1.01 * (3 * digits + 3 + int(left.lengths.max()) + 2 + 2) * _U
        open_ = np.flatnonzero(~(sums < goal * (1 - bound)))
        return kept[open_[np.argsort(-sums[open_], kind="stable")]]


def _powers(distance: Column, rate: Fraction, digits: int) -> Floats:
    """Return e**(distance rate), infinite where floats do not reach, from tables by its digits."""
    found = np.ones(len(distance))
    for place in range(0, digits * _DIGIT, _DIGIT):
        digit = ((distance >> place) & (_BASE - 1)).astype(np.intp)
        there = np.zeros(_BASE, bool)
        there[digit] = True
        found *= _table(rate * (1 << place), np.flatnonzero(there))[digit]
    return found


def _table(rate: Fraction, digits: NDArray[np.intp]) -> Floats:
    """Return e**(k rate) at rising digits k, each proved (`proved_float`), infinite elsewhere."""
    table = np.full(_BASE, np.inf)
    with precision(_BITS):
        unit = raw(rate)
        for k in digits.tolist():
            value = proved_float((unit * k).exp())
            if value is None:
                break
            table[k] = value
    return table
