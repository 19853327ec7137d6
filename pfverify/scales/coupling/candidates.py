"""Plans that may fit, and the least scale at which every pair has one that does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pfverify.exact.number import Number
from pfverify.exact.search import least_decimal, polished
from pfverify.scales.relaxed import Line, RelaxedPair
from pfverify.transport.line import LinePlan

Side = Literal["columns", "rows"]
SIDES: tuple[Side, ...] = ("columns", "rows")


@dataclass(frozen=True)
class Candidate:
    """A plan of a pair and the side of it whose lines should fit."""

    plan: LinePlan
    pair: RelaxedPair
    lines: list[Line]
    scale: Fraction

    @classmethod
    def of(cls, plan: LinePlan, epsilon: Number, side: Side) -> Candidate:
        """Return the candidate; its scale is a proposal."""
        pair = RelaxedPair(plan, epsilon)
        if side == "columns":
            return cls(plan, pair, pair.columns, pair.column_scale)
        return cls(plan, pair, pair.rows, pair.row_scale)

    def holds(self, scale: Fraction) -> bool:
        """Decide whether every line fits at a scale."""
        return self.pair.all_hold(self.lines, scale)


def least_scale(pairs: Iterable[list[Candidate]], epsilon: Number, digits: int) -> Fraction:
    """Return the least decimal, rounded up, at which every pair has a candidate that fits."""
    ordered = sorted(pairs, key=lambda candidates: -min(map(proposed_scale, candidates)))
    best = min(ordered[0], key=proposed_scale)
    guess, line = best.scale, best.pair.tightest(best.lines)
    if line is not None:
        tight = line
        guess = polished(lambda s: tight.log_gap(s, epsilon, best.pair.unit), guess, digits)
    return least_decimal(
        lambda s: all(any(c.holds(s) for c in candidates) for candidates in ordered),
        guess,
        digits,
    )[1]


def proposed_scale(candidate: Candidate) -> Fraction:
    """Return the scale that a candidate proposes."""
    return candidate.scale
