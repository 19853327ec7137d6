"""The hockey-stick divergence as an exact sum with square roots, for ties with delta (F3, F4)."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.radical import RadicalSum
from pfverify.laws.pieces import Amount, Excess, PieceSums, positive, positive_part

_ONE = ExpSum.constant(1)
_NOTHING = RadicalSum({})


class _UndecidedSignError(Exception):
    """A sign inside the sum is outside the exact classes."""


def exact_divergence(
    pair: Pair, rate: Exponent, epsilon: Exponent, reverse: bool
) -> tuple[RadicalSum, ExpSum] | None:
    """Return ``(numerator, denominator)`` of the divergence of one order, exactly.

    None where a sign inside the sum could not be decided. The number of terms grows with the
    square of the number of atoms.

    Example: ``exact_divergence(points, Exponent.rational(1), Exponent({}), False)[0].ball()``,
    which is 2 (1 - exp(-1/2)), contains 0.78693..., for point masses at 0 and 1; the denominator
    is 2.
    Source: design facts F3, F4 and F12.
    """
    builder = _Builder(pair, rate, epsilon, reverse)
    try:
        return builder.on_line() if pair.step is None else builder.on_lattice()
    except _UndecidedSignError:
        return None


class _Builder:
    """Left and right sums of P - e**epsilon Q as exact sums, and the pieces made of them."""

    def __init__(self, pair: Pair, rate: Exponent, epsilon: Exponent, reverse: bool) -> None:
        self.pair = pair
        self.rate = rate
        upper, lower = (1, 0) if reverse else (0, 1)
        growth = ExpSum.power(epsilon)
        jumps = [
            ExpSum.constant(Fraction(a, pair.totals[upper]))
            - growth.times(Fraction(b, pair.totals[lower]))
            for a, b in zip(pair.weights[upper], pair.weights[lower], strict=True)
        ]
        self.powers = {gap: self.decay(Fraction(gap)) for gap in pair.distinct_gaps}
        self.left, self.right = [jumps[0]], [jumps[-1]]
        for jump, gap in zip(jumps[1:], pair.gaps, strict=True):
            self.left.append(self.left[-1] * self.powers[gap] + jump)
        for jump, gap in zip(jumps[-2::-1], reversed(pair.gaps), strict=True):
            self.right.append(self.right[-1] * self.powers[gap] + jump)
        self.right.reverse()

    def decay(self, points: Fraction) -> ExpSum:
        """Return e**(-distance * rate) for a distance in units of integer points."""
        return ExpSum.power(self.rate.times(-points / self.pair.denominator))

    def on_line(self) -> tuple[RadicalSum, ExpSum] | None:
        """Twice the integral of the positive part, piece by piece."""
        found = [positive(Amount.of(self.right[0])), positive(Amount.of(self.left[-1]))]
        for a, b, gap in zip(self.left, self.right[1:], self.pair.gaps, strict=False):
            tau = self.powers[gap]
            sides = PieceSums(*(Amount.of(one) for one in (a, a * tau, b * tau, b)))
            found.append(positive_part(sides))
        total = Excess.total(found)
        return None if total is None else (total.exact(), ExpSum.constant(2))

    def on_lattice(self) -> tuple[RadicalSum, ExpSum]:
        """Everything times (1 - s), over the denominator 1 + s of the normalisation."""
        step = (self.pair.step or Fraction(1)) * self.pair.denominator
        s = self.decay(step)
        tails = _positive(self.right[0]) + _positive(self.left[-1])
        total = tails.times(s) + _positive(self.left[-1]).times(_ONE - s)
        for a, b, gap in zip(self.left, self.right[1:], self.pair.gaps, strict=False):
            total = total + _positive(a + b * self.powers[gap]).times(_ONE - s)
            total = total + RadicalSum.of(self.gap_sum(a, b, step, int(gap / step)))
        return total, _ONE + s

    def gap_sum(self, a: ExpSum, b: ExpSum, step: Fraction, m: int) -> ExpSum:
        """(1 - s) times the sum of the positive part over the points strictly inside a gap."""
        signs = _sign(a), _sign(b)
        if m == 1 or max(signs) <= 0:
            return ExpSum({})
        count = m - 1
        if min(signs) < 0:
            if signs[0] < 0:
                a, b = b, a
            count = self.positive_points(a, b, step, m)
        rising = self.decay(step) - self.decay(step * (count + 1))
        falling = self.decay(step * (m - count)) - self.decay(step * m)
        return a * rising + b * falling

    def positive_points(self, a: ExpSum, b: ExpSum, step: Fraction, m: int) -> int:
        """With a > 0 > b the terms decrease: count the positive ones by exact signs."""
        low, high = 0, m - 1
        while low < high:
            middle = (low + high + 1) // 2
            value = a * self.decay(step * middle) + b * self.decay(step * (m - middle))
            low, high = (middle, high) if _sign(value) > 0 else (low, middle - 1)
        return low


def _sign(value: ExpSum) -> int:
    sign = value.sign()
    if sign is None:
        raise _UndecidedSignError
    return sign


def _positive(value: ExpSum) -> RadicalSum:
    return RadicalSum.of(value) if _sign(value) > 0 else _NOTHING
