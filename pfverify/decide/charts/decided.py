"""Both orders of one pair with densities: verdict, loss, delta, witness and what proves them."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.charts.bare import bare_event_witness, needs_event
from pfverify.decide.charts.order import OneOrder, Proof, PureSign, SmoothQuestion
from pfverify.decide.charts.supremum import Supremum, largest_excess, largest_loss
from pfverify.decide.charts.witness import event_witness, point_witness
from pfverify.decide.outcome import Directed, Enclosure, Verdict, Witness, verdict_of
from pfverify.exact.decimals import decimal_step
from pfverify.model.problem import PairOfPriors

UNTOLD = (
    "the excess could not be told from 0 at the highest precision tried: it may be exactly 0 (a "
    "tie), for which there is no exact test here"
)


def decided_smooth(question: SmoothQuestion, item: PairOfPriors, digits: int) -> list[Directed]:
    """Decide both orders of one pair of priors of which one, or the noise, has a density.

    Example: ``decided_smooth(SmoothQuestion.of(problem, item), item, 12)[0].verdict``.
    Source: design facts F5 to F8; definition: Gaussian-priors paper, Definition 1.
    """
    return [_directed(question, item, reverse, digits) for reverse in (False, True)]


def _directed(
    question: SmoothQuestion, item: PairOfPriors, reverse: bool, digits: int
) -> Directed:
    order = question.order(reverse)
    target = question.target
    loss = largest_loss(order, digits)
    delta: Enclosure | None = None
    witness: Witness | None = None
    reason: str | None = None
    if target.delta.sign() == 0 or question.form == "pointwise":
        found = order.pure_sign(target, question.form)
        sign, proof = found.sign, found.proof
        if question.form == "pointwise" and target.delta.sign() != 0:
            delta = largest_excess(order, digits).value
            rule = "pointwise-refuted"
        else:
            rule = "pure-refuted"
        if sign == 1 and needs_event(order, target, question.form) and proof.chart is not None:
            rule = "event-refuted"
            witness = bare_event_witness(order, target, proof.chart, proof.bits)
        elif sign == 1:
            witness = _point(order, found, loss)
        elif sign is None:
            reason = UNTOLD
    else:
        events = order.events(digits)
        sign, proof, delta, reason = events.sign, events.proof, events.delta, events.reason
        rule = "event-refuted"
        if sign == 1 and proof.chart is not None:
            look = bare_event_witness if question.bare else event_witness
            witness = look(order, target, proof.chart, proof.bits)
    verdict = verdict_of(sign)
    if verdict is Verdict.REFUTED and witness is None:
        verdict, reason = Verdict.UNDECIDED, "no witness with a positive margin was found"
    return Directed(
        belief=item.belief,
        from_=item.second if reverse else item.first,
        to=item.first if reverse else item.second,
        verdict=verdict,
        loss=loss.value,
        delta=delta,
        tie=sign == 0,
        worst_y=shortened(loss.where),
        witness=witness,
        reason=reason,
        rule=_rule(verdict, rule, proof),
        proof=proof,
    )


def _rule(verdict: Verdict, refuting: str, proof: Proof) -> str | None:
    if verdict is Verdict.UNDECIDED:
        return None
    return refuting if verdict is Verdict.REFUTED else proof.rule


def _point(order: OneOrder, found: PureSign, loss: Supremum) -> Witness | None:
    question = order.question
    form = "events" if question.target.delta.sign() == 0 else question.form
    starts = [loss.where] if isinstance(loss.where, Fraction) else []
    starts += [found.y] if found.y is not None else []
    for start in starts:
        witness = point_witness(order, question.target, form, start)
        if witness is not None:
            return witness
    return None


def shortened(where: Fraction | str, digits: int = 12) -> Fraction | str:
    """Return a place rounded to a decimal that people can read; ends stay "-inf" and "inf"."""
    if isinstance(where, str) or where == 0:
        return where
    step = decimal_step(where, digits)
    return (where / step).__round__() * step
