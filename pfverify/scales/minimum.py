"""The least private scale, bracketed by one refuted and one certified decimal (fact F2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite

import numpy as np

from pfverify.decide.certify import Question
from pfverify.decide.exponential.events import events_order, excess
from pfverify.decide.exponential.filter import Lattice
from pfverify.decide.exponential.pair import Pair, Rate, Target
from pfverify.decide.exponential.pointwise import pointwise_order, values_at_atoms
from pfverify.decide.exponential.pure import pure_orders
from pfverify.decide.masses.decided import check_pointwise
from pfverify.decide.masses.order import holds_without_noise
from pfverify.decide.outcome import Verdict, joined
from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError, float_root, least_decimal, polished
from pfverify.model.problem import PairOfPriors, Problem, discrete_priors, is_smooth
from pfverify.scales.smooth_scale import SmoothScale

_NO_NOISE = (
    "the priors already meet the target: no noise is needed, against the listed secrets and "
    "exactly these priors; the value itself is published"
)
_IN_THE_LIMIT = (
    "the priors already meet the target: every scale above 0 is private, against the listed "
    "secrets and exactly these priors; at 0 itself the release has no density, which the pointwise "
    "form is about"
)
_SAFE = 1e-250  # smaller sums are worked out in logarithms


@dataclass(frozen=True)
class Bracket:
    """lower refuted (0: not asked), upper certified; None means that no scale works.

    They are neighbouring decimals, unless `reason` says what between them is undecided.
    """

    lower: Fraction
    upper: Fraction | None
    reason: str | None = None


class ScaleQuestion:
    """One pair of a problem, to be decided at any scale."""

    def __init__(self, problem: Problem, item: PairOfPriors) -> None:
        self.item = item
        self.form = problem.form
        first, second = discrete_priors(item, "this decision is about atoms", problem.noise)
        self.pair = Pair(first, second, problem.noise)
        self.target = Target(problem.epsilon, problem.delta)
        self.pure = problem.delta.sign() == 0

    def at(self, scale: Fraction) -> Question:
        """Return the question at a rational scale."""
        return Question(self.pair, Rate(Number.of_rational(scale)), self.target, self.form)

    def verdict(self, scale: Fraction) -> Verdict:
        """Decide both orders at one scale, verdicts only."""
        question = self.at(scale)
        if self.pair.equal:
            return Verdict.CERTIFIED
        if self.pure:
            verdicts = [
                order.verdict
                for order in pure_orders(self.pair, question.rate, self.target.epsilon, None)
            ]
        else:
            decide = pointwise_order if self.form == "pointwise" else events_order
            verdicts = []
            for reverse in (False, True):
                outcome = decide(self.pair, question.rate, self.target, reverse, None, None)
                verdicts.append(outcome.verdict)
                if outcome.verdict is Verdict.REFUTED:
                    break
        return joined(verdicts)

    def without_noise(self) -> Answer:
        """Say whether the priors themselves meet the target in both orders."""
        return holds_without_noise(self.pair, self.target, self.form)

    def never(self) -> str | None:
        """Return why no scale at all meets the target, or None."""
        if self.target.epsilon.sign() != 0 or not self.pure or self.pair.equal:
            return None
        return (
            f"epsilon = delta = 0 and the priors of {self.item.first!r} and "
            f"{self.item.second!r} differ: no noise makes them equal"
        )

    def refined(self, guess: Fraction, digits: int) -> Fraction:
        """Improve a positive proposal to `digits` digits; still only a proposal."""
        return _polished(self, guess, digits) if guess else guess

    def proposal(self, digits: int) -> Fraction:
        """Return a scale near this pair's least one; 0 where floats see no need for noise.

        Floats work in units of the width of the support, so that atoms of any size are alike;
        `digits` are for `refined`.
        """
        del digits
        points = self.pair.points
        width = Fraction(points[-1] - points[0], self.pair.denominator)
        smallest = min(self.pair.distinct_gaps) / (points[-1] - points[0])
        gap = self._pure_gap() if self.pure else self._delta_gap(width)
        high = 1.0
        while (value := gap(high)) > 0:
            high *= 16
            if high > 1e300 or not isfinite(value):
                return width * Fraction(high)
        low = high
        while gap(low) <= 0:
            low /= 4
            if low < max(smallest / 1e4, 1e-300):
                return Fraction(0)
        return width * Fraction(float_root(gap, low, high))

    def _pure_gap(self) -> Callable[[float], float]:
        with precision(64):
            epsilon = self.target.epsilon.ball().midpoint()
        losses = FloatLoss(self.pair)
        return lambda scale: losses.largest(scale) - epsilon

    def _delta_gap(self, width: Fraction) -> Callable[[float], float]:
        """Log of divergence over delta by the midpoints of balls."""

        def gap(scale: float) -> float:
            rate = Rate(Number.of_rational(Fraction(scale) * width))
            with precision(128):
                log_delta = self.target.delta.ball().log().midpoint()
                logs = [-inf]
                for reverse in (False, True):
                    if self.form == "pointwise":
                        values = values_at_atoms(self.pair, rate, self.target, reverse)
                        balls = [Ball(value) for value in values]
                    else:
                        balls = [excess(self.pair, rate, self.target, reverse)]
                    for ball in balls:
                        if ball.certain_sign() == 1:
                            logs.append(ball.log().midpoint())
            return max(logs) - log_delta

        return gap


class FloatLoss:
    """Largest |log p/q| over the atoms in float64: a proposal, never a verdict.

    Scales are in units of the width of the support.
    """

    def __init__(self, pair: Pair) -> None:
        origin, width = pair.points[0], pair.points[-1] - pair.points[0]
        self.width = width
        self.lattice = Lattice.of(pair)
        self.points = np.array([(p - origin) / width for p in pair.points])
        with np.errstate(divide="ignore"):
            self.logs = [
                np.log(np.array([w / total for w in weights]))
                for weights, total in zip(pair.weights, pair.totals, strict=True)
            ]

    def largest(self, scale: float) -> float:
        """Return max over atoms of |log p(a)/q(a)| at one scale."""
        if self.lattice is not None:
            p, q = self.lattice.sums(self.lattice.float_powers(1 / (scale * self.width)))
            if min(float(p.min()), float(q.min())) > _SAFE:
                return float(np.abs(np.log(p / q)).max())
        at = self.points / scale
        sums = []
        with np.errstate(all="ignore"):
            for logs in self.logs:
                left = np.logaddexp.accumulate(logs + at) - at
                after = np.logaddexp.accumulate((logs - at)[::-1])[::-1][1:]
                right = np.append(after + at[:-1], -inf)
                sums.append(np.logaddexp(left, right))
            gap = np.abs(sums[0] - sums[1])
        worst = float(np.nanmax(gap)) if len(gap) else 0.0
        return worst if isfinite(worst) else inf


def scale_question(problem: Problem, item: PairOfPriors) -> ScaleQuestion | SmoothScale:
    """Return one pair of a problem, to be decided at any scale."""
    if is_smooth(item, problem.noise):
        return SmoothScale(problem, item)
    return ScaleQuestion(problem, item)


def minimum_scale(problem: Problem, digits: int) -> Bracket:
    """Bracket the least scale that is private for every belief, pair and order.

    Returns neighbouring decimals at `digits` significant digits. Floats propose; both ends are
    decided exactly. Where a decimal on the way is undecided a neighbouring one is decided, and
    the reason says so. Raises UndecidedError where that leads nowhere.

    Source: design fact F2 (private scales form an up-set).
    """
    questions: list[ScaleQuestion | SmoothScale] = []
    for item in problem.pairs_of_priors():
        scaled = scale_question(problem, item)
        if (reason := scaled.never()) is not None:
            return Bracket(Fraction(0), None, reason)
        if scaled.without_noise() is not Answer.YES:
            questions.append(scaled)
    if not questions:
        return Bracket(Fraction(0), Fraction(0), _reason_for_zero(problem))
    proposals = {id(q): q.proposal(digits) for q in questions}
    questions.sort(key=lambda q: -proposals[id(q)])
    guess = questions[0].refined(proposals[id(questions[0])], digits)

    undecided: list[Fraction] = []

    def holds(scale: Fraction) -> bool:
        verdict = joined_lazily(question.verdict(scale) for question in questions)
        if verdict is Verdict.UNDECIDED:
            undecided.append(scale)
            raise UndecidedError(f"the verdict at scale {decimal_text(scale)} is undecided")
        return verdict is Verdict.CERTIFIED

    lower, upper = least_decimal(holds, guess or _smallest_gap(questions), digits)
    between = [scale for scale in undecided if lower < scale < upper]
    if not between:
        return Bracket(lower, upper)
    return Bracket(
        lower,
        upper,
        f"the verdict at scale {decimal_text(between[-1])} is undecided, so the ends, both "
        "decided, are not neighbours",
    )


def _reason_for_zero(problem: Problem) -> str:
    try:
        check_pointwise(problem.replaced(scale=0))
    except InputError:
        return _IN_THE_LIMIT
    return _NO_NOISE


def joined_lazily(verdicts: Iterator[Verdict]) -> Verdict:
    """Return the verdict of all of several, asking no further than the first refuted one.

    Example: ``joined_lazily(iter([Verdict.UNDECIDED, Verdict.REFUTED]))`` is refuted.
    """
    worst = Verdict.CERTIFIED
    for verdict in verdicts:
        if verdict is Verdict.REFUTED:
            return verdict
        if verdict is Verdict.UNDECIDED:
            worst = verdict
    return worst


def _smallest_gap(questions: Sequence[ScaleQuestion | SmoothScale]) -> Fraction:
    gaps = [
        Fraction(min(q.pair.distinct_gaps), q.pair.denominator)
        for q in questions
        if isinstance(q, ScaleQuestion)
    ]
    return min(gaps, default=Fraction(1))


def _polished(question: ScaleQuestion, guess: Fraction, digits: int) -> Fraction:
    """Improve a proposal for a pure target by secant steps at its worst atom, in balls."""
    if not question.pure:
        return guess
    orders = pure_orders(question.pair, Rate(Number.of_rational(guess)), question.target.epsilon)
    order = max(range(2), key=lambda i: float(orders[i].loss.upper))
    worst, sign = orders[order].worst, (1, -1)[order]

    def gap(scale: Fraction) -> Ball:
        value = question.pair.log_ratio(worst, Rate(Number.of_rational(scale)).ball().raw)
        return Ball(value * sign) - question.target.epsilon.ball()

    return polished(gap, guess, digits)
