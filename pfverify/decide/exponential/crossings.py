"""The hockey-stick divergence of many atoms, from the zeros of g = p - e**epsilon q alone.

Floats with a proved error bound tell the sign of g at every atom; balls at those where they do not.
In a gap g has at most one zero (F4), so there is one exactly where the signs at its ends differ.
The divergence is the measure of where g > 0: the distribution function of P - e**epsilon Q after
the noise, at each zero where g turns negative, less that at each where it turns positive. With the
left and right sums a, b at the ends of the gap, tau across it, and the measure C of the atoms up to
it, this function is C - sqrt(-a b tau), or C + sqrt(-a b tau) where g turns positive: at the zero
both exponential parts of g have the same size. On the lattice (F12) it is taken at the last point
before the sign changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Raw, current_precision, float_near, raw
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.positive import before_zero
from pfverify.laws.sweep.sides import BallSides, mass_below
from pfverify.model.target import Target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pfverify.laws.sweep.fixed_point import FixedSums
    from pfverify.laws.sweep.lattice import Ratios
    from pfverify.laws.sweep.merged import Integers
    from pfverify.laws.sweep.sides import Factors

_FROM = 150  # atoms from which it pays
_MOST = 64  # atoms at which floats do not tell the sign, and balls are asked
_ROUNDING = 2.0**-50  # more than what rounding a growth and multiplying by it puts it off

Signs: TypeAlias = "NDArray[np.bool_]"
Turn = tuple[int, bool, Raw, Raw]
"""A zero: the atom before it, whether g turns positive there, and the left and right sums of its
gap, both at that atom.
"""


def divergence_at_zeros(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Raw | None:
    """Enclose the hockey-stick divergence of one order at the current precision.

    None where `signed_measure` is, or where g may be 0 at a point of the lattice.
    Source: design facts F4 and F12.
    """
    signed = signed_measure(pair, rate, target, reverse)
    if signed is None:
        return None
    return signed.on_line() if pair.step is None else signed.on_lattice(pair.step)


def signed_measure(pair: Pair, rate: Rate, target: Target, reverse: bool) -> SignedMeasure | None:
    """Return P - e**epsilon Q of one order after the noise, at the current precision.

    None where floats do not apply: few atoms, or none on a lattice, large weights, underflow, or an
    atom where g may be 0.
    Source: design facts F4 and F12.
    """
    if len(pair) < _FROM:
        return None
    noised = Noised.of(pair, rate)
    sums = noised.sums()
    if sums is None or noised.ratios is None:
        return None
    factors = pair.units(target, reverse=reverse)
    positive = _positive(pair, sums, factors, noised.ratios, target.exp_epsilon(), reverse)
    return None if positive is None else SignedMeasure(pair, rate, sums, factors, positive)


class Noised:
    """A pair of priors at one rate: what all epsilons and both orders share.

    `ratios` are None where floats do not apply.
    """

    def __init__(self, pair: Pair, rate: Rate) -> None:
        self.pair, self.rate = pair, rate
        self._sums: dict[int, FixedSums | None] = {}
        self._sides: tuple[int, BallSides] | None = None

    @classmethod
    def of(cls, pair: Pair, rate: Rate) -> Noised:
        """Return what is known of a pair at a rate: that of its last one is kept."""
        if not isinstance(pair.at_rate, Noised) or pair.at_rate.rate is not rate:
            pair.at_rate = Noised(pair, rate)
        return pair.at_rate

    @cached_property
    def ratios(self) -> Ratios | None:
        """The ratios p/q at the atoms, in floats."""
        return self.pair.float_ratios(self.rate.ball().raw)

    def sides(self) -> BallSides:
        """Return left and right sums of both priors at all atoms, at the current precision."""
        bits = current_precision()
        if self._sides is None or self._sides[0] != bits:
            self._sides = bits, self.pair.ball_sides(self.rate.ball().raw)
        return self._sides[1]

    def sums(self) -> FixedSums | None:
        """Return left and right sums at the current precision, None where they do not apply."""
        bits = current_precision()
        if bits not in self._sums:
            known = None if self.ratios is None else self.pair.fixed_sums(self.rate)
            self._sums[bits] = known
        return self._sums[bits]


def _positive(
    pair: Pair, sums: FixedSums, factors: Factors, floats: Ratios, growth: Raw, reverse: bool
) -> Signs | None:
    """Whether g > 0 at every atom, None where it may be 0 at one."""
    import numpy as np

    near = float_near(growth)
    if near is None:
        return None
    margin = 2 * floats.error + _ROUNDING
    if reverse:
        positive = floats.ratio < (1 - margin) / near
        negative = floats.ratio > (1 + margin) / near
    else:
        positive = floats.ratio > near * (1 + margin)
        negative = floats.ratio < near * (1 - margin)
    unknown = np.flatnonzero(~(positive | negative))
    if len(unknown) > _MOST:
        return None
    left, right = sums.left(unknown, factors), sums.right(unknown, factors)
    for atom, before, behind in zip(unknown.tolist(), left, right, strict=True):
        own = [
            weights[atom] * factor for weights, factor in zip(pair.weights, factors, strict=True)
        ]
        value = before + behind - own[0] - own[1]
        if not (value > 0 or value < 0):
            return None
        positive[atom] = value > 0
    return positive


class SignedMeasure:
    """The measure P - e**epsilon Q of one order, after the noise: its density is g.

    Attributes: `zeros`, the atoms after which g changes its sign before the next one; `opening`,
    whether it turns positive there; `last`, whether g > 0 behind all atoms.
    """

    def __init__(
        self, pair: Pair, rate: Rate, sums: FixedSums, factors: Factors, positive: Signs
    ) -> None:
        import numpy as np

        self._pair, self._rate, self._sums, self._factors = pair, rate, sums, factors
        self.zeros: Integers = np.flatnonzero(positive[1:] != positive[:-1])
        self.opening = positive[self.zeros + 1].tolist()
        self.last = bool(positive[-1])

    def at_zeros(self) -> Iterator[tuple[int, Raw, Raw]]:
        """Yield for each zero how long its gap is, in steps, and the sums a, b at its ends."""
        places = self._sums.blocks.places
        gaps = (places[self.zeros + 1] - places[self.zeros]).tolist()
        left = self._sums.left(self.zeros, self._factors)
        return zip(gaps, left, self._sums.right(self.zeros + 1, self._factors), strict=True)

    def turns(self) -> list[Turn]:
        """Return the zeros."""
        return [
            (k, opening, a, b * self._sums.power(gap))
            for k, opening, (gap, a, b) in zip(
                self.zeros.tolist(), self.opening, self.at_zeros(), strict=True
            )
        ]

    def around(self, atoms: list[int]) -> Iterator[tuple[Raw, Raw, Raw]]:
        """Yield the measure of the atoms up to each, and the sums beside it: `SideSums.around`."""
        return self._sums.around(atoms, self._factors)

    def on_line(self) -> Raw:
        """Integrate g where it is positive."""
        total = self._between_zeros()
        for gap, a, b in self.at_zeros():
            total -= (-(a * b) * self._sums.power(gap)).nonnegative_part().sqrt()
        return total

    def on_lattice(self, step: Fraction) -> Raw | None:
        """Sum g over the multiples of a step where it is positive; None where it may be 0."""
        points = int(self._sums.blocks.step / (step * self._pair.denominator))
        log_s = -self._rate.ball().raw * raw(step)
        s = log_s.exp()
        total = self._between_zeros()
        for (gap, a, b), opening in zip(self.at_zeros(), self.opening, strict=True):
            count = gap * points
            ends = (0, 0) if count == 1 else before_zero(a, b, log_s, count)
            if ends is None or ends[0] != ends[1]:
                return None
            before = ends[0]
            a, b = a * (log_s * before).exp(), b * (log_s * (count - before)).exp()
            value = mass_below(raw(0), a, b, s)
            total += -value if opening else value
        return total

    def _between_zeros(self) -> Raw:
        """The measure of the atoms between a zero where g turns positive and the next zero."""
        measure = raw(0)
        for factor, weights in zip(self._factors, self._sums.blocks.cumulative, strict=True):
            before = weights[self.zeros].tolist()
            closed = int(weights[-1]) if self.last else 0
            signed = (-w if turn else w for w, turn in zip(before, self.opening, strict=True))
            measure += factor * (closed + sum(signed))
        return measure
