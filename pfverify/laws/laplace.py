"""One prior of normal laws and atoms released with Laplace noise, in closed form (F6, F7).

With rho = 1/b, L(y) = sum over x <= y of e**(rho x) and R(y) = sum over x > y of e**(-rho x), both
weighed by the prior: the density of the release is (e**(-rho y) L + e**(rho y) R) / (2b).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pfverify.exact.ball import Raw, erfc, raw
from pfverify.laws.law import NO_MASS, Law, Smooth
from pfverify.laws.rate import Rate
from pfverify.model.priors.prior import Component


class Sums(NamedTuple):
    """One-sided sums of one prior at one output."""

    left: Raw
    right: Raw


class _Normal(NamedTuple):
    mean: Raw
    weight: Raw
    rising: Raw  # weight/2 e**(m rho + v rho**2/2)
    falling: Raw  # weight/2 e**(-m rho + v rho**2/2)
    shift: Raw  # v rho
    root: Raw  # sqrt(2 v)


class LaplaceLaw(Smooth):
    """The law of X + N for one prior at the current precision; every number is a ball.

    Parameters: the components of the prior, rho = 1/b as a ball.
    Example: ``LaplaceLaw(Gaussian(0, variance=1).components, raw(1)).density(Fraction(0))``.
    Source: design facts F6 and F7.
    """

    def __init__(self, components: Iterable[Component], rho: Raw) -> None:
        self.rho = rho
        self.normals: list[_Normal] = []
        self.atoms: list[tuple[Fraction, Raw, Raw, Raw]] = []
        for weight, mean, variance in components:
            m, w = raw(mean), raw(weight)
            if variance == 0:
                self.atoms.append((mean, w, w * (rho * m).exp(), w * (-rho * m).exp()))
                continue
            v = raw(variance)
            spread = v * rho * rho / 2
            self.normals.append(
                _Normal(
                    m,
                    w,
                    w * (m * rho + spread).exp() / 2,
                    w * (spread - m * rho).exp() / 2,
                    v * rho,
                    (2 * v).sqrt(),
                )
            )
        self._zero = raw(0)
        self.whole = raw(1)

    def left(self, y: Fraction, *, before: bool = False) -> Raw:
        """Return L at y; with `before` its limit from the left (an atom at y is in R)."""
        total, at = self._zero, raw(y)
        for part in self.normals:
            total += part.rising * erfc((part.shift - (at - part.mean)) / part.root)
        for x, _, rising, _ in self.atoms:
            if x < y or (x == y and not before):
                total += rising
        return total

    def right(self, y: Fraction, *, before: bool = False) -> Raw:
        """Return R at y; with `before` its limit from the left (an atom at y is in R)."""
        total, at = self._zero, raw(y)
        for part in self.normals:
            total += part.falling * erfc((part.shift + (at - part.mean)) / part.root)
        for x, _, _, falling in self.atoms:
            if x > y or (x == y and before):
                total += falling
        return total

    def transform(self, side: int) -> Raw:
        """Return E e**(side X / b), the limit of 2b e**(|y|/b) density in that tail (F7)."""
        total = self._zero
        for part in self.normals:
            total += 2 * (part.rising if side > 0 else part.falling)
        for _, _, rising, falling in self.atoms:
            total += rising if side > 0 else falling
        return total

    def sides(self, y: Fraction) -> Sums:
        """Return e**(-rho y) L and e**(rho y) R at y: what lies on either side of y, decayed."""
        grow = (self.rho * raw(y)).exp()
        return Sums(self.left(y) / grow, self.right(y) * grow)

    def density(self, y: Fraction) -> Raw:
        """Return the density of X + N at y."""
        sides = self.sides(y)
        return (sides.left + sides.right) * self.rho / 2

    def below(self, y: Fraction) -> Raw:
        """Return P(X + N <= y)."""
        return self.beside(y, 1, self.sides(y))

    def above(self, y: Fraction) -> Raw:
        """Return P(X + N >= y), with relative precision far out in the right tail."""
        return self.beside(y, -1, self.sides(y))

    def beside(self, y: Fraction, side: int, sides: Sums) -> Raw:
        """Return the mass up to y (`side` 1) or from y on (-1), from what `sides` says of y."""
        left, right = sides
        at, total = raw(y), self._zero
        for part in self.normals:
            total += part.weight * erfc((part.mean - at) * side / part.root) / 2
        for x, weight, _, _ in self.atoms:
            # x = y belongs to L in both directions: its half lies on either side
            if (x <= y) if side > 0 else (x > y):
                total += weight
        return total - side * (left - right) / 2


class LaplaceMixture(Law[Fraction]):
    """Normal laws and atoms with Laplace noise (fact F6)."""

    forms = ("charts",)
    no_density = None
    no_mass = NO_MASS

    def __init__(self, components: Sequence[Component], rate: Rate) -> None:
        self.components, self.rate = components, rate

    @property
    def marks(self) -> list[Fraction]:
        """The means of the components."""
        return [part.mean for part in self.components]

    def at_precision(self) -> LaplaceLaw:
        """Return the closed form at the current precision."""
        return LaplaceLaw(self.components, self.rate.ball().raw)

    def width(self, variance: Fraction) -> Raw:
        """Return the scale and the standard deviation together."""
        return self.rate.scale.ball().raw + raw(variance).sqrt()

    def around(self, y: Fraction) -> dict[tuple[Fraction, Fraction], Fraction]:
        """Return the law of |X - y| by distance and variance of the components."""
        found: dict[tuple[Fraction, Fraction], Fraction] = {}
        for weight, mean, variance in self.components:
            key = abs(mean - y), variance
            found[key] = found.get(key, Fraction(0)) + weight
        return found
