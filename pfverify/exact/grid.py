"""The grid of candidates where a number that is printed has to be decided: decimals so long."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.exact.ball import Ball

WIDEST = 2  # steps between the candidates around a ball
_PLAIN_LOW, _PLAIN_HIGH = -6, 15  # outside these powers of ten the text is scientific


Dyadic = tuple[int, int]
"""An integer, and the exponent of the power of two that it is multiplied by."""


@dataclass(frozen=True)
class Grid:
    """The decimals of so many significant digits."""

    digits: int

    @property
    def bits(self) -> int:
        """More bits than tell a number from its neighbours on the grid."""
        return 4 * self.digits

    def step(self, value: Fraction) -> Fraction:
        """Return one unit in the last digit of a number (not 0), the distance of its neighbours.

        Example: ``Grid(3).step(Fraction(2, 3))`` is ``Fraction(1, 1000)``.
        """
        return Fraction(10) ** (position(abs(value)) - self.digits + 1)

    def nearest(self, value: Fraction) -> Fraction:
        """Return the candidate nearest to a number (not 0).

        Example: ``Grid(1).nearest(Fraction(2, 3))`` is ``Fraction(7, 10)``.
        """
        step = self.step(value)
        return (value / step).__round__() * step

    def below(self, value: Fraction) -> Fraction:
        """Return the largest candidate that is at most a number (not 0)."""
        step = self.step(value)
        return (value / step).__floor__() * step

    def above(self, value: Fraction) -> Fraction:
        """Return the smallest candidate that is at least a number (not 0)."""
        step = self.step(value)
        return (value / step).__ceil__() * step

    def around(self, ball: Ball) -> tuple[Fraction, Fraction] | None:
        """Return candidates around a ball, at most two steps apart; None where it is too wide.

        Example: ``Grid(3).around(Ball(Fraction(2, 3)))[1]`` is ``Fraction(667, 1000)``.
        """
        ends = ball.ends()
        found = None if ends is None else self.units(*ends)
        if found is None or found[1] - found[0] > WIDEST:
            return None
        down, up, exponent = found
        return down * Fraction(10) ** exponent, up * Fraction(10) ** exponent

    def units(self, low: Dyadic, high: Dyadic) -> tuple[int, int, int] | None:
        """Return candidates around two numbers as integers, with the power of ten of one unit.

        None where 0 lies between the numbers, or one of them is 0 and the other is not.
        Example: ``Grid(2).units((1, -2), (3, -2))`` is ``(25, 75, -2)``.
        """
        (a, low_exponent), (b, high_exponent) = low, high
        if a == b == 0:
            return 0, 0, 0
        if a <= 0 <= b:
            return None
        # both as integers times one power of two, and then as multiples of one unit
        power = min(low_exponent, high_exponent)
        a, b = a << (low_exponent - power), b << (high_exponent - power)
        over, under = (1 << power, 1) if power >= 0 else (1, 1 << -power)
        return self.quotients(a * over, b * over, under)

    def quotients(self, low: int, high: int, under: int) -> tuple[int, int, int]:
        """Return the same of whole numbers over another, which are both above 0 or both below.

        Example: ``Grid(2).quotients(1, 3, 4)`` is ``(25, 75, -2)``.
        """
        unit = log10_floor(max(abs(low), abs(high)), under) - self.digits + 1
        over = 1
        if unit >= 0:
            under *= ten_to(unit)
        else:
            over *= ten_to(-unit)
        return low * over // under, -(-high * over // under), unit

    def text(self, value: Fraction) -> str:
        """Return a candidate as it is written.

        Example: ``Grid(3).text(Fraction(51, 25))`` is ``"2.04"``.
        """
        if value == 0:
            return "0"
        step = self.step(value)
        return place((value / step).__round__(), position(step))


def place(units: int, exponent: int) -> str:
    """Write units * 10**exponent as decimal text without trailing zeros.

    Example: ``place(-250, -2)`` is ``"-2.5"``.
    """
    if units == 0:
        return "0"
    sign, text = ("-" if units < 0 else ""), str(abs(units))
    stripped = text.rstrip("0")
    exponent += len(text) - len(stripped)
    top = exponent + len(stripped) - 1
    if not _PLAIN_LOW <= top <= _PLAIN_HIGH:
        tail = f".{stripped[1:]}" if len(stripped) > 1 else ""
        return f"{sign}{stripped[0]}{tail}e{top}"
    if exponent >= 0:
        return sign + stripped + "0" * exponent
    if top >= 0:
        return f"{sign}{stripped[: top + 1]}.{stripped[top + 1 :]}"
    return f"{sign}0.{'0' * (-top - 1)}{stripped}"


def position(value: Fraction) -> int:
    """Return floor(log10(value)) exactly, value > 0."""
    return log10_floor(value.numerator, value.denominator)


def log10_floor(numerator: int, denominator: int) -> int:
    """Return floor(log10(numerator/denominator)) exactly, of numbers > 0.

    Example: ``log10_floor(1, 1000)`` is ``-3``.
    """
    bits = numerator.bit_length() - denominator.bit_length()
    guess = (bits * 30103) // 100000
    if _reaches(numerator, denominator, guess):
        while _reaches(numerator, denominator, guess + 1):
            guess += 1
        return guess
    guess -= 1
    while not _reaches(numerator, denominator, guess):
        guess -= 1
    return guess


def _reaches(numerator: int, denominator: int, power: int) -> bool:
    """Say whether numerator/denominator >= 10**power."""
    if power < 0:
        return numerator * ten_to(-power) >= denominator
    return numerator >= denominator * ten_to(power)


def ten_to(power: int) -> int:
    """Return 10**power. Example: ``ten_to(2)`` is ``100``."""
    return _TENS[power] if power < len(_TENS) else int(10**power)


_TENS = [10**power for power in range(64)]
