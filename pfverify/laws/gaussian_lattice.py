"""Atoms with discrete Gaussian noise: masses on a lattice.

In steps, noise of variance v has mass e**(-k**2/(2v)) / S at k, where S is the sum over all whole
numbers. Source: design fact F48.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.atoms import NoisyAtoms
from pfverify.laws.bells import Bells
from pfverify.laws.law import EXACT_TERMS, AtPrecision, Law, Weight
from pfverify.laws.outcomes import SteppedOutputs
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import KnownRow
from pfverify.model.steps.step import PostStep

_FEW = 1 << 8  # steps of the lattice in the spread of noise and atoms
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

    @property
    def outcomes(self) -> Law[Any]:
        """The points of the lattice one by one, where nearly all mass is on few."""
        reach = (self.variance + (self.prior.atoms[-1] - self.prior.atoms[0]) ** 2) / self.step**2
        return SteppedOutputs(self, Fraction(1), ()) if reach < _FEW**2 else self

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
        self.law, self._bells = law, Bells(law.variance / law.step**2)

    def weight(self, y: Fraction) -> Weight:
        """Return the mass, the power of the nearest atom apart."""
        law = self.law
        powers = [law.power(y - atom) for atom in law.prior.atoms]
        nearest, total = max(powers), raw(0)
        for power, weight in zip(powers, law.prior.weights, strict=True):
            total += weight * raw(power - nearest).exp()
        return Weight(raw(nearest), total / (self._bells.whole * law.prior.total))

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function, from the tails of the noise around every atom."""
        law, total = self.law, raw(0)
        for atom, weight in zip(law.prior.atoms, law.prior.weights, strict=True):
            total += weight * self._tails.above(-((y - atom) / law.step).__floor__())
        return total / (self._tails.whole * law.prior.total)

    @cached_property
    def _tails(self) -> Bells:
        if self._bells.reach > _MOST:
            raise InputError(
                f"noise.variance: {shorten(self.law.variance, 24)} is too large for sums over the "
                "lattice one by one"
            )
        return self._bells
