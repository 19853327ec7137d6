"""The masses of cells under (discrete, or truncated) Laplace noise around an atom, for `outputs`.

With s = e^(-step rho) and N on the lattice P(N >= j step) = s^j/(1+s) for j >= 0; on the line
P(N >= d) = e^(-d rho)/2 for d >= 0.  A period L further out each is e^(-L rho) times as large, so
that what comes again after every period sums up to these over 1 - e^(-L rho).  Noise that is
truncated at A has P(N >= d) = (e^(-d rho) - e^(-A rho)) / (2 (1 - e^(-A rho))) up to there, and all
cells are single.
"""

from __future__ import annotations

from fractions import Fraction

from core.grammar import Malformed
from core.kinds import Mass
from core.quotients import quotient
from core.work import spend
from core.zero import NIL, Sum, add, multiply
from reader.cells import Stretch, count
from reader.noise import Noise
from reader.steps import ONE, End

NOTHING = Fraction(0)


class Around:
    """The noise around an atom: the masses of stretches of the line."""

    def __init__(self, noise: Noise) -> None:
        self.noise, self.step = noise, noise.step
        self.end: Sum = {} if noise.bound is None else self._power(noise.bound)
        self.whole = add({NIL: ONE}, self._power(self.step) if self.step else {NIL: ONE})
        self.whole = add(self.whole, self.end, Fraction(-2))
        self.flip = 0 if self.step is None else 1
        self.known: dict[tuple[Fraction | None, Fraction | None], Mass] = {}

    def _power(self, distance: Fraction) -> Sum:
        """e^(-distance/scale)."""
        return {self.noise.decay(distance): ONE}

    def of(self, cell: Stretch, atom: Fraction, period: Fraction | None = None) -> Mass:
        """The mass of a cell when X is the atom, with what comes after every period again."""
        if period is not None:
            return self._turned(cell, atom, period)
        low, high = (self._place(cut, atom) for cut in (cell.low, cell.high))
        if (low, high) not in self.known:
            spend(256)
            below = self.whole if low is None else self._beyond(low)
            above = {} if high is None else self._beyond(high)
            self.known[low, high] = quotient(add(below, above, -ONE), self.whole)
        return self.known[low, high]

    def _place(self, cut: End, atom: Fraction) -> Fraction | None:
        """Distance to a cut; on the lattice how many steps to the first point behind it."""
        if cut is None:
            return None
        return cut[0] - atom if self.step is None else Fraction(count(cut, atom, self.step))

    def _beyond(self, place: Fraction) -> Sum:
        """The mass from a place on, times `whole`, which is 2 or 1 + s less that of the bound."""
        if place >= 0:
            return self._tail(place)
        return add(self.whole, self._tail(self.flip - place), -ONE)

    def _tail(self, place: Fraction) -> Sum:
        bound = self.noise.bound
        if bound is not None and place >= bound:
            return {}
        return add(self._power(place * (self.step or ONE)), self.end, -ONE)

    def _turned(self, cell: Stretch, atom: Fraction, period: Fraction) -> Mass:
        """The mass of a cell, at most a period long, with what comes after every period again."""
        low, high = (self._place(cut, atom) for cut in (cell.low, cell.high))
        if low is None or high is None or self.noise.bound is not None:
            raise Malformed("a cell without end does not come again")
        around = period / (self.step or ONE)

        def beyond(place: Fraction) -> Sum:
            """To the right from there on, less what is to the left, a period further out."""
            return add(self._tail(place), self._tail(self.flip - place + around), -ONE)

        spend(1024)
        low, high = low % around, high - low // around * around
        total = add(beyond(low), beyond(high - around if high > around else high), -ONE)
        if high > around:
            total = add(total, add(beyond(NOTHING), beyond(around), -ONE))
        return quotient(total, multiply(self.whole, add({NIL: ONE}, self._power(period), -ONE)))
