"""How much is lost: epsilon*(scale), delta(epsilon), and the least epsilon at a given delta."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from pfverify.answers.converted import Converted, checked_delta, converted
from pfverify.answers.outcome import (
    Place,
    asked_within,
    checked_digits,
    checked_progress,
    ordered_line,
    place,
)
from pfverify.answers.released import released_by
from pfverify.answers.stated import stated_order
from pfverify.decide.assumptions import assumed, check_pointwise
from pfverify.decide.comparison import Comparison
from pfverify.decide.routes import comparison
from pfverify.decide.targets import distance
from pfverify.errors import shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Ball, fraction_of, precision, raw
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite, Real, order_keys, real
from pfverify.exact.refined import ANYTHING, Between, Refined, exactly
from pfverify.exact.written import written
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem, as_problem
from pfverify.model.question import Question
from pfverify.results import DEFAULT_DIGITS, UNSAID, WHERE_SAID, Brief, Shown

_SPARE_DIGITS, _SPARE_BITS = 3, 128


@dataclass(frozen=True, repr=False)
class DirectedLoss(Brief, NoTruth, ask="compare .epsilon_star.upper or .delta.upper"):
    """The losses of one ordered pair; `y` is the output with the largest log ratio.

    `epsilon` is that of this pair where it differs from pair to pair, because it is multiplied by a
    distance; `epsilon_star_per_unit` is then epsilon* divided by that. `divergence` is that of the
    problem's order, of the form renyi.
    """

    belief: str
    from_: str
    to: str
    epsilon_star: Enclosure
    delta: Enclosure
    epsilon_at_delta: Enclosure | None
    y: Place
    epsilon: Real | None = field(default=None, metadata=WHERE_SAID)
    epsilon_star_per_unit: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    divergence: Enclosure | None = field(default=None, metadata=WHERE_SAID)

    def _line(self) -> str:
        said = f"epsilon* {self.epsilon_star.text}, delta {self.delta.text}"
        return ordered_line(self.from_, self.to, said)


@dataclass(frozen=True, repr=False)
class LossResult(Shown, NoTruth, ask="compare .epsilon_star.upper or .delta.upper"):
    """Largest losses over all ordered pairs, and the same for each pair.

    `epsilon_star` is the max divergence, the supremum of the log ratio, `epsilon_star_per_unit` the
    same per unit of distance (None where epsilon is not multiplied by one); `delta` the
    hockey-stick divergence at the problem's epsilon, one point of the privacy profile (for the
    pointwise form: the largest excess); `epsilon_at_delta` the least epsilon >= 0 at the problem's
    delta, None when delta is 0. Where a search for the latter met a point that could not be
    decided, its ends are 0 and the loss: wide, but right. Of the form renyi `divergence` is the
    largest one of its `order`, and delta is bounded by nothing; `converted` what it says of events
    at a delta that was asked for.
    """

    epsilon_star: Enclosure
    delta: Enclosure
    epsilon_at_delta: Enclosure | None
    worst: DirectedLoss
    pairs: list[DirectedLoss]
    epsilon: Real
    delta_target: Real
    scale: Real
    form: str
    noise: str
    assumed: list[str]
    channel: str | None = field(default=None, metadata=WHERE_SAID)
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)
    epsilon_star_per_unit: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    order: Real | None = field(default=None, metadata=WHERE_SAID)
    divergence: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    converted: Converted | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    def _line(self) -> str:
        return (
            f"epsilon* {self.epsilon_star.text}, delta {self.delta.text} at epsilon "
            f"{shorten(self.epsilon, 24)}, {released_by(self)}"
        )

    def _parts(self) -> Sequence[Brief]:
        return self.pairs


def loss(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    gap: AnyNumber | None = None,
    to_delta: AnyNumber | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LossResult:
    """Return enclosures of epsilon*, delta(epsilon) and the least epsilon at delta.

    Every enclosure is at most two units wide in its `digits`-th significant digit; with a delta of
    many releases as wide as `gap` says, of delta (default 1/1000), and a tenth of that of epsilon.
    `problem` may be the name of its file.
    Of the form renyi `to_delta` asks what its divergence says of events at that delta: `converted`.
    At scale 0 they are those of the priors themselves.
    Raises InputError when the problem has no scale, and for the pointwise form where the release
    has no density (atoms without noise).

    Example: ``loss(problem).epsilon_star.upper``.
    Source: design facts F1, F4, F4b, F5 to F8.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    delta = None if to_delta is None else checked_delta(problem, to_delta)
    with asked_within(gap):
        found = losses_of(
            problem, measured_pairs(problem, list(problem.questions()), digits, progress)
        )
        if delta is None or found.divergence is None:
            return found
        said = converted(problem, found.divergence, delta, digits)
        return replace(found, converted=said)


def measured_pairs(
    problem: Problem,
    items: Sequence[Question],
    digits: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[DirectedLoss]:
    """Return the losses of both orders of some pairs of a problem, in the order of the pairs.

    Raises as `loss`.
    Example: ``measured_pairs(problem, list(problem.questions()), 12)[0].delta``.
    """
    problem.scale()
    check_pointwise(problem)
    pairs: list[DirectedLoss] = []
    named = problem.release.named
    for done, item in enumerate(items, 1):
        first, second = comparison(item)
        far = distance(item)
        names = item.first, item.second
        pairs.append(_losses(first, item.belief, names, far, digits, named))
        pairs.append(_losses(second, item.belief, names[::-1], far, digits, named))
        if progress:
            progress(done, len(items))
    return pairs


def losses_of(problem: Problem, pairs: Sequence[DirectedLoss]) -> LossResult:
    """Return the largest losses of a problem from those of all its ordered pairs, in its order.

    Raises ValueError where there are none.
    Example: ``losses_of(problem, loss(problem).pairs).delta``.
    """
    keys = order_keys([p.epsilon_star.upper for p in pairs])
    pairs = [pairs[k] for k in sorted(range(len(pairs)), key=keys.__getitem__, reverse=True)]
    at_delta = [p.epsilon_at_delta for p in pairs if p.epsilon_at_delta is not None]
    per_unit = [p.epsilon_star_per_unit for p in pairs if p.epsilon_star_per_unit is not None]
    divergences = [p.divergence for p in pairs if p.divergence is not None]
    return LossResult(
        epsilon_star=largest_of([p.epsilon_star for p in pairs]),
        delta=_delta(problem, pairs),
        epsilon_at_delta=largest_of(at_delta) if at_delta else None,
        worst=pairs[0],
        pairs=pairs,
        epsilon=real(problem.epsilon),
        delta_target=real(problem.delta),
        scale=real(problem.scale()),
        form=problem.form,
        noise=problem.release.noise.kind,
        assumed=assumed(problem, bare=problem.release.noise.adds_nothing),
        channel=problem.release.named_kind,
        notion=problem.named_notion,
        several=problem.release.several,
        epsilon_star_per_unit=largest_of(per_unit) if per_unit else None,
        order=stated_order(problem),
        divergence=largest_of(divergences) if divergences else None,
        problem=problem,
    )


def _delta(problem: Problem, pairs: Sequence[DirectedLoss]) -> Enclosure:
    """The largest delta; where the pairs stand for others in their ratios alone, what these allow.

    p <= e^epsilon* q gives P(B) - e^epsilon Q(B) <= (1 - e^(epsilon - epsilon*)) P(B).
    """
    found = largest_of([p.delta for p in pairs])
    if not problem.source.ratio_only:
        return found
    top, ends = max(p.epsilon_star.upper for p in pairs), None
    if not isinstance(top, Infinite):
        with precision(_SPARE_BITS):
            over = problem.epsilon.ball().raw - raw(Fraction(top))
            ends = Ball(1 - over.exp()).ends()
    most = Fraction(1) if ends is None else fraction_of(ends[1])
    if most <= 0:
        return found
    if problem.notion.exceeding is Bound.EXCESS:
        return Enclosure(found.lower, "inf")
    return Enclosure(found.lower, written(exactly(most), DEFAULT_DIGITS).upper)


def _losses(
    compared: Comparison,
    belief: str,
    names: tuple[str, str],
    far: Number | None,
    digits: int,
    named: bool,
) -> DirectedLoss:
    top = compared.loss()
    at_delta, divergence = None, compared.divergence()
    if compared.target.bound in (Bound.DIVERGENCE, Bound.EXCESS):
        at_delta = written(compared.least_epsilon(), digits)
    return DirectedLoss(
        belief=belief,
        from_=names[0],
        to=names[1],
        epsilon_star=written(top.value, digits),
        delta=written(compared.exceeding(), digits),
        epsilon_at_delta=at_delta,
        epsilon=None if far is None else real(compared.target.epsilon),
        epsilon_star_per_unit=None if far is None else _per_unit(top.value, far, digits),
        y=place(top.where, named=named),
        divergence=None if divergence is None else written(divergence, digits),
    )


def _per_unit(star: Refined, far: Number, digits: int) -> Enclosure:
    """Enclose epsilon* divided by the distance: the least epsilon of an extended notion."""
    loss = written(star, digits + _SPARE_DIGITS)
    if loss.upper == 0 or isinstance(loss.upper, Infinite):
        return loss
    if far.sign() != 1:  # a loss, and no distance
        return Enclosure("inf" if far.sign() == 0 and loss.lower > 0 else "0", "inf")
    low, high = Fraction(loss.lower), Fraction(loss.upper)
    if far.fraction is not None:
        return written(Between(low / far.fraction, high / far.fraction), digits)
    with precision(_SPARE_BITS + 4 * digits):
        ends = Ball(raw(low).union(raw(high)) / far.ball().raw).ends()
    if ends is None:
        return written(ANYTHING, digits)
    return written(Between(*map(fraction_of, ends)), digits)
