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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.exponential.filter import Ratios, float_ratios
from pfverify.decide.exponential.fixed_point import FixedSums, Integers
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.rate import Rate
from pfverify.exact.ball import (
    Raw,
    ceiling,
    current_precision,
    lower_end,
    raw,
    raw_float,
    upper_end,
)
from pfverify.model.target import Target

_FROM = 150  # atoms from which it pays
_MOST = 64  # atoms at which floats do not tell the sign, and balls are asked
_ROUNDING = 2.0**-50  # more than what rounding a growth and multiplying by it puts it off

Signs = NDArray[np.bool_]


def divergence_at_zeros(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Raw | None:
    """Enclose the hockey-stick divergence of one order at the current precision.

    None where floats do not apply: few atoms, or none on a lattice, large weights, underflow, or an
    atom where g may be 0.
    Source: design facts F4 and F12.
    """
    if len(pair) < _FROM:
        return None
    noised = pair.at_rate
    if not isinstance(noised, Noised) or noised.rate is not rate:
        noised = pair.at_rate = Noised(pair, rate)
    sums = noised.sums()
    if sums is None or noised.ratios is None:
        return None
    signed = _Signed(pair, sums, target.exp_epsilon(), reverse)
    zeros = signed.zeros(noised.ratios)
    if zeros is None:
        return None
    step = pair.noise.step
    if step is None:
        return signed.on_line(zeros)
    points = int(sums.blocks.step / (step * pair.denominator))
    return signed.on_lattice(zeros, points, -rate.ball().raw * raw(step))


class Noised:
    """A pair of priors at one rate: what all epsilons and both orders share.

    `ratios` are None where floats do not apply.
    """

    def __init__(self, pair: Pair, rate: Rate) -> None:
        self.pair, self.rate = pair, rate
        self.ratios = float_ratios(pair, rate.ball().raw)
        self._sums: dict[int, FixedSums | None] = {}

    def sums(self) -> FixedSums | None:
        """Return left and right sums at the current precision, None where they do not apply."""
        bits = current_precision()
        if bits not in self._sums:
            blocks = None if self.ratios is None else self.pair.blocks
            self._sums[bits] = None if blocks is None else FixedSums.of(blocks, self._unit)
        return self._sums[bits]

    def _unit(self) -> Raw:
        """The rate per integer point of the pair."""
        return self.rate.ball().raw / self.pair.denominator


@dataclass(frozen=True)
class _Zeros:
    """The zeros of g: after which atoms, and whether g turns positive there.

    `last`: whether g > 0 behind all atoms.
    """

    atoms: Integers
    opening: Signs
    last: bool


class _Signed:
    """The signed measure P - e**epsilon Q of one order, after the noise."""

    def __init__(self, pair: Pair, sums: FixedSums, growth: Raw, reverse: bool) -> None:
        self._pair, self._sums, self._growth, self._reverse = pair, sums, growth, reverse
        up, down = (raw(1) / total for total in pair.totals)
        self._factors = (-growth * up, down) if reverse else (up, -growth * down)

    def zeros(self, floats: Ratios) -> _Zeros | None:
        """Return the zeros of g, or None where the sign at an atom is not decided."""
        growth = float(self._growth.mid())
        if not abs(raw_float(growth) - self._growth) <= self._growth * raw_float(_ROUNDING / 4):
            return None
        margin = 2 * floats.error + _ROUNDING
        if self._reverse:
            positive = floats.ratio < (1 - margin) / growth
            negative = floats.ratio > (1 + margin) / growth
        else:
            positive = floats.ratio > growth * (1 + margin)
            negative = floats.ratio < growth * (1 - margin)
        unknown = np.flatnonzero(~(positive | negative))
        if len(unknown) > _MOST:
            return None
        for atom, value in zip(unknown.tolist(), self._at(unknown), strict=True):
            if not (value > 0 or value < 0):
                return None
            positive[atom] = value > 0
        atoms = np.flatnonzero(positive[1:] != positive[:-1])
        return _Zeros(atoms, positive[atoms + 1], bool(positive[-1]))

    def on_line(self, zeros: _Zeros) -> Raw:
        """Integrate g where it is positive."""
        total = self._measure(zeros)
        for gap, a, b in zip(*self._ends(zeros), strict=True):
            total -= (-(a * b) * self._sums.power(gap)).nonnegative_part().sqrt()
        return total

    def on_lattice(self, zeros: _Zeros, points: int, log_s: Raw) -> Raw | None:
        """Sum g over the points of the noise's lattice where it is positive.

        Steps of the atoms' lattice have `points` of them; log_s is the logarithm of s.
        """
        s = log_s.exp()
        total = self._measure(zeros)
        for gap, a, b, opening in zip(*self._ends(zeros), zeros.opening.tolist(), strict=True):
            count = gap * points
            before = 0 if count == 1 else _last_before_zero(a, b, log_s, count)
            if before is None:
                return None
            value = b * (log_s * (count - before)).exp() - a * (log_s * before).exp() * s
            total += (-value if opening else value) / (1 + s)
        return total

    def _measure(self, zeros: _Zeros) -> Raw:
        """The measure of the atoms between a zero where g turns positive and the next zero."""
        measure = raw(0)
        for factor, weights in zip(self._factors, self._sums.blocks.cumulative, strict=True):
            before, opening = weights[zeros.atoms].tolist(), zeros.opening.tolist()
            closed = int(weights[-1]) if zeros.last else 0
            signed = (-w if turn else w for w, turn in zip(before, opening, strict=True))
            measure += factor * (closed + sum(signed))
        return measure

    def _ends(self, zeros: _Zeros) -> tuple[list[int], list[Raw], list[Raw]]:
        """For each zero how long its gap is in steps, and the left and right sum at its ends."""
        places = self._sums.blocks.places
        gaps = (places[zeros.atoms + 1] - places[zeros.atoms]).tolist()
        left = self._sums.left(zeros.atoms, self._factors)
        return gaps, left, self._sums.right(zeros.atoms + 1, self._factors)

    def _at(self, atoms: Integers) -> list[Raw]:
        """The value of g at atoms, up to a positive factor."""
        left, right = self._sums.left(atoms, self._factors), self._sums.right(atoms, self._factors)
        (up, down), (first, second) = self._factors, self._pair.weights
        return [
            a + b - (first[k] * up + second[k] * down)
            for a, b, k in zip(left, right, atoms.tolist(), strict=True)
        ]


def _last_before_zero(a: Raw, b: Raw, log_s: Raw, count: int) -> int | None:
    """The last point j in a gap at which a s**j + b s**(count - j) has the sign it has at 0.

    None where it may be 0 at a point.
    """
    turn = (count + (abs(b).log() - abs(a).log()) / log_s) / 2
    if not turn.is_finite():
        return None
    first, last = ceiling(lower_end(turn)), ceiling(upper_end(turn))
    if first is None or first != last:
        return None
    return min(max(first - 1, 0), count - 1)
