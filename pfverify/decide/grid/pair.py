"""Two laws of several numbers, and what is known of them on their grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, log

import numpy as np

from pfverify.decide.grid.axes import (
    SAFE,
    Floats,
    GridAxis,
    Masses,
    Point,
    U,
    error_of,
    size_of,
    values_on,
)
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.decays import Decays
from pfverify.model.priors.joint import MOST_POINTS

_FLOAT_BITS = 64
_LEFT_OUT = 2e-12  # a bound of the errors of two logarithms in floats
_CHUNK = 1 << 20  # terms that are worked at together
Index = tuple[int, ...]


class GridPair:
    """P and Q over points, with independent Laplace noise on every coordinate.

    Attributes: `laws`, point -> mass; `axes`, a place for every coordinate of an atom of either;
    `long`, which axes have more than one place; `sure`, whether both laws are single points, of
    which P/Q is the largest at that of P, and no grid is needed.
    Raises InputError for a grid of more than `MOST_POINTS` points, naming the coordinate to bin.
    Source: design facts F42 and F43.
    """

    def __init__(
        self,
        laws: tuple[Masses, Masses],
        rates: Sequence[Rate],
        step: Fraction | None,
        names: Sequence[str],
    ) -> None:
        self.laws = laws
        points = [*laws[0], *laws[1]]
        self.axes = [
            GridAxis(tuple(sorted({point[k] for point in points})), rate, step)
            for k, rate in enumerate(rates)
        ]
        self.equal = laws[0] == laws[1]
        self.whole = [axis.whole for axis in self.axes]
        self.long = [k for k, axis in enumerate(self.axes) if len(axis.places) > 1]
        self.sure = len(points) == len(laws)
        if not self.sure and not self.fits:
            longest = max(range(len(rates)), key=lambda k: len(self.axes[k].places))
            raise InputError(
                f"the grid has {shorten(size_of(self.whole), 24)} points, more than {MOST_POINTS} "
                "(single points against single points have no such limit); bin the coordinate "
                f"{shorten(names[longest])!r}, which has {len(self.axes[longest].places)} values"
            )

    @property
    def fits(self) -> bool:
        """Whether the grid has few enough points to be gone through."""
        return size_of(self.whole) <= MOST_POINTS

    def point(self, index: Index) -> Point:
        """Return the point at an index of the grid, which has the long axes."""
        found = [axis.places[0] for axis in self.axes]
        for k, place in zip(self.long, index, strict=True):
            found[k] = self.axes[k].places[place]
        return tuple(found)

    # ---------------------------------------------------------------- floats

    @cached_property
    def logs(self) -> tuple[Floats, Floats]:
        """log p/q at every point of the grid, and a bound of each one's error."""
        p, q = (values_on(self.whole, law) for law in self.laws)
        safe = (p > SAFE) & (q > SAFE)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log(p) - np.log(q)
        error = np.full(found.shape, 2.1 * error_of(self.whole) + _LEFT_OUT)
        left = np.argwhere(~safe)
        if len(left):
            try:
                with np.errstate(over="ignore", invalid="ignore"):
                    found[~safe], error[~safe] = self._far(left)
            except OverflowError:
                found[~safe] = error[~safe] = np.nan
        return found, error

    def _far(self, indices: np.ndarray) -> tuple[Floats, Floats]:
        """The same at some points, by the logarithms of all terms: nothing underflows.

        A distance over its scale is off by at most 4 u of itself, and so is a sum of d of them, up
        to d u more: with the largest sum S each exponent is off by at most (5 + d) u S. The sum of
        n exponentials is off by that and (n + 4) u of itself; the logarithm of a mass, a difference
        of two, by some u of both. Of places beyond floats nothing is told.
        """
        with precision(128):
            rates = [float(self.axes[k].rate.ball().raw) for k in self.long]
        # distances of large places cancel in floats: they are taken from the lowest place, exactly
        offsets = [
            np.array([float(x - self.axes[k].places[0]) for x in self.axes[k].places])
            for k in self.long
        ]
        sums, most, size = [], np.zeros(len(indices)), 0
        for law in self.laws:
            atoms = [[self.axes[k].index[point[k]] for point in law] for k in self.long]
            weights = np.array([_log(mass) for mass in law.values()])
            size = max(size, len(weights))
            total = np.empty(len(indices))
            every = max(1, _CHUNK // len(weights))
            for start in range(0, len(indices), every):
                part = indices[start : start + every]
                exponents = np.zeros((len(part), len(weights)))
                for k, rate in enumerate(rates):
                    here = offsets[k][part[:, k]][:, None]
                    exponents += abs(here - offsets[k][atoms[k]][None, :]) * rate
                rows = slice(start, start + len(part))
                reach = sum(offset[-1] * rate for offset, rate in zip(offsets, rates, strict=True))
                most[rows] = np.maximum(most[rows], reach)
                logs = weights[None, :] - exponents
                top = logs.max(axis=1)
                total[rows] = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
            sums.append(total)
        error = 2 * (8 + len(self.axes)) * 2 * U * most + 4 * (size + 4) * U + _LEFT_OUT
        error += 8 * U * (abs(sums[0]) + abs(sums[1]))
        bits = max(
            part.bit_length()
            for law in self.laws for mass in law.values()
            for part in (mass.numerator, mass.denominator)
        )
        return sums[0] - sums[1], error + 32 * U * bits

    def about(self, *, reverse: bool) -> float:
        """Return about the largest log p/q (q/p with `reverse`); of single points a sum."""
        if not self.sure:
            logs, _ = self.logs
            return float((-logs if reverse else logs).max())
        with precision(_FLOAT_BITS):
            axes = [self.axes[k] for k in self.long]
            spans = (axis.rate.ball().raw * raw(axis.places[-1] - axis.places[0]) for axis in axes)
            return float(sum(spans, raw(0)))

    def candidates(self, *, reverse: bool) -> list[Point]:
        """Return the points at which log p/q (q/p with `reverse`) may be the largest."""
        if self.sure:
            return [next(iter(self.laws[int(reverse)]))]
        found, error = self.logs
        values = -found if reverse else found
        least = values - error
        floor = float(least[np.isfinite(least)].max(initial=-np.inf))
        # what floats do not reach is nan, and stays
        return [self.point(tuple(row)) for row in np.argwhere(~(values + error < floor)).tolist()]

    # ---------------------------------------------------------------- balls and exact sums

    @cached_property
    def weights(self) -> tuple[tuple[list[int], int], tuple[list[int], int]]:
        """The masses of both laws as integers over a total."""
        first, second = (_integers(law) for law in self.laws)
        return first, second

    @cached_property
    def _atoms(self) -> tuple[list[Index], list[Index]]:
        """The places of the atoms of both laws, by their numbers."""
        first, second = ([self._index(atom) for atom in law] for law in self.laws)
        return first, second

    def _index(self, point: Point) -> Index:
        return tuple(self.axes[k].index[point[k]] for k in self.long)

    @cached_property
    def _units(self) -> tuple[int, list[list[int]]]:
        """The places of the long axes as integers over a common denominator."""
        axes = [self.axes[k] for k in self.long]
        common = lcm(*(x.denominator for axis in axes for x in axis.places))
        return common, [[int(x * common) for x in axis.places] for axis in axes]

    def _distances(self, point: Point) -> list[list[int]]:
        """How far every place of every long axis is from a point of the grid, in units."""
        rows = zip(self._units[1], self._index(point), strict=True)
        return [[abs(x - places[k]) for x in places] for places, k in rows]

    def log_ratios(self, points: Iterable[Point]) -> list[Raw]:
        """Return log(p/q) at some points of the grid as balls at the current precision."""
        unit = raw(self._units[0])
        decays = [Decays(-self.axes[k].rate.ball().raw / unit) for k in self.long]
        laws = [
            ([(raw(weight), atom) for weight, atom in zip(weights, atoms, strict=True)], total)
            for atoms, (weights, total) in zip(self._atoms, self.weights, strict=True)
        ]
        found = []
        for point in points:
            powers = [
                known.over(row)
                for known, row in zip(decays, self._distances(point), strict=True)
            ]
            sums = []
            for weighted, total in laws:
                value = raw(0)
                for weight, atom in weighted:
                    term = weight
                    for row, k in zip(powers, atom, strict=True):
                        term = term * row[k]
                    value += term
                sums.append(value / total)
            found.append((sums[0] / sums[1]).log())
        return found

    def exact_sign(self, point: Point, epsilon: Exponent, *, reverse: bool) -> int | None:
        """Return the sign of p - e**epsilon q (q, p with `reverse`) at a point by the zero test."""
        rates = [self.axes[k].rate.formal for k in self.long]
        different = [*dict.fromkeys(rates)]
        groups = [different.index(rate) for rate in rates]
        distances, unit = self._distances(point), Fraction(1, self._units[0])
        terms: list[tuple[Exponent, Fraction]] = []
        for which, (weights, total) in enumerate(self.weights):
            sums: dict[tuple[int, ...], int] = {}  # distances along axes of one rate -> weight
            for atom, weight in zip(self._atoms[which], weights, strict=True):
                along = [0] * len(different)
                for row, group, k in zip(distances, groups, atom, strict=True):
                    along[group] += row[k]
                key = tuple(along)
                sums[key] = sums.get(key, 0) + weight
            upper = which == int(reverse)
            for lengths, weight in sums.items():
                exponent = Exponent({}) if upper else epsilon
                for rate, length in zip(different, lengths, strict=True):
                    if rate is None and length:
                        return None
                    if rate is not None:
                        exponent = exponent + rate.times(-length * unit)
                terms.append((exponent, Fraction(weight if upper else -weight, total)))
        return ExpSum.collect(terms).sign()


def _integers(law: Masses) -> tuple[list[int], int]:
    whole = lcm(*(mass.denominator for mass in law.values()))
    return [int(mass * whole) for mass in law.values()], whole


def _log(mass: Fraction) -> float:
    """The logarithm of a mass, however small: off by a few units of the last place."""
    return log(mass.numerator) - log(mass.denominator)
