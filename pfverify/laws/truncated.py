"""Atoms with Laplace noise that stays within a bound: densities that end where it ends.

Noise of rate r = 1/scale and bound A weighs an atom at distance d <= A by
r e**(-d r) / (2 (1 - e**(-A r))), and not at all beyond. Source: design fact F47.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.laws.exponential import ExponentialAtoms, exact_at_zero
from pfverify.laws.law import Smooth
from pfverify.laws.rate import Rate
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import KnownRow
from pfverify.model.steps.chain import Part

_ONE = ExpSum.constant(1)


class TruncatedAtoms(ExponentialAtoms):
    """Atoms with truncated Laplace noise: a density."""

    forms = ("kept",)

    def __init__(self, prior: Discrete, rate: Rate, bound: Fraction) -> None:
        super().__init__(prior, rate, None)
        self.bound = bound

    @property
    def row(self) -> KnownRow:
        """The atoms: there is a row."""
        return KnownRow(self.prior, Fraction(1))

    @property
    def parts(self) -> Sequence[Part]:
        """The whole line, which keeps its density."""
        return [Part(None, None, None)]

    @property
    def marks(self) -> list[Fraction]:
        """The atoms, and where the noise around them ends."""
        return [y + side * self.bound for y in self.prior.atoms for side in (-1, 0, 1)]

    def at_precision(self) -> Smooth:
        """Return sums over the atoms within the bound at the current precision."""
        return _TruncatedAtPrecision(self)

    def width(self, variance: Fraction) -> Raw:
        """Return a fifth of the bound, so that grids, which go five widths out, reach its end."""
        return raw(variance).sqrt() + raw(self.bound) / 5

    def near(self, y: Fraction) -> range:
        """Return the indices of the atoms within the bound."""
        points, unit = self.prior.points, self.prior.denominator
        low, high = (y - self.bound) * unit, (y + self.bound) * unit
        return range(bisect_left(points, low), bisect_right(points, high))

    def known_weight(self, y: Fraction) -> Fraction | None:
        """Return 0 where no atom is within the bound."""
        return None if self.near(y) else Fraction(0)

    def known_below(self, y: Fraction) -> Fraction | None:
        """Return the mass of the atoms below where the noise of none goes on beyond y."""
        goes_on = any(abs(self.atom(k) - y) < self.bound for k in self.near(y))
        return None if goes_on else self.atoms_below(y)

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return the sum of mass * e**(-distance rate) over the atoms within the bound."""
        return self._sum(y, lambda atom: abs(atom - y) <= self.bound)

    @property
    def _tail(self) -> ExpSum | None:
        formal = self.rate.formal
        return None if formal is None else ExpSum.power(formal.times(-self.bound))

    def weighs(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether shape(y) times the noise at 0 is the value."""
        total, tail, front = self.shape(y), self._tail, exact_at_zero(self.rate, None)
        if total is None or tail is None or front is None:
            return Answer.UNKNOWN
        return (total * front[0] - front[1] * (_ONE - tail).times(value)).is_zero()

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether the distribution function is the value."""
        rest, tail = self.atoms_below(y) - value, self._tail
        left = self._sum(y, lambda atom: 0 <= y - atom <= self.bound)
        right = self._sum(y, lambda atom: 0 < atom - y <= self.bound)
        if left is None or right is None or tail is None:
            return Answer.UNKNOWN
        signed = sum((-self._mass(k) if self.atom(k) <= y else self._mass(k)
                      for k in self.near(y)), Fraction(0))  # fmt: skip
        return ((_ONE - tail).times(2 * rest) - left + right - tail.times(signed)).is_zero()

    def _mass(self, index: int) -> Fraction:
        return Fraction(self.prior.weights[index], self.prior.total)


class _TruncatedAtPrecision(Smooth):
    """The sums over the atoms within the bound, in balls."""

    def __init__(self, law: TruncatedAtoms) -> None:
        self.law, self.whole = law, raw(1)
        self.rate = law.rate.ball().raw
        self.tail = (-self.rate * raw(law.bound)).exp()

    def density(self, y: Fraction) -> Raw:
        """Return the density."""
        weights, total = self.law.prior.weights, raw(0)
        for k in self.law.near(y):
            total += weights[k] * self._power(k, y)
        return total * self.rate / (2 * (1 - self.tail) * self.law.prior.total)

    def _power(self, index: int, y: Fraction) -> Raw:
        return (-self.rate * raw(abs(self.law.atom(index) - y))).exp()

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        weights, index = self.law.prior.weights, self.law.index(y)
        total = raw(0)  # beyond y, of atoms on either side
        for k in self.law.near(y):
            beyond = weights[k] * (self._power(k, y) - self.tail)
            total += beyond if k > index else -beyond
        whole = self.law.below_each[index] if index >= 0 else 0
        return (whole + total / (2 * (1 - self.tail))) / self.law.prior.total

    def above(self, y: Fraction) -> Raw:
        """Return the mass from y on."""
        return 1 - self.below(y)
