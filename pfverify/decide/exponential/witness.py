"""Events that refute (epsilon, delta): intervals of outputs with a certified excess."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction

from pfverify.decide.exponential.events import SignedSums, signed_sums
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.outcome import Witness
from pfverify.decide.rate import Rate
from pfverify.exact.ball import Raw, precision, raw
from pfverify.exact.decimals import decimal_step, decimal_text, margin_text
from pfverify.exact.rising import rising
from pfverify.model.target import Target

_START_BITS = 128


def event_witness(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Witness | None:
    """Return an event whose excess over delta is certified, for a refuted order.

    The event is where p > e**epsilon q, its ends rounded to short decimals; the margin is then
    computed for exactly that event. Ends are "-inf", "inf" or exact numbers as text. None where
    no margin is proved at the last precision.
    """
    for bits in rising(_START_BITS):
        with precision(bits):
            sums = signed_sums(pair, rate, target, reverse)
            event = _positive_set(pair, rate, sums, bits)
            gap = _probability_gap(pair, rate, target, sums, event) - target.delta.ball().raw
            text = margin_text(gap)
        if text is not None:
            ends = [[_end_text(low), _end_text(high)] for low, high in event]
            return Witness(margin=text, event=ends)
    return None


def _end_text(end: Fraction | str) -> str:
    return end if isinstance(end, str) else decimal_text(end)


def _positive_set(
    pair: Pair, rate: Rate, sums: SignedSums, bits: int
) -> list[tuple[Fraction | str, Fraction | str]]:
    """Intervals on which p - e**epsilon q is positive by midpoints: a proposal."""
    left, right, factors = sums.left, sums.right, sums.factors
    inverse = rate.ball().raw
    step = pair.noise.step
    pieces: list[tuple[Fraction | str, Fraction | str]] = []
    if right[0].mid() > 0:
        pieces.append(("-inf", pair.atom(0) if step is None else pair.atom(0) - step))
    for k, (a, b, tau) in enumerate(zip(left, right[1:], factors, strict=False)):
        low, high = pair.atom(k), pair.atom(k + 1)
        at_low, at_high = (a + b * tau).mid() > 0, (a * tau + b).mid() > 0
        if at_low and at_high:
            # g = a u + b tau/u with a, b > 0 or monotone: positive throughout
            pieces.append((low, high))
        elif at_low or at_high:
            turn = (((a / -(b * tau)).log()) / inverse / 2).mid()
            offset = _rounded(turn, high - low, bits)
            end = min(max(low + offset, low), high)
            if step is not None:
                end = low + ((end - low) / step).__floor__() * step
                pieces.append((low, end) if at_low else (min(end + step, high), high))
            else:
                pieces.append((low, end) if at_low else (end, high))
    if left[-1].mid() > 0:
        pieces.append((pair.atom(len(pair) - 1), "inf"))
    return _merged(pieces, step)


def _rounded(value: Raw, width: Fraction, bits: int) -> Fraction:
    """Round a proposal to a short decimal relative to the width of its gap."""
    grid = decimal_step(width, max(12, bits // 8))
    scaled = (value / raw(grid) + raw(Fraction(1, 2))).mid().floor().unique_fmpz()
    if scaled is None:  # far beyond any gap: the caller clips it
        return width if value > 0 else Fraction(0)
    return int(scaled) * grid


def _merged(
    pieces: list[tuple[Fraction | str, Fraction | str]], step: Fraction | None
) -> list[tuple[Fraction | str, Fraction | str]]:
    merged: list[tuple[Fraction | str, Fraction | str]] = []
    for low, high in pieces:
        if merged and isinstance(merged[-1][1], Fraction) and isinstance(low, Fraction):
            reach = merged[-1][1] + (step or 0)
            if low <= reach:
                merged[-1] = (merged[-1][0], high)
                continue
        merged.append((low, high))
    return merged


def _probability_gap(
    pair: Pair,
    rate: Rate,
    target: Target,
    sums: SignedSums,
    event: list[tuple[Fraction | str, Fraction | str]],
) -> Raw:
    """Enclose P(B) - e**epsilon Q(B) for a union of disjoint intervals."""
    total = raw(0)
    measure = _LineMeasure(pair, rate, target, sums)
    step = pair.noise.step
    for low, high in event:
        if step is not None and isinstance(low, Fraction):
            low = low - step  # closed lattice intervals: cumulative sums up to the point before
        total += measure.below(high) - measure.below(low)
    return total


class _LineMeasure:
    """Cumulative mass of P - e**epsilon Q after the noise, from the signed sums."""

    def __init__(self, pair: Pair, rate: Rate, target: Target, sums: SignedSums) -> None:
        self.pair = pair
        self.inverse = rate.ball().raw
        self.sums = sums
        self.whole = 1 - target.exp_epsilon()
        # jump of the signed measure at each atom, summed
        total = raw(0)
        self.cumulative: list[Raw] = []
        previous = None
        for k, value in enumerate(sums.left):
            jump = value if previous is None else value - previous * sums.factors[k - 1]
            total = total + jump
            self.cumulative.append(total)
            previous = value
        step = pair.noise.step
        self.s = None if step is None else (-self.inverse * raw(step)).exp()

    def below(self, y: Fraction | str) -> Raw:
        """Mass of outputs <= y."""
        if y == "-inf":
            return raw(0)
        if y == "inf":
            return self.whole
        position = Fraction(y) * self.pair.denominator
        k = bisect_right(self.pair.points, position) - 1
        left = right = raw(0)
        if k >= 0:
            distance = raw((position - self.pair.points[k]) / self.pair.denominator)
            left = self.sums.left[k] * (-distance * self.inverse).exp()
        if k + 1 < len(self.pair):
            distance = raw((self.pair.points[k + 1] - position) / self.pair.denominator)
            right = self.sums.right[k + 1] * (-distance * self.inverse).exp()
        base = self.cumulative[k] if k >= 0 else raw(0)
        if self.s is None:
            return base - left / 2 + right / 2
        # lattice: P(N <= j step) = 1 - s**(j+1)/(1+s) for j >= 0, s**(-j)/(1+s) for j < 0
        return base - left * self.s / (1 + self.s) + right / (1 + self.s)
