"""How much is lost: epsilon*(scale), delta(epsilon), and the least epsilon at a given delta."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from pfverify.decide.certify import Question, assumed
from pfverify.decide.charts.decided import shortened
from pfverify.decide.charts.delta import delta_enclosure
from pfverify.decide.charts.least_epsilon import least_epsilon
from pfverify.decide.charts.order import SmoothQuestion
from pfverify.decide.charts.supremum import largest_excess, largest_loss
from pfverify.decide.exponential.events import events_order, excess
from pfverify.decide.exponential.pair import Target
from pfverify.decide.exponential.pointwise import pointwise_order, values_at_atoms
from pfverify.decide.exponential.pure import PureOrder, pure_orders
from pfverify.decide.masses.decided import bare_order, check_pointwise, is_bare
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Enclosure,
    Verdict,
    checked_digits,
    checked_progress,
)
from pfverify.exact.ball import Ball, precision
from pfverify.exact.decimals import decimal_text
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.search import UndecidedError, least_decimal
from pfverify.model.problem import PairOfPriors, Problem, as_problem, is_smooth


@dataclass(frozen=True)
class DirectedLoss(NoTruth, ask="compare .epsilon_star.upper or .delta.upper"):
    """The losses of one ordered pair; `y` is the output with the largest log ratio."""

    belief: str
    from_: str
    to: str
    epsilon_star: Enclosure
    delta: Enclosure
    epsilon_at_delta: Enclosure | None
    y: str


@dataclass(frozen=True)
class LossResult(NoTruth, ask="compare .epsilon_star.upper or .delta.upper"):
    """Largest losses over all ordered pairs, and the same for each pair.

    `epsilon_star` is the supremum of the log ratio; `delta` the divergence at the problem's
    epsilon (for the pointwise form: the largest excess); `epsilon_at_delta` the least epsilon
    >= 0 at the problem's delta, None when delta is 0. Where a search for the latter met a point
    that could not be decided, its ends are 0 and the loss: wide, but right.
    """

    epsilon_star: Enclosure
    delta: Enclosure
    epsilon_at_delta: Enclosure | None
    worst: DirectedLoss
    pairs: list[DirectedLoss]
    epsilon: str
    delta_target: str
    scale: str
    form: str
    noise: str
    assumed: list[str]


def loss(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> LossResult:
    """Return enclosures of epsilon*, delta(epsilon) and the least epsilon at delta.

    Every enclosure is at most two units wide in its `digits`-th significant digit.
    `problem` may be the name of its file.
    At scale 0 they are those of the priors themselves.
    Raises InputError when the problem has no scale, and for the pointwise form where the release
    has no density (atoms without noise).

    Example: ``loss(problem).epsilon_star.upper``.
    Source: design facts F1, F4, F4b, F5 to F8.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    scale = problem.scale()
    check_pointwise(problem)
    items = list(problem.pairs_of_priors())
    pairs: list[DirectedLoss] = []
    for done, item in enumerate(items, 1):
        if is_bare(problem, item):
            pairs += _bare_losses(problem, item, digits)
        elif is_smooth(item, problem.noise):
            pairs += _smooth_losses(problem, item, digits)
        else:
            pairs += _atomic_losses(problem, item, digits)
        if progress:
            progress(done, len(items))
    pairs.sort(key=lambda p: Decimal(p.epsilon_star.upper), reverse=True)
    at_delta = [p.epsilon_at_delta for p in pairs if p.epsilon_at_delta is not None]
    return LossResult(
        epsilon_star=largest([p.epsilon_star for p in pairs]),
        delta=largest([p.delta for p in pairs]),
        epsilon_at_delta=largest(at_delta) if at_delta else None,
        worst=pairs[0],
        pairs=pairs,
        epsilon=problem.epsilon.text,
        delta_target=problem.delta.text,
        scale=scale.text,
        form=problem.form,
        noise=problem.noise.kind,
        assumed=assumed(problem, bare=problem.noise.adds_nothing),
    )


def _atomic_losses(problem: Problem, item: PairOfPriors, digits: int) -> list[DirectedLoss]:
    """Return the losses of both orders of a pair of priors of atoms with Laplace noise."""
    question = Question.of(problem, item)
    with_delta = problem.delta.sign() != 0
    orders = pure_orders(question.pair, question.rate, problem.epsilon, digits)
    return [
        DirectedLoss(
            belief=item.belief,
            from_=item.second if reverse else item.first,
            to=item.first if reverse else item.second,
            epsilon_star=pure.loss,
            delta=_delta(question, pure, reverse, digits),
            epsilon_at_delta=(
                _epsilon_at_delta(question, pure, reverse, digits) if with_delta else None
            ),
            y=decimal_text(question.pair.atom(pure.worst)),
        )
        for reverse, pure in zip((False, True), orders, strict=True)
    ]


def _smooth_losses(problem: Problem, item: PairOfPriors, digits: int) -> list[DirectedLoss]:
    """Return the losses of both orders of a pair with densities."""
    question = SmoothQuestion.of(problem, item)
    found = []
    for reverse in (False, True):
        order = question.order(reverse)
        top = largest_loss(order, digits)
        at_delta = None
        if question.form == "pointwise":
            delta = largest_excess(order, digits).value
        else:
            delta = delta_enclosure(order, digits)
        if problem.delta.sign() != 0:
            at_delta = least_epsilon(order, top.value, digits)
        where = shortened(top.where)
        found.append(
            DirectedLoss(
                belief=item.belief,
                from_=item.second if reverse else item.first,
                to=item.first if reverse else item.second,
                epsilon_star=top.value,
                delta=delta,
                epsilon_at_delta=at_delta,
                y=where if isinstance(where, str) else decimal_text(where),
            )
        )
    return found


def _bare_losses(problem: Problem, item: PairOfPriors, digits: int) -> list[DirectedLoss]:
    """Return the losses of both orders of a pair of priors of atoms without noise."""
    found = []
    for reverse in (False, True):
        order = bare_order(problem, item, reverse)
        excess = order.events(digits) if problem.form == "events" else order.pointwise(digits)
        at_delta = None
        if problem.delta.sign() != 0:
            at_delta = order.least_epsilon(problem.form, digits)
        found.append(
            DirectedLoss(
                belief=item.belief,
                from_=item.second if reverse else item.first,
                to=item.first if reverse else item.second,
                epsilon_star=order.loss(digits),
                delta=excess.amount,
                epsilon_at_delta=at_delta,
                y=decimal_text(order.pair.atom(order.worst)),
            )
        )
    return found


def largest(enclosures: list[Enclosure]) -> Enclosure:
    """Return the enclosure of the maximum of enclosed numbers."""
    lower = max(enclosures, key=lambda e: Decimal(e.lower)).lower
    upper = max(enclosures, key=lambda e: Decimal(e.upper)).upper
    return Enclosure(lower, upper)


def _delta(question: Question, pure: PureOrder, reverse: bool, digits: int) -> Enclosure:
    pair, rate, target = question.pair, question.rate, question.target
    if question.form == "pointwise":
        return pointwise_order(pair, rate, target, reverse, pure.sign, digits).delta
    return events_order(pair, rate, target, reverse, pure.sign, digits).delta


def _epsilon_at_delta(
    question: Question, pure: PureOrder, reverse: bool, digits: int
) -> Enclosure | None:
    """Bracket the least epsilon >= 0 whose divergence is at most delta."""

    def holds(epsilon: Fraction) -> bool:
        target = Target(Number.of_rational(epsilon), question.target.delta)
        decide = pointwise_order if question.form == "pointwise" else events_order
        # a proof of pure privacy is not assumed: the divergence itself is compared with delta
        outcome = decide(question.pair, question.rate, target, reverse, None, None)
        if outcome.verdict is Verdict.UNDECIDED:
            raise UndecidedError(outcome.reason or "undecided")
        signs[epsilon] = outcome.sign
        return outcome.verdict is Verdict.CERTIFIED

    signs: dict[Fraction, int | None] = {}
    try:
        if question.pair.equal or holds(Fraction(0)):
            return Enclosure("0", "0")
        guess = _propose_epsilon(question, pure, reverse)
        lower, upper = least_decimal(holds, guess, digits)
    except UndecidedError:
        return Enclosure("0", pure.loss.upper)
    if signs.get(upper) == 0:  # the divergence falls in epsilon: delta itself is met only there
        lower = upper
    return Enclosure(decimal_text(lower, digits), decimal_text(upper, digits))


def _propose_epsilon(question: Question, pure: PureOrder, reverse: bool) -> Fraction:
    """Bisect on the midpoint of the divergence, at moderate precision."""
    low, high = Fraction(0), Fraction(pure.loss.upper)
    with precision(128):
        delta = question.target.delta.ball()
        for _ in range(60):
            middle = (low + high) / 2
            target = Target(Number.of_rational(middle), question.target.delta)
            if question.form == "pointwise":
                values = values_at_atoms(question.pair, question.rate, target, reverse)
                top = values[0]
                for value in values[1:]:
                    top = top.max(value)
                ball = Ball(top)
            else:
                ball = excess(question.pair, question.rate, target, reverse)
            if (ball - delta).midpoint() > 0:
                low = middle
            else:
                high = middle
            if high - low < high / 2**52:
                break
    return high
