"""R of atoms with gaussian noise by the trapezoidal rule (F98).  As in `renyi`.

In standard deviations h = p^a q^(1-a) is analytic where |Im y| < pi/range, for the range of the
atoms of Q, of a that is not whole of P and Q: there none of the two is 0.  Its integral along
Im y = b is at most e^(b^2/2) cos(b range/2)^(1-a) of R, so that the sum of s h(k s) over all k is
off R by at most 2/(e^(2 pi b/s) - 1) times that.  Behind all atoms p is at most what a bell around
its last atom makes of p there, and q at least its last atom: h is at most a bell around a m + (1-a)
n, for the last atoms m and n, and falls faster than a geometric series.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, upper_end
from core.grammar import Malformed
from core.renyi import order_of, power, term
from core.rules import Facts
from core.smooth import Normals
from core.special import pi
from core.work import allow_sums
from core.zero import Sum

GUARD = 16  # bits by which what is left out is smaller than what is asked for
WIDE = Fraction(5, 2)  # b range at most: below pi
MOST = 1 << 20  # terms of all densities
Law = list[tuple[Fraction, Interval, Interval]]  # mean, weight, mean in standard deviations


class OfBells:
    """R of a goal of mixtures of normal laws, all of one variance."""

    def __init__(self, goal: Normals) -> None:
        p, q = goal.P, goal.Q
        plain = p.scale is None and q.scale is None and p.post is None and q.post is None
        found = {v + law.spread for law in (p, q) for _, v, _ in law.components}
        if not plain or len(found) > 1 or not all(found):
            raise Malformed("a divergence of normal laws of several variances is not known here")
        (self.variance,) = found
        self.order = order_of(goal)
        self.facts: Facts = {"F90", "F98"}
        self.laws = [[(x, weight) for x, _, weight in law.components] for law in (p, q)]
        ranges = [max(law)[0] - min(law)[0] for law in self.laws]
        self.range = ranges[1] if self.order.denominator == 1 else max(ranges)

    def _plan(self, ar: Arithmetic) -> tuple[Fraction, Fraction, int, int]:
        """b, s, and the first and last k: any will do that the errors are small for."""
        need = Fraction(7, 10) * (ar.bits + GUARD)
        sd = Fraction(isqrt(int(self.variance * (1 << 64))), 1 << 32)
        b = Fraction(isqrt(int(2 * need * (1 << 16))), 1 << 8)
        if self.range:
            b = min(b, WIDE * sd / self.range)
        extra = b * b / 2 + 2 * (self.order - 1)
        s = Fraction(int(Fraction(25, 4) * b / (need + extra + 2) * (1 << 20)), 1 << 20)
        if not s:
            raise Undecided("too many terms")
        reach = isqrt(int(2 * (need + extra))) + 3
        low, high = (
            [m, n, self.order * m + (1 - self.order) * n]
            for m, n in ([pick(law)[0] / sd for law in self.laws] for pick in (min, max))
        )
        return b, s, int((min(low) - reach) / s) - 1, int((max(high) + reach) / s) + 1

    def enclosed(self, ar: Arithmetic) -> Interval:
        """As in `Moment`."""
        allow_sums()
        b, s, first, last = self._plan(ar)
        if (last - first) * sum(map(len, self.laws)) > MOST:
            raise Undecided("too many terms")
        sd = ar.sqrt(ar.of(self.variance))
        p, q = (
            [(x, ar.of(w), ar.div(ar.of(x), sd)) for x, w in law] for law in self.laws
        )
        total = ZERO
        for k in range(first, last + 1):
            y = ar.of(k * s)
            h = term(_density(p, y, ar), _density(q, y, ar), self.order, ar)
            total = ar.add(total, h)
        for k, way in ((last + 1, 1), (first - 1, -1)):
            tail = upper_end(self._tail(p, q, ar.of(k * s), ar.of(s), way, ar))
            total = ar.add(total, (0, *tail[1:]))
        total = ar.mul(ar.mul(total, ar.of(s)), ar.sqrt(ar.div((1, 1, -1), pi(ar))))
        e = upper_end(self._error(b, s, sd, ar))
        less, more = ar.sub(ONE, e), ar.add(ONE, e)
        if less[0] <= 0:
            raise Undecided("steps that are too large")
        low, high = ar.div(total, more), ar.div(total, less)
        unit = min(low[2], high[2])
        return low[0] << low[2] - unit, high[1] << high[2] - unit, unit

    def _error(self, b: Fraction, s: Fraction, sd: Interval, ar: Arithmetic) -> Interval:
        """The relative error: cos t >= 1 - t^2/2 + t^4/24 - t^6/720."""
        t = ar.div(ar.of(b * self.range / 2), sd)
        if ar.sub((3, 3, -1), t)[0] <= 0:  # below pi/2
            raise Undecided("a strip that is too wide")
        square = ar.mul(t, t)
        cosine = ONE
        for n in (30, 12, 2):  # 1 - t^2/2 (1 - t^2/12 (1 - t^2/30))
            cosine = ar.sub(ONE, ar.div(ar.mul(square, cosine), (n, n, 0)))
        bound = ar.div(ar.exp(ar.of(b * b / 2)), power(cosine, self.order - 1, ar))
        turns = ar.exp(ar.mul(ar.of(2 * b / s), pi(ar)))
        return ar.div(ar.mul((2, 2, 0), bound), ar.sub(turns, ONE))

    def _tail(
        self, p: Law, q: Law, y: Interval, s: Interval, way: int, ar: Arithmetic
    ) -> Interval:
        """At least the sum of h at y and beyond, which is behind all atoms."""
        pick = max if way > 0 else min
        (_, _, m), (_, weight, n) = (pick(law) for law in (p, q))
        a = self.order
        middle = ar.add(ar.mul(ar.of(a), m), ar.mul(ar.of(1 - a), n))
        beyond = [ar.mul((way, way, 0), ar.sub(y, x)) for x in (middle, m, n)]
        if any(x[0] <= 0 for x in beyond):
            raise Undecided("a tail that is not behind all atoms")
        h = term(_density(p, y, ar), ar.mul(weight, _bell(ar.sub(y, n), ar)), a, ar)
        return ar.div(h, ar.sub(ONE, ar.exp(ar.neg(ar.mul(s, beyond[0])))))

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`: where Q is a point and a is whole (F110)."""
        from core.renyi_outputs import Normal
        from core.renyi_points import OfSum

        p, q = (tuple(((x,), weight) for x, weight in law) for law in self.laws)
        of = OfSum(p, q, [Normal(0, 1, self.variance)], self.order)
        found = of.exact()
        self.facts |= of.facts
        return found


def _bell(x: Interval, ar: Arithmetic) -> Interval:
    return ar.exp(ar.neg(ar.mul(ar.mul(x, x), (1, 1, -1))))


def _density(law: Law, y: Interval, ar: Arithmetic) -> Interval:
    total = ZERO
    for _, weight, x in law:
        total = ar.add(total, ar.mul(weight, _bell(ar.sub(y, x), ar)))
    return total
