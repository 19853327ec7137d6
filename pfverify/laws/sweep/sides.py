"""Sums over the atoms on either side of an atom, of two priors with a factor for either."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from pfverify.exact.ball import Raw, raw
from pfverify.laws.sweep.merged import Integers, as_list
from pfverify.laws.sweep.ring import BothSides

Factors = tuple[Raw, Raw]
Atoms: TypeAlias = "Integers | list[int]"
"""Indices of atoms, of those of both priors."""


class SideSums(ABC):
    """The sums at the precision at which they were made."""

    @property
    @abstractmethod
    def cumulative(self) -> Sequence[Sequence[int | Raw] | Integers]:
        """The weights of either prior, added up to every atom."""

    @abstractmethod
    def beside(self, atoms: Atoms, factors: Factors, side: int) -> list[Raw]:
        """Return the sums over the points before atoms (`side` -1) or behind (1), and there."""

    def left(self, atoms: Atoms, factors: Factors) -> list[Raw]:
        """Return the sums over the points before atoms and there."""
        return self.beside(atoms, factors, -1)

    def right(self, atoms: Atoms, factors: Factors) -> list[Raw]:
        """Return the sums over the points behind atoms and there."""
        return self.beside(atoms, factors, 1)

    def around(self, atoms: list[int], factors: Factors) -> Iterator[tuple[Raw, Raw, Raw]]:
        """Yield the measure of the atoms up to each, its left sum, and the right sum of the next.

        -1 is before all atoms.
        """
        end = len(self.cumulative[0]) - 1
        left = self.left([max(k, 0) for k in atoms], factors)
        right = self.right([min(k + 1, end) for k in atoms], factors)
        for k, before, behind in zip(atoms, left, right, strict=True):
            measure = raw(0)
            if k >= 0:
                for factor, weights in zip(factors, self.cumulative, strict=True):
                    weight = weights[k]
                    measure += factor * (weight if isinstance(weight, Raw) else int(weight))
            yield measure, before if k >= 0 else raw(0), behind if k < end else raw(0)


class BallSides(SideSums):
    """The sums at all atoms, whatever they are, one by one."""

    def __init__(self, weights: Sequence[Sequence[int | Raw]], decays: Sequence[Raw]) -> None:
        """Take the weights of both priors at every atom, and the decays between neighbours."""
        self._weights, self._decays = weights, decays
        self._sums = [BothSides.of(column, decays) for column in weights]

    @cached_property
    def cumulative(self) -> list[list[int | Raw]]:
        """The weights of either prior, added up to every atom."""
        return [list(accumulate(column)) for column in self._weights]

    def beside(self, atoms: Atoms, factors: Factors, side: int) -> list[Raw]:
        """Return the sums over the points before atoms (`side` -1) or behind (1), and there."""
        p, q = (sums.left if side < 0 else sums.right for sums in self._sums)
        up, down = factors
        return [p[k] * up + q[k] * down for k in as_list(atoms)]

    def signed(self, factors: Factors) -> BothSides:
        """Return the sums at all atoms."""
        every = list(range(len(self._weights[0])))
        return BothSides(self.left(every, factors), self.right(every, factors), self._decays)


def mass_below(base: Raw, left: Raw, right: Raw, s: Raw | None) -> Raw:
    """Return the mass of the outputs up to y, of a measure of mass `base` on the atoms up to y.

    `left` and `right` are its sums at y, over both sides; `s` is e**(-step rate) on a lattice, None
    on the line.
    """
    if s is None:
        return base - (left - right) / 2
    # P(N <= j step) = 1 - s**(j+1)/(1+s) for j >= 0, s**(-j)/(1+s) for j < 0
    return base - (left * s - right) / (1 + s)
