"""One of the independent parts that are composed: its divergences, its losses, its labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor, inf, isfinite, log
from typing import Any, NamedTuple

import numpy as np

from pfverify.decide.comparison import Orders
from pfverify.decide.composed.cells import (
    MOST_OUTPUTS,
    OutputCell,
    Partition,
    Roots,
    float_loss,
    weighed,
)
from pfverify.decide.composed.measures import LabelMasses, LossGrid, LossMasses, dotted, labelled
from pfverify.decide.composed.proposed import Floats, Losses
from pfverify.errors import InputError
from pfverify.exact.ball import Raw, dyadic, fraction_of, precision, raw
from pfverify.exact.refined import ends_of
from pfverify.laws.kinds import forms_of, has_form
from pfverify.laws.law import Law
from pfverify.laws.normal import NormalLaw, NormalMixture
from pfverify.model.question import Question

Named = Sequence[str] | int
_NORMAL = frozenset({"charts"})
_ON_LINE = frozenset({"exponential", "kept", "smooth-steps"})
_ROUGH = 64  # cells of a first look
_BITS = 256
_FEW_DIGITS = 10**9
_LITTLE = 1e-280
_MOST_POINTS = 1 << 12  # of a lattice, that are looked at one by one
_SAME = 1e-13  # losses that are taken for one
_FAR, _NOTHING = 1 << 14, Fraction(1, 10**30)
_TINY = Fraction(1, 1 << 4096)  # in place of less: exponents may be longer than any fraction
_EXACT = 12  # losses that are looked at as numbers


class _Weighed(NamedTuple):
    """A cell: its loss and its mass, whether the loss is one number there, and P and Q."""

    loss: float
    mass: float
    alone: bool
    p: Raw
    q: Raw


@dataclass(frozen=True)
class ComparedPart:
    """One part: what is asked about it, both orders, how many there are, and what it is called."""

    item: Question
    orders: Orders
    times: int
    named: Named | None = None
    _divergences: dict[tuple[int, Fraction, int], Fraction] = field(
        default_factory=dict, compare=False, repr=False
    )
    _known: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def laws(self) -> tuple[Law[Any], Law[Any]] | None:
        """Both laws at single outputs, None where they are not worked out."""
        if not all(has_form(prior, self.item.release) for prior in self.item.priors):
            return None
        try:
            first, second = (form.outcomes for form in forms_of(self.item))
        except InputError:
            return None
        return None if first is None or second is None else (first, second)

    # ---------------------------------------------------------------- from above

    def divergence(self, side: int, epsilon: Fraction, bits: int) -> Fraction:
        """Return at least the divergence of one order at an epsilon >= 0, off by 2**-bits or so."""
        key = side, epsilon, bits
        if key not in self._divergences:
            order = self.orders[side]
            found = order.against(order.target.at_epsilon(epsilon)).exceeding()
            self._divergences[key] = Fraction(min(ends_of(found, bits)[1], 1))
        return self._divergences[key]

    def above(self, side: int, grid: LossGrid, levels: Sequence[int]) -> LossMasses:
        """Return the measure that stands for one release from above."""
        bits, unit, table = grid.bits - 32, grid.unit, list[int]()
        for level, beyond in zip(levels, self._beyond(side, grid, levels), strict=True):
            epsilon = abs(level) * grid.step
            if beyond is not None:
                table.append(ceil(beyond * unit))
                continue
            one = self.divergence(side if level >= 0 else 1 - side, epsilon, bits)
            if level < 0:  # of E < 1: 1 - E + E times that of the other order at 1/E
                with precision(grid.bits):
                    factor = (-raw(epsilon)).exp()
                    one = fraction_of(dyadic((1 - factor + factor * raw(one)).upper()))
            table.append(ceil(one * unit))
        return dotted(grid, levels, table)

    def _beyond(
        self, side: int, grid: LossGrid, levels: Sequence[int]
    ) -> Sequence[Fraction | None]:
        """At least the divergence at each level, where all beyond one place are the event (F76).

        It is that of r = p(y)/q(y), which is at most E: P - r Q of all numbers beyond y.
        """
        cuts = self.level_cuts(side, levels, grid.step) if self.rising is not None else None
        if cuts is None or self._normals is None:
            return [None] * len(levels)
        above = (self.rising == 1) == (side == 0)
        with precision(grid.bits):
            laws = [law.at_precision() for law in self._normals[:: 1 if side == 0 else -1]]
            return [
                None if y is None else _excess_beyond(laws, y, above, raw(level * grid.step))
                for level, y in zip(levels, cuts, strict=True)
            ]

    @cached_property
    def _normals(self) -> tuple[NormalMixture, NormalMixture] | None:
        """Both laws where they are mixtures of normal ones."""
        if self.laws is None:
            return None
        first, second = forms_of(self.item)
        known = isinstance(first, NormalMixture) and isinstance(second, NormalMixture)
        return (first, second) if known else None  # type: ignore[return-value]

    @cached_property
    def rising(self) -> int | None:
        """Where p/q is greater, 1 to the right and -1 to the left; None where it may turn.

        Of normal laws of one variance it is monotone in y as it is in their means (F76).
        """
        if self._normals is None:
            return None
        masses = [defaultdict[Fraction, Fraction](Fraction) for _ in range(2)]
        for law, of in zip(self._normals, masses, strict=True):
            for weight, mean, _ in law.components:
                of[mean] += weight
        variances = {one.variance + law.added for law in self._normals for one in law.components}
        p, q = masses
        turns = {
            (p[y] * q[x] > p[x] * q[y]) - (p[y] * q[x] < p[x] * q[y])
            for x, y in pairwise(sorted({*p, *q}))
        }
        if len(variances) != 1 or 0 in variances or {1, -1} <= turns:
            return None
        return -1 if -1 in turns else 1

    @property
    def forms(self) -> frozenset[str]:
        """The names of the forms that both laws have."""
        first, second = forms_of(self.item)
        return frozenset(first.forms) & frozenset(second.forms)

    @property
    def on_line(self) -> bool:
        """Whether the kernel is told where the line is cut."""
        return bool(self.forms & _ON_LINE) or self.forms <= _NORMAL  # atoms have both forms

    @property
    def at_cuts(self) -> bool:
        """Whether the kernel is told a place for each level: of normal densities."""
        return self.forms <= _NORMAL

    def level_cuts(
        self, side: int, levels: Sequence[int], step: Fraction
    ) -> list[Fraction | None] | None:
        """Return where normal densities have a loss that is just below each level; None: nowhere.

        Not asked for, None, of laws whose divergence has a closed form.
        """
        if not self.at_cuts:
            return None
        key = "cuts", side, step, tuple(levels)
        if key not in self._known:
            found = Roots(self.partition, side).below([level * step for level in levels])
            self._known[key] = found
        cuts: list[Fraction | None] = self._known[key]
        return cuts

    # ---------------------------------------------------------------- what losses there are

    @cached_property
    def partition(self) -> Partition:
        """The cells of its outputs; TypeError where its laws are not worked out."""
        if self.laws is None:
            raise TypeError("a part whose laws are not worked out has no cells")
        return Partition(*self.laws)

    def losses(self, side: int) -> Losses | None:
        """Return about the losses of one order, None where there are too many outputs."""
        if side not in self._known:
            self._known[side] = self._losses(side)
        found: Losses | None = self._known[side]
        return found

    def _losses(self, side: int) -> Losses | None:
        if self.laws is None:
            return self._losses_above(side)
        counted = self.partition.counted
        if counted is not None and len(counted) > MOST_OUTPUTS:
            return None
        cells, _ = self.partition.fine(self._rough)
        weights, infinite = list[_Weighed](), 0.0
        first, second = weighed(self.sided(side), cells, _BITS)
        for cell, p, q in zip(cells, first, second, strict=True):
            mass, loss = float(p.mid()), float_loss(p, q)
            if not mass > _LITTLE or loss == -inf:
                continue
            if loss == inf:
                infinite += mass
                continue
            weights.append(_Weighed(loss, mass, self._is_alone(cell), p, q))
        if not weights:  # nothing but what Q never gives
            return Losses(
                np.zeros(1), np.full(1, _LITTLE), np.zeros(1, dtype=bool), [], infinite, self.times
            )
        heavy = sorted((one for one in weights if one.alone), key=lambda one: -one.mass)[:_EXACT]
        with precision(_BITS):
            exact = [x for one in heavy if (x := _as_number(one.p, one.q)) is not None]
        return Losses(
            np.array([one.loss for one in weights]), np.array([one.mass for one in weights]),
            np.array([one.alone for one in weights], dtype=bool), exact, infinite, self.times,
        )  # fmt: skip

    def _losses_above(self, side: int) -> Losses:
        """What stands for the losses from above, on a coarse grid."""
        ends = []
        for k in (side, 1 - side):
            end = Fraction(1, 1 << 20)
            while end < _FAR and self.divergence(k, end, _BITS) > _NOTHING:
                end *= 2
            ends.append(end)
        step = (ends[0] + ends[1]) / _ROUGH
        low, high = -(ends[1] / step).__floor__() - 1, (ends[0] / step).__ceil__()
        found = self.above(side, LossGrid(step, 40, low, high), range(low, high + 1))
        masses: Floats = np.array([mass / found.grid.unit for mass in found.masses.coefficients()])
        losses: Floats = (found.first + np.arange(len(masses), dtype=np.float64)) * float(step)
        kept = masses > _LITTLE
        infinite = found.infinite / found.grid.unit
        alone = np.zeros_like(kept[kept])
        return Losses(losses[kept], masses[kept], alone, [], infinite, self.times)

    def _is_alone(self, cell: OutputCell) -> bool:
        """Whether the loss is one number in a cell, as far as floats tell."""
        if cell.output is not None:
            return True
        low, high = cell.low, cell.high
        if low is not None and high is not None:
            return high - low == self.partition.laws[0].step or abs(self._change(low, high)) < _SAME
        end, side = (low, 1) if low is not None else (high, -1)
        unit = self.partition.laws[0].step or Fraction(1, 16)
        return end is None or abs(self._change(end, end + 8 * side * unit)) < _SAME

    def _change(self, low: Fraction, high: Fraction) -> float:
        here, there = self.partition.loss(low), self.partition.loss(high)
        return there - here if isfinite(here) and isfinite(there) else 0.0

    def sided(self, side: int) -> tuple[Law[Any], Law[Any]]:
        """Return its laws in one order."""
        first, second = self.partition.laws
        return (first, second) if side == 0 else (second, first)

    @cached_property
    def _rough(self) -> list[float]:
        """The losses between the cells of a first look."""
        if self.partition.counted is not None:
            return []
        losses = [loss for _, loss in self.partition.places if isfinite(loss)]
        low, high = min(losses, default=0.0), max(losses, default=0.0)
        size, step = _ROUGH, self.partition.laws[0].step
        if step is not None:
            points = (self.partition.places[-1][0] - self.partition.places[0][0]) / step
            size = 4 * min(int(points), _MOST_POINTS)
        return [low + (high - low) * k / size for k in range(1, size)]

    # ---------------------------------------------------------------- from below

    def cells(self, side: int, levels: Sequence[int], step: Fraction) -> OutputCells:
        """Return cells of the outputs, cut halfway between levels, near which all losses then are.

        None are known where laws are not worked out.
        """
        if self.laws is None:
            return OutputCells([], [])
        way = 1 if side == 0 else -1
        halves = [(a + b) * float(step) / 2 * way for a, b in pairwise(levels)]
        return OutputCells(*self.partition.fine(sorted(halves)))

    def below(self, side: int, grid: LossGrid, cells: OutputCells) -> LabelMasses:
        """Return the labels that stand for one release from below; none without laws."""
        found = list[tuple[int, int, int]]()
        if not cells.cells:
            return labelled(grid, found)
        for p, q in zip(*weighed(self.sided(side), cells.cells, grid.bits), strict=True):
            less, more = masses_of(p, q, grid)
            if less:
                found.append((label_of(less, more, grid), less, more))
        return labelled(grid, found)


class OutputCells(NamedTuple):
    """Cells of the outputs, and the cuts between intervals among them."""

    cells: Sequence[OutputCell]
    cuts: Sequence[Fraction]


def label_of(less: int, more: int, grid: LossGrid) -> int:
    """Return the label of a cell of two masses (`masses_of`): about its loss, in steps of a grid.

    The same floats as in the kernel: a loss halfway between two steps has one label in both.
    """
    loss = Fraction(log(less) - log(more)) / grid.step if more else grid.high
    return min(max(round(loss), grid.low), grid.high)


def masses_of(p: Raw, q: Raw, grid: LossGrid) -> tuple[int, int]:
    """Return less than P has, and more than Q has, in the unit of a grid."""
    with precision(grid.bits):
        less = floor(fraction_of(dyadic((p * grid.unit).lower())))
        more = ceil(fraction_of(dyadic((q * grid.unit).upper())))
    return max(0, less), max(0, more)


def _as_number(p: Raw, q: Raw) -> Fraction | None:
    """The loss log p/q as a rational number: a simple one where that may be it."""
    loss = (p / q).log()
    if not loss.is_finite():
        return None
    mid = fraction_of(dyadic(loss.mid()))
    simple = mid.limit_denominator(_FEW_DIGITS)
    if abs(loss - raw(simple)) < raw(Fraction(1, 1 << (_BITS // 2))):
        return simple
    return mid.limit_denominator(10**30)


def _excess_beyond(
    laws: Sequence[NormalLaw], y: Fraction, above: bool, level: Raw
) -> Fraction | None:
    """At least P - r Q beyond y; None where the loss log r is not proved to be at most a level."""
    p, q = (law.weight(y).log() for law in laws)
    more, less = (law.above(y) if above else law.below(y) for law in laws)
    if not p - q <= level:
        return None
    found = more - (p - q).exp() * less
    if found < raw(_TINY):
        return _TINY
    return min(fraction_of(dyadic(found.upper())), Fraction(1))
