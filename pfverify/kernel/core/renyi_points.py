"""R of several outputs of one X: what is known of it exactly, or from both sides.  As in `renyi`.

Given X the outputs are independent.

    Q a point x0, a whole:  R = sum over (x_1, .., x_a) of the product of P(x_j) times the product
                            over the outputs of what each tells of x_1, .., x_a and x0    (F110)
    both points:            the same for any a, with x_1 alone, of the power a
    from above:             the average of that over a coupling (F95, F97), and R of one number of
                            which all outputs are made (F40k, F40l)
    from below:             R of one of the releases, or one of the coordinates, alone (F90)
    from both sides:        cells of a few outputs with Laplace noise (`renyi_cells`)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from core.coordinates import Point, Rows
from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed, bounded
from core.kinds import law_kind
from core.reduce import composite
from core.renyi import moment_of, order_of, power
from core.renyi_cells import axes_of, bounds
from core.renyi_outputs import WHOLE, Laplace, Normal, Output, Powers
from core.rules import Facts, Goal, Rejected
from core.work import price, spend
from core.zero import Sum, add, multiply

if TYPE_CHECKING:
    from core.interfaces import Moment

MOST = 1 << 12  # ways to choose the points of a sum
MOST_POINTS = 64  # of one sum
MOST_EDGES = 1 << 12  # of a coupling, over its outputs
FAR = 1 << 18  # binary places between bounds
LONG = 64  # factors of an exact product
Shares = list[tuple[Point, int]]  # points, and how often each is among those of a sum
Edge = tuple[Point, Point, Fraction]


def rows_of(law: Any) -> Rows:
    """A law of X as one of points."""
    found = getattr(law, "rows", None)
    if found is None:
        if law_kind(law) != "atoms":
            raise Malformed("a divergence of such laws is not known here")
        found = tuple(((x,), m) for x, m in law.items())
    return tuple(found)


def outputs_of(goal: Goal[Any, Any], size: int) -> list[Output]:
    """All outputs of an X of so many numbers."""
    law, release = goal.P, goal.release
    if (variances := getattr(law, "variances", None)) is not None:
        return [Normal(k, 1, v) for k, v in enumerate(variances)]
    if (rates := getattr(law, "rates", None)) is not None:
        return [Laplace(k, 1, rate, law.step) for k, rate in enumerate(rates)]
    if release.kind != "releases":
        raise Malformed("a divergence of such outputs is not known here")
    return [
        Laplace(k, count, rate, release.step)
        for noise, count in release.parts for k, rate in enumerate(noise.rates(size))
    ]  # fmt: skip


class OfSum:
    """R of such outputs where it is a sum, or one product."""

    def __init__(self, p: Rows, q: Rows, outputs: list[Output], order: Fraction) -> None:
        self.p, self.q, self.outputs, self.order = p, q, outputs, order
        self.facts: Facts = {"F90"}

    @property
    def _points(self) -> bool:
        """Whether X is a point under both laws."""
        return len(self.p) == len(self.q) == 1

    @cached_property
    def is_sum(self) -> bool:
        """Whether R is a sum that is written out."""
        a, n = self.order, len(self.p)
        if self._points:
            return True
        if len(self.q) > 1 or a.denominator > 1:
            return False
        return n < MOST and a <= MOST_POINTS and comb(n + a.numerator - 1, a.numerator) <= MOST

    def _chosen(self) -> Iterator[tuple[Fraction, Shares]]:
        """The ways to choose the points, each with its chance; of two points the only one."""
        if self._points:
            yield Fraction(1), [(self.p[0][0], 1)]
            return
        a = self.order.numerator
        for counts in _counts(len(self.p), a):
            spend(64 * len(counts))
            chance, shares = Fraction(factorial(a)), []
            for (x, mass), count in zip(self.p, counts, strict=True):
                if count:
                    spend(price(count * mass.denominator.bit_length()))
                    chance = bounded(chance * mass**count / factorial(count))
                    shares.append((x, count))
            yield chance, shares

    def _powers(self, place: int, origin: Point, shares: Shares) -> Powers:
        """The points of a sum as one output sees them; one alone has all of the order."""
        found: dict[Fraction, Fraction] = {}
        for x, count in shares:
            at = bounded(x[place] - origin[place])
            found[at] = found.get(at, Fraction(0)) + (self.order if len(shares) == 1 else count)
        return found

    def enclosed(self, ar: Arithmetic) -> Interval:
        """As in `Moment`."""
        self._note()
        ((origin, _),), total = self.q, ZERO
        for chance, shares in self._chosen():
            told = self._told(origin, shares, ar)
            total = ar.add(total, ar.mul(ar.of(chance), told))
        return total

    def _note(self) -> None:
        self.facts |= {of.by for of in self.outputs} | {"F97"}
        self.facts |= set() if self._points else {"F110"}

    def _told(self, origin: Point, shares: Shares, ar: Arithmetic) -> Interval:
        """The product of what all outputs tell."""
        total: Interval = (1, 1, 0)
        for of in self.outputs:
            found = of.enclosed(self._powers(of.place, origin, shares), ar)
            total = ar.mul(total, power(found, Fraction(of.many), ar))
        return total

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        if not self.is_sum or sum(of.many for of in self.outputs) > LONG:
            raise Undecided("a tie of several outputs of one X")
        self._note()
        a = self.order
        slopes = [2 * a - 1] if self._points else [
            Fraction(s) for s in range(3, 2 * a.numerator, 2)
        ]  # fmt: skip
        ((origin, _),), total, bottom = self.q, dict[Any, Fraction](), WHOLE
        for chance, shares in self._chosen():
            top, bottom = WHOLE, WHOLE
            for of in self.outputs:
                n, d = of.exact(self._powers(of.place, origin, shares), slopes)
                for _ in range(of.many):
                    spend(64)
                    top, bottom = multiply(top, n), multiply(bottom, d)
            total = add(total, top, chance)
        return total, bottom


class OfPoints(OfSum):
    """R of a goal of such outputs."""

    def __init__(self, goal: Goal[Any, Any]) -> None:
        self.goal, p, q = goal, rows_of(goal.P), rows_of(goal.Q)
        size = len(p[0][0])
        if any(len(x) != size for x, _ in (*p, *q)):
            raise Malformed("points of different sizes")
        super().__init__(p, q, outputs_of(goal, size), order_of(goal))
        if any(not 0 <= of.place < size for of in self.outputs) or len(self.outputs) < size:
            raise Malformed(f"not a scale for each of {size} coordinates")
        self._known: dict[tuple[Fraction, ...], Interval] = {}

    def enclosed(self, ar: Arithmetic) -> Interval:
        """As in `Moment`."""
        fine = ar.finer(sum(of.many for of in self.outputs).bit_length() + 16)
        if self.is_sum:
            return super().enclosed(fine)
        low, high = [self._below(ar)], [self._above(fine)]
        if (cells := self._cells(fine)) is not None:
            low.append(cells[0])
            high.append(cells[1])
        return _between(_greatest(low, ar), _least(high, ar))

    def _cells(self, ar: Arithmetic) -> tuple[Interval, Interval] | None:
        """What cells of the outputs bound, if they are few, with Laplace noise."""
        outputs = [of for of in self.outputs if isinstance(of, Laplace)]
        axes = axes_of(self.p, self.q, outputs) if outputs else None
        if axes is None:
            return None
        self.facts.add("F42b")
        return bounds(self.p, self.q, axes, self.order, ar)

    def _above(self, ar: Arithmetic) -> Interval:
        """The least bound from above that is known."""
        found = [self._average(plan, ar) for plan in self._plans()]
        with suppress(Rejected, Malformed):  # there is no such number
            one, by = composite(self.goal).whole({"rule": "renyi"})
            of = moment_of(one)
            known = of.enclosed(ar)
            if known is not None:
                found.append(known)
                self.facts |= by | of.facts
        self.facts |= {of.by for of in self.outputs} | {"F95", "F97"}
        return _least(found, ar)

    def _average(self, plan: list[Edge], ar: Arithmetic) -> Interval:
        """The average over a coupling."""
        if len(plan) * len(self.outputs) > MOST_EDGES:
            raise Undecided("a coupling of so many points")
        total = ZERO
        for x, y, mass in plan:
            apart = tuple(bounded(a - b) for a, b in zip(x, y, strict=True))
            if apart not in self._known:
                self._known[apart] = self._told(y, [(x, 1)], ar)
            total = ar.add(total, ar.mul(ar.of(mass), self._known[apart]))
        return total

    def _plans(self) -> list[list[Edge]]:
        """Monotone plans: in the order of the points, and with common mass left alone."""
        found = [_corner(self.p, self.q)]
        q = dict(self.q)
        common = {x: min(mass, q[x]) for x, mass in self.p if x in q}
        if common and len(self.p[0][0]) > 1:
            rest = [
                tuple((x, m - common.get(x, Fraction(0))) for x, m in law)
                for law in (self.p, self.q)
            ]
            kept = [(x, x, mass) for x, mass in common.items()]
            found.append(kept + _corner(*rest))
        return found

    def _below(self, ar: Arithmetic) -> Interval:
        """The greatest bound from below that is known: of the parts."""
        found: list[Interval] = [(1, 1, 0)]
        for one, by in self._alone():
            of = moment_of(one)
            known = of.enclosed(ar)
            if known is None:
                raise Undecided("a part that is infinite")
            self.facts |= by | of.facts
            found.append(known)
        return _greatest(found, ar)

    def _alone(self) -> Iterator[tuple[Goal[Any, Any], Facts]]:
        """The goals of single outputs."""
        goal, whole = self.goal, composite(self.goal)
        one: dict[str, Any]
        if isinstance(self.outputs[0], Normal):
            for k in range(len(self.outputs)):
                one = {"direction": [str(int(k == i)) for i in range(len(self.outputs))]}
                yield whole.part(one, goal.epsilon, goal.delta)
            return
        for named, _ in whole.parts_of_x():
            yield whole.part(named, goal.epsilon, goal.delta)


def _counts(size: int, total: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a total as so many numbers >= 0."""
    if size == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in _counts(size - 1, total - first):
            yield first, *others


def _corner(first: Rows, second: Rows) -> list[Edge]:
    """The plan that fills both sides in the order of their points."""
    rows, columns = (sorted(row for row in law if row[1]) for law in (first, second))
    spend(64 * (len(rows) + len(columns)))
    found, k, room = list[Edge](), -1, Fraction(0)
    for x, mass in rows:
        left = mass
        while left:
            if not room:
                k += 1
                room = columns[k][1]
            moved = min(left, room)
            found.append((x, columns[k][0], moved))
            left, room = left - moved, room - moved
    return found


def _least(found: list[Interval], ar: Arithmetic) -> Interval:
    """One whose upper end is the least, as far as it is seen."""
    least, *others = found
    for x in others:
        if ar.sub((x[1], x[1], x[2]), (least[1], least[1], least[2]))[1] < 0:
            least = x
    return least


def _greatest(found: list[Interval], ar: Arithmetic) -> Interval:
    """One whose lower end is the greatest."""
    return ar.neg(_least([ar.neg(x) for x in found], ar))


def _between(low: Interval, high: Interval) -> Interval:
    """From the lower end of one to the upper end of another."""
    (a, _, e), (_, b, f) = low, high
    if abs(e - f) > FAR:
        raise Undecided("bounds that are far apart")
    unit = min(e, f)
    return a << e - unit, b << f - unit, unit


class OfLine:
    """R of points on a line with normal noise: that of the one number that tells as much (F75)."""

    def __init__(self, of: Moment) -> None:
        self.of = of

    @property
    def facts(self) -> Facts:
        """As in `Moment`."""
        return {"F75"} | self.of.facts

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        return self.of.enclosed(ar)

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        return self.of.exact()


def moment(goal: Goal[Any, Any]) -> Moment:
    """That of a goal of such outputs."""
    found = OfPoints(goal)
    if found.is_sum or not isinstance(found.outputs[0], Normal):
        return found
    try:
        one, _ = composite(goal).whole({})
    except Rejected:  # the points are on no line
        return found
    return OfLine(moment_of(one))
