"""Points with (discrete) Laplace noise on every coordinate, on the grid of their coordinates.

V_i are the i-th coordinates of the points of P and Q, maybe with more values, rho_i the rate of the
noise there, and up to the noise's constant, for a place c of the grid (the product of the V_i),

    p(c) = sum over x of P(x) e^(-sum_i rho_i |c_i - x_i|)

With the other coordinates fixed p is A e^(rho_i y) + B e^(-rho_i y), A, B >= 0, between neighbours
in V_i, and outside it decays.  So the ratio of p and q is largest on the grid (F42).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from core.coordinates import Joint, Point, Rows, texts
from core.enclose import ZERO, Arithmetic, Interval, Undecided, shift_ceil
from core.grammar import Malformed, Number
from core.packed import Sheet, Unit, sheet, spread
from core.rules import Rejected
from core.shapes import array, canonical_rational
from core.value import form_of
from core.work import product, spend, table_of
from core.zero import Form, enclose_form, exp_form, times

MOST_BITS = 1 << 17  # of what decays across a grid
Densities = list[tuple[Rows, Any, Sheet]]  # densities, by law (itself), grid and rates


class Boxed(NamedTuple):
    """A law of points with noise of a rate on every coordinate, which may live on a lattice."""

    rows: Rows
    rates: tuple[Form, ...]
    step: Fraction | None
    names: tuple[str, ...] = ()

    @property
    def law_of_x(self) -> Joint:
        """The law of X."""
        return Joint(self.names, self.rows)


class Box:
    """The grid of two laws, with further values where there are cuts; the last two densities that
    were worked out are kept."""

    def __init__(self, p: Boxed, q: Boxed, cuts: Any, kept: Densities) -> None:
        self.laws, self.rates, self.step, self.kept = (p, q), p.rates, p.step, kept
        columns = [*zip(*(x for x, _ in (*p.rows, *q.rows)), strict=True)]
        if len(columns) != len(self.rates):
            raise Malformed(f"{len(self.rates)} scales for {len(columns)} coordinates")
        for column in columns:
            table_of(column)
            spend(sum(64 + product(x.denominator.bit_length()) for x in column))
        own = [sorted(set(column)) for column in columns]
        self.axes = own if cuts is None else self._cut(own, cuts)
        self.sizes = tuple(map(len, self.axes))
        self.gaps = [[b - a for a, b in pairwise(axis)] for axis in self.axes]

    def _cut(self, own: list[list[Fraction]], value: Any) -> list[list[Fraction]]:
        """The grid with further values."""
        if len(array(value, "cuts")) != len(own):
            raise Malformed(f"cuts must be {len(own)} lists, one for each coordinate")
        axes = []
        for axis, entries in zip(own, value, strict=True):
            cuts = [canonical_rational(x, "a cut") for x in array(entries, "cuts")]
            if any(a >= b for a, b in pairwise(cuts)):
                raise Malformed("cuts must increase")
            table_of(cuts)
            if not set(cuts).isdisjoint(axis):
                raise Malformed("a cut is a coordinate of a point")
            for x in cuts:
                self._require_on_lattice(axis[0], x)
            spend(sum(64 + product(x.denominator.bit_length()) for x in cuts))
            axes.append(sorted([*axis, *cuts]))
        return axes

    def _require_on_lattice(self, first: Fraction, x: Fraction) -> None:
        """Malformed where the noise does not lead from one value to the other."""
        if self.step is not None and ((x - first) / self.step).denominator != 1:
            raise Malformed("a place that is not on the lattice")

    def stated(self, value: Any, what: str) -> Point:
        """A point of a step, which the noise leads to."""
        found = tuple(canonical_rational(x, what) for x in array(value, what))
        if len(found) != len(self.axes):
            raise Malformed(f"{what} must have {len(self.axes)} coordinates")
        for axis, x in zip(self.axes, found, strict=True):
            self._require_on_lattice(axis[0], x)
        return found

    def place(self, point: Point) -> int:
        """Where a point stands on the grid, or Rejected."""
        at = 0
        for x, index in zip(point, self._indices, strict=True):
            if x not in index:
                raise Rejected(f"{texts(point)} is not on the grid")
            at = at * len(index) + index[x]
        return at

    @cached_property
    def _indices(self) -> list[dict[Fraction, int]]:
        return [{x: k for k, x in enumerate(axis)} for axis in self.axes]

    def point(self, place: int) -> Point:
        """The point that stands there."""
        found = []
        for axis in reversed(self.axes):
            place, k = divmod(place, len(axis))
            found.append(axis[k])
        return tuple(reversed(found))

    def decays(self, i: int, ar: Arithmetic) -> list[Interval]:
        """Of a coordinate: e^(-gap rho) of all gaps."""
        table_of(self.gaps[i])
        found = {d: exp_form(times(self.rates[i], -d), ar) for d in set(self.gaps[i])}
        return [found[d] for d in self.gaps[i]]

    def range_bits(self) -> int:
        """About how many bits all of the grid decays by."""
        total, ar = ZERO, Arithmetic(64)
        for axis, rate in zip(self.axes, self.rates, strict=True):
            total = ar.add(total, enclose_form(times(rate, axis[-1] - axis[0]), ar))
        bits = 3 * shift_ceil(total[1], total[2]) // 2
        if bits > MOST_BITS:
            raise Undecided("the grid is too wide for its scales")
        return bits

    def sheets(self, unit: Unit) -> tuple[Sheet, Sheet]:
        """p and q on the grid."""
        p, q = (self._sheet(law, unit) for law in self.laws)
        return p, q

    def _sheet(self, law: Boxed, unit: Unit) -> Sheet:
        """A density on the grid: the same in both orders of a pair, which come one after the
        other."""
        grid_of = self.axes, law.rates, unit
        for rows, at, found in self.kept:
            if law.rows is rows and at == grid_of:
                return found
        ar = Arithmetic(unit.bits + 16)
        spend(16 * len(law.rows) * len(self.axes))
        found = sheet(unit, self.sizes, [(self.place(x), m) for x, m in law.rows])
        for i in range(len(self.axes)):
            found = spread(found, i, self.decays(i, ar))
        self.kept[:] = [*self.kept[-1:], (law.rows, grid_of, found)]
        return found

    def at(self, point: Point, ar: Arithmetic) -> list[Interval]:
        """Enclosures of p and q at any point."""
        known: list[dict[Fraction, Interval]] = [
            {x: exp_form(times(rate, -abs(x - y)), ar) for x in axis}
            for axis, rate, y in zip(self.axes, self.rates, point, strict=True)
        ]
        found = []
        for law in self.laws:
            total = ZERO
            for x, mass in law.rows:
                term = ar.of(mass)
                for coordinate, memo in zip(x, known, strict=True):
                    term = ar.mul(term, memo[coordinate])
                total = ar.add(total, term)
            found.append(total)
        return found


def factor_of(epsilon: Number, bits: int) -> Interval:
    """e^epsilon."""
    return exp_form(form_of(epsilon), Arithmetic(bits + 32))
