"""The hockey-stick divergence for discrete priors and Laplace noise, in closed form (fact F4).

Between neighbouring atoms g = p - e**epsilon q is a*u + b*(tau/u) up to a factor, with
u = e**(-(y - x_k) rate) in [tau, 1]; a and b are the left and right sums of P - e**epsilon Q.
It has at most one zero: `laws.sweep.positive` has the closed form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from pfverify.decide.exponential.crossings import Noised, divergence_at_zeros
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, precision
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls, Refined, exactly, rising_balls
from pfverify.exact.rising import rising
from pfverify.laws.rate import Rate
from pfverify.laws.sweep.positive import lattice_divergence, line_divergence
from pfverify.laws.sweep.ring import BothSides
from pfverify.model.target import Target

START_BITS = 96
_SPARE_BITS = 48  # beyond those asked for, at first
_FEW = 64  # atoms up to which a round divergence is tested exactly
_EXACT_ATOMS = 600  # beyond this an exact delta tie would need too many terms


def signed_sums(pair: Pair, rate: Rate, target: Target, reverse: bool) -> BothSides:
    """Return the sums of P - e**epsilon Q of one order at the current precision, at every atom."""
    return Noised.of(pair, rate).sides().signed(pair.units(target, reverse=reverse))


def divergence(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Ball:
    """Enclose the hockey-stick divergence, sup over B of P(Y in B) - e**epsilon Q(Y in B).

    Laplace noise integrates over the line; discrete Laplace noise sums over the lattice (F12).
    """
    found = divergence_at_zeros(pair, rate, target, reverse)
    if found is not None:
        return Ball(found)
    sums = signed_sums(pair, rate, target, reverse)
    if pair.step is None:
        return Ball(line_divergence(sums))
    return Ball(lattice_divergence(sums, rate.ball().raw, pair.step, pair.steps))


@dataclass(frozen=True)
class EventsOrder:
    """One order: the divergence and the sign of divergence - delta."""

    sign: int | None
    delta: Refined
    reason: str | None = None


def events_order(
    pair: Pair, rate: Rate, target: Target, reverse: bool, pure_sign: int | None
) -> EventsOrder:
    """Decide whether the divergence of one order is at most delta.

    `pure_sign` is the sign of sup log(p/q) - epsilon for this order where it is known: where it
    is <= 0 the divergence is exactly 0.
    Source: design facts F4 and F12.
    """
    if pure_sign is not None and pure_sign <= 0:
        return EventsOrder(target.sign_of_nothing, ZERO)
    if target.allows_everything:
        # delta = 1 binds nothing: both laws are positive everywhere, so the divergence is below 1
        return EventsOrder(-1, divergence_of(pair, rate, target, reverse, pure_sign))
    sign, reason = None, None
    for bits in rising(START_BITS, 2 * CAP_BITS):
        with precision(bits):
            ball = divergence(pair, rate, target, reverse)
            sign = (ball - target.delta.ball()).certain_sign()
        if sign is None and bits >= 4 * START_BITS:
            tie, reason = _is_tie(pair, rate, target, reverse)
            if tie is Answer.YES:
                sign = 0
            elif tie is Answer.UNKNOWN and bits >= CAP_BITS // 8:
                break
        if sign is not None:
            break
    if sign is not None:
        reason = None
    elif reason is None:
        reason = f"the divergence cannot be told from delta at {bits} bits"
    if sign == 0 and (value := target.delta.fraction) is not None:
        return EventsOrder(sign, exactly(value), reason)
    found = divergence_of(pair, rate, target, reverse, pure_sign, ball, bits)
    return EventsOrder(sign, found, reason)


def divergence_of(
    pair: Pair,
    rate: Rate,
    target: Target,
    reverse: bool,
    pure_sign: int | None,
    known: Ball | None = None,
    tried: int = 0,
) -> Refined:
    """Return the divergence of one order, known better and better.

    `known` is a ball around it, from `tried` bits; `pure_sign` is as of `events_order`.
    """
    if pure_sign is not None and pure_sign <= 0:
        return ZERO

    def is_exactly(value: Fraction) -> bool:
        most = _EXACT_ATOMS if value == target.delta.fraction else _FEW
        at = replace(target, delta=Number.of_rational(value))
        return len(pair) <= most and _is_tie(pair, rate, at, reverse)[0] is Answer.YES

    def number() -> Raw:
        return divergence(pair, rate, target, reverse).raw

    balls = rising_balls(number, _SPARE_BITS, 2 * CAP_BITS, known, tried)
    return ByBalls(balls, Fraction(1), is_exactly)


def _is_tie(
    pair: Pair, rate: Rate, target: Target, reverse: bool
) -> tuple[Answer, str | None]:
    """Say whether the divergence equals delta exactly, by the zero test with radicals."""
    if rate.formal is None or target.epsilon.formal is None or target.delta.ratio is None:
        return Answer.UNKNOWN, "epsilon, delta or 1/scale is outside the exact classes"
    if len(pair) > _EXACT_ATOMS:
        return Answer.UNKNOWN, f"an exact tie test over {len(pair)} atoms has too many terms"
    from pfverify.decide.exponential.exact_events import exact_divergence
    from pfverify.exact.radical import RadicalSum

    found = exact_divergence(pair, rate.formal, target.epsilon.formal, reverse)
    if found is None:
        return Answer.UNKNOWN, "a sign inside the divergence is outside the exact classes"
    numerator, denominator = found
    top, bottom = target.delta.ratio
    answer = (numerator.times(bottom) - RadicalSum.of(top * denominator)).is_zero()
    if answer is Answer.UNKNOWN:
        return answer, "the divergence may equal delta: the tie is outside the exact classes"
    return answer, None
