"""The hockey-stick divergence for discrete priors and Laplace noise, in closed form (fact F4).

Between neighbouring atoms g = p - e**epsilon q is a*u + b*(tau/u) up to a factor, with
u = e**(-(y - x_k) rate) in [tau, 1]; a and b are the left and right sums of P - e**epsilon Q.
It has at most one zero, so the integral of its positive part is a closed form that never
decreases in a or in b.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from pfverify.decide.exponential.crossings import divergence_at_zeros
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, Raw, ceiling, lower_end, precision, raw, upper_end
from pfverify.exact.expsum import CAP_BITS
from pfverify.exact.number import Number
from pfverify.exact.refined import ZERO, ByBalls, Refined, exactly, rising_balls
from pfverify.exact.rising import rising
from pfverify.laws.exponential import sums_from_both_sides
from pfverify.laws.rate import Rate
from pfverify.model.target import Target

START_BITS = 96
_SPARE_BITS = 48  # beyond those asked for, at first
_FEW = 64  # atoms up to which a round divergence is tested exactly
_EXACT_ATOMS = 600  # beyond this an exact delta tie would need too many terms


@dataclass(frozen=True)
class SignedSums:
    """Left and right sums of P - e**epsilon Q at every atom, as raw balls, and gap factors."""

    left: list[Raw]
    right: list[Raw]
    factors: list[Raw]


def signed_sums(pair: Pair, rate: Rate, target: Target, reverse: bool) -> SignedSums:
    """Return the signed sums of one order at the current precision (masses, not weights)."""
    factors = pair.factors(rate.ball().raw)
    upper, lower = (1, 0) if reverse else (0, 1)
    up = raw(1) / pair.totals[upper]
    down = target.exp_epsilon() / pair.totals[lower]
    weights = pair.rounded_weights()
    p, q = (sums_from_both_sides(weights[which], factors) for which in (upper, lower))
    left, right = (
        [a * up - b * down for a, b in zip(*sums, strict=True)] for sums in zip(p, q, strict=True)
    )
    return SignedSums(left, right, factors)


def divergence(pair: Pair, rate: Rate, target: Target, reverse: bool) -> Ball:
    """Enclose the hockey-stick divergence, sup over B of P(Y in B) - e**epsilon Q(Y in B).

    Laplace noise integrates over the line; discrete Laplace noise sums over the lattice (F12).
    """
    found = divergence_at_zeros(pair, rate, target, reverse)
    if found is not None:
        return Ball(found)
    sums = signed_sums(pair, rate, target, reverse)
    if pair.step is None:
        return Ball(_line_divergence(sums))
    return Ball(_lattice_divergence(pair, rate, sums))


def _line_divergence(sums: SignedSums) -> Raw:
    total = _positive(sums.right[0]) + _positive(sums.left[-1])
    for a, b, tau in zip(sums.left, sums.right[1:], sums.factors, strict=False):
        if a > 0 and b > 0:
            total += (a + b) * (1 - tau)
        elif not (a < 0 and b < 0):
            total += _monotone(_segment, a, b, tau)
    return total / 2


def _positive(value: Raw) -> Raw:
    """Enclose max(value, 0)."""
    if value > 0:
        return value
    if value <= 0:
        return raw(0)
    return value.nonnegative_part() if value.is_finite() else value


def _monotone(part: Callable[[Raw, Raw, Raw], Raw], a: Raw, b: Raw, tau: Raw) -> Raw:
    """Enclose a contribution that never decreases in a or b, from their ends.

    At exact ends every sign is decided; where both signs are decided already, no split is made.
    """
    if (a > 0 or a < 0) and (b > 0 or b < 0):
        return part(a, b, tau)
    if not (a.is_finite() and b.is_finite()):
        return a + b
    low = part(lower_end(a), lower_end(b), tau)
    return low.union(part(upper_end(a), upper_end(b), tau))


def _segment(a: Raw, b: Raw, tau: Raw) -> Raw:
    """Twice the integral of the positive part over one gap; signs of a and b are decided."""
    if a >= 0 and b >= 0:
        return (a + b) * (1 - tau)
    if a <= 0 and b <= 0:
        return raw(0)
    if a < 0:  # mirror image
        a, b = b, a
    # now a > 0 > b: positive near the left end
    whole = a * tau + b  # sign of g at the right end
    start = a + b * tau  # sign of g at the left end
    if whole >= 0:
        return (a + b) * (1 - tau)
    if start <= 0:
        return raw(0)
    split = a.sqrt() - (-b * tau).nonnegative_part().sqrt()
    crossing = _positive(split) * _positive(split)
    return crossing if whole < 0 else crossing.union((a + b) * (1 - tau))


def _lattice_divergence(pair: Pair, rate: Rate, sums: SignedSums) -> Raw:
    """Sum the positive part of g over the lattice: atoms, the points between them, two tails."""
    step = pair.step or Fraction(1)
    unit = step * pair.denominator  # lattice step in integer points
    log_s = -rate.ball().raw * raw(step)
    s = log_s.exp()
    tail = s / (1 - s)
    total = (_positive(sums.right[0]) + _positive(sums.left[-1])) * tail
    total += _positive(sums.left[-1])  # the last atom
    for a, b, tau, gap in zip(
        sums.left, sums.right[1:], sums.factors, pair.gaps, strict=False
    ):
        total += _positive(a + b * tau)
        count = int(gap / unit)
        if count > 1 and not (a < 0 and b < 0):
            total += _monotone(partial(_lattice_gap, s=s, log_s=log_s, m=count), a, b, tau)
    return total * (1 - s) / (1 + s)


def _lattice_gap(a: Raw, b: Raw, tau: Raw, *, s: Raw, log_s: Raw, m: int) -> Raw:
    """Sum of the positive part of a s**j + b s**(m-j) over j = 1 .. m-1; signs decided."""
    if a <= 0 and b <= 0:
        return raw(0)
    whole = (s - tau) / (1 - s)  # sum of s**j, the same read from either end
    if a >= 0 and b >= 0:
        return (a + b) * whole
    if a < 0:
        a, b = b, a
    # a > 0 > b: the terms decrease in j and are positive for j < turn
    turn = (m + ((-b).log() - a.log()) / log_s) / 2
    if not turn.is_finite():
        return turn
    ceilings = ceiling(lower_end(turn)), ceiling(upper_end(turn))
    if ceilings[0] is None or ceilings[1] is None:
        return raw(0) / 0  # nothing is decided at this precision
    first, last = (min(max(ceiling - 1, 0), m - 1) for ceiling in ceilings if ceiling is not None)
    if last - first > 4:
        return raw(0) / 0  # too wide
    power = (log_s * first).exp()
    total = a * s * (1 - power) / (1 - s) + b * (log_s * (m - first)).exp() * (1 - power) / (1 - s)
    for j in range(first + 1, last + 1):
        total += _positive(a * (log_s * j).exp() + b * (log_s * (m - j)).exp())
    return total


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
