"""Discrete Laplace noise, exactly: the chance of k steps is proportional to t**|k|.

How: a sign, and a size k >= 0 of chance (1 - t) t**k; a negative 0 is drawn again, since 0 has one
sign only. The size is u + n v with 0 <= u < n. As t**(u + n v) = t**u (t**n)**v, both parts are
independent: u is uniform and kept with chance t**u, else all is drawn again, and v has chance
(1 - t**n) (t**n)**v. In the same way v is w + m x, of which x counts how often a coin of chance
t**(n m) comes up. This is right for every n and m. With n = 2**j and t**n near e**-(1/32) most u
are kept, and one random number among the m thresholds 1 - (t**n)**k is v, unless it lies beyond all
of them: the coin came up, and another is drawn.

A random number is compared by its first bits, and where those leave it open by more of them, with
enclosures of the thresholds at that precision: what is found holds for the real number itself.

Source: Canonne, Kamath and Steinke 2020, Algorithm 2, whose n is the denominator of the rate; that
the law is right for every n is proofs/design/F38.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import repeat

from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.sampling.bits import TRIES, Bits, broken, tries
from pfverify.sampling.coins import interval, scaled

MAX_BITS = 10_000
"""Of a draw: some 3000 digits, which Python prints."""
_FINE, _LAST = 5, 5  # n r near 2**-_FINE, or n = 1; m n r near 2**_LAST
_PLACES = 8  # and m at most 2**_PLACES
_GUARD = 16  # bits beyond those of a threshold


class Sizes:
    """The law of sizes, of chance (1 - t) t**k with t = e**-r, r = step/scale > 0.

    `below`: n is 2**below; `places`: the m above; `rate`: r.
    Example: ``Sizes(Number.parse("1/1000")).below`` is 4.
    """

    def __init__(self, rate: Number) -> None:
        self.rate = rate
        size = _size(rate)
        self.below = max(0, -size - _FINE)
        self.places = 1 << max(0, min(_LAST - size - self.below, _PLACES))
        self._ends: dict[int, tuple[list[int], list[int]]] = {}

    def thresholds(self, count: int) -> tuple[list[int], list[int]]:
        """Return whole numbers below and above 2**count (1 - t**(n k)), k = 1 .. m.

        Each power is that before times t**n, rounded outward.
        """
        if count not in self._ends:
            exact, lows, highs = count + _GUARD, [], []
            low, high = scaled(self._survives(1 << self.below), exact)
            one = least = most = 1 << exact
            for _ in range(self.places):
                least, most = least * low >> exact, -(-most * high >> exact)
                lows.append((one - most) >> _GUARD)
                highs.append(-((least - one) >> _GUARD))
            self._ends[count] = lows, highs
        return self._ends[count]

    def place(self, bits: Bits, begun: tuple[int, int]) -> int:
        """Return v; `begun`: the first bits of its random number, and how many they are."""
        for beyond in tries():
            found = interval(self.thresholds, bits, begun if not beyond else (0, 0))
            if found < self.places:
                break
        return beyond * self.places + found

    def keeps(self, low: int, bits: Bits, begun: tuple[int, int]) -> bool:
        """Return whether u is kept: True with chance t**u. `begun` as of `place`."""

        def bounds(count: int) -> tuple[tuple[int], tuple[int]]:
            if count == bits.first:
                return self._chords(low, count)
            least, most = scaled(self._survives(low), count, extra=low.bit_length())
            return (least,), (most,)

        return interval(bounds, bits, begun) == 0

    def _chords(self, low: int, count: int) -> tuple[tuple[int], tuple[int]]:
        """Whole numbers below and above 2**count t**u, which leave few u open, without t**u.

        With s = t**n and q = u/n, both s**q and s**-q are convex in q, so that chords from q = 0 to
        1 are above them: s/(s + q (1 - s)) <= t**u <= 1 - q (1 - s). Both sides rise with s.
        """
        lows, highs = self.thresholds(count)
        one, least, most = 1 << count, lows[0], highs[0]  # of 1 - s
        fall = -(-most * low >> self.below)
        return ((one * (one - most) // max(1, one - most + fall),),
                (one - (least * low >> self.below),))  # fmt: skip

    def _survives(self, steps: int) -> Callable[[], Ball]:
        """What encloses t**steps."""
        return lambda: (-(self.rate.ball() * Ball(raw(steps)))).exp()


def _size(rate: Number) -> int:
    """Return k, so that 2**(k - 1) <= number < 2**(k + 1)."""
    for count in rising(64, why="the size of step/scale is not found"):
        with precision(count):
            ends = rate.ball().ends()
        if ends is not None and ends[0][0] > 0:
            low, high = (mantissa.bit_length() + power for mantissa, power in ends)
            if high <= low + 1:
                break
    return low


def sizes_of(noise: DiscreteLaplace) -> Sizes:
    """Return the law of the sizes of draws, in steps.

    Raises InputError for a scale that is missing or 0, and where draws would be too long to print.
    Example: ``sizes_of(DiscreteLaplace("1/log(3)")).below`` is 0.
    """
    if noise.scale is None:
        raise InputError("noise.scale: missing, expected a number > 0 to draw from")
    if noise.adds_nothing:
        raise InputError("noise.scale: 0 adds nothing: there is no noise to draw")
    sizes = Sizes(Number.of_rational(noise.step) / noise.scale)
    if sizes.below + bits_of(noise.step) > MAX_BITS:
        raise InputError("noise.scale: its draws would have thousands of digits")
    return sizes


def bits_of(value: Fraction) -> int:
    """Return how many bits a fraction takes."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def steps(sizes: Sizes, bits: Bits) -> Iterator[int]:
    """Yield draws from the discrete Laplace law on the integers, t**|k| (1 - t)/(1 + t).

    The time of one does not grow with the scale.
    Example: ``next(steps(Sizes(Number.of_rational(1)), Bits())) < 30_000`` is True.
    """
    first, below, many = bits.first, sizes.below, sizes.places
    lows, highs = sizes.thresholds(first)
    # t**u >= t**n: a random number whose first bits are below this is below t**u
    kept = (1 << first) - highs[0] if below else 1
    whole, misses = bits.firsts(), 0
    # of a draw: the sign as the last bit of a number and u as its first ones, u's chance, and v's
    short = below < first
    signed, shift = (whole, first - below) if short else (map(bits.take, repeat(1 + below)), 1)
    for low, chance, place in zip(signed, whole if below else repeat(0), whole, strict=False):
        high = bisect_right(highs, place)
        if high == many or place >= lows[high]:
            high = sizes.place(bits, (place, first))
        size = high << below | low >> shift
        if (chance >= kept and not sizes.keeps(low >> shift, bits, (chance, first))) or (
            low & 1 and not size
        ):
            misses += 1
            if misses == TRIES:
                raise broken()
            continue
        misses = 0
        yield -size if low & 1 else size
