"""Where a signed sum of normal densities has one sign: cells of the line, proved in balls.

h(x) = sum_k A_k e**Q_k(x), Q_k(x) = -(x - m_k)**2 / (2 V_k) (0 for a flat part). On a cell, h is
divided by e**Q_r for a reference term r; the quotient H has the same sign and moderate size. A
cell passes by the range of H, by a Taylor polynomial of H with its remainder that is dominated by
its constant (T0), or by its slope with equal signs at both ends (T1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pfverify.decide.charts.roots import bracket, sign_of
from pfverify.decide.charts.signed import Signed, power_of_two_near_root
from pfverify.exact.ball import Raw, exp_range, lower_end, raw, upper_end

DEGREES = (0, 6, 24, 48)
_MAX_CELLS = 6000
_DEPTH = 2400  # halvings
_DOUBLINGS = 1200
_NEGLIGIBLE = 120.0  # in the logarithm
_REACH = 6  # beyond this size of the exponents' change over a cell no Taylor polynomial helps


@dataclass(frozen=True)
class SignCell:
    """A closed interval (None: no end) on which h has one sign, with what proves it."""

    low: Fraction | None
    high: Fraction | None
    degree: int
    reference: int
    sign: int


class Density:
    """The sum h of a signed measure, ready for evaluation at the current precision."""

    def __init__(self, signed: Signed, tolerance: float) -> None:
        self.smallest = tolerance / 4
        factor = signed.target.exp_epsilon()
        half, two_pi = raw(Fraction(1, 2)), 2 * Raw.pi()
        self.means = [raw(term.mean) for term in signed.terms]
        self.rates = [half / raw(term.variance) for term in signed.terms]
        self.amplitudes = [
            term.coefficient(factor) / (two_pi * raw(term.variance)).sqrt()
            for term in signed.terms
        ]
        # (variance, mean) decide which term dominates far out; a flat part dominates all
        self.keys: list[tuple[Fraction, Fraction] | None] = [
            (term.variance, term.mean) for term in signed.terms
        ]
        if signed.flat is not None:
            self.means.append(raw(0))
            self.rates.append(raw(0))
            self.amplitudes.append(-signed.flat.ball().raw)
            self.keys.append(None)
        self.sizes = [abs(a) for a in self.amplitudes]
        self.raw_logs = [size.log().mid() if size > 0 else raw(-(10**300)) for size in self.sizes]
        self.logs = [float(value) for value in self.raw_logs]

    def __len__(self) -> int:
        return len(self.amplitudes)

    def _largest(self, exponents: list[Raw]) -> int:
        """Return a term that is among the largest (a choice: any term is right)."""
        sizes = [(q + log).mid() for q, log in zip(exponents, self.raw_logs, strict=True)]
        return max(range(len(sizes)), key=sizes.__getitem__)

    def exponents(self, x: Fraction) -> list[Raw]:
        """Return every Q_k(x)."""
        at = raw(x)
        return [
            -rate * _square(at - mean) for rate, mean in zip(self.rates, self.means, strict=True)
        ]

    def parts(self, x: Fraction) -> tuple[Raw, Raw]:
        """Return the positive and the negative part of H at x, both >= 0, common factor free."""
        q = self.exponents(x)
        base = q[self._largest(q)]
        positive, negative = raw(0), raw(0)
        for amplitude, size, exponent in zip(self.amplitudes, self.sizes, q, strict=True):
            value = size * (exponent - base).exp()
            if amplitude > 0:
                positive += value
            elif amplitude < 0:
                negative += value
            else:  # a coefficient that is not told from 0
                positive += value
                negative += value
        return positive, negative

    def sign(self, x: Fraction) -> int | None:
        """Return the proved sign of h at x, else None."""
        return sign_of(*self.parts(x))

    def tail(self, x: Fraction, right: bool) -> tuple[int, int] | None:
        """Return (reference, sign) if one term is proved to dominate from x outward."""
        side = 1 if right else -1
        flat = [k for k, key in enumerate(self.keys) if key is None]
        rank = {k: (key[0], side * key[1]) for k, key in enumerate(self.keys) if key is not None}
        top = flat[0] if flat else max(rank, key=rank.__getitem__)
        at = raw(x)
        q = self.exponents(x)
        slope = -2 * self.rates[top] * (at - self.means[top])
        rest = raw(0)
        for k in range(len(self)):
            if k == top:
                continue
            steepness = side * (-2 * self.rates[k] * (at - self.means[k]) - slope)
            if not steepness <= 0:
                return None
            rest += self.sizes[k] * (q[k] - q[top]).exp()
        if not rest < self.sizes[top]:
            return None
        return top, 1 if self.amplitudes[top] > 0 else -1

    def cell(self, low: Fraction, high: Fraction) -> SignCell | int | None:
        """Return a proved cell; a degree > 0 where H is monotone with a zero; 0 where the cell is

        too small to go on; None where it should be cut.
        """
        centre, half = (low + high) / 2, (high - low) / 2
        r = self._largest(self.exponents(centre))
        at, w = raw(centre), raw(half)
        slopes, curves, changes, ranges = [], [], [], []
        for rate, mean in zip(self.rates, self.means, strict=True):
            curve = self.rates[r] - rate
            slope = 2 * self.rates[r] * (at - self.means[r]) - 2 * rate * (at - mean)
            start = self.rates[r] * _square(at - self.means[r]) - rate * _square(at - mean)
            slopes.append(slope)
            curves.append(curve)
            changes.append(start)
            ranges.append(_range(start, slope, curve, w))
        total = raw(0)
        for amplitude, span in zip(self.amplitudes, ranges, strict=True):
            total += amplitude * exp_range(span)
        if total > 0 or total < 0:
            return SignCell(low, high, 0, r, 1 if total > 0 else -1)
        # terms too small to matter here may be as steep as they like
        tops = [
            log + float(upper_end(span).mid()) for log, span in zip(self.logs, ranges, strict=True)
        ]
        floor = max(tops) - _NEGLIGIBLE
        reach = max(
            float(abs(slope * w).mid()) + float(abs(curve * w * w).mid())
            for slope, curve, top in zip(slopes, curves, tops, strict=True)
            if not top < floor
        )
        if reach <= self.smallest:
            return 0
        if not reach <= _REACH:
            return None
        for degree in DEGREES[1:]:
            a, rest = self._taylor(changes, slopes, curves, ranges, w, degree)
            powers, power = [], raw(1)
            for value in a:
                powers.append(value * power)
                power *= w
            rest = abs(rest) * power
            middle = sum((abs(p) for p in powers[1:]), raw(0))
            if abs(powers[0]) > middle + rest:
                return SignCell(low, high, degree, r, 1 if powers[0] > 0 else -1)
            slope_rest = sum((n * abs(p) for n, p in enumerate(powers) if n > 1), raw(0))
            if abs(powers[1]) > slope_rest + degree * rest:
                signs = self.sign(low), self.sign(high)
                if signs[0] is not None and signs[0] == signs[1]:
                    return SignCell(low, high, degree, r, signs[0])
                if signs[0] is not None and signs[1] is not None:
                    return degree
                return None
            if not (abs(powers[0]) > middle or abs(powers[1]) > slope_rest):
                return None  # no degree helps: the polynomial itself is not dominated
        return None

    def _taylor(
        self,
        changes: list[Raw],
        slopes: list[Raw],
        curves: list[Raw],
        ranges: list[Raw],
        w: Raw,
        degree: int,
    ) -> tuple[list[Raw], Raw]:
        """Return the coefficients below `degree` at the centre, and the next one over the cell."""
        coefficients = [raw(0)] * degree
        remainder = raw(0)
        for k, amplitude in enumerate(self.amplitudes):
            q1, q2 = slopes[k], 2 * curves[k]
            before, now = raw(0), amplitude * changes[k].exp()
            for n in range(degree):
                coefficients[n] += now
                before, now = now, (q1 * now + q2 * before) / (n + 1)
            wide = (q1 - abs(q2) * w).union(q1 + abs(q2) * w)
            before, now = raw(0), amplitude * exp_range(ranges[k])
            for n in range(degree):
                before, now = now, (wide * now + q2 * before) / (n + 1)
            remainder += now
        return coefficients, remainder


def _square(value: Raw) -> Raw:
    """The square as a product: flint's ``** 2`` of a ball around 0 is no number."""
    return value * value


def _range(start: Raw, slope: Raw, curve: Raw, w: Raw) -> Raw:
    """Enclose start + slope t + curve t**2 over |t| <= w."""
    left, right = slope - 2 * curve * w, slope + 2 * curve * w  # derivatives at the ends
    a = start - slope * w + curve * w * w
    b = start + slope * w + curve * w * w
    hull = a.union(b)
    if (left >= 0 and right >= 0) or (left <= 0 and right <= 0):
        return hull
    # the vertex lies at most |derivative| * (2 w) / 2 away in value from either end
    reach = abs(left) * w if abs(left) < abs(right) else abs(right) * w
    reach = upper_end(reach)
    return (lower_end(hull) - reach).union(upper_end(hull) + reach)


def sign_cells(
    density: Density, tolerance: float, hints: list[Fraction], known: Sequence[SignCell] = ()
) -> list[SignCell]:
    """Return touching cells from left to right; gaps between them are unknown (zeros of h).

    `hints` are places where something happens (means), `tolerance` bounds |log| of the ratio of
    the positive to the negative part at the ends of a gap around a simple zero. Cells that are
    `known` from a lower precision stay: only the gaps between them are looked at.
    """
    if not len(density):
        return []
    if known:
        found = list(known[:1])
        for cell, after in pairwise(known):
            if cell.high is not None and after.low is not None and cell.high < after.low:
                found += _inner(density, cell.high, after.low, tolerance, hints)
            found.append(after)
        return found
    tails = [_tail(density, right, hints) for right in (False, True)]
    if tails[0] is None or tails[1] is None:
        return []
    (low, *left), (high, *right) = tails[0], tails[1]
    if not low < high:  # one term: any point divides the line
        high = low + 1
    found = [SignCell(None, low, 0, left[0], left[1])]
    found += _inner(density, low, high, tolerance, hints)
    found.append(SignCell(high, None, 0, right[0], right[1]))
    return found


def _tail(
    density: Density, right: bool, hints: list[Fraction]
) -> tuple[Fraction, int, int] | None:
    """Return (x, reference, sign): from x outward one term dominates."""
    side = 1 if right else -1
    start = max(hints) if right else min(hints)
    widest = max((key[0] for key in density.keys if key), default=Fraction(1))
    width = power_of_two_near_root(widest)
    for _ in range(_DOUBLINGS):
        x = start + side * width
        proved = density.tail(x, right)
        if proved is not None:
            return x, *proved
        width *= 2
    return None


def _inner(
    density: Density, low: Fraction, high: Fraction, tolerance: float, hints: list[Fraction]
) -> Iterator[SignCell]:
    """Bisect [low, high] until every piece passes, or is a tight bracket of a simple zero."""
    stack = [(low, high)]
    smallest = (high - low) / Fraction(2) ** _DEPTH
    budget = _MAX_CELLS
    while stack:
        a, b = stack.pop()
        budget -= 1
        if budget < 0 or b - a <= smallest:
            continue
        found = density.cell(a, b)
        if isinstance(found, SignCell):
            yield found
            continue
        if found == 0:  # too small to be told from a double zero: unknown
            continue
        if found is not None:  # monotone with opposite signs at the ends: one simple zero
            c, d = bracket(density.parts, a, b, tolerance)
            stack += [(d, b)] if c < d < b else []
            stack += [(a, c)] if a < c else []
            continue
        stack += reversed(_halves(density, a, b))


def _halves(
    density: Density, a: Fraction, b: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """Cut in the middle, or beside it where the sign there is not proved."""
    for share in (Fraction(1, 2), Fraction(29, 64), Fraction(37, 64)):
        middle = a + (b - a) * share
        if density.sign(middle) is not None:
            break
    return [(a, middle), (middle, b)]

