"""Normal laws and atoms with Laplace or normal noise, or without: released laws in closed form."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.charts.laplace import LaplaceLaw
from pfverify.decide.charts.measured import Law as ChartLaw
from pfverify.decide.charts.normal import NormalLaw
from pfverify.decide.rate import Rate
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.model.priors.prior import Component
from pfverify.oracle.law import EXACT_TERMS, AtPrecision, Law, Weight

_NO_MASS = "y: the released law has a density, no masses; ask for oracle.density"
_BOTH_KINDS = (
    "y: without noise (scale 0) a prior of both atoms and normal laws has neither a density nor "
    "masses; its cdf, delta, epsilon and loss are there"
)


class ReleasedMixture(Law[Fraction]):
    """A mixture whose released law has a closed form at any precision."""

    no_density: str | None = None
    no_mass: str | None = _NO_MASS

    def __init__(self, components: Sequence[Component]) -> None:
        self.components = tuple(components)

    @abstractmethod
    def law(self) -> ChartLaw:
        """Return the density part of the law at the current precision."""

    def at_precision(self) -> _MixtureAtPrecision:
        """Return the law at the current precision."""
        return _MixtureAtPrecision(self, self.law())

    def bare_mass(self, y: Fraction) -> Fraction:
        """Return the mass up to y of the atoms that no noise has smoothed."""
        del y
        return Fraction(0)


class _MixtureAtPrecision(AtPrecision[Fraction]):
    def __init__(self, mixture: ReleasedMixture, law: ChartLaw) -> None:
        self.mixture, self.law = mixture, law

    def weight(self, y: Fraction) -> Weight:
        """Return the density."""
        return Weight(raw(0), self.law.density(y))

    def below(self, y: Fraction) -> Raw:
        """Return the distribution function."""
        return self.law.below(y) + raw(self.mixture.bare_mass(y))


class LaplaceMixture(ReleasedMixture):
    """Normal laws and atoms with Laplace noise (fact F6)."""

    def __init__(self, components: Sequence[Component], rate: Rate) -> None:
        super().__init__(components)
        self.rate = rate

    def law(self) -> ChartLaw:
        """Return the closed form at the current precision."""
        return LaplaceLaw(self.components, self.rate.ball().raw)

    def around(self, y: Fraction) -> dict[tuple[Fraction, Fraction], Fraction]:
        """Return the law of |X - y| by distance and variance of the components."""
        found: dict[tuple[Fraction, Fraction], Fraction] = {}
        for weight, mean, variance in self.components:
            key = abs(mean - y), variance
            found[key] = found.get(key, Fraction(0)) + weight
        return found


class NormalMixture(ReleasedMixture):
    """Normal laws and atoms with normal noise of some variance, 0 for none."""

    def __init__(self, components: Sequence[Component], added: Fraction) -> None:
        super().__init__(components)
        self.added = added
        self.atoms = [part for part in self.components if not part.variance + added]
        if self.atoms:
            self.no_density = self.no_mass = _BOTH_KINDS

    def law(self) -> ChartLaw:
        """Return the normal densities at the current precision."""
        return NormalLaw(self.components, self.added)

    def bare_mass(self, y: Fraction) -> Fraction:
        """Return the mass of the atoms up to y."""
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
