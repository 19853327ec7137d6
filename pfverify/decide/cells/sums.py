"""Masses of cells under Laplace or discrete Laplace noise, from sums over the atoms on both sides.

A cell goes from the cut a to the cut b, with tau = e**(-(b - a) rate), 0 where an end is missing.
L and R are the sums of the atoms before a and of those behind b, each with its decay to that cut.
Then kappa times the mass of the cell is

    (L + R)(1 - tau) + sum over the atoms x inside of mass ((kappa - 2) + (1 - u) + (1 - v)),

u and v the decays from x to a and to b, with kappa = 2. On a lattice a cut lies halfway between
two points, and kappa is 2 cosh(step rate/2). All terms are >= 0. kappa times what lies before a cut
is kappa times the mass of the atoms there, less L, and R.
Source: design facts F12 and F45.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.cells.line import CellLine
from pfverify.decide.exponential.pair import Pair
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, current_precision, precision, proved_float, proved_floats, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.decays import Apart, Decays, Distance
from pfverify.laws.sweep.merged import Integers
from pfverify.laws.sweep.ring import BothSides
from pfverify.laws.sweep.sides import Factors, SideSums

Floats = NDArray[np.float64]

_LIMIT = 1 << 61  # of places in arrays
_LARGEST = 1 << 1000  # totals that a float can hold
_TINY = 1e-250
_U = 2.0**-53


class FloatMasses(NamedTuple):
    """P and Q of all cells, times one factor, with a bound of their relative errors."""

    p: Floats
    q: Floats
    error: float


class CellSums:
    """Two priors of atoms, each there with a chance, whose noisy number falls into cells.

    Where there is no row the output is that of the first cell. `of` makes it.
    """

    def __init__(
        self,
        pair: Pair,
        chances: tuple[Fraction, Fraction],
        rate: Rate,
        places: tuple[Integers, Integers],
        unit: int,
    ) -> None:
        """Take the places of the atoms and those of the cuts, over a common denominator."""
        self.pair, self.chances, self.rate, self.unit = pair, chances, rate, unit
        self.points, self.cuts = places
        self.starts = _first_behind(self.points, self.cuts)
        self._sides: tuple[int, SideSums] | None = None  # at the last precision

    @classmethod
    def of(
        cls, pair: Pair, chances: tuple[Fraction, Fraction], rate: Rate, line: CellLine
    ) -> CellSums:
        """Return the sums; InputError where places do not fit in 64 bits."""
        unit = lcm(pair.denominator, line.unit)
        placed = []
        for column, denominator in ((pair.columns[0], pair.denominator), (line.cuts, line.unit)):
            ends = (abs(int(column[k])) for k in (0, -1) if len(column))
            if max(ends, default=0) * (unit // denominator) > _LIMIT:
                raise InputError("post: the atoms and the cuts have too many digits together")
            places: Integers = np.asarray(column, np.int64) * (unit // denominator)
            placed.append(places)
        return cls(pair, chances, rate, (placed[0], placed[1]), unit)

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def merged(self) -> CellSums:
        """Return the same with all cells but the first as one."""
        places = self.points, self.cuts[:1]
        return CellSums(self.pair, self.chances, self.rate, places, self.unit)

    # ---------------------------------------------------------------- at the current precision

    def steady(self) -> Raw:
        """Return kappa - 2."""
        step = self.pair.step
        if step is None:
            return raw(0)
        root = (self.rate.ball().raw * raw(step) / 4).sinh()
        return 4 * root * root

    def kappa(self) -> Raw:
        """Return kappa."""
        return 2 + self.steady()

    def _extra(self, which: int) -> Raw:
        """kappa times what no row adds to the first cell."""
        return self.kappa() * raw(1 - self.chances[which])

    def _per_place(self) -> Raw:
        return -self.rate.ball().raw / self.unit

    # ---------------------------------------------------------------- floats

    @cached_property
    def floats(self) -> FloatMasses | None:
        """kappa times the masses of all cells; None where one is too small for a float.

        The bound is that of the sums, with u = 2**-53: decays, their complements and kappa - 2 are
        proved to 2u, a mass has 3u, an addition inside a cell u for each of its atoms, and what is
        left are fewer than ten products and sums. As in `laws.sweep.lattice`.
        """
        if not all(self.chances) or max(self.pair.totals) > _LARGEST:
            return None
        with precision(64):
            sides = self._float_sides()
            decays = None if sides is None else _Decays.of(self)
            if sides is None or decays is None:
                return None
            p, q = (self._float_masses(k, *sides.of[k], decays) for k in (0, 1))
        if min(p.min(), q.min()) < _TINY:
            return None
        fullest = int(np.diff(self.starts, prepend=0, append=len(self.points)).max())
        return FloatMasses(p, q, 1.01 * (sides.error + (fullest + 24) * _U))

    def _float_sides(self) -> _FloatSides | None:
        pair, rate = self.pair, self.rate.ball().raw
        if pair.lattice is not None:
            powers = pair.lattice.powers(rate / pair.denominator)
            if powers is None:
                return None
            left, right = pair.lattice.one_sided(powers)
            return _FloatSides(list(zip(left, right, strict=True)), pair.lattice.error_bound)
        factors, found = pair.factors(rate), []
        for weights, total in zip(pair.weights, pair.totals, strict=True):
            sums = BothSides.of(weights, factors)
            up, down = (proved_floats(x / total for x in side) for side in (sums.left, sums.right))
            if up is None or down is None:
                return None
            found.append((np.array(up), np.array(down)))
        return _FloatSides(found, 2 * _U)

    def _float_masses(self, which: int, left: Floats, right: Floats, decays: _Decays) -> Floats:
        masses = np.asarray(self.pair.columns[1][which], float) / float(self.pair.totals[which])
        found = np.zeros(len(self))
        if len(self.cuts):
            found[1:] = left[decays.before] * decays.to_left
            found[:-1] += right[decays.behind] * decays.to_right
        found *= decays.inside
        found += np.bincount(decays.cells, masses * decays.own, len(self))
        if self.chances[which] != 1:
            found *= float(self.chances[which])
            found[0] += float(self._extra(which))
        return found

    # ---------------------------------------------------------------- balls

    def log_ratio(self, cell: int) -> Raw:
        """Return log(P/Q) of one cell, however far it is from either prior: both are > 0."""
        return self._mass(0, cell).log_over(self._mass(1, cell), self._per_place())

    def _mass(self, which: int, cell: int) -> Apart:
        """kappa times a mass, with the least distance taken out."""
        low, high = self._ends(cell)
        first, last = self._atoms(cell)
        unit, pair = self._per_place(), self.pair
        decays = pair.decays(self.rate.ball().raw)
        steady, total = self.steady(), pair.totals[which]
        parts: list[tuple[Distance, Raw]] = []
        width = raw(1) if low is None or high is None else -(unit * (high - low)).expm1()
        for end, order in ((low, range(first - 1, -1, -1)), (high, range(last, len(pair)))):
            found = None if end is None else pair.along(which, decays, order)
            if found is not None and end is not None:
                parts.append((abs(int(self.points[found[0]]) - end), found[1] * width / total))
        inside = raw(0)
        weights = pair.columns[1][which]
        for k in range(first, last):
            if weights[k]:
                away = [
                    raw(1) if end is None else -(unit * abs(int(self.points[k]) - end)).expm1()
                    for end in (low, high)
                ]
                inside += int(weights[k]) * (steady + away[0] + away[1])
        parts.append((0, inside / total))
        chance = raw(self.chances[which])
        parts = [(distance, part * chance) for distance, part in parts]
        if not cell:
            parts.append((0, self._extra(which)))
        return Apart.of([part for part in parts if not part[1].is_zero()], unit)

    def mass(self, which: int, cell: int) -> Raw:
        """Return the mass of one cell."""
        nearest, found = self._mass(which, cell)
        return found * (self._per_place() * raw(nearest)).exp() / self.kappa()

    def _ends(self, cell: int) -> tuple[int | None, int | None]:
        low = int(self.cuts[cell - 1]) if cell else None
        return low, int(self.cuts[cell]) if cell < len(self.cuts) else None

    def _atoms(self, cell: int) -> tuple[int, int]:
        """The atoms inside a cell: the first one, and the first one behind."""
        first = int(self.starts[cell - 1]) if cell else 0
        return first, int(self.starts[cell]) if cell < len(self.cuts) else len(self.points)

    def log_ratios(self) -> list[Raw]:
        """Return log(P/Q) of all cells."""
        unit = self._per_place()
        columns = [self._all(which, unit) for which in (0, 1)]
        return [(p / q).log() for p, q in zip(*columns, strict=True)]

    def _all(self, which: int, unit: Raw) -> list[Raw]:
        """kappa times the masses of all cells."""
        pair, total, chance = self.pair, self.pair.totals[which], raw(self.chances[which])
        sums = BothSides.of(pair.weights[which], pair.factors(-unit * self.unit))
        left, right, decays, steady = sums.left, sums.right, Decays(unit), self.steady()
        points, cuts, starts = self.points.tolist(), self.cuts.tolist(), self.starts.tolist()
        ends: list[int | None] = [None, *cuts, None]
        atoms = [0, *starts, len(points)]
        found = []
        for k in range(len(self)):
            low, high = ends[k], ends[k + 1]
            outside, inside, width = raw(0), raw(0), raw(1)
            if low is not None and atoms[k]:
                outside += left[atoms[k] - 1] * decays[low - points[atoms[k] - 1]]
            if high is not None and atoms[k + 1] < len(points):
                outside += right[atoms[k + 1]] * decays[points[atoms[k + 1]] - high]
            if low is not None and high is not None:
                width = 1 - decays[high - low]
            for i in range(atoms[k], atoms[k + 1]):
                away = steady + 2
                if low is not None:
                    away -= decays[points[i] - low]
                if high is not None:
                    away -= decays[high - points[i]]
                inside += pair.weights[which][i] * away
            found.append((outside * width + inside) * chance / total)
        if chance != 1:
            found[0] += self._extra(which)
        return found

    # ---------------------------------------------------------------- events

    def signed(self, cells: Integers, factors: Factors) -> Raw:
        """Return the sum of factor times mass, over both priors, of a set of cells, increasing."""
        total = raw(0)
        if not len(cells):
            return total
        with_rows = [factor * raw(c) for factor, c in zip(factors, self.chances, strict=True)]
        firsts, lasts = _ends_of_runs(cells)
        inner = lasts[lasts < len(self.cuts)], firsts[firsts > 0] - 1
        for sign, cuts in zip((1, -1), inner, strict=True):
            for value in self._below(cuts, (with_rows[0], with_rows[1])):
                total += sign * value
        if lasts[-1] == len(self.cuts):
            total += with_rows[0] + with_rows[1]
        if not cells[0]:
            for factor, chance in zip(factors, self.chances, strict=True):
                total += factor * raw(1 - chance)
        return total

    def _below(self, cuts: Integers, factors: Factors) -> Iterator[Raw]:
        """What lies before cuts (indices), of both priors with a factor for either."""
        unit, pair, kappa, sides = self._per_place(), self.pair, self.kappa(), self._at_precision()
        over = factors[0] / pair.totals[0], factors[1] / pair.totals[1]
        starts = self.starts[cuts]
        before, behind = np.maximum(starts - 1, 0), np.minimum(starts, len(self.points) - 1)
        decays = Decays(unit)
        for at, x, y, (value, left, right) in zip(
            self.cuts[cuts].tolist(), self.points[before].tolist(), self.points[behind].tolist(),
            sides.around((starts - 1).tolist(), over), strict=True,
        ):  # fmt: skip
            if at > x:
                value = value - left * decays[at - x] / kappa
            if y >= at:
                value = value + right * decays[y - at] / kappa
            yield value

    def _at_precision(self) -> SideSums:
        """Left and right sums at the current precision."""
        bits = current_precision()
        if self._sides is None or self._sides[0] != bits:
            fixed = self.pair.fixed_sums(self.rate)
            self._sides = bits, fixed or self.pair.ball_sides(self.rate.ball().raw)
        return self._sides[1]

    # ---------------------------------------------------------------- exact sums

    def exact(self, which: int, first: int, last: int) -> ExpSum | None:
        """Return kappa times the mass of the cells from one to another, exactly; None: it is none.
        """
        rate, step = self.rate.formal, self.pair.step
        if rate is None:
            return None
        low, high = self._ends(first)[0], self._ends(last)[1]
        begin, end = self._atoms(first)[0], self._atoms(last)[1]
        terms: list[tuple[Exponent, Fraction]] = []
        kappa = self.exact_kappa(rate, step)
        share = self.chances[which] / self.pair.totals[which]
        inside = Fraction(0)
        for k, weight in enumerate(self.pair.weights[which]):
            if not weight:
                continue
            signs = (1, -1) if k < begin else (-1, 1) if k >= end else (-1, -1)
            inside += weight * share if begin <= k < end else 0
            for sign, cut in zip(signs, (low, high), strict=True):
                if cut is not None:
                    away = Fraction(-abs(int(self.points[k]) - cut), self.unit)
                    terms.append((rate.times(away), sign * weight * share))
        if not first:
            inside += 1 - self.chances[which]
        return ExpSum.collect(terms) + kappa.times(inside)

    @staticmethod
    def exact_kappa(rate: Exponent, step: Fraction | None) -> ExpSum:
        """Return kappa."""
        if step is None:
            return ExpSum.constant(2)
        return ExpSum.power(rate.times(step / 2)) + ExpSum.power(rate.times(-step / 2))


def _first_behind(points: Integers, cuts: Integers) -> Integers:
    """The index of the first point at or behind each cut: at once, where points are regular."""
    gap = int(points[-1] - points[0]) // (len(points) - 1) if len(points) > 1 else 0
    if gap and (np.diff(points) == gap).all():
        regular: Integers = (-((points[0] - cuts) // gap)).clip(0, len(points))
        return regular
    return points.searchsorted(cuts)


def runs_of(cells: Integers) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of every run of neighbouring cells, of increasing ones."""
    firsts, lasts = _ends_of_runs(cells)
    return zip(firsts.tolist(), lasts.tolist(), strict=True)


def _ends_of_runs(cells: Integers) -> tuple[Integers, Integers]:
    breaks = np.flatnonzero(np.diff(cells) != 1)
    return cells[np.append(0, breaks + 1)], cells[np.append(breaks, len(cells) - 1)]


class _FloatSides(NamedTuple):
    """For both priors the sums up to every atom and from it on, with their relative error."""

    of: list[tuple[Floats, Floats]]
    error: float


class _Decays(NamedTuple):
    """The atoms around each cut, and their decays to it; 1 - tau of each cell; of each atom its
    cell, and (kappa - 2) + (1 - u) + (1 - v)."""

    before: Integers
    behind: Integers
    to_left: Floats
    to_right: Floats
    inside: Floats
    cells: Integers
    own: Floats

    @classmethod
    def of(cls, sums: CellSums) -> _Decays | None:
        """Return them at the current precision; None where one is not known to be near a float."""
        points, cuts, starts = sums.points, sums.cuts, sums.starts
        unit, count = sums._per_place(), len(points)
        steady = proved_float(sums.steady())
        before, behind = np.maximum(starts - 1, 0), np.minimum(starts, count - 1)
        cells = np.repeat(np.arange(len(sums)), np.diff(starts, prepend=0, append=count))
        # the first cut behind an atom, and the last before one; the atoms with a cut on a side
        first, last = starts.searchsorted([0, count - 1], "right").tolist()
        cut, uncut = (int(starts[0]), int(starts[-1])) if len(cuts) else (count, 0)

        def decay(distance: int) -> Raw:
            return (unit * distance).exp()

        def rest(distance: int) -> Raw:
            return -(unit * distance).expm1()

        found = [
            _at_distances(cuts[first:] - points[before[first:]], decay),
            _at_distances(points[behind[:last]] - cuts[:last], decay),
            _at_distances(np.diff(cuts), rest),
            _at_distances(points[cut:] - cuts[cells[cut:] - 1], rest),
            _at_distances(cuts[cells[:uncut]] - points[:uncut], rest),
        ]
        known = [x for x in found if x is not None]
        if len(known) < len(found) or steady is None:
            return None
        to_left, to_right = np.zeros(len(cuts)), np.zeros(len(cuts))
        inside, own = np.ones(len(sums)), np.full(count, steady)
        to_left[first:], to_right[:last], inside[1:-1] = known[:3]
        own[:cut] += 1
        own[cut:] += known[3]
        own[:uncut] += known[4]
        own[uncut:] += 1
        return cls(before, behind, to_left, to_right, inside, cells, own)


def _at_distances(distances: Integers, number: Callable[[int], Raw]) -> Floats | None:
    """A number at every distance, as floats that are proved; None where one is not."""
    if not len(distances):
        return np.zeros(0)
    least, most = int(distances.min()), int(distances.max())
    if most == least:
        value = proved_float(number(most))
        return None if value is None else np.full(len(distances), value)
    if most < 4 * len(distances) + 64:
        known = np.zeros(most + 1, bool)
        known[distances] = True
        different = np.flatnonzero(known)
        places = (np.cumsum(known) - 1)[distances]
    else:
        different, places = np.unique(distances, return_inverse=True)
    table = proved_floats(map(number, different.tolist()))
    return None if table is None else np.array(table)[places]
