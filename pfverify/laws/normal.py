"""One prior released with Gaussian noise, or as it is: the density of a mixture of normals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, erfc, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.law import EXACT_TERMS, NO_MASS, Law, Smooth
from pfverify.model.priors.prior import Component

_BOTH_KINDS = (
    "without noise (scale 0) a prior of both atoms and normal laws has neither a density nor masses"
)


class NormalLaw(Smooth):
    """The density part of X + N, N normal with a rational variance (0: no noise), in balls.

    Atoms that no noise smooths are left out: `whole` is the mass of the rest.
    Example: ``NormalLaw(Gaussian(0, variance=1).components, Fraction(1)).density(Fraction(0))``.
    """

    def __init__(self, components: Iterable[Component], added: Fraction) -> None:
        self.parts = []
        self.whole = raw(0)
        for weight, mean, variance in components:
            if variance + added > 0:
                double = 2 * raw(variance + added)
                self.parts.append((raw(mean), raw(weight), double, double.sqrt()))
                self.whole += raw(weight)

    def density(self, y: Fraction) -> Raw:
        """Return the density at y."""
        at, total, pi = raw(y), raw(0), Raw.pi()
        for mean, weight, double, _ in self.parts:
            apart = at - mean  # squared as a product: the power of a ball around 0 is nan
            total += weight * (-(apart * apart) / double).exp() / (pi * double).sqrt()
        return total

    def below(self, y: Fraction) -> Raw:
        """Return the mass up to y."""
        return self._cumulative(y, 1)

    def above(self, y: Fraction) -> Raw:
        """Return the mass from y on."""
        return self._cumulative(y, -1)

    def _cumulative(self, y: Fraction, side: int) -> Raw:
        at, total = raw(y), raw(0)
        for mean, weight, _, root in self.parts:
            total += weight * erfc((mean - at) * side / root) / 2
        return total


class _WithAtoms(NormalLaw):
    """The law without noise of normal laws and atoms: P(Y <= y) counts the atoms too."""

    def __init__(self, law: NormalMixture) -> None:
        super().__init__(law.components, law.added)
        self.law = law

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        return super().below(y) + raw(self.law.bare_mass(y))


class NormalMixture(Law[Fraction]):
    """Normal laws and atoms with normal noise of some variance, 0 for none."""

    forms = ("charts",)
    no_density: str | None = None
    no_mass: str | None = NO_MASS

    def __init__(self, components: Sequence[Component], added: Fraction) -> None:
        self.components, self.added = components, added
        self.atoms = [part for part in components if not part.variance + added]
        if self.atoms:
            self.no_density = self.no_mass = _BOTH_KINDS

    @property
    def marks(self) -> list[Fraction]:
        """The means of the components."""
        return [part.mean for part in self.components]

    def at_precision(self) -> NormalLaw:
        """Return the normal densities at the current precision."""
        return _WithAtoms(self) if self.atoms else NormalLaw(self.components, self.added)

    def width(self, variance: Fraction) -> Raw:
        """Return the standard deviation with the noise."""
        return raw(variance + self.added).sqrt()

    def bare_mass(self, y: Fraction) -> Fraction:
        """Return the mass up to y of the atoms that no noise has smoothed."""
        return sum((part.weight for part in self.atoms if part.mean <= y), Fraction(0))

    def shape(self, y: Fraction) -> ExpSum | None:
        """Return the density times sqrt(2 pi)."""
        if len(self.components) > EXACT_TERMS:
            return None
        terms = []
        for weight, mean, variance in self.components:
            total = variance + self.added
            half_log = Exponent.log(total).times(Fraction(-1, 2))
            terms.append((Exponent.rational(-((y - mean) ** 2) / total / 2) + half_log, weight))
        return ExpSum.collect(terms)

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether all normal parts cancel or lie in the middle, and the rest is the value."""
        rest, parts = self.bare_mass(y) - value, dict[Fraction, Fraction]()
        for weight, mean, variance in self.components:
            if not variance + self.added:
                continue
            # Phi(z) = 1/2 + sign(z) (Phi(|z|) - 1/2)
            rest += weight / 2
            square = (y - mean) ** 2 / (variance + self.added)
            parts[square] = parts.get(square, Fraction(0)) + (weight if y > mean else -weight)
        middle = all(not share for square, share in parts.items() if square)
        return Answer.YES if middle and not rest else Answer.UNKNOWN
