"""Many single outputs of a noisy number, compared: floats clear most cells, balls the rest.

The loss is at the cells whose ratio floats cannot tell from the largest. What delta bounds is the
mass of the event where P > e**epsilon Q, whose runs of cells are intervals of the noisy number.
Source: design facts F1, F3 and F45.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, log
from typing import overload

import numpy as np
from numpy.typing import NDArray

from pfverify.decide.breach import Breach
from pfverify.decide.cells.line import CellLine
from pfverify.decide.cells.sums import CellSums, Floats, runs_of
from pfverify.decide.comparison import Difference, Orders, Settled, Supremum
from pfverify.decide.evidence import ByRule
from pfverify.decide.excess import by_balls, largest_sign, positive_margin
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.masses.finite import NO_DECIMAL, TIED_EXCESS, TIED_RATIO, NamedOutputs
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, largest, precision, raw, raw_float, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ZERO_TEST_BITS, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import (
    INFINITE,
    ZERO,
    ByBalls,
    Refined,
    exactly,
    rising_balls,
)
from pfverify.laws.forms import CellOutputs
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.merged import Integers
from pfverify.model.notion import Bound
from pfverify.model.releases.stepped import ManyCells
from pfverify.model.target import Target

MOST = 1_000_000
"""Most cells."""
_TERMS = 2_000_000  # of all exact sums of one decision
_FEW = 64  # cells that balls take one by one rather than all at once
_PASS_BITS = 128
_GIVEN_UP = 1 << 12  # bits at which a divergence is not told from delta any more


def compared(first: CellOutputs, second: CellOutputs, target: Target) -> Orders:
    """Return both orders of two laws of a noisy number that steps make many single outputs of.

    Raises InputError for too many cells, and for numbers too long for arrays.
    """
    release, rows = first.release, (first.row, second.row)
    line = line_of(release)
    known = next((law for law, _ in rows if law is not None), None)
    if known is None:
        raise InputError("a pair of laws without any row has no atoms")
    pair = Pair(rows[0][0] or known, rows[1][0] or known, release.noise.step)
    rate = Rate(release.noise.stated_scale())
    sums = CellSums.of(pair, (rows[0][1], rows[1][1]), rate, line)
    if not line.hides and min(sums.chances) < 1:
        raise InputError("post: no number is hidden, so that no row at all is always told apart")
    names = OutputNames(line)
    if pair.equal and sums.chances[0] != sums.chances[1]:
        sums, names = sums.merged(), OutputNames(line, one=True)
    return (
        CellComparison(sums, names, target, reverse=False),
        CellComparison(sums, names, target, reverse=True),
    )


@lru_cache(maxsize=4)
def line_of(release: ManyCells) -> CellLine:
    """Return the cells of a release, worked out once for all its pairs."""
    return CellLine(release.steps, release.first, release.last, release.noise.step, MOST)


class OutputNames(Sequence[str]):
    """The names of outputs, each made when it is asked for.

    `one`: all but the first are taken as one, that goes by the name of the second.
    """

    def __init__(self, line: CellLine, *, one: bool = False) -> None:
        self._line, self.one = line, one

    def __len__(self) -> int:
        return len(self._line)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        return self._line.name(index)

    def all_of(self, cells: Integers) -> list[int]:
        """Return the outputs that cells stand for."""
        found: list[int] = cells.tolist()
        if self.one and 1 in found:
            found = [*(k for k in found if k != 1), *range(1, len(self))]
        return found


class CellComparison(Difference):
    """One order of two laws of single outputs, each the noisy numbers of a cell."""

    no_witness = NO_DECIMAL

    def __init__(
        self, sums: CellSums, names: OutputNames, target: Target, *, reverse: bool
    ) -> None:
        self.sums, self.names, self.target, self.reverse = sums, names, target, reverse
        self.outputs = NamedOutputs(names)
        self._p, self._q = (1, 0) if reverse else (0, 1)
        self._signs: dict[int, int | None] = {}  # of p - e**epsilon q, of cells

    def against(self, target: Target) -> CellComparison:
        """Return the same laws in the same order, held to another target."""
        found = CellComparison(self.sums, self.names, target, reverse=self.reverse)
        _ = self.equal, self._ratios  # which every target asks for
        vars(found).update({key: vars(self)[key] for key in _SHARED if key in vars(self)})
        return found

    @property
    def proved(self) -> ByRule:
        """The rule of the kernel for outputs: it needs nothing else."""
        return ByRule(self.outputs.rule)

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same, by the zero test where floats see no difference."""
        sums = self.sums
        if sums.pair.equal or len(sums) == 1:
            return len(sums) == 1 or sums.chances[0] == sums.chances[1]
        if self._ratios is not None and (abs(self._ratios[0] - 1) > 3 * self._ratios[1]).any():
            return False
        if len(sums) * len(sums.pair) > _TERMS:
            return False
        return all(self._is_alike(k) for k in range(len(sums)))

    def _is_alike(self, cell: int) -> bool:
        p, q = self.sums.exact(0, cell, cell), self.sums.exact(1, cell, cell)
        return p is not None and q is not None and (p - q).is_zero() is Answer.YES

    @property
    def _unbounded(self) -> bool:
        """Whether there is no row under Q: it gives none of the outputs but the first."""
        return not self.sums.chances[self._q] and len(self.sums) > 1

    # ---------------------------------------------------------------- single cells

    @cached_property
    def _ratios(self) -> tuple[Floats, float] | None:
        """p/q of all cells, with a bound of their relative errors."""
        found = self.sums.floats
        if found is None:
            return None
        ratio = found.q / found.p if self.reverse else found.p / found.q
        return ratio, 2 * found.error + 2.0**-52

    @cached_property
    def _all_logs(self) -> list[Raw]:
        """log p/q of all cells, in balls."""
        with precision(_PASS_BITS):
            logs = self.sums.log_ratios()
        return [-x for x in logs] if self.reverse else logs

    def _log(self, cell: int) -> Raw:
        found = self.sums.log_ratio(cell)
        return -found if self.reverse else found

    def _sign(self, cell: int) -> int | None:
        """The sign of p - e**epsilon q of one cell."""

        def gap() -> Ball:
            return Ball(self._log(cell) - self.target.epsilon.ball().raw)

        if cell not in self._signs:
            sign = rising_sign(gap, FIRST_BITS, ZERO_TEST_BITS)
            if sign is None:
                exact = self._exact(np.array([cell]), Number.of_rational(0))
                sign = None if exact is None else exact.sign()
            self._signs[cell] = sign
        return self._signs[cell]

    def _exact(self, cells: Integers, delta: Number) -> ExpSum | None:
        """P(B) - e**epsilon Q(B) - delta of a set of cells, times a number > 0; None: not exact."""
        sums, epsilon, rate = self.sums, self.target.epsilon.formal, self.sums.rate.formal
        runs = list(runs_of(cells))
        if epsilon is None or rate is None or delta.ratio is None:
            return None
        if len(runs) * len(sums.pair) > _TERMS:
            return None
        growth, (top, bottom) = ExpSum.power(epsilon), delta.ratio
        total = ExpSum({})
        for first, last in runs:
            p, q = sums.exact(self._p, first, last), sums.exact(self._q, first, last)
            if p is None or q is None:
                return None
            total = total + p - growth * q
        step = sums.pair.step
        positive = bottom.sign()
        if positive is None:
            return None
        return (total * bottom - top * sums.exact_kappa(rate, step)).times(positive)

    # ---------------------------------------------------------------- the ratio

    @cached_property
    def _steepest(self) -> tuple[list[int], Ball | None]:
        """The cells of which the ratio may be the largest, with what floats know of its log."""
        if not self.sums.chances[self._p]:
            return [0], None
        if self._ratios is not None:
            ratio, error = self._ratios
            best = float(ratio.max())
            cells = np.flatnonzero(ratio >= best * (1 - 3 * error)).tolist()
            if len(cells) <= _FEW:
                off = raw_float(error)
                with precision(FIRST_BITS):
                    return cells, Ball(raw_float(best).log() + off.union(-off))
        elif len(self.sums) <= _FEW:
            return list(range(len(self.sums))), None
        logs, floor = self._all_logs, None
        for value in logs:
            if value.is_finite() and (floor is None or value > floor):
                floor = value
        return [k for k, x in enumerate(logs) if floor is None or not x < floor], None

    @cached_property
    def _worst(self) -> int:
        """A cell with about the largest ratio; only its name is told."""
        cells, _ = self._steepest
        if self._unbounded:
            return 1
        with precision(_PASS_BITS):
            logs = {k: Ball(self._log(k)).midpoint() for k in cells[1:] and cells}
        return max(cells, key=lambda k: logs.get(k, 0.0))

    def told(self) -> Settled:
        """Decide the target, equal laws too: they may tie."""
        return self.answered()

    def _found(self, sign: int | None, where: Integers, why: str) -> Settled:
        reason = why if sign is None else None
        return Settled(sign, self.proved, reason, breach=lambda: self.breach(where))

    @cached_property
    def signs(self) -> Settled:
        """The sign at the cells with the largest ratio."""
        if self._unbounded:
            return self._found(1, np.array([1]), TIED_RATIO)
        cells, known = self._steepest
        where = np.array([self._worst])
        if known is not None:
            with precision(FIRST_BITS):
                if (known - self.target.epsilon.ball()).certain_sign() == -1:
                    return self._found(-1, where, TIED_RATIO)
        if self.equal:
            sign = self.target.epsilon.sign()
            return self._found(None if sign is None else -sign, where, TIED_RATIO)
        sign = largest_sign([self._sign(k) for k in cells])
        if sign == 1 and self._sign(self._worst) != 1:
            where = np.array([k for k in cells if self._sign(k) == 1][:1])
        return self._found(sign, where, TIED_RATIO)

    def loss(self) -> Supremum:
        """Return epsilon*, the logarithm of the largest ratio of masses."""
        return Supremum(self._loss(), lambda: self.outputs.place(self._worst))

    def _loss(self) -> Refined:
        if self._unbounded:
            return INFINITE
        if self.equal:
            return ZERO
        cells, known = self._steepest
        return ByBalls(rising_balls(
            lambda: largest(self._log(k) for k in cells), _PASS_BITS, CAP_BITS, known
        ))  # fmt: skip

    # ---------------------------------------------------------------- what delta bounds

    @cached_property
    def _positive(self) -> tuple[Integers, list[int]]:
        """The cells with p > e**epsilon q, and those of which it is not decided."""
        if self._unbounded:
            return np.array([1]), []
        if self.equal:
            return np.zeros(0, np.int64), []
        positive, near = self._seen()
        unknown = []
        for cell in near:
            sign = self._sign(cell)
            positive[cell] = sign == 1
            if sign is None:
                unknown.append(cell)
        return np.flatnonzero(positive), unknown

    def _seen(self) -> tuple[NDArray[np.bool_], list[int]]:
        """Whether p > e**epsilon q as far as all cells at once tell, and of which they do not."""
        positive = np.zeros(len(self.sums), bool)
        if not self.sums.chances[self._p]:
            return positive, [0]
        if self._ratios is not None:
            with precision(FIRST_BITS):
                growth = self.target.exp_epsilon()
                about = float(growth.mid())
                is_near = abs(raw_float(about) - growth) <= growth * raw_float(2.0**-52)
            if is_near:
                ratio, error = self._ratios
                margin = error + 2.0**-50
                positive = ratio > about * (1 + margin)
                near = np.flatnonzero(~positive & ~(ratio < about * (1 - margin))).tolist()
                if len(near) <= _FEW:
                    return positive, near
        elif len(self.sums) <= _FEW:
            return positive, list(range(len(self.sums)))
        near = []
        with precision(_PASS_BITS):
            epsilon = self.target.epsilon.ball().raw
            for k, value in enumerate(self._all_logs):
                positive[k] = value > epsilon
                if not (value > epsilon or value < epsilon):
                    near.append(k)
        return positive, near

    @cached_property
    def area(self) -> Settled:
        """The divergence against delta."""
        cells, unknown = self._positive
        if not len(cells) and not unknown:
            return self._found(self.target.sign_of_nothing, cells, TIED_EXCESS)

        def gap() -> Ball:
            return Ball(self._divergence() - self.target.delta.ball().raw)

        sign = rising_sign(gap, FIRST_BITS, ZERO_TEST_BITS)
        if sign is None and not unknown:
            exact = self._exact(cells, self.target.delta)
            sign = None if exact is None else exact.sign()
        if sign is None:
            sign = rising_sign(gap, 2 * ZERO_TEST_BITS, _GIVEN_UP)
        return self._found(sign, cells, TIED_EXCESS)

    def exceeding(self) -> Refined:
        """Return the divergence at the target's epsilon."""
        cells, unknown = self._positive
        if not len(cells) and not unknown:
            return ZERO
        delta = self.target.delta.fraction if self.target.bound is Bound.DIVERGENCE else None
        if delta is not None and self.area.sign == 0:
            return exactly(delta)
        return by_balls(self._divergence, Fraction(1))

    def _divergence(self) -> Raw:
        """Enclose the sum of the positive p - e**epsilon q."""
        cells, unknown = self._positive
        total = self._excess(cells)
        for cell in unknown:
            total += self._excess(np.array([cell])).nonnegative_part()
        return total

    def _excess(self, cells: Integers) -> Raw:
        """Enclose P(B) - e**epsilon Q(B) of a set of cells."""
        growth = self.target.exp_epsilon()
        return self.sums.signed(cells, (-growth, raw(1)) if self.reverse else (raw(1), -growth))

    def breach(self, where: Integers) -> Breach | None:
        """Return an output, or an event; of all outputs but the first where Q gives none."""
        bounds_ratio = self.target.bound is Bound.RATIO
        if bounds_ratio and not self._unbounded:
            cell = int(where[0])
            margin = positive_margin(lambda: self._log(cell) - self.target.epsilon.ball().raw)
            rule = self.outputs.ratio_refuted
            return None if margin is None else self.outputs.one(rule, margin, cell)
        margin = positive_margin(lambda: self._excess(where) - self.target.delta.ball().raw)
        if margin is None:
            return None
        return self.outputs.event(margin, self.names.all_of(where))

    def alone_sign(self) -> int | None:
        """Return the sign of what only P gives, less delta: where Q gives but one output."""
        return self.area.sign if self._unbounded else -1

    def least_beside_alone(self) -> Refined:
        """Return 0: with one output of Q epsilon does not matter."""
        return ZERO

    def proposed_epsilon(self, grid: Grid) -> Fraction:
        """Return about the least epsilon: log((P(B) - delta)/Q(B)) of an event of large ratios."""
        del grid
        p, q = self._about
        with precision(FIRST_BITS):
            delta = self.target.delta.ball().midpoint()
        with np.errstate(over="ignore"):
            order = np.argsort(-p / q)
            above, below = np.cumsum(p[order]) - delta, np.cumsum(q[order])
            best = float((above / below).max())
        return Fraction(log(best)) if 1 < best < inf else Fraction(0)

    @cached_property
    def _about(self) -> tuple[Floats, Floats]:
        """About P and Q of all cells that Q gives: for proposals."""
        found = self.sums.floats
        with precision(FIRST_BITS):
            if found is None:
                cells = range(len(self.sums))
                p, q = (
                    np.array([Ball(self.sums.mass(which, k)).midpoint() for k in cells])
                    for which in (self._p, self._q)
                )
                return p[q > 0], q[q > 0]
            kappa = Ball(self.sums.kappa()).midpoint()
        both = (found.q, found.p) if self.reverse else (found.p, found.q)
        return both[0] / kappa, both[1] / kappa


_SHARED = ("equal", "_ratios", "_all_logs", "_steepest", "_worst", "_about")
"""What does not depend on the target."""
