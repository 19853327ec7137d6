"""The outputs of a part in cells: single ones, and intervals in which the loss changes little.

Cells only propose: a label is any function of the outputs. What they weigh is enclosed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite, log
from typing import Any

from pfverify.exact.ball import Raw, dyadic, fraction_of, precision, raw
from pfverify.laws.kept import KeptLaw
from pfverify.laws.law import AtPrecision, Law
from pfverify.laws.outcomes import SteppedOutputs

End = Fraction | None
MOST_OUTPUTS = 1 << 16
_ROUGH = 48  # intervals of a first look
_FEW = 3  # targets in an interval so short that its loss is about linear
_PLACES = 30  # binary ones of a cut in its interval
_NARROW = Fraction(1, 1 << 64)  # between two places, where a density jumps
_OUTWARD = 16  # doublings of a distance, where a loss may still be smaller
_ROOT_BITS, _ROOT_PLACES, _HALVINGS, _SECANTS = 192, 52, 12, 8


@dataclass(frozen=True)
class OutputCell:
    """A single output, by its name or number, or the numbers of an interval (low, high]."""

    output: Any = None
    low: End = None
    high: End = None


class Weighed:
    """A law at a precision: the masses of cells, and distribution functions that are kept."""

    def __init__(self, law: Law[Any], bits: int) -> None:
        self.law, self.bits = law, bits
        self.kept = law if isinstance(law, KeptLaw) else None
        self.noisy = law.noisy if isinstance(law, KeptLaw) else law
        with precision(bits):
            self.whole: AtPrecision[Any] = law.at_precision()
            self.line: AtPrecision[Any] | None = (
                None if self.noisy is None else self.noisy.at_precision()
            )
            self.chance = raw(law.chance) if isinstance(law, KeptLaw) else raw(1)
        self._below: dict[Fraction, Raw] = {}

    def below(self, y: Fraction) -> Raw:
        """Return the mass up to y of the number with noise, at the current precision."""
        if self.line is None or self.noisy is None:
            return raw(0)
        if y not in self._below:
            known = self.noisy.known_below(y)
            self._below[y] = self.line.below(y) if known is None else raw(known)
        return self._below[y]

    def mass(self, cell: OutputCell) -> Raw:
        """Return the mass of a cell at the current precision, which is that of the law."""
        if cell.output is not None:
            return self.whole.value(cell.output)
        if self.line is None:
            return raw(0)
        low = raw(0) if cell.low is None else self.below(cell.low)
        high = raw(1) if cell.high is None else self.below(cell.high)
        return self.chance * (high - low)

    def log(self, y: Fraction) -> float:
        """Return about the logarithm of the density or the mass at y."""
        if self.line is None:
            return -inf
        with precision(64):
            found = self.line.weight(y).log()
        return float(found.mid()) if found.is_finite() else -inf


Targets = Sequence[float]
"""Losses, in order, at which the line is to be cut."""


class Partition:
    """Cells of the outputs of two laws, cut at given losses as well as floats find these."""

    def __init__(self, first: Law[Any], second: Law[Any]) -> None:
        self.laws = first, second
        self.rough = Weighed(first, 160), Weighed(second, 160)

    @property
    def counted(self) -> list[OutputCell] | None:
        """All outputs where they can be counted; None where there are intervals."""
        if any(law.size is None for law in self.laws):
            return None
        found: dict[object, OutputCell] = {}
        for law in self.laws:
            for y in law.outputs:  # the first listed of a law may begin elsewhere than in another
                name = y.output if isinstance(law, SteppedOutputs) else y
                found.setdefault(name, OutputCell(y))
        return list(found.values())

    @property
    def _inside(self) -> list[Fraction]:
        """A number inside each output that steps make of an interval of a line, in order."""
        found = set[Fraction]()
        for law in self.laws:
            if not isinstance(law, SteppedOutputs) or law.on_lattice:
                return []
            for cell in law.outputs:
                low, high = cell.limits
                if low is not None and high is not None:
                    found.add((low + high) / 2)
                elif low is not None or high is not None:
                    found.add((high or Fraction(0)) - 1 if low is None else low + 1)
        return sorted(found)

    def loss(self, y: Fraction) -> float:
        """Return about the loss at y."""
        p, q = (law.log(y) for law in self.rough)
        if p == q:
            return 0.0
        return p - q

    @cached_property
    def places(self) -> list[tuple[Fraction, float]]:
        """The turns of the densities, places between them and far out, with their losses."""
        return [(y, self.loss(y)) for y in self._places]

    def cuts(self, targets: Targets) -> list[Fraction]:
        """Return where to cut the line: at turns, and where the loss is about one of the targets.
        """
        found: list[Fraction] = []
        for (low, at_low), (high, at_high) in pairwise(self.places):
            found.append(low)
            self._split(low, high, at_low, at_high, targets, found)
        return [*found, self.places[-1][0]]

    def _split(
        self, low: Fraction, high: Fraction, at_low: float, at_high: float, targets: Targets,
        found: list[Fraction],
    ) -> None:  # fmt: skip
        start = bisect_right(targets, min(at_low, at_high))
        within = targets[start : bisect_left(targets, max(at_low, at_high))]
        if not within or not isfinite(at_high - at_low):
            return
        step = self.laws[0].step
        if step is None and len(within) <= _FEW:
            slope = (high - low) / Fraction(at_high - at_low)
            inside = [low + (Fraction(t) - Fraction(at_low)) * slope for t in within]
            fine = _dyadic(high - low)
            found += sorted({(y / fine).__floor__() * fine for y in inside} - {low, high})
            return
        middle = self._middle(low, high)
        if middle is None:
            return
        at = self.loss(middle)
        self._split(low, middle, at_low, at, targets, found)
        found.append(middle)
        self._split(middle, high, at, at_high, targets, found)

    def _middle(self, low: Fraction, high: Fraction) -> Fraction | None:
        """A place between two, of few digits; on a lattice one of its points."""
        step = self.laws[0].step
        if step is None:
            return (low + high) / 2 if high - low > _NARROW else None
        apart = (high - low) / step
        return None if apart < 2 else low + (apart // 2) * step

    @property
    def _places(self) -> list[Fraction]:
        """The turns of the densities, with places between them and far out."""
        marks = sorted({y for law in self.laws for y in _turns(law)})
        step = self.laws[0].step
        unit = max(Fraction(1, 1 << 20), marks[-1] - marks[0]) if step is None else step
        ends = []
        for end, side in ((marks[0], -1), (marks[-1], 1)):
            reach = unit
            while self._outside(end + side * reach, side):
                reach *= 2
            ends.append(end + side * reach)
        low, high = ends
        if step is None:
            more = [low + (high - low) * k / _ROUGH for k in range(_ROUGH + 1)]
        else:
            count = (high - low) / step
            more = [low + (count * k // _ROUGH) * step for k in range(_ROUGH + 1)]
        return sorted({*marks, *more})

    def _outside(self, y: Fraction, side: int) -> bool:
        """Whether more than next to nothing is beyond y, and the loss still changes there."""
        for law in self.rough:
            if law.line is None:
                continue
            with precision(law.bits):
                beyond = law.below(y) if side < 0 else 1 - law.below(y)
                if beyond > raw(Fraction(1, 10**35)):
                    return True
        return False

    def fine(self, targets: Targets) -> tuple[list[OutputCell], list[Fraction]]:
        """Return cells between targets of the loss, and the cuts between intervals."""
        counted = self.counted
        if counted is not None:
            return counted, self._inside
        cuts = self.cuts(targets)
        kept = self.rough[0].kept
        if kept is None:
            return _intervals(cuts), cuts
        cells: list[OutputCell] = [OutputCell(part.output) for part in kept.singles]
        used: list[Fraction] = []
        for part in kept.parts:
            if part.output is None:
                inside = [
                    y for y in cuts
                    if (part.low is None or y > part.low) and (part.high is None or y < part.high)
                ]  # fmt: skip
                cells += _intervals(inside, part.low, part.high)
                used += inside
        return cells, used


def _turns(law: Law[Any]) -> Sequence[Fraction]:
    """Where a density turns, or atoms without noise beside one are: cut off from what is below."""
    if law.size is None:
        return law.marks
    return [place for y in law.outputs for place in (y - _NARROW, y)]


def _dyadic(length: Fraction) -> Fraction:
    """A power of 2 that is a small part of a length."""
    size = length.numerator.bit_length() - length.denominator.bit_length()
    return Fraction(2) ** (size - _PLACES)


class Roots:
    """Where the loss of two densities, one of whose sides has all larger ones, is a number."""

    def __init__(self, partition: Partition, side: int) -> None:
        self.partition, self.way = partition, 1 if side == 0 else -1
        places = [(y, self.way * loss) for y, loss in partition.places if isfinite(loss)]
        self.places = places if places[0][1] < places[-1][1] else places[::-1]

    def below(self, losses: Sequence[Fraction]) -> list[Fraction | None]:
        """Return a place for each of some losses that increase, where it is just not reached."""
        found: list[tuple[Fraction, Fraction | None]] = []
        with precision(_ROOT_BITS):
            self._laws = [law.at_precision() for law in self.partition.laws]
            for loss in losses:
                found.append((loss, self._root(loss, found[-2:])))
        return [y for _, y in found]

    def _loss(self, y: Fraction) -> Raw:
        p, q = (law.weight(y).log() for law in self._laws)
        return (p - q) * self.way

    def _root(
        self, loss: Fraction, before: Sequence[tuple[Fraction, Fraction | None]]
    ) -> Fraction | None:
        """A place by secants, from those before it or else from halving."""
        target, about = raw(loss), float(loss)
        low, high = self._around(about)
        if low is None:
            return None
        fine = _dyadic(abs(high - low)) / (1 << _ROOT_PLACES)
        y = self._secant(target, *self._line(loss, before), fine)
        if y is None:
            middle, apart = self._halved(about, low, high)
            y = self._secant(target, middle, self._slope(middle, apart), fine)
            y = middle if y is None else y
        y = (y / fine).__floor__() * fine
        for _ in range(_ROOT_PLACES):
            if self._loss(y) <= target:
                return y
            y += fine if low > high else -fine
            fine *= 4
        return low

    @staticmethod
    def _line(
        loss: Fraction, before: Sequence[tuple[Fraction, Fraction | None]]
    ) -> tuple[Fraction | None, Raw]:
        """Where the line through two places reaches a loss, and its slope; None without them."""
        known = [(at, y) for at, y in before if y is not None]
        if len(known) < 2 or known[0][1] == known[1][1]:
            return None, raw(0)
        (a, x), (b, y) = known
        slope = (b - a) / (y - x)
        return y + (loss - b) / slope, raw(slope)

    def _slope(self, y: Fraction, apart: Fraction) -> Raw:
        return (self._loss(y + apart) - self._loss(y)) / raw(apart)

    def _halved(self, loss: float, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """A place by halving, and a small part of how far the other end is."""
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (
                (middle, high) if self.way * self.partition.loss(middle) < loss else (low, middle)
            )
        return low, (high - low) / 16

    def _secant(
        self, target: Raw, y: Fraction | None, slope: Raw, fine: Fraction
    ) -> Fraction | None:
        """A place nearer to the target than is `fine`; None where the steps do not shrink."""
        if y is None:
            return None
        here = self._loss(y)
        for _ in range(_SECANTS):
            step = (target - here) / slope
            if not step.is_finite():
                return None
            further = y + _near(step)
            if abs(step) < raw(fine):
                return further
            there = self._loss(further)
            y, here, slope = further, there, (there - here) / step
        return None

    def _around(self, loss: float) -> tuple[Fraction | None, Fraction]:
        """The places around a loss, the one where it is less in front."""
        before = [y for y, at in self.places if at < loss]
        behind = [y for y, at in self.places if at >= loss]
        if not before:
            return self._further(loss), self.places[0][0]
        return before[-1], behind[0] if behind else before[-1] + (before[-1] - self.places[0][0])


    def _further(self, loss: float) -> Fraction | None:
        """A place beyond all that were looked at where a loss is not reached; None: nowhere."""
        end = self.places[0][0]
        reach = end - self.places[-1][0]
        for _ in range(_OUTWARD):
            if self.way * self.partition.loss(end + reach) < loss:
                return end + reach
            reach *= 2
        return None


def _near(value: Raw) -> Fraction:
    return fraction_of(dyadic(value.mid()))


def _intervals(cuts: Sequence[Fraction], low: End = None, high: End = None) -> list[OutputCell]:
    ends: list[End] = [low, *cuts, high]
    return [OutputCell(None, a, b) for a, b in pairwise(ends)]


def weighed(laws: Iterable[Law[Any]], cells: Sequence[OutputCell], bits: int) -> list[list[Raw]]:
    """Return the masses of cells under each law."""
    found = []
    for law in laws:
        at = Weighed(law, bits)
        with precision(bits):
            found.append([at.mass(cell) for cell in cells])
    return found


def float_loss(p: Raw, q: Raw) -> float:
    """Return about log p/q of two masses."""
    low, high = _float_log(p), _float_log(q)
    return 0.0 if low == high else low - high


def _float_log(value: Raw) -> float:
    mid = fraction_of(dyadic(value.mid()))
    if mid <= 0:
        return -inf
    return log(mid.numerator) - log(mid.denominator)
