"""Decimal text with a stated direction of rounding."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from pfverify.exact.ball import (
    Ball,
    Raw,
    dyadic,
    floor_log10,
    lower_end,
    power_of_ten,
    precision,
    relative_bits,
)
from pfverify.exact.grid import WIDEST, Grid, place, position

LARGEST_MARGIN = 10_000  # power of ten; the kernel reads margins from 1e-40000 to 1e40000
_NEAR = 300  # powers of ten that are written as exact fractions
_MAX_PLACES = 50_000
_MOST_BITS = 1 << 20  # of the end of a ball: a single number may have more


def decimal_lower(value: Fraction, digits: int) -> str:
    """Return the largest decimal of `digits` significant digits that is <= value.

    Example: ``decimal_lower(Fraction(2, 3), 3)`` is ``"0.666"``.
    """
    return _decimal(value, digits, upward=False)


def decimal_upper(value: Fraction, digits: int) -> str:
    """Return the smallest decimal of `digits` significant digits that is >= value.

    Example: ``decimal_upper(Fraction(2, 3), 3)`` is ``"0.667"``.
    """
    return _decimal(value, digits, upward=True)


def decimal_nearest(value: Fraction, digits: int) -> str:
    """Return the decimal of `digits` significant digits nearest to value (ties: the even one).

    Example: ``decimal_nearest(Fraction(2, 3), 3)`` is ``"0.667"``.
    """
    exact = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
    quotient = exact.divide(Decimal(value.numerator), Decimal(value.denominator))
    sign, _, exponent = quotient.as_tuple()
    units = int("".join(map(str, quotient.as_tuple().digits)))
    return place(-units if sign else units, int(exponent))


def decimal_text(value: Fraction, digits: int = 40) -> str:
    """Return an exact number as a decimal where it is one of at most `digits` (or 40) digits.

    Any other number is written as a fraction. Example: ``decimal_text(Fraction(51, 25))`` is
    ``"2.04"``.
    """
    denominator = value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest == 1 and places <= _MAX_PLACES:
        units = int(value * 10**places)
        if abs(units) < 10 ** max(digits, 40):
            return place(units, -places)
    return str(value)


def enclosure_text(ball: Ball, digits: int, widest: int = WIDEST) -> tuple[str, str] | None:
    """Return the ends of a ball as decimals rounded outward, or None if it is too wide.

    The width is at most `widest` units in the `digits`-th significant digit of the upper end.
    Example: ``enclosure_text(Ball(Fraction(2, 3)), 3)`` is ``("0.666", "0.667")``.
    """
    ends = ball.ends()
    if ends is None:
        return None
    (low, low_exponent), (high, high_exponent) = ends
    shift = 0
    if max(abs(low_exponent), abs(high_exponent)) > 20_000 and not low <= 0 <= high:
        # far from 1: take the power of ten out in ball arithmetic before any exact integer
        shift = floor_log10(ball.raw) or 0
        with precision(max(64, 4 * digits + 64)):
            ends = Ball(ball.raw * power_of_ten(-shift)).ends()
    found = None if ends is None else Grid(digits).units(*ends)
    if found is None or found[1] - found[0] > widest:
        return None
    down, up, exponent = found
    return place(down, exponent + shift), place(up, exponent + shift)


def margin_text(value: Raw, digits: int = 6) -> str | None:
    """Return a positive decimal <= the number that a raw ball encloses, None while none is proved.

    The exponent of the decimal may have any size; what is beyond `LARGEST_MARGIN` is cut to it.
    Example: ``margin_text(raw(Fraction(2, 3)), 3)`` is ``"0.666"``.
    """
    if not (value > 0 and value.is_finite()):
        return None
    with precision(min(max(relative_bits(Ball(value)), 0), _MOST_BITS) + 64):
        low = lower_end(value)
        shift = floor_log10(low)
    if shift is None:
        return None
    if shift >= LARGEST_MARGIN:
        return f"1e{LARGEST_MARGIN}"
    if abs(shift) <= _NEAR:
        shift = 0
    else:  # take the power of ten out in ball arithmetic before any exact integer
        with precision(4 * digits + 64):
            low = lower_end(low * power_of_ten(-shift))
    found = Grid(digits).units(dyadic(low), dyadic(low))
    return None if found is None else place(found[0], found[2] + shift)


def _decimal(value: Fraction, digits: int, *, upward: bool) -> str:
    if value == 0:
        return "0"
    step = Grid(digits).step(value)
    units = (value / step).__ceil__() if upward else (value / step).__floor__()
    return place(units, position(step))
