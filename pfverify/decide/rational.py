"""Rational masses P and Q against e**epsilon and delta: signs and margins, exact at ties."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.exact.ball import Ball, Raw, precision, rising_sign
from pfverify.exact.decimals import margin_text
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.target import Target

MARGIN_DIGITS = 6


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


def positive_margin(gap: Callable[[], Raw]) -> str | None:
    """Return a positive decimal below a number known to be > 0, at rising precision.

    None where it is too small to be written as a decimal.
    Example: ``positive_margin(lambda: raw(2).log() - raw(Fraction(69, 100)))`` is
    ``"0.00314718"``.
    """
    for bits in rising(FIRST_BITS, CAP_BITS):
        with precision(bits):
            text = margin_text(gap(), MARGIN_DIGITS)
        if text is not None:
            return text
    return None
