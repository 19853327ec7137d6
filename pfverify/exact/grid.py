"""The grid of candidates where a number that is printed has to be decided: decimals so long."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


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


def position(value: Fraction) -> int:
    """Return floor(log10(value)) exactly, value > 0."""
    return log10_floor(value.numerator, value.denominator)


def log10_floor(numerator: int, denominator: int) -> int:
    """Return floor(log10(numerator/denominator)) exactly, of numbers > 0.

    Example: ``log10_floor(1, 1000)`` is ``-3``.
    """
    bits = numerator.bit_length() - denominator.bit_length()
    guess = (bits * 30103) // 100000 - 1
    while _reaches(numerator, denominator, guess + 1):
        guess += 1
    while not _reaches(numerator, denominator, guess):
        guess -= 1
    return guess


def _reaches(numerator: int, denominator: int, power: int) -> bool:
    """Say whether numerator/denominator >= 10**power."""
    if power < 0:
        return numerator * int(10**-power) >= denominator
    return numerator >= denominator * int(10**power)
