"""Atoms with discrete Gaussian noise: masses on a lattice.

In steps, noise of variance v has mass e**(-k**2/(2v)) / S at k, where S is the sum over all whole
numbers. By Poisson's formula S is also sqrt(2 pi v) times the sum of e**(-2 pi**2 v k**2): of the
two the one that falls fast is summed. Source: design fact F48.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, current_precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.atoms import NoisyAtoms
from pfverify.laws.law import EXACT_TERMS, AtPrecision, Weight
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import KnownRow
from pfverify.model.steps.step import PostStep

_MOST = 1_000_000  # points of the noise, of which a distribution function sums the tails


class GaussianAtoms(NoisyAtoms):
    """Atoms whose noise weighs a distance d by e**(-d**2/(2 variance)), on a lattice."""

    forms = ("gaussian-lattice",)
    no_density, no_mass = "discrete Gaussian noise has masses, no density", None
    step: Fraction
    steps: tuple[PostStep, ...] = ()

    def __init__(self, prior: Discrete, variance: Fraction, step: Fraction) -> None:
        super().__init__(prior, step)
        self.variance = variance

    @property
    def row(self) -> KnownRow:
        """The atoms: there is a row."""
        return KnownRow(self.prior, Fraction(1))

    def at_precision(self) -> _GaussianAtPrecision:
        """Return the masses at the current precision."""
        return _GaussianAtPrecision(self)

    def width(self, variance: Fraction) -> Raw:
        """Return the standard deviation with about that of the noise."""
        return raw(variance + self.variance).sqrt()

    def power(self, distance: Fraction) -> Fraction:
        """Return the exponent of the weight at a distance."""
        return -distance * distance / (2 * self.variance)

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return the mass times the sum S."""
        if self.prior.size > EXACT_TERMS:
            return None
        return ExpSum.collect(
            (Exponent.rational(self.power(y - atom)), mass)
            for atom, mass in self.prior.mass.items()
        )


class _GaussianAtPrecision(AtPrecision[Fraction]):
    """Masses, and tails of the noise once they are asked for."""

    def __init__(self, law: GaussianAtoms) -> None:
        self.law, self.bits = law, current_precision()
        self.unit = law.power(law.step)
        self.whole = whole_sum(law.variance / law.step**2)

    def weight(self, y: Fraction) -> Weight:
        """Return the mass, the power of the nearest atom apart."""
        law = self.law
        powers = [law.power(y - atom) for atom in law.prior.atoms]
        nearest, total = max(powers), raw(0)
        for power, weight in zip(powers, law.prior.weights, strict=True):
            total += weight * raw(power - nearest).exp()
        return Weight(raw(nearest), total / (self.whole * law.prior.total))

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function, from the tails of the noise around every atom."""
        law, total = self.law, raw(0)
        for atom, weight in zip(law.prior.atoms, law.prior.weights, strict=True):
            k = ((y - atom) / law.step).__floor__()
            # N <= k: in the lower tail, or not in the upper one
            total += weight * (self._tail(-k) if k < 0 else self.whole - self._tail(k + 1))
        return total / (self.whole * law.prior.total)

    def _tail(self, start: int) -> Raw:
        """S times P(N >= start), start >= 1."""
        return self._tails[start] if start < len(self._tails) else self._far(start)

    @cached_property
    def _tails(self) -> list[Raw]:
        last = isqrt(ceil(self.bits / -self.unit)) + 2
        if last > _MOST:
            raise InputError(
                f"noise.variance: {shorten(self.law.variance, 24)} is too large for sums over the "
                "lattice one by one"
            )
        found = [self._far(last)]
        for k in range(last - 1, 0, -1):
            found.append(found[-1] + self._bell(k))
        found.append(self.whole)  # in the place of all from 0 on, which is not asked for
        return found[::-1]

    def _bell(self, k: int) -> Raw:
        return (raw(self.unit) * k * k).exp()

    def _far(self, start: int) -> Raw:
        """The same tail, far out: bells until a geometric sum bounds the rest to all digits."""
        count = isqrt(start * start + ceil(self.bits / -self.unit)) - start + 1
        first, ratio = raw(self.unit) * start * start, (raw(self.unit) * 2 * (start + count)).exp()
        total = raw(0)
        for k in range(start, start + count):
            total += (raw(self.unit) * k * k - first).exp()
        rest = (raw(self.unit) * (start + count) ** 2 - first).exp() / (1 - ratio)
        return first.exp() * (total + rest.union(raw(0)))


def whole_sum(variance: Fraction) -> Raw:
    """Enclose S, the sum of e**(-k**2/(2 variance)) over all whole numbers."""
    if variance * 6 < 1:
        fall, front = raw(1 / (2 * variance)), raw(1)
    else:
        fall = 2 * Raw.pi() ** 2 * raw(variance)
        front = (2 * Raw.pi() * raw(variance)).sqrt()
    last, total = isqrt(current_precision()), raw(1)  # e**-3 per square at least
    for k in range(1, last + 1):
        total += 2 * (-fall * k * k).exp()
    rest = 2 * (-fall * (last + 1) ** 2).exp() / (1 - (-fall * (2 * last + 3)).exp())
    return front * (total + rest.union(raw(0)))
