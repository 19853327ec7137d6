"""Rational masses P and Q against e**epsilon and delta: signs and margins, exact at ties."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pfverify.decide.outcome import exact_enclosure, positive_enclosure
from pfverify.exact.ball import Ball, Raw, precision, raw, rising_sign
from pfverify.exact.decimals import decimal_lower, margin_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.expsum import CAP_BITS, FIRST_BITS, ExpSum
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.target import Target

MARGIN_DIGITS = 6
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


def excess_margin(p: Fraction, q: Fraction, target: Target) -> str | None:
    """Return a positive decimal below p - e**epsilon q - delta, known to be > 0.

    None where it is too small to be written as a decimal.
    """
    exact = target.delta.fraction
    if not q and exact is not None:
        return decimal_lower(p - exact, MARGIN_DIGITS)
    return positive_margin(
        lambda: raw(p) - target.exp_epsilon() * raw(q) - target.delta.ball().raw
    )


def excess_amount(
    p: Fraction, q: Fraction, target: Target, sign: int | None, digits: int | None
) -> Enclosure:
    """Enclose p - e**epsilon q, known to be 0 (p = q = 0) or positive.

    `sign` is that of what exceeds delta; with `digits` None nothing is worked out.
    """
    if digits is None:
        return Enclosure("0", "1")
    exact = p - q if target.epsilon.fraction == 0 else None if q else p
    if sign == 0 and target.delta.fraction is not None:
        exact = target.delta.fraction
    if exact is not None:
        return exact_enclosure(exact, digits)
    return rising_enclosure(lambda: raw(p) - target.exp_epsilon() * raw(q), digits, "1")


def least_epsilon_of(sets: list[Masses], delta: Number, digits: int) -> Enclosure:
    """Enclose the least epsilon >= 0 with P(B) - e**epsilon Q(B) <= delta for every set B.

    "inf" if there is none.
    Example: ``least_epsilon_of([(Fraction(1, 2), Fraction(1, 4))], number("1/4"), 12).upper`` is
    ``"0"``.
    """
    for p, q in sets:
        if not q and (sign := (Number.of_rational(p) - delta).sign()) not in (-1, 0):
            return Enclosure("inf" if sign else "0", "inf")
    sets = [(p, q) for p, q in sets if q]
    signs = [(Number.of_rational(p - q) - delta).sign() for p, q in sets]
    if all(sign is not None and sign <= 0 for sign in signs):
        return Enclosure("0", "0")

    def largest() -> Raw:
        bound, best = delta.ball().raw, raw(1)
        for p, q in sets:
            best = best.max((raw(p) - bound) / raw(q))
        return best.log()

    return rising_enclosure(largest, digits)


def rising_enclosure(
    number: Callable[[], Raw], digits: int | None, anything: str = "inf"
) -> Enclosure:
    """Enclose a number known to be > 0 at rising precision; (0, anything) where none is enough.

    `anything` is what the number cannot exceed.
    """
    for bits in rising(_PASS_BITS + 4 * (digits or 0), CAP_BITS):
        with precision(bits):
            found = positive_enclosure(Ball(number()), digits, anything)
        if found is not None:
            return found
    return Enclosure("0", anything)
