"""The signed measure P - e**epsilon Q - delta dx whose release must not be positive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import itemgetter

from pfverify.exact.ball import Raw, raw
from pfverify.exact.number import Number
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Component
from pfverify.model.target import Target


@dataclass(frozen=True)
class Term:
    """A normal law (an atom where `variance` is 0) with its weights in P and in Q."""

    mean: Fraction
    variance: Fraction
    p: Fraction
    q: Fraction

    def coefficient(self, factor: Raw) -> Raw:
        """Return p - factor q, factor = e**epsilon."""
        return raw(self.p) - factor * raw(self.q)


class Signed:
    """One order of one pair: P and Q as weights of common terms, epsilon, and the flat part.

    `terms` have a positive variance, `atoms` none; terms whose coefficient p - e**epsilon q is
    exactly 0 are left out. `flat` is delta where it bounds the excess of one output: a density
    that is subtracted everywhere; else None.
    """

    def __init__(
        self,
        first: Iterable[Component],
        second: Iterable[Component],
        target: Target,
        added: Fraction = Fraction(0),
    ) -> None:
        """Merge two priors; `added` is the variance of Gaussian noise (0 for any other noise)."""
        self.first, self.second = tuple(first), tuple(second)
        self.target = target
        self.added = added
        self.flat = target.delta if target.bound is Bound.EXCESS else None
        weights: dict[tuple[Fraction, Fraction], list[Fraction]] = {}
        for side, components in enumerate((self.first, self.second)):
            for part in components:
                key = (part.mean, part.variance + added)
                weights.setdefault(key, [Fraction(0), Fraction(0)])[side] += part.weight
        merged = [Term(*place, *both) for place, both in sorted(weights.items(), key=itemgetter(0))]
        kept = [term for term in merged if not self._vanishes(term)]
        self.terms = tuple(term for term in kept if term.variance > 0)
        self.atoms = tuple(term for term in kept if term.variance == 0)
        # an atom whose coefficient vanishes is still a jump of both one-sided sums
        self.places = tuple(term.mean for term in merged if term.variance == 0)

    @cached_property
    def unit(self) -> Fraction:
        """A power of two near the spread of both laws: a step for searches."""
        parts = [*self.first, *self.second]
        gap = max(part.mean for part in parts) - min(part.mean for part in parts)
        spread = max(part.variance for part in parts) + self.added
        return power_of_two_near_root(spread + gap * gap or Fraction(1))

    def _vanishes(self, term: Term) -> bool:
        """Whether p = e**epsilon q is proved (where it cannot be told, the term is kept)."""
        if not (term.p and term.q):
            return False
        ratio = Number.of_rational(term.p / term.q)
        epsilon = self.target.epsilon
        if ratio.fraction == 1 or epsilon.fraction is not None:
            # e to a rational other than 0 is irrational
            return ratio.fraction == 1 and epsilon.sign() == 0
        return (ratio.log() - epsilon).sign() == 0


def power_of_two_near_root(value: Fraction) -> Fraction:
    """Return a power of two within a factor 2 of the square root of a positive number."""
    return Fraction(2) ** (size_bits(value) // 2)


def size_bits(value: Fraction) -> int:
    """Return about the logarithm to base 2 of a positive number."""
    return value.numerator.bit_length() - value.denominator.bit_length()


def coarsened(x: Fraction, bits: int) -> Fraction:
    """Return the multiple of 2**bits that is next to a number: a short one for a search."""
    grain = Fraction(2) ** bits
    return (x / grain).__round__() * grain
