"""Whether the priors themselves meet the target: then no noise is needed (fact F2)."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.pair import Pair, Target
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ExpSum
from pfverify.exact.number import Number


def holds_without_noise(pair: Pair, target: Target, form: str) -> Answer:
    """Say whether both orders of a pair meet the target with no noise at all.

    events: sum of [P - e**epsilon Q]+ <= delta. pointwise: every P(a) - e**epsilon Q(a) is <= 0
    for a density (small scales make densities large), <= delta for masses. Then every scale > 0
    is private as well, because adding noise is post-processing.
    Source: design fact F2.
    """
    answers = [_order(pair, target, form, reverse) for reverse in (False, True)]
    if Answer.NO in answers:
        return Answer.NO
    return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.YES


def _order(pair: Pair, target: Target, form: str, reverse: bool) -> Answer:
    if pair.equal or (form == "events" and (target.delta - Number.of_rational(1)).sign() == 0):
        return Answer.YES
    upper, lower = (1, 0) if reverse else (0, 1)
    zero = Number.of_rational(0)
    density = form == "pointwise" and pair.noise.step is None
    any_breaks = density or target.delta.sign() == 0
    excesses = []
    for a, b in zip(pair.weights[upper], pair.weights[lower], strict=True):
        if not a:
            continue
        p, q = Fraction(a, pair.totals[upper]), Fraction(b, pair.totals[lower])
        sign = excess_sign(p, q, target, zero)
        if sign is None:
            return Answer.UNKNOWN
        if sign == 1:
            if any_breaks:
                return Answer.NO
            excesses.append((p, q))
    if not excesses:
        return Answer.YES
    if form == "events":
        nothing = Fraction(0)
        excesses = [
            (sum((p for p, _ in excesses), nothing), sum((q for _, q in excesses), nothing))
        ]
    signs = [excess_sign(p, q, target, target.delta) for p, q in excesses]
    if 1 in signs:
        return Answer.NO
    return Answer.UNKNOWN if None in signs else Answer.YES


def excess_sign(p: Fraction, q: Fraction, target: Target, delta: Number) -> int | None:
    """Return the sign of p - e**epsilon q - delta: by a ball, then exactly, or by rising balls.

    Where q = 0 epsilon does not matter.
    """
    if not q:
        return (Number.of_rational(p) - delta).sign()

    def excess() -> Ball:
        return Ball(p) - Ball(target.exp_epsilon()) * Ball(q) - delta.ball()

    exact = target.epsilon.linear is not None and delta.ratio is not None
    sign = rising_sign(excess, FIRST_BITS, FIRST_BITS if exact else CAP_BITS)
    if sign is None and target.epsilon.linear is not None and delta.ratio is not None:
        top, bottom = delta.ratio
        part = ExpSum.constant(p) - ExpSum.power(target.epsilon.linear, q)
        sign = (part * bottom - top).sign()
    return sign
