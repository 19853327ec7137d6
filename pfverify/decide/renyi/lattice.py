"""Atoms with discrete Gaussian noise: R as a sum over the lattice (design fact F117).

Up to a factor that both laws share, a mass is a sum of bells around atoms. Behind a place p is at
most what its last atom makes of it there, and q at least its own last one: the integrand is a bell
around a m + (1-a) n, for these atoms m and n, whose terms fall faster than a geometric series. What
steps join is no more than its points (F90).
Of order 1 the term is p log(p/q), at least p - q and at most p^2/q (F118).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from pfverify.decide.comparison import Orders
from pfverify.decide.gaussian_lattice.compared import GaussianLattice
from pfverify.decide.gaussian_lattice.compared import compared as lattice_compared
from pfverify.decide.gaussian_lattice.laws import LatticePair
from pfverify.decide.renyi.both import both
from pfverify.decide.renyi.compared import of_events
from pfverify.decide.renyi.moment import RenyiMoment, integrand, power
from pfverify.exact.ball import Raw, current_precision, raw, upper_end
from pfverify.laws.forms import LatticeRuns
from pfverify.laws.gaussian_lattice import GaussianAtoms
from pfverify.model.target import Target

_GUARD = 16  # bits that what is left out is smaller than what is asked for
_MOST = 1 << 20  # points times atoms
_LONG = "the noise spreads over too many points of the lattice to sum over, for this order"


def compared(
    first: GaussianAtoms | LatticeRuns, second: GaussianAtoms | LatticeRuns, target: Target
) -> Orders:
    """Return both orders of two laws of atoms with noise of one variance, and steps after it."""
    pure = lattice_compared(first, second, of_events(target))
    one, other = pure
    if not (isinstance(one, GaussianLattice) and isinstance(other, GaussianLattice)):
        raise TypeError("expected the comparison of masses on a lattice")
    pairs = one.pair, other.pair
    return both(pure, lambda turned, order: OfLattice(pairs[turned], order), target)


class OfLattice(RenyiMoment):
    """Of two laws on the points of a lattice, or what steps make of these."""

    most_bits = 1 << 11

    def __init__(self, pair: LatticePair, order: Fraction) -> None:
        self.pair, self.order = pair, order
        hidden = pair.suppressed
        bare = hidden is not None and pair.has_mass(hidden, 0) and not pair.has_mass(hidden, 1)
        # each point has some of p: of all but what is suppressed it is infinite without q
        all_hidden = hidden is not None and hidden[:2] == (None, None)
        self.infinite = bare or bool(pair.p and not pair.q and not all_hidden)

    @property
    def why(self) -> str:
        """Why it may stay unknown."""
        return _LONG if self._too_long else super().why

    @property
    def _outer(self) -> Fraction:
        """The order that bounds tails: 2 for that of order 1."""
        return self.order if self.order > 1 else Fraction(2)

    @cached_property
    def _centres(self) -> tuple[Fraction, Fraction]:
        """Around which places the integrand falls, to the left and to the right."""
        if not (self.pair.p and self.pair.q):
            none = Fraction(0)
            return none, none
        a, (p, q) = self._outer, (self.pair.p, self.pair.q)
        return a * min(p) + (1 - a) * min(q), a * max(p) + (1 - a) * max(q)

    def _window(self) -> tuple[int, int]:
        """The first and the last point that is looked at."""
        atoms, (left, right) = self.pair.atoms, self._centres
        reach = self.pair.reach(current_precision() + _GUARD)
        return min(atoms[0], floor(left)) - reach, max(atoms[-1], ceil(right)) + reach

    @property
    def _too_long(self) -> bool:
        if not self.pair.atoms:
            return False
        low, high = self._window()
        return (high - low) * len(self.pair.atoms) > _MOST

    def ball(self) -> Raw:
        """Return the sum over outputs, and the tails, over all weight of the noise."""
        if self._too_long:
            return raw(1) / raw(0)
        pair, total = self.pair, raw(0)
        low, high = self._window() if pair.atoms else (0, -1)
        outputs = pair.outputs(low, high) if pair.atoms else []
        if pair.suppressed is not None and pair.suppressed not in outputs:
            outputs.append(pair.suppressed)
        for output in outputs:
            if pair.has_mass(output, 0):
                p, q = pair.masses(output)
                total += integrand(p, q, self.order)
        if pair.p:
            for end, way in ((low - 1, -1), (high + 1, 1)):
                total += self._beyond(end, way)
        return total / pair.bells.whole

    def _beyond(self, end: int, way: int) -> Raw:
        """What the sum over a point and all beyond it is within: of order 1 at least -q."""
        most = raw(0).union(upper_end(self._tail(end, way)))
        if self.order > 1:
            return most
        apart = abs(end - (max if way > 0 else min)(self.pair.q))
        fall = (-raw(apart) / raw(self.pair.variance)).exp()
        return most.union(-upper_end(self.pair.at(end)[1] / (1 - fall)))

    def _tail(self, end: int, way: int) -> Raw:
        """At most the sum over a point and all beyond it."""
        pair, pick = self.pair, max if way > 0 else min
        last = pick(pair.q)
        p, _ = pair.at(end)
        least = raw(pair.q[last]) * pair.bells.weight(end - last)
        beyond = way * (end - self._centres[way > 0])
        here = least * power(p / least, self._outer)
        return here / (1 - (-raw(beyond) / raw(pair.variance)).exp())
