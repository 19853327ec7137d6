"""Whether the priors themselves meet the target: then no noise is needed (fact F2)."""

from __future__ import annotations

from pfverify.decide.certify import Question
from pfverify.exact.answer import Answer
from pfverify.exact.expsum import ExpSum


def holds_without_noise(question: Question) -> Answer:
    """Say whether both orders of a pair meet the target with no noise at all.

    events: sum of [P - e**epsilon Q]+ <= delta. pointwise: every P(a) - e**epsilon Q(a) is <= 0
    for a density (small scales make densities large), <= delta for masses. Then every scale > 0
    is private as well, because adding noise is post-processing.
    Source: design fact F2.
    """
    answers = [_order(question, reverse) for reverse in (False, True)]
    if Answer.NO in answers:
        return Answer.NO
    return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.YES


def _order(question: Question, reverse: bool) -> Answer:
    pair, target = question.pair, question.target
    if pair.equal:
        return Answer.YES
    if target.epsilon.linear is None or target.delta.ratio is None:
        return Answer.UNKNOWN
    growth = ExpSum.power(target.epsilon.linear)
    upper, lower = (1, 0) if reverse else (0, 1)
    excesses = []
    for a, b in zip(pair.weights[upper], pair.weights[lower], strict=True):
        if not a:
            continue
        part = ExpSum.constant(a * pair.totals[lower]) - growth.times(b * pair.totals[upper])
        sign = part.sign()
        if sign is None:
            return Answer.UNKNOWN
        if sign > 0:
            excesses.append(part)
    if not excesses:
        return Answer.YES
    density = question.form == "pointwise" and pair.noise.step is None
    if density or target.delta.sign() == 0:
        return Answer.NO
    if question.form == "events":
        total = ExpSum({})
        for part in excesses:
            total = total + part
        excesses = [total]
    top, bottom = target.delta.ratio
    bound = top.times(pair.totals[0] * pair.totals[1])
    signs = [(part * bottom - bound).sign() for part in excesses]
    if 1 in signs:
        return Answer.NO
    return Answer.UNKNOWN if None in signs else Answer.YES
