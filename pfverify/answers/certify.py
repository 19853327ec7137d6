"""The verdict on a whole problem: every belief, pair and order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pfverify.answers.outcome import (
    CertifyResult,
    Directed,
    asked_within,
    checked_digits,
    checked_progress,
    place,
    refutation_of,
)
from pfverify.answers.stated import stated_at_scale, stated_order
from pfverify.decide.assumptions import assumed, check_pointwise
from pfverify.decide.comparison import Comparison
from pfverify.decide.routes import comparison
from pfverify.decide.step import Evidence
from pfverify.decide.verdict import Verdict, joined, verdict_of
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Real, real
from pfverify.exact.written import written
from pfverify.model.problem import Problem, as_problem
from pfverify.model.question import Question
from pfverify.results import DEFAULT_DIGITS

_ORDER = {Verdict.REFUTED: 0, Verdict.UNDECIDED: 1, Verdict.CERTIFIED: 2}


def certify(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    gap: AnyNumber | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CertifyResult:
    """Decide whether a problem's release is private on every output.

    Parameters: the problem, or the name of its file (its noise needs a scale); `digits` of the
    printed enclosures; `gap`, how far apart the two bounds of a delta of many releases may be, of
    it (default 1/1000); `progress(done, total)`, called after every pair.
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
    with asked_within(gap):
        return verdict_on(
            problem, decided_pairs(problem, list(problem.questions()), digits, progress)
        )


def decided_pairs(
    problem: Problem,
    items: Sequence[Question],
    digits: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Directed]:
    """Return the outcomes of both orders of some pairs of a problem, in the order of the pairs.

    Raises as `certify`.
    Example: ``decided_pairs(problem, list(problem.questions()), 12)[0].verdict``.
    """
    problem.scale()
    check_pointwise(problem)
    outcomes: list[Directed] = []
    named, about = problem.release.named, problem.release.decided_output
    for done, item in enumerate(items, 1):
        first, second = comparison(item)
        own = real(first.target.epsilon) if problem.protection.extended else None
        names = item.first, item.second
        for compared, both in ((first, names), (second, names[::-1])):
            outcomes.append(
                outcome_of(compared, item.belief, both, own, digits, named=named, about=about)
            )
        if progress:
            progress(done, len(items))
    return outcomes


def verdict_on(problem: Problem, outcomes: Sequence[Directed]) -> CertifyResult:
    """Return the verdict on a problem from the outcomes of all its ordered pairs, in its order.

    Raises ValueError where there are none.
    Example: ``verdict_on(problem, certify(problem).pairs).verdict``.
    """
    outcomes = sorted(outcomes, key=_worst_first)
    return CertifyResult(
        verdict=joined([outcome.verdict for outcome in outcomes]),
        pairs=outcomes,
        assumed=assumed(problem, bare=problem.release.noise.adds_nothing),
        channel=problem.release.named_kind,
        several=problem.release.several,
        order=stated_order(problem),
        **stated_at_scale(problem),
    )


def outcome_of(
    compared: Comparison,
    belief: str,
    names: tuple[str, str],
    own: Real | None,
    digits: int,
    *,
    named: bool,
    about: str | None = None,
) -> Directed:
    """Decide one order, whose epsilon may be its own. A refutation without a witness is none.

    Example: ``outcome_of(comparison(item)[0], "default", ("a", "b"), None, 12, named=False)``.
    """
    found = compared.decided()
    verdict, reason, evidence = verdict_of(found.sign), found.reason, found.evidence
    refuted = None if found.breach is None else refutation_of(found.breach, about)
    witness = None if refuted is None else refuted.witness
    if verdict is Verdict.REFUTED and refuted is None:
        verdict, reason = Verdict.UNDECIDED, compared.no_witness
    elif refuted is not None:
        evidence = refuted
    proof: Evidence | None = None if verdict is Verdict.UNDECIDED else evidence
    return Directed(
        belief=belief,
        from_=names[0],
        to=names[1],
        verdict=verdict,
        loss=written(found.loss, digits),
        delta=None if found.delta is None else written(found.delta, digits),
        tie=found.sign == 0,
        worst_y=place(found.worst, named=named),
        witness=witness,
        reason=reason,
        rule=None if proof is None else proof.rule,
        ties=found.ties,
        epsilon=own,
        divergence=None if found.divergence is None else written(found.divergence, digits),
        proof=proof,
    )


def _worst_first(outcome: Directed) -> tuple[int, float, float]:
    return (
        _ORDER[outcome.verdict],
        -_size(outcome.delta if outcome.divergence is None else outcome.divergence),
        -_size(outcome.loss),
    )


def _size(enclosure: Enclosure | None) -> float:
    return 0.0 if enclosure is None else float(enclosure.upper)
