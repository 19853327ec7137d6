"""The number R of atoms with Laplace or discrete Laplace noise: cells between atoms, and tails.

In units of the scale p is L e^(-u) + R e^(u - w) between two atoms at distance w, and q the same.
Around a place c both are cosh z + s sinh z times what they are at c, s in [-1, 1]; in T = tanh z
the integrand is a product of powers of 1 + s T, 1 + t T and 1 - T^2, whose Taylor series ends with
a remainder that is known beforehand (design fact F91). What lies far from both atoms is bounded by
the integrand at its ends (F92), and where p/q, which is monotone, hardly changes, that bounds it.
Behind all atoms both are pure exponentials. On a lattice sums take the place of integrals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, inf, log, tanh
from typing import NamedTuple

from pfverify.decide.comparison import Orders
from pfverify.decide.exponential.compared import both_orders
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.renyi.both import both
from pfverify.decide.renyi.compared import of_events
from pfverify.decide.renyi.moment import Quotient, RenyiMoment, integrand, power
from pfverify.exact.ball import Ball, Raw, current_precision, raw, upper_end
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.exponential import ExponentialAtoms
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.ring import BothSides
from pfverify.model.target import Target

_HALF = 0.25  # half the width of a cell, in units of the scale, and less for a large order
_CIRCLES = tuple(Fraction(k, 32) for k in range(1, 32))  # radii on which the integrand is bounded
_GUARD = 16  # bits that cells are known better than what is asked for
MOST_BITS, _MORE_BITS, _FEW = 1 << 10, 1 << 12, 8  # precisions, and atoms up to which more pays
_POINTS = 1 << 18  # of a lattice, that are looked at one by one
_CELLS = 1 << 16  # on a line
_TERMS = 1 << 12  # of an exact sum
LONG = "what lies between the atoms is too much to sum over, for this order or scale"


class GapEnds(NamedTuple):
    """Of a gap: what p and q are of, at its low end and at its high end, each from its own side."""

    p_left: Raw
    p_right: Raw
    q_left: Raw
    q_right: Raw


def compared(first: ExponentialAtoms, second: ExponentialAtoms, target: Target) -> Orders:
    """Return both orders of two laws of atoms with noise of one scale."""
    return orders_of(Pair(first.prior, second.prior, first.step), first.rate, target)


def orders_of(pair: Pair, rate: Rate, target: Target) -> Orders:
    """Return both orders of a pair at one rate."""
    pure = both_orders(pair, rate, of_events(target))
    return both(pure, lambda turned, order: OfAtoms(pair, rate, order, turned=turned), target)


class OnPieces(RenyiMoment):
    """Of densities that are two exponentials on each piece of a line."""

    def at(self, p: Raw, q: Raw) -> Raw:
        """Return the integrand of densities, or the term of masses."""
        return integrand(p, q, self.order)

    def within(self, ends: Iterable[tuple[Raw, Raw]]) -> Raw:
        """Return what the integral between places is within, of the densities at both (F92, F118).
        """
        both, order = [*ends], self.order if self.order > 1 else Fraction(2)
        most = upper_end(sum((integrand(p, q, order) for p, q in both), raw(0)))
        if self.order > 1:
            return raw(0).union(most)
        return (-upper_end(sum((q for _, q in both), raw(0)))).union(most)

    def of_cells(self, gaps: Iterable[tuple[int | Fraction, GapEnds]], unit: Raw) -> Raw:
        """Return the integral over some gaps, of so many units of the scale."""
        total, known = raw(0), dict[int | Fraction, list[TaylorCells]]()
        bits = current_precision() + _GUARD
        for gap, ends in gaps:
            if gap not in known:
                known[gap] = [*_divided(unit * raw(gap), self.order, bits)]
            for cells in known[gap]:
                total += cells.integral(ends, self)
            if len(known[gap]) > 1:  # nothing between them is looked at
                total += self._between(known[gap], ends)
        return total

    def _between(self, both_sides: list[TaylorCells], ends: GapEnds) -> Raw:
        """What lies between cells at either end."""
        return self.within(cells.inner(ends) for cells in both_sides)


def too_many_cells(widths: Iterable[float], order: Fraction) -> bool:
    """Whether gaps of such widths, in scales, take so many cells that no sum is begun."""
    reach = 2 * (current_precision() + _GUARD) * log(2)
    return sum(min(width, reach) for width in widths) > 2 * _half(order) * _CELLS


class OfAtoms(OnPieces):
    """Of a pair of priors of atoms at one rate of the noise."""

    def __init__(self, pair: Pair, rate: Rate, order: Fraction, *, turned: bool) -> None:
        self.pair, self.rate, self.order, self.turned = pair, rate, order, turned
        self.most_bits = _MORE_BITS if len(pair) <= _FEW else MOST_BITS
        self.size = 8 * len(pair)

    @property
    def why(self) -> str:
        """Why it may stay unknown."""
        return LONG if self._too_long else super().why

    @property
    def _which(self) -> tuple[int, int]:
        return (1, 0) if self.turned else (0, 1)

    def ball(self) -> Raw:
        """Return the sum over all gaps and both tails."""
        pair, rate = self.pair, self.rate.ball().raw
        decays = pair.factors(rate)
        weights = pair.rounded_weights()
        p, q = (BothSides.of(weights[k], decays) for k in self._which)
        p_total, q_total = (raw(pair.totals[k]) for k in self._which)
        tails = self.at(p.right[0], q.right[0]) + self.at(p.left[-1], q.left[-1])
        both = zip(p.gaps(), q.gaps(), strict=True)
        ends = (GapEnds(a, b, c, d) for (a, b, _), (c, d, _) in both)
        if pair.step is None:
            total = (tails + self._cells(ends, rate)) / 2
        else:
            t = (-rate * raw(pair.step)).exp()
            atoms = raw(0)
            for at_p, at_q in zip(p.around(), q.around(), strict=True):
                atoms += self.at(at_p, at_q)
            total = tails * t / (1 - t) + atoms + self._points(ends, t)
            total *= (1 - t) / (1 + t)
        if self.order == 1:  # of weights that are not yet masses
            return total / p_total + (q_total / p_total).log()
        return total * power(q_total / p_total, self.order) / q_total

    @property
    def _too_long(self) -> bool:
        """Whether so many points, or cells, lie between atoms that no sum is begun."""
        if self.pair.step is not None:
            return sum(min(steps, 2 * self._reach) for steps in self.pair.steps) > _POINTS
        unit = Ball(self.rate.ball().raw / self.pair.denominator).midpoint()
        return too_many_cells((gap * unit for gap in self.pair.gaps), self.order)

    # ---------------------------------------------------------------- on the line

    def _cells(self, gaps: Iterator[GapEnds], rate: Raw) -> Raw:
        """The integral over all gaps."""
        if self._too_long:
            return _anything()
        both = zip(self.pair.gaps, gaps, strict=True)
        return self.of_cells(both, rate / self.pair.denominator)

    # ---------------------------------------------------------------- on a lattice

    @property
    def _reach(self) -> int:
        """How many points from an atom count."""
        step = Ball(self.rate.ball().raw * raw(self.pair.step or 1)).midpoint()
        return ceil((current_precision() + _GUARD) * log(2) / step) + 1 if step > 0 else _POINTS

    def _points(self, gaps: Iterator[GapEnds], t: Raw) -> Raw:
        """The sum over the points between atoms."""
        if self._too_long:
            return _anything()
        total, reach = raw(0), self._reach
        powers = [raw(1)]

        def both(ends: GapEnds, j: int, m: int) -> tuple[Raw, Raw]:
            near, far = powers[j], powers[m - j] if m - j < len(powers) else t ** (m - j)
            return ends.p_left * near + ends.p_right * far, ends.q_left * near + ends.q_right * far

        def of(ends: GapEnds, j: int, m: int) -> Raw:
            return self.at(*both(ends, j, m))

        for m, ends in zip(self.pair.steps, gaps, strict=True):
            while len(powers) <= min(m, reach):
                powers.append(powers[-1] * t)
            back = GapEnds(ends.p_right, ends.p_left, ends.q_right, ends.q_left)
            if m <= 2 * reach + 1:
                half = m // 2
                total += sum((of(ends, j, m) for j in range(1, half + 1)), raw(0))
                total += sum((of(back, j, m) for j in range(1, m - half)), raw(0))
                continue
            for side in (ends, back):
                total += sum((of(side, j, m) for j in range(1, reach + 1)), raw(0))
            total += self.within(both(side, reach, m) for side in (ends, back)) * t / (1 - t)
        return total

    # ---------------------------------------------------------------- exactly

    def exact(self) -> Quotient | None:
        """Return it exactly of two points, and of a point q where the order is whole."""
        p, q = (self.pair.priors[k] for k in self._which)
        formal = self.rate.formal
        if formal is None or len(q.mass) > 1:
            return None
        place = next(iter(q.mass))
        law = {x - place: mass for x, mass in p.mass.items()}
        if len(law) == 1:
            return of_points(abs(next(iter(law))), formal, self.order, self.pair.step)
        whole = self.order.denominator == 1 and self.pair.step is None
        if not whole or len(law) ** self.order.numerator > _TERMS:
            return None
        mirrored = {-x: mass for x, mass in law.items()}
        order = self.order.numerator
        found = _half_line(law, formal, order) + _half_line(mirrored, formal, order)
        return found, ExpSum.constant(2)


def of_points(d: Fraction, rate: Exponent, a: Fraction, step: Fraction | None) -> Quotient:
    """Return the number of two points at distance d; what it is over depends on no distance.

    Example: ``len(of_points(Fraction(1), Exponent.rational(1), Fraction(2), None)[0].terms)`` is 2.
    Source: design fact F93.
    """
    near, far = rate.times((a - 1) * d), rate.times(-a * d)
    if step is None:
        return ExpSum.collect([(near, a), (far, a - 1)]), ExpSum.constant(2 * a - 1)
    t, one = ExpSum.power(rate.times(-step)), ExpSum.constant(1)
    s = ExpSum.power(rate.times(-step * (2 * a - 1)))
    near_sum, far_sum = ExpSum.power(near), ExpSum.power(far)
    # from the first point outwards, from the second one, and what lies between them
    outer = (near_sum + far_sum) * (one - s)
    between = (near_sum * s - ExpSum.power(near + rate.times(-d * (2 * a - 1)))) * (one - t)
    return outer + between, (one + t) * (one - s)


def _half_line(law: dict[Fraction, Fraction], rate: Exponent, order: int) -> ExpSum:
    """The integral above 0, of a q at 0: of (A e^-y + B e^y)^order e^((order-1) y), piece by piece.

    Source: design fact F94.
    """
    total = ExpSum({})
    cuts = [Fraction(0), *sorted(x for x in law if x > 0)]
    for low, high in zip(cuts, [*cuts[1:], None], strict=True):
        below = ExpSum.collect((rate.times(x), m) for x, m in law.items() if x <= low)
        above = ExpSum.collect((rate.times(-x), m) for x, m in law.items() if x > low)
        for k in range(order + 1 if high is not None else 1):
            rise = 2 * k - 1
            piece = -ExpSum.power(rate.times(rise * low))
            if high is not None:
                piece += ExpSum.power(rate.times(rise * high))
            term = piece.times(Fraction(comb(order, k), rise))
            for factor, times in ((below, order - k), (above, k)):
                for _ in range(times):
                    term = term * factor
            total += term
    return total


# ---------------------------------------------------------------- cells


@dataclass(frozen=True)
class TaylorCells:
    """TaylorCells of one width, `each`, at the low end of a gap, or (`mirrored`) at its high end.

    `width`: of the gap; `near`, `far`: the decays to the middle of each cell from either end of it;
    `weights`: of the even coefficients of a Taylor series in its integral over a cell; `rest`: what
    the rest of the series is within; `logs`: how large two logarithms are that it then has more;
    `last`: the decays to where the cells end; `bits`: how well.
    """

    each: Raw
    width: Raw
    near: list[Raw]
    far: list[Raw]
    weights: list[Raw]
    rest: Raw
    logs: Raw
    last: tuple[Raw, Raw]
    mirrored: bool
    bits: int

    def _sides(self, ends: GapEnds) -> GapEnds:
        return GapEnds(*ends[1::-1], *ends[:1:-1]) if self.mirrored else ends

    def inner(self, ends: GapEnds) -> tuple[Raw, Raw]:
        """p and q where the cells end."""
        of, (near, far) = self._sides(ends), self.last
        return of.p_left * near + of.p_right * far, of.q_left * near + of.q_right * far

    def _series(self, s: Raw, t: Raw, a: Raw) -> Raw:
        """The sum of the even coefficients g_k of (1 + s T)^a (1 + t T)^(1-a), weighted:
        (k+1) g_(k+1) = (a s + (1-a) t - k (s + t)) g_k + (2-k) s t g_(k-1).
        """
        both, product, lead = s + t, s * t, a * s + (1 - a) * t
        before, now, back = raw(0), raw(1), 2 * product
        found, even = raw(0), True
        weights = iter(self.weights)
        for k in range(1, 2 * len(self.weights)):
            if even:
                found += next(weights) * now
            before, now = now, (lead * now + back * before) / k
            lead, back, even = lead - both, back - product, not even
        return found

    def _even(self, of: GapEnds) -> int:
        """How many first cells have about one ratio p/q: what comes from ahead is nothing."""
        each, width = Ball(self.each).midpoint(), Ball(self.width).midpoint()
        ahead = max(_log_ratio(of.p_right, of.p_left), _log_ratio(of.q_right, of.q_left))
        found = (width - ahead - self.bits * log(2)) / 2 / each if each else 0.0
        return int(min(len(self.near), found)) if found > 1 else 0

    def _of_even(self, of: GapEnds, count: int, moment: OnPieces) -> Raw:
        """The integral over the first cells: that of q times what lies between two powers of p/q.
        """
        near, far = (-self.each * count).exp(), (self.each * count - self.width).exp()
        first, order = (-self.width).exp(), moment.order
        p, q = of.p_left * near + of.p_right * far, of.q_left * near + of.q_right * far
        here = of.p_left + of.p_right * first, of.q_left + of.q_right * first
        if order == 1:
            between = (here[0] / here[1]).log().union((p / q).log())
            return between * (of.p_left * (1 - near) + of.p_right * (far - first))
        between = power(here[0] / here[1], order).union(power(p / q, order))
        return between * (of.q_left * (1 - near) + of.q_right * (far - first))

    def integral(self, ends: GapEnds, of: OnPieces) -> Raw:
        """The integral over the cells."""
        sides, total = self._sides(ends), raw(0)
        if even := self._even(sides):
            total += self._of_even(sides, even, of)
        for near, far in zip(self.near[even:], self.far[even:], strict=True):
            p_down, p_up = sides.p_left * near, sides.p_right * far
            q_down, q_up = sides.q_left * near, sides.q_right * far
            p, q = p_down + p_up, q_down + q_up
            s, t = (p_up - p_down) / p, (q_up - q_down) / q
            if of.order == 1:
                total += p * self._logarithm((p / q).log(), s, t)
            else:
                total += of.at(p, q) * (self._series(s, t, raw(of.order)) + self.rest)
        return total

    def _logarithm(self, here: Raw, s: Raw, t: Raw) -> Raw:
        """The integral of (1 + s T) (log(p/q) in the middle + log(1 + s T) - log(1 + t T)) (F118).
        """
        found, one, other, before = here * self.weights[0], raw(1), raw(1), raw(0)
        for k in range(1, 2 * len(self.weights) - 1):
            one, other = -one * s, -other * t
            now = (other - one) / k  # of the difference of both logarithms
            if k % 2 == 0:
                found += self.weights[k // 2] * (now + s * before)
            before = now
        return found + self.rest * (abs(here) + self.logs)


def _anything() -> Raw:
    """A ball that says nothing."""
    return raw(1) / raw(0)


def _half(order: Fraction) -> float:
    """Half the width of a cell at most."""
    return min(_HALF, float(1 / (2 * order)))


def _divided(width: Raw, order: Fraction, bits: int) -> Iterator[TaylorCells]:
    """The cells of a gap: all of it, or as much of it at either end as counts."""
    about, half = Ball(width).midpoint(), _half(order)
    reach = bits * log(2)
    count = ceil(reach / (2 * half))
    each = raw(Fraction(half)) * 2
    if width > 2 * count * each:  # proved: cells from both sides do not meet
        yield _cells(each, count, width, order, bits, mirrored=False)
        yield _cells(each, count, width, order, bits, mirrored=True)
        return
    count = max(1, ceil(about / (2 * half)))
    yield _cells(width / count, count, width, order, bits, mirrored=False)


def _cells(
    each: Raw, count: int, width: Raw, order: Fraction, bits: int, *, mirrored: bool
) -> TaylorCells:
    half = each / 2
    near = [(-(2 * j + 1) * half).exp() for j in range(count)]
    last = -each * count
    far = [((2 * j + 1) * half - width).exp() for j in range(count)]
    tau = half.exp()
    tau = (tau - 1 / tau) / (tau + 1 / tau)
    length, radius = _length(tanh(max(Ball(half).midpoint(), 1e-300)), order, bits)
    weights = _weights(tau, length)
    rest = _rest(tau, raw(radius), length, order)
    end = last.exp(), (-width - last).exp()
    logs = upper_end(-2 * (1 - raw(radius)).log())
    return TaylorCells(each, width, near, far, weights, rest, logs, end, mirrored, bits)


def _log_ratio(x: Raw, y: Raw) -> float:
    """About log(x/y), for a proposal; infinite where one of them may be 0."""
    if not y > 0:
        return inf
    return Ball((x / y).log()).midpoint() if x > 0 else -inf


def _length(tau: float, order: Fraction, bits: int) -> tuple[int, Fraction]:
    """How many terms of the series to take, an even number, and the radius that says so."""
    best, chosen, a = inf, _CIRCLES[-1], float(order)
    for radius in _CIRCLES:
        r = float(radius)
        if r <= 1.5 * tau:
            continue
        bound = a * log(1 + r) + (1 - a) * log(1 - r) - 1.5 * log(1 - r * r)
        terms = (bits * log(2) + bound) / log(r / tau)
        if terms < best:
            best, chosen = terms, radius
    return 2 * max(1, ceil(best / 2)), chosen


def _rest(tau: Raw, radius: Raw, length: int, order: Fraction) -> Raw:
    """A ball around 0 that the rest of the series, integrated over a cell, is in (F91)."""
    up, down = power(1 + radius, order), power(1 - radius, order - 1)
    curve = 1 - radius * radius
    bound, ratio = up / down / (curve * curve.sqrt()), tau / radius
    if not ratio < 1:
        return _anything()
    most = upper_end(2 * tau * bound * ratio**length / ((length + 1) * (1 - ratio**2)))
    return (-most).union(most)


def _weights(tau: Raw, length: int) -> list[Raw]:
    """The integrals of T^k (1 - T^2)^(-3/2) over [-tau, tau] for even k, cut where k + 2l ends."""
    count, square = length // 2, tau * tau
    powers = [2 * tau]
    for _ in range(1, count):
        powers.append(powers[-1] * square)
    terms = [x / (2 * k + 1) for k, x in enumerate(powers)]
    curve = [raw(1)]
    for k in range(1, count):
        curve.append(curve[-1] * (2 * k + 1) / (2 * k))
    return [
        sum((curve[n] * terms[k + n] for n in range(count - k)), raw(0)) for k in range(count)
    ]
