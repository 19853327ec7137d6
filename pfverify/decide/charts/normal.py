"""One prior released with Gaussian noise, or as it is: the density of a mixture of normals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pfverify.exact.ball import Raw, erfc, raw
from pfverify.model.priors.prior import Component


class NormalLaw:
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
