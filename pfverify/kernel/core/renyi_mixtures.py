"""R of mixtures of normal laws of several variances, by Taylor cells (F115).  As in `renyi`.

In a cell log p is a square, that of the component which is largest in its middle, and log(1 + U)
for what the others are beside it; so is log q.  With those of a log p + (1-a) log q the terms
of h = p^a q^(1-a) follow from h' = h (log h)'.  The integral of h over [c-r, c+r] is that of its
terms at c below an even n, and 2 r^(n+1)/(n+1) times what the n-th coefficient is anywhere in the
cell.  A cell in which that is not known well is halved.

Far out to one side let m and n be the widest components of P and Q there, of equal ones those with
the last mean: where no component of P falls more slowly than m, p <= m p(y)/m(y), and q >= n.  So h
is at most what it is at y for n in place of q, times e^(-slope x), of a slope of the square of
a log m + (1-a) log n that grows outwards.  It is infinite where the square does not fall.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, shift_floor, upper_end
from core.grammar import Malformed
from core.renyi import order_of, term
from core.rules import Facts
from core.smooth import Normals, half, normal_constant
from core.special import pi
from core.work import allow_sums, spend
from core.zero import Sum

GUARD = 8  # bits that a cell is known better than what is asked for
FAR = 60  # doublings of how far a tail is
MOST = 1 << 12  # cells
Square = tuple[Interval, Interval, Interval]  # of log of a component: level, slope, bend


class Bell(NamedTuple):
    """A component: its mean, variance > 0 and weight."""

    mean: Fraction
    variance: Fraction
    weight: Fraction


Law = list[Bell]


class OfMixtures:
    """R of a goal of mixtures of normal laws; without noise some are atoms."""

    def __init__(self, goal: Normals) -> None:
        p, q = goal.P, goal.Q
        if not all(law.scale is None and law.post is None for law in (p, q)):
            raise Malformed("a divergence of normal laws with other noise is not known here")
        self.order, self.facts = order_of(goal), Facts({"F90", "F115"})
        self.p, self.q = (
            [Bell(x, v + law.spread, w) for x, v, w in law.components if v + law.spread]
            for law in (p, q)
        )
        one, two = (
            {x: w for x, v, w in law.components if not v + law.spread} for law in (p, q)
        )
        self.infinite = not one.keys() <= two.keys() or bool(self.p and not self.q)
        self.atoms = [(w, two.get(x, w)) for x, w in one.items()]
        if self.p and not self.infinite:
            for way in (1, -1):
                bend, start = self._slope(way)
                self.infinite = self.infinite or bend < 0 or (bend == 0 and start <= 0)

    # ---------------------------------------------------------------- far out

    def _slope(self, way: int) -> tuple[Fraction, Fraction]:
        """That of -(a log m + (1-a) log n) outwards: bend times way y, and a constant."""
        m, n, a = _widest(self.p, way), _widest(self.q, way), self.order
        bend = a / m.variance + (1 - a) / n.variance
        return bend, -way * (a * m.mean / m.variance + (1 - a) * n.mean / n.variance)

    def _beyond(self, y: Fraction, way: int, ar: Arithmetic) -> Interval | None:
        """At least the integral of h beyond y; None where no tail begins there."""
        m, n = _widest(self.p, way), _widest(self.q, way)
        bend, start = self._slope(way)
        slope = bend * way * y + start
        if slope <= 0 or any(
            way * ((y - m.mean) / m.variance - (y - x.mean) / x.variance) > 0 for x in self.p
        ):
            return None
        p = ZERO
        for x in self.p:
            p = ar.add(p, _density(x, y, ar))
        h = term(p, _density(n, y, ar), self.order, ar)
        return upper_end(ar.div(h, ar.of(slope)))

    def _end(self, way: int, least: Interval, ar: Arithmetic) -> tuple[Fraction, Interval]:
        """A place behind which next to nothing is, and what that is at most."""
        low, high = (pick(x.mean for x in (*self.p, *self.q)) for pick in (min, max))
        middle, wide = (low + high) / 2, max(x.variance for x in (*self.p, *self.q))
        far = (high - low) / 2 + Fraction(isqrt(int(wide * (1 << 32))) + 1, 1 << 16)
        step = far / 4
        for _ in range(FAR):
            found = self._beyond(middle + way * far, way, ar)
            if found is not None and ar.sub(least, found)[0] >= 0:
                return middle + way * far, found
            far, step = far + step, step * 5 / 4
        raise Undecided("a tail that is too long")

    # ---------------------------------------------------------------- cells

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        if self.infinite:
            return None
        allow_sums()
        total = ZERO
        for x, y in self.atoms:
            total = ar.add(total, term(ar.of(x), ar.of(y), self.order, ar))
        if not self.p:
            return total
        self.ar, self.length = ar, 2 * (ar.bits // 8) + 10
        self.levels = [[_level(x, ar) for x in law] for law in (self.p, self.q)]
        least = self._least()
        (low, before), (high, behind) = (self._end(way, least, ar) for way in (-1, 1))
        for found in (before, behind):
            total = ar.add(total, (0, *found[1:]))
        waiting, seen = [((low + high) / 2, (high - low) / 2)], 0
        while waiting:
            middle, r = waiting.pop()
            seen += 1
            if seen > MOST:
                raise Undecided("too many cells")
            cell = None
            with suppress(Undecided):  # of a wide cell nothing may be known
                cell = self._cell(middle, r, least)
            if cell is None:
                waiting += [(middle - r / 2, r / 2), (middle + r / 2, r / 2)]
            else:
                total = ar.add(total, cell)
        return total

    def _least(self) -> Interval:
        """What is next to nothing: beside 1, or what h is where it is likely to be large."""
        places = [x.mean for x in self.p[:16]]
        for way in (1, -1):
            bend, start = self._slope(way)
            if bend > 0:
                places.append(-way * start / bend)
        ar, top = Arithmetic(64), 0
        for y in places:
            both = (ZERO, ZERO)
            for x in self.p:
                both = ar.add(both[0], _density(x, y, ar)), both[1]
            for x in self.q:
                both = both[0], ar.add(both[1], _density(x, y, ar))
            _, high, e = term(*both, self.order, ar)
            top = max(top, high.bit_length() + e)
        return 1, 1, top - self.ar.bits - GUARD

    def _cell(self, middle: Fraction, r: Fraction, least: Interval) -> Interval | None:
        """The integral over a cell; None where it is not known well."""
        ar, n = self.ar, self.length
        radius = ar.of(r)
        twice = (radius[0], radius[1], radius[2] + 1)
        over = self._series(middle, r, 0)
        most = ar.mul(twice, over[0])
        if ar.sub(least, most)[0] >= 0:
            return 0, most[1], most[2]
        over = self._series(middle, r, n)
        rest = ar.div(ar.mul(twice, over[n]), (n + 1, n + 1, 0))
        for _ in range(n):
            rest = ar.mul(rest, radius)
        if ar.sub(least, (rest[1] - rest[0],) * 2 + rest[2:])[0] < 0:
            return None
        at = self._series(middle, Fraction(0), n - 1)
        square, total = ar.mul(radius, radius), ZERO
        for k in range(n - 2, -1, -2):
            total = ar.add(ar.mul(total, square), ar.div(at[k], (k + 1, k + 1, 0)))
        return ar.add(ar.mul(total, twice), rest)

    def _series(self, middle: Fraction, r: Fraction, n: int) -> list[Interval]:
        """The coefficients of h up to n, anywhere within r of a place."""
        ar = self.ar
        spend(8 * n * n)
        p, q = (
            self._log(law, levels, middle, r, n)
            for law, levels in zip((self.p, self.q), self.levels, strict=True)
        )
        a, b = ar.of(self.order), ar.of(1 - self.order)
        logs = [ar.add(ar.mul(a, x), ar.mul(b, y)) for x, y in zip(p, q, strict=True)]
        found = [ar.exp(logs[0])]
        slopes = [ar.mul((k, k, 0), x) for k, x in enumerate(logs)]
        for k in range(1, n + 1):
            total = ZERO
            for j in range(1, k + 1):
                total = ar.add(total, ar.mul(slopes[j], found[k - j]))
            found.append(ar.div(total, (k, k, 0)))
        return found

    def _log(
        self, law: Law, levels: list[Interval], middle: Fraction, r: Fraction, n: int
    ) -> list[Interval]:
        """The coefficients of the logarithm of a density."""
        ar = self.ar
        squares = [_square(x, level, middle, ar) for x, level in zip(law, levels, strict=True)]
        top = max(squares, key=lambda s: shift_floor(s[0][1], s[0][2] + 20))
        found = [*_moved(top, r, ar), *(ZERO for _ in range(n))][: n + 1]
        if len(law) == 1:
            return found
        others = [ONE, *(ZERO for _ in range(n))]
        for square in squares:
            if square is not top:
                apart = [ar.sub(x, y) for x, y in zip(square, top, strict=True)]
                level, slope, bend = _moved((apart[0], apart[1], apart[2]), r, ar)
                before, now, bend = ZERO, ar.exp(level), ar.mul((2, 2, 0), bend)
                for k in range(n + 1):
                    others[k] = ar.add(others[k], now)
                    rise = ar.add(ar.mul(slope, now), ar.mul(bend, before))
                    before, now = now, ar.div(rise, (k + 1, k + 1, 0))
        first, slopes = others[0], [ZERO]
        found[0] = ar.add(found[0], ar.log(first))
        for k in range(1, n + 1):
            total = ar.mul((k, k, 0), others[k])
            for j in range(1, k):
                total = ar.sub(total, ar.mul(slopes[j], others[k - j]))
            slopes.append(ar.div(total, first))
            found[k] = ar.add(found[k], ar.div(slopes[k], (k, k, 0)))
        return found

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        raise Undecided("a tie of mixtures of normal laws")


def _widest(law: Law, way: int) -> Bell:
    return max(law, key=lambda x: (x.variance, way * x.mean))


def _density(x: Bell, y: Fraction, ar: Arithmetic) -> Interval:
    bell = ar.exp(ar.of(-((y - x.mean) ** 2) / (2 * x.variance)))
    return ar.mul(ar.mul(ar.of(x.weight), bell), normal_constant(x.variance, ar))


def _level(x: Bell, ar: Arithmetic) -> Interval:
    """The logarithm of a component at its mean."""
    root = half(ar.log(ar.mul(ar.mul((2, 2, 0), pi(ar)), ar.of(x.variance))))
    return ar.sub(ar.log(ar.of(x.weight)), root)


def _square(x: Bell, level: Interval, y: Fraction, ar: Arithmetic) -> Square:
    """The Taylor coefficients of the logarithm of a component at a place."""
    apart = y - x.mean
    here = ar.sub(level, ar.of(apart * apart / (2 * x.variance)))
    return here, ar.of(-apart / x.variance), ar.of(Fraction(-1) / (2 * x.variance))


def _moved(square: Square, r: Fraction, ar: Arithmetic) -> Square:
    """The coefficients anywhere within r of where they are stated."""
    level, slope, bend = square
    if not r:
        return square
    _, high, e = ar.of(r)
    away, up = (-high, high, e), (0, high * high, 2 * e)
    level = ar.add(level, ar.add(ar.mul(slope, away), ar.mul(bend, up)))
    return level, ar.add(slope, ar.mul(ar.mul((2, 2, 0), bend), away)), bend

