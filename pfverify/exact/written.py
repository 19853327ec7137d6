"""The one way from a number that is known better and better to the decimals around it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from pfverify.errors import UndecidedError
from pfverify.exact.ball import Ball, fraction_of, precision, raw, relative_bits
from pfverify.exact.decimals import decimal_lower, decimal_upper, enclosure_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.grid import Grid, place
from pfverify.exact.published import Exact, Extended, Infinite
from pfverify.exact.refined import Between, ByBalls, End, OnGrid, Refined, RisingBalls, untested

MAX_DIGITS = 1000
_SPARE_BITS = 64
_FAR = 1 << 14  # binary places of an end that is written as a decimal
_NARROW = 8  # bits beyond those asked for that a ball has where no decimal is next to the number
_EXACTLY, _HALF = Context(prec=MAX_DIGITS + 10), Decimal("0.5")
_ROUND = 3  # so many digits shorter is an end of an enclosure that may be the number itself
_SHORTER = 4  # and so many the middle of two candidates, which is always a decimal


def written(number: Refined, digits: int) -> Enclosure:
    """Return decimals around a number, at most two units apart in the `digits`-th digit.

    Wide, but right, where that is not reached.
    Example: ``written(Between(Fraction(2, 3), Fraction(2, 3)), 3).text`` is
    ``"[0.666, 0.667]"``.
    """
    match number:
        case Between(lower, upper):
            return _outward(lower, upper, digits)
        case ByBalls():
            found, shorter = _around(number, digits), 0
        case OnGrid():
            try:
                found = _outward(*number.bracket(Grid(digits)), digits)
            except UndecidedError:
                return Enclosure("0", written(number.most, digits).upper)
            shorter = _SHORTER
        case _:
            raise TypeError(f"{type(number).__name__}: no such number can be written")
    if number.is_exactly is untested:
        return found
    value = round_inside(found, shorter)
    if value is not None and number.is_exactly(value):
        return exact_enclosure(value, digits)
    return found


def exact_enclosure(value: Fraction, digits: int) -> Enclosure:
    """Return decimals around an exact number."""
    return _outward(value, value, digits)


def _outward(lower: End, upper: End, digits: int) -> Enclosure:
    return Enclosure(_end(lower, digits, decimal_lower), _end(upper, digits, decimal_upper))


@lru_cache(maxsize=256)  # 0, 1 and infinity again and again
def _end(value: End, digits: int, rounded: Callable[[Fraction, int], str]) -> Extended:
    return Exact(rounded(value, digits)) if isinstance(value, Fraction) else Infinite(str(value))


def _around(number: ByBalls, digits: int) -> Enclosure:
    """Return decimals around the first ball that is narrow enough."""
    bits, ball = Grid(digits).bits, None
    balls, near = number.balls, number.ends
    if near is None and isinstance(balls, RisingBalls) and not number.least:
        balls, near = balls.looked(bits)
    found = None if near is None else _between(*near, number.most, digits, bits)
    if found is not None:  # nearly always
        return found
    for ball in balls(bits):
        with precision(bits + _SPARE_BITS):
            found = _around_ball(ball, number, digits, bits)
        if found is not None:
            return found
    ends = None if ball is None else ball.ends()
    if ends is None or any(abs(exponent) > _FAR for _, exponent in ends):
        return _outward(Fraction(0), number.most, digits)
    low, high = map(fraction_of, ends)
    return _outward(max(low, Fraction(0)), min(high, number.most), digits)


def _between(
    low: int, high: int, below: int, most: End, digits: int, bits: int
) -> Enclosure | None:
    """Return decimals around a number between two quotients, None where these are too far apart."""
    if low <= 0:
        return None
    down, up, unit = Grid(digits).quotients(low, high, below)
    if up - down > 1 + (high - low <= high >> (bits + _NARROW)):
        return None
    upper: Extended = Exact(place(up, unit))
    if isinstance(most, Fraction) and high * most.denominator > below * most.numerator:
        upper = min(upper, _end(most, digits, decimal_upper))
    return Enclosure(Exact(place(down, unit)), upper)


def _around_ball(ball: Ball, number: ByBalls, digits: int, bits: int) -> Enclosure | None:
    """Return decimals around the number in a ball, None where it is too wide."""
    if _below(ball, number.least):
        return _outward(Fraction(0), number.least, digits)
    return _text(ball, number.most, digits, relative_bits(ball) >= bits + _NARROW)


def _below(ball: Ball, least: Fraction) -> bool:
    """Whether a number > 0 is proved to be below the least one that is told; most are not near."""
    return bool(
        least and ball.midpoint() <= float(least) and ball.raw > 0 and ball.raw < raw(least)
    )


def _text(ball: Ball, most: End, digits: int, narrow: bool) -> Enclosure | None:
    """Return decimals around a number known to be >= 0, or None while the ball is too wide.

    They are neighbours, unless the ball is so narrow that the number is next to a decimal.
    """
    found = enclosure_text(ball, digits, 2 if narrow else 1)
    if found is None or found[0].startswith("-"):
        return None
    ends = Enclosure(*found)
    if not isinstance(most, Fraction) or ball.raw < raw(most):
        return ends
    return Enclosure(ends.lower, min(ends.upper, _end(most, digits, decimal_upper)))


def round_inside(enclosure: Enclosure, shorter: int = 0) -> Fraction | None:
    """Return the decimal in an enclosure that may well be the number itself, else None.

    Balls around an exact decimal cannot tell on which side of it the number lies: the enclosure
    then has it in its middle (or at an end, where it is far shorter than the other), and it is
    the one value worth an exact test. `shorter`: by how many digits a middle has to be so.
    Example: ``round_inside(Enclosure("0.499999999999", "0.500000000001"))`` is ``1/2``.
    """
    ends = enclosure.lower, enclosure.upper
    if ends[0] == ends[1] or any(isinstance(end, Infinite) for end in ends):
        return None
    low, high = (Decimal(str(end)) for end in ends)
    middle = _EXACTLY.multiply(_EXACTLY.add(low, high), _HALF)
    sizes = {x: len(x.normalize(_EXACTLY).as_tuple().digits) for x in (middle, low, high)}
    longest = max(sizes[low], sizes[high])
    best = min(sizes, key=lambda x: sizes[x])
    limit = longest - shorter if best == middle else longest - _ROUND
    return Fraction(best) if low > 0 and sizes[best] <= limit else None
