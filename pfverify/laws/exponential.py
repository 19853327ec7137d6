"""Atoms with Laplace or discrete Laplace noise: their law from sums over both sides of an output.

Noise of rate 1/scale weighs an atom at distance d by e**(-d * rate), times its weight at 0.
Source: design facts F1 and F12.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.laws.atoms import NoisyAtoms
from pfverify.laws.law import EXACT_TERMS, NO_MASS, AtPrecision, Weight
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.decays import Apart, Decays, Distance, decayed
from pfverify.laws.sweep.merged import gaps_between
from pfverify.laws.sweep.ring import BothSides
from pfverify.laws.sweep.sides import mass_below
from pfverify.model.priors.discrete import Discrete

_ONE = ExpSum.constant(1)


def at_zero(rate: Rate, step: Fraction | None) -> Raw:
    """Return the noise at 0: 1/(2 scale), or (1-s)/(1+s) on a lattice with s = e**(-step rate)."""
    if step is None:
        return rate.ball().raw / 2
    s = (-rate.ball().raw * raw(step)).exp()
    return (1 - s) / (1 + s)


def exact_at_zero(rate: Rate, step: Fraction | None) -> tuple[ExpSum, ExpSum] | None:
    """Return the noise at 0 as a quotient of exact sums, None where there are none."""
    if step is not None:
        s = None if rate.formal is None else ExpSum.power(rate.formal.times(-step))
        return None if s is None else (_ONE - s, _ONE + s)
    if rate.scale.ratio is None:
        return None
    over, under = rate.scale.ratio
    return under, over.times(2)


class ExponentialAtoms(NoisyAtoms):
    """Atoms whose noise weighs a distance d by e**(-d rate): a density, or masses on a lattice."""

    def __init__(self, prior: Discrete, rate: Rate, step: Fraction | None) -> None:
        super().__init__(prior, step)
        self.rate = rate
        self.no_density, self.no_mass = (
            (None, NO_MASS)
            if step is None
            else ("discrete Laplace noise has masses, no density", None)
        )

    @property
    def forms(self) -> tuple[str, ...]:
        """Pieces of exponentials; on the line also normal laws, of variance 0."""
        return ("exponential", "charts") if self.step is None else ("exponential",)

    def at_precision(self) -> AtPrecision[Fraction]:
        """Return the left and right sums at the current precision."""
        return _ExponentialAtPrecision(self)

    def width(self, variance: Fraction) -> Raw:
        """Return the scale and the standard deviation together."""
        return self.rate.scale.ball().raw + raw(variance).sqrt()

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return the sum of mass * e**(-distance rate)."""
        return self._sum(y, lambda point: True)

    def _sum(self, y: Fraction, counts: Callable[[Fraction], bool]) -> ExpSum | None:
        """The sum of mass * e**(-distance rate) over the atoms that count."""
        formal = self.rate.formal
        if formal is None or self.prior.size > EXACT_TERMS:
            return None
        masses = self.prior.mass.items()
        return decayed(formal, ((abs(atom - y), mass) for atom, mass in masses if counts(atom)))

    def weighs(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether shape(y) times the noise at 0 is the value."""
        total, front = self.shape(y), exact_at_zero(self.rate, self.step)
        if total is None or front is None:
            return Answer.UNKNOWN
        top, bottom = front
        return (total * top - bottom.times(value)).is_zero()

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether the distribution function is the value: sums over both sides of y."""
        y = self.lattice_point(y)
        rest = self.atoms_below(y) - value
        left, right = self._sum(y, lambda atom: atom <= y), self._sum(y, lambda atom: atom > y)
        formal = self.rate.formal
        if left is None or right is None or formal is None:
            return Answer.UNKNOWN
        if self.step is None:
            return (ExpSum.constant(2 * rest) - left + right).is_zero()
        s = ExpSum.power(formal.times(-self.step))
        return ((_ONE + s).times(rest) - left * s + right).is_zero()


class _ExponentialAtPrecision(AtPrecision[Fraction]):
    """Left and right sums at every atom, in balls."""

    def __init__(self, law: ExponentialAtoms) -> None:
        self.law, prior = law, law.prior
        self.rate = law.rate.ball().raw
        decays = Decays(-self.rate / prior.denominator).over(gaps_between(prior.points))
        self.sums = BothSides.of(prior.weights, decays)
        self.front = at_zero(law.rate, law.step)

    def weight(self, y: Fraction) -> Weight:
        """Return the density or mass, the power of the nearest atom apart."""
        nearest, total = Apart.of(self._sides(y), -self.rate)
        return Weight(-self.rate * raw(nearest), total * self.front / self.law.prior.total)

    def _power(self, distance: Distance) -> Raw:
        return (-self.rate * raw(distance)).exp()

    def _sides(self, y: Fraction) -> list[tuple[Distance, Raw]]:
        """The distance of the atom on either side, with the sum beyond it."""
        k, law = self.law.index(y), self.law
        found: list[tuple[Distance, Raw]] = []
        if k >= 0:
            found.append((y - law.atom(k), self.sums.left[k]))
        if k + 1 < law.prior.size:
            found.append((law.atom(k + 1) - y, self.sums.right[k + 1]))
        return found

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        y = self.law.lattice_point(y)
        k, step = self.law.index(y), self.law.step
        sides = [mass * self._power(distance) for distance, mass in self._sides(y)]
        left = sides[0] if k >= 0 else raw(0)
        right = sides[-1] if k + 1 < self.law.prior.size else raw(0)
        base = raw(self.law.below_each[k] if k >= 0 else 0)
        s = None if step is None else self._power(step)
        return mass_below(base, left, right, s) / self.law.prior.total
