"""Events that refute (epsilon, delta): intervals of outputs with a certified excess."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from pfverify.decide.breach import Breach, Place, Span, proved
from pfverify.decide.exponential.crossings import SignedMeasure, signed_measure
from pfverify.decide.exponential.events import SignedSums, signed_sums
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.laws.exponential import mass_below
from pfverify.laws.rate import Rate
from pfverify.model.target import Target

if TYPE_CHECKING:
    from pfverify.laws.sweep.fixed_point import Integers

_START_BITS = 128

_Around: TypeAlias = "Callable[[Integers], Iterator[tuple[Raw, Raw, Raw]]]"
"""Atoms (-1 is before all) -> the measure of those up to each, its left sum, the next one's right.
"""


def event_breach(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Breach | None:
    """Return an event whose excess over delta is certified, for a refuted order.

    The event is where p > e**epsilon q, its ends rounded to short decimals; the margin is then
    computed for exactly that event. None where no margin is proved at the last precision.
    """
    for bits in rising(_START_BITS):
        with precision(bits):
            signed = signed_measure(pair, rate, target, reverse)
            if signed is None:
                sums = signed_sums(pair, rate, target, reverse)
                event = _positive_set(pair, rate, sums, bits)
                measure = _Measure(pair, rate, target, partial(_at_atoms, sums))
            else:
                event = _between_zeros(pair, rate, signed, bits)
                measure = _Measure(pair, rate, target, signed.around)
            margin = measure.of(event) - target.delta.ball().raw
        if proved(margin):
            return Breach("event-refuted", margin, event=event)
    return None


def _positive_set(pair: Pair, rate: Rate, sums: SignedSums, bits: int) -> list[Span]:
    """Intervals on which p - e**epsilon q is positive by midpoints: a proposal."""
    left, right, factors = sums.left, sums.right, sums.factors
    step = pair.noise.step
    pieces: list[Span] = []
    if right[0].mid() > 0:
        pieces.append(("-inf", pair.atom(0) - (step or 0)))
    for k, (a, b, tau) in enumerate(zip(left, right[1:], factors, strict=False)):
        gap = pair.atom(k), pair.atom(k + 1)
        at_low, at_high = (a + b * tau).mid() > 0, (a * tau + b).mid() > 0
        if at_low and at_high:
            # g = a u + b tau/u with a, b > 0 or monotone: positive throughout
            pieces.append(gap)
        elif at_low:
            pieces.append((gap[0], _before_zero(rate, gap, a, b * tau, step, bits)))
        elif at_high:
            end = _before_zero(rate, gap, a, b * tau, step, bits)
            pieces.append((min(end + (step or 0), gap[1]), gap[1]))
    if left[-1].mid() > 0:
        pieces.append((pair.atom(len(pair) - 1), "inf"))
    return _merged(pieces, step)


def _between_zeros(pair: Pair, rate: Rate, signed: SignedMeasure, bits: int) -> list[Span]:
    """The same intervals, from the zeros."""
    step = pair.noise.step
    start: Place = "-inf"
    pieces: list[Span] = []
    zeros = zip(signed.zeros.tolist(), signed.opening, signed.at_zeros(), strict=True)
    for k, opening, (steps, a, b) in zeros:
        gap = pair.atom(k), pair.atom(k + 1)
        end = _before_zero(rate, gap, a, b * signed.power(steps), step, bits)
        if opening:
            start = min(end + (step or 0), gap[1])
        else:
            pieces.append((start, end))
    if signed.last:
        pieces.append((start, "inf"))
    return _merged(pieces, step)


def _before_zero(
    rate: Rate,
    gap: tuple[Fraction, Fraction],
    a: Raw,
    far_b: Raw,
    step: Fraction | None,
    bits: int,
) -> Fraction:
    """The zero in a gap, rounded; on the lattice the last point before it."""
    low, high = gap
    turn = ((a / -far_b).log() / rate.ball().raw / 2).mid()
    end = min(max(low + _rounded(turn, high - low, bits), low), high)
    return end if step is None else low + ((end - low) / step).__floor__() * step


def _rounded(value: Raw, width: Fraction, bits: int) -> Fraction:
    """Round a proposal to a short decimal relative to the width of its gap."""
    grid = Grid(max(12, bits // 8)).step(width)
    scaled = (value / raw(grid) + raw(Fraction(1, 2))).mid().floor().unique_fmpz()
    if scaled is None:  # far beyond any gap: the caller clips it
        return width if value > 0 else Fraction(0)
    return int(scaled) * grid


def _merged(pieces: list[Span], step: Fraction | None) -> list[Span]:
    merged: list[Span] = []
    for low, high in pieces:
        if merged and isinstance(merged[-1][1], Fraction) and isinstance(low, Fraction):
            reach = merged[-1][1] + (step or 0)
            if low <= reach:
                merged[-1] = (merged[-1][0], high)
                continue
        merged.append((low, high))
    return merged


class _Measure:
    """P - e**epsilon Q after the noise, from what is known of it at atoms."""

    def __init__(self, pair: Pair, rate: Rate, target: Target, around: _Around) -> None:
        self._pair, self._around = pair, around
        self._inverse = rate.ball().raw
        self._whole = 1 - target.exp_epsilon()
        step = pair.noise.step
        self._s = None if step is None else (-self._inverse * raw(step)).exp()

    def of(self, event: list[Span]) -> Raw:
        """Enclose P(B) - e**epsilon Q(B) for a union of disjoint intervals."""
        ends = []
        step = self._pair.noise.step
        for low, high in event:
            if step is not None and isinstance(low, Fraction):
                low = low - step  # closed lattice intervals: sums up to the point before
            ends += [high, low]
        inner = [end for end in ends if isinstance(end, Fraction)]
        atoms = [bisect_right(self._pair.points, y * self._pair.denominator) - 1 for y in inner]
        below = dict(zip(inner, self._below(inner, atoms), strict=True))
        total = raw(0)
        for high, low in zip(ends[::2], ends[1::2], strict=True):
            total += self._whole if isinstance(high, str) else below[high]
            total -= raw(0) if isinstance(low, str) else below[low]
        return total

    def _below(self, outputs: list[Fraction], atoms: list[int]) -> Iterator[Raw]:
        """Masses of the outputs <= y; `atoms` are the last ones <= y."""
        import numpy as np

        points, denominator = self._pair.points, self._pair.denominator
        parts = self._around(np.array(atoms, np.int64))
        for y, k, (base, left, right) in zip(outputs, atoms, parts, strict=True):
            position = y * denominator
            if k >= 0:
                distance = raw((position - points[k]) / denominator)
                left = left * (-distance * self._inverse).exp()
            if k + 1 < len(points):
                distance = raw((points[k + 1] - position) / denominator)
                right = right * (-distance * self._inverse).exp()
            yield mass_below(base, left, right, self._s)


def _at_atoms(sums: SignedSums, atoms: Integers) -> Iterator[tuple[Raw, Raw, Raw]]:
    """It at the atoms, from the sums at every atom; `SignedMeasure.around` knows it near zeros."""
    # jump of the signed measure at each atom, summed
    total = raw(0)
    cumulative: list[Raw] = []
    previous = None
    for k, value in enumerate(sums.left):
        jump = value if previous is None else value - previous * sums.factors[k - 1]
        total = total + jump
        cumulative.append(total)
        previous = value
    right = [*sums.right, raw(0)]
    for k in atoms.tolist():
        before = (cumulative[k], sums.left[k]) if k >= 0 else (raw(0), raw(0))
        yield (*before, right[k + 1])
