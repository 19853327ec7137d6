"""One pair of discrete priors under exponential noise: merged atoms and their ball sums.

Both Laplace and discrete Laplace noise weigh an atom at distance d by e**(-d * rate), with
rate = 1/scale; the factor in front cancels in every ratio and is applied where it matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from pfverify.exact.ball import Raw, current_precision, raw, raw_float, rounded, scaled
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.decays import Apart, Decays, Distance
from pfverify.laws.sweep.merged import Integers, as_list, gaps_between, merged, placed
from pfverify.laws.sweep.sides import BallSides, Factors
from pfverify.model.priors.discrete import Discrete
from pfverify.model.target import Target

if TYPE_CHECKING:
    from pfverify.laws.sweep.fixed_point import Blocks, FixedSums
    from pfverify.laws.sweep.lattice import LatticeMasses, Ratios

_FROM = 64  # atoms from which sums in floats pay
_LARGEST = 1 << 1000  # totals that a float can hold
_NEARLY = 64  # bits up to which masses that are known nearly do
_LONG = 4  # times the precision: so many bits of a total take longer than to round the weights
_SHARE = 4  # atoms for each power of whole numbers: it takes as long as some steps of a sweep
_WHOLE = 1 << 62  # totals that 64 bits can


class Pair:
    """Two discrete priors on their merged, sorted support.

    Attributes: `points` (integers; atom = point / `denominator`), `gaps` between neighbours,
    `weights` (two lists of integers >= 0, one per prior), `totals` (mass = weight / total), of
    which `whole` is the least common multiple (mass = weight * multiple / whole, by `multiples`),
    `step`, of the lattice that outputs lie on, None on the line.
    Lists of many atoms are made when they are asked for.
    """

    def __init__(self, first: Discrete, second: Discrete, step: Fraction | None = None) -> None:
        self.priors, self.step = (first, second), step
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

    @property
    def steps(self) -> list[int]:
        """The gaps in steps of the lattice of the noise."""
        unit = (self.step or Fraction(1)) * self.denominator
        count = {gap: int(gap / unit) for gap in self.distinct_gaps}
        return [count[gap] for gap in self.gaps]

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

    def decays(self, rate: Raw) -> Decays:
        """Return decays by distance in integer points, at the current precision."""
        return Decays(-rate / self.denominator)

    def factors(self, rate: Raw) -> list[Raw]:
        """Return e**(-gap * rate) for every gap, as raw balls at the current precision."""
        return self.decays(rate).over(self.gaps)

    def ball_sides(self, rate: Raw) -> BallSides:
        """Return the sums over both sides of every atom, at the current precision."""
        return BallSides(self.rounded_weights(), self.factors(rate))

    def fixed_sums(self, rate: Rate) -> FixedSums | None:
        """Return the same for atoms on a lattice, worked out where they are asked for.

        None without `blocks`, and where a power is not known well enough.
        """
        if self.blocks is None:
            return None
        from pfverify.laws.sweep.fixed_point import FixedSums

        return FixedSums.of(self.blocks, lambda: rate.ball().raw / self.denominator)

    def float_ratios(self, rate: Raw) -> Ratios | None:
        """Return p/q at every atom in floats; None off a lattice, and where a sum is too small."""
        powers = None if self.lattice is None else self.lattice.powers(rate / self.denominator)
        return None if self.lattice is None or powers is None else self.lattice.ratios(powers)

    def whole_ratios(self, rate: Rate) -> Ratios | None:
        """Return the same by whole numbers; None too where different gaps are many."""
        if _SHARE * len(self.distinct_gaps) > len(self):
            return None
        from pfverify.laws.sweep.whole_sums import whole_ratios

        return whole_ratios(
            self.weights, self.totals, self.gaps, lambda: -rate.ball().raw / self.denominator
        )

    def units(self, target: Target, *, reverse: bool) -> Factors:
        """Return what one unit of either prior's weights is in P - e**epsilon Q of one order."""
        up, down = raw(1), -target.exp_epsilon()
        first, second = (down, up) if reverse else (up, down)
        return first / self.totals[0], second / self.totals[1]

    def log_ratio(self, index: int, rate: Raw) -> Raw:
        """Return log(p/q) at one atom, however far it is from either prior.

        The power e**(-d rate) of the nearest atom is taken out, so nothing underflows; atoms too
        far to matter at the current precision are enclosed together.
        """
        decays, here = self.decays(rate), int(self._merged.points[index])
        p, q = (self._apart(which, here, index, decays) for which in (0, 1))
        return p.log_over(q, decays.unit)

    def _apart(self, which: int, here: int, index: int, decays: Decays) -> Apart:
        """The density of one prior at an atom, up to the factor in front."""
        sides = [self.along(which, decays, way)
                 for way in (range(index, -1, -1), range(index + 1, len(self)))]  # fmt: skip
        total = self.totals[which]
        # distances from the atom itself
        placed: list[tuple[Distance, Raw]] = [
            (abs(int(self._merged.points[side[0]]) - here), side[1])
            for side in sides if side is not None
        ]  # fmt: skip
        near = Apart.of(placed, decays.unit)
        return Apart(near.distance, near.rest / total)

    def along(self, which: int, decays: Decays, order: range) -> tuple[int, Raw] | None:
        """Sum the weights of one prior along `order`: see `Decays.along`."""
        points, weights = self._merged.points, self._merged.weights[which]
        return decays.along(points, weights, order, self.totals[which])
