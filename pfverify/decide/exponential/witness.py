"""Events that refute (epsilon, delta): intervals of outputs with a certified excess."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import accumulate

from pfverify.decide.breach import Breach, Place, Span, proved
from pfverify.decide.exponential.crossings import Turn, signed_measure
from pfverify.decide.exponential.events import signed_sums
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.grid import Grid
from pfverify.exact.rising import rising
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.ring import BothSides
from pfverify.laws.sweep.sides import mass_below
from pfverify.model.target import Target

_START_BITS = 128

_Around = Callable[[list[int]], Iterator[tuple[Raw, Raw, Raw]]]
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
                zeros, last = _zeros(sums)
                measure = _Measure(pair, rate, target, partial(_at_atoms, sums))
            else:
                zeros, last = signed.turns(), signed.last
                measure = _Measure(pair, rate, target, signed.around)
            event = _positive_set(pair, rate, zeros, last, bits)
            margin = measure.of(event) - target.delta.ball().raw
        if proved(margin):
            return Breach("event-refuted", margin, event=event)
    return None


def _zeros(sums: BothSides) -> tuple[list[Turn], bool]:
    """Where p - e**epsilon q changes its sign, by midpoints, and whether it is positive behind."""
    positive = [value.mid() > 0 for value in sums.around()]
    found = [
        (k, positive[k + 1], a, b * tau)
        for k, (a, b, tau) in enumerate(sums.gaps()) if positive[k] != positive[k + 1]
    ]  # fmt: skip
    return found, positive[-1]


def _positive_set(
    pair: Pair, rate: Rate, zeros: Iterable[Turn], last: bool, bits: int
) -> list[Span]:
    """Intervals on which p - e**epsilon q is positive: a proposal."""
    step = pair.step
    start: Place = "-inf"
    pieces: list[Span] = []
    for k, opening, a, far_b in zeros:
        gap = pair.atom(k), pair.atom(k + 1)
        end = _before_zero(rate, gap, a, far_b, step, bits)
        if opening:
            start = min(end + (step or 0), gap[1])
        else:
            pieces.append((start, end))
    if last:
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
        step = pair.step
        self._s = None if step is None else (-self._inverse * raw(step)).exp()

    def of(self, event: list[Span]) -> Raw:
        """Enclose P(B) - e**epsilon Q(B) for a union of disjoint intervals."""
        ends = []
        step = self._pair.step
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
        points, denominator = self._pair.points, self._pair.denominator
        parts = self._around(atoms)
        for y, k, (base, left, right) in zip(outputs, atoms, parts, strict=True):
            position = y * denominator
            if k >= 0:
                distance = raw((position - points[k]) / denominator)
                left = left * (-distance * self._inverse).exp()
            if k + 1 < len(points):
                distance = raw((points[k + 1] - position) / denominator)
                right = right * (-distance * self._inverse).exp()
            yield mass_below(base, left, right, self._s)


def _at_atoms(sums: BothSides, atoms: list[int]) -> Iterator[tuple[Raw, Raw, Raw]]:
    """It at the atoms, from the sums at every atom; `SignedMeasure.around` knows it near zeros."""
    # jump of the signed measure at each atom, summed
    jumps = [b - a * tau for a, b, tau in zip(sums.left, sums.left[1:], sums.decays, strict=False)]
    cumulative = list(accumulate([sums.left[0], *jumps], initial=raw(0)))
    right = [*sums.right, raw(0)]
    for k in atoms:
        yield cumulative[k + 1], sums.left[k] if k >= 0 else raw(0), right[k + 1]
