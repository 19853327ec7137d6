"""The verdict on a whole problem: every belief, pair and order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pfverify.decide.charts.decided import decided_smooth
from pfverify.decide.charts.order import SmoothQuestion
from pfverify.decide.exponential.events import events_order
from pfverify.decide.exponential.pair import Pair, Rate, Target
from pfverify.decide.exponential.pointwise import pointwise_order
from pfverify.decide.exponential.pure import PureOrder, pure_orders
from pfverify.decide.exponential.witness import event_witness
from pfverify.decide.masses.decided import check_pointwise, decided_bare, is_bare
from pfverify.decide.outcome import (
    ASSUMED,
    DEFAULT_DIGITS,
    IDEAL_LATTICE,
    IDEAL_REAL,
    PUBLISHED,
    CertifyResult,
    Directed,
    Enclosure,
    Verdict,
    Witness,
    checked_digits,
    checked_progress,
    joined,
)
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.rising import MOST_BITS
from pfverify.model.problem import PairOfPriors, Problem, as_problem, discrete_priors, is_smooth

_CAP_REASON = (
    "the loss may equal epsilon exactly, and epsilon or 1/scale is outside the classes with a "
    "complete zero test (a rational plus logarithms)"
)
_NO_MARGIN = f"is proved at {MOST_BITS} bits"
_ORDER = {Verdict.REFUTED: 0, Verdict.UNDECIDED: 1, Verdict.CERTIFIED: 2}


@dataclass(frozen=True)
class Question:
    """One pair under one scale and target, ready to be decided."""

    pair: Pair
    rate: Rate
    target: Target
    form: str

    @classmethod
    def of(cls, problem: Problem, item: PairOfPriors) -> Question:
        """Return the question for one pair of a problem, at the problem's scale, which is > 0.

        Raises InputError without noise, Gaussian noise and a prior with a density.
        """
        if problem.noise.adds_nothing:
            raise InputError("noise: at scale 0 there is no noise, expected a scale > 0")
        first, second = discrete_priors(item, "this decision is about atoms", problem.noise)
        pair = Pair(first, second, problem.noise)
        target = Target(problem.epsilon, problem.delta)
        return cls(pair, Rate(problem.scale()), target, problem.form)


def certify(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> CertifyResult:
    """Decide whether a problem's release is private on every output.

    Parameters: the problem, or the name of its file (its noise needs a scale); `digits` of the
    printed enclosures; `progress(done, total)`, called after every pair.
    Returns a `CertifyResult` whose `pairs` hold both orders of every pair, worst first.
    From several threads it is safe, with the same answers: they take turns. To decide several
    problems at the same time use processes.
    At scale 0, and with `NoNoise`, X itself is released: the decision is about the priors.
    Raises InputError when the problem has no scale, and for the pointwise form where the release
    has no density (atoms without noise).

    Example: ``certify(Problem.load("census.toml")).verdict``.
    Source: design facts F1, F3 to F8, F12; definition: Gaussian-priors paper, Definition 1.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    scale = problem.scale()
    check_pointwise(problem)
    items = list(problem.pairs_of_priors())
    outcomes: list[Directed] = []
    for done, item in enumerate(items, 1):
        if is_bare(problem, item):
            outcomes += decided_bare(problem, item, digits)
        elif is_smooth(item, problem.noise):
            outcomes += decided_smooth(SmoothQuestion.of(problem, item), item, digits)
        else:
            outcomes += decided_pair(Question.of(problem, item), item, digits)
        if progress:
            progress(done, len(items))
    outcomes.sort(key=_worst_first)
    return CertifyResult(
        verdict=joined([outcome.verdict for outcome in outcomes]),
        epsilon=problem.epsilon.text,
        delta=problem.delta.text,
        form=problem.form,
        scale=scale.text,
        noise=problem.noise.kind,
        pairs=outcomes,
        assumed=assumed(problem, bare=problem.noise.adds_nothing),
    )


def assumed(problem: Problem, *, bare: bool = False) -> list[str]:
    """Return what a verdict on this problem takes for granted, in words.

    `bare`: the verdict is about a release without noise.
    """
    lattice = problem.noise.step is not None
    masses = lattice or (bare and all(is_bare(problem, i) for i in problem.pairs_of_priors()))
    extra = [PUBLISHED if bare else IDEAL_LATTICE if lattice else IDEAL_REAL, *ASSUMED]
    if missing := problem.secrets_in_no_pair():
        shown = ", ".join(repr(name) for name in missing[:5]) + (", ..." if missing[5:] else "")
        extra.append(f"secrets in no pair are not compared ({shown})")
    if problem.delta.fraction == 1:
        extra.append("delta = 1 bounds nothing: every release meets this target")
    if problem.form == "pointwise":
        extra.append(
            "the pointwise form: delta bounds a mass, necessary but not sufficient for events"
            if masses
            else "the pointwise form: delta bounds a density (unit 1/output), which says nothing "
            "about every event"
        )
    return extra


def decided_pair(question: Question, item: PairOfPriors, digits: int) -> list[Directed]:
    """Decide both orders of one pair."""
    pair, rate, target = question.pair, question.rate, question.target
    orders = pure_orders(pair, rate, target.epsilon, digits)
    outcomes = []
    for reverse, pure in zip((False, True), orders, strict=True):
        names = (item.second, item.first) if reverse else (item.first, item.second)
        outcomes.append(_directed(question, pure, reverse, item.belief, names, digits))
    return outcomes


def _directed(
    question: Question,
    pure: PureOrder,
    reverse: bool,
    belief: str,
    names: tuple[str, str],
    digits: int,
) -> Directed:
    pair, rate, target = question.pair, question.rate, question.target
    worst = pure.worst
    verdict, delta, tie, ties = pure.verdict, None, pure.sign == 0, pure.ties
    rule: str | None = "pure"
    witness: Witness | None = None
    reason: str | None = None
    if target.delta.sign() == 0:
        if verdict is Verdict.REFUTED and pure.margin is not None:
            rule = "pure-refuted"
            witness = Witness(margin=pure.margin, y=decimal_text(pair.atom(worst)))
        if verdict is Verdict.UNDECIDED:
            reason = _CAP_REASON
    elif question.form == "pointwise":
        point = pointwise_order(pair, rate, target, reverse, pure.sign, digits)
        verdict, delta, tie, reason = point.verdict, point.delta, point.sign == 0, point.reason
        if pure.verdict is not Verdict.CERTIFIED:
            worst, ties, rule = point.worst, point.ties, "pointwise"
        if point.margin is not None:
            rule = "pointwise-refuted"
            witness = Witness(margin=point.margin, y=decimal_text(pair.atom(worst)))
    else:
        events = events_order(pair, rate, target, reverse, pure.sign, digits)
        verdict, delta, tie, reason = events.verdict, events.delta, events.sign == 0, events.reason
        if pure.verdict is not Verdict.CERTIFIED:
            ties, rule = (), "delta-tie" if tie else "delta-upper"
        if verdict is Verdict.REFUTED:
            rule = "event-refuted"
            witness = event_witness(pair, rate, target, reverse)
    if verdict is Verdict.REFUTED and witness is None:
        verdict, reason = Verdict.UNDECIDED, f"the excess is > 0, but no margin > 0 {_NO_MARGIN}"
    return Directed(
        belief=belief,
        from_=names[0],
        to=names[1],
        verdict=verdict,
        loss=pure.loss,
        delta=delta,
        tie=tie,
        worst_y=pair.atom(worst),
        witness=witness,
        reason=reason,
        rule=None if verdict is Verdict.UNDECIDED else rule,
        ties=tuple(pair.atom(k) for k in ties),
    )


def _worst_first(outcome: Directed) -> tuple[int, float, float]:
    return (
        _ORDER[outcome.verdict],
        -_size(outcome.delta),
        -_size(outcome.loss),
    )


def _size(enclosure: Enclosure | None) -> float:
    return 0.0 if enclosure is None else float(enclosure.upper)
