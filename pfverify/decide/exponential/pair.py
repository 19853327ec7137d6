"""One pair of discrete priors under exponential noise: merged atoms and their ball sums.

Both Laplace and discrete Laplace noise weigh an atom at distance d by e**(-d * rate), with
rate = 1/scale; the factor in front cancels in every ratio and is applied where it matters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from pfverify.exact.ball import Raw, current_precision, raw, raw_float, rounded, scaled
from pfverify.laws.sweep.merged import Integers, as_list, gaps_between, merged, placed
from pfverify.model.priors.discrete import Discrete
from pfverify.model.releases.release import Noise

if TYPE_CHECKING:
    from pfverify.laws.sweep.fixed_point import Blocks
    from pfverify.laws.sweep.lattice import LatticeMasses

_FROM = 64  # atoms from which sums in floats pay
_LARGEST = 1 << 1000  # totals that a float can hold
_NEARLY = 64  # bits up to which masses that are known nearly do
_LONG = 4  # times the precision: so many bits of a total take longer than to round the weights
_WHOLE = 1 << 62  # totals that 64 bits can


class Pair:
    """Two discrete priors on their merged, sorted support.

    Attributes: `points` (integers; atom = point / `denominator`), `gaps` between neighbours,
    `weights` (two lists of integers >= 0, one per prior), `totals` (mass = weight / total), of
    which `whole` is the least common multiple (mass = weight * multiple / whole, by `multiples`).
    Lists of many atoms are made when they are asked for.
    """

    def __init__(self, first: Discrete, second: Discrete, noise: Noise) -> None:
        self.priors = (first, second)
        self.noise = noise
        self.denominator = lcm(first.denominator, second.denominator)
        self._merged = merged(first, second, self.denominator)
        self.totals = (first.total, second.total)
        self.whole = lcm(first.total, second.total)
        self.multiples = (self.whole // first.total, self.whole // second.total)
        self.equal = first == second
        self.at_rate: object = None  # what is known of it at the last rate

    def __len__(self) -> int:
        return len(self._merged.points)

    @cached_property
    def points(self) -> list[int]:
        """The merged support, times the denominator."""
        return as_list(self._merged.points)

    @cached_property
    def weights(self) -> tuple[list[int], list[int]]:
        """The weights of both priors on the merged support."""
        first, second = self._merged.weights
        return as_list(first), as_list(second)

    def rounded_weights(self) -> tuple[Sequence[int | Raw], Sequence[int | Raw]]:
        """Return the weights, as balls where they are far longer than the current precision."""
        if max(self.totals).bit_length() < _LONG * current_precision():
            return self.weights
        return self._rounded(0), self._rounded(1)

    def _rounded(self, which: int) -> Sequence[int | Raw]:
        """The weights of one prior as balls, by masses that are known nearly where that does."""
        prior = self.priors[which]
        nearly = prior.nearly if current_precision() <= _NEARLY else None
        if nearly is None:
            return rounded(self.weights[which])
        factor = self.denominator // prior.denominator
        points = [point * factor for point in prior.points]
        error = raw_float(nearly.error)
        balls = scaled(nearly.integers, nearly.exponents, error, prior.total)
        return placed(points, balls, self.points)

    @property
    def columns(self) -> tuple[Integers | list[int], tuple[Integers | list[int], ...]]:
        """The merged support and both weights as they are kept, in arrays or lists."""
        return self._merged.points, self._merged.weights

    @cached_property
    def gaps(self) -> list[int]:
        """The distances of neighbouring points."""
        return gaps_between(self.points)

    def atom(self, index: int) -> Fraction:
        """Return the atom at this index of the merged support."""
        return Fraction(int(self._merged.points[index]), self.denominator)

    @cached_property
    def lattice(self) -> LatticeMasses | None:
        """The lattice that the atoms lie on; None where it is far larger than they are many.

        Neither is there one for few atoms, or for totals that no float can hold.
        """
        if len(self) < _FROM or max(self.totals) > _LARGEST:
            return None
        from pfverify.laws.sweep.lattice import LatticeMasses

        return LatticeMasses.of(self._merged, self.totals)

    @cached_property
    def blocks(self) -> Blocks | None:
        """The whole weights on that lattice; None without one, and where sums are too large."""
        if self.lattice is None or max(self.totals) > _WHOLE:
            return None
        import numpy as np

        from pfverify.laws.sweep.fixed_point import Blocks

        places = np.arange(self.lattice.size)[self.lattice.places]
        weights = [np.array(column, np.int64) for column in self._merged.weights]
        return Blocks(places, self.lattice.step, weights)

    @property
    def distinct_gaps(self) -> list[int]:
        """The different gaps between neighbouring points."""
        return self._merged.distinct_gaps

    def factors(self, rate: Raw) -> list[Raw]:
        """Return e**(-gap * rate) for every gap, as raw balls at the current precision."""
        unit = -rate / self.denominator
        table = {gap: (unit * gap).exp() for gap in self.distinct_gaps}
        return [table[gap] for gap in self.gaps]

    def log_ratio(self, index: int, rate: Raw) -> Raw:
        """Return log(p/q) at one atom, however far it is from either prior.

        The power e**(-d rate) of the nearest atom is taken out, so nothing underflows; atoms too
        far to matter at the current precision are enclosed together.
        """
        near, logs = [], []
        powers = GapPowers(-rate / self.denominator)
        for which in (0, 1):
            ways = range(index, -1, -1), range(index + 1, len(self))
            sides = [self.side(which, powers, way) for way in ways]
            # distances from the atom itself
            here = self._merged.points[index]
            placed = [
                (int(abs(self._merged.points[side[0]] - here)), side[1])
                for side in sides if side is not None
            ]  # fmt: skip
            nearest = min(distance for distance, _ in placed)
            total = raw(0)
            for distance, mass in placed:
                total += mass * (-rate * (distance - nearest) / self.denominator).exp()
            near.append(nearest)
            logs.append((total / self.totals[which]).log())
        return rate * (near[1] - near[0]) / self.denominator + logs[0] - logs[1]

    def side(self, which: int, powers: GapPowers, order: range) -> tuple[int, Raw] | None:
        """Sum the weights along `order`, relative to the first point that has weight.

        Returns its index and the sum; None where no point has weight. Points so far that all of
        them together are negligible are enclosed by one ball.
        """
        points, weights = self._merged.points, self._merged.weights[which]
        start = next((k for k in order if weights[k]), None)
        if start is None:
            return None
        last, rest = powers.reach(points, start, order.step, self.totals[which])
        near = slice(min(start, last), max(start, last) + 1)  # no more of arrays than that
        column, terms = as_list(points[near]), as_list(weights[near])
        if order.step > 0:
            column, terms = column[::-1], terms[::-1]
        total = raw(terms[0])
        for gap, term in zip(gaps_between(column), terms[1:], strict=True):
            total = total * powers[abs(gap)] + term
        return start, total if rest is None else total + rest


class GapPowers(dict[int, Raw]):
    """e**(gap * unit) by gap, worked out when first asked for (unit < 0, per integer point)."""

    def __init__(self, unit: Raw) -> None:
        self.unit = unit
        self.bits = current_precision()

    def __missing__(self, gap: int) -> Raw:
        value = (self.unit * gap).exp()
        self[gap] = value
        return value

    def reach(
        self, points: Integers | list[int], start: int, step: int, whole: int
    ) -> tuple[int, Raw | None]:
        """Return the last point worth summing, and a ball for everything beyond it.

        The choice is by floats; the ball is right for any choice: what lies beyond a distance d
        is at most whole * e**(d * unit).
        """
        end = len(points) - 1 if step > 0 else 0
        try:
            distance = (self.bits + 8 + whole.bit_length()) * 0.6931471805599453 / -float(
                self.unit.mid()
            )
            far = int(points[start]) + step * int(distance)
        except (OverflowError, ValueError, ZeroDivisionError):
            return end, None
        last = min(bisect_left(points, far), end) if step > 0 else max(bisect_left(points, far), 0)
        if last == end:
            return end, None
        beyond = abs(int(points[last + step]) - int(points[start]))
        return last, ((self.unit * beyond).exp() * whole).union(raw(0))
