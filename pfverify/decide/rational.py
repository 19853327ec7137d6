"""Rational masses P and Q against e**epsilon and delta: signs and margins, exact at ties."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf

from pfverify.decide.breach import proved
from pfverify.exact.ball import Ball, Raw, precision, raw, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.refined import (
    ANYTHING,
    INFINITE,
    ZERO,
    ByBalls,
    End,
    Refined,
    exactly,
    rising_balls,
)
from pfverify.exact.rising import rising
from pfverify.model.target import Target

_PASS_BITS = 128
Masses = tuple[Fraction, Fraction]
"""P and Q of one output, or of a set of outputs."""


def excess_sign(p: Fraction, q: Fraction, target: Target, delta: Number) -> int | None:
    """Return the sign of p - e**epsilon q - delta: by a ball, then exactly, or by rising balls.

    None where none of them decides. Where q = 0 epsilon does not matter.
    """
    if not q and (least := delta.fraction) is not None:  # p may be too long for a number
        return (p > least) - (p < least)
    if not q:
        return (Number.of_rational(p) - delta).sign()

    def excess() -> Ball:
        return Ball(p) - Ball(target.exp_epsilon()) * Ball(q) - delta.ball()

    epsilon, exact = target.epsilon.formal, delta.ratio
    known = epsilon is not None and exact is not None
    sign = rising_sign(excess, FIRST_BITS, FIRST_BITS if known else CAP_BITS)
    if sign is None and epsilon is not None and exact is not None:
        top, bottom = exact
        part = ExpSum.constant(p) - ExpSum.power(epsilon, q)
        sign = (part * bottom - top).sign()
    return sign


def positive_margin(gap: Callable[[], Raw]) -> Raw | None:
    """Return a ball around a number known to be > 0 that proves it, at rising precision.

    None where none does.
    Example: ``positive_margin(lambda: raw(2).log() - raw(Fraction(69, 100))) > 0`` is True.
    """
    for bits in rising(FIRST_BITS, CAP_BITS):
        with precision(bits):
            found = gap()
        if proved(found):
            return found
    return None


def excess_margin(p: Fraction, q: Fraction, target: Target) -> Fraction | Raw | None:
    """Return p - e**epsilon q - delta, known to be > 0; None where no ball proves it."""
    exact = target.delta.fraction
    if not q and exact is not None:
        return p - exact
    return positive_margin(
        lambda: raw(p) - target.exp_epsilon() * raw(q) - target.delta.ball().raw
    )


def excess_amount(p: Fraction, q: Fraction, target: Target, sign: int | None) -> Refined:
    """Return p - e**epsilon q, known to be 0 (p = q = 0) or positive.

    `sign` is that of what exceeds delta.
    """
    if sign == 0 and target.delta.fraction is not None:
        return exactly(target.delta.fraction)
    if target.epsilon.fraction == 0:
        return exactly(p - q)
    if not q:
        return exactly(p)
    return by_balls(lambda: raw(p) - target.exp_epsilon() * raw(q), Fraction(1))


def least_epsilon_of(sets: list[Masses], delta: Number) -> Refined:
    """Return the least epsilon >= 0 with P(B) - e**epsilon Q(B) <= delta for every set B.

    Infinite if there is none.
    Example: ``least_epsilon_of([(Fraction(1, 2), Fraction(1, 4))], number("1/4")) == ZERO``.
    """
    for p, q in sets:
        if not q and (sign := (Number.of_rational(p) - delta).sign()) not in (-1, 0):
            return INFINITE if sign else ANYTHING
    sets = [(p, q) for p, q in sets if q]
    signs = [(Number.of_rational(p - q) - delta).sign() for p, q in sets]
    if all(sign is not None and sign <= 0 for sign in signs):
        return ZERO

    def largest() -> Raw:
        bound, best = delta.ball().raw, raw(1)
        for p, q in sets:
            best = best.max((raw(p) - bound) / raw(q))
        return best.log()

    return by_balls(largest)


def by_balls(number: Callable[[], Raw], most: End = inf) -> ByBalls:
    """Return a number known to be > 0, and at most `most`, that balls enclose."""
    return ByBalls(rising_balls(number, _PASS_BITS, CAP_BITS), most)
