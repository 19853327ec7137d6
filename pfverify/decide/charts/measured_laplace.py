"""P against e**epsilon Q under Laplace noise: one-sided sums, densities, masses, sign chart.

e**(rho y) g grows where R of the signed measure is >= 0 and falls where it is <= 0, and R itself is
monotone where the signed measure's density h has one sign. So the sign cells of h, then brackets
of the zeros of R, then brackets of the zeros of g determine g on the whole line from finitely many
evaluations. The kernel's rule "chart" checks the same inference.
Source: design facts F5, F6, F7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from pfverify.decide.breach import Place
from pfverify.decide.charts.chart import Chart, OneSign, Piece
from pfverify.decide.charts.density import Density, SignCell, sign_cells
from pfverify.decide.charts.measured import Measured
from pfverify.decide.charts.roots import bracket, guide, sign_of
from pfverify.decide.charts.signed import Signed
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.laplace import LaplaceLaw, Sums
from pfverify.laws.rate import Rate

_COARSE = 2.0**-20  # of the brackets of zeros of h and R
_OUTWARD = 200  # doublings on the way to a sign change in a tail


class LaplaceMeasured(Measured):
    """P against e**epsilon Q (plus the flat part) under Laplace noise, at one precision."""

    p: LaplaceLaw
    q: LaplaceLaw

    def __init__(self, signed: Signed, rate: Rate) -> None:
        self.signed = signed
        self.rate = rate
        self.rho = rate.ball().raw
        self.factor = signed.target.exp_epsilon()
        self.p = LaplaceLaw(signed.first, self.rho)
        self.q = LaplaceLaw(signed.second, self.rho)
        flat = signed.flat
        self.flat = None if flat is None else flat.ball().raw / self.rho
        self.means = [part.mean for part in (*signed.first, *signed.second)]
        self._sums: dict[tuple[Fraction, bool, int], tuple[Raw, Raw]] = {}
        self._values: dict[Fraction, tuple[Raw, Raw]] = {}
        self._grow: dict[Fraction, Raw] = {}

    def grow(self, y: Fraction) -> Raw:
        """Return e**(rho y)."""
        if y not in self._grow:
            self._grow[y] = (self.rho * raw(y)).exp()
        return self._grow[y]

    def sums(self, y: Fraction, before: bool = False) -> tuple[Sums, Sums]:
        """Return the one-sided sums of P and of e**epsilon Q + flat."""
        (p, q), (r, s) = self.lefts(y, before), self.rights(y, before)
        return Sums(p, r), Sums(q, s)

    def lefts(self, y: Fraction, before: bool = False) -> tuple[Raw, Raw]:
        """Return L of both sides."""
        return self._one_sided(y, before, 1)

    def rights(self, y: Fraction, before: bool = False) -> tuple[Raw, Raw]:
        """Return R of both sides."""
        return self._one_sided(y, before, -1)

    def _one_sided(self, y: Fraction, before: bool, side: int) -> tuple[Raw, Raw]:
        before = before and y in self.signed.places
        found = self._sums.get(at := (y, before, side))
        if found is None:
            left = self.p.left, self.q.left
            p, q = left if side > 0 else (self.p.right, self.q.right)
            second = q(y, before=before) * self.factor
            if self.flat is not None:
                e = self.grow(y)
                second += self.flat * e if side > 0 else self.flat / e
            found = self._sums[at] = p(y, before=before), second
        return found

    def values(self, y: Fraction) -> tuple[Raw, Raw]:
        """Return the released densities of both sides at y: p, and e**epsilon q plus delta."""
        p, q = self._doubled(y)
        return p * self.rho / 2, q * self.rho / 2

    def log_ratio(self, y: Fraction) -> Raw:
        """Return the logarithm of their quotient."""
        p, q = self._doubled(y)
        return (p / q).log()

    def _doubled(self, y: Fraction, before: bool = False) -> tuple[Raw, Raw]:
        """Return 2b times the densities, which have the same signs and ratios.

        They are continuous: `before`, the limit from the left, is no other one.
        """
        del before
        if y not in self._values:
            p, q = self.sums(y)
            e = self.grow(y)
            self._values[y] = p.left / e + p.right * e, q.left / e + q.right * e
        return self._values[y]

    def limit_sign(self, side: int) -> int | None:
        """Return the sign of the transform of the signed measure in a tail; 0 is proved exactly."""
        if self.flat is not None:
            return -1
        p, q = self.p.transform(side), self.factor * self.q.transform(side)
        sign = sign_of(p, q)
        return 0 if sign is None and self._limit_is_zero(side) else sign

    def _limit_is_zero(self, side: int) -> bool:
        """Whether E e**(side X/b) agrees exactly, up to e**epsilon (fact F3)."""
        rho, epsilon = self.rate.formal, self.signed.target.epsilon.formal
        if rho is None or epsilon is None:
            return False
        value = rho.as_rational()
        parts = [*self.signed.first, *self.signed.second]
        base = min(part.variance for part in parts)
        if value is None and any(part.variance != base for part in parts):
            return False
        terms = []
        for sign, components in ((1, self.signed.first), (-1, self.signed.second)):
            for weight, mean, variance in components:
                exponent = rho.times(side * mean)
                if value is not None:
                    exponent += Exponent.rational((variance - base) * value * value / 2)
                if sign < 0:
                    exponent += epsilon
                terms.append((exponent, sign * weight))
        return ExpSum.collect(terms).sign() == 0

    def tails(self) -> dict[int, Raw]:
        """Return the limits in both tails; none against a flat part, which outweighs them."""
        if self.flat is not None:
            return {}
        return {
            side: (self.p.transform(side) / (self.q.transform(side) * self.factor)).log()
            for side in (-1, 1)
        }

    def limits(self) -> list[tuple[Raw, Place]]:
        """Return the limits in both tails."""
        tails = self.tails()
        return [(tails[side], name) for side, name in ((1, "inf"), (-1, "-inf")) if side in tails]

    def ties_far_out(self, sides: Sequence[int]) -> bool:
        """Whether the ratio of the transforms is exactly e**epsilon, in one of these tails."""
        return any(self.limit_sign(side) == 0 for side in sides)

    def chart(self, tolerance: float, known: Sequence[SignCell] = ()) -> Chart:
        """Return the sign chart; brackets of zeros of g are as tight as `tolerance` asks.

        Those of h and R may be wide, unless that leaves the sign of g unknown beside its zeros.
        """
        found = self._chart(tolerance, max(tolerance, _COARSE), known)
        tight = self._only_zeros(found, 2 * tolerance)
        return found if tight else self._chart(tolerance, tolerance, known)

    def _only_zeros(self, chart: Chart, tolerance: float) -> bool:
        """Whether every piece of unknown sign is a tight bracket of a zero of g."""
        for piece in chart.pieces:
            if piece.sign is None:
                if piece.low is None or piece.high is None:
                    return False
                ends = self._doubled(piece.low), self._doubled(piece.high)
                signs = sign_of(*ends[0]), sign_of(*ends[1])
                if None in signs or signs[0] == signs[1]:
                    return False
                if any(abs(guide(*end)) > tolerance for end in ends):
                    return False
        return True

    def _chart(self, tolerance: float, inner: float, known: Sequence[SignCell]) -> Chart:
        density = Density(self.signed, inner)
        cells = sign_cells(density, inner, self.means, known)
        smooth = OneSign(cells, len(density) == 0)
        points = set(self.signed.places) | set(smooth.ends())
        if not points:  # not even the tails of h were settled
            return Chart([Piece(None, None, None)], [], [], self.means)
        places: list[Fraction] = []
        for a, b in pairwise(sorted(points)):
            if smooth.at(a, b) is None:
                continue
            found = self._crossing(self.rights, a, b, inner)
            if found is not None:
                points |= set(found)
                places.append(found[0])
        for a, b in pairwise(sorted(points)):
            if self._monotone(smooth, a, b):
                found = self._crossing(self._doubled, a, b, tolerance)
                if found is not None:
                    points |= set(found)
        ordered = sorted(points)
        left, right = (self.limit_sign(side) for side in (-1, 1))
        for side, limit in ((-1, left), (1, right)):
            points |= set(self._outer(side, limit, smooth, ordered, tolerance))
        ordered = sorted(points)
        pieces = [self._tail(-1, ordered[0], left, smooth)]
        pieces += [self._piece(a, b, smooth) for a, b in pairwise(ordered)]
        pieces.append(self._tail(1, ordered[-1], right, smooth))
        return Chart(pieces, cells, ordered, places + ordered)

    def _crossing(
        self,
        evaluate: Callable[..., tuple[Raw, Raw]],
        a: Fraction,
        b: Fraction,
        tolerance: float,
    ) -> tuple[Fraction, Fraction] | None:
        """Bracket the zero of a monotone difference on [a, b], if its ends prove one."""
        first, second = sign_of(*evaluate(a)), sign_of(*evaluate(b, before=True))
        if first is None or second is None or first == second:
            return None
        return bracket(evaluate, a, b, tolerance)

    def _monotone(self, smooth: OneSign, a: Fraction, b: Fraction) -> int | None:
        """Return the sign of R on [a, b] where it is proved constant."""
        (p, q), (r, s) = self.rights(a), self.rights(b, before=True)
        if p <= s:  # R of P falls from p to r, the other from q to s
            return -1
        if r >= q:
            return 1
        if smooth.at(a, b) is not None:
            if p <= q and r <= s:
                return -1
            if p >= q and r >= s:
                return 1
        return None

    def _piece(self, a: Fraction, b: Fraction, smooth: OneSign) -> Piece:
        """Prove the sign of g on [a, b] from its ends."""
        at, to = self._doubled(a), self._doubled(b)
        direction = self._monotone(smooth, a, b)
        if direction is not None:
            bottom, top = (at, to) if direction > 0 else (to, at)
            if top[0] <= top[1]:
                return Piece(a, b, -1)
            if bottom[0] >= bottom[1]:
                return Piece(a, b, 1)
        return Piece(a, b, self._bounded(a, b))

    def _bounded(self, a: Fraction, b: Fraction) -> int | None:
        """Prove a sign by the monotone bounds of L and R of both sides over [a, b]."""
        (p, q), (r, s) = self.sums(a), self.sums(b, before=True)
        ends = self.grow(a), self.grow(b)
        left, right = r.left - q.left, p.right - s.right
        if all(left / e + right * e <= 0 for e in ends):
            return -1
        left, right = p.left - s.left, r.right - q.right
        if all(left / e + right * e >= 0 for e in ends):
            return 1
        return None

    def _tail(self, side: int, y: Fraction, limit: int | None, smooth: OneSign) -> Piece:
        low, high = (None, y) if side < 0 else (y, None)
        p, q = self._doubled(y)
        sign: int | None = None
        tail_sign = smooth.outside(side)
        if tail_sign is not None:
            # scaled by e**(side rho y), g moves outward to its limit, rising where h >= 0
            if tail_sign >= 0:
                sign = -1 if limit is not None and limit <= 0 else 1 if p >= q else None
            if tail_sign <= 0 and sign is None:
                sign = -1 if p <= q else 1 if limit is not None and limit >= 0 else None
        if sign is None and self.flat is None:
            near = self.sums(y, before=side < 0)
            inner = (near[0].left, near[1].left) if side > 0 else (near[0].right, near[1].right)
            whole = self.p.transform(side), self.factor * self.q.transform(side)
            sign = -1 if whole[0] <= inner[1] else 1 if whole[1] <= inner[0] else None
        return Piece(low, high, sign)

    def _outer(
        self,
        side: int,
        limit: int | None,
        smooth: OneSign,
        points: list[Fraction],
        tolerance: float,
    ) -> list[Fraction]:
        """Bracket the zero of g beyond the last point, where the tail proves that there is one."""
        if smooth.outside(side) in (None, 0) or limit is None:
            return []
        start = points[-1] if side > 0 else points[0]
        here = sign_of(*self._doubled(start))
        wanted = limit or -(smooth.outside(side) or 0)
        if here is None or here == wanted:
            return []
        step = max(points[-1] - points[0], self.signed.unit)
        for _ in range(_OUTWARD):
            far = start + side * step
            if sign_of(*self._doubled(far)) == wanted:
                return list(
                    bracket(self._doubled, min(start, far), max(start, far), tolerance)
                )
            step *= 2
        return []
