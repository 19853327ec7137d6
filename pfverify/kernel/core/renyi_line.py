"""R of two laws of atoms with (discrete) Laplace noise: pieces of a line.  As in `sweep`, `renyi`.

Between two atoms p is L e^-u + R' e^u at a distance of u scales, and q the same.  Around a place c
both are cosh z + s sinh z times what they are at c, with s and t in [-1, 1]; with T = tanh z

    integral of p^a q^(1-a) around c = p(c)^a q(c)^(1-a) times that of G(T) (1 - T^2)^(-3/2),
    G = (1 + s T)^a (1 + t T)^(1-a),
    (k+1) g_(k+1) = (a s + (1-a) t - k (s+t)) g_k + (2-k) s t g_(k-1)

of which, in the whole, a coefficient is at most B/r^k where the integrand is at most B on the
circle |T| = r < 1: (1+r)^a (1-r)^(1-a) (1-r^2)^(-3/2) is such a bound (F91).  The integrand h has
h'' >= h (on a lattice h(y-1) + h(y+1) >= (t + 1/t) h(y)), so that between two places it has at most
the sum of its values there (times t/(1-t)), and p/q is monotone (F92).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, upper_end
from core.line import Lines
from core.renyi import order_of, power, term
from core.renyi_series import Near, near, weighted
from core.rules import Facts
from core.shapes import in_order
from core.sweep import Piece, sweep, unit
from core.work import allow_sums, spend
from core.zero import NIL, Form, Sum, accumulate, add, enclose_form, exp_form, multiply, plus, times

WIDTH = Fraction(3, 4)  # of a cell, in scales, and less for an order above 2
GUARD = 16  # bits by which what is left out is smaller than what is asked for
RADII = tuple(Fraction(k, 16) for k in range(2, 16))
FAR = 1 << 12  # binary places between ends of a union
MOST = 1 << 12  # terms of an exact sum
Pair = tuple[Interval, Interval]  # of p and of q


class Cells(NamedTuple):
    """How a gap is cut into cells of one width: so many, the integrals of T^k (1-T^2)^(-3/2) over a
    cell for even k (cut off where the series is, and times 2^(k places)), what the rest is within,
    and how many binary places T is small."""

    number: int
    weights: list[Near]
    rest: Interval
    places: int


class OfLines:
    """R of a goal."""

    def __init__(self, goal: Lines) -> None:
        self.goal, self.order, self.noise = goal, order_of(goal), goal.P.noise
        self.facts: Facts = {"F90"}
        self.places = in_order([*goal.P.atoms, *goal.Q.atoms])

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        allow_sums()
        goal, step = self.goal, self.noise.step
        self.ar, self.known = ar, dict[Fraction, Interval]()
        self.facts |= {"F91", "F92"} if step is None else {"F92"}
        p, q = (
            sweep(self.noise, self.places, {x: ar.of(m) for x, m in law.atoms.items()}, ar).pieces
            for law in (goal.P, goal.Q)
        )
        both = [*zip(p, q, strict=True)]
        total = ar.add(self._h((p[0].right, q[0].right)), self._h((p[-1].left, q[-1].left)))
        t = unit(self.noise, ar)
        gaps = zip(pairwise(self.places), both[1:-1], strict=True)
        if step is None:
            cut = dict[Fraction, Cells]()
            for (x, y), pieces in gaps:
                if y - x not in cut:
                    cut[y - x] = self._cells(y - x)
                total = ar.add(total, self._gap(y - x, cut[y - x], *pieces))
            return ar.mul(total, (1, 1, -1))
        total = ar.div(ar.mul(total, t), ar.sub(ONE, t))
        for pieces in both[1:]:
            total = ar.add(total, self._h((pieces[0].near(ar), pieces[1].near(ar))))
        for (x, y), pieces in gaps:
            total = ar.add(total, self._points(int((y - x) / step), step, t, *pieces))
        return ar.div(ar.mul(total, ar.sub(ONE, t)), ar.add(ONE, t))

    def _h(self, at: Pair) -> Interval:
        return term(*at, self.order, self.ar)

    def _decay(self, distance: Fraction) -> Interval:
        if distance not in self.known:
            self.known[distance] = exp_form(self.noise.decay(distance), self.ar)
        return self.known[distance]

    def _sides(self, piece: Piece, near: Fraction, far: Fraction) -> Pair:
        """What of a law comes from below, and from above, at such distances from both ends."""
        mul = self.ar.mul
        return mul(piece.left, self._decay(near)), mul(piece.right, self._decay(far))

    def _at(self, p: Piece, q: Piece, near: Fraction, far: Fraction) -> Pair:
        x, y = (self.ar.add(*self._sides(law, near, far)) for law in (p, q))
        return x, y

    # ---------------------------------------------------------------- on a line

    def _cells(self, gap: Fraction) -> Cells:
        """The cells of a gap."""
        ar = self.ar
        width = ar.mul(enclose_form(self.noise.rate, ar), ar.of(gap))
        cell = WIDTH / max(Fraction(1), self.order / 2)
        count = max(1, _floor(ar.add(ar.div(width, ar.of(cell)), (1, 1, -1))))
        square = self._decay(gap / count)
        tau = ar.div(ar.sub(ONE, square), ar.add(ONE, square))
        length, rest = min(self._rests(tau))
        found, powers = [ar.mul((2, 2, 0), tau)], ar.mul(tau, tau)
        for _ in range(1, length):
            found.append(ar.mul(found[-1], powers))
        terms = [ar.div(x, _whole(2 * k + 1)) for k, x in enumerate(found)]
        curve = [Fraction(1)]
        for k in range(1, length):
            curve.append(curve[-1] * Fraction(2 * k + 1, 2 * k))
        known, weights = [ar.of(c) for c in curve], list[Interval]()
        for k in range(length):
            total = ZERO
            for n in range(length - k):
                total = ar.add(total, ar.mul(known[n], terms[k + n]))
            weights.append(total)
        small = max(0, -_size(tau))
        large = [(low, high, e + 2 * k * small) for k, (low, high, e) in enumerate(weights)]
        return Cells(count, [near(x, ar.bits + GUARD) for x in large], rest, small)

    def _rests(self, tau: Interval) -> Iterator[tuple[int, Interval]]:
        """Half as many terms as leave a small rest, and that, by a bound on each of some circles.
        """
        ar = self.ar
        for r in RADII:
            radius, curve = ar.of(r), ar.of(1 - r * r)
            ratio = upper_end(ar.div(tau, radius))
            sixteenth = ratio
            for _ in range(4):
                sixteenth = ar.mul(sixteenth, sixteenth)
            bits = -_size(sixteenth)  # 16 times those of one factor
            if bits <= 4:
                continue
            bound = ar.div(
                power(ar.add(ONE, radius), self.order, ar),
                ar.mul(power(ar.of(1 - r), self.order - 1, ar), ar.mul(curve, ar.sqrt(curve))),
            )
            half = 8 * (ar.bits + GUARD + max(0, _size(bound))) // bits + 1
            square, left = ar.mul(ratio, ratio), ONE
            for _ in range(half):
                left = ar.mul(left, square)
            most = ar.mul(ar.mul(bound, left), ar.mul((2, 2, 0), tau))
            high = upper_end(ar.div(most, ar.sub(ONE, square)))
            yield half, (-high[1], high[1], high[2])

    def _gap(self, gap: Fraction, cells: Cells, p: Piece, q: Piece) -> Interval:
        """The integral over a gap: by cells, but where p/q hardly changes, and far from both ends.
        """
        count, each = cells.number, gap / cells.number
        mirrored = _mirrored(p), _mirrored(q)
        ways = (p, q), mirrored
        even = [self._even(gap, count, *way) for way in ways]
        reach = self._reach(gap, count)
        ends = [max(first, min(reach, count)) for first in even]
        total = ZERO
        for first, way in zip(even, ways, strict=True):
            if first:
                total = self.ar.add(total, self._of_even(gap, first * each, *way))
        if sum(ends) < count:
            for first, last, way in zip(even, ends, ways, strict=True):
                total = self.ar.add(total, self._integral(gap, cells, range(first, last), *way))
            places = (self._at(*way, k * each, gap - k * each)
                      for k, way in zip(ends, ways, strict=True))  # fmt: skip
            low, high = (self._h(at) for at in places)
            return self.ar.add(total, (0, *upper_end(self.ar.add(low, high))[1:]))
        inside = range(even[0], count - even[1])
        return self.ar.add(total, self._integral(gap, cells, inside, p, q))

    def _reach(self, gap: Fraction, count: int) -> int:
        """The cells from an end behind which h is nothing beside what it is there."""
        width = self.ar.mul(enclose_form(self.noise.rate, self.ar), self.ar.of(gap))
        return _floor(self.ar.div(_whole(count * (self.ar.bits + GUARD)), width)) + 1

    def _even(self, gap: Fraction, count: int, p: Piece, q: Piece) -> int:
        """So many first cells in which p/q hardly changes, as nothing comes from ahead; at most
        half of them."""
        if not (p.left[0] > 0 and q.left[0] > 0):
            return 0
        ar = self.ar
        coming = [_size(law.right) - _size(law.left) for law in (p, q) if law.right[1]]
        width = ar.mul(enclose_form(self.noise.rate, ar), ar.of(gap))
        free = ar.sub(width, _whole(max([0, *coming]) + ar.bits + GUARD))
        share = ar.div(ar.mul(free, (count, count, -1)), width)
        return max(0, min(count // 2, _floor(share)))

    def _of_even(self, gap: Fraction, to: Fraction, p: Piece, q: Piece) -> Interval:
        """The integral of q up to a place, times what lies between p/q to the order at both."""
        ar, nothing = self.ar, Fraction(0)
        x, y = (
            power(ar.div(*self._at(p, q, at, gap - at)), self.order, ar) for at in (nothing, to)
        )
        between = _union(x, y)
        gained = ar.mul(q.left, ar.sub(ONE, self._decay(to)))
        coming = ar.mul(q.right, ar.sub(self._decay(gap - to), self._decay(gap)))
        return ar.mul(between, ar.add(gained, coming))

    def _integral(self, gap: Fraction, cells: Cells, some: range, p: Piece, q: Piece) -> Interval:
        """The integral over some of the cells."""
        ar, total, half = self.ar, ZERO, gap / (2 * cells.number)
        w = ar.bits + GUARD
        for j in some:
            far = (2 * j + 1) * half
            (x, y), (v, u) = (self._sides(law, far, gap - far) for law in (p, q))
            at = ar.add(x, y), ar.add(v, u)
            s, t = ar.div(ar.sub(y, x), at[0]), ar.div(ar.sub(u, v), at[1])
            one, two = (near((x[0], x[1], x[2] - cells.places), w) for x in (s, t))
            found = weighted(one, two, self.order, cells.weights, w)
            total = ar.add(total, ar.mul(self._h(at), ar.add(found, cells.rest)))
        return total

    # ---------------------------------------------------------------- on a lattice

    def _points(self, m: int, step: Fraction, t: Interval, p: Piece, q: Piece) -> Interval:
        """The sum over the points inside a gap of m steps."""
        ar, total = self.ar, ZERO
        rate = ar.mul(enclose_form(self.noise.rate, ar), ar.of(step))
        reach = _floor(ar.div(_whole(ar.bits + GUARD), rate)) + 1
        whole = m - 1 <= 2 * reach
        for k in range(1, m) if whole else (*range(1, reach + 1), *range(m - reach, m)):
            total = ar.add(total, self._h(self._at(p, q, k * step, (m - k) * step)))
        if whole:
            return total
        ends = (self._h(self._at(p, q, k * step, (m - k) * step)) for k in (reach, m - reach))
        most = ar.div(ar.mul(ar.add(*ends), t), ar.sub(ONE, t))
        return ar.add(total, (0, *upper_end(most)[1:]))

    # ---------------------------------------------------------------- exactly

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`: of two points (F93), and of a point Q where a is whole (F94)."""
        p, q, a = self.goal.P.atoms, self.goal.Q.atoms, self.order
        if len(q) > 1:
            raise Undecided("a tie of laws of several atoms")
        ((place, _),) = q.items()
        law = {x - place: m for x, m in p.items()}
        if len(law) == 1:
            self.facts.add("F93")
            return self._of_points(abs(next(iter(law))))
        if a.denominator > 1 or self.noise.step is not None or len(law) ** a.numerator > MOST:
            raise Undecided("a tie of laws of several atoms")
        self.facts.add("F94")
        back = {-x: law[x] for x in law}
        return add(self._half_line(law), self._half_line(back)), {NIL: Fraction(2)}

    def _power(self, distance: Fraction) -> Form:
        return times(self.noise.decay(Fraction(1)), distance)

    def _of_points(self, d: Fraction) -> tuple[Sum, Sum]:
        """Of two points at a distance d."""
        a, step = self.order, self.noise.step
        near, far = self._power((1 - a) * d), self._power(a * d)
        if step is None:
            total: Sum = {}
            accumulate(total, near, a)
            accumulate(total, far, a - 1)
            return total, {NIL: 2 * a - 1}
        one: Sum = {NIL: Fraction(1)}
        t, s = self._power(step), self._power((2 * a - 1) * step)
        less_t, less_s = add(one, {t: Fraction(-1)}), add(one, {s: Fraction(-1)})
        ends: Sum = {}
        for f in (near, far):
            accumulate(ends, f, Fraction(1))
        last = self._power((2 * a - 1) * d)
        inside = add({plus(near, s): Fraction(1)}, {plus(near, last): Fraction(-1)})
        top = add(multiply(ends, less_s), multiply(inside, less_t))
        return top, multiply(add(one, {t: Fraction(1)}), less_s)

    def _half_line(self, law: dict[Fraction, Fraction]) -> Sum:
        """Above 0 the integral of (A e^-y + B e^y)^a e^((a-1) y) for a Q at 0."""
        total, a = dict[Form, Fraction](), self.order.numerator
        cuts = [Fraction(0), *sorted(x for x in law if x > 0)]
        for k, low in enumerate(cuts):
            high = cuts[k + 1] if k + 1 < len(cuts) else None
            below, above = dict[Form, Fraction](), dict[Form, Fraction]()
            for x, m in law.items():
                accumulate(below if x <= low else above, self._power(-x if x <= low else x), m)
            for n in range(a + 1 if above else 1):
                piece: Sum = {}
                accumulate(piece, self._power((1 - 2 * n) * low), Fraction(-1))
                if high is not None:
                    accumulate(piece, self._power((1 - 2 * n) * high), Fraction(1))
                for factor, often in ((below, a - n), (above, n)):
                    for _ in range(often):
                        spend(64)
                        piece = multiply(piece, factor)
                total = add(total, piece, Fraction(comb(a, n), 2 * n - 1))
        return total


def _floor(x: Interval) -> int:
    """The floor of a number, about."""
    low, _, e = x
    return low << e if e >= 0 else low >> -e


def _size(x: Interval) -> int:
    """The binary logarithm of the upper end, rounded up, about."""
    return x[1].bit_length() + x[2]


def _whole(n: int) -> Interval:
    """An integer."""
    return n, n, 0


def _union(x: Interval, y: Interval) -> Interval:
    """What holds both; Undecided where they are far apart."""
    e = min(x[2], y[2])
    if max(x[2], y[2]) - e > FAR:
        raise Undecided("ratios that are far apart")
    (a, b), (c, d) = ([end << z[2] - e for end in z[:2]] for z in (x, y))
    return min(a, c), max(b, d), e


def _mirrored(piece: Piece) -> Piece:
    return Piece(piece.right, piece.right_far, piece.left_far, piece.left, piece.tau)


def moment(goal: Lines) -> OfLines:
    """That of a goal of atoms with such noise."""
    return OfLines(goal)
