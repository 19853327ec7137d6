"""Atoms in order, and laws of them with noise: on the line, or on a lattice through them."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from pfverify.laws.law import Law
from pfverify.model.priors.discrete import Discrete


class AtomsInOrder:
    """The atoms of a prior, in order, with their sums."""

    prior: Discrete

    @cached_property
    def below_each(self) -> list[int]:
        """The weights of the atoms up to each."""
        return list(accumulate(self.prior.weights))

    def atom(self, index: int) -> Fraction:
        """Return the atom of this index."""
        return Fraction(self.prior.points[index], self.prior.denominator)

    def index(self, y: Fraction) -> int:
        """Return the index of the last atom <= y; -1 where there is none."""
        return bisect_right(self.prior.points, y * self.prior.denominator) - 1

    def atoms_below(self, y: Fraction) -> Fraction:
        """Return the mass of the atoms <= y, without noise."""
        k = self.index(y)
        return Fraction(self.below_each[k] if k >= 0 else 0, self.prior.total)


class NoisyAtoms(AtomsInOrder, Law[Fraction]):
    """Atoms with noise; `step`: of the lattice through them, None for a density on the line."""

    def __init__(self, prior: Discrete, step: Fraction | None) -> None:
        self.prior, self.step = prior, step

    @property
    def marks(self) -> list[Fraction]:
        """The atoms."""
        return list(self.prior.atoms)

    def lattice_point(self, y: Fraction) -> Fraction:
        """Return the largest output <= y."""
        if self.step is None:
            return y
        origin = self.atom(0)
        return origin + ((y - origin) / self.step).__floor__() * self.step

    def known_weight(self, y: Fraction) -> Fraction | None:
        """Return 0 off the lattice."""
        return Fraction(0) if self.lattice_point(y) != y else None
