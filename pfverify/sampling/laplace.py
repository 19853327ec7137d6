"""Discrete Laplace noise, exactly: the chance of k steps is proportional to t**|k|.

How: a sign, and a size k >= 0 of chance (1 - t) t**k; a negative 0 is drawn again, since 0 has one
sign only. The size is u + n v with 0 <= u < n. As t**(u + n v) = t**u (t**n)**v, both parts are
independent: u is uniform and kept with chance t**u, and v counts how often a coin of chance t**n
comes up. This is right for every n; n = 2**j with t**n near 1/e makes all loops short, whatever the
scale.

Source: Canonne, Kamath and Steinke 2020, Algorithm 2, whose n is the denominator of the rate; that
the law is right for every n is proofs/design/F38.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.channels.entries import folded
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.sampling.bits import Bits, tries
from pfverify.sampling.coins import interval, scaled, survives

MAX_BITS = 10_000
"""Of a draw: some 3000 digits, which Python prints."""


class DrawRate(ABC):
    """A rate r = step/scale > 0, so that t = e**-r. `halvings`: 2**halvings * r is near 1, or > 1.

    Example: ``RationalRate(Fraction(1, 8)).halvings`` is 3.
    """

    halvings: int

    @abstractmethod
    def survives(self, steps: int, bits: Bits) -> bool:
        """Return True with chance e**-(r * steps)."""


class RationalRate(DrawRate):
    """A rate that is a fraction: rational coins alone, in whole numbers.

    Example: ``RationalRate(Fraction(1, 2)).survives(0, Bits())`` is True.
    """

    def __init__(self, rate: Fraction) -> None:
        self.rate = rate
        self.halvings = max(0, rate.denominator.bit_length() - rate.numerator.bit_length())

    def survives(self, steps: int, bits: Bits) -> bool:
        """Return True with chance e**-(r * steps)."""
        return survives(self.rate.numerator * steps, self.rate.denominator, bits)


class RealRate(DrawRate):
    """A rate that is no fraction: random bits are compared with enclosures of e**-(r * steps).

    Example: ``RealRate(Number.parse("log(3)/8")).halvings`` is 2.
    """

    def __init__(self, rate: Number) -> None:
        self._rate = rate
        self.halvings = max(0, -_size(rate))

    def survives(self, steps: int, bits: Bits) -> bool:
        """Return True with chance e**-(r * steps)."""

        def chance() -> Ball:
            return (-(self._rate.ball() * Ball(raw(steps)))).exp()

        def bounds(count: int) -> tuple[tuple[int], tuple[int]]:
            low, high = scaled(chance, count, extra=steps.bit_length())
            return (low,), (high,)

        return interval(bounds, bits) == 0


def _size(rate: Number) -> int:
    """The power of two that is next above a positive number, or one of its neighbours."""
    for count in rising(64, why="the size of step/scale is not found"):
        with precision(count):
            ends = rate.ball().ends()
        if ends is not None and ends[0][0] > 0:
            low, high = (mantissa.bit_length() + power for mantissa, power in ends)
            if high <= low + 1:
                break
    return low


def rate_of(noise: DiscreteLaplace) -> DrawRate:
    """Return step/scale, a fraction wherever its exact forms show one.

    Raises InputError for a scale that is missing or 0, and where draws would be too long to print.
    Example: ``rate_of(DiscreteLaplace("1/log(3)")).halvings`` is 0.
    """
    if noise.scale is None:
        raise InputError("noise.scale: missing, expected a number > 0 to draw from")
    if noise.adds_nothing:
        raise InputError("noise.scale: 0 adds nothing: there is no noise to draw")
    exact = folded(Number.of_rational(noise.step) / noise.scale)
    rate = RationalRate(exact) if isinstance(exact, Fraction) else RealRate(exact)
    if rate.halvings + bits_of(noise.step) > MAX_BITS:
        raise InputError("noise.scale: its draws would have thousands of digits")
    return rate


def bits_of(value: Fraction) -> int:
    """Return how many bits a fraction takes."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def steps(rate: DrawRate, bits: Bits) -> int:
    """Return a draw from the discrete Laplace law on the integers, t**|k| (1 - t)/(1 + t).

    Example: ``isinstance(steps(RationalRate(Fraction(1)), Bits()), int)`` is True.
    """
    for _ in tries():
        negative, size = bits.take(1), geometric(rate, bits)
        if size or not negative:
            break
    return -size if negative else size


def geometric(rate: DrawRate, bits: Bits) -> int:
    """Return k >= 0 with chance (1 - t) t**k, in a time that does not grow with the scale.

    Example: ``geometric(RationalRate(Fraction(1, 10**9)), Bits()) < 10**13`` is True.
    """
    below = rate.halvings
    low = next(u for _ in tries() if rate.survives(u := bits.take(below), bits))
    high = next(v for v in tries() if not rate.survives(1 << below, bits))
    return (high << below) + low
