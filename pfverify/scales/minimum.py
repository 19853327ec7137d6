"""The least private scale, bracketed by one refuted and one certified decimal (fact F2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.assumptions import check_pointwise
from pfverify.decide.comparison import Scaled
from pfverify.decide.verdict import Verdict, joined_lazily
from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.model.problem import Problem
from pfverify.scales.leading import leading
from pfverify.scales.pairs import Pairs
from pfverify.scales.search import Search, verdict_of_orders

_NO_NOISE = (
    "{priors} already meet the target: no noise is needed, against the listed secrets and "
    "exactly these {kind}; the value itself is published"
)
_IN_THE_LIMIT = (
    "{priors} already meet the target: every scale above 0 is private, against the listed "
    "secrets and exactly these {kind}; at 0 itself the release has no density, which the pointwise "
    "form is about"
)
_ROUNDED = (
    "with a delta many releases are known between two bounds, so that the ends, both decided, are "
    "neighbours of {} digits; a smaller --gap tells more"
)


@dataclass(frozen=True)
class Bracket:
    """lower refuted (0: not asked), upper certified; None means that no scale works.

    They are neighbouring decimals, unless `reason` says what between them is undecided.
    """

    lower: Fraction
    upper: Fraction | None
    reason: str | None = None


def verdict_at(scaled: Scaled, scale: Fraction) -> Verdict:
    """Decide both orders at one scale > 0, verdicts only.

    Example: ``verdict_at(Pairs(problem).scaled[0], Fraction(3)).value``.
    """
    return verdict_of_orders(scaled.at(scale))


def without_noise(scaled: Scaled) -> Verdict:
    """Decide whether the priors themselves meet the target in both orders.

    Then every scale > 0 is private as well, because adding noise is post-processing.
    Source: design fact F2.
    """
    return verdict_of_orders(scaled.bare())


def minimum_scale(problem: Problem, grid: Grid) -> Bracket:
    """Bracket the least scale that is private for every belief, pair and order.

    Returns neighbours on the grid. Floats propose; both ends are
    decided exactly. Where a decimal on the way is undecided a neighbouring one is decided, and
    the reason says so. Raises UndecidedError where that leads nowhere.

    Source: design fact F2 (private scales form an up-set).
    """
    return least_of(Pairs(problem), grid)


def least_of(pairs: Pairs, grid: Grid) -> Bracket:
    """Bracket the least scale of pairs that are set up; see `minimum_scale`.

    A pair whose sufficient scale is below another pair's proposal is not the worst one: nothing is
    proposed for it, and nothing decided where that bound covers the scale.
    """
    asked = pairs.questions()
    finest = min((one.finest for one in asked if one.finest is not None), default=None)
    if finest is not None:
        grid = Grid(min(grid.digits, finest))
    for scaled in asked:
        if (never := scaled.never()) is not None:
            return Bracket(Fraction(0), None, never.words)

    def needs_noise(one: Scaled) -> bool:
        pairs.to_decide(one, Fraction(0))
        return without_noise(one) is not Verdict.CERTIFIED

    def proposal(number: int) -> Fraction | None:
        return asked[number].proposal(grid) if needs_noise(asked[number]) else None

    found = leading(len(asked), lambda k: asked[k].sufficient, proposal)
    if not found:
        return Bracket(Fraction(0), Fraction(0), _reason_for_zero(pairs.problem))
    first = sorted(found, key=lambda k: -found[k])
    guess = asked[first[0]].refined(found[first[0]], grid)
    questions = [asked[k] for k in first]
    others = [one for k, one in enumerate(asked) if k not in found]

    def verdicts(scale: Fraction) -> Iterator[Verdict]:
        yield from (verdict_at(q, scale) for q in questions if pairs.to_decide(q, scale))
        for other in others:
            if pairs.to_decide(other, scale) and needs_noise(other):
                yield verdict_at(other, scale)

    search = Search("at scale {}", lambda scale: joined_lazily(verdicts(scale)), grid.text)
    lower, upper, between = search.decimals(guess or _smallest_gap(questions), grid)
    if between is None:
        return Bracket(lower, upper, None if finest is None else _ROUNDED.format(grid.digits))
    return Bracket(lower, upper, f"{between}, so the ends, both decided, are not neighbours")


def _reason_for_zero(problem: Problem) -> str:
    families = problem.source.stands_for is not None
    words = {"priors": "all members of the families", "kind": "families"} if families else {
        "priors": "the priors", "kind": "priors",
    }  # fmt: skip
    try:
        check_pointwise(problem.replaced(scale=0))
    except InputError:
        return _IN_THE_LIMIT.format(**words)
    return _NO_NOISE.format(**words)


def _smallest_gap(questions: Sequence[Scaled]) -> Fraction:
    gaps = [gap for question in questions if (gap := question.smallest_gap) is not None]
    return min(gaps, default=Fraction(1))
