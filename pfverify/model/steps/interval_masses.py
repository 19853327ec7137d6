"""The exact mass that noise around an atom gives to a cell, by kinds of noise: none by default."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.channels.entries import Entry, difference, product, quotient, total
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.releases.release import Noise
from pfverify.model.steps.cells import steps_to
from pfverify.model.steps.chain import Cell
from pfverify.model.steps.places import Cut, End

_ONE, _HALF = Fraction(1), Fraction(1, 2)


class CellMasses(ABC):
    """Masses of cells under symmetric noise with exponential tails; those met before are kept.

    A place is how far out a cut lies, in units that a subclass knows. `reach`: how far the noise
    goes, None where it has no end.
    """

    reach: Fraction | None = None
    scale: Number

    def __init__(self) -> None:
        self._known: dict[object, Entry] = {}
        self._tails: dict[Fraction, Entry] = {}

    @abstractmethod
    def place(self, cut: End, atom: Fraction) -> Fraction | None:
        """Return the place of a cut, from which on N lies behind it; None: no end."""

    @abstractmethod
    def mirrored(self, place: Fraction) -> Fraction:
        """Return the place from which on -N lies where N lies before this one."""

    @abstractmethod
    def tail(self, place: Fraction) -> Entry:
        """Return the mass of N from a place >= 0 on."""

    def mass(self, cell: Cell, atom: Fraction, period: Fraction | None = None) -> Entry:
        """Return the mass of a cell when X is this atom; with all that come after periods."""
        low, high = self.place(cell.low, atom), self.place(cell.high, atom)
        if (low, high, period) not in self._known:
            if period is None or low is None or high is None:
                found = self._between(low, high)
            else:
                found = self._turned(low, high, period)
            self._known[low, high, period] = found
        return self._known[low, high, period]

    def _turned(self, low: Fraction, high: Fraction, period: Fraction) -> Entry:
        """The mass from a place to one at most a period further, and after every period again.

        From d >= 0 on a period is a factor e**(-period/scale) of the tail: a geometric series to
        either side.
        """
        around = self.place(Cut(period), Fraction(0))
        if around is None:
            raise InputError("modulo: a period without end")
        turns = low // around * around
        low, high = low - turns, high - turns
        parts = [(low, min(high, around)), *([(Fraction(0), high - around)] * (high > around))]
        more, less = list[Entry](), list[Entry]()
        for a, b in parts:
            more += [self._tail(a), self._tail(self.mirrored(b) + around)]
            less += [self._tail(b), self._tail(self.mirrored(a) + around)]
        rest = difference(_ONE, _power(period, self.scale))
        return quotient(difference(total(more), total(less)), rest)

    def _between(self, low: Fraction | None, high: Fraction | None) -> Entry:
        if low is not None and low >= 0:
            return difference(self._tail(low), self._tail(high))
        left = None if low is None else self.mirrored(low)
        if high is not None and (right := self.mirrored(high)) >= 0:
            return difference(self._tail(right), self._tail(left))
        outside = total([self._tail(left), self._tail(high)])
        return difference(_ONE, outside)

    def _tail(self, place: Fraction | None) -> Entry:
        if place is None:
            return Fraction(0)
        if place not in self._tails:
            self._tails[place] = self.tail(place)
        return self._tails[place]


def _power(distance: Fraction, scale: Number) -> Entry:
    """e**(-distance/scale)."""
    return (Number.of_rational(-distance) / scale).exp() if distance else _ONE


class OnLine(CellMasses):
    """Laplace noise: a place is a distance."""

    def __init__(self, noise: Laplace) -> None:
        super().__init__()
        self.scale = noise.stated_scale()

    def place(self, cut: End, atom: Fraction) -> Fraction | None:
        """Return the signed distance of a cut from the atom."""
        return None if cut is None else cut.at - atom

    def mirrored(self, place: Fraction) -> Fraction:
        """Return the distance on the other side."""
        return -place

    def tail(self, place: Fraction) -> Entry:
        """Return 1/2 e**(-place/scale)."""
        return product(_HALF, _power(place, self.scale))


class WithinBound(OnLine):
    """Truncated Laplace noise: a place is a distance, and none of it lies beyond the bound."""

    def __init__(self, noise: TruncatedLaplace) -> None:
        CellMasses.__init__(self)
        self.scale, self.reach = noise.stated_scale(), noise.bound
        self.end = _power(noise.bound, self.scale)
        self.twice = product(Fraction(2), difference(_ONE, self.end))

    def tail(self, place: Fraction) -> Entry:
        """Return (e**(-place/scale) - e**(-bound/scale)) / (2 (1 - e**(-bound/scale)))."""
        if self.reach is None or place >= self.reach:
            return Fraction(0)
        return quotient(difference(_power(place, self.scale), self.end), self.twice)


class OnLattice(CellMasses):
    """Discrete Laplace noise: a place is a number of steps, the first behind the cut."""

    def __init__(self, noise: DiscreteLaplace | TruncatedDiscreteLaplace) -> None:
        super().__init__()
        self.scale, self.step = noise.stated_scale(), noise.step
        self.whole = total([_ONE, _power(self.step, self.scale)])

    def place(self, cut: End, atom: Fraction) -> Fraction | None:
        """Return the number of steps to the first point behind a cut."""
        return None if cut is None else Fraction(steps_to(cut, atom, self.step))

    def mirrored(self, place: Fraction) -> Fraction:
        """Return the number of steps, the other way, to the last point before."""
        return 1 - place

    def tail(self, place: Fraction) -> Entry:
        """Return s**place/(1 + s), with s = e**(-step/scale)."""
        return quotient(_power(place * self.step, self.scale), self.whole)


class PointsWithinBound(OnLattice):
    """The same within a bound: a place is a number of steps, and none lies beyond the last."""

    def __init__(self, noise: TruncatedDiscreteLaplace) -> None:
        super().__init__(noise)
        self.reach, self.last = noise.bound, noise.reach
        self.end = _power(noise.bound + self.step, self.scale)
        self.whole = difference(self.whole, product(Fraction(2), self.end))

    def tail(self, place: Fraction) -> Entry:
        """Return (s**place - s**(n+1))/(1 + s - 2 s**(n+1)), s = e**(-step/scale)."""
        if place > self.last:
            return Fraction(0)
        return quotient(difference(_power(place * self.step, self.scale), self.end), self.whole)


MASSES: dict[type[Noise], Callable[..., CellMasses]] = {
    Laplace: OnLine, TruncatedLaplace: WithinBound, DiscreteLaplace: OnLattice,
    TruncatedDiscreteLaplace: PointsWithinBound,
}


def cell_masses(noise: Noise) -> CellMasses:
    """Return what knows the masses of cells; InputError for noise whose masses are not exact."""
    if type(noise) not in MASSES:
        raise InputError(
            f"post: steps after {noise.kind} noise are not worked out; expected laplace, "
            "truncated-laplace, discrete-laplace, truncated-discrete-laplace, a table or none"
        )
    return MASSES[type(noise)](noise)
