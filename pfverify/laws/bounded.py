"""Atoms with Laplace noise that is renormalised in a window: a density there, and none elsewhere.

With noise of rate r = 1/scale an atom x of mass m counts as one of mass m/(2 C(x)), where
2 C(x) = 2 - e**(-(x-low) r) - e**(-(high-x) r), and then has the density r e**(-|y-x| r) of its
mass in the window: of such weights all mass is 1. Source: design fact F81.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, current_precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.exponential import ExponentialAtoms, exact_at_zero
from pfverify.laws.law import Smooth
from pfverify.laws.pieces import Amount
from pfverify.laws.rate import Rate
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import KnownRow
from pfverify.model.steps.chain import Part

_MOST = 5_000  # terms of a common denominator that is made
_NEVER = 1 << 40  # terms of what is not


class OutputWindow:
    """What noise of a rate leaves of some atoms between two ends, over one denominator.

    That is the product of 2 C(x) over all of them. It is positive, so that no sign depends on it:
    balls are without it.
    """

    def __init__(
        self, low: Fraction, high: Fraction, rate: Exponent, atoms: Iterable[Fraction]
    ) -> None:
        self.low, self.high, self.rate = low, high, rate
        self.atoms = list(dict.fromkeys(atoms))
        self._balls: dict[tuple[Fraction, int], Raw] = {}
        self._products: dict[Fraction | None, ExpSum] = {}

    def kept(self, x: Fraction) -> ExpSum:
        """Return 2 C(x)."""
        ends = (ExpSum.power(self.rate.times(-far)) for far in (x - self.low, self.high - x))
        return ExpSum.constant(2) - sum(ends, start=ExpSum.constant(0))

    def weight(self, x: Fraction, mass: Fraction) -> Amount:
        """Return the weight of an atom of a mass."""
        return Amount(
            lambda: raw(mass) / self._ball(x), lambda: self._others(x).times(mass), self.terms
        )

    @property
    def whole(self) -> Amount:
        """All mass in the unit of these weights."""
        return Amount(lambda: raw(1), lambda: self._others(None), self.terms)

    @cached_property
    def terms(self) -> int:
        """How many terms the product has at most; very many where it is not made.

        Its exponents are multiples of what all distances are multiples of.
        """
        far = [max(x - self.low, self.high - x) for x in self.atoms]
        unit = Fraction(1, lcm(*(x.denominator for x in (self.low, self.high, *self.atoms))))
        most = min(sum(far, Fraction(0)) / unit + 1, 3 ** min(len(far), 64))
        return int(most) if most <= _MOST else _NEVER

    def _ball(self, x: Fraction) -> Raw:
        key = x, current_precision()
        if key not in self._balls:
            self._balls[key] = self.kept(x).ball().raw
        return self._balls[key]

    def _others(self, x: Fraction | None) -> ExpSum:
        """The product of all but that of x."""
        if x not in self._products:
            rest = (self.kept(y) for y in self.atoms if y != x)
            self._products[x] = prod(rest, start=ExpSum.constant(1))
        return self._products[x]


class BoundedAtoms(ExponentialAtoms):
    """Atoms with renormalised Laplace noise: a density in the window."""

    forms = ("kept",)

    def __init__(self, prior: Discrete, rate: Rate, low: Fraction, high: Fraction) -> None:
        super().__init__(prior, rate, None)
        self.low, self.high, self.bound = low, high, None

    @cached_property
    def window(self) -> OutputWindow | None:
        """What the noise leaves of each atom; None where the rate has no exact form."""
        formal = self.rate.formal
        if formal is None:
            return None
        return OutputWindow(self.low, self.high, formal, self.prior.atoms)

    @property
    def row(self) -> KnownRow:
        """The atoms: there is a row."""
        return KnownRow(self.prior, Fraction(1))

    @property
    def parts(self) -> Sequence[Part]:
        """The window, which keeps its density."""
        return [Part(self.low, self.high, None)]

    @property
    def marks(self) -> list[Fraction]:
        """The atoms and the ends of the window."""
        return sorted({self.low, self.high, *self.prior.atoms})

    def width(self, variance: Fraction) -> Raw:
        """Return a fifth of the window, so that grids, which go five widths out, reach its ends."""
        return raw(variance).sqrt() + raw(self.high - self.low) / 5

    def kept(self, x: Fraction) -> Raw:
        """Return C(x) at the current precision."""
        rate = self.rate.ball().raw
        ends = sum(((-rate * raw(far)).exp() for far in (x - self.low, self.high - x)), raw(0))
        return 1 - ends / 2

    def at_precision(self) -> Smooth:
        """Return sums over the atoms at the current precision."""
        return _BoundedAtPrecision(self)

    def known_weight(self, y: Fraction) -> Fraction | None:
        """Return 0 outside of the window."""
        return None if self.low <= y <= self.high else Fraction(0)

    def known_below(self, y: Fraction) -> Fraction | None:
        """Return 0 up to the window, 1 from its end on."""
        if y <= self.low:
            return Fraction(0)
        return Fraction(1) if y >= self.high else None

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return nothing: the common denominator is one of these atoms, not of the noise alone."""
        del y
        return None

    def _over(self, of: Callable[[Fraction], ExpSum]) -> ExpSum | None:
        """The sum of weight * something of each atom; None where it is too long."""
        window = self.window
        if window is None or self._whole is None:
            return None
        found = (window.weight(x, m).make() * of(x) for x, m in self.prior.mass.items())
        return sum(found, start=ExpSum.constant(0))

    @cached_property
    def _whole(self) -> ExpSum | None:
        """All mass in the unit of the weights; None where it is too long."""
        if self.window is None:
            return None
        whole = self.window.whole
        return whole.make() if whole.terms <= _MOST else None

    def weighs(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether the density at y is the value: 2 times the noise at 0 times the shape."""
        if self.known_weight(y) is not None:
            return Answer.YES if value == 0 else Answer.NO
        total = self._over(lambda atom: _power(self.rate, abs(atom - y)))
        front, whole = exact_at_zero(self.rate, None), self._whole
        if total is None or front is None or whole is None:
            return Answer.UNKNOWN
        return (total * front[0].times(2) - whole * front[1].times(value)).is_zero()

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether the distribution function is the value."""
        if (known := self.known_below(y)) is not None:
            return Answer.YES if known == value else Answer.NO
        total, whole = self._over(lambda atom: self._below(atom, y)), self._whole
        if total is None or whole is None:
            return Answer.UNKNOWN
        return (total - whole.times(value)).is_zero()

    def _below(self, x: Fraction, y: Fraction) -> ExpSum:
        """Of an atom what lies between the low end and y, in the unit of all of 2 C(x)."""
        start, end = _power(self.rate, x - self.low), _power(self.rate, abs(y - x))
        return end - start if y <= x else ExpSum.constant(2) - start - end


def _power(rate: Rate, distance: Fraction) -> ExpSum:
    if rate.formal is None:
        raise TypeError("a rate without an exact form")
    return ExpSum.power(rate.formal.times(-distance))


class _BoundedAtPrecision(Smooth):
    """The sums over the atoms, in balls."""

    def __init__(self, law: BoundedAtoms) -> None:
        self.law, self.whole, self.rate = law, raw(1), law.rate.ball().raw
        self.weights = [(x, raw(m) / (2 * law.kept(x))) for x, m in law.prior.mass.items()]

    def _power(self, distance: Fraction) -> Raw:
        return (-self.rate * raw(distance)).exp()

    def density(self, y: Fraction) -> Raw:
        """Return the density."""
        if not self.law.low <= y <= self.law.high:
            return raw(0)
        return sum((w * self._power(abs(x - y)) for x, w in self.weights), raw(0)) * self.rate

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        known = self.law.known_below(y)
        if known is not None:
            return raw(known)
        total = raw(0)
        for x, w in self.weights:
            start, end = self._power(x - self.law.low), self._power(abs(y - x))
            total += w * (end - start if y <= x else 2 - start - end)
        return total

    def above(self, y: Fraction) -> Raw:
        """Return the mass from y on."""
        return 1 - self.below(y)
