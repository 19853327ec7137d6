"""What --plot shows, as floats that decide nothing: the log ratio of a pair, and scales."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from pfverify.answers.curves.result import CurveResult
from pfverify.answers.loss import LossResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import CertifyResult
from pfverify.answers.sampled_outputs import DIGITS, number_of, sampled_outputs_of
from pfverify.decide.comparison import Comparison
from pfverify.decide.gap import within
from pfverify.decide.routes import comparison
from pfverify.decide.targets import target_of
from pfverify.edge.curve_picture import curve_picture
from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered, pair_of
from pfverify.edge.pictures import (
    ZERO_LINE,
    Axis,
    Band,
    Bar,
    BarChart,
    Dots,
    GuideLine,
    Line,
    Mark,
    Plot,
    Point,
)
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.edge.words import size_word
from pfverify.errors import InputError, told_at
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Infinite
from pfverify.exact.refined import ends_of
from pfverify.laws.kinds import has_form
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.model.steps.step import SUPPRESSED

NOTE = "drawn from floats; the verdict is exact"
NOTE_OF_BOUNDS = "both bounds are proved at the places drawn, delta falls between them"
_CURVE, _CURVE_BITS, _DRAWN = 24, 40, Fraction(1, 50)  # places, and how near bounds are there
POINTS = 201
"""Outputs of a curve."""
Drawable = CalibrateResult | CertifyResult | CurveResult | LossResult
_RATIO = "log p(y)/q(y)"
_COUNTED = 100_000  # outputs that are compared one by one, at most


@dataclass(frozen=True)
class LogRatio(NoTruth, ask="read its attributes"):
    """log p(y)/q(y) of one ordered pair against -epsilon and epsilon (None: not bounded by it).

    `outputs` names outputs that can be counted, None for a curve; infinite values are there too.
    `singles`: outputs beside a curve, each with its place (suppressed: left of it), and its value.
    """

    title: str
    epsilon: float | None
    xs: Sequence[float]
    ys: Sequence[float]
    outputs: Sequence[str] | None
    singles: Sequence[Point] = ()

    def picture(self) -> Plot | BarChart:
        """Return it as a curve, or as a bar for each output, the largest first."""
        keys, bounds = list[tuple[str, str]](), list[GuideLine]()
        if (epsilon := self.epsilon) is not None:
            keys = [("ink dashes", f"epsilon = {epsilon:.4g} and -epsilon")]
            bounds = [GuideLine(sign * epsilon, "ink dashes", upright=False) for sign in (1, -1)]
        if self.outputs is not None:
            bars = [Bar(name, y) for name, y in zip(self.outputs, self.ys, strict=True)]
            bars.sort(key=lambda bar: -abs(bar.value))
            return BarChart(
                self.title, NOTE, _RATIO, bars, keys, bound=self.epsilon, signed=True
            )
        curve = Line([*zip(self.xs, self.ys, strict=True)], "s0")
        stems = [Line([(x, 0.0), (x, y)], "s0", 4.0) for x, y in self.singles if math.isfinite(y)]
        dots = [Dots(self.singles, "s0")] if self.singles else []
        return Plot(
            self.title, NOTE, Axis("y"), Axis(), [*bounds, ZERO_LINE, curve, *stems, *dots],
            [("s0", _RATIO), *keys, ("soft", "0")],
        )  # fmt: skip


def log_ratio(problem: Problem, worst: Ordered) -> LogRatio:
    """Return the log ratio of an ordered pair of a problem, as floats.

    `worst` is ``result.pairs[0]`` of certify, or ``result.worst`` of loss. On the line it goes to
    5 scales, or standard deviations, beyond the priors.
    Raises InputError where there are too many outputs, and as `sampled_outputs_of`.
    """
    tuples = isinstance(problem.release, Tupling)
    if isinstance(problem.release, Tupling):
        problem = problem.under(problem.release.base)
    item, reverse = pair_of(problem, worst)
    with mpmath.workdps(DIGITS):
        with told_at("--plot: "):
            seen = sampled_outputs_of(item, POINTS, _COUNTED)
        first, second = seen.laws[::-1] if reverse else seen.laws
        ratios = {y: _log(first(y), second(y)) for y in seen.points}
        target = target_of(item)
        bounded = target.bound not in (Bound.RENYI, Bound.ZCDP)
        epsilon = float(number_of(target.epsilon)) if bounded else None
    named = distinct([worst.from_, worst.to])
    title = f"{_RATIO}, from {named[worst.from_]} against {named[worst.to]}"
    if tuples:
        title += ": of tuples of one output alone, between which all others lie"
    known = {y: ratio for y, ratio in ratios.items() if not math.isnan(ratio)}
    if not known:
        raise InputError("--plot: there is no output to draw")
    if seen.every:
        names = [seen.word(y) for y in known]
        return LogRatio(title, epsilon, range(len(known)), list(known.values()), names)
    curve = {float(y): ratio for y, ratio in known.items() if isinstance(y, Fraction)}
    xs = list(curve)
    left = xs[0] - (xs[-1] - xs[0]) / 15 if xs else 0.0
    singles = [
        (left if y == SUPPRESSED else float(Fraction(y)), ratio)
        for y, ratio in known.items() if isinstance(y, str)
    ]  # fmt: skip
    return LogRatio(title, epsilon, xs, list(curve.values()), None, singles)


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
        case CurveResult():
            return curve_picture(result)
        case CertifyResult():
            return log_ratio(problem, result.pairs[0]).picture()
        case LossResult():
            item, reverse = pair_of(problem, result.worst)
            if has_form(item.first_prior, item.release):
                return log_ratio(problem, result.worst).picture()
            return profile(comparison(item)[reverse], result)


def profile(order: Comparison, result: LossResult) -> Plot:
    """Return delta at every epsilon of one order of many releases, between its two bounds."""
    ends = [result.epsilon_star.upper, result.epsilon, *(
        [] if result.epsilon_at_delta is None else [result.epsilon_at_delta.upper]
    )]  # fmt: skip
    finite = [float(end) for end in ends if not isinstance(end, Infinite)]
    top = Fraction(min(max(finite, default=1.0), 2 * float(result.epsilon) + 1)).limit_denominator(
        1000
    )
    points: list[tuple[float, float, float]] = []
    target = order.target.of_events()
    with within(_DRAWN):
        for k in range(_CURVE + 1):
            epsilon = top * k / _CURVE
            found = order.against(target.at_epsilon(epsilon)).exceeding()
            low, high = ends_of(found, _CURVE_BITS)
            points.append((float(epsilon), float(low), float(high)))
    named = distinct([result.worst.from_, result.worst.to])
    title = f"delta, from {named[result.worst.from_]} against {named[result.worst.to]}"
    lower, upper = ([(x, ends[k]) for x, *ends in points] for k in (0, 1))
    marks: list[Mark] = [
        Band(points, "s0"), Line(upper, "s0", 1.4), Line(lower, "s0 dots", 1.0),
        GuideLine(float(result.epsilon), "ink dashes"),
    ]  # fmt: skip
    keys = [("s0", "delta is proved to lie between both lines"), ("ink dashes", "epsilon")]
    return Plot(title, NOTE_OF_BOUNDS, Axis("epsilon"), Axis("delta", low=0), marks, keys)


def ladder(result: CalibrateResult) -> BarChart:
    """Return the scales of a result, the smallest first; equal ones as calibrate lists them."""
    bars = sorted(CalibrateView(result).bars(), key=lambda bar: bar.value)
    size = size_word(result.noise)
    title = f"{size} of {result.noise} noise, method by method"
    return BarChart(title, NOTE, size, bars, never=f"no {size} works")
