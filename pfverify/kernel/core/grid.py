"""Points with (discrete) Laplace noise on every coordinate, on a grid.  As in `rules`.

V_i are the i-th coordinates of the points of P and Q, maybe with more values, rho_i the rate of the
noise there, and up to the noise's constant, for a place c of the grid (the product of the V_i),

    p(c) = sum over x of P(x) e^(-sum_i rho_i |c_i - x_i|)

With the other coordinates fixed p is A e^(rho_i y) + B e^(-rho_i y), A, B >= 0, between neighbours
in V_i, and outside it decays.  So the ratio of p and q is largest on the grid (F42).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

from core.enclose import ZERO, Arithmetic, Interval, Undecided, shift_ceil
from core.grammar import Malformed, Number
from core.kinds import EVENTS, Kind, Rule
from core.packed import Scaled, Sheet, Unit, places_above, sheet, spread, unit_for
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import array, canonical_rational
from core.value import form_of, rate_form
from core.work import product, spend, table_of
from core.zero import Form, constant, enclose_form, exp_form, is_zero, plus, times
from reader.joint import Joint, Point, Rows, texts
from reader.noise import Noise

Joints = Goal[Joint, Noise]
MOST_BITS = 1 << 17  # of what decays across a grid
_KEPT: list[tuple[Rows, Any, Sheet]] = []  # the last two densities, by law (itself) and grid


def _laws(p: Joint, q: Joint, release: object) -> tuple[Joint, Joint]:
    if p.names != q.names:
        raise Malformed("joint priors must have the same names in the same order")
    return p, q


KIND = Kind(
    {"grid": Rule("core.grid"), "grid-upper": Rule("core.grid_sums", EVENTS)},
    {"grid-refuted": Rule("core.grid"), "grid-event-refuted": Rule("core.grid_sums", EVENTS)},
    "the rule is not for joint priors with (discrete) Laplace noise",
    laws=_laws,
    unscaled={"no-noise": Rule("core.points")},
    no_scale="INJ",
)


class Box:
    """Two laws of points, the rates of the noise on the coordinates, and the grid."""

    def __init__(
        self, p: Rows, q: Rows, rates: Sequence[Form], step: Fraction | None, cuts: Any = None
    ) -> None:
        self.laws, self.rates, self.step = (p, q), rates, step
        columns = [*zip(*(x for x, _ in (*p, *q)), strict=True)]
        if len(columns) != len(rates):
            raise Malformed(f"{len(rates)} scales for {len(columns)} coordinates")
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
                self.require_on_lattice(axis[0], x)
            spend(sum(64 + product(x.denominator.bit_length()) for x in cuts))
            axes.append(sorted([*axis, *cuts]))
        return axes

    def require_on_lattice(self, first: Fraction, x: Fraction) -> None:
        """Malformed where the noise does not lead from one value to the other."""
        if self.step is not None and ((x - first) / self.step).denominator != 1:
            raise Malformed("a place that is not on the lattice")

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
        p, q = (self._sheet(rows, unit) for rows in self.laws)
        return p, q

    def _sheet(self, rows: Rows, unit: Unit) -> Sheet:
        """A density on the grid: the same in both orders of a pair, which come one after the
        other."""
        grid_of = self.axes, list(self.rates), unit
        for law, at, found in _KEPT:
            if law is rows and at == grid_of:
                return found
        ar = Arithmetic(unit.bits + 16)
        spend(16 * len(rows) * len(self.axes))
        found = sheet(unit, self.sizes, [(self.place(x), m) for x, m in rows])
        for i in range(len(self.axes)):
            found = spread(found, i, self.decays(i, ar))
        _KEPT[:] = [*_KEPT[-1:], (rows, grid_of, found)]
        return found

    def at(self, point: Point, ar: Arithmetic) -> list[Interval]:
        """Enclosures of p and q at any point."""
        known: list[dict[Fraction, Interval]] = [{} for _ in self.axes]
        for axis, rate, y, memo in zip(self.axes, self.rates, point, known, strict=True):
            memo.update((x, exp_form(times(rate, -abs(x - y)), ar)) for x in axis)
        found = []
        for rows in self.laws:
            total = ZERO
            for x, mass in rows:
                term = ar.of(mass)
                for coordinate, memo in zip(x, known, strict=True):
                    term = ar.mul(term, memo[coordinate])
                total = ar.add(total, term)
            found.append(total)
        return found


def rates_of(noise: Noise, count: int) -> list[Form]:
    """Those of the coordinates."""
    each = getattr(noise, "each", ())
    return [rate_form(x) for x in each] if each else [noise.rate] * count


def box_of(goal: Joints, cuts: Any = None) -> Box:
    """The grid of a goal."""
    rates = rates_of(goal.release, len(goal.P.names))
    return Box(goal.P.rows, goal.Q.rows, rates, goal.release.step, cuts)


def point_of(value: Any, box: Box, what: str) -> Point:
    """A point that the noise leads to."""
    found = tuple(canonical_rational(x, what) for x in array(value, what))
    if len(found) != len(box.axes):
        raise Malformed(f"{what} must have {len(box.axes)} coordinates")
    for axis, x in zip(box.axes, found, strict=True):
        box.require_on_lattice(axis[0], x)
    return found


def factor_of(epsilon: Number, bits: int) -> Interval:
    """e^epsilon."""
    return exp_form(form_of(epsilon), Arithmetic(bits + 32))


def grid(goal: Joints, step: Step) -> Facts:
    """
    p(c) <= e^epsilon q(c)  for every c on the grid     (a tie: p(c) = e^epsilon q(c))
    -------------------------------------------------------------------------- F42, F3
    p <= e^epsilon q everywhere; hence D <= 0 <= delta

    Where P = Q the premise is epsilon >= 0.  Where each is a single point, that of P will do as c:
    there log p/q is the sum of the distances over their scales, and nowhere more (F43d).  On the
    lattice the ratios at lattice points are those of Laplace noise (F12).
    """
    if goal.form != "events" and not goal.delta_is_zero:
        raise Rejected("the grid does not prove the pointwise form with a delta")
    box, ar = box_of(goal), arithmetic(step)
    sure = len(goal.P.rows) == len(goal.Q.rows) == 1
    facts = {"F43d" if sure else "F42"} | (set() if box.step is None else {"F12"})
    ties = [point_of(x, box, "a tie") for x in array(step["ties"], "ties")]
    if any(a >= b for a, b in pairwise(ties)):
        raise Malformed("ties must increase")
    tied = {box.place(point) for point in ties}
    if ties:
        from core.grid_ties import Differences

        differences = Differences(box.laws, box.rates, goal.epsilon)
        for point in ties:
            if not is_zero(differences.at(point)):
                raise Rejected(f"no tie is proved at {texts(point)}")
        facts.add("F3")
    if goal.P == goal.Q:
        return facts
    if sure:
        point, factor_at = goal.P.rows[0][0], exp_form(form_of(goal.epsilon), ar)
        ours, theirs = box.at(point, ar)
        if point not in ties and not at_most(ours, ar.mul(factor_at, theirs), ar):
            raise Rejected(f"the ratio at {texts(point)} is not bounded")
        return facts
    low, _, e = factor_of(goal.epsilon, ar.bits)
    points = prod(box.sizes)
    most = ar.bits + box.range_bits() + points.bit_length() + 8
    factor = Scaled(max(low, 0), min(e, most))  # smaller where it is huge
    p, q = box.sheets(unit_for(most, factor, points))
    for place in places_above(p, q, factor):
        if place not in tied:
            raise Rejected(f"the ratio at {texts(box.point(place))} is not bounded")
    return facts


def grid_refuted(goal: Joints, step: Step) -> Facts:
    """
    delta = 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    --------------------------------------------------------------
    the goal fails at y (with densities, in a neighbourhood of y)
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, least, box = arithmetic(step), margin_of(step), box_of(goal)
    y = point_of(step["y"], box, "the output")
    factor = exp_form(plus(form_of(goal.epsilon), constant(least)), ar)
    p, q = box.at(y, ar)
    if not at_most(ar.mul(factor, q), p, ar):
        raise Rejected(f"no such margin is proved at {texts(y)}")
    return set()
