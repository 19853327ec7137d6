"""A fine grid in mpmath: for teaching, and for densities that only exist as functions.

A grid never certifies: what lies between its points is not looked at, and mpmath does not
enclose. Its outcome is called "observed on a grid".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpmath

from pfverify.answers.sampled_outputs import (
    DIGITS,
    Weigh,
    number_of,
    sampled_outputs_of,
    shown,
)
from pfverify.decide.routes import comparison
from pfverify.decide.targets import target_of
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, require, shorten, told_at
from pfverify.exact.no_truth import NoTruth
from pfverify.model.problem import Problem, as_problem
from pfverify.results import UNSAID, WHERE_SAID, Shown

MAX_POINTS = 100_000
_SLACK = 3  # last digits that rounding may have changed


@dataclass(frozen=True)
class Observation(NoTruth, ask="a grid proves nothing, use certify"):
    """What a grid saw of one ordered pair: the largest log ratio and the largest excess.

    `epsilon` is that of this pair where it differs from pair to pair; `rounding` whether the
    excess is so small that rounding alone may have given it, and its sign.
    """

    belief: str
    from_: str
    to: str
    log_ratio: str
    y: str
    excess: str
    excess_y: str
    epsilon: str | None = field(default=None, metadata=WHERE_SAID)
    rounding: bool = field(default=False, metadata=UNSAID)


@dataclass(frozen=True, repr=False)
class GridResult(Shown, NoTruth, ask="a grid proves nothing, use certify"):
    """Observations of every ordered pair; the verdict is never a certificate.

    `points`: how many outputs were asked for, or (`every`) all that some pair has.
    """

    verdict: Verdict
    points: int
    pairs: list[Observation]
    every: bool = field(default=False, metadata=UNSAID)

    def _line(self) -> str:
        return f"{self.verdict.value}, {self.points} points, {len(self.pairs)} ordered pairs"


def observe(
    p: Weigh, q: Weigh, epsilon: object, points: Sequence[Any]
) -> tuple[tuple[mpmath.mpf, Any], tuple[mpmath.mpf, Any]]:
    """Return ``((largest log p/q, its y), (largest p - e**epsilon q, its y))`` over the points.

    `p` and `q` are densities or masses of an output; the ratio is infinite where only q is 0.
    Example: ``observe(mpmath.npdf, mpmath.npdf, 1, [mpmath.mpf(0)])[0][0]`` is 0.
    """
    growth = mpmath.exp(mpmath.mpf(epsilon))
    ratio = excess = None
    for y in points:
        a, b = p(y), q(y)
        if a > 0:
            log_ratio = mpmath.log(a) - mpmath.log(b) if b > 0 else mpmath.inf
            if ratio is None or log_ratio > ratio[0]:
                ratio = (log_ratio, y)
        gap = a - growth * b
        if excess is None or gap > excess[0]:
            excess = (gap, y)
    if ratio is None or excess is None:
        raise InputError("the grid met no point where the first density is positive")
    return ratio, excess


def grid_certify(problem: Problem | str | Path, points: int) -> GridResult:
    """Look at every ordered pair of a problem at `points` outputs, or at all that there are.

    On the line the grid is even, and runs from 5 scales below the lowest atom to 5 above the
    highest (for discrete Laplace noise: lattice points nearest to it); a normal law is reached to
    5 standard deviations. Atoms without noise, outputs of a channel and types of tuples are looked
    at one by one. Raises InputError for fewer than 2 points, fewer than there are outputs, and as
    `comparison` and `sampled_outputs_of`.
    """
    problem = as_problem(problem)
    require(points, int, "points")
    if not 2 <= points <= MAX_POINTS:
        raise InputError(f"--grid: {shorten(points)} points, expected 2 to {MAX_POINTS}")
    observations, counts, every = [], [points], False
    with mpmath.workdps(DIGITS):
        for item in problem.questions():
            comparison(item)  # what no route takes is not looked at either
            with told_at("--grid: "):
                sampled = sampled_outputs_of(item, points, points)
            if sampled.every:
                every = True
                counts.append(len(sampled.points))
            names, laws = (item.first, item.second), sampled.laws
            target = target_of(item)
            epsilon = number_of(target.epsilon)
            for reverse in (0, 1):
                ratio, excess = observe(
                    laws[reverse], laws[1 - reverse], epsilon, sampled.points
                )
                observations.append(
                    Observation(
                        item.belief,
                        names[reverse],
                        names[1 - reverse],
                        shown(ratio[0]),
                        sampled.word(ratio[1]),
                        shown(excess[0]),
                        sampled.word(excess[1]),
                        target.epsilon.text if problem.protection.extended else None,
                        _rounding(excess[0], laws[reverse](excess[1])),
                    )
                )
    observations.sort(key=lambda o: -float(o.log_ratio))
    seen = max(counts[1:]) if every else points
    return GridResult(Verdict.OBSERVED, seen, observations, every)


def _rounding(excess: mpmath.mpf, p: mpmath.mpf) -> bool:
    """Say whether p - e**epsilon q is within the rounding error of both terms."""
    return bool(0 < abs(excess) <= p * mpmath.mpf(10) ** (_SLACK - DIGITS))
