"""Masses P and Q against e**epsilon and delta: signs, margins and amounts, exact at ties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf

from pfverify.decide.breach import proved
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw, raw_quotient, rising_sign
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ZERO_TEST_BITS, ExpSum
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
from pfverify.model.channels.entries import Entry, as_number, ball_of
from pfverify.model.target import Target

_PASS_BITS = 128
_LARGE, _SMALL, _ERROR = 1e100, 1e-200, 2.0**-47  # of floats, see `clear_sign`
_ZERO = Number.of_rational(0)
Masses = tuple[Fraction, Fraction]
"""P and Q of one output, or of a set of outputs."""


def excess_sign(p: Entry, q: Entry, target: Target, delta: Number) -> int | None:
    """Return the sign of p - e**epsilon q - delta: by a ball, then exactly, or by rising balls.

    None where none of them decides. Where q = 0 epsilon does not matter.
    """

    def excess() -> Ball:
        return Ball(gap(p, q, target.exp_epsilon()) - delta.ball().raw)

    if not (isinstance(p, Fraction) and isinstance(q, Fraction)):
        return _sign_of_numbers(as_number(p), as_number(q), target, delta, excess)
    if not q:
        return _sign_beyond(p, delta)
    epsilon, exact = target.epsilon.formal, delta.ratio
    known = epsilon is not None and exact is not None
    sign = rising_sign(excess, FIRST_BITS, FIRST_BITS if known else CAP_BITS)
    if sign is None and epsilon is not None and exact is not None:
        top, bottom = exact
        part = ExpSum.constant(p) - ExpSum.power(epsilon, q)
        sign = (part * bottom - top).sign()
    return sign


def clear_sign(p: Entry, q: Entry, target: Target) -> int | None:
    """Return the sign of p - e**epsilon q - delta where floats leave no doubt, else None.

    With u = 2**-53, p and q are off by u, e**epsilon and delta by 2u of themselves, and each of
    three operations by u: the difference by at most 6u (p + e**epsilon q + delta), a tenth of what
    it is held against. Rounding below 2**-1022 adds at most 1e-323 e**epsilon, which is nothing
    beside that.
    """
    growth, delta = target.float_growth, target.float_delta
    if not (isinstance(p, Fraction) and isinstance(q, Fraction)) or growth is None or delta is None:
        return None
    one, other = float(p), growth * float(q)
    size, gap = one + other + delta, one - other - delta
    if growth > _LARGE or size < _SMALL or abs(gap) <= size * _ERROR:
        return None
    return 1 if gap > 0 else -1


def _sign_beyond(p: Fraction, delta: Number) -> int | None:
    """Return the sign of p - delta; p may be too long for a number."""
    least = delta.fraction
    if least is None:
        return (Number.of_rational(p) - delta).sign()
    return (p > least) - (p < least)


def _sign_of_numbers(
    p: Number, q: Number, target: Target, delta: Number, excess: Callable[[], Ball]
) -> int | None:
    sign = rising_sign(excess, FIRST_BITS, ZERO_TEST_BITS)
    if sign is not None:
        return sign
    if p == q and delta.fraction == 0 and target.epsilon.fraction == 0:
        return 0
    try:  # where q = 0, e**epsilon does not matter
        grown = _ZERO if q.fraction == 0 else target.epsilon.exp() * q
        return (p - grown - delta).sign()
    except InputError:  # e**epsilon is too large to be written
        return rising_sign(excess, ZERO_TEST_BITS, CAP_BITS)


def positive_margin(
    gap: Callable[[], Raw], first: int = FIRST_BITS, last: int = CAP_BITS
) -> Raw | None:
    """Return a ball around a number known to be > 0 that proves it, at rising precision.

    None where none does.
    Example: ``positive_margin(lambda: raw(2).log() - raw(Fraction(69, 100))) > 0`` is True.
    """
    for bits in rising(first, last):
        with precision(bits):
            found = gap()
        if proved(found):
            return found
    return None


def gap(p: Entry, q: Entry, growth: Raw) -> Raw:
    """Enclose p - growth q at the current precision."""
    return ball_of(p) - growth * ball_of(q)


def excess_margin(p: Entry, q: Entry, target: Target) -> Fraction | Raw | None:
    """Return p - e**epsilon q - delta, known to be > 0; None where no ball proves it."""
    exact = target.delta.fraction
    if isinstance(p, Fraction) and q == 0 and exact is not None:
        return p - exact
    return positive_margin(lambda: gap(p, q, target.exp_epsilon()) - target.delta.ball().raw)


def excess_amount(p: Entry, q: Entry, target: Target, sign: int | None) -> Refined:
    """Return p - e**epsilon q, known to be 0 (p = q = 0) or positive.

    `sign` is that of what exceeds delta, None where it is not known.
    """
    if sign == 0 and target.delta.fraction is not None:
        return exactly(target.delta.fraction)
    if isinstance(p, Fraction) and isinstance(q, Fraction) and target.epsilon.fraction == 0:
        return exactly(p - q)
    one, other = (mass if isinstance(mass, Fraction) else mass.fraction for mass in (p, q))
    if one is not None and other == 0:
        return exactly(one)
    balls = rising_balls(lambda: gap(p, q, target.exp_epsilon()), _PASS_BITS, CAP_BITS)
    return ByBalls(balls, Fraction(1), ends=_whole_gap(p, q, target))


def _whole_gap(p: Entry, q: Entry, target: Target) -> tuple[int, int, int] | None:
    """Whole numbers, over a third, around p - e**epsilon q of rational masses."""
    if not (isinstance(p, Fraction) and isinstance(q, Fraction)) or target.whole_growth is None:
        return None
    low, high, shift = target.whole_growth
    (a, b), (c, d) = p.as_integer_ratio(), q.as_integer_ratio()
    one, other = (a * d) << shift, c * b
    return one - high * other, one - low * other, (b * d) << shift


def largest_sign(signs: Sequence[int | None]) -> int | None:
    """Return the sign of the largest of numbers with these signs, None where it is unknown.

    Example: ``largest_sign([-1, 0, -1])`` is ``0``.
    """
    return next((sign for sign in (1, None, 0, -1) if sign in signs), None)


def least_epsilon_of(sets: list[Masses], delta: Number) -> Refined:
    """Return the least epsilon >= 0 with P(B) - e**epsilon Q(B) <= delta for every set B.

    Infinite if there is none.
    Example: ``least_epsilon_of([(Fraction(1, 2), Fraction(1, 4))], number("1/4")) == ZERO``.
    """
    for p, q in sets:
        if not q and (sign := _sign_beyond(p, delta)) not in (-1, 0):
            return INFINITE if sign else ANYTHING
    sets = [(p, q) for p, q in sets if q]
    if delta.fraction is not None:
        return _least_beyond(sets, delta.fraction)
    signs = [_sign_beyond(p - q, delta) for p, q in sets]
    if all(sign is not None and sign <= 0 for sign in signs):
        return ZERO

    def largest() -> Raw:
        bound, best = delta.ball().raw, raw(1)
        for p, q in sets:
            best = best.max((raw(p) - bound) / raw(q))
        return best.log()

    return by_balls(largest)


def _least_beyond(sets: list[Masses], delta: Fraction) -> Refined:
    """The same of a rational delta and sets with Q > 0: the quotients compare as whole numbers."""
    top, bottom = 1, 1
    spared, whole = delta.as_integer_ratio()
    for p, q in sets:
        (a, b), (c, d) = p.as_integer_ratio(), q.as_integer_ratio()
        above, below = (a * whole - spared * b) * d, c * b * whole  # (P - delta)/Q
        if above * bottom > top * below:
            top, bottom = above, below
    return ZERO if top == bottom else by_balls(lambda: raw_quotient(top, bottom).log())


def by_balls(number: Callable[[], Raw], most: End = inf) -> ByBalls:
    """Return a number known to be > 0, and at most `most`, that balls enclose."""
    return ByBalls(rising_balls(number, _PASS_BITS, CAP_BITS), most)
