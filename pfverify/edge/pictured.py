"""What --plot shows, as floats that decide nothing: the log ratio of a pair, and scales."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath

from pfverify.answers.loss import LossResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult
from pfverify.answers.sampled_outputs import DIGITS, SampledOutputs, number_of, sampled_outputs_of
from pfverify.decide.targets import target_of
from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered, pair_of
from pfverify.edge.pictures import (
    ZERO_LINE,
    Axis,
    Bar,
    BarChart,
    Dots,
    GuideLine,
    Line,
    Mark,
    Plot,
)
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.edge.words import size_word
from pfverify.errors import InputError
from pfverify.model.channels.tupling import Tupling
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.steps.step import SUPPRESSED

NOTE = "drawn from floats; the verdict is exact"
POINTS = 201
"""Outputs of a curve."""
Drawable = CalibrateResult | CertifyResult | LossResult
_RATIO = "log p(y)/q(y)"
_COUNTED = 100_000  # outputs that are compared one by one, at most


def log_ratio(problem: Problem, worst: Ordered) -> Plot | BarChart:
    """Return log p(y)/q(y) of an ordered pair of a problem, against -epsilon and epsilon.

    `worst` is ``result.pairs[0]`` of certify, or ``result.worst`` of loss. Outputs that can be
    counted are bars, the largest first; on the line it is a curve that goes to 5 scales, or
    standard deviations, beyond the priors, with single outputs beside it.
    Raises InputError where there are too many outputs, and as `sampled_outputs_of`.
    """
    tuples = isinstance(problem.release, Tupling)
    if isinstance(problem.release, Tupling):
        problem = problem.under(problem.release.base)
    item, reverse = pair_of(problem, worst)
    with mpmath.workdps(DIGITS):
        seen = _sampled(item)
        first, second = seen.laws[::-1] if reverse else seen.laws
        ratios = {y: _log(first(y), second(y)) for y in seen.points}
        epsilon = float(number_of(target_of(item).epsilon))
    named = distinct([worst.from_, worst.to])
    title = f"{_RATIO}, from {named[worst.from_]} against {named[worst.to]}"
    if tuples:
        title += ": of tuples of one output alone, between which all others lie"
    known = {y: ratio for y, ratio in ratios.items() if not math.isnan(ratio)}
    if not known:
        raise InputError("--plot: there is no output to draw")
    words = f"epsilon = {epsilon:.4g} and -epsilon"
    if seen.every:
        bars = [Bar(seen.word(y), ratio) for y, ratio in known.items()]
        bars.sort(key=lambda bar: -abs(bar.value))
        keys = [("ink dashes", words)]
        return BarChart(title, NOTE, _RATIO, bars, keys, bound=epsilon, signed=True)
    curve = {float(y): ratio for y, ratio in known.items() if isinstance(y, Fraction)}
    xs = list(curve)
    left = xs[0] - (xs[-1] - xs[0]) / 15 if xs else 0.0
    singles = [  # suppressed stands left of the curve
        (left if y == SUPPRESSED else float(Fraction(y)), ratio)
        for y, ratio in known.items() if isinstance(y, str)
    ]  # fmt: skip
    stems = [Line([(x, 0.0), (x, y)], "s0", 4.0) for x, y in singles if math.isfinite(y)]
    bounds = [GuideLine(level, "ink dashes", upright=False) for level in (epsilon, -epsilon)]
    dots = [Dots(singles, "s0")] if singles else []
    marks: list[Mark] = [*bounds, ZERO_LINE, Line([*curve.items()], "s0"), *stems, *dots]
    keys = [("s0", _RATIO), ("ink dashes", words), ("soft", "0")]
    return Plot(title, NOTE, Axis("y"), Axis(), marks, keys)


def _sampled(item: Question) -> SampledOutputs:
    try:
        return sampled_outputs_of(item, POINTS, _COUNTED)
    except InputError as error:
        raise InputError(f"--plot: {error}") from None


def _log(p: mpmath.mpf, q: mpmath.mpf) -> float:
    """log p/q; nan where both are 0 and the output does not occur."""
    if p == 0 and q == 0:
        return math.nan
    if q == 0:
        return math.inf
    return -math.inf if p == 0 else float(mpmath.log(p) - mpmath.log(q))


def picture_of(problem: Problem, result: Drawable) -> Plot | BarChart:
    """Return what --plot shows of a result: its scales, or the log ratio of the worst pair."""
    match result:
        case CalibrateResult():
            return ladder(result)
        case CertifyResult():
            return log_ratio(problem, result.pairs[0])
        case LossResult():
            return log_ratio(problem, result.worst)


def ladder(result: CalibrateResult) -> BarChart:
    """Return the scales of a result, the smallest first; equal ones as calibrate lists them."""
    bars = sorted(CalibrateView(result).bars(), key=lambda bar: bar.value)
    size = size_word(result.noise)
    title = f"{size} of {result.noise} noise, method by method"
    return BarChart(title, NOTE, size, bars, never=f"no {size} works")
